"""What stands with the names of an answer, held against the question: states, headings, fields, footnotes.

Asked which bridges were shut, a reader may list all of them and say of each whether it was "shut" or "open";
asked who found the leak, add who mended it. Such words sort the names only where the sorting is complete:
everything right stands with a word of the question, and nothing right stands without one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from niah.cases.sample import AnswerKey
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.forms.inflection import word_stem
from niah.judges.rubric.languages.cues import Cues
from niah.judges.rubric.languages.detect import Language, letter_words
from niah.judges.rubric.languages.of_key import languages_of_key
from niah.judges.rubric.lazy_pattern import lazy_pattern
from niah.judges.rubric.negation import MASK
from niah.judges.rubric.reading.layout import AnswerLine, Layout
from niah.judges.rubric.reading.spans import TextRange, mentions_inside
from niah.judges.rubric.reading.statements import asked_words

_WORD = re.compile(r"[^\W\d_]+")
_SIGNS = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,}")
_UNSPACED = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+")
_MOST_WORDS = 8
_STATE = 3
"""Words with which a cell or a line begins that say what state a thing is in; what follows is a remark."""
_RELATIONS = frozenset(
    _WORD.findall(
        """
        before after during until since under over between among within about
        vor nach während seit bis unter über zwischen bei avant après pendant depuis sous entre
        antes después durante desde hasta bajo prima dopo fino sotto fra depois até sob перед после пока
        """
    )
)
"""Words of a question that say when or where, and sort nothing."""
_LEAST_LETTERS = 3
_NO = re.compile(r"\b(?:not|no|never|nicht|kein\w*|pas|non|n\xe3o|\u043d\u0435)\b|n't\b|\u4e0d|\u672a|\uc54a")


class Label(NamedTuple):
    """Words of an answer, and the span of what they stand with."""

    words: str
    span: TextRange


def sorted_out(
    text: str,
    layout: Layout,
    leads: Sequence[tuple[TextRange, TextRange]],
    mentions: Sequence[Mention],
    cues: Cues,
    key: AnswerKey,
) -> list[Mention]:
    """The wrong mentions that stand with words which say another thing than was asked.

    Args:
        text: masked.
        layout: of it.
        leads: each heading, label and "Shut: ..." with what it leads in.
        mentions: every mention in it that is not ruled out, in reading order.
        cues: of its languages.
        key: what was asked.
    """
    wanted = {element.name for element in key.elements}
    if wanted - {mention.name for mention in mentions} or all(mention.right for mention in mentions):
        return []
    if not leads and len(layout.lines) < 2:  # there is nothing to sort by
        return []
    asked = _asked_stems(key)
    headings = _innermost(
        [Label(text[slice(*lead)], block) for lead, block in leads if mentions_inside(mentions, block)]
    )
    out: list[Mention] = []
    for scheme in (*_columns(text, layout), _lines(text, layout, mentions), headings):
        groups = [_Group(label, _stems(label.words, key), mentions) for label in scheme]
        groups = [group for group in groups if group.named]
        if len(groups) > 1:
            out += _other_states(groups, asked, wanted, cues)
    groups = [_Group(label, _stems(label.words, key), mentions) for label in headings]
    return [*out, *_other_fields(groups, asked, wanted, cues)]


class _Group:
    """What one label stands with. ``stems``: of its words; ``named``: the mentions."""

    def __init__(self, label: Label, stems: frozenset[str], mentions: Sequence[Mention]) -> None:
        self.words = label.words
        self.stems = stems
        self.named = list(mentions_inside(mentions, label.span))
        self.right = {mention.name for mention in self.named if mention.right}

    def may_add(self, cues: Cues) -> bool:
        """Whether the label says that more of the same follows: "also", "further ones"."""
        first = _WORD.search(self.words)
        added = first is not None and cues.addition.match(self.words, first.start()) is not None
        return added or any(cue.search(self.words) for cue in (cues.other, cues.conclusion))


def _other_states(
    groups: Sequence[_Group], asked: frozenset[str], wanted: set[str], cues: Cues
) -> list[Mention]:
    """What stands with none of the question's words, where everything right stands with the same one."""
    common = frozenset.intersection(*(group.stems for group in groups))
    telling = [group for group in groups if group.right]
    shared = frozenset.intersection(asked, *(group.stems for group in telling)) - common if telling else None
    if not shared or wanted - set().union(*(group.right for group in telling)):
        return []
    return [
        mention
        for group in groups
        if not group.right and group.stems and not group.may_add(cues)
        if shared.isdisjoint(group.stems) or _NO.search(group.words)
        for mention in group.named
    ]


def _other_fields(
    groups: Sequence[_Group], asked: frozenset[str], wanted: set[str], cues: Cues
) -> list[Mention]:
    """What stands in a field of its own beside fields of several kinds that hold everything right."""
    telling = [group for group in groups if group.right]
    kinds = {group.stems for group in telling}
    if len(kinds) < 2 or wanted - set().union(*(group.right for group in telling)):
        return []
    words = frozenset().union(*kinds)
    if asked.isdisjoint(words) or any(not kind for kind in kinds):
        return []
    return [
        mention
        for group in groups
        if not group.right and group.stems and not group.may_add(cues)
        if (words | asked).isdisjoint(group.stems)
        for mention in group.named
    ]


def _innermost(labels: Sequence[Label]) -> list[Label]:
    """The labels whose block holds no other's."""
    ordered = sorted(labels, key=lambda label: (label.span[0], -label.span[1]))
    return [
        one
        for one, following in zip_longest(ordered, ordered[1:])
        if following is None or following.span == one.span or following.span[0] >= one.span[1]
    ]


def _columns(text: str, layout: Layout) -> Iterator[list[Label]]:
    """Each column of a table that names nothing: its cells, with their rows."""
    for table in layout.tables():
        for column in range(max(len(row.cells) for row in table)):
            cells = [(row, text[slice(*row.cells[column])]) for row in table[1:] if column < len(row.cells)]
            if cells and not any(MASK in said for _, said in cells):
                yield [Label(_beginning(said), (row.start, row.end)) for row, said in cells]


def _lines(text: str, layout: Layout, mentions: Sequence[Mention]) -> list[Label]:
    """Lines that name something and say a few words of it: "[shut] Long Stile"."""
    lines = [line for line in layout.lines if _names(line, mentions)]
    said = [text[line.start : line.end].replace(MASK, " ") for line in lines]
    if any(line.kind not in ("text", "bullet") for line in lines) or any(
        len(letter_words(words)) > _MOST_WORDS for words in said
    ):
        return []
    return [Label(_beginning(words), (line.start, line.end)) for words, line in zip(said, lines, strict=True)]


def _beginning(words: str) -> str:
    return " ".join(letter_words(words)[:_STATE])


def _names(line: AnswerLine, mentions: Sequence[Mention]) -> bool:
    return bool(mentions_inside(mentions, (line.start, line.end)))


@lru_cache(maxsize=256)
def _asked_stems(key: AnswerKey) -> frozenset[str]:
    return _stems(" ".join(asked_words(key) - _RELATIONS), key)


def _stems(words: str, key: AnswerKey) -> frozenset[str]:
    """The stems of words with three letters or more; of scripts without spaces, each two signs."""
    signs = {run[at : at + 2] for run in _SIGNS.findall(words) for at in range(len(run) - 1)}
    spaced = letter_words(_UNSPACED.sub(" ", words))
    language = language_of_question(key)
    return frozenset((*signs, *(word_stem(word, language) for word in spaced if len(word) >= _LEAST_LETTERS)))


def language_of_question(key: AnswerKey) -> Language:
    """The language of the question, English where nothing tells."""
    return languages_of_key(key)[-1]
