"""A reader's card on the first screen: its sentences, and the address of the cell that each speaks of."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote, urlencode

from niah.analysis.cells import Cell
from niah.plots.headlines.headline import Headline
from niah.plots.kit.labels import octave_label


@dataclass(frozen=True)
class AnswerCard:
    """What the first screen says of one reader.

    Attributes:
        line: its sentences.
        blind: (sentence, weakest cell, address of that cell's trials).
    """

    line: Headline
    blind: tuple[tuple[str, str, str], ...]


def answer_card(run: str, line: Headline) -> AnswerCard:
    """The card of a reader of the run of that name."""
    return AnswerCard(
        line,
        tuple(
            (each.says, each.weakest, _address(run, line.reader, each.strategy, each.cell))
            for each in line.blind
        ),
    )


def _address(run: str, reader: str, strategy: str, cell: Cell) -> str:
    """The fragment that opens a cell's trials; a given document has no depth, and a band for its length."""
    known = cell.depth == cell.depth
    length = str(cell.context_length) if known else octave_label(cell.context_length)
    place = (run, reader, strategy, length, f"{cell.depth:g}" if known else "null")
    return "#" + urlencode([("cell", name) for name in place], quote_via=quote)
