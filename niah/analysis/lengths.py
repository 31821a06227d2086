"""Context lengths in words, and the bands of given documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, log2


def length_labels(lengths: Sequence[int]) -> list[str]:
    """Context lengths in tokens as people say them: "512", "1k", "1.5k", "128k", "1M".

    Where two different ones would read the same (1000 and 1024), these are written out.
    """
    labels = Counter(map(_label, set(lengths)))
    return [str(length) if labels[_label(length)] > 1 else _label(length) for length in lengths]


def _label(length: int) -> str:
    # Thousands first: 128000 is also 125 x 1024, and no one means that.
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
