"""How lengths, depths, outcomes and means are written in figures and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

from niah.runs.trial import Outcome

SHORT_OUTCOMES: Mapping[Outcome, str] = {
    "refused": "refus",
    "truncated": "trunc",
    "overflow": "over",
    "reader_error": "error",
    "judge_error": "judge",
    "not_run": "–",
}
"""Outcomes in a cell's few letters."""

_TENTH = Decimal("0.1")


def length_labels(lengths: Sequence[int]) -> list[str]:
    """Context lengths in tokens as people say them: "512", "1k", "1.5k", "128k", "1M".

    Where two different ones would read the same (1000 and 1024), these are written out.
    """
    spoken = Counter(map(_length, set(lengths)))
    return [str(length) if spoken[_length(length)] > 1 else _length(length) for length in lengths]


def _length(length: int) -> str:
    # Thousands first: 128000 is also 125 x 1024, and nobody means that.
    for base in (1000, 1024):
        for power, unit in ((2, "M"), (1, "k")):
            if length >= base**power and length % base**power == 0:
                return f"{length // base**power}{unit}"
    return str(length) if length < 1000 else f"{length / 1000:.3g}k"


def depth_label(depth: float) -> str:
    """A depth, 0 to 100: "25 %"."""
    return f"{depth:g} %"


def outcome_label(outcome: Outcome) -> str:
    """An outcome in words: "reader error"."""
    return outcome.replace("_", " ")


def mean_label(mean: float) -> str:
    """A mean score with one decimal; a full 10 without. Halves go up, as in the page's own script."""
    return "10" if mean == 10 else str(Decimal(mean).quantize(_TENTH, ROUND_HALF_UP))


def amount_label(amount: int | None) -> str:
    """A number of tokens, short: "812", "48.3k", "1.2M"; "–" where it is not known."""
    if amount is None:
        return "–"
    for size, unit in ((1_000_000, "M"), (1000, "k")):
        if amount >= size * 0.9995:
            scaled = amount / size
            return f"{scaled:.1f}{unit}" if scaled < 99.95 else f"{scaled:.0f}{unit}"
    return str(amount)


def duration_label(seconds: float | None) -> str:
    """A duration, short: "0.4 s", "73 s", "12 min", "3.4 h"; "–" where it is not known."""
    if seconds is None:
        return "–"
    if seconds < 99.5:
        return f"{seconds:.1f} s" if seconds < 9.95 else f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5970 else f"{seconds / 3600:.1f} h"
