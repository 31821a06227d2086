"""How values are written: patterns that stand for themselves, and those of each unit.

Each is compiled when a text first needs it: most texts need few.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from niah.judges.rubric.forms.amounts.units import unit_words
from niah.text.writing import UNSPACED

Written = tuple[tuple[str, ...], str, str]
"""One of several words that must be there (none: any text), the pattern, and the kind of value."""

_AMOUNT = r"(?P<n>\d{1,15}(?:\.\d{1,4}|/0{0,3}[1-9]\d{0,3})?)"
_N = rf"(?<![^\W{UNSPACED}])(?<![.,:/第]){_AMOUNT}"
_HOUR = r"(?<![\w.,:/])(?P<n>\d{1,2})"
_END = r"(?![\w/]|[.,:]\d)"
_LINK = r"(?:and|und|et|y|e|и|с)"
_HALF = r"half|1/2|halbe?|demie?|medi[oa]|mei[oa]|mezz[oa]|половиной"

_TOLD: tuple[Written, ...] = (
    (
        ("%", "cent", "pct", "prozent", "cien", "процент", "パーセント", "퍼센트"),
        rf"{_N}\s?(?:%|percent|per\s+cent|pct|prozent|pour\s+cent|por\s+ciento|por\s+cento|per\s+cento|процент\w*|procent\w*|パーセント|퍼센트)",
        "%",
    ),
    (("yüzde",), rf"(?<!\w)yüzde\s+{_AMOUNT}", "%"),
    (("百分之",), r"百分之(?P<n>\d{1,6})", "%"),
    (("割", "成"), r"(?<!\d)(?P<n>\d{1,4})(?:割|成)", "tenths"),
    ((), rf"{_HOUR}\s?[:.h]\s?(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{_END}", "clock"),
    ((), rf"{_HOUR}\.(?P<m>[0-5]\d)(?:\s?(?:[ap]\.?\s?m\b\.?|uhr|h\b))?{_END}", "clock"),
    (("uhr", "heure", "ч"), rf"{_HOUR}\s+(?:uhr|heures?|ч(?:ас\w*)?)\s+(?P<m>[0-5]?\d){_END}", "clock"),
    ((), rf"{_HOUR}\s?(?:[ap]\.?\s?m\b\.?|o'clock|uhr\b)", "clock"),
    (("quarter",), rf"(?:a\s+)?quarter\s+past\s+{_HOUR}\b", "clock quarter"),
    (("quarter",), rf"(?:a\s+)?quarter\s+to\s+{_HOUR}\b", "clock less"),
    (("half",), rf"half\s+past\s+{_HOUR}\b", "clock half"),
    (("past",), rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?past\s+{_HOUR}\b", "clock"),
    (("to",), rf"(?P<m>\d{{1,2}})\s+(?:minutes\s+)?to\s+{_HOUR}\b", "clock to"),
    (("halb",), rf"halb\s+{_HOUR}\b", "clock before"),
    (("viertel",), rf"viertel\s+nach\s+{_HOUR}\b", "clock quarter"),
    (("viertel",), rf"viertel\s+vor\s+{_HOUR}\b", "clock less"),
    (("heure",), rf"{_HOUR}\s+heures?\s+et\s+quart\b", "clock quarter"),
    (("heure",), rf"{_HOUR}\s+heures?\s+et\s+demie?\b", "clock half"),
    (("heure",), rf"{_HOUR}\s+heures?\s+moins\s+le\s+quart\b", "clock less"),
    (
        ("media", "meia", "mezz", "trenta"),
        rf"(?:l[ae]s?\s+)?{_HOUR}\s+(?:y\s+media|e\s+meia|e\s+mezz[ao]|e\s+trenta)\b",
        "clock half",
    ),
    (("cuarto", "quarto"), rf"(?:l[ae]s?\s+)?{_HOUR}\s+(?:y\s+cuarto|e\s+un\s+quarto)\b", "clock quarter"),
    (
        ("menos", "meno"),
        rf"(?:l[ae]s?\s+)?{_HOUR}\s+(?:menos\s+cuarto|meno\s+un\s+quarto)\b",
        "clock less",
    ),
    (("点", "點", "時", "时", "시"), r"(?P<n>\d{1,2})\s?[点點時时시]\s?[半반]", "clock half"),
    (("一刻",), r"(?P<n>\d{1,2})[点點]一刻", "clock quarter"),
    (("点", "點", "時", "时", "시"), r"(?P<n>\d{1,2})\s?[点點時时시]\s?(?P<m>\d{1,2})\s?[分분]", "clock"),
    (
        ("点", "點", "時", "时", "시"),
        r"(?<!\d)(?P<n>\d{1,2})\s?[点點時时시](?![間间간])(?!\s?(?:\d|[半반一三差]|钟头))",
        "clock",
    ),
    (("heure",), rf"{_HOUR}\s+heures?\s+moins\s+(?P<m>\d{{1,2}})\b", "clock to"),
    ((), rf"{_N}{_END}", ""),
    (
        (" in ", "out of", " von ", " sur ", " cada ", " su "),
        r"(?<!\w)(?P<one>1|one|eine?[rs]?|une?|un[oa]|uma?)\s+(?:[^\W\d_]+\s+)?(?:in|out\s+of|von|sur|(?:de|em)\s+cada|su)"
        rf"\s+(?:every\s+|each\s+)?(?P<n>[2-9]|1\d|20|100|1000){_END}",
        "one in",
    ),
)

_SIGNS: tuple[Written, ...] = tuple(
    ((sign,), rf"\{sign}\s?{_AMOUNT}", kind)
    for sign, kind in (("$", "dollar"), ("€", "euro"), ("£", "gbp"), ("₹", "rupee"))
)
WRITTEN_VALUES: tuple[Written, ...] = _TOLD + _SIGNS
"""Values that stand for themselves, without a unit's word."""

LOWER_UNITS = {
    "hour": ("minute", 60),
    "minute": ("second", 60),
    "m": ("cm", 100),
    "foot": ("inch", 12),
    "dollar": ("", 100),
    "euro": ("", 100),
    "gbp": ("", 100),
    "year": ("month", 12),
}
"""The unit that may follow ("two hours five minutes"), "" for cents and pence, and how many make one."""
_CENTS = ("cents", "cent", "centimes", "pence", "p")


@lru_cache(maxsize=256)
def value_pattern(pattern: str) -> re.Pattern[str]:
    """One of ``WRITTEN_VALUES``, compiled."""
    return re.compile(pattern)


@lru_cache(maxsize=256)
def unit_patterns(unit: str) -> tuple[re.Pattern[str], ...]:
    """How measures in a unit are written: "3.5 km", "two hours and a half", "5 ft 4 in"."""
    if unit == "percent":  # which stands for itself
        return ()
    of_it = rf"(?:{_either(unit_words()[unit], gaps=True)})(?![a-z\u00df-\u024f\u0400-\u04ff])\.?"
    behind = rf"(?:\s+{_LINK}\s+(?:(?:a|one|ein|une?|una)\s+)?(?P<half>{_HALF})\b|(?P<east>半|반))?"
    patterns = [
        rf"{_N}\s?(?:of\s+|d[ei]\s+|d')?(?:an?\s+)?{of_it}{behind}",
        rf"(?<!\w)(?:an?|one|une?|una|eine?)\s+{of_it}\s+{_LINK}\s+(?:a\s+)?(?P<half>{_HALF})\b(?P<n>)",
    ]
    if unit in LOWER_UNITS:
        smaller = LOWER_UNITS[unit][0]
        lower = _either(unit_words().get(smaller, _CENTS), gaps=False)
        patterns.append(rf"{_N}\s?{of_it}\s*,?\s*(?:{_LINK}\s+)?(?P<m>\d{{1,4}})\s*(?:{lower})\b")
        if not smaller:  # "eight dollars seventy-five"
            patterns.append(rf"{_N}\s?{of_it}\s+(?P<m>\d\d)(?=\s*(?:\Z|[,.;:!?)\n](?!\d)|(?:for|a|per)\b))")
    return tuple(map(re.compile, patterns))


def _either(words: Iterable[str], *, gaps: bool) -> str:
    """One of the words, the longest first; ``gaps``: however wide the space between two is."""
    escaped = map(re.escape, sorted(words, key=len, reverse=True))
    return "|".join(word.replace(r"\ ", r"\s+") if gaps else word for word in escaped)
