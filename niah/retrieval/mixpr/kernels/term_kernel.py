"""The parts of ``stream_into`` that find terms in bytes, and their keys.

A term's key is its lower-case UTF-8, 8 bytes to a word of 64 bits, padded with zeros, which no term contains;
the second word of a longer one is a hash with a highest byte that no UTF-8 has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from niah.text.scanning.characters import DIGIT, MARK, WORD
from niah.text.scanning.compiled import compiled, inlined
from niah.text.scanning.kernels.bits import eight_bytes, letter_bits, odd_bits
from niah.text.scanning.kernels.character_kernel import class_at, code_point, next_character

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Number = Any  # int64, as numba sees it
    Bytes = NDArray[np.uint8]

SECOND = 0xC2B2AE3D27D4EB4F  # odd, with well mixed bits
_ALL = 0xFFFFFFFFFFFFFFFF
_LOWER = 0x2020202020202020
_IS_LONG = 0xFF << 56
_U = np.uint64


@compiled
def _class_and_next(text: Bytes, classes: NDArray[np.uint16], i: Number) -> tuple[Number, Number]:
    return class_at(text, classes, i), next_character(text, i)


@compiled
def _number_end(text: Bytes, classes: NDArray[np.uint16], i: Number, end: Number) -> Number:
    r"""Where the match of ``\d+(?:[.,:]\d+)*\b`` at byte i ends, or i if there is none."""
    found = i
    while True:
        kind = 0
        while i < end:
            kind, after = _class_and_next(text, classes, i)
            if not kind & DIGIT:
                break
            i = after
        if i < end and kind & WORD:
            return found
        found = i
        if i + 1 >= end or not (text[i] == 0x2E or text[i] == 0x2C or text[i] == 0x3A):
            return found
        kind, _ = _class_and_next(text, classes, i + 1)
        if not kind & DIGIT:
            return found
        i += 1


@compiled
def _lowered_word(
    text: Bytes, classes: NDArray[np.uint16], lower: NDArray[np.uint32], i: Number, end: Number, term: Bytes
) -> tuple[Number, Number]:
    """Writes the lower case of the word at byte i, marks included; returns how many bytes, and its end."""
    size = 0
    while i < end:
        point, after = code_point(text, i), next_character(text, i)
        if point >= len(classes) or not classes[point] & (WORD | MARK):
            break
        small = np.int64(lower[point])
        if small < 0x80:
            term[size] = small
            size += 1
        elif small < 0x800:
            term[size] = 0xC0 | small >> 6
            term[size + 1] = 0x80 | small & 0x3F
            size += 2
        elif small < 0x10000:
            term[size] = 0xE0 | small >> 12
            term[size + 1] = 0x80 | small >> 6 & 0x3F
            term[size + 2] = 0x80 | small & 0x3F
            size += 3
        else:
            term[size] = 0xF0 | small >> 18
            term[size + 1] = 0x80 | small >> 12 & 0x3F
            term[size + 2] = 0x80 | small >> 6 & 0x3F
            term[size + 3] = 0x80 | small & 0x3F
            size += 4
        i = after
    return size, i


@inlined
def window(text: Bytes, i: Number, end: Number) -> tuple[Any, Any]:
    """Of 64 bytes from byte i on, which are ASCII letters, and which else may be of terms; none after end."""
    letters, odd = np.uint64(0), np.uint64(0)
    if i + 80 <= len(text):
        letters = letter_bits(text, _U(i))
        odd = odd_bits(text, _U(i))
    else:
        for k in range(min(64, len(text) - i)):
            byte = text[_U(i + k)]
            word = 0x30 <= byte <= 0x39 or 0x61 <= byte | 0x20 <= 0x7A or byte == 0x5F or byte >= 0x80
            odd |= np.uint64(word) << np.uint64(k)
    if end - i < 64:
        kept = (_U(1) << _U(end - i)) - _U(1)
        letters &= kept
        odd &= kept
    return letters, odd


@inlined
def plain_key(text: Bytes, i: Number, length: Number) -> tuple[Any, Any]:
    """The key of the word of fewer than 16 ASCII letters at byte i."""
    low = (eight_bytes(text, _U(i)) | _U(_LOWER)) & (_U(_ALL) >> _U(64 - 8 * min(length, 8)))
    more = max(length - 8, 0)
    high = (eight_bytes(text, _U(i + 8)) | _U(_LOWER)) & ((_U(1) << _U(8 * more)) - _U(1))
    return low, high


@compiled
def any_term(
    text: Bytes, classes: NDArray[np.uint16], lower: NDArray[np.uint32], i: Number, end: Number, term: Bytes
) -> tuple[Number, Any, Any, Number]:
    """The length and key of whatever term is at byte i, written into ``term``, and its end; 0 for none."""
    length: Number = 0
    low, high = np.uint64(0), np.uint64(0)
    kind, after = _class_and_next(text, classes, i)
    if kind & WORD:
        after = i
        if kind & DIGIT:
            after = _number_end(text, classes, i, end)
            length = after - i
            for k in range(length):
                term[k] = text[i + k]
        if after == i:
            length, after = _lowered_word(text, classes, lower, i, end, term)
        for k in range(length, length + 16):
            term[k] = 0
        low = eight_bytes(term, _U(0))
        high = eight_bytes(term, _U(8))
        for k in range(16, length):
            high = (high ^ np.uint64(term[k])) * np.uint64(SECOND)
        if length > 16:
            high |= np.uint64(_IS_LONG)
    return length, low, high, after
