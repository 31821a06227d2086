"""Which part of an answer states the answer: a box, what follows "answer:", bold text, the plainest words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import NamedTuple

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import Cues, corrections
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.reading.layout import Layout
from niah.judges.rubric.reading.mended.pointed import named_by_place
from niah.judges.rubric.reading.mended.restated import (
    end_of_whose_it_was,
    is_put_right,
    only_confesses,
    says_it_again,
)
from niah.judges.rubric.reading.spans import Spans, TextRange, mentions_in_any
from niah.judges.rubric.reading.statements import Statement

_OPENS_A_CLAUSE = re.compile(
    r"(?:\A|[^\w\s']|[ ]{3})\W*(?:(?:and|so|but|then|thus|hence|therefore|yes|no|ok|okay|well|my|the)\W+)*\Z"
)
_WORD = re.compile(r"\w")
_REACH = 24
_SEVERAL = 2
_FIELD = re.compile(r",\s*[\w -]{1,30}:")
LEAST_ECHO = 0.3
"""Share of the question's words from which on a statement answers in them."""
_AHEAD = 0.15


class FinalStatement(NamedTuple):
    """The part of an answer that is taken for what it says in the end.

    Attributes:
        start, end: offsets in the tidied text.
        names: what it names, right or wrong.
        label: which part it is, for people: "the boxed value".
        overrules: whether whatever stands before it was only on the way.
        echo: how much of the question's words it repeats.
        in_bold: whether it is what alone is in bold.
        by_default: whether nothing but the lack of others makes it the answer.
    """

    start: int
    end: int
    names: frozenset[str]
    label: str
    overrules: bool
    echo: float
    in_bold: bool = False
    by_default: bool = False


@dataclass(frozen=True)
class Stated:
    """What an answer says plainly.

    Attributes:
        text: masked.
        layout, statements: of the same text.
        plain: the mentions that are neither ruled out nor set aside, in reading order.
        asked: how many things an answer has to name.
    """

    text: str
    layout: Layout
    statements: tuple[Statement, ...]
    plain: tuple[Mention, ...]
    asked: int

    def names_in(self, start: int, end: int) -> frozenset[str]:
        """What is stated plainly in a span."""
        first, last = self._places(start, end)
        return frozenset(mention.name for mention in self.plain[first:last])

    def mentions_in(self, start: int, end: int) -> int:
        """How often anything is stated plainly in a span."""
        first, last = self._places(start, end)
        return last - first

    def answers(self, start: int, end: int) -> bool:
        """Whether a span names as many things as were asked for."""
        first, last = self._places(start, end)
        return first < last and self._enough_from[first] <= last

    @property
    def is_of_one_statement(self) -> bool:
        """Whether one statement says all that is stated plainly, and no list does."""
        first, last = self.plain[0].start, self.plain[-1].start
        return not self.layout.lists and any(s.start <= first and last < s.end for s in self.statements)

    @cached_property
    def finals(self) -> tuple[FinalStatement, ...]:
        """Each statement, and each list, that answers the question."""
        spans = (*((s.start, s.end) for s in self.statements), *self.layout.lists)
        return tuple(
            FinalStatement(*span, self.names_in(*span), self._label(*span), False, self.echo_at(*span))
            for span in spans
            if self.answers(*span)
        )

    def echo_at(self, start: int, end: int) -> float:
        """How much of the question's words the statements of a span repeat, at best."""
        place = bisect_right(self.statements, start, key=lambda statement: statement.end)
        inside = takewhile(lambda statement: statement.start < end, self.statements[place:])
        return max((statement.echo for statement in inside), default=0.0)

    def _label(self, start: int, end: int) -> str:
        return "the list" if "\n" in self.text[start:end].strip() else "the statement that stands by itself"

    def _places(self, start: int, end: int) -> tuple[int, int]:
        return bisect_left(self._starts, start), bisect_left(self._starts, end)

    @cached_property
    def _starts(self) -> list[int]:
        return [mention.start for mention in self.plain]

    @cached_property
    def _enough_from(self) -> list[int]:
        """Of each mention, how far the mentions go on until as many things are named as were asked for."""
        ends: list[int] = []
        counts: dict[str, int] = {}
        end = 0
        for mention in self.plain:
            while end < len(self.plain) and len(counts) < max(1, self.asked):
                name = self.plain[end].name
                counts[name] = counts.get(name, 0) + 1
                end += 1
            ends.append(end if len(counts) >= self.asked else len(self.plain) + 1)
            counts[mention.name] -= 1
            if not counts[mention.name]:
                del counts[mention.name]
        return ends


def last_conclusion(stated: Stated, cues: Cues) -> FinalStatement | None:
    """The last part that says of itself that it is the answer, and answers the question.

    A part answers the question if it names as many things as were asked for.
    """
    finals = filter(None, (_boxed(stated), _concluding(stated, cues)))
    return max(finals, key=lambda final: final.start, default=None)


def plainest_statement(stated: Stated) -> FinalStatement | None:
    """The part that answers the question more plainly than the others; None where several do.

    What is said to apply by its place ("the second row applies"); then what alone is in bold; then a choice
    of as many as were asked for, out of more; then what a sentence that weighs several names again in its
    end; then the one statement that has the question's words; then the only one there is.
    """
    return next((final for way in _ways(stated) if (final := way(stated))), None)


def _ways(stated: Stated) -> tuple[Callable[[Stated], FinalStatement | None], ...]:
    """The ways in which a part may answer more plainly than others, where there are others."""
    if not stated.plain:
        return ()
    if stated.layout.bold or stated.asked == 1 or not stated.is_of_one_statement:
        return (_chosen_by_place, _in_bold, _chosen, _named_again, _in_the_questions_words, _the_only_one)
    return (_the_only_one,)


def _final(stated: Stated, span: TextRange, label: str) -> FinalStatement:
    return FinalStatement(*span, stated.names_in(*span), label, True, stated.echo_at(*span))


def _boxed(stated: Stated) -> FinalStatement | None:
    boxes = stated.layout.boxed
    return _final(stated, boxes[-1], "the boxed value") if boxes and stated.answers(*boxes[-1]) else None


def _concluding(stated: Stated, cues: Cues) -> FinalStatement | None:
    """What follows the last "answer:", "therefore" or correction that an answer follows."""
    if not stated.plain:
        return None
    cued = [
        *((match, "the conclusion") for match in cues.conclusion.finditer(stated.text)),
        *((match, "the correction") for match in corrections(stated.text, cues)),
    ]
    for match, what in sorted(cued, key=lambda one: one[0].end(), reverse=True):
        widest = _widest_after(stated, match.end())
        restated = _restated_of_any(stated, match) if what == "the correction" else None
        least = (
            restated
            or stated.answers(*widest)
            or (cues.last_word.search(match[0]) and stated.mentions_in(*widest))
            or _puts_others_there(stated, match, widest)
        )
        if least and _opens(stated.text, match.start()) and not _is_in_records(stated.text, match):
            spans = iter([restated]) if restated else _spans_after(stated, match.end())
            span = next(filter(lambda span: stated.answers(*span), spans), widest)
            said = " ".join(match[0].split()).rstrip(" :")
            return _final(stated, span, f'{what} after "{said}"')
    return None


def _restated_of_any(stated: Stated, cue: re.Match[str]) -> TextRange | None:
    return _restated(stated, cue) or (_behind_whose_it_was(stated, cue.end()) if stated.asked == 1 else None)


def _behind_whose_it_was(stated: Stated, start: int) -> TextRange | None:
    """What is named behind a correction that first tells whose the value was: "219. No, that is X's. 347"."""
    end = end_of_whose_it_was(stated.text, start)
    if not end:
        return None
    before, again, span = stated.names_in(0, start), stated.names_in(start, end), (end, len(stated.text))
    names = stated.names_in(*span)
    return span if len(names) == 1 and before >= again and names.isdisjoint(before) else None


def _restated(stated: Stated, cue: re.Match[str]) -> TextRange | None:
    """The sentence behind the one that a correction begins, where that only says what went wrong.

    Of several things that were asked for, the first may put one of them right before all are named again.
    """
    place = bisect_right(stated.statements, cue.end(), key=lambda statement: statement.end)
    if place + 1 >= len(stated.statements):
        return None
    own, following = stated.statements[place : place + 2]
    span = (following.start, following.end)
    if len(stated.names_in(*span)) != stated.asked or not stated.answers(*span):
        return None
    if stated.asked > 1:
        named = stated.names_in(cue.end(), own.end)
        return span if named and len(named) < stated.asked else None
    said = stated.text[slice(*span)]
    if not only_confesses(stated.text, own.start, own.end):
        return None
    return span if following.echo >= LEAST_ECHO or says_it_again(said, following.echo) else None


def _puts_others_there(stated: Stated, cue: re.Match[str], span: TextRange) -> bool:
    """Whether "the correct answer is" names others than before it, where several were asked for."""
    names = stated.names_in(*span)
    if (
        stated.asked <= len(names)
        or len(names) < _SEVERAL
        or not names.isdisjoint(stated.names_in(0, cue.start()))
    ):
        return False
    return is_put_right(cue[0], stated.text[: cue.start()])


def _is_in_records(text: str, cue: re.Match[str]) -> bool:
    """Whether a cue is a field that several records have: {for: a, answer: x}, {for: b, answer: y}."""
    name = re.escape(cue[0].strip(" :"))
    fields = [field.start() for field in re.finditer(rf"[{{,]\s*{name}\s*:", text)]
    inside = any(start <= cue.start() <= start + _REACH for start in fields)
    return inside and len(fields) > 1 and "}" in text[fields[0] : fields[-1]]


def _opens(text: str, start: int) -> bool:
    return _OPENS_A_CLAUSE.search(text[max(0, start - _REACH) : start]) is not None


def _spans_after(stated: Stated, start: int) -> Iterator[TextRange]:
    """From narrow to wide: a field, the sentence, the lines up to a blank one, the list below."""
    layout, end = stated.layout, _sentence_end(stated, start)
    field = _FIELD.search(stated.text, start, end)
    if field:
        yield start, field.start()
    yield start, end
    number = layout.line_at(max(0, start - 1))
    widest = _widest_after(stated, start)
    for line in layout.lines[number : layout.paragraph_below(number) + 1]:
        if end < line.end < widest[1] and (line.kind == "text" or line.start <= start):
            yield start, line.end
    yield widest


def _widest_after(stated: Stated, start: int) -> TextRange:
    """The sentence, if it has words and names nothing; else all up to the end of the paragraph or list."""
    layout, end = stated.layout, _sentence_end(stated, start)
    if _WORD.search(stated.text, start, end) and not stated.mentions_in(start, end):
        return start, end
    return start, layout.lines[layout.paragraph_below(layout.line_at(max(0, start - 1)))].end


def _sentence_end(stated: Stated, start: int) -> int:
    place = bisect_right(stated.statements, start, key=lambda statement: statement.end)
    if place < len(stated.statements) and stated.statements[place].start <= start:
        return stated.statements[place].end
    return stated.layout.lines[stated.layout.line_at(max(0, start - 1))].end


# "The second row applies", "c'est la première qui vaut", "以第二行为准".
_APPLIES = lazy_pattern(
    r"\b(?:appl(?:y|ies)|counts?|holds|stands|is\s+(?:the\s+)?(?:right|correct|current|valid|relevant|one|answer|meant|what)"
    r"|gilt|zählt|trifft\s+zu|ist\s+(?:die\s+)?(?:richtig\w*|gültig\w*|massgeblich\w*|antwort)|vaut|compte|fait\s+foi"
    r"|est\s+(?:la\s+)?(?:bonne|valable|réponse)|vale|cuenta|es\s+(?:la\s+|el\s+)?(?:válid\w|correct\w|buen\w|respuesta)|conta"
    r"|é\s+(?:a\s+|o\s+)?(?:válid\w|corret\w|resposta)|è\s+(?:quell\w\s+)?(?:valid\w|corrett\w|giust\w|la\s+risposta)"
    r"|действу\w+|верн\w+|считается|правильн\w+|относится)\b|为准|適用|适用|有效|当てはま|正しい|正解|答えです|해당|맞습니다|유효|적용"
)
_DENIED = re.compile(r"\b(?:not|never|nicht|pas|no|non|não|не)\b|n't\b|不|ない|ません|않|아니")


def _chosen_by_place(stated: Stated) -> FinalStatement | None:
    """The one of several that a later sentence says applies, by its place and not by its name."""
    said = list(dict.fromkeys(mention.name for mention in stated.plain))
    if stated.asked != 1 or len(said) < 2:
        return None
    for statement in stated.statements:
        words = stated.text[statement.start : statement.end]
        if statement.mentions or statement.start < stated.plain[-1].end or not _APPLIES.search(words):
            continue
        names = frozenset() if _DENIED.search(words) else named_by_place(words, said)
        if len(names) == 1:
            meant = next(one for one in reversed(stated.plain) if one.name in names)
            echo = stated.echo_at(meant.start, meant.end)
            return FinalStatement(meant.start, meant.end, names, "the one said to apply", True, echo)
    return None


def _in_bold(stated: Stated) -> FinalStatement | None:
    bold = list(mentions_in_any(stated.plain, stated.layout.bold))
    names = frozenset(mention.name for mention in bold)
    if not bold or len(names) != stated.asked or len(names) == len({m.name for m in stated.plain}):
        return None
    start, end = bold[0].start, bold[-1].end
    return FinalStatement(start, end, names, "the bold text", False, stated.echo_at(start, end), in_bold=True)


def _chosen(stated: Stated) -> FinalStatement | None:
    """The last statement or list, if it names as many as were asked for and all before it name more.

    A choice names each thing once; a tally that names some again is no choice.
    """
    lists = [span for span in stated.layout.lists if stated.mentions_in(*span)]
    in_lists, whole = Spans(lists), set(lists)
    exact = [
        final
        for final in stated.finals
        if len(final.names) == stated.asked
        and (final.start not in in_lists or (final.start, final.end) in whole)
    ]
    if not exact:
        return None
    last = max(exact, key=lambda final: (final.end, -final.start))
    units = [(s.start, s.end) for s in stated.statements if s.mentions]
    units = [unit for unit in units if unit[0] not in in_lists] + lists
    others = [unit for unit in units if not (last.start <= unit[0] < last.end)]
    more = [unit for unit in others if len(stated.names_in(*unit)) > stated.asked]
    if not more or any(unit[0] > last.start and stated.names_in(*unit) - last.names for unit in others):
        return None
    if any(unit not in more and stated.names_in(*unit) - last.names for unit in others):
        return None
    if stated.mentions_in(last.start, last.end) > len(last.names):
        return None
    return last._replace(label="the choice out of those named", overrules=True)


def _named_again(stated: Stated) -> FinalStatement | None:
    """The one that a sentence names again in its end: "it was X against Y, and Y got it"."""
    counts = Counter(mention.name for mention in stated.plain)
    last = stated.plain[-1] if stated.plain else None
    if stated.asked != 1 or len(counts) < 2 or last is None or counts[last.name] < 2:
        return None
    if sum(counts.values()) > len(counts) + 1 or sum(bool(s.mentions) for s in stated.statements) > 1:
        return None
    span = (last.start, last.end)
    echo = stated.echo_at(*span)
    return FinalStatement(*span, frozenset((last.name,)), "what is named again in the end", True, echo)


def _in_the_questions_words(stated: Stated) -> FinalStatement | None:
    """The last statement that has clearly more of the question's words than any that says something else.

    One that names twice as many things as were asked for does not answer: it repeats the text.
    """
    answering = [
        final for final in stated.finals if final.echo >= LEAST_ECHO and len(final.names) < 2 * stated.asked
    ]
    if not answering:
        return None
    best = max(answering, key=lambda final: (final.echo, final.start))
    rivals = [
        statement.echo
        for statement in stated.statements
        if not (best.start <= statement.start < best.end)
        and stated.names_in(statement.start, statement.end) - best.names
    ]
    return best if rivals and best.echo >= max(rivals) + _AHEAD else None


def _the_only_one(stated: Stated) -> FinalStatement | None:
    names = frozenset(mention.name for mention in stated.plain)
    finals = [final for final in stated.finals if final.names == names]
    return finals[-1]._replace(by_default=True) if finals else None
