"""What a question asks for, by its question word."""

from __future__ import annotations

import re

QUESTION_TYPES = ("how", "why", "what", "when", "where", "which", "who", "other")
"""The types of questions, in the order in which their words are looked for."""

_FORMS = {"who": r"who(?:m|se|ever)?"}
_WORDS = {kind: re.compile(rf"\b{_FORMS.get(kind, kind)}\b", re.IGNORECASE) for kind in QUESTION_TYPES[:-1]}


def question_type(question: str) -> str:
    """The type of a question: the first of ``QUESTION_TYPES`` whose word stands anywhere in it, or "other".

    So long-context-vs-rag, section 5.3, sorts its questions: "In which town, and when?" is "when". Its
    authors' script looks for the letters; here it is whole words, so that "show" is no "how" and "whole" no
    "who". "Whom" and "whose" count as "who".

    >>> question_type("Who showed Anna what the seal was for?")
    'what'
    """
    return next((kind for kind, word in _WORDS.items() if word.search(question)), "other")
