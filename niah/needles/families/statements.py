"""More statements like a family's distractors, as many as a whole context needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from niah.needles.conversations.draw_conversation import further_turns
from niah.needles.element_finder import ElementFinder
from niah.needles.families.links.chains import decoy_statements
from niah.needles.families.links.graphs import edges_elsewhere
from niah.needles.families.writer import TemplateWriter
from niah.needles.needle_set import Element, NeedleSet

_CHANGES = 40
"""Other values of the set's slots in one batch of statements, each of many: as the needles share theirs."""


def further_statements(writer: TemplateWriter, drawn: NeedleSet, k: int, number: int) -> list[str]:
    """About so many statements, in no order: of decoy chains, edges elsewhere, other keys or sets.

    Of a conversation, its other turns, as many as are an instance's.

    Args:
        writer: of the family, whose values may come again.
        drawn: the needle set beside which they stand; none mentions one of its elements or keys.
        k: its size.
        number: how many.
    """
    family = writer.family
    if family.conversation:
        return further_turns(writer, family.conversation, drawn)
    if family.chain:
        statements = decoy_statements(writer, family.chain, k, number)
    elif family.graph:
        statements = edges_elsewhere(writer, family.graph, number)
    else:
        statements = list(_like_needles(writer, number))
    writer.values.random("statements").shuffle(statements)
    return _without_answers(statements, drawn)


def _like_needles(writer: TemplateWriter, number: int) -> Iterator[str]:
    """Needles of other keys; where a family has none, of other sets."""
    templates = writer.templates("needles", writer.family.needles)
    changes = [writer.changed(place) for place in range(_CHANGES)]
    rng = writer.values.random("changes")
    for _ in range(number):
        yield writer.write(next(templates), rng.choice(changes)).text


def _without_answers(statements: Sequence[str], drawn: NeedleSet) -> list[str]:
    keys = (Element(element.key) for element in drawn.elements if element.key)
    mentioned = ElementFinder((*drawn.stated, *keys))
    return [statement for statement in statements if not mentioned(statement)]
