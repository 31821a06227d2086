"""The loops around an 8-bit product: into integers before it, back to numbers after it, each in one pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Integers = NDArray[np.int32]

_ROUNDING = np.float32(1.5 * 2**23)
"""What is added to a small number loses all behind the point, to the nearest even."""

_WITHOUT_SIGN = np.int32(0x7FFFFFFF)
_NOTHING = np.float32(1e-30)


@compiled
def quantise(
    rows: Floats, bits: Integers, numbers: NDArray[np.int8], edges: Floats, edge_bits: Integers
) -> None:
    """Writes each row as integers from -127, for its least number or 0, to 127, for its greatest or 0.

    Args:
        rows: shape (rows, columns).
        bits: the same memory as integers.
        numbers: for the integers, shape (rows, columns).
        edges: for the scale of each row's integers and what an integer of 0 stands for, shape (rows, 2).
        edge_bits: the same memory as integers.
    """
    for i in range(len(rows)):
        # Numbers in order, as integers: loops that compare integers are done many at a time.
        least = greatest = np.int32(0)
        for j in range(rows.shape[1]):
            ordered = bits[i, j] ^ ((bits[i, j] >> np.int32(31)) & _WITHOUT_SIGN)
            least, greatest = min(least, ordered), max(greatest, ordered)
        edge_bits[i, 0], edge_bits[i, 1] = greatest, least ^ ((least >> np.int32(31)) & _WITHOUT_SIGN)
        lowest = edges[i, 1]
        width = edges[i, 0] - lowest
        scale = width / np.float32(254)
        factor = np.float32(254) / width if width > _NOTHING else np.float32(0)
        edges[i, 0], edges[i, 1] = scale, lowest + np.float32(127) * scale
        for j in range(rows.shape[1]):
            rounded = ((rows[i, j] - lowest) * factor + _ROUNDING) - _ROUNDING
            numbers[i, j] = np.int8(rounded - np.float32(127))


@compiled
def rescale(
    products: Integers, edges: Floats, scales: Floats, sums: Floats, bias: Floats, out: Floats
) -> None:
    """Writes what ``products`` stand for.

    Args:
        products: of the integers of rows and of weights, shape (rows, outputs).
        edges: of the rows, as ``quantise`` has them.
        scales: of each output's weights.
        sums: of each output's weights, as numbers.
        bias: of each output.
        out: shape (rows, outputs).
    """
    for i in range(len(products)):
        scale, middle = edges[i, 0], edges[i, 1]
        for j in range(products.shape[1]):
            out[i, j] = np.float32(products[i, j]) * (scale * scales[j]) + (middle * sums[j] + bias[j])
