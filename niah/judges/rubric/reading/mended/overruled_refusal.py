"""A refusal that the answer itself overrules: "It doesn't say. Oh, wait, here it is: 12 pounds."."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.judges.rubric.abstention import abstentions
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.lazy_pattern import lazy_pattern

_TURN = (
    r"(?:(?:oh|ah|aha|hm+|no|wait|hang\s+on|hold\s+on|hold\s+it|sorry|actually|correction|well|but|yet|yes|however"
    r"|in\s+fact|on\s+second\s+thoughts?|moment|halt|doch|ach|ah|attendez|pardon|non|mais|espera|perdón|no|pero"
    r"|aspetta|anzi|ma)\b[\s,.!:;\u2026-]*)"
)
_TOLD = r"(?:stated|given|mentioned|specified|recorded|listed|named|there|in\s+(?:there|the\s+text))"
_IT_IS_THERE = (
    r"(?:here\s+(?:it|this|that)\s+is|there\s+it\s+is|(?:i(?:'ve|\s+have)?\s+)?(?:just\s+)?found\s+it"
    r"|i\s+(?:do\s+)?see\s+it(?:\s+now)?|it\s+(?:does|did|is|was)(?=\s*(?:[:.,;!-]|after\s+all|say\s+so))"
    rf"|it\s+(?:does|did)\s+(?:say|state|give|mention)\s+(?:it|so|that)\b|it\s+(?:is|was)\s+{_TOLD}"
    rf"|it\s+says(?=\s*[:,]?\s*(?:it\s+(?:was|is)\s+|that\s+it\s+(?:was|is)\s+)?\u2588)"
    r"|(?:hier|da)\s+(?:steht|ist)\s+(?:es|er|sie)(?!\s+(?:nicht|nirgends))|ich\s+habe?\s+(?:es|sie|ihn)\s+gefunden"
    r"|(?:le|la|les)\s+voi(?:ci|là)|j(?:e\s+l)?'ai\s+trouvée?|aquí\s+está|lo\s+encontré|eccol[oa])"
)
_OVERRULES = lazy_pattern(rf"(?:\A|[\s.!?;:,\u2026-]){_TURN}+{_IT_IS_THERE}(?!\s+(?:not|nowhere|never)\b)")
_SIGNS = ("here", "there", "found", "see", "does", "did", "it is", "it was", "it says")
_FOREIGN_SIGNS = ("hier", "da ", "gefunden", "voi", "trouv", "está", "encontré", "eccol")
_DIGIT = re.compile(r"\d")


def overrules_its_refusal(text: str, claiming: Sequence[Mention]) -> bool:
    """Whether an answer that refuses says behind that it has found the answer, gives one, and stays with it.

    Args:
        text: masked.
        claiming: the mentions that the answer claims.
    """
    if not any(map(text.__contains__, (*_SIGNS, *_FOREIGN_SIGNS))):
        return False
    turns = [turn.end() for turn in _OVERRULES.finditer(text)]
    if not turns:
        return False
    gives = any(mention.start >= turns[-1] for mention in claiming) or _DIGIT.search(text, turns[-1])
    return bool(gives) and not any(True for _ in abstentions(text[turns[-1] :]))
