"""Walks of compiled loops over UTF-8, a character at a time.

Arguments are plain arrays and integers: ``text`` uint8, ``classes`` as in ``niah.text.scanning.characters``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.scanning.characters import NEWLINE, SPACE
from niah.text.scanning.compiled import compiled

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Number = Any  # int64, as numba sees it
    Bytes = NDArray[np.uint8]
    Classes = NDArray[np.uint16]

# A place read as this is not below 0: of a signed one numba asks whether it counts from behind.
_U = np.uint64


@compiled
def code_point(text: Bytes, i: Number) -> Number:
    """The character that starts at byte i."""
    first = np.int64(text[_U(i)])
    if first < 0x80:
        return first
    second = np.int64(text[_U(i + 1)]) & 0x3F
    if first < 0xE0:
        return (first & 0x1F) << 6 | second
    third = np.int64(text[_U(i + 2)]) & 0x3F
    if first < 0xF0:
        return (first & 0x0F) << 12 | second << 6 | third
    return (first & 0x07) << 18 | second << 12 | third << 6 | np.int64(text[_U(i + 3)]) & 0x3F


@compiled
def class_at(text: Bytes, classes: Classes, i: Number) -> Number:
    """The class of the character that starts at byte i."""
    point = code_point(text, i)
    return np.int64(classes[_U(point)]) if point < len(classes) else 0


@compiled
def next_character(text: Bytes, i: Number) -> Number:
    """Where the character after the one at byte i starts."""
    first = text[_U(i)]
    if first < 0x80:
        return i + 1
    if first < 0xE0:
        return i + 2
    return i + 3 if first < 0xF0 else i + 4


@compiled
def previous_character(text: Bytes, i: Number) -> Number:
    """Where the character before byte i starts."""
    i -= 1
    while text[_U(i)] & 0xC0 == 0x80:
        i -= 1
    return i


@compiled
def word_end(text: Bytes, classes: Classes, i: Number, end: Number) -> Number:
    """The first white space from byte i on, or ``end``."""
    while i < end:
        byte = text[_U(i)]
        if byte < 0x80:
            if classes[byte] & SPACE:
                return i
            i += 1
        elif class_at(text, classes, i) & SPACE:
            return i
        else:
            i = next_character(text, i)
    return end


@compiled
def space_end(text: Bytes, classes: Classes, i: Number, end: Number) -> tuple[Number, Number]:
    """The first character from byte i on that is no white space, or ``end``; and the newlines before it."""
    newlines = 0
    while i < end:
        kind = class_at(text, classes, i)
        if not kind & SPACE:
            break
        newlines += (kind & NEWLINE) != 0
        i = next_character(text, i)
    return i, newlines
