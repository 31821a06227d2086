"""Which part of an answer states the answer: a box, what follows "answer:", bold text, the plainest words."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace

from niah.judges.rubric.elements import Mention
from niah.judges.rubric.languages.cues import Cues
from niah.judges.rubric.reading.layout import Layout, TextRange
from niah.judges.rubric.reading.statements import Statement

_OPENS_A_CLAUSE = re.compile(
    r"(?:\A|[^\w\s'])\W*(?:(?:and|so|but|then|thus|hence|therefore|yes|no|ok|okay|well|my|the)\W+)*\Z"
)
_WORD = re.compile(r"\w")
_REACH = 24
_FIELD = re.compile(r",\s*[\w -]{1,30}:")
LEAST_ECHO = 0.3
"""Share of the question's words from which on a statement answers in them."""
_AHEAD = 0.15


@dataclass(frozen=True)
class FinalStatement:
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
        return frozenset(mention.name for mention in self._inside(start, end))

    def mentions_in(self, start: int, end: int) -> int:
        """How often anything is stated plainly in a span."""
        return len(self._inside(start, end))

    def _inside(self, start: int, end: int) -> tuple[Mention, ...]:
        first, last = (bisect_left(self.plain, at, key=lambda mention: mention.start) for at in (start, end))
        return self.plain[first:last]

    def echo_at(self, start: int, end: int) -> float:
        """How much of the question's words the statements of a span repeat, at best."""
        return max((s.echo for s in self.statements if s.start < end and start < s.end), default=0.0)


def last_conclusion(stated: Stated, cues: Cues) -> FinalStatement | None:
    """The last part that says of itself that it is the answer, and answers the question.

    A part answers the question if it names as many things as were asked for.
    """
    finals = [*_boxed(stated), *_concluding(stated, cues)]
    return max(finals, key=lambda final: final.start, default=None)


def plainest_statement(stated: Stated) -> FinalStatement | None:
    """The part that answers the question more plainly than the others; None where several do.

    What alone is in bold; then a choice of as many as were asked for, out of more; then the one statement
    that has the question's words; then the only one there is.
    """
    return _in_bold(stated) or _chosen(stated) or _in_the_questions_words(stated) or _the_only_one(stated)


def _final(stated: Stated, span: TextRange, label: str, *, overrules: bool) -> FinalStatement | None:
    names = stated.names_in(*span)
    if len(names) < stated.asked:
        return None
    return FinalStatement(*span, names, label, overrules, stated.echo_at(*span))


def _boxed(stated: Stated) -> Iterator[FinalStatement]:
    boxes = stated.layout.boxed
    if boxes and (final := _final(stated, (boxes[-1][0], boxes[-1][1]), "the boxed value", overrules=True)):
        yield final


def _concluding(stated: Stated, cues: Cues) -> Iterator[FinalStatement]:
    """What follows a word such as "answer:" or "therefore", or a correction."""
    for what, cue in (("the conclusion", cues.conclusion), ("the correction", cues.correction)):
        for match in cue.finditer(stated.text):
            if not _opens(stated.text, match.start()):
                continue
            said = " ".join(match[0].split()).rstrip(" :")
            spans = list(_spans_after(stated, match.end()))
            label = f'{what} after "{said}"'
            finals = (_final(stated, span, label, overrules=True) for span in spans)
            final = next(filter(None, finals), None)
            if final is None and cues.last_word.search(match[0]):
                final = _final(replace(stated, asked=1), spans[-1], label, overrules=True)
            if final:
                yield final


def _opens(text: str, start: int) -> bool:
    return _OPENS_A_CLAUSE.search(text[max(0, start - _REACH) : start]) is not None


def _spans_after(stated: Stated, start: int) -> Iterator[TextRange]:
    """From narrow to wide: a field, the sentence, the lines up to a blank one, the list below."""
    text, layout = stated.text, stated.layout
    number = layout.line_at(max(0, start - 1))
    line = layout.lines[number]
    end = next((s.end for s in stated.statements if s.start <= start < s.end), line.end)
    field = _FIELD.search(text, start, end)
    if field:
        yield start, field.start()
    yield start, end
    if _WORD.search(text, start, end) and not stated.names_in(start, end):
        return
    yield start, line.end
    last = number
    for after in range(number + 1, len(layout.lines)):
        if layout.lines[after].kind in ("blank", "rule") and last > number:
            break
        if layout.lines[after].kind == "heading":
            break
        if layout.lines[after].kind != "blank":
            last = after
            if layout.lines[after].kind == "text":
                yield start, layout.lines[last].end
    yield start, layout.lines[last].end


def _in_bold(stated: Stated) -> FinalStatement | None:
    bold = [
        mention
        for mention in stated.plain
        if any(start <= mention.start < end for start, end in stated.layout.bold)
    ]
    names = frozenset(mention.name for mention in bold)
    if not bold or len(names) != stated.asked or len(names) == len({m.name for m in stated.plain}):
        return None
    start, end = bold[0].start, bold[-1].end
    return FinalStatement(start, end, names, "the bold text", False, stated.echo_at(start, end), in_bold=True)


def _chosen(stated: Stated) -> FinalStatement | None:
    """The last statement or list, if it names as many as were asked for and all before it name more.

    A choice names each thing once; a tally that names some again is no choice.
    """
    lists = [span for span in _lists(stated.layout) if stated.names_in(*span)]
    exact = [
        final
        for final in _statements(stated)
        if len(final.names) == stated.asked
        and not any(
            start <= final.start < end and (start, end) != (final.start, final.end) for start, end in lists
        )
    ]
    if not exact:
        return None
    last = max(exact, key=lambda final: (final.end, -final.start))
    units = [(s.start, s.end) for s in stated.statements if s.mentions]
    units = [unit for unit in units if not any(start <= unit[0] < end for start, end in lists)] + lists
    others = [unit for unit in units if not (last.start <= unit[0] < last.end)]
    more = [unit for unit in others if len(stated.names_in(*unit)) > stated.asked]
    if not more or any(unit[0] > last.start and stated.names_in(*unit) - last.names for unit in others):
        return None
    if any(unit not in more and stated.names_in(*unit) - last.names for unit in others):
        return None
    if stated.mentions_in(last.start, last.end) > len(last.names):
        return None
    return replace(last, label="the choice out of those named", overrules=True)


def _in_the_questions_words(stated: Stated) -> FinalStatement | None:
    """The last statement that has clearly more of the question's words than any that says something else.

    One that names twice as many things as were asked for does not answer: it repeats the text.
    """
    answering = [
        final
        for final in _statements(stated)
        if final.echo >= LEAST_ECHO and len(final.names) < 2 * stated.asked
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
    finals = [final for final in _statements(stated) if final.names == names]
    return replace(finals[-1], by_default=True) if finals else None


def _statements(stated: Stated) -> Iterator[FinalStatement]:
    """Each statement, and each list, that answers the question."""
    for start, end in (*((s.start, s.end) for s in stated.statements), *_lists(stated.layout)):
        said = stated.text[start:end]
        if final := _final(stated, (start, end), _quoted(said), overrules=False):
            yield final


def _quoted(said: str) -> str:
    return "the list" if "\n" in said.strip() else "the statement that stands by itself"


def _lists(layout: Layout) -> Iterator[TextRange]:
    start: int | None = None
    end = 0
    for line in layout.lines:
        if line.kind in ("bullet", "row"):
            start, end = (line.start if start is None else start), line.end
        elif line.kind != "blank" and line.kind != "rule":
            if start is not None:
                yield start, end
            start = None
    if start is not None:
        yield start, end
