"""A text as bytes that compiled loops read, and its offsets in bytes and in characters."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from niah.errors import UserError
from niah.text.scanning.characters import characters

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Offsets = NDArray[np.int64]

# From more characters on Python's encoder is worth going round.
_LONG = 100_000
# Characters encoded at a time, whose bytes stay near the processor.
_PIECE = 1 << 18
# Of a file, checked at a time.
_BLOCK = 1 << 24


@dataclass(frozen=True)
class Utf8:
    """UTF-8 (lone surrogates encoded like any other character).

    Attributes:
        data: uint8, read-only.
        is_ascii: bytes and characters are the same.
    """

    data: NDArray[np.uint8]
    is_ascii: bool

    @classmethod
    def of(cls, text: str) -> Utf8:
        """The bytes of a text."""
        if len(text) > _LONG and not text.isascii():
            try:
                return cls(_widened(text), False)
            except UnicodeEncodeError:  # most often soon
                pass
        encoded = text.encode("utf-8", "surrogatepass")
        return cls(np.frombuffer(encoded, dtype=np.uint8), text.isascii())

    @classmethod
    def of_file(cls, path: Path) -> Utf8:
        """The bytes of a text file, which stay there until they are looked at. Raises UserError."""
        try:
            data = np.asarray(np.memmap(path, dtype=np.uint8, mode="r"))
        except (OSError, ValueError) as error:  # an empty file cannot be mapped
            raise UserError(
                f"{path} cannot be read: {error}.", "Name a text file that is not empty."
            ) from None
        decoder, is_ascii = getincrementaldecoder("utf-8")(), True
        try:
            for start in range(0, len(data), _BLOCK):
                block = data[start : start + _BLOCK].tobytes()
                is_ascii &= block.isascii()
                if not is_ascii:
                    decoder.decode(block, final=start + _BLOCK >= len(data))
        except UnicodeDecodeError as error:
            problem = f"{path} is no UTF-8 text: {error.reason} in the block from byte {start:,}."
            raise UserError(problem, "Save it as UTF-8.") from None
        return cls(data, is_ascii)

    def may_have(self, starts: NDArray[np.bool_]) -> bool:
        """Whether a character begins with two bytes that are marked in ``starts`` (see ``starts_of``)."""
        if self.is_ascii:
            return False
        from niah.text.scanning.kernels.utf8_kernel import has_start

        return has_start(self.data, starts)

    def places_of(self, kind: int) -> Offsets:
        """Where characters of a class (``niah.text.scanning.characters``) begin, those that are not ASCII."""
        if self.is_ascii:
            return np.zeros(0, dtype=np.int64)
        from niah.text.scanning.kernels.utf8_kernel import places_into

        classes, none = characters(self.is_ascii).classes, np.zeros(0, dtype=np.int64)
        found = np.empty(places_into(self.data, classes, kind, none), dtype=np.int64)
        if len(found):
            places_into(self.data, classes, kind, found)
        return found

    def to_characters(self, offsets: Offsets) -> Offsets:
        """Byte offsets, each at a character's start or the end, as character offsets."""
        if self.is_ascii:
            return offsets
        from niah.text.scanning.kernels.utf8_kernel import to_characters

        found = np.empty_like(offsets)
        to_characters(self.data, offsets, found)
        return found

    def to_bytes(self, offsets: Offsets) -> Offsets:
        """Character offsets, 0 to the number of characters, as byte offsets.

        Linear in the text for offsets in document order; those out of order cost their distance.
        """
        if self.is_ascii:
            return offsets
        from niah.text.scanning.kernels.utf8_kernel import to_bytes

        found = np.empty_like(offsets)
        to_bytes(self.data, offsets, found)
        return found


def _widened(text: str) -> NDArray[np.uint8]:
    """The UTF-8 of Latin-1, by 64 bytes where Python takes one. Raises UnicodeEncodeError of other text."""
    from niah.text.scanning.kernels.utf8_kernel import widened_into

    found = np.empty(2 * len(text), dtype=np.uint8)  # only what is written takes memory
    size = 0
    for start in range(0, len(text), _PIECE):
        latin = np.frombuffer(text[start : start + _PIECE].encode("latin-1"), dtype=np.uint8)
        size += widened_into(latin, found[size:])
    found.flags.writeable = False
    return found[:size]


def starts_of(has_any: Callable[[str], bool]) -> NDArray[np.bool_]:
    """The pairs of bytes that some characters begin with, marked in shape (256, 256).

    Args:
        has_any: whether a text has any of those characters; ASCII has none. Four bytes are rare, too many to
            ask for, and all marked.
    """
    found = np.zeros((256, 256), dtype=bool)
    found[0xF0:0xF5] = True
    for point in range(0x80, 0x800):
        found[tuple(chr(point).encode())] = has_any(chr(point))
    for start in range(0x800, 0x10000, 64):
        first, second, _ = chr(start).encode("utf-8", "surrogatepass")
        found[first, second] = has_any("".join(map(chr, range(start, start + 64))))
    return found
