"""Templates filled in: one seed's draws for a family, and long passages composed around its sentences."""

from __future__ import annotations

import itertools
import random
import re
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache, lru_cache
from itertools import repeat, zip_longest
from string import ascii_letters, ascii_uppercase
from typing import NamedTuple

from niah.errors import HaystackError
from niah.haystacks.world import Draw, lexicon
from niah.needles.families.schema import Family, Passages, Slot, Slots, choices_of
from niah.needles.needle_set import Distractor, Element, Hardness, Needle, Passage
from niah.text.templates import render_line, slots_in
from niah.text.tokenizer import count, get_tokenizer

_WEIGHT = 16
_REMEMBERED = 256  # passages before it that a passage is made different from
_NOT_WORD = re.compile(r"[^\w]+")
_ATTEMPTS = 400
_LONGEST_RUN = 30  # words of a value that are looked for in others
_FEWER = "Ask for fewer needles, or draw a number or a hex code there."


class FilledTemplate(NamedTuple):
    """One text, and what was drawn for its slots."""

    text: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class FamilyDraw:
    """What a family's builder draws, as the needle set has it; "" and 0 are as of every family."""

    elements: tuple[Element, ...] = ()
    needles: tuple[Needle, ...] = ()
    passages: tuple[Passage, ...] = ()
    traps: tuple[Element, ...] = ()
    first: tuple[Distractor, ...] = ()  # that the kind needs, such as the older statements
    hard: tuple[Distractor, ...] = ()  # the other hard ones
    extra: Mapping[str, str] | None = None  # what question and answer know besides
    question: str = ""
    answer: str = ""
    ordered: bool = False
    options: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()
    answer_tokens: int = 0
    offered: float = 0.0  # of how many answers a guesser takes one; of counts 1 / share of the usual one


def needles_of(word: str, texts: Iterable[str], carried: Iterable[tuple[str, ...]]) -> tuple[Needle, ...]:
    """Needles called word-1, word-2 ..., each with the elements that it carries."""
    pairs = enumerate(zip(texts, carried, strict=True), 1)
    return tuple(Needle(f"{word}-{number}", text, names) for number, (text, names) in pairs)


def distractors_of(
    texts: Iterable[str], wrong: Iterable[tuple[Element, ...]] | None = None, hardness: Hardness = "hard"
) -> tuple[Distractor, ...]:
    """Distractors called by hardness, hard-1, hard-2 ..., each with the wrong elements that it mentions."""
    pairs = enumerate(zip(texts, repeat(()) if wrong is None else wrong, strict=False), 1)
    return tuple(Distractor(f"{hardness}-{n}", text, elements, hardness) for n, (text, elements) in pairs)


class TemplateWriter:
    """A family with one seed's draws; ``repeats``: any value may come again, as none is asked for."""

    def __init__(self, family: Family, values: SlotValues, *, repeats: bool = False) -> None:
        self.family, self.values = family, values
        self.shared = {name: self._shared(name) for name in family.set}
        # Values that nothing else may mention, nor any needle have again.
        chain, graph, compute = family.chain, family.graph, family.compute
        self._matters = {family.element, family.key} | ({graph.name} if graph else set())
        self._matters |= {chain.name, chain.value} if chain else set()
        if compute and not compute.is_count:  # no two numbers that are compared are equal
            self._matters = {compute.by} if compute.by else self._matters | {compute.of}
        if repeats:
            self._matters = set()
        pools = None if repeats else family.passages
        self.composer = Composer(self, pools, family.nested or pools.tokens) if pools else None

    def write(
        self, template: str, given: Mapping[str, str] | None = None, each: Slots | None = None
    ) -> FilledTemplate:
        """The template with ``given`` values, the set's, and new ones for the other slots that it uses."""
        known, used = {**self.shared, **(given or {})}, slots_in(template)
        for name, slot in (self.family.each if each is None else each).items():
            if name in used and name not in known:
                known[name] = self.draw(name, slot)
        return FilledTemplate(render_line(template, known), known)

    def draw(self, name: str, slot: Slot | None = None) -> str:
        """A new value for a slot, by default of ``each``."""
        slot = self.family.each[name] if slot is None else slot
        return self.values.value(name, slot, fresh=name in self._matters)

    def templates(self, label: str, templates: Sequence[str]) -> Iterator[str]:
        """The templates in this seed's order, over and over."""
        return self.values.cycle(f"templates|{label}", templates)

    def in_passage(self, written: FilledTemplate, given: Mapping[str, str] | None = None) -> FilledTemplate:
        """A text within a passage of its own, which has the ``given`` values too, where needles are long."""
        if self.composer is None or self.family.nested:
            return written
        return FilledTemplate(self.composer.compose([written.text], given), written.values)

    def element(self, written: FilledTemplate) -> Element:
        """The element that a text carries."""
        key = written.values[self.family.key] if self.family.key else ""
        return Element(written.values[self.family.element], key=key)

    def distractors(self, hardness: Hardness, written: Iterable[FilledTemplate]) -> tuple[Distractor, ...]:
        """Distractors of those texts; a wrong element, if the text has one, carries no key."""
        named = [(each.text, each.values.get(self.family.element)) for each in written]
        wrong = [(Element(name),) if name else () for _, name in named]
        return distractors_of([text for text, _ in named], wrong, hardness)

    def changed(self, position: int) -> dict[str, str]:
        """The set's slots with one of those that a family changes drawn anew, each in its turn."""
        if not self.family.change:
            return {}
        name = self.family.change[position % len(self.family.change)]
        while (value := self._shared(name)) == self.shared[name]:
            pass
        return {name: value}

    def _shared(self, name: str) -> str:
        """A new value for a slot of ``set``. A choice is part of the family's own words, so never fresh."""
        slot = self.family.set[name]
        return self.values.value(f"set|{name}", slot, fresh=not choices_of(slot))


class Composer:
    """Composes passages around given sentences; two have as few templates in common as the pools allow."""

    def __init__(self, writer: TemplateWriter, pools: Passages, tokens: tuple[int, int]) -> None:
        self._writer, self._pools, (self._least, self._most) = writer, pools, tokens
        self._random = writer.values.random("passages")
        openings, closings = list(pools.openings), list(pools.closings)
        frames = writer.values.random("frames")
        frames.shuffle(openings)
        frames.shuffle(closings)
        # Every pair comes once before any comes again.
        self._frames = (
            (openings[step % len(openings)], closings[(step + step // len(openings)) % len(closings)])
            for step in itertools.count()
        )
        self._earlier: deque[frozenset[str]] = deque(maxlen=_REMEMBERED)

    def compose(self, facts: Sequence[str], given: Mapping[str, str] | None = None) -> str:
        """A passage that holds ``facts`` word for word and in order, among sentences of the pools."""
        opening, closing = next(self._frames)
        chosen, drawn = {opening, closing}, dict(given or {})
        first, last = self._sentence(opening, drawn), self._sentence(closing, drawn)
        tokens = sum(map(_tokens, (first, last, *facts)))
        middles: list[str] = []
        for template in self._candidates(chosen):
            sentence = self._sentence(template, drawn)
            if tokens + _tokens(sentence) <= self._most:
                chosen.add(template)
                middles.append(sentence)
                tokens += _tokens(sentence)
            if tokens >= self._least:
                break
        self._earlier.append(frozenset(chosen))
        self._random.shuffle(middles)
        return " ".join((first, *self._mixed(middles, facts), last))

    def _sentence(self, template: str, drawn: dict[str, str]) -> str:
        written = self._writer.write(template, drawn, self._pools.each)
        drawn.update(written.values)
        return written.text

    def _candidates(self, chosen: set[str]) -> Iterator[str]:
        """Every middle once, each time the one that makes this passage least like any earlier one."""
        left = list(self._pools.middles)
        self._random.shuffle(left)
        while left:
            weights: Counter[str] = Counter()
            for earlier in self._earlier:
                weights.update(dict.fromkeys(earlier, _WEIGHT ** len(chosen & earlier)))
            best = min(left, key=lambda template: weights[template])
            left.remove(best)
            yield best

    def _mixed(self, middles: Sequence[str], facts: Sequence[str]) -> Iterator[str]:
        """The facts in gaps between the middles, in their own order, two in one gap only if they must."""
        inner = range(1, len(middles)) or range(1)
        gaps = sorted(self._random.sample(inner, min(len(facts), len(inner))))
        gaps += [len(middles)] * (len(facts) - len(gaps))
        parts = [middles[start:end] for start, end in zip([0, *gaps], [*gaps, len(middles)], strict=True)]
        for part, fact in zip_longest(parts, facts):
            yield from part if fact is None else (*part, fact)


def _tokens(sentence: str) -> int:
    """Tokens of a sentence in the middle of a text; in cl100k these add up."""
    return count(get_tokenizer("cl100k"), f" {sentence}")


def near_misses(writer: TemplateWriter, templates: Iterator[str], count: int) -> tuple[Distractor, ...]:
    """Needles with one of the set's attributes drawn anew; none of a family that changes none."""
    near = list[FilledTemplate]()
    for position in range(count if writer.family.change else 0):
        change = writer.changed(position)
        near.append(writer.in_passage(writer.write(next(templates), change), change))
    return writer.distractors("hard", near)


# What goes into slots: values none of which is ever part of another


class SlotValues:
    """Draws values for slots: the same for the same seed and salt (the family's name).

    A ``fresh`` value is no part of another or of the family's ``words``, and has none in it.
    """

    def __init__(self, seed: int, salt: str, words: str) -> None:
        self._seed, self._salt, self._draw = seed, salt, Draw(seed, salt)
        self._again: dict[str, list[Draw]] = {}
        self._choices: dict[str, Iterator[str]] = {}
        # A random generator of its own for each label; asked again, it goes on where it was.
        self.random: Callable[[str], random.Random] = cache(self._draw.random)
        self._words = _folded(words)
        # Folded: what was drawn, what of it is fresh, and the runs of words in it.
        self._drawn, self._fresh, self._parts = set[str](), set[str](), set[str]()

    def value(self, label: str, slot: Slot, *, fresh: bool) -> str:
        """A value for a slot. One that is not ``fresh`` may come again when all have come once, and has no
        fresh one in it. Raises HaystackError when nothing is left."""
        for _ in range(_ATTEMPTS):
            comes_again = isinstance(slot, str) and not fresh
            value = self._name_again(str(slot)) if comes_again else self._next(label, slot)
            folded = _folded(value)
            runs = _runs(folded)
            if fresh:
                is_used = folded in self._words or folded in self._parts or not self._drawn.isdisjoint(runs)
            else:
                is_used = not self._fresh.isdisjoint(runs)
            if not is_used:
                self._drawn.add(folded)
                self._parts.update(runs)
                if fresh:
                    self._fresh.add(folded)
                return value
        name = label.rpartition("|")[2]
        raise HaystackError(f"nothing is left to draw for the slot {name!r}.", _FEWER)

    def cycle(self, label: str, options: Sequence[str]) -> Iterator[str]:
        """The options in a random order, and again in another, for ever; never one twice in a row."""
        if label not in self._choices:
            self._choices[label] = _cycle(self.random(f"cycle|{label}"), tuple(options))
        return self._choices[label]

    def _next(self, label: str, slot: Slot) -> str:
        if isinstance(slot, str):
            return self._draw.one(slot)
        if slot.one_of:
            return next(self.cycle(f"slot|{label}", slot.one_of))
        rng = self.random(f"slot|{label}")
        if slot.number is not None:
            return str(rng.randint(*slot.number))
        if slot.date is not None:
            first, last = slot.date
            return (first + timedelta(days=rng.randint(0, (last - first).days))).isoformat()
        if slot.uuid:
            return str(uuid.UUID(int=rng.getrandbits(128), version=4))
        if count := slot.letters or slot.capitals:
            return "".join(rng.choices(ascii_letters if slot.letters else ascii_uppercase, k=count))
        if slot.joined:
            return "-".join(rng.choice(lexicon(kind)) for kind in slot.joined)
        if slot.coined:
            return "".join(map(rng.choice, slot.coined))
        # With a letter and a digit a code cannot be taken for a number or a word.
        while True:
            code = "".join(rng.choice("0123456789abcdef") for _ in range(slot.hex or 6))
            if not code.isdigit() and not code.isalpha():
                return code

    def _name_again(self, kind: str) -> str:
        """The next name; from the lexicon anew, in another order, when it is used up."""
        draws = self._again.setdefault(kind, [self._draw])
        try:
            return draws[-1].one(kind)
        except HaystackError:
            draws.append(Draw(self._seed, f"{self._salt}|{len(draws)}"))
            return draws[-1].one(kind)


def _cycle(rng: random.Random, options: tuple[str, ...]) -> Iterator[str]:
    last = ""
    while True:
        order = list(options)
        rng.shuffle(order)
        if order[0] == last:
            order.append(order.pop(0))
        yield from order
        last = order[-1]


@lru_cache(maxsize=64)  # long choices come again
def _runs(folded: str) -> list[str]:
    """A folded text and all runs of whole words in it, but for very long ones."""
    words = folded.split()
    spans = ((first, last) for first in range(len(words)) for last in range(first, len(words))[:_LONGEST_RUN])
    return [folded, *(f" {' '.join(words[first : last + 1])} " for first, last in spans)]


def _folded(text: str) -> str:
    """Words only, between spaces, so that a plain substring is a run of whole words."""
    return f" {_NOT_WORD.sub(' ', text).strip().casefold()} "
