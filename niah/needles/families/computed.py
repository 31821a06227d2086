"""Answers that are worked out from what the needles say: the greatest, the least, all in order, how many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from niah.needles.families.facts import near_misses
from niah.needles.families.passages import Composer
from niah.needles.families.schema import ComputeFile
from niah.needles.families.writer import FamilyDraw, FilledTemplate, TemplateWriter
from niah.needles.needle_set import Element, Needle
from niah.needles.number_words import number_words


@dataclass(frozen=True)
class _Worked:
    """What was stated, and the answer to it.

    Attributes:
        stated: a text for each needle.
        elements: of the answer.
        carried: of these, the names that each needle carries.
        traps: the other elements that the needles mention.
        extra: what question and answer may say besides.
    """

    stated: Sequence[FilledTemplate]
    elements: tuple[Element, ...]
    carried: Sequence[tuple[str, ...]]
    traps: tuple[Element, ...]
    extra: dict[str, str]


def draw_computed(
    writer: TemplateWriter, compute: ComputeFile, k: int, near: int, composer: Composer | None
) -> FamilyDraw:
    """``k`` needles, the answer that follows from all of them, and ``near`` hard distractors at most.

    No two needles tell of the same element or have the same number, so that there are no ties.
    """
    templates = writer.templates("needles", writer.family.needles)
    worked = (_counted if compute.is_count else _compared)(writer, templates, compute, k)
    texts = (composer.compose([each.text]) if composer else each.text for each in worked.stated)
    return FamilyDraw(
        elements=worked.elements,
        needles=tuple(
            Needle(f"needle-{place}", text, carried)
            for place, (text, carried) in enumerate(zip(texts, worked.carried, strict=True), 1)
        ),
        traps=worked.traps,
        hard=near_misses(writer, templates, near, composer),
        extra=worked.extra,
        ordered=compute.is_order,
    )


def _compared(writer: TemplateWriter, templates: Iterator[str], compute: ComputeFile, k: int) -> _Worked:
    """The elements sorted by number: all of them, or the first; then the others are traps."""
    stated = [writer.write(next(templates), {compute.of: writer.draw(compute.of)}) for _ in range(k)]
    told = [(int(each.values[compute.of]), writer.element(each)) for each in stated]
    ranked = sorted(told, key=lambda each: each[0], reverse=compute.answer in ("greatest", "descending"))
    asked = tuple(element for _, element in (ranked if compute.is_order else ranked[:1]))
    return _Worked(
        stated,
        asked,
        [(element.name,) if element in asked[:1] or compute.is_order else () for _, element in told],
        tuple(element for _, element in ranked[len(asked) :]),
        {"value": str(ranked[0][0])},
    )


def _counted(writer: TemplateWriter, templates: Iterator[str], compute: ComputeFile, k: int) -> _Worked:
    """How many have the choice that is counted: those needles carry the number, which stands in none.

    The number is drawn first, from 2 to ``k`` - 1, each as likely as another: "one" stands in every text, and
    ``k`` itself in "three of the seven".
    """
    slot = writer.family.each[compute.of]
    assert not isinstance(slot, str)
    options = list(dict.fromkeys(slot.one_of))
    rng = writer.values.random("count")
    counted, *others = rng.sample(options, len(options))
    number = rng.randint(2, k - 1)
    choices = [counted] * number + [rng.choice(others) for _ in range(k - number)]
    rng.shuffle(choices)
    element = Element(str(number), number_words(number), derived=True)
    return _Worked(
        [writer.write(next(templates), {compute.of: choice}) for choice in choices],
        (element,),
        [(element.name,) if choice == counted else () for choice in choices],
        (),
        {"counted": counted},
    )
