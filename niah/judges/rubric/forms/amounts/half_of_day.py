"""Whether a time of day is said to be before noon or after it: "7:15 p.m.", "下午四点"."""

from __future__ import annotations

import re

from niah.judges.rubric.lazy_pattern import lazy_pattern

_LATE = lazy_pattern(
    r"\s*(?:p\.?\s?m\b|in\s+the\s+(?:afternoon|evening)|at\s+night|(?:am\s+)?(?:nachmittags?|abends?)|(?:du|de\s+l')\s*(?:soir|après)"
    r"|de\s+la\s+(?:tarde|noche)|da\s+(?:tarde|noite)|d(?:i|ella)\s+sera|del\s+pomeriggio|вечера|дня)"
)
_EARLY = lazy_pattern(
    r"\s*(?:a\.?\s?m\b(?!\s+(?:nachmittag|abend|mittag))|in\s+the\s+morning|am\s+(?:morgen|vormittag)|in\s+der\s+früh|morgens|vormittags|früh|du\s+matin|de\s+la\s+mañana|da\s+manhã|d(?:i|el)\s+mattin|утра)"
)
_EAST_LATE, _EAST_EARLY = (
    re.compile("(?:下午|午後|午后|오후|晚上|傍晚|夜|저녁|밤|夕方)の?\\s*\\Z"),
    re.compile("(?:上午|午前|오전|早上|凌晨|清晨|朝|早晨|새벽|아침|未明|早朝)の?\\s*\\Z"),
)


def half_of_day(text: str, start: int, end: int) -> bool | None:
    """Whether a time of day, ``text[start:end]``, is said to be after noon; None where nothing is said."""
    before, said = text[max(0, start - 6) : start], text[start:end]
    if _LATE.match(text, end) or _EAST_LATE.search(before) or _PM.search(said):
        return True
    early = _EARLY.match(text, end) or _EAST_EARLY.search(before) or _AM.search(said)
    return False if early else None


_PM = re.compile(r"\dp\.?\s?m\b|\bp\.?\s?m\b|\A(?:下午|午後|午后|오후|晚上|傍晚|夜|저녁|밤|夕方)")
_AM = re.compile(r"\da\.?\s?m\b|\ba\.?\s?m\b|\A(?:上午|午前|오전|早上|凌晨|清晨|朝|早晨|새벽|아침|未明|早朝)")
