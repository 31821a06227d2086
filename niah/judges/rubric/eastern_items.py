"""Items of Chinese, Japanese and Korean lists that nothing planted: "和鸡蛋清", "そして飛燕丸".

Read as little as can be told without a dictionary: an item that stands in a row with two or more that are
known, up to its first particle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, without_mentions
from niah.text.writing import HAN, HANGUL, KATAKANA

_SENTENCE = re.compile(r"[^。.!?;:\n]+")
_AND = (
    "(?:そして|それに|それから|さらに|および|及び|ならびに|また"
    "|以及|还有|還有|和|与|與|及|跟|그리고|또한|또|및)"
)
_BETWEEN = lazy_pattern(
    rf"、\s*{_AND}?|(?<={MASK})[・·]|[・·](?={MASK})|,\s*{_AND}|(?<=[{HANGUL}{MASK}]),\s*(?=[{HANGUL}{MASK}])"
    rf"|(?<={MASK}) (?=(?:그리고|또한|및) )"
    rf"|(?<={MASK})(?:以及|和|与|與|及|跟|と|や|(?:와|과|하고|랑)\s)"
)
_BARE = re.compile(rf"[^{MASK}]*{MASK}+[^{MASK}]{{0,2}}")
"""A known item of a list; in a clause more is said of it."""
_LEADS_IN = lazy_pattern(
    rf"\s*{_AND}?\s*(?:(?:一|两|兩|二|三)?[位名个個件种種只隻条條把张張颗顆](?:名?叫(?:做|作)?)?|叫(?:做|作)?)?\s*"
)
_HAN_NAME = lazy_pattern(rf"[{HAN}{KATAKANA}ー]{{2,8}}")
_HANGUL_NAME = lazy_pattern(f"[{HANGUL}]{{2,8}}")
_PARTICLE = lazy_pattern(
    "(?:까지|으로|에게|이라는|라는|입니다|이다|이며|이고|였습니다|이었습니다|은|는|이|가|을|를|과|와|도|만|의|에|로|인)$"
)
_CUTS = re.compile("[的是等共这這都均在也了为為がをはもにでとのへや]")
# What stands in a row and names nothing: "all four", "others", "the above".
_NO_ITEM = lazy_pattern(
    "^(?:以上|其他|其它|其余|其中|一共|总共|合计|全部|所有|分别|上述|这|那|该|共|等|都|均|不|没|未|无|他|她|它|我|你|另|各|每|某"
    "|他|これ|それ|あれ|全|計|合計|以外|その|この|何|[一二三四五六七八九十两兩0-9]+[种種个個名位人つ隻件点家本枚つ]?$)"
    "|^(?:모두|전부|등|총|이상|다른|그|이|저|위|네|세|두|다섯|여섯|일곱|여덟|아홉|열|각각|함께|같은|있|없|아니|않|안|못|기타|외)"
    "|不|没|未|無い|ない|않|없"
)
_EASTERN = lazy_pattern(f"[{HAN}{KATAKANA}{HANGUL}ー]")
_FEWEST_KNOWN = 2
_MOST_UNKNOWN = 2


def eastern_items(text: str) -> Iterator[str]:
    """Unknown names that stand in a row with two known ones or more.

    Args:
        text: masked.
    """
    if without_mentions(text).isascii() or not _EASTERN.search(text):
        return
    for sentence in _SENTENCE.findall(text):
        if sentence.count(MASK) < _FEWEST_KNOWN:
            continue
        items = _BETWEEN.split(sentence)
        first = next((place for place, item in enumerate(items) if MASK in item), len(items))
        row = items[first:]
        unknown = [item for item in row if MASK not in item]
        known = [item for item in row[:-1] if MASK in item]
        is_list = len(known) >= _FEWEST_KNOWN and all(map(_BARE.fullmatch, known[1:]))
        if is_list and len(unknown) <= _MOST_UNKNOWN:
            yield from filter(None, map(eastern_name, unknown))


def eastern_name(item: str) -> str:
    """The name with which an item begins; "" where it is none."""
    lead = _LEADS_IN.match(item)
    rest = item[lead.end() :] if lead else item
    if _NO_ITEM.search(rest.strip()):
        return ""
    if name := _HANGUL_NAME.match(rest):
        return _PARTICLE.sub("", name[0]) if len(_PARTICLE.sub("", name[0])) > 1 else ""
    cut = _CUTS.search(rest)
    name = _HAN_NAME.match(rest[: cut.start()] if cut else rest)
    ends = name and (cut is not None or name.end() == len(rest.rstrip()))
    return name[0] if name and ends else ""
