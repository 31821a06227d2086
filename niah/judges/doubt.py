"""Whether an answer doubts itself: hedges what it says, or takes it back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Literal

from niah.judges.elements import Mention, inflections
from niah.judges.negation import MASK
from niah.judges.normalise import tidy
from niah.needles.needle_set import NeedleSet

Doubt = Literal["none", "hedged", "withdrawn"]

_ADVERB = r"(?:\s+(?:\w+ly|even|actually|be|any))*"
_ABOUT_ELSE = (
    r"(?!\s+(?:(?:any|that|the|is|are|of)\s+)*"
    r"(?:other|others|further|additional|more|else|anything\s+else)\b)"
    rf"(?!\s+(?:the\s+|an?\s+)?{MASK})"
)
_NOT = r"(?:\s+not|n't)"
_STATED = (
    r"(?:mentioned|stated|specified|provided|given|listed|found|included|described|available|present|named"
    r"|identified|answered|known|supported|related|relevant|contained)"
)

# What is said of the answer as a whole. "X is not mentioned", said of one mention, is a denial of that one.
_WITHDRAWALS = re.compile(
    r"\b(?=[acdfinrtuw])(?:"
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
    rf"|\b(?:nobody|no\s+one|nothing|no\s+(?!other|further|additional|more)\w+)\s+(?:is|are|was|were)"
    rf"\s+(?:\w+ly\s+|ever\s+)?{_STATED}\b{_ABOUT_ELSE}"
    rf"|(?<!{MASK}\s)\b(?:is|are|was|were|remains?)\s+never\s+{_STATED}\b{_ABOUT_ELSE}"
    rf"|(?<!{MASK}\s)\b(?:is|are|was|were|remains?)\s+(?:unknown|unstated|unspecified|silent)\b"
    r"|\bnothing\s+(?:in\s+the\s+(?:\w+\s+)?\w+\s+)?(?:about|says|said|states|mentions|indicates|tells|answers)\b"
    rf"|\bnowhere\s+(?:\w+\s+)?{_STATED}\b|\bno\s+(?:idea|clue)\b"
    r"|\bno\s+(?:passages?|texts?|documents?|part|line|sentence)\s+(?:\w+\s+){0,4}?"
    r"(?:mentions?|states?|says?|contains?|answers?|provides?|tells?)\b"
    rf"|(?<!{MASK}\s)\b(?:is|are|was|were){_NOT}\s+(?:anywhere\s+)?in\s+the\s+(?:\w+\s+)?"
    r"(?:text|context|passages?|documents?|excerpts?)\b"
    rf"|\b(?:is|was){_NOT}\s+possible\s+to\s+(?:answer|tell|say|determine|know)\b"
    r"|\bfound\s+(?:nothing|no\s+(?:information|mention|answer|trace))\b"
    r"|\b(?:is|are)\s+missing\s+from\s+the\s+(?:\w+\s+)?(?:text|context|passages?|documents?|excerpts?)\b"
    r"|\bnone\s+of\s+the\s+(?:\w+\s+){1,3}(?:mentions?|states?|says?|contains?|answers?|provides?|tells?)\b"
    rf"|\bnone\s+of\s+(?:these|them|this|that|it|the\s+above)\s+(?:is|are|was|were)\s+(?:\w+ly\s+)?{_STATED}\b"
    rf")|\A[^\w{MASK}]*(?:answer\W+)?(?:not\s+{_STATED}|n/a|none|unknown|unanswerable)(?:\W*\Z|[.;:]|\s+(?:in|by|from)\b)"
)
# What else is not told takes nothing back: "it does not say why", "the quantities are not stated".
_MANNER = re.compile(r"\s+(?:(?:any|that|the|is|are|of|for|about)\s+)*(how|why|when|exact)(?:ly)?\b")
_OBJECT = re.compile(r"\s+(?:any|the|an?|their|its|his|her)\s+([\w']+)")
_SUBJECT = re.compile(r"\b(?:the|their|its|his|her)\s+(?:\w+\s+)?(\w+)\s+\Z")
_ANSWER = frozenset(
    (
        "answer",
        "answers",
        "information",
        "question",
        "items",
        "name",
        "names",
        "number",
        "numbers",
        "list",
        "text",
    )
)
_REACH = 64

# First-person doubt counts wherever it stands.
_UNSURE = re.compile(
    r"(?:\bnot|n't)\s+(?:(?:entirely|completely|absolutely|totally|quite|fully|very|100\s*%?)\s+)?"
    r"(?:sure|certain|confident)\b"
    r"|\b(?:unsure|uncertain)\b|\bi\s+(?:might|may|could)\s+be\s+(?:wrong|mistaken|missing)"
    r"|\bi(?:'m|\s+am)\s+(?:only\s+|just\s+)?guessing\b|\b(?:my|a|best|educated)\s+guess\b|\b(?:hard|difficult|impossible)\s+to\s+(?:say|tell"
    r"|determine|know|answer)\b"
    r"|\b(?:cannot|can't|could\s+not|unable\s+to)\s+(?:be\s+)?(?:confirm|verify|confirmed|verified|certain|sure)\b"
    r"|\bnot\s+swear\b|\bif\s+i\s+had\s+to\s+guess\b|\bhave\s+(?:my|some)\s+doubts\b"
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
    question, the reference answer or a needle uses too is quoted, not meant, and does not count, nor does a
    distractor's "they do not say"; neither does "no further details are given", which takes nothing back. Who
    names no element quotes nothing. Nor, beside a complete answer, does it count that something is not told
    which the question does not name. Where there are no elements, the reference answer is itself a refusal,
    and its cues are meant.

    Args:
        text: masked (see ``niah.judges.negation.masked``).
        mentions: every mention in the text.
        needle_set: what was asked.
    """
    quoted = _cues_in_needle_set(needle_set) if mentions else frozenset()
    takes_back = partial(_takes_back, _asked_words(needle_set), _is_complete(mentions, needle_set))
    if any(match[0] not in quoted and takes_back(match) for match in _WITHDRAWALS.finditer(text)):
        return "withdrawn"
    hedges = (*_UNSURE.finditer(text), *_hedged_claims(text, mentions))
    return "hedged" if any(match[0] not in quoted for match in hedges) else "none"


def _takes_back(asked: frozenset[str], complete: bool, match: re.Match[str]) -> bool:
    """Whether what is not told is what was asked for, by the words of the question."""
    text, start, end = match.string, match.start(), match.end()
    manner = _MANNER.match(text, end)
    if manner:
        return manner[1] in asked
    if not complete:
        return True
    matter = _OBJECT.match(text, end)
    if not matter and match[0].startswith(("is", "are", "was", "were")):
        matter = _SUBJECT.search(text[max(0, start - _REACH) : start])
    return not matter or matter[1] in asked | _ANSWER


def _is_complete(mentions: Sequence[Mention], needle_set: NeedleSet) -> bool:
    named = {mention.name for mention in mentions if mention.right}
    return bool(named) and len(named) == len({element.name for element in needle_set.elements})


@lru_cache(maxsize=256)
def _asked_words(needle_set: NeedleSet) -> frozenset[str]:
    words = re.findall(r"\w+", tidy(needle_set.question))
    return frozenset(form for word in words for form in inflections(word))


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
    told = [distractor.text for distractor in needle_set.distractors]
    cues = ((_WITHDRAWALS, said + told), (_UNSURE, said), (_MAYBE, said))
    return frozenset(
        match[0] for cue, texts in cues for text in map(tidy, texts) for match in cue.finditer(text)
    )
