"""Sums that an answer shows: what is added up is no answer, what comes out is one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.elements import Mention

_NUMBER = r"\d[\d.,']*"
_OPERATOR = (
    r"(?:[+\u00d7\u00f7*\u2212]|(?<=\s)[/x-](?=\s)"
    r"|plus|minus|times|less|added\s+to|divided\s+by|multiplied\s+by)"
)
_UNIT = (
    r"(?:[ \t]*\([^()\n]{0,40}\)"
    r"|[ \t]+(?!(?:plus|minus|times|less|added|divided|multiplied|x)\b)[^\W\d]\w*){0,3}"
)
_TERM = rf"[(\[]?[ \t]*[$\u20ac\u00a3#]?{_NUMBER}{_UNIT}[ \t]*[)\]]?"
# "1456 + 542", "the 1456 crates plus 542 barrels"; what stands behind an equals sign is left out.
_SUM = re.compile(rf"(?<![\w.]){_TERM}(?:[ \t]*{_OPERATOR}[ \t]*(?:the[ \t]+)?{_TERM})+")
_DIFFERENCE = re.compile(
    rf"\b(?:subtract(?:ing|ed|s)?|deduct(?:ing|ed|s)?|tak(?:e|ing)|add(?:ing|ed|s)?)\s+(?:\w+\s+){{0,2}}?{_NUMBER}{_UNIT}"
    rf"\s+(?:from|to|and|away\s+from)\s+(?:\w+\s+){{0,2}}?{_NUMBER}"
    rf"|\b(?:sum|total|difference)\s+(?:of|between)\s+(?:\w+\s+){{0,2}}?{_NUMBER}{_UNIT}"
    rf"(?:\s*,\s*(?:\w+\s+){{0,2}}?{_NUMBER}{_UNIT})*,?\s+and\s+(?:\w+\s+){{0,2}}?{_NUMBER}"
)


def terms_of_sums(tidied: str, mentions: Sequence[Mention]) -> frozenset[Mention]:
    """The mentions that are terms of a sum, not what comes out of it.

    Args:
        tidied: the answer.
        mentions: every mention in it.
    """
    if (
        not any(sign in tidied for sign in "+-*/x\u00d7\u2212\u00f7")
        and "add" not in tidied
        and "su" not in tidied
    ):
        return frozenset()
    spans = [match.span() for pattern in (_SUM, _DIFFERENCE) for match in pattern.finditer(tidied)]
    return frozenset(
        mention for mention in mentions if any(start <= mention.start < end for start, end in spans)
    )
