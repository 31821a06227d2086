"""Whether a question's own texts are judged as they should be: the reference answer, each needle, a refusal.

A needle set whose reference answer the rubric does not take for right measures its wording, and no reader.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from niah.cases.sample import AnswerKey
from niah.judges.audit.texts import sayings
from niah.judges.references import is_unanswerable
from niah.judges.registry import rules_for
from niah.judges.rubric.choices.option_letters import lettered_options
from niah.judges.rubric.languages.detect import languages_of
from niah.judges.rubric.normalise import tidy
from niah.judges.verdict import HIGHEST, LOWEST, Verdict
from niah.needles.needle_set import Element

_UNMISTAKABLE = 5
"""So many refusals, the first, refuse whatever else is said."""

_FIRST = 60
"""So many needles are judged one by one."""

_ALL_NEEDED = ("multi-hop", "aggregation", "story")
"""Kinds in which a needle may name all that is asked for, and only the others tell that it is asked for."""

_ALIKE = 0.6
_WORD = re.compile(r"[^\W_]+(?:['’.,:/-][^\W_]+)*")


@dataclass(frozen=True)
class MisjudgedText:
    """A text of the question's own that the judge does not take for what it is.

    Attributes:
        key: of the needle set's file ("answer", "needles.2.text", "elements").
        problem: what the judge makes of it, as a sentence.
        remedy: what to do.
    """

    key: str
    problem: str
    remedy: str


def misjudged_texts(key: AnswerKey) -> Iterator[MisjudgedText]:
    """What the judge without a model gets wrong of the question's own texts.

    The reference answer must score 10, no single needle 10 where several have to be found, and a refusal 1
    (10 where the text does not answer).
    """
    yield from _reference(key)
    yield from _needles(key)
    yield from _refusals(key)


def unread_languages(key: AnswerKey) -> tuple[str, ...]:
    """The languages of a question and its needles in which the rubric reads no refusals or denials."""
    return languages_of(tidy("\n".join((key.question, *(needle.text for needle in key.needles))))).unknown


def _judged(text: str, key: AnswerKey) -> Verdict:
    return rules_for(key).verdict(text, key)


def _reference(key: AnswerKey) -> Iterator[MisjudgedText]:
    verdict = _judged(key.answer, key)
    if verdict.score == HIGHEST:
        return
    problem = f"the {verdict.judge} scores the reference answer {verdict.score:g}: {verdict.reason}."
    yield MisjudgedText("answer", problem, " ".join(_remedies(verdict, key)))


def _remedies(verdict: Verdict, key: AnswerKey) -> Iterator[str]:
    for element in key.elements:
        if element.name in verdict.missing:
            alias = likely_alias(element, key)
            if alias:
                yield f"Give {element.name!r} the alias {alias!r}."
            else:
                yield f"Name {element.name!r} in it, or give it an alias that the answer uses."
    if verdict.wrong:
        yield f"Take {verdict.wrong[0]!r} out of it, or out of the wrong elements."
    if is_unanswerable(key) and not verdict.wrong:
        yield "Write for instance: The text does not say who it was."
    if lettered_options(key):
        yield "Or answer with the option's letter."


def likely_alias(element: Element, key: AnswerKey) -> str:
    """The words of the reference answer that most likely name ``element``; "" where none do.

    With these words as an alias the reference answer names the element; they are like one of its names, or
    share a word of it.
    """
    words = list(_WORD.finditer(key.answer))
    longest = max(len(name.split()) for name in element.names) + 2
    spans = (
        key.answer[words[first].start() : words[last].end()]
        for first in range(len(words))
        for last in range(first, min(first + longest, len(words)))
    )
    ranked = sorted(((_likeness(span, element), span) for span in spans), key=lambda each: -each[0])
    for likeness, span in ranked[:3]:
        mended = replace(element, aliases=(*element.aliases, span))
        others = tuple(mended if each == element else each for each in key.elements)
        if likeness >= _ALIKE and element.name in _judged(key.answer, replace(key, elements=others)).found:
            return span
    return ""


def _likeness(span: str, element: Element) -> float:
    """How like a run of words is to a name, from 0 to 1: by its letters, or by its words in any order."""
    said = sorted(_WORD.findall(span.casefold()))
    return max(
        max(
            SequenceMatcher(None, span.casefold(), name.casefold()).ratio(),
            SequenceMatcher(None, " ".join(said), " ".join(sorted(_WORD.findall(name.casefold())))).ratio(),
        )
        for name in element.names
    )


def _needles(key: AnswerKey) -> Iterator[MisjudgedText]:
    """Needles of which each is all that the question asks for: then only one has to be found."""
    carriers = [place for place, needle in enumerate(key.needles) if needle.elements]
    if len(key.elements) < 2 or len(carriers) < 2 or key.kind in _ALL_NEEDED:
        return
    for place in carriers[:_FIRST]:
        if _judged(key.needles[place].text, key).score == HIGHEST:
            problem = f"alone it answers the whole question, and {len(carriers)} needles carry the answer."
            remedy = "Leave a part of the answer to the others, or keep this one alone."
            yield MisjudgedText(f"needles.{place}.text", problem, remedy)


def _refusals(key: AnswerKey) -> Iterator[MisjudgedText]:
    wanted = HIGHEST if is_unanswerable(key) else LOWEST
    for saying in sayings().refusals[:_UNMISTAKABLE]:
        score = _judged(saying, key).score
        if score != wanted:
            problem = f"the refusal {saying!r} scores {score:g}, not {wanted}."
            yield MisjudgedText("elements", problem, "Name elements by words that are not part of it.")
            return
