from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numba import njit

from niah.text.scanning.characters import SPACE, WORD, characters
from niah.text.scanning.kernels.bits import (
    copy_block,
    eight_bytes,
    high_bits,
    later_bits,
    leading_zeros,
    letter_bits,
    odd_bits,
    ones,
    space_bits,
    stop_bits,
    trailing_zeros,
)
from niah.text.scanning.kernels.short_span_kernel import MAYBE_SPACE, MAYBE_STOP
from niah.text.scanning.short_spans import _leads


@njit
def every_kind(text: Any, place: Any) -> Any:
    return (
        letter_bits(text, place),
        odd_bits(text, place),
        stop_bits(text, place),
        space_bits(text, place),
        high_bits(text, place),
        later_bits(text, place),
    )


@njit
def counted(word: Any) -> Any:
    return trailing_zeros(word), leading_zeros(word), ones(word)


@njit
def loaded(text: Any, place: Any, found: Any, at: Any) -> Any:
    copy_block(text, place, found, at)
    return eight_bytes(text, place)


def kinds_of_all_bytes() -> list[list[bool]]:
    """For each function, which of the 256 bytes it tells."""
    text = np.arange(256, dtype=np.uint8)
    found: list[list[bool]] = [[] for _ in range(6)]
    for first in range(0, 256, 64):
        for kind, word in zip(found, every_kind(text, np.uint64(first)), strict=True):
            kind += [bool(int(word) >> k & 1) for k in range(64)]
    return found


def test_bytes_are_told_as_the_tables_tell_them() -> None:
    letters, odd, _, spaces, high, later = kinds_of_all_bytes()
    classes = characters(True).classes
    for byte in range(256):
        is_ascii = byte < 128
        assert letters[byte] == (is_ascii and chr(byte).isalpha())
        assert odd[byte] == (not is_ascii or (bool(classes[byte] & WORD) and not letters[byte]))
        assert high[byte] == (not is_ascii)
        assert later[byte] == (byte & 0xC0 == 0x80)
        if is_ascii and classes[byte] & SPACE:
            assert spaces[byte]


@pytest.mark.parametrize("ascii_only", [True, False])
def test_what_may_start_a_stop_or_white_space_is_met(ascii_only: bool) -> None:
    _, _, stops, spaces, _, _ = kinds_of_all_bytes()
    leads = _leads(ascii_only)
    assert all(stops[byte] for byte in range(256) if leads[byte] & MAYBE_STOP)
    assert all(spaces[byte] for byte in range(256) if leads[byte] & (1 | MAYBE_SPACE))


@given(st.integers(0, 2**64 - 1))
@example(0)
@example(2**64 - 1)
def test_bits_are_counted(word: int) -> None:
    written = f"{word:064b}"
    expected = 64 - len(written.rstrip("0")), 64 - len(written.lstrip("0")), written.count("1")
    assert tuple(map(int, counted(np.uint64(word)))) == expected


@settings(deadline=None)
@given(st.binary(min_size=64, max_size=90), st.integers(0, 9))
def test_bytes_are_loaded_from_any_place(content: bytes, at: int) -> None:
    place = len(content) - 64
    found = np.zeros(80, dtype=np.uint8)
    word = loaded(np.frombuffer(content, dtype=np.uint8), np.uint64(place), found, np.uint64(at))
    assert int(word) == int.from_bytes(content[place : place + 8], "little")
    assert found.tobytes() == bytes(at) + content[place:] + bytes(16 - at)
