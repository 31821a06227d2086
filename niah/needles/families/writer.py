"""Writes a family's texts: draws what a template's slots need, and no more, and fills it in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from niah.needles.families.schema import FamilyFile, Slot, Slots
from niah.needles.families.slots import SlotValues
from niah.needles.needle_set import Distractor, Element, Hardness, Needle, Passage
from niah.text.templates import render_line, slots_in


@dataclass(frozen=True)
class FilledTemplate:
    """One text, and what was drawn for its slots."""

    text: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class FamilyDraw:
    """What a family's builder draws.

    Attributes:
        elements, needles, passages, traps: as in the needle set.
        first: distractors that the kind needs, such as the older statements; they stand before all others.
        hard: the other hard ones.
        extra: what question and answer know besides.
        question, answer: templates that take the place of the family's; "" for those.
        ordered: whether the elements are asked for in their order.
        options: answers to choose from, where the draw settles them.
        cast: names that no haystack may mention.
        answer_tokens: room for an answer; 0 for what the number of elements says.
    """

    elements: tuple[Element, ...] = ()
    needles: tuple[Needle, ...] = ()
    passages: tuple[Passage, ...] = ()
    traps: tuple[Element, ...] = ()
    first: tuple[Distractor, ...] = ()
    hard: tuple[Distractor, ...] = ()
    extra: Mapping[str, str] | None = None
    question: str = ""
    answer: str = ""
    ordered: bool = False
    options: tuple[str, ...] = ()
    cast: tuple[str, ...] = ()
    answer_tokens: int = 0


class TemplateWriter:
    """A family with one seed's draws.

    Args:
        family: whose templates are written.
        values: draws what goes into slots.
        repeats: whether any value may come again, as in further entries of a list: none is asked for.
    """

    def __init__(self, family: FamilyFile, values: SlotValues, *, repeats: bool = False) -> None:
        self.family = family
        self.values = values
        self.shared = {name: self._shared(name) for name in family.set}
        self._used: dict[str, frozenset[str]] = {}
        # Values that nothing else may mention, nor any needle have again.
        self._matters = {family.element, family.key}
        if family.chain:
            self._matters |= {family.chain.name, family.chain.value}
        if family.graph:
            self._matters.add(family.graph.name)
        if family.compute and family.compute.is_comparison:
            self._matters.add(family.compute.of)
        if family.compute and family.compute.by:
            self._matters = {family.compute.by}
        if repeats:
            self._matters = set()

    def write(
        self, template: str, given: Mapping[str, str] | None = None, each: Slots | None = None
    ) -> FilledTemplate:
        """The template with ``given`` values, the set's, and new ones for the other slots that it uses."""
        known = {**self.shared, **(given or {})}
        if template not in self._used:
            self._used[template] = slots_in(template)
        used = self._used[template]
        for name, slot in (self.family.each if each is None else each).items():
            if name in used and name not in known:
                known[name] = self._draw(name, slot)
        return FilledTemplate(render_line(template, known), known)

    def draw(self, name: str) -> str:
        """A new value for a slot of ``each``."""
        return self._draw(name, self.family.each[name])

    def templates(self, label: str, templates: Sequence[str]) -> Iterator[str]:
        """The templates in this seed's order, over and over."""
        return self.values.cycle(f"templates|{label}", templates)

    def element(self, written: FilledTemplate) -> Element:
        """The element that a text carries."""
        aliases = tuple(render_line(alias, written.values) for alias in self.family.aliases)
        key = written.values[self.family.key] if self.family.key else ""
        return Element(written.values[self.family.element], aliases, key)

    def distractor(self, hardness: Hardness, position: int, written: FilledTemplate) -> Distractor:
        """A distractor of that text; its wrong element, if the text has one, carries no key."""
        name = written.values.get(self.family.element)
        elements = (Element(name),) if name else ()
        return Distractor(f"{hardness}-{position + 1}", written.text, elements, hardness)

    def changed(self, position: int) -> dict[str, str]:
        """The set's slots with one of those that a family changes drawn anew, each in its turn."""
        if not self.family.change:
            return {}
        name = self.family.change[position % len(self.family.change)]
        value = self.shared[name]
        while value == self.shared[name]:
            value = self._shared(name)
        return {name: value}

    def _shared(self, name: str) -> str:
        """A new value for a slot of ``set``. A choice is part of the family's own words, so never fresh."""
        slot = self.family.set[name]
        is_choice = not isinstance(slot, str) and bool(slot.one_of)
        return (self.values.plain if is_choice else self.values.fresh)(f"set|{name}", slot)

    def _draw(self, name: str, slot: Slot) -> str:
        draw = self.values.fresh if name in self._matters else self.values.plain
        return draw(name, slot)
