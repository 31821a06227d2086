"""From a layout to text, with the span and the token position of everything that was put in."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import TypedDict

from niah.cases.assembly.answer_leakage import Omission
from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.backgrounds.runs import Stretch
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints.joins import (
    LINE_END,
    before_insert,
    before_piece,
    held_after,
    leading_space,
    trailing_break,
)
from niah.cases.assembly.layout.laid_text import ContextSegment
from niah.cases.assembly.placing import placed_inside
from niah.cases.context import Context, Placed
from niah.haystacks.corpus import Corpus


def render_context(
    background: Background,
    segments: Sequence[ContextSegment],
    asked: Sequence[int],
    prompt_tokens: int,
    opening: int = 0,
) -> tuple[Context, list[int]]:
    """The context, and where in its text each of the segments' runs begins, with a space that is left out.

    Args:
        background: what the segments' runs are of.
        segments: in the order of the text.
        asked: haystack tokens before each unit, by the insertion rule.
        prompt_tokens: P.
        opening: tokens that the first sentence costs more than inside the haystack.
    """
    writer = _Writer(background.corpus, asked, opening)
    for segment in segments:
        if isinstance(segment, Stretch):
            writer.write_run(segment)
        else:
            writer.write_insert(segment)
    context = Context(
        text="".join(writer.parts),
        needles=tuple(writer.needles),
        distractors=tuple(writer.distractors),
        tokens=writer.tokens,
        prompt_tokens=prompt_tokens,
        passages=tuple(writer.passages),
        **haystack_use(background, [run for run in segments if isinstance(run, Stretch)]),
    )
    return context, writer.run_starts


class HaystackUse(TypedDict, total=False):
    """What a context says of its haystack, by the names of ``Context``; what is left out is as usual."""

    repeats: int
    reused: float
    avoided: tuple[str, ...]


def haystack_use(background: Background, runs: Sequence[tuple[int, int]]) -> HaystackUse:
    """How much of the haystack comes again in a context with these runs of it, and what was left out."""
    corpus, base_size, use = background.corpus, background.base_size, HaystackUse()
    tokens = corpus.tokens
    once = tokens[base_size]
    laid = sum([tokens[last] - tokens[first] for first, last in runs]) if corpus.size > base_size else 0
    if laid > once:
        use["reused"] = round((laid - once) / laid, 4)
    if background.repeats:
        use["repeats"] = max(0, max((last for _, last in runs), default=0) - 1) // base_size
    if background.omissions:
        use["avoided"] = tuple(dict.fromkeys(_passed_by(background.omissions, runs)))
    return use


def _passed_by(omissions: Sequence[Omission], runs: Sequence[tuple[int, int]]) -> Iterator[str]:
    """What was left out between the pieces of the runs, and right behind them."""
    places = [omission.at for omission in omissions]
    for first, last in runs:
        behind = first and first + 1  # what is missing before the text begins counts
        for omission in omissions[bisect_left(places, behind) : bisect_right(places, last)]:
            yield omission.text


class _Writer:
    """Joins segments. A paragraph break before an insert is held back until the background goes on.

    ``run_starts`` are the places in the text where runs begin, with a space that is left out.
    """

    def __init__(self, corpus: Corpus, asked: Sequence[int], opening: int) -> None:
        self.parts: list[str] = []
        self.needles: list[Placed] = []
        self.passages: list[Placed] = []
        self.distractors: list[Placed] = []
        self.tokens = opening
        self.run_starts: list[int] = []
        self._corpus = corpus
        self._asked = asked
        self._length = 0
        self._units = 0
        self._unit_tokens = 0
        self._held = ""

    def write_run(self, run: Stretch) -> None:
        corpus, held = self._corpus, self._held
        first, last = run
        offsets, text = corpus.offsets, corpus.text
        start, end = offsets[first], offsets[last]
        left_out = 0
        if not self.parts:
            left_out = leading_space(corpus, first)
        elif held or corpus.is_start[first] or text[start] != " ":  # most bring their own space
            joint, left_out = before_piece(corpus, first, held)
            self.parts.append(joint)
            self._length += len(joint)
        own = trailing_break(text, end) if text[end - 1] == LINE_END else ""
        if own or held:
            self._held = held_after(corpus, first, own, held)
        self.run_starts.append(self._length - left_out)
        start += left_out
        end -= len(own)
        self.parts.append(text[start:end])
        self._length += end - start
        self.tokens += corpus.tokens[last] - corpus.tokens[first]

    def write_insert(self, item: Insert) -> None:
        opens = not self.parts
        if not opens:
            joint = before_insert(self._corpus, self._held)
            self.parts.append(joint)
            self._length += len(joint)
        placed = self._placed(item)
        if item.role == "needle":
            self.needles.append(placed)
        elif item.role == "distractor":
            self.distractors.append(placed)
        else:
            self.passages.append(placed)
            self.needles.extend(placed_inside(item, placed, opens))
        self.parts.append(item.text)
        self._length += len(item.text)
        tokens = item.bare if opens else item.tokens
        self.tokens += tokens
        if item.role != "distractor":
            self._units += 1
            self._unit_tokens += tokens

    def _placed(self, item: Insert) -> Placed:
        asked = self.tokens if item.role == "distractor" else self._asked[self._units] + self._unit_tokens
        return Placed(
            item.id,
            item.text,
            item.elements,
            self._length,
            self._length + len(item.text),
            self.tokens,
            asked,
            item.hardness if item.role == "distractor" else "",
        )
