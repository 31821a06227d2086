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

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class AnswerCard:
    """What the first screen says of one reader.

    Attributes:
        line: its sentences.
        blind: (sentence, weakest cell or "", address of that cell's trials, worst and best depth or "").
        why: (sentence, most frequent cause, address of its trials).
    """

    line: Headline
    blind: tuple[tuple[str, str, str, str], ...]
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
            (each.says, each.weakest, _address(run, line.reader, each.strategy, each.cell), each.depths)
            for each in line.blind
        ),
        tuple(
            (says, cause, "#" + urlencode([*place, ("cause", cause)], quote_via=quote))
            for strategy in line.strategies
            for says, cause in (cause_words(frame, why, line.reader, strategy),)
            for place in ([("run", run), ("reader", line.reader), ("strategy", strategy)],)
            if cause
        ),
    )


def _address(run: str, reader: str, strategy: str, cell: Cell) -> str:
    """The fragment that opens a cell's trials."""
    depth = repr(cell.depth).removesuffix(".0")  # as the page's own script writes it
    place = (run, reader, strategy, str(cell.context_length), depth)
    return "#" + urlencode([("cell", name) for name in place], quote_via=quote)
