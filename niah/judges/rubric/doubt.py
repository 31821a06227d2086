"""Whether an answer doubts itself: hedges what it says, or takes it back."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

from niah.cases.sample import AnswerKey
from niah.judges.rubric.abstention import abstentions, refuses_somewhere, takes_back
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import Cues, cues_beside, foreign_cues
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK, without_mentions
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.owners.only_else_told import tells_only_something_else

Doubt = Literal["none", "hedged", "withdrawn"]

_SURE = r"(?:sure|certain|confident|positive)"
_WHOLLY = (
    r"(?:entirely|completely|absolutely|totally|quite|fully|very|really|too|so|(?:a\s+)?hundred\s+percent"
    r"|100\s*(?:%|percent)?)"
)
_TELL = r"(?:say|tell|determine|know|answer|establish|identify|find\s+out|be\s+sure)"
# First-person doubt counts wherever it stands.
_UNSURE = re.compile(
    # Each begins at a word's border, at a stop, or with an "n't": nowhere else need anything be tried.
    r"(?>\b|(?=n't|[.!?;:,(\n-])|\A)(?:"
    rf"(?:\bnot|n't|\bnever|\bwithout\s+being|\bfar\s+from(?:\s+being)?|\bless\s+than)\s+(?:{_WHOLLY}\s*)?{_SURE}\b"
    r"|\b(?:unsure|uncertain|without\s+(?:any\s+|much\s+)?(?:certainty|confidence))\b"
    r"|\b(?:low|little|limited|no\s+great)\s+(?:confidence|certainty)\b|\b(?:confidence|certainty)(?:\s+level)?"
    r"(?:\s+is|\s*[:=])\s*(?:very\s+|rather\s+|quite\s+)?(?:low\b|0?\.[0-4]|[1-4]?\d\s*%)"
    r"|\b(?:i|we)\s+(?:might|may|could)\s+(?:well\s+)?(?:be\s+(?:wrong|mistaken|missing|misremembering|off)\b"
    r"|have\s+(?:missed|overlooked|misread|misunderstood|mixed|confused|forgotten|made)\b)"
    r"|(?:\A|[.!?;:,(\n-])[ \t]*(?:might|may|could)\s+(?:well\s+)?"
    r"(?:be\s+(?:wrong|mistaken|missing)|have\s+(?:missed|overlooked|misread))\b"
    r"|\b(?:this|that|it|these|they|answer|list)\s+(?:might|may|could)\s+(?:well\s+)?"
    r"(?:be\s+(?:wrong|mistaken|incorrect|incomplete|inaccurate)|not\s+be\s+(?:right|correct|complete|accurate|exhaustive|all))\b"
    r"|\bi(?:'m|\s+am)\s+(?:only\s+|just\s+|merely\s+)?guessing\b|\b(?:my|a|best|educated|wild)\s+guess\b"
    rf"|\b(?<!not\s)(?:hard|difficult|impossible)\s+(?:for\s+me\s+)?to\s+{_TELL}\b"
    r"|\b(?:cannot|can't|could\s+not|couldn't|unable\s+to)\s+(?:be\s+)?(?:entirely\s+|fully\s+|completely\s+)?"
    r"(?:confirm|verify|confirmed|verified|certain|sure|guarantee|vouch|swear)\b"
    r"|(?:\bnot|n't)\s+(?:swear|bet|vouch|quote\s+me|hold\s+me)\b|\bif\s+i\s+had\s+to\s+guess\b"
    r"|\bhave\s+(?:my|some)\s+doubts\b|\bgrain\s+of\s+salt\b"
    r"|\bunclear\b|\bnot\s+(?:entirely\s+|completely\s+|quite\s+)?clear\b"
    r")"
)
_SIGNS_OF_DOUBT = (
    *(
        "sure",
        "certain",
        "confiden",
        "positive",
        "clear",
        "might",
        "may",
        "could",
        "guess",
        "hard",
        "difficult",
    ),
    *("impossible", "confirm", "verif", "guarantee", "swear", "bet", "vouch", "quote", "doubts", "grain"),
)
_HOLD_ME = re.compile(r"hold\s+me")
# That the question stays open; and what tells that an answer is tried all the same.
_OPEN = lazy_pattern(
    rf"\b(?<!not\s)(?:hard|difficult|impossible)\s+to\s+{_TELL}\b"
    r"|(?:\A\W*|(?:\b(?:is|was|remains?|stays?)|'s)\s+(?:\w+ly\s+|still\s+|quite\s+)?)unclear\b"
    r"|(?:\bnot|n't)\s+(?:entirely\s+|quite\s+)?clear\b"
    r"|(?:\bnot|n't)\s+(?:sure|certain)\s+(?:who|whose|what|which|how|when|where)\b"
)
_GUESS = lazy_pattern(
    r"\b(?:guess|guessing|i\s+(?:think|believe|suppose)|i(?:'d|\s+would)\s+(?:say|go)|sounds?|might|may|could|must)\b"
)
# Weaker words hedge only the claim they stand with: they count in a sentence that names an element.
_MAYBE = re.compile(
    r"\b(?<!you\s)(?:might|may|could)\s+(?:also\s+|well\s+|possibly\s+)?(?:be(?!\s+(?:clearer|plainer|simpler|easier)\b)"
    r"|include|have)\b|\b(?:possibly|perhaps|maybe|probably"
    r"|presumably|supposedly|apparently|seemingly)\b|\b(?:seems?|appears?)\s+(?:to\b|that\b|like\b|as\s+if\b)"
    r"|\b(?:most\s+|very\s+)?likely\b"
)
_MAYBE_WORD = re.compile(
    "might|may|could|possibly|perhaps|probably|presumably|supposedly|apparently|seem|appear|likely"
)
"""One of these stands in every match of ``_MAYBE``, and is found much sooner."""
_REPEATED = 4
"""Words of a sentence that nobody writes by chance as the question has it."""
_ANY_SENTENCE_END = lazy_pattern(r"[.!?;]+(?=\s|$)|[。!?]|\n+")
_SENTENCE_END = re.compile(r"[.!?;]+(?=\s|$)|\n+")


def detect_doubt(text: str, mentions: Sequence[Mention], key: AnswerKey) -> Doubt:
    """How an answer stands by itself.

    "withdrawn" (a refusal, or the paper's "negative answer": *the colours are not explicitly mentioned*)
    outweighs "hedged" (*I am not sure*, or *possibly* in a sentence that names an element). A cue that the
    question, the reference answer or a needle uses too is quoted, not meant, and does not count, nor does a
    distractor's "they do not say"; neither does "no further details are given", which takes nothing back. Who
    names no element quotes nothing. Nor, beside a complete answer, does it count that something is not told
    which the question does not name. "It is impossible to say" refuses in an answer that names nothing right
    and does not guess; elsewhere it hedges. Where there are no elements, the reference answer is itself
    a refusal, and its cues are meant.

    Args:
        text: masked (see ``niah.judges.rubric.negation.mask_mentions``).
        mentions: every mention in the text.
        key: what was asked.
    """
    quoted = _cues_in_texts(key) if mentions else frozenset()
    complete = _is_complete(mentions, key)
    cues = (match for match in abstentions(text) if match[0] not in quoted)
    may_be_unsure = _may_be_unsure(text)
    if any(takes_back(cue, key, complete=complete) for cue in cues):
        return "withdrawn"
    if may_be_unsure and _stays_open(text, mentions):
        return "withdrawn"
    foreign = foreign_cues(without_mentions(text), languages_of_key(key))
    if foreign and _withdraws(text, foreign, complete=complete):
        return "withdrawn"
    if not (mentions and key.elements):
        said = _without_the_question(text, key)
        if refuses_somewhere(said, quoted=_texts_of_distractors(key)):
            return "withdrawn"
        if not key.elements and tells_only_something_else(text, key):
            return "withdrawn"
    unsure = _UNSURE.finditer(text) if may_be_unsure else ()
    hedges = (*unsure, *_hedged_claims(text, mentions))
    if any(match[0] not in quoted for match in hedges):
        return "hedged"
    return "hedged" if foreign and _hedges(text, foreign, named=bool(mentions)) else "none"


def is_retracted(text: str, start: int, key: AnswerKey) -> bool:
    """Whether a masked text withdraws in so many words, from ``start`` on, what was answered before."""
    cues = cues_beside(without_mentions(text), languages_of_key(key)[-1])
    return cues.retraction.search(text, start) is not None


def withdraws_in_its_language(after: str, text: str, key: AnswerKey) -> bool:
    """Whether the end of a masked text in another language than English says that nothing of it is told."""
    foreign = foreign_cues(without_mentions(text), languages_of_key(key))
    return foreign is not None and _withdraws(after, foreign, complete=True)


def is_not_explicit(after: str, text: str, key: AnswerKey) -> bool:
    """Whether the end of a masked text in another language says that it is not told in so many words.

    And no other sentence of it withdraws.
    """
    foreign = foreign_cues(without_mentions(text), languages_of_key(key))
    if foreign is None or not foreign.explicit.search(after):
        return False
    others = [one for one in _sentences(after) if not foreign.explicit.search(one)]
    return not _withdraws("".join(others), foreign, complete=True)


def _withdraws(text: str, cues: Cues, *, complete: bool) -> bool:
    """Whether a sentence says that the text does not tell, and not of something else.

    Beside a complete answer that is no more than a remark, unless it is taken back in so many words.
    """
    cue = cues.withdrawal if complete else cues.refusal
    return any(cue.search(sentence) and not cues.other.search(sentence) for sentence in _sentences(text))


def _hedges(text: str, cues: Cues, *, named: bool) -> bool:
    """Whether a sentence that names an element hedges; where none is named, any sentence."""
    return any(
        (MASK in sentence or not named) and cues.hedge.search(sentence) for sentence in _sentences(text)
    )


def _sentences(text: str) -> Iterator[str]:
    start = 0
    for end in (*(match.end() for match in _ANY_SENTENCE_END.finditer(text)), len(text)):
        yield text[start:end]
        start = end


def _stays_open(text: str, mentions: Sequence[Mention]) -> bool:
    """Whether an answer that names nothing right says, without a guess, that nobody can tell."""
    if any(mention.right for mention in mentions) or not _OPEN.search(text):
        return False
    return not (_GUESS.search(text) or _MAYBE.search(text))


def _may_be_unsure(text: str) -> bool:
    """Whether a text has any of the words without which nothing matches ``_UNSURE`` and ``_OPEN``."""
    return any(map(text.__contains__, _SIGNS_OF_DOUBT)) or _HOLD_ME.search(text) is not None


def _is_complete(mentions: Sequence[Mention], key: AnswerKey) -> bool:
    named = {mention.name for mention in mentions if mention.right}
    return bool(named) and len(named) == _asked(key)


@lru_cache(maxsize=256)
def _asked(key: AnswerKey) -> int:
    """How many things an answer has to name."""
    return len({element.name for element in key.elements})


def _hedged_claims(text: str, mentions: Sequence[Mention]) -> Iterator[re.Match[str]]:
    if not _MAYBE_WORD.search(text):
        return
    starts = sorted(mention.start for mention in mentions)
    start = 0
    for end in (*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)):
        if bisect_left(starts, start) < bisect_left(starts, end):
            yield from _MAYBE.finditer(text, start, end)
        start = end


def _without_the_question(text: str, key: AnswerKey) -> str:
    """A text without the sentences of the question that it repeats: "in no order" is no answer's denial."""
    for sentence in _sentences_of_the_question(key):
        text = text.replace(sentence, " ")
    return text


@lru_cache(maxsize=256)
def _sentences_of_the_question(key: AnswerKey) -> tuple[str, ...]:
    """Those of some length, tidied: a short one may be the answer's own."""
    every = (sentence.strip() for sentence in _sentences(tidy(key.question)))
    return tuple(sentence for sentence in every if len(sentence.split()) >= _REPEATED)


@lru_cache(maxsize=256)
def _texts_of_distractors(key: AnswerKey) -> str:
    return "\n".join(tidy(distractor.text) for distractor in key.distractors)


@lru_cache(maxsize=256)
def _cues_in_texts(key: AnswerKey) -> frozenset[str]:
    said = [key.question, *(needle.text for needle in key.needles)]
    if key.elements:
        said.extend(key.references)
    told = [distractor.text for distractor in key.distractors]
    cues = ((abstentions, said + told), (_UNSURE.finditer, said), (_MAYBE.finditer, said))
    return frozenset(match[0] for find, texts in cues for text in map(tidy, texts) for match in find(text))
