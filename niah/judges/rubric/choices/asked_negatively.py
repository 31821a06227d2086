"""Denials that say what a question with a "not" asks: "Norway did not sign", asked who did not sign."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.spans import sentence_around
from niah.judges.rubric.reading.statements import tidied_question

_NOT = r"(?:\bnot|n't|\bnever|\bno\s+longer)"
_DENIED_VERB = lazy_pattern(
    rf"{_NOT}\s+(?:(?:yet|ever|even|be|been|get|have|\w+ly)\s+){{0,2}}([^\W\d_]{{3,}})"
)
_ASKS_FOR_NAMES = lazy_pattern(r"\b(?:who|whom|what|which|name|list|where|when)\b")
_EXCEPT = lazy_pattern(
    r"\b(?:except(?:\s+for)?|but|apart\s+from|aside\s+from|other\s+than|save(?:\s+for)?)\b"
)
_WHOLE = lazy_pattern(r"\b(?:all|every\w*|each|any\w*)\b")
_WORD = re.compile(r"[^\W\d_]{3,}")


def denied_as_asked(text: str, denied: Collection[Mention], key: AnswerKey) -> set[Mention]:
    """The denied mentions of which a sentence denies just what the question does, or excepts them from it.

    Args:
        text: masked.
        denied: mentions that a denial stands with.
        key: what was asked.
    """
    verb = _denied_verb(key) if denied else ""
    return {mention for mention in denied if verb and _says_as_asked(text, mention, verb)}


def _says_as_asked(text: str, mention: Mention, verb: str) -> bool:
    start, end = sentence_around(text, mention)
    said = text[start:end]
    if any(_is_form(found[1], verb) for found in _DENIED_VERB.finditer(said)):
        return True
    excepted = _EXCEPT.search(said, 0, mention.start - start)
    if not excepted or not _WHOLE.search(said) or _DENIED_VERB.search(said):
        return False
    words = _WORD.findall(said[: excepted.start()]) + _WORD.findall(said[mention.end - start :])
    return any(_is_form(word, verb) for word in words) or len(words) <= 1


def _is_form(word: str, verb: str) -> bool:
    return word == verb or begin_alike(word, verb)


@lru_cache(maxsize=256)
def _denied_verb(key: AnswerKey) -> str:
    """What a question denies that asks for names: "sign" of "which country did not sign?"; else ""."""
    question = tidied_question(key)
    found = _DENIED_VERB.findall(question)
    return str(found[0]) if len(found) == 1 and _ASKS_FOR_NAMES.search(question) else ""
