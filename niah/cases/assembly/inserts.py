"""What a needle set puts into a context, in which order, with its token counts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple

from niah.cases.case import AnyHardness, NeedleOrder
from niah.errors import CaseError
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Distractor, Hardness, Needle, NeedleSet, Passage
from niah.text.tokenizer import Costs, Tokenizer, get_tokenizer, token_at


class NestedNeedle(NamedTuple):
    """A needle inside a passage, and the characters and tokens of the passage before it.

    ``bare`` are the tokens where the passage begins the context.
    """

    needle: Needle
    offset: int
    tokens: int
    bare: int


@dataclass(frozen=True, eq=False)
class Insert:
    """A needle, a passage with needles, or a distractor, to be put into the background.

    It costs ``tokens`` behind a space, and ``bare`` tokens where a context begins with it.
    """

    id: str
    text: str = field(repr=False)
    role: Literal["needle", "passage", "distractor"]
    tokens: int
    bare: int
    elements: tuple[str, ...] = ()
    nested: tuple[NestedNeedle, ...] = ()
    hardness: Hardness | Literal[""] = ""


@dataclass(frozen=True, eq=False)
class Inserts:
    """A needle set, counted.

    Attributes:
        needle_set: as drawn by the seed.
        units: what the insertion rule places, in the order of the text: the needles; the passages, where
            needles are nested; the distractors, where nothing answers the question.
        distractors: the other distractors, as listed.
        element_names: names and aliases of all elements that needles state, and those of a story's cast.
    """

    needle_set: NeedleSet
    units: tuple[Insert, ...]
    distractors: tuple[Insert, ...]
    element_names: tuple[str, ...]

    def tokens(self, *, leads: bool) -> int:
        """N: tokens of the units, the first of which begins the context (``leads``) or is behind a space."""
        return sum(unit.tokens for unit in self.units) + leads * (self.units[0].bare - self.units[0].tokens)

    def chosen(self, number: int, hardness: AnyHardness) -> tuple[Insert, ...]:
        """The first ``number`` distractors of that hardness. Raises CaseError where there are fewer.

        None where nothing answers the question: there all of them are units.
        """
        there = [item for item in self.distractors if hardness in ("any", item.hardness)]
        if self.needle_set.needles and number > len(there):
            which = "distractors" if hardness == "any" else f"{hardness} distractors"
            raise CaseError(
                f"asks for {number} {which}, and {self.needle_set.name} has {len(there)}.",
                "Ask for fewer, or write more.",
                "fewer distractors than asked for",
            )
        return tuple(there[:number])


def count_inserts(name: str, seed: int, tokenizer: str, order: NeedleOrder = "listed") -> Inserts:
    """The needle set of that name, its units as listed or shuffled by the seed. Raises UserError."""
    return _inserts(load_needle_set(name, seed), seed, tokenizer, order)


@lru_cache(maxsize=256)
def _inserts(needle_set: NeedleSet, seed: int, tokenizer_name: str, order: NeedleOrder) -> Inserts:
    tokenizer = get_tokenizer(tokenizer_name)
    if order == "shuffled" and needle_set.keeps_order:
        problem = f"{needle_set.name} asks for what follows from the order of its needles."
        raise CaseError(problem, "Leave `order: shuffled` out of the suite.")
    distractors = _counted(needle_set.distractors, needle_set, tokenizer)
    units = _counted(needle_set.passages or needle_set.needles, needle_set, tokenizer)
    if not units:
        units, distractors = distractors, []
    if order == "shuffled":
        random.Random(f"{needle_set.name}|{seed}").shuffle(units)
    names = (*(name for element in needle_set.stated for name in element.names), *needle_set.cast)
    return Inserts(needle_set, tuple(units), tuple(distractors), names)


def _counted(
    items: Sequence[Needle | Passage | Distractor], needle_set: NeedleSet, tokenizer: Tokenizer
) -> list[Insert]:
    """Each with what it costs behind a space, and at a text's start."""
    costs, texts, found = Costs(tokenizer), [item.text for item in items], list[Insert]()
    counts = zip(costs.inside(texts).tolist(), costs.at_start(texts).tolist(), strict=True)
    for item, (tokens, bare) in zip(items, counts, strict=True):
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
    text, found = passage.text, list[NestedNeedle]()
    spaced, bare = tokenizer.starts(f" {text}").tolist(), tokenizer.starts(text).tolist()
    for needle in needle_set.needles:
        if needle.inside == passage.id:
            offset = text.index(needle.text)
            behind, first = token_at(spaced, f" {text}", offset + 1), token_at(bare, text, offset)
            found.append(NestedNeedle(needle, offset, behind, first))
    return tuple(sorted(found, key=lambda each: each.offset))
