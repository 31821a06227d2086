"""What a run found, in the sentences that stand below its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from niah.plots.headlines.best_reader import best_reader
from niah.plots.headlines.headline import headlines, reused_words

if TYPE_CHECKING:
    from pandas import DataFrame


def finding_lines(frame: DataFrame) -> Iterator[str]:
    """What is not of this run, which reader is best, where full context falls behind, and what to send."""
    if reused := reused_words(frame):
        yield f"{reused}: nothing was spent on them."
    if readers := best_reader(frame):
        yield f"{readers}."
    for line in headlines(frame):
        if line.crossover:
            says = (line.crossover.finding, line.crossover.advice)
            yield f"{line.reader}: {'. '.join(filter(None, says))}."
