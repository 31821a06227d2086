"""A reader's card on the first screen: its sentences, and the address of the cell that each speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from niah.analysis.causes.causes import Cause
from niah.analysis.cells import Cell
from niah.plots.headlines.cause_words import cause_words
from niah.plots.headlines.headline import Headline
from niah.plots.kit.labels import octave_label

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class AnswerCard:
    """What the first screen says of one reader.

    Attributes:
        line: its sentences.
        blind: (sentence, weakest cell, address of that cell's trials).
        why: (sentence, most frequent cause, address of its trials), of the same strategies.
    """

    line: Headline
    blind: tuple[tuple[str, str, str], ...]
    why: tuple[tuple[str, str, str], ...]


def answer_card(run: str, line: Headline, frame: DataFrame, why: Mapping[str, Cause]) -> AnswerCard:
    """The card of a reader.

    Args:
        run: its name.
        line: the reader's sentences.
        frame: the run's trials.
        why: by trial id, as ``causes`` gives it.
    """
    return AnswerCard(
        line,
        tuple(
            (each.says, each.weakest, _address(run, line.reader, each.strategy, each.cell))
            for each in line.blind
        ),
        tuple(
            (says, cause, "#" + urlencode([*place, ("cause", cause)], quote_via=quote))
            for each in line.blind
            for says, cause in (cause_words(frame, why, line.reader, each.strategy),)
            for place in ([("run", run), ("reader", line.reader), ("strategy", each.strategy)],)
            if cause
        ),
    )


def _address(run: str, reader: str, strategy: str, cell: Cell) -> str:
    """The fragment that opens a cell's trials; a given document has no depth, and a band for its length."""
    known = cell.depth == cell.depth
    length = str(cell.context_length) if known else octave_label(cell.context_length)
    place = (run, reader, strategy, length, f"{cell.depth:g}" if known else "null")
    return "#" + urlencode([("cell", name) for name in place], quote_via=quote)
