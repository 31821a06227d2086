"""Answers worked out from what the needles say: the greatest, the least, all in order, counts, sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from niah.needles.families.schema import SUMS, Compute, choices_of
from niah.needles.families.writer import FamilyDraw, FilledTemplate, TemplateWriter, near_misses, needles_of
from niah.needles.needle_set import Element
from niah.needles.options import number_words
from niah.text.templates import join_names

_IN_ORDER = ("ascending", "descending")
_Write = Callable[[dict[str, str]], FilledTemplate]
"""Writes the next needle with the values of some of its slots."""


class _Worked(NamedTuple):
    """What was stated, a text for each needle, and the answer to it."""

    stated: Sequence[FilledTemplate]
    elements: tuple[Element, ...]
    carried: Sequence[tuple[str, ...]]  # the names of elements that each needle carries
    extra: dict[str, str]  # what question and answer may say besides
    traps: tuple[Element, ...] = ()


def draw_computed(writer: TemplateWriter, compute: Compute, k: int, near: int) -> FamilyDraw:
    """``k`` needles without ties, the answer that follows from all, and ``near`` hard distractors at most."""
    templates = writer.templates("needles", writer.family.needles)
    work = {"count": _counted, "commonest": _commonest, "sums": _summed}.get(compute.answer, _compared)
    worked = work(writer, lambda values: writer.write(next(templates), values), compute, k)
    composer = writer.composer
    texts = [composer.compose([each.text]) if composer else each.text for each in worked.stated]
    return FamilyDraw(
        elements=worked.elements,
        needles=needles_of("needle", texts, worked.carried),
        traps=worked.traps,
        hard=near_misses(writer, templates, near),
        extra=worked.extra,
        ordered=compute.answer in _IN_ORDER,
    )


def _compared(writer: TemplateWriter, write: _Write, compute: Compute, k: int) -> _Worked:
    """The elements sorted by number: all of them, or the first; then the others are traps."""
    stated = [write({compute.of: writer.draw(compute.of)}) for _ in range(k)]
    elements = [(each.values[compute.of], writer.element(each)) for each in stated]
    descends = compute.answer in ("greatest", "descending")
    ranked = sorted(elements, key=lambda each: _ordinal(each[0]), reverse=descends)
    asked = tuple(element for _, element in (ranked if compute.answer in _IN_ORDER else ranked[:1]))
    carried = [(element.name,) if element in asked else () for _, element in elements]
    traps = tuple(element for _, element in ranked[len(asked) :])
    return _Worked(stated, asked, carried, {"value": ranked[0][0]}, traps)


def _ordinal(value: str) -> int:
    """A number, or the number of a day that is written year first."""
    return date.fromisoformat(value).toordinal() if "-" in value[1:] else int(value)


def _counted(writer: TemplateWriter, write: _Write, compute: Compute, k: int) -> _Worked:
    """How many have the choice that is counted: those needles carry the number, which is in none.

    It is from 2 to ``k`` - 1: "one" is in every text, and ``k`` itself in "three of the seven".
    """
    options, rng = _choices(writer, compute), writer.values.random("count")
    counted, *others = rng.sample(options, len(options))
    number = rng.randint(2, k - 1)
    choices = [counted] * number + [rng.choice(others) for _ in range(k - number)]
    rng.shuffle(choices)
    element = Element(str(number), number_words(number), derived=True)
    stated = [write({compute.of: choice}) for choice in choices]
    carried = [(element.name,) if choice == counted else () for choice in choices]
    return _Worked(stated, (element,), carried, {"counted": counted})


def _commonest(writer: TemplateWriter, write: _Write, compute: Compute, k: int) -> _Worked:
    """The choice that most needles have, by two at least; these carry it, though others name it too."""
    options, rng = _choices(writer, compute), writer.values.random("commonest")
    first, *others = rng.sample(options, len(options))
    # Of the rest each has two fewer at most: shared out evenly they would have ``even`` each.
    least = -(-(k - 2) // len(options)) + 2
    number = rng.randint(min(least, k), min(least + k // len(options), k))
    choices = [first] * number + [others[place % len(others)] for place in range(k - number)]
    rng.shuffle(choices)
    stated = [write({compute.of: choice}) for choice in choices]
    traps = tuple(Element(other) for other in others if other in choices)
    carried = [(first,) if choice == first else () for choice in choices]
    return _Worked(stated, (Element(first, derived=True),), carried, {}, traps)


def _summed(writer: TemplateWriter, write: _Write, compute: Compute, k: int) -> _Worked:
    """The sum of the numbers for each of three names; no sum is equal to another, or to a number."""
    rng, names = writer.values.random("sums"), [writer.draw(compute.by) for _ in range(SUMS)]
    owners = [*names, *names, *(rng.choice(names) for _ in range(k - 2 * SUMS))]
    rng.shuffle(owners)
    while True:
        numbers = [writer.draw(compute.of) for _ in owners]
        sums = dict.fromkeys(names, 0)
        for name, number in zip(owners, numbers, strict=True):
            sums[name] += int(number)
        totals = {name: str(total) for name, total in sums.items()}
        if len({*totals.values(), *numbers}) == len(set(numbers)) + SUMS:
            break
    pairs = zip(owners, numbers, strict=True)
    stated = [write({compute.by: name, compute.of: number}) for name, number in pairs]
    elements = tuple(Element(total, key=name, derived=True) for name, total in totals.items())
    listed = join_names(tuple(f"{name} {total}" for name, total in totals.items()))
    return _Worked(stated, elements, [(totals[name],) for name in owners], {"totals": listed})


def _choices(writer: TemplateWriter, compute: Compute) -> list[str]:
    return list(dict.fromkeys(choices_of(writer.family.each[compute.of])))
