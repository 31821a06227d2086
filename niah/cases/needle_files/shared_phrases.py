"""What needles answer, where nobody wrote it down: the phrase that each shares with the reference answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from niah.needles.kinds import content_words
from niah.text.mentions import mentions

_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def shared_phrases(needles: Sequence[str], question: str, answer: str) -> list[str | None]:
    """For each needle the longest run of words that the answer has too and the question has not.

    A run holds no content word of the question and stands in no other needle; the one with the most content
    words is taken. None where needle and answer share nothing of the kind.

    Args:
        needles: their texts.
        question: what is asked.
        answer: the reference answer.
    """
    asked = set(content_words(question))
    found = [_longest_first(needle, answer, asked) for needle in needles]
    return [
        next((phrase for phrase in phrases if _only_in(phrase, place, needles)), None)
        for place, phrases in enumerate(found)
    ]


def _longest_first(needle: str, answer: str, asked: set[str]) -> list[str]:
    """The maximal runs of words of a needle that stand in the answer, those with the most content first."""
    places = [match.span() for match in _WORD.finditer(needle)]
    runs = list[str]()
    start = 0
    while start < len(places):
        if not _carries(needle[slice(*places[start])], asked):
            start += 1  # a run begins with a word that says something
            continue
        end = start
        while end < len(places) and _in_answer(needle[places[start][0] : places[end][1]], answer, asked):
            end += 1
        last = end - 1
        while last >= start and not content_words(needle[slice(*places[last])]):
            last -= 1  # and ends with one
        if last >= start:
            runs.append(needle[places[start][0] : places[last][1]])
        start = max(end, start + 1)
    return sorted(runs, key=lambda run: (len(content_words(run)), len(run)), reverse=True)


def _carries(word: str, asked: set[str]) -> bool:
    said = content_words(word)
    return bool(said) and asked.isdisjoint(said)


def _in_answer(phrase: str, answer: str, asked: set[str]) -> bool:
    return asked.isdisjoint(content_words(phrase)) and mentions(answer, [phrase])


def _only_in(phrase: str, place: int, needles: Sequence[str]) -> bool:
    return not any(mentions(text, [phrase]) for other, text in enumerate(needles) if other != place)
