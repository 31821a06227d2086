"""What a run found, in the sentences that stand below its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from niah.plots.words import best_reader_words, findings, reused_words

if TYPE_CHECKING:
    from pandas import DataFrame


def finding_lines(frame: DataFrame) -> Iterator[str]:
    """What is not of this run, which model is ahead, and what is found of each."""
    yield from (f"{words}." for words in (reused_words(frame), best_reader_words(frame)) if words)
    for found in findings(frame):
        whose = f"{found.reader}: " if frame["reader"].nunique() > 1 else ""
        yield from (f"{whose}{line}" for line in found.lines)
