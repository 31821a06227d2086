"""The loops behind ``Utf8``: from byte to character offsets and back, each from the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Offsets = NDArray[np.int64]

_AT_ONCE = 32
"""Bytes that are ASCII or not, together."""


@compiled
def to_characters(text: Bytes, offsets: Offsets, found: Offsets) -> None:
    """Writes into ``found`` how many characters start before each byte offset."""
    byte, character = 0, 0
    for k in range(len(offsets)):
        target = offsets[k]
        for i in range(np.uint64(byte), np.uint64(target)):  # unsigned: no place from behind is meant
            character += (text[i] & 0xC0) != 0x80
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
    i, size = 0, len(text) - 1
    while i < size:
        bits = np.uint8(0)
        if i + _AT_ONCE <= size:
            for k in range(i, i + _AT_ONCE):
                bits |= text[k]
            if bits < 0x80:
                i += _AT_ONCE
                continue
        for k in range(i, min(i + _AT_ONCE, size)):
            if text[k] >= 0x80 and starts[text[k], text[k + 1]]:
                return True
        i += _AT_ONCE
    return False
