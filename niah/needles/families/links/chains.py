"""Chains: one statement leads to the next, and decoy chains that no step ever joins to the true one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from niah.needles.families.passages import Composer
from niah.needles.families.schema import ChainFile
from niah.needles.families.writer import FamilyDraw, FilledTemplate, TemplateWriter
from niah.needles.needle_set import Distractor, Element, Needle


@dataclass(frozen=True)
class _Chain:
    """What is linked, first to last; what stands at the end; and the statements, one a link."""

    names: tuple[str, ...]
    value: str
    statements: tuple[FilledTemplate, ...]


def draw_chain(
    writer: TemplateWriter, chain: ChainFile, hops: int, near: int, composer: Composer | None
) -> FamilyDraw:
    """A chain of so many hops, and at least two decoy chains and ``near`` hard distractors.

    Each statement stands in a long passage of its own, where there is a composer.

    What is asked for follows from the family's element: the value at the end, every name that leads to it, or
    the last name; with ``steps`` every name behind the first.
    """
    steps = (writer.templates("links", chain.links), writer.templates("ends", chain.ends))
    true = _draw(writer, chain, hops, steps, composer)
    decoys = [
        _draw(writer, chain, hops, steps, composer) for _ in range(max(2, -(-near // len(true.statements))))
    ]
    elements = _elements(writer, chain, true)
    names = {element.name for element in elements}
    needles = tuple(
        Needle(f"link-{position + 1}", statement.text, tuple(_told(statement, names)))
        for position, statement in enumerate(true.statements)
    )
    return FamilyDraw(
        elements,
        needles,
        hard=_distractors(writer, chain, decoys),
        extra={"start": true.names[0], "value": true.value},
        ordered=chain.steps and len(elements) > 1,
    )


def decoy_statements(writer: TemplateWriter, chain: ChainFile, hops: int, least: int) -> list[str]:
    """The statements of chains of so many hops, ``least`` statements or a few more, chain by chain."""
    steps = (writer.templates("links", chain.links), writer.templates("ends", chain.ends))
    statements = list[str]()
    while len(statements) < least:
        statements += [each.text for each in _draw(writer, chain, hops, steps).statements]
    return statements


def _draw(
    writer: TemplateWriter,
    chain: ChainFile,
    hops: int,
    steps: tuple[Iterator[str], Iterator[str]],
    composer: Composer | None = None,
) -> _Chain:
    links, ends = steps
    names = tuple(writer.draw(chain.name) for _ in range(hops + 1))
    statements = [
        writer.write(next(links), {"this": names[hop], "next": names[hop + 1]}) for hop in range(hops)
    ]
    value = writer.draw(chain.value) if chain.value else ""
    if chain.ends:
        statements.append(writer.write(next(ends), {"this": names[-1], "value": value}))
    if composer:
        statements = [FilledTemplate(composer.compose([each.text]), each.values) for each in statements]
    return _Chain(names, value, tuple(statements))


def _elements(writer: TemplateWriter, chain: ChainFile, drawn: _Chain) -> tuple[Element, ...]:
    if writer.family.element == chain.value:
        return (Element(drawn.value),)
    if chain.steps:
        return tuple(map(Element, drawn.names[1:]))
    return tuple(map(Element, drawn.names if chain.value else drawn.names[-1:]))


def _told(statement: FilledTemplate, names: set[str]) -> Iterator[str]:
    """The elements that a statement tells."""
    for slot in ("this", "next", "value"):
        if statement.values.get(slot) in names:
            yield statement.values[slot]


def _distractors(writer: TemplateWriter, chain: ChainFile, decoys: list[_Chain]) -> tuple[Distractor, ...]:
    distractors: list[Distractor] = []
    for decoy in decoys:
        wrong = {element.name for element in _elements(writer, chain, decoy)}
        for statement in decoy.statements:
            elements = tuple(map(Element, _told(statement, wrong)))
            distractors.append(Distractor(f"hard-{len(distractors) + 1}", statement.text, elements, "hard"))
    return tuple(distractors)
