"""The loops behind ``Utf8``: from byte to character offsets and back, each from the one before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]
    Offsets = NDArray[np.int64]


@compiled
def to_characters(text: Bytes, offsets: Offsets, found: Offsets) -> None:
    """Writes into ``found`` how many characters start before each byte offset."""
    byte, character = 0, 0
    for k in range(len(offsets)):
        target = offsets[k]
        for i in range(byte, target):
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
