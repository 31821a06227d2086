"""Context lengths as reports part and name them: each of a grid's, or bands of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, log2
from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.frame import coded_column, is_length_grid
from niah.analysis.row_parts import Coded, row_parts
from niah.analysis.trial_columns import Trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

FEW_LENGTHS = 8
"""So many lengths of a grid stand in a table each by itself."""


def length_groups(
    frame: Trials, *by: str, rows: NDArray[np.intp] | None = None
) -> Iterator[tuple[tuple[str, ...], int | str, NDArray[np.intp]]]:
    """Names, length and rows of each group of trials that has any, as ``row_groups`` has them, lengths last.

    A grid's lengths are those that were asked for, in tokens; where there are many, and not all in one of
    ``LENGTH_BANDS``, these. Given documents are as long as they are: bands, as on axes of figures ("2k–4k").

    Args:
        frame: of trials; all of them say how lengths are parted, so that tables of one report do it alike.
        by, rows: as for ``row_groups``.
    """
    lengths, places = np.unique(np.asarray(frame["context_length"]), return_inverse=True)
    shown: Sequence[int | str] = lengths.tolist()
    if not is_length_grid(frame):
        uppers, of_lengths = np.unique([octave(length) for length in lengths.tolist()], return_inverse=True)
        places, shown = of_lengths[places], [octave_label(upper) for upper in uppers.tolist()]
    elif len(shown) > FEW_LENGTHS:
        bands = coded_column(frame, "length_band")
        if len(np.unique(bands.codes)) > 1:
            places, shown = bands.codes.astype(np.intp), bands.names
    parts = [*(coded_column(frame, name) for name in by), Coded(places, tuple(map(str, shown)))]
    known = dict(zip(map(str, shown), shown, strict=True))
    for (*names, part), members in row_parts(parts, rows):
        yield tuple(names), known[part], members


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


def octave(length: int) -> int:
    """The upper border of a length's band, where lengths are no grid; each is twice as long as the last."""
    return 1 << ceil(log2(max(length, 1)))


def octave_label(upper: int) -> str:
    """A band of lengths by its borders: "2k–4k"."""
    return "–".join(length_labels([upper // 2, upper]))
