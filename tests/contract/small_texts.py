"""Small haystacks of sentences that the tests know one by one: five scripts, a log and a table."""

from __future__ import annotations

import re
from itertools import product
from random import Random

_TEMPLATES = {
    "latin": (
        "The {} by the weir was let to a cooper for {} shillings a year.",
        "Rain fell on the {} until {} sacks of barley had to be thrown away.",
        "Who still owes {1} pence for the {0}?",
        "“Leave the {} to me,” said the ferryman, who was {} days late and had brought no rope.",
    ),
    "cyrillic": (
        "Старая {} у реки стоила {} рублей, и никто её не купил.",
        "Утром {1} чаек сидели там, где начинается {0}.",
        "Почему {} закрыта уже {} дней?",
        "Сторож сказал, что {} сгорела в тот год, когда в порту насчитали {} лодок.",
    ),
    "chinese": (
        "河边的{}去年租给了一个木匠，租金是{}元。",
        "今天早上有{1}只海鸥停在{0}的屋顶上。",
        "为什么{}已经关了{}天？",
        "看守人说，{}着火的那一年，港里一共有{}条船，谁也没有受伤。",
    ),
    "arabic": (
        "كان {} القديم عند النهر بيعت مفاتيحه بمبلغ {} دينارا.",
        "في الصباح جلس {1} طائرا على سطح {0}.",
        "لماذا أغلق {} منذ {} يوما؟",
        "قال الحارس إن {} احترق في السنة التي عد فيها الناس {} قاربا في الميناء.",
    ),
    "devanagari": (
        "नदी के पास {} का किराया {} रुपये था।",
        "सुबह {1} पक्षी {0} की छत पर बैठे थे।",
        "{} पिछले {} दिनों से बंद क्यों है?",
        "चौकीदार ने कहा कि जिस साल {} जल गया उस साल घाट पर {} नावें थीं।",
    ),
}
_WORDS = {
    "latin": ["granary", "boathouse", "tannery", "ropewalk", "malting", "dovecote"],
    "cyrillic": ["мельница", "пекарня", "кузница", "часовня", "пристань", "баня"],
    "chinese": ["磨坊", "面包店", "铁匠铺", "小教堂", "码头", "澡堂"],
    "arabic": ["الفندق", "المخبز", "المصنع", "المسجد", "الحمام", "السوق"],
    "devanagari": ["गोदाम", "बाज़ार", "मकान", "विद्यालय", "मंदिर", "कारख़ाना"],
}
SCRIPTS = tuple(_TEMPLATES)


def sentences(script: str, number: int = 220) -> list[str]:
    """So many sentences, all different."""
    random = Random(script)
    pairs = list(product(_TEMPLATES[script], _WORDS[script]))
    return [
        template.format(word, 300 + 3 * at)
        for at in range(number)
        for template, word in [random.choice(pairs)]
    ]


def prose(script: str) -> str:
    """The sentences in paragraphs of five; Chinese ones without spaces between them."""
    parts, space = sentences(script), "" if script == "chinese" else " "
    return "\n\n".join(space.join(parts[at : at + 5]) for at in range(0, len(parts), 5)) + "\n"


def left_over(parts: list[str], known: list[str]) -> str:
    """What of ``parts`` is no whole sentence of ``known``."""
    whole = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    return "".join(re.sub(whole, "", part) for part in parts).strip()


def lines(kind: str, number: int = 200) -> list[str]:
    """The lines of a log, or of a CSV table with its header; of many lengths."""
    random, told = (
        Random(kind),
        ["pump started", "valve at half", "no answer from sluice", "tide gauge stuck"],
    )
    notes = [" and ".join(random.sample(told, random.randint(1, 4))) for _ in range(number)]
    if kind == "csv":
        return [
            "number,place,note",
            *(f"{at},{_WORDS['latin'][at % 6]},{note}" for at, note in enumerate(notes)),
        ]
    days = [f"2031-04-{at % 28 + 1:02} {at % 24:02}:{at % 60:02}" for at in range(number)]
    return [f"{day} INFO unit{at}: {note}" for at, (day, note) in enumerate(zip(days, notes, strict=True))]
