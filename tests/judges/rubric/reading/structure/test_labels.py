"""What is sorted out because it stands with other words than the question's."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

BELLS = ("Great Tom", "Silver Meg", "Old Harry")
CRACKED = AnswerKey(
    name="cracked-bells",
    question="Which three bells of the Minster were found cracked before the jubilee?",
    references=("Great Tom, Silver Meg and Old Harry were cracked.",),
    elements=tuple(map(Element, BELLS)),
    needles=tuple(
        Needle(bell.split()[-1], f"{bell} in the Minster was found cracked.", (bell,)) for bell in BELLS
    ),
    distractors=(
        Distractor("sound", "Little John rang true.", (Element("Little John"),)),
        Distractor("dumb", "Dumb Peter has no clapper.", (Element("Dumb Peter"),)),
    ),
)


def table(*rows: str) -> str:
    """Rows such as "bell | found", the first for its head."""
    head, *others = (f"| {row} |" for row in rows)
    return "\n".join((head, "|---|---|", *others))


@pytest.mark.parametrize(
    "answer",
    [
        table(
            "Bell | Found",
            "Great Tom | cracked",
            "Little John | sound",
            "Silver Meg | cracked, badly",
            "Old Harry | cracked",
        ),
        "[cracked] Great Tom\n[cracked] Silver Meg\n[sound] Dumb Peter\n[cracked] Old Harry",
        "## Cracked bells\n- Great Tom\n- Silver Meg\n- Old Harry\n\n## Sound bells\n- Little John",
        "Cracked: Great Tom, Silver Meg, Old Harry. In good order: Little John, Dumb Peter.",
        '{"cracked": ["Great Tom", "Silver Meg", "Old Harry"], "sound": ["Little John"]}',
        table("Bell | Cracked?", "Great Tom | yes", "Silver Meg | yes", "Old Harry | yes", "Dumb Peter | no"),
    ],
)
def test_what_stands_with_another_state_claims_nothing(answer: str) -> None:
    verdict = judge_by_rubric(answer, CRACKED)
    assert (verdict.score, verdict.wrong) == (10, ())


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (
            table("Bell | Found", *(f"{bell} | cracked" for bell in (*BELLS, "Little John"))),
            ("Little John",),
        ),
        ("Cracked: Great Tom, Silver Meg, Old Harry. Further: Little John.", ("Little John",)),
        (
            table("Bell | When", *(f"{bell} | before it" for bell in BELLS), "Little John | that day"),
            ("Little John",),
        ),
        (
            "- Great Tom: cracked\n- Silver Meg: cracked\n- Old Harry: sound\n- Dumb Peter: sound",
            ("Dumb Peter",),
        ),
        (
            table("Bell | Seen by", *(f"{bell} | the dean" for bell in BELLS), "Little John | a child"),
            ("Little John",),
        ),
    ],
)
def test_what_the_answer_claims_all_the_same_stays_wrong(answer: str, wrong: tuple[str, ...]) -> None:
    assert judge_by_rubric(answer, CRACKED).wrong == wrong


LEAK = AnswerKey(
    name="leak",
    question="Who found the leak in the cistern, and at what hour?",
    references=("Ysolde Crane, at 4:25.",),
    elements=(Element("Ysolde Crane"), Element("4:25")),
    needles=(Needle("leak", "Ysolde Crane found the leak at 4:25.", ("Ysolde Crane", "4:25")),),
    distractors=(
        Distractor("plumber", "Ned Orchard soldered it at 7:50.", (Element("Ned Orchard"), Element("7:50"))),
    ),
)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (
            '{"found by": "Ysolde Crane", "hour": "4:25", "plumber": "Ned Orchard", "plumber came": "7:50"}',
            (),
        ),
        ("- **Finder of the leak:** Ysolde Crane\n- **Hour:** 4:25\n- **Mended:** 7:50", ()),
        ('{"found by": "Ysolde Crane", "hour": "4:25", "also found by": "Ned Orchard"}', ("Ned Orchard",)),
        ('{"leak": "Ysolde Crane", "leak 2": "4:25", "leak 3": "7:50"}', ("7:50",)),
        ('{"found by": "Ysolde Crane", "hour": "7:50"}', ("7:50",)),
    ],
)
def test_a_field_that_nobody_asked_for_claims_nothing(answer: str, wrong: tuple[str, ...]) -> None:
    assert judge_by_rubric(answer, LEAK).wrong == wrong
