"""The loops behind ``Utf8``: from byte to character offsets and back, each from the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.text.scanning.compiled import compiled
from niah.text.scanning.kernels.bits import copy_block, high_bits, later_bits, ones, trailing_zeros
from niah.text.scanning.kernels.character_kernel import class_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Offsets = NDArray[np.int64]

_U = np.uint64


@compiled
def to_characters(text: Bytes, offsets: Offsets, found: Offsets) -> None:
    """Writes into ``found`` how many characters start before each byte offset."""
    byte, character = 0, 0
    for k in range(len(offsets)):
        target = offsets[k]
        while byte + 64 <= target:
            character += 64 - ones(later_bits(text, _U(byte)))
            byte += 64
        for i in range(byte, target):
            character += (text[_U(i)] & 0xC0) != 0x80
        for i in range(target, byte):
            character -= (text[i] & 0xC0) != 0x80
        byte = target
        found[k] = character


@compiled
def to_bytes(text: Bytes, offsets: Offsets, found: Offsets) -> None:
    """Writes into ``found`` the byte at which each character starts; the text's end after the last one."""
    size = len(text)
    byte, character = 0, 0
    for k in range(len(offsets)):
        target = offsets[k]
        while character + 64 <= target and byte + 64 <= size:
            character += 64 - ones(later_bits(text, _U(byte)))
            byte += 64
            while byte < size and text[_U(byte)] & 0xC0 == 0x80:
                byte += 1
        while character < target and byte < size:
            byte += 1
            while byte < size and text[byte] & 0xC0 == 0x80:
                byte += 1
            character += 1
        while character > target:
            byte -= 1
            while text[byte] & 0xC0 == 0x80:
                byte -= 1
            character -= 1
        found[k] = byte


@compiled
def has_start(text: Bytes, starts: NDArray[np.bool_]) -> bool:
    """Whether a character begins with two bytes that are marked in ``starts``, shape (256, 256)."""
    size = len(text)
    for first in range(0, size - 64, 64):
        high = high_bits(text, _U(first))
        while high:
            i = _U(first) + trailing_zeros(high)
            if starts[text[i], text[i + _U(1)]]:
                return True
            high &= high - _U(1)
    for i in range(max(size - 1, 0) // 64 * 64, size - 1):
        if text[i] >= 0x80 and starts[text[i], text[i + 1]]:
            return True
    return False


@compiled
def places_into(text: Bytes, classes: NDArray[np.uint16], kind: int, found: Offsets) -> int:
    """Writes where characters of a class begin that are not ASCII, while there is room; returns how many."""
    n = 0
    for first in range(0, len(text), 64):
        last = min(first + 64, len(text))
        if last - first == 64 and not high_bits(text, _U(first)):
            continue
        for i in range(first, last):
            if text[_U(i)] >= 0xC0 and class_at(text, classes, i) & kind:
                if n < len(found):
                    found[_U(n)] = i
                n += 1
    return n


@compiled
def widened_into(latin: Bytes, found: Bytes) -> int:
    """Writes Latin-1 as UTF-8, for which there must be room for two bytes a character; returns its bytes."""
    at, i = 0, 0
    while i < len(latin):
        if i + 64 <= len(latin) and not high_bits(latin, _U(i)):
            copy_block(latin, _U(i), found, _U(at))
            at += 64
            i += 64
            continue
        for k in range(i, min(i + 64, len(latin))):
            byte = latin[_U(k)]
            if byte < 0x80:
                found[_U(at)] = byte
                at += 1
            else:
                found[_U(at)] = 0xC0 | byte >> 6
                found[_U(at + 1)] = 0x80 | byte & 0x3F
                at += 2
        i += 64
    return at
