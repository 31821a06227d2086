"""Sets of answers, for questions that ask for several things at once: F1, and the share that is found."""

from __future__ import annotations

import re

from niah.judges.metrics.word_overlap import f1
from niah.judges.metrics.words import squad_words

# A comma inside a number ("1,000") parts nothing; "and" and "or" do, with or without a comma before them.
_BETWEEN = re.compile(r"(?:\n|[;；、]|,(?=\s|\Z)|(?<!\d)，|，(?!\d)|\s&\s|\s(?:and|or)\s)", re.IGNORECASE)
_MARKER = re.compile(r"\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
_JOINING = re.compile(r"\s*(?:and|or)\s+", re.IGNORECASE)


def set_f1(answer: str, reference: str) -> float:
    """F1 over the sets of answers that both list; order and repeats do not count.

    An answer is one whose words are those of the reference's, as ``exact_match`` compares them. Empty texts
    as in ``f1``.
    """
    said, wanted = listed_answers(answer), listed_answers(reference)
    return f1(len(said & wanted), len(said), len(wanted))


def listed_answers(text: str) -> frozenset[str]:
    """What a text lists, each as its words: "Figs, the ham and 2. olives" has figs, ham and "2 olives".

    Listed with commas, semicolons, "and", "or" and "&", or line by line, with bullets or numbers before them.
    """
    parts = (_JOINING.sub("", part, count=1) if _JOINING.match(part) else part for part in _parts(text))
    found = frozenset(filter(None, (" ".join(squad_words(part)) for part in parts)))
    return found or frozenset(filter(None, [" ".join(squad_words(text))]))


def holds_reference(answer: str, reference: str) -> float:
    """1 if the reference stands in the answer, character by character but for case; otherwise 0.

    Only an empty answer holds an empty reference.
    """
    return float(reference.casefold() in answer.casefold() if reference else not answer)


def _parts(text: str) -> list[str]:
    lines = (_MARKER.sub("", line, count=1) if _MARKER.match(line) else line for line in text.split("\n"))
    return [part for line in lines for part in _BETWEEN.split(line)]
