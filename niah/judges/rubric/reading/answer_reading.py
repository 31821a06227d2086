"""What an answer claims and what it only shows: the final statement against everything else.

A reader may count aloud, quote an older value, weigh candidates, list what does not count. What it states in
the end outweighs all that. In this order:

1. What structure sets apart claims nothing: below "Not required:", in a row whose verdict is no, before "that
   is what the miller paid" (``set_apart``).
2. Some mentions weigh less than a plain statement: an earlier value, a first thought, a question, a term of a
   sum (``asides``). Where something is stated plainly, they are neither found nor wrong.
3. The part that answers the question, with as many names as were asked for, is the final statement, if the
   answer says that it is ("answer:", "therefore", a box, a correction), sets it in bold, or gives it in the
   question's words (``final_statement``). What stands before it was on the way. What comes after it still
   counts, unless one thing was asked for and the rest neither adds to it ("also", "or") nor answers again.

An answer that leaves open which of several plain statements counts has no final statement: all of it counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.alike import begin_alike
from niah.judges.rubric.keys.claimed import names_a_key
from niah.judges.rubric.keys.invented_numbers import words_of_others
from niah.judges.rubric.languages.cues import Cues, cues_beside
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import are_one_list, mask_mentions, without_mentions
from niah.judges.rubric.normalise import spaced
from niah.judges.rubric.reading.asides import Asides
from niah.judges.rubric.reading.final_statement import (
    LEAST_ECHO,
    FinalStatement,
    Stated,
    last_conclusion,
    plainest_statement,
)
from niah.judges.rubric.reading.layout import Layout, read_layout
from niah.judges.rubric.reading.mended.replaced import replaced
from niah.judges.rubric.reading.plain.lists import is_one_plain_list, says_each_once
from niah.judges.rubric.reading.set_apart import SetApart, set_apart
from niah.judges.rubric.reading.spans import Spans, TextRange
from niah.judges.rubric.reading.statements import Clauses, Statement, asked_words, split_statements
from niah.judges.rubric.reading.structure.labels import language_of_question

_WORD = re.compile(r"[^\W_]+")
_SHORT = 7
_OF_THE_SAME = re.compile(r"\W*(?:it|he|she|they)\s+(?:\w+\s+)?also\b")
_OPEN = lazy_pattern(
    r"\b(?:or|either|might|may|could|perhaps|possibly|maybe|probably|both|another|further|more|plus|includ\w+|count\w*|belong\w*)\b"
)
_OF_ACCOUNTS = frozenset(
    _WORD.findall(
        "says said say tells told text passage passages note notes source sources account version witness"
        " place other according claims claimed mentions mentioned names named lists listed line answer"
    )
)
_LEAST_LETTERS = 2
_EASTERN_COMMA = lazy_pattern(r"(?<=[\u3040-\u9fff\uac00-\ud7a3]),")
_EASTERN_SIGNS = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff]{2}")
_LEAST_WORDS = 2
"""Words beside its mentions that a statement has at least which is no mere list."""
_DIGIT = re.compile(r"\d")


class AnswerReading(NamedTuple):
    """What of an answer is not claimed.

    Attributes:
        answer: what the reader gave, without the lines that are on the way.
        final: the part that is taken for the answer; None where no part is, or where it changes nothing.
        apart: mentions that structure rules out.
        overruled: mentions that were only shown on the way.
        restored: mentions that stand, although a correction follows: it is of another one.
        before: where the final statement begins, if all before it is overruled; else 0.
        on_the_way: spans of the tidied text that the final statement overrules, or that are set apart.
    """

    answer: str
    final: FinalStatement | None = None
    apart: frozenset[Mention] = frozenset()
    overruled: frozenset[Mention] = frozenset()
    restored: frozenset[Mention] = frozenset()
    before: int = 0
    on_the_way: tuple[TextRange, ...] = ()


def read_answer(
    answer: str, tidied: str, mentions: Sequence[Mention], out: Collection[Mention], key: AnswerKey
) -> AnswerReading:
    """The reading of an answer.

    Args:
        answer: as the reader gave it, without reasoning.
        tidied: the same, tidied (see ``niah.judges.rubric.normalise.tidy``).
        mentions: every mention in it, in reading order.
        out: those that their own clause rules out.
        key: what was asked.
    """
    if not key.elements:
        return AnswerReading(answer)
    live = [mention for mention in mentions if mention not in out]
    if says_each_once(answer, live):
        return AnswerReading(answer)
    text = mask_mentions(tidied, mentions)
    if not out and is_one_plain_list(answer, tidied, text, mentions, key):
        return AnswerReading(answer)
    cues = cues_beside(without_mentions(text), language_of_question(key))
    layout = read_layout(answer, tidied)
    statements = split_statements(text, layout, mentions, key)
    gone, restored = replaced(text, statements, mentions, out, cues, key)
    live = [one for one in mentions if (one not in out or one in restored) and one not in gone]
    clauses = Clauses(text, cues)
    parts = _Parts(
        text=text,
        layout=layout,
        statements=statements,
        clauses=clauses,
        cues=cues,
        apart=set_apart(answer, text, layout, statements, live, cues, key),
        asides=Asides(tidied, text, statements, clauses, cues, key),
        asked=len({element.name for element in key.elements}),
        key=key,
    )
    final = parts.find_final(live)
    plain = {mention.name for mention in live if parts.is_plain(mention)}
    overruled = frozenset(mention for mention in live if parts.overrules(final, mention, plain))
    spans = list(parts.apart.spans)
    if final:
        spans += parts.apart.spans_beside
        spans += [(0, final.start)] if final.overrules and not parts.summed_up(final) else []
    return AnswerReading(
        answer=_without_lines(answer, layout, spans),
        final=final if final and any(mention.name not in final.names for mention in overruled) else None,
        apart=parts.apart.surely | gone,
        overruled=overruled - parts.apart.surely - gone,
        restored=restored,
        before=final.start if final and final.overrules else 0,
        on_the_way=tuple(spans),
    )


def _words_in(text: str) -> frozenset[str]:
    """The words of a span; of scripts without spaces, each two signs."""
    if not _EASTERN_SIGNS.search(text):
        return frozenset(_WORD.findall(text))
    return frozenset((*_WORD.findall(_EASTERN_SIGNS.sub(" ", text)), *_EASTERN_SIGNS.findall(text)))


def _without_lines(answer: str, layout: Layout, spans: Collection[TextRange]) -> str:
    """The answer without the lines that lie in one of the spans from end to end."""
    lines = answer.split("\n")
    if not spans or len(lines) != len(layout.lines):
        return answer
    joined = Spans(spans)
    return "\n".join(
        "" if joined.cover(place.start, place.end) else line
        for line, place in zip(lines, layout.lines, strict=True)
    )


@dataclass(frozen=True)
class _Parts:
    """An answer taken apart. ``asked``: how many things it has to name."""

    text: str
    layout: Layout
    statements: tuple[Statement, ...]
    clauses: Clauses
    cues: Cues
    apart: SetApart
    asides: Asides
    asked: int
    key: AnswerKey

    @cached_property
    def _statement_of(self) -> dict[Mention, Statement]:
        return {mention: statement for statement in self.statements for mention in statement.mentions}

    def is_plain(self, mention: Mention) -> bool:
        """Whether nothing makes a mention weigh less than a plain statement."""
        return mention not in self.apart.surely and not self.asides.why(mention)

    def summed_up(self, final: FinalStatement) -> bool:
        """Whether the final statement repeats values alone, whose keys stand before it."""
        if not all(element.key for element in self.key.elements) or self.asked < 2:
            return False
        before, said = (
            spaced(self.text[start:end]) for start, end in ((0, final.start), (final.start, final.end))
        )
        return names_a_key(before, self.key) and not names_a_key(said, self.key)

    def find_final(self, live: Sequence[Mention]) -> FinalStatement | None:
        """The final statement; what is set beside it is left out first."""
        plain = [mention for mention in live if self.is_plain(mention)]
        inside = [mention for mention in plain if mention not in self.apart.beside]
        readings = [
            Stated(self.text, self.layout, self.statements, chosen, self.asked)
            for chosen in dict.fromkeys((tuple(inside), tuple(plain)))
        ]
        for stated in readings:
            if final := last_conclusion(stated, self.cues):
                return final
        if self.asked == 1 and self.asides.totals_of_parts:
            return None
        for stated in readings:
            if final := plainest_statement(stated):
                return final
        return None

    def overrules(self, final: FinalStatement | None, mention: Mention, plain: Collection[str]) -> bool:
        """Whether the mention claims nothing beside what is stated in the end."""
        if mention in self.apart.surely or mention in self._of_something_else:
            return True
        if final is None:
            weak = bool(self.asides.why(mention))
            return weak and not mention.right and any(name != mention.name for name in plain)
        if self.asides.why(mention) or (mention in self.apart.beside and mention.name not in final.names):
            return True
        if final.start <= mention.start < final.end:
            return mention.name not in final.names
        if mention.start < final.start and not final.by_default:
            again = mention.name in final.names and self.summed_up(final)
            return not (again or self._is_another_part(final, mention))
        if mention.name in final.names:
            return False
        if self.asked > 1:
            return not mention.right and self._stands_apart(final, mention)
        return not self._adds(final, mention)

    def _is_another_part(self, final: FinalStatement, mention: Mention) -> bool:
        """Whether a sentence before the final one answers what nothing in that could: a date beside names.

        Only where it names nothing wrong and has no words of a distractor alone, and the final one, taken for
        no more than its words, names all in one list: "X and Y chaired A", not "X chaired A and Y chaired B".
        """
        if final.overrules or final.in_bold or self.asked == 1 or not self.is_plain(mention):
            return False
        has_digit = _DIGIT.search(mention.name) is not None
        same_kind = any((_DIGIT.search(name) is not None) == has_digit for name in final.names)
        own = self._statement_of[mention]
        if same_kind or not all(one.right for one in own.mentions):
            return False
        if not words_of_others(self.key).isdisjoint(_words_in(self.text[own.start : own.end])):
            return False
        said = [one for s in self.statements for one in s.mentions if final.start <= one.start < final.end]
        return are_one_list(self.text, said)

    @cached_property
    def _of_something_else(self) -> frozenset[Mention]:
        """Wrong mentions that claim nothing beside a complete answer; of one thing asked for, all or none."""
        if not self._is_complete:
            return frozenset()
        wrong = [m for s in self.statements for m in s.mentions if not m.right and self.is_plain(m)]
        found = frozenset(mention for mention in wrong if self._says_something_else(mention))
        return found if self.asked > 1 or len(found) == len(wrong) else frozenset()

    def _says_something_else(self, mention: Mention) -> bool:
        """Whether a clause beside a complete answer says something else of a wrong name than was asked.

        "The Velvet Anchor stayed in bed." A clause says the same if it has the question's words, or those in
        which right names are claimed; what it adds or leaves open is claimed too.
        """
        start, end = self._clause_of(mention)
        words = _words_in(self.text[start:end])
        statement = self._statement_of[mention]
        if (
            len(words) <= _LEAST_WORDS
            or self.layout.lines[statement.line].kind != "text"
            or self.cues.addition.search(self.text, start, end)
            or self.cues.conclusion.search(self.text, start, end)
            or self.cues.correction.search(self.text, statement.start, mention.start)
            or _OPEN.search(self.text, start, end)
        ):
            return False
        asked = asked_words(self.key)
        again = words & asked
        if self.asked == 1:  # "it opened in 1888", asked when it did open
            again |= {word for word in words if any(begin_alike(word, one) for one in asked)}
        own = {word for word in words - again if len(word) >= _LEAST_LETTERS} - _OF_ACCOUNTS
        echo = max((len(asked & said) for _, said in self._right_clauses), default=0)
        if len(own) < _LEAST_WORDS or len(again) >= max(echo, 1):
            return False
        return not any(
            one == (start, end) or 2 * len(words & said) > len(words) for one, said in self._right_clauses
        )

    def _clause_of(self, mention: Mention) -> TextRange:
        """The clause of a mention; where words are not parted by spaces, a comma ends it too."""
        start, end = self.clauses.around(mention)
        commas = [match.end() for match in _EASTERN_COMMA.finditer(self.text, start, end)]
        before = [comma for comma in commas if comma <= mention.start]
        after = [comma for comma in commas if comma >= mention.end]
        return (before[-1] if before else start), (after[0] if after else end)

    @cached_property
    def _right_clauses(self) -> list[tuple[TextRange, frozenset[str]]]:
        """The clauses that name something right, with their words."""
        spans = {self._clause_of(mention) for s in self.statements for mention in s.mentions if mention.right}
        return [(span, _words_in(self.text[slice(*span)])) for span in spans]

    @cached_property
    def _is_complete(self) -> bool:
        """Whether everything right is stated plainly."""
        named = {m.name for s in self.statements for m in s.mentions if m.right and self.is_plain(m)}
        return len(named) == self.asked

    def _stands_apart(self, final: FinalStatement, mention: Mention) -> bool:
        """Whether a sentence beside a complete answer speaks of something else: "As for X, it survived"."""
        statement = self._statement_of[mention]
        if len(final.names) != self.asked or any(one.name in final.names for one in statement.mentions):
            return False
        is_sentence = self.layout.lines[statement.line].kind == "text"
        words = len(_WORD.findall(self.text[statement.start : statement.end]))
        return is_sentence and words > _LEAST_WORDS and not self._adds(final, mention)

    def _adds(self, final: FinalStatement, mention: Mention) -> bool:
        """Whether a mention outside of the final statement says that it is an answer too."""
        start = self.clauses.starting_before(mention.start)
        statement = self._statement_of[mention]
        start = max(statement.start, start)
        if (
            final.by_default
            or self.cues.conclusion.search(self.text, start, mention.start)
            or statement.echo >= max(final.echo, LEAST_ECHO)
        ):
            return True
        adds = self.cues.addition.search(self.text, start, mention.start) is not None
        # "Also X", "another one is X"; not "there is also X, which somebody counted for another ferry".
        said = self.text[statement.start : statement.end]
        if not adds or len(_WORD.findall(said)) <= _SHORT:
            return adds
        return statement.echo >= LEAST_ECHO and _OF_THE_SAME.match(said) is not None
