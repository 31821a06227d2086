"""From a case to its context: counts, plan, text."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

from niah.cases.background import Background, Run, load_background
from niah.cases.case import Case
from niah.cases.context import Context, Placed
from niah.cases.layout import Insert, Layout, Segment, lay_out_contiguously, lay_out_exactly
from niah.cases.placement import distractor_positions, needle_positions
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError
from niah.haystacks.corpus import PARAGRAPH_BREAK, Corpus
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_pattern
from niah.text.tokenizer import get_tokenizer

_PLAIN_TAIL = "It ends here."


@dataclass(frozen=True)
class _Counted:
    """A needle set with its token counts: every insert behind a space, the first needle also bare."""

    needle_set: NeedleSet
    needles: tuple[Insert, ...]
    distractors: tuple[Insert, ...]
    bare: tuple[int, ...]
    break_neutral: bool


def build(case: Case) -> Context:
    """The context of a case. Raises UnknownName, ConfigError, HaystackError or CaseError."""
    try:
        return _build(case)
    except CaseError as error:
        raise CaseError(f"{case.case_id}: {error.message}", error.remedy) from None


def _build(case: Case) -> Context:
    counted = _in_order(_counted(case.needle_set, case.seed, case.tokenizer), case)
    background = load_background(case.haystack, case.tokenizer, case.seed)
    prompt, room = _room(case, counted, background)
    needles = _at(counted.needles, needle_positions(room, len(counted.needles), case.depth))
    distractors = _at(counted.distractors, distractor_positions(room, len(counted.distractors)))
    boundaries = background.loose if counted.break_neutral else background.strict
    layout = Layout(background, boundaries, room, case.seed)
    lay_out = lay_out_exactly if case.mode == "exact" else lay_out_contiguously
    segments = lay_out(layout, needles, distractors)
    _check_no_accidents(background.corpus, counted.needle_set, segments)
    return _assemble(background.corpus, segments, counted, prompt)


@lru_cache(maxsize=64)
def _counted(name: str, seed: int, tokenizer_name: str) -> _Counted:
    needle_set, tokenizer = load_needle_set(name, seed), get_tokenizer(tokenizer_name)
    texts = [needle.text for needle in needle_set.needles] + [item.text for item in needle_set.distractors]
    spaced = tokenizer.counts([f" {text}" for text in texts]).tolist()
    broken = tokenizer.counts([f" {text}{PARAGRAPH_BREAK}" for text in texts]).tolist()
    k = len(needle_set.needles)
    needles = [
        Insert(needle.id, needle.text, needle.elements, tokens, True, 0)
        for needle, tokens in zip(needle_set.needles, spaced[:k], strict=True)
    ]
    distractors = [
        Insert(item.id, item.text, tuple(element.name for element in item.elements), tokens, False, 0)
        for item, tokens in zip(needle_set.distractors, spaced[k:], strict=True)
    ]
    bare = tokenizer.counts(texts[:k]).tolist()
    return _Counted(needle_set, tuple(needles), tuple(distractors), tuple(bare), spaced == broken)


def _in_order(counted: _Counted, case: Case) -> _Counted:
    """Needles in the case's order, distractors cut to the case's number."""
    if case.distractors > len(counted.distractors):
        raise CaseError(
            f"asks for {case.distractors} distractors, and {counted.needle_set.name} has "
            f"{len(counted.distractors)}.",
            "Ask for fewer, or write more.",
        )
    order = list(range(len(counted.needles)))
    if case.order == "shuffled":
        random.Random(f"{counted.needle_set.name}|{case.seed}").shuffle(order)
    return replace(
        counted,
        needles=tuple(counted.needles[i] for i in order),
        bare=tuple(counted.bare[i] for i in order),
        distractors=counted.distractors[: case.distractors],
    )


def _room(case: Case, counted: _Counted, background: Background) -> tuple[int, int]:
    """P and H = L - P - N. Both depend a little on whether needles stand at the context's very edges."""
    k = len(counted.needles)
    for leads, trails in product((False, True), repeat=2):
        prompt = _prompt_tokens(case, counted, background.corpus, leads, trails)
        room = case.context_length - prompt - _needle_tokens(counted, leads)
        _check_room(case, room, background)
        positions = needle_positions(room, k, case.depth)
        if (leads, trails) == (positions[0] == 0, positions[-1] == room):
            return prompt, room
    raise CaseError("the context length leaves no room to place the needles.", "Use a greater one.")


def _prompt_tokens(case: Case, counted: _Counted, corpus: Corpus, leads: bool, trails: bool) -> int:
    head = counted.needles[0].text if leads else corpus.slice(0, 1).rstrip()
    tail = counted.needles[-1].text if trails else _PLAIN_TAIL
    template, tokenizer = load_prompt(case.prompt), get_tokenizer(case.tokenizer)
    return prompt_tokens(template, counted.needle_set.question, head, tail, tokenizer)


def _needle_tokens(counted: _Counted, leads: bool) -> int:
    """N. A needle that begins the context has no space before it."""
    first = counted.bare[0] if leads else counted.needles[0].tokens
    return first + sum(needle.tokens for needle in counted.needles[1:])


def _check_room(case: Case, room: int, background: Background) -> None:
    if room < 0:
        raise CaseError(
            f"prompt and needles alone need {case.context_length - room} tokens, more than the "
            f"context length of {case.context_length}.",
            f"Use a length of at least {_round_up(case.context_length - room)}.",
        )
    if room > background.corpus.tokens[-1]:
        raise CaseError(
            f"needs {room} haystack tokens; {case.haystack} holds {background.corpus.tokens[-1]}.",
            "Use a shorter length or a longer haystack.",
        )


def _round_up(tokens: int) -> int:
    return -(-tokens // 64) * 64


def _at(items: Sequence[Insert], positions: Sequence[int]) -> list[Insert]:
    return [replace(item, position=position) for item, position in zip(items, positions, strict=True)]


@lru_cache(maxsize=64)
def _accidents(text: str, names: tuple[str, ...]) -> tuple[int, ...]:
    """Character offsets at which the corpus mentions an element."""
    return tuple(match.start() for match in mention_pattern(names).finditer(text))


def _check_no_accidents(corpus: Corpus, needle_set: NeedleSet, segments: Sequence[Segment]) -> None:
    names = tuple(name for element in needle_set.elements for name in element.names)
    for offset in _accidents(corpus.text, names):
        piece = corpus.piece_at(offset)
        if any(isinstance(segment, Run) and segment.first <= piece < segment.last for segment in segments):
            raise CaseError(
                f"the haystack answers by accident: {corpus.slice(piece, piece + 1).strip()!r} holds "
                f"an element of {needle_set.name}.",
                "Use another haystack or needle set, or take the sentence out.",
            )


def _assemble(corpus: Corpus, segments: Sequence[Segment], counted: _Counted, prompt: int) -> Context:
    writer = _Writer(corpus, counted)
    for segment in segments:
        writer.write(segment)
    return Context(
        "".join(writer.parts), tuple(writer.needles), tuple(writer.distractors), writer.tokens, prompt
    )


class _Writer:
    """Joins segments. A paragraph break before an insert is held back until the background goes on."""

    def __init__(self, corpus: Corpus, counted: _Counted) -> None:
        self.corpus = corpus
        self.counted = counted
        self.parts: list[str] = []
        self.needles: list[Placed] = []
        self.distractors: list[Placed] = []
        self.tokens = 0
        self._length = 0
        self._needle_tokens = 0
        self._break_due = False

    def write(self, segment: Segment) -> None:
        if isinstance(segment, Run):
            self._write_run(segment)
        else:
            self._write_insert(segment)

    def _write_run(self, run: Run) -> None:
        text = self.corpus.slice(run.first, run.last)
        if not self.parts:
            text = text.lstrip(" ")
        elif self._break_due and self.corpus.is_start[run.first]:
            text = PARAGRAPH_BREAK + text
            self._break_due = False
        elif self.corpus.is_start[run.first]:
            text = f" {text}"
        self._break_due |= text.endswith(PARAGRAPH_BREAK)
        self._append(text.removesuffix(PARAGRAPH_BREAK))
        self.tokens += self.corpus.tokens[run.last] - self.corpus.tokens[run.first]

    def _write_insert(self, item: Insert) -> None:
        starts_context = not self.parts
        if not starts_context:
            self._append(" ")
        placed = Placed(
            id=item.id,
            text=item.text,
            elements=item.elements,
            start=self._length,
            end=self._length + len(item.text),
            token_start=self.tokens,
            asked_token=item.position + self._needle_tokens,
        )
        self._append(item.text)
        tokens = self.counted.bare[0] if starts_context and item.is_needle else item.tokens
        self.tokens += tokens
        if item.is_needle:
            self.needles.append(placed)
            self._needle_tokens += tokens
        else:
            self.distractors.append(placed)

    def _append(self, text: str) -> None:
        self.parts.append(text)
        self._length += len(text)
