"""What goes into a context and where: a needle set's inserts with their tokens, and how L is shared out."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from niah.cases.assembly.background import Background
from niah.cases.case import AnyHardness, Case, DistractorDepth, NeedleOrder
from niah.cases.prompts import prompt_tokens
from niah.errors import CaseError
from niah.needles.needle_set import IN_ORDER, Distractor, Hardness, Needle, NeedleSet, Passage
from niah.text.tokenizer import BEFORE, Tokenizer, costs_at_start, costs_inside, get_tokenizer, token_at

_TOO_SHORT = "too short for prompt and needles"

LEAST_GAP = 48
"""Haystack tokens between a group of inserts and the next, so that whole sentences can fill them."""

_MOST_TOKENS = 100 * 2**20  # of a context: 3.5 GB of memory while it is built


class NestedNeedle(NamedTuple):
    """A needle inside a passage."""

    needle: Needle
    offset: int  # characters of the passage before it
    tokens: int  # of the passage before it
    lined: int  # the same behind a line's end
    bare: int  # and where the passage begins the context


@dataclass(frozen=True, eq=False)
class Insert:
    """A needle, a passage with needles, or a distractor, to be put into the background."""

    id: str
    text: str = field(repr=False)
    role: Literal["needle", "passage", "distractor"]
    tokens: int  # behind a space
    bare: int  # where a context begins with it
    elements: tuple[str, ...] = ()
    nested: tuple[NestedNeedle, ...] = ()
    hardness: Hardness | Literal[""] = ""


@dataclass(frozen=True, eq=False)
class Inserts:
    """A needle set as the seed draws it, counted."""

    needle_set: NeedleSet
    units: tuple[Insert, ...]  # what the rule places: needles, or their passages, or distractors alone
    distractors: tuple[Insert, ...]  # the others, as listed

    def chosen(self, number: int, hardness: AnyHardness) -> tuple[Insert, ...]:
        """The first ``number`` distractors of that hardness. Raises CaseError where there are fewer."""
        there = [item for item in self.distractors if hardness in ("any", item.hardness)]
        if self.needle_set.needles and number > len(there):
            which = "distractors" if hardness == "any" else f"{hardness} distractors"
            problem = f"asks for {number} {which}, and {self.needle_set.name} has {len(there)}."
            raise CaseError(problem, "Ask for fewer, or write more.", "fewer distractors than asked for")
        return tuple(there[:number])


@lru_cache(maxsize=256)
def count_inserts(needle_set: NeedleSet, seed: int, tokenizer_name: str, order: NeedleOrder) -> Inserts:
    """The needle set, its units as listed or shuffled by the seed. Raises UserError."""
    tokenizer = get_tokenizer(tokenizer_name)
    if order == "shuffled" and needle_set.kind in IN_ORDER:
        problem = f"{needle_set.name} asks for what follows from the order of its needles."
        raise CaseError(problem, "Leave `order: shuffled` out of the suite.")
    distractors = _counted(needle_set.distractors, needle_set, tokenizer)
    units = _counted(needle_set.passages or needle_set.needles, needle_set, tokenizer)
    if not units:
        units, distractors = distractors, []
    if order == "shuffled":
        random.Random(f"{needle_set.name}|{seed}").shuffle(units)
    return Inserts(needle_set, tuple(units), tuple(distractors))


def _counted(
    items: Sequence[Needle | Passage | Distractor], needle_set: NeedleSet, tokenizer: Tokenizer
) -> list[Insert]:
    """Each with what it costs behind a space, and at a text's start."""
    texts, found = [item.text for item in items], list[Insert]()
    spaced, alone = costs_inside(tokenizer, texts).tolist(), costs_at_start(tokenizer, texts).tolist()
    for item, tokens, bare in zip(items, spaced, alone, strict=True):
        if isinstance(item, Needle):
            insert = Insert(item.id, item.text, "needle", tokens, bare, item.elements)
        elif isinstance(item, Passage):
            nested = _nested(needle_set, item, tokenizer)
            insert = Insert(item.id, item.text, "passage", tokens, bare, nested=nested)
        else:
            names = tuple(element.name for element in item.elements)
            insert = Insert(item.id, item.text, "distractor", tokens, bare, names, hardness=item.hardness)
        found.append(insert)
    return found


def _nested(needle_set: NeedleSet, passage: Passage, tokenizer: Tokenizer) -> tuple[NestedNeedle, ...]:
    """The needles inside a passage, in the order of its text."""
    text, found, line = passage.text, list[NestedNeedle](), f"{BEFORE}\n"
    spaced, lined, bare = (tokenizer.starts(before + text).tolist() for before in (" ", line, ""))
    for needle in needle_set.needles:
        if needle.inside == passage.id:
            offset = text.index(needle.text)
            behind, first = token_at(spaced, f" {text}", offset + 1), token_at(bare, text, offset)
            places = (token_at(lined, line + text, len(line) + letters) for letters in (offset, 0))
            found.append(NestedNeedle(needle, offset, behind, next(places) - next(places), first))
    return tuple(sorted(found, key=lambda each: each.offset))


def needle_positions(haystack_tokens: int, needles: int, depth: float) -> list[int]:
    """Tokens of H before each of k needles: d_1 = alpha H;  d_i = d_1 + floor((i - 1)(H - d_1) / k)."""
    # Fraction(str()) keeps 12.3 % of 1000 at 123; floats would put it at 122.
    first = int(Fraction(str(depth)) * haystack_tokens // 100)
    return [first + i * (haystack_tokens - first) // needles for i in range(needles)]


class Allocation(NamedTuple):
    """L, shared out: P, H = L - P - N, and the haystack tokens before each unit."""

    prompt_tokens: int
    haystack_tokens: int
    positions: list[int]
    leads: bool  # the first unit is due at the context's start
    trails: bool  # the last is due at its end


def allocate(case: Case, inserts: Inserts, background: Background, end: str) -> Allocation:
    """Room for a case whose background ends with a sentence like ``end``. Raises CaseError."""
    units, start = inserts.units, background.corpus.slice(0, 1).strip()
    for leads, trails in ((False, False), (False, True), (True, False), (True, True)):
        head, tail = units[0].text if leads else start, units[-1].text if trails else end
        found = share_out(case, inserts, background, head, tail, leads=leads)
        if (leads, trails) == (found.leads, found.trails):
            return found
    problem = "the context length leaves no room to place the needles."
    raise CaseError(problem, "Use a greater one.", _TOO_SHORT)


def share_out(
    case: Case, inserts: Inserts, background: Background, head: str, tail: str, *, leads: bool
) -> Allocation:
    """L, shared out for a context from ``head`` to ``tail``. Raises CaseError where there is too little."""
    prompt = prompt_tokens(case.prompt, case.tokenizer, inserts.needle_set.question, head, tail)
    first, *others = inserts.units
    tokens = (first.bare if leads else first.tokens) + sum(unit.tokens for unit in others)  # N
    room, once = case.prompt_length - prompt - tokens, background.corpus.tokens[-1]
    if room < 0:
        least = case.context_length - room
        reserve = f" with the {case.reserve} that are reserved" if case.reserve else ""
        need = f"prompt and needles alone need {least} tokens{reserve}"
        problem = f"{need}, more than the context length of {case.context_length}."
        raise CaseError(problem, f"Use a length of at least {-(-least // 64) * 64}.", _TOO_SHORT)
    if room > once and not (case.repeat or background.goes_on):
        avoided = " without the sentences that answer by accident" if case.accidents == "avoid" else ""
        problem = f"needs {room} haystack tokens; {case.haystack} holds {once}{avoided}."
        remedy = "Use a shorter length, a longer haystack, or a suite file of your own with repeat: true."
        raise CaseError(problem, remedy, "longer than the haystack")
    if room > _MOST_TOKENS:
        problem = f"{room:,} tokens are more than a context can have: {_MOST_TOKENS:,}."
        raise CaseError(problem, "Use a shorter length.", "longer than memory allows")
    positions = needle_positions(room, len(inserts.units), case.depth)
    return Allocation(prompt, room, positions, positions[0] == 0, positions[-1] == room)


class Stop(NamedTuple):
    """Inserts that follow one another, due behind ``position`` haystack tokens."""

    position: int
    inserts: tuple[Insert, ...]
    unit: int | None = None  # the place among them of the one that the insertion rule asks for, if one is

    @property
    def before_unit(self) -> int:
        """Tokens of the distractors before the unit."""
        return sum(item.tokens for item in self.inserts[: self.unit or 0])


def stops_of(
    units: Sequence[Insert], room: Allocation, distractors: Sequence[Insert], rule: DistractorDepth
) -> list[Stop]:
    """Where the background stops: units first, then distractors, each in the order of the text.

    Distractors are spread over the context or a part of it, or are next to units in turn. Raises CaseError.
    """
    if rule == "near" and distractors:
        return _next_to_units(units, room, distractors)
    stops = [Stop(at, (unit,), 0) for at, unit in zip(room.positions, units, strict=True)]
    if not distractors:
        return stops
    first = room.positions[-1] if rule == "after" else 0
    last = room.positions[0] if rule == "before" else room.haystack_tokens
    if sum(item.tokens for item in distractors) > last - first:
        where = {"before": "before the first needle", "after": "after the last needle"}.get(rule, "in all")
        raise no_room(f"no room for its distractors {where}: {last - first} haystack tokens.")
    n = len(distractors)
    places = (first + (2 * i + 1) * (last - first) // (2 * n) for i in range(n))
    return stops + [Stop(at, (item,)) for at, item in zip(places, distractors, strict=True)]


def _next_to_units(units: Sequence[Insert], room: Allocation, distractors: Sequence[Insert]) -> list[Stop]:
    """One stop a unit. The first round of distractors comes right after units, the second right before."""
    k = len(units)
    gaps = [after - before for before, after in pairwise([0, *room.positions, room.haystack_tokens])]
    sides: list[tuple[list[Insert], list[Insert]]] = [([], []) for _ in units]
    for number, item in enumerate(distractors):
        rounds = (1, 0) if number // k % 2 == 0 else (0, 1)
        for unit, side in (((number + step) % k, side) for side in rounds for step in range(k)):
            if gaps[unit + side] - item.tokens >= LEAST_GAP:
                gaps[unit + side] -= item.tokens
                sides[unit][side].append(item)
                break
        else:
            raise no_room(f"no room next to the needles for distractor {item.id}.")
    return [
        Stop(at - sum(item.tokens for item in before), (*before, unit, *after), len(before))
        for at, unit, (before, after) in zip(room.positions, units, sides, strict=True)
    ]


def no_room(problem: str = "no room for all distractors.") -> CaseError:
    """The error of distractors that find no place."""
    remedy = "Ask for fewer, for another depth, or for a greater context length."
    return CaseError(problem, remedy, "no room for the distractors")
