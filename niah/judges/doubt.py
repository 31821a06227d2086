"""Whether an answer doubts itself: hedges what it says, or takes it back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from niah.judges.elements import Mention
from niah.judges.negation import MASK
from niah.judges.normalise import tidy
from niah.needles.needle_set import NeedleSet

Doubt = Literal["none", "hedged", "withdrawn"]

_ADVERB = r"(?:\s+(?:\w+ly|even|actually|be|any))*"
_ABOUT_ELSE = (
    r"(?!\s+(?:(?:any|that|the|is|are|of)\s+)*"
    r"(?:other|others|further|additional|more|else|anything\s+else|how|why|when|exact|exactly)\b)"
    rf"(?!\s+(?:the\s+|an?\s+)?{MASK})"
)
_NOT = r"(?:\s+not|n't)"
_STATED = (
    r"(?:mentioned|stated|specified|provided|given|listed|found|included|described|available|present|named"
    r"|identified|answered|known|supported|related|relevant|contained)"
)

# What is said of the answer as a whole. "X is not mentioned", said of one mention, is a denial of that one.
_WITHDRAWALS = re.compile(
    rf"\b(?:does|do|did){_NOT}{_ADVERB}\s+(?:say|mention|state|specify|provide|give|name|identify|indicate"
    rf"|reveal|answer|tell|discuss|define|describe|contain)\b{_ABOUT_ELSE}"
    rf"|\b(?:cannot|can\s+not|can't|could\s+not|couldn't|unable\s+to|not\s+able\s+to){_ADVERB}\s+(?:find|found"
    rf"|answer|answered|determine|determined|locate|located|identify|identified|provide|tell|say|help)\b{_ABOUT_ELSE}"
    rf"|(?<!{MASK}\s)\b(?:is|are|was|were){_NOT}{_ADVERB}\s+{_STATED}\b{_ABOUT_ELSE}"
    rf"|\b(?:is|are|was|were){_NOT}\s+(?:explicitly|directly|specifically|clearly)\s+{_STATED}\b{_ABOUT_ELSE}"
    rf"|\b(?:they|these|those)\s+(?:are|were){_NOT}{_ADVERB}\s+(?:correct|right|accurate|part|used|from|in)\b"
    r"|\b(?:it|this|that|they|these|which)\s+(?:is|are|was|were)\s+(?:actually\s+|probably\s+|likely\s+)?"
    r"(?:a\s+mistake|an\s+error|mistakes|incorrect|wrong|inaccurate)\b"
    rf"|\bi\s+(?:do\s+not|don't|did\s+not|didn't)\s+(?:know|have|see|find)\b{_ABOUT_ELSE}"
    rf"|\b(?:no|not\s+enough|insufficient)\s+(?:\w+\s+)?(?:information|mention|answer|details?|indication)\b{_ABOUT_ELSE}"
    rf"(?!\s+of\s+(?:the\s+|an?\s+)?{MASK})"
    rf"|\bnone\s+of\s+(?:these|them|the\s+above)\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?{_STATED}\b"
    rf"|\A\W*(?:answer\W+)?(?:not\s+{_STATED}|n/a|none|unknown|unanswerable)(?:\W*\Z|\s+(?:in|by|from)\b)"
)

# First-person doubt counts wherever it stands.
_UNSURE = re.compile(
    r"(?:\bnot|n't)\s+(?:(?:entirely|completely|absolutely|totally|quite|fully|very|100\s*%?)\s+)?"
    r"(?:sure|certain|confident)\b"
    r"|\b(?:unsure|uncertain)\b|\bi\s+(?:might|may|could)\s+be\s+(?:wrong|mistaken|missing)"
    r"|\bi(?:'m|\s+am)\s+(?:only\s+|just\s+)?guessing\b|\b(?:my|a|best|educated)\s+guess\b|\b(?:hard|difficult|impossible)\s+to\s+(?:say|tell"
    r"|determine|know|answer)\b"
    r"|\b(?:cannot|can't|could\s+not|unable\s+to)\s+(?:be\s+)?(?:confirm|verify|confirmed|verified|certain|sure)\b"
    r"|\bunclear\b|\bnot\s+(?:entirely\s+|completely\s+)?clear\b"
)
# Weaker words hedge only the claim they stand with: they count in a sentence that names an element.
_MAYBE = re.compile(
    r"\b(?:might|may|could)\s+(?:also\s+|well\s+|possibly\s+)?(?:be|include|have)\b|\b(?:possibly|perhaps|maybe|probably"
    r"|presumably|supposedly|apparently|seemingly)\b|\b(?:seems?|appears?)\s+(?:to\b|that\b|like\b|as\s+if\b)"
    r"|\b(?:most\s+|very\s+)?likely\b"
)
_SENTENCE_END = re.compile(r"[.!?;]+(?=\s|$)|\n+")


def doubt(text: str, mentions: Sequence[Mention], needle_set: NeedleSet) -> Doubt:
    """How an answer stands by itself.

    "withdrawn" (a refusal, or the paper's "negative answer": *the colours are not explicitly mentioned*)
    outweighs "hedged" (*I am not sure*, or *possibly* in a sentence that names an element). A cue that the
    question, the reference answer or a needle uses too is quoted, not meant, and does not count; neither
    does "no further details are given", which takes nothing back. Where there are no elements, the reference
    answer is itself a refusal, and its cues are meant.

    Args:
        text: masked (see ``niah.judges.negation.masked``).
        mentions: every mention in the text.
        needle_set: what was asked.
    """
    quoted = _cues_in_needle_set(needle_set)
    if any(match[0] not in quoted for match in _WITHDRAWALS.finditer(text)):
        return "withdrawn"
    hedges = (*_UNSURE.finditer(text), *_hedged_claims(text, mentions))
    return "hedged" if any(match[0] not in quoted for match in hedges) else "none"


def _hedged_claims(text: str, mentions: Sequence[Mention]) -> Iterator[re.Match[str]]:
    starts = sorted(mention.start for mention in mentions)
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        if bisect_left(starts, start) < bisect_left(starts, end):
            yield from _MAYBE.finditer(text, start, end)
        start = end


@lru_cache(maxsize=256)
def _cues_in_needle_set(needle_set: NeedleSet) -> frozenset[str]:
    said = [needle_set.question, *(needle.text for needle in needle_set.needles)]
    if needle_set.elements:
        said.append(needle_set.answer)
    cues = (_WITHDRAWALS, _UNSURE, _MAYBE)
    return frozenset(match[0] for text in map(tidy, said) for cue in cues for match in cue.finditer(text))
