"""What stands behind a correction that names nothing yet: "X. Edit: I mixed up the potteries. It was Y."."""

from __future__ import annotations

import re

from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK

_CONFESSES = lazy_pattern(
    r"\b(?:mix(?:ed|ing)?\b[^.;\n]{0,40}?\bup|mix-?up|confus(?:ed|ing)|mistook|mistaken?|mis(?:read|understood|remembered|placed)"
    r"|wrong|incorrect|swapped|error|slip(?:ped)?|looked\s+at\s+(?:the\s+other|another)|not\s+(?:right|correct|true))\b"
)
_DENIES_IT = re.compile(
    r"\b(?:not(?!\s+(?:right|correct|true)\b)|never|nothing|nowhere|nearly|almost|might|may|could|first)\b|n't\b"
)
_BY_ITSELF = lazy_pattern(
    r"\W*(?:(?:so|and|then|therefore|thus)\W+)?(?:(?:it|he|she|they|that|this|(?:the|my)(?:\s+\w+){1,2})"
    r"\s+(?:is|was|are|were|(?:should|must)\s+(?:be|have\s+been))\s+)?(?:(?:in\s+fact|really|actually)\s+)?"
    rf"(?:(?:the|an?|on|at|in|by)\s+)?{MASK}+\W*"
)
_IN_A_FEW_WORDS = lazy_pattern(
    rf"\W*(?:it|he|she|they|that|this)\s+(?:is|was|are|were)\s+(?:\w+\s+){{1,3}}{MASK}+\W*"
)
# "No, wait: 219, that is after midnight": of the languages that are read, English left out.
_WAS_ANOTHERS = lazy_pattern(
    r"[\s,:.!;-]*(?:(?:違い(?:ます|ました)|違う|ちがいます|不[对對]|[错錯]了"
    r"|아니에요|아닙니다|아니네요)[。.,、]?\s*)?"
    rf"(?:[\w ]{{0,12}}{MASK}+[^\W{MASK}]*,?\s*)?(?:das|dies|c'est|ce\s+sont|c'était|es[oae]s?|era"
    r"|quello|quella|questo|isso|ess[ea]|dat|die|det|den|to|tamto|ten|bu|o|это|тот|та|то"
    r"|那个?|[这這]个?|それ|これ|そちら|そっち|그건|그것은|그게|이건|هذا|هذه|ذلك|تلك|यह|वह|ये|वे)"
    rf"(?:(?<=[\u0590-\uffff])|\b)[^.;!?。\uff1b,、\n{MASK}]{{1,60}}[.;!?。\uff1b,、]"
)
# "No, wait, that is right" tells of no other.
_AFFIRMS = lazy_pattern(
    r"\b(?:stimmt|richtig|korrekt|bien\s+(?:cela|ça)|juste|exact\w*|correct\w*|corret\w*|giust\w*|certo|klopt|juist|rätt|zgadza"
    r"|doğru|правильн\w*|верно)\b|正しい|合って|没错|沒錯|是[对對]的|맞|صحيح|सही"
)
_AFFIRMS_NOT = re.compile(
    r"\b(?:nicht|pas|no|non|não|niet|inte|nie|değil|не)\b|ない|ません|不|아니|ليس|غير|नहीं"
)
_CORRECT = re.compile(r"\b(?:correct|right|actual|true)\b")
_TAKEN_BACK = lazy_pattern(
    rf"\b(?:at\s+first|first|initially|originally)\b|{_CONFESSES.pattern}|\bbut\s+(?:those|these|they|that)\b"
)


def only_confesses(text: str, start: int, end: int) -> bool:
    """Whether a span of a masked text says that something went wrong, and names nothing."""
    said = text[start:end]
    return MASK not in said and _CONFESSES.search(said) is not None and not _DENIES_IT.search(said)


def says_it_again(sentence: str, echo: float) -> bool:
    """Whether a masked sentence says no more than a name, or that "it was" so in words of the question.

    Args:
        sentence: that names something.
        echo: the share of the question's words that it has.
    """
    if _BY_ITSELF.fullmatch(sentence):
        return True
    return echo > 0 and _IN_A_FEW_WORDS.fullmatch(sentence) is not None


def end_of_whose_it_was(text: str, start: int) -> int:
    """Where what is said of a value behind a correction ends: "that is after midnight."; 0 if it is not said.

    Args:
        text: masked.
        start: where the word that corrects ends.
    """
    found = _WAS_ANOTHERS.match(text, start)
    if not found or (_AFFIRMS.search(found[0]) and not _AFFIRMS_NOT.search(found[0])):
        return 0
    return found.end()


def is_put_right(cue: str, before: str) -> bool:
    """Whether "the correct answer is" follows on something that was taken back."""
    return _CORRECT.search(cue) is not None and _TAKEN_BACK.search(before) is not None
