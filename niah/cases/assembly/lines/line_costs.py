"""What an insert costs on a line of its own, where no token reaches over a line's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joins import LINE_END
from niah.cases.assembly.token_merges import tokens_within
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer


class LineCosts(NamedTuple):
    """Tokens of an insert as a line, next to what it costs behind a space.

    Attributes:
        tokens: of the line with its end.
        opening: how many more its beginning has behind a line's end than behind a space.
        closing: how many more its end has before a line's end than before a space.
    """

    tokens: int
    opening: int
    closing: int


class LineUnit(NamedTuple):
    """A needle that stands on a line of its own.

    Attributes:
        head: its id, text and elements.
        line: its text with the line's end.
        costs: of the line.
        insert: the needle.
    """

    head: tuple[str, str, tuple[str, ...]]
    line: str
    costs: LineCosts
    insert: Insert


def line_units(tokenizer: Tokenizer, units: Sequence[Insert]) -> tuple[LineUnit, ...] | None:
    """Needles as lines; None where one of them is none."""
    found = list[LineUnit]()
    for unit in units:
        costs = line_costs(tokenizer, unit.text) if unit.role == "needle" else None
        if costs is None:
            return None
        found.append(LineUnit((unit.id, unit.text, unit.elements), unit.text + LINE_END, costs, unit))
    return tuple(found)


def line_costs(tokenizer: Tokenizer, text: str) -> LineCosts | None:
    """The costs of a text; None where it cannot be told apart from the lines around it."""
    if not text[:1].isalnum() or text[-1:].isspace():
        return None
    spaced = tokens_within(tokenizer, BEFORE, f" {text}", AFTER)
    opening = tokens_within(tokenizer, BEFORE + LINE_END, text, AFTER) - spaced
    closing = tokens_within(tokenizer, BEFORE, f" {text}{LINE_END}", AFTER.lstrip()) - spaced
    tokens = tokens_within(tokenizer, BEFORE + LINE_END, text + LINE_END, AFTER.lstrip())
    return LineCosts(tokens, opening, closing) if tokens == spaced + opening + closing else None
