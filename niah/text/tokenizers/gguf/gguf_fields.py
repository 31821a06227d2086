"""What a GGUF model file says of itself, without its weights.

Names and values stand at the file's beginning (versions 2 and 3 of the format: ggml's docs/gguf.md). A
vocabulary has a hundred thousand strings, which are cut from the file in one walk: the gguf package, which
makes arrays of each, takes seconds for what every run with an embedded model waits for twice.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import Any, Literal

import numpy as np

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_STRING, _ARRAY = 8, 9
_NUMBERS = dict(enumerate(["u1", "i1", "u2", "i2", "u4", "i4", "f4", "?"])) | {10: "u8", 11: "i8", 12: "f8"}
"""NumPy's names of the kinds of values that are no texts, by their numbers in the format."""
_ALIGNMENT = 32
"""Bytes; where the file does not tell."""
_MOST_VALUES, _MOST_TENSORS = 1 << 24, 1 << 18
"""In a list, and in a file: what strangers wrote costs little time and memory. Vocabularies have less than a
twentieth, the largest models a tenth."""


def gguf_fields(path: Path, *beginnings: str) -> dict[str, Any]:
    """The values of a GGUF file whose names begin so: texts, numbers, truth values, lists of one of these.

    Raises ValueError, with the reason, for a file that is none or ends too early, a tensor's place included.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("it does not begin with GGUF")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            walk = _Walk(data)
            values = walk.values()
            walk.check_tensors(values.get("general.alignment", _ALIGNMENT))
    return {name: _decoded(value) for name, value in values.items() if name.startswith(beginnings)}


class _Walk:
    """Through a file, from behind its first word; texts are left as bytes."""

    def __init__(self, data: mmap.mmap) -> None:
        self._data, self._at = data, len(_MAGIC)
        # Written by a machine of the other order, the version's low bytes come last.
        self._order: Literal["<", ">"] = ">" if data[self._at : self._at + 2] == b"\0\0" else "<"
        if (version := self._number("u4")) not in _VERSIONS:
            raise ValueError(f"version {version} of the format is not known")
        self._tensors, self._count = self._number("u8"), self._number("u8")
        if self._tensors > _MOST_TENSORS:
            raise ValueError(f"it claims to have {self._tensors} tensors")

    def values(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for _ in range(self._count):
            name = self._text().decode()
            if name in found:
                raise ValueError(f"it has {name} twice")
            found[name] = self._value(self._number("u4"))
        return found

    def check_tensors(self, alignment: object) -> None:
        """Raise ValueError where one begins behind the file's end; they are listed behind the values."""
        if not isinstance(alignment, int) or alignment < 1:
            raise ValueError(f"it has a general.alignment of {alignment!r}")
        last = 0
        for _ in range(self._tensors):
            self._text()
            self._numbers("u8", self._number("u4"))
            self._number("u4")
            last = max(last, self._number("u8"))
        begin = -(-self._at // alignment) * alignment
        if self._tensors and begin + last >= len(self._data):
            raise ValueError("it ends before its last tensor")

    def _value(self, kind: int) -> Any:
        if kind == _STRING:
            return self._text()
        if kind in _NUMBERS:
            return self._numbers(_NUMBERS[kind], 1)[0]
        if kind != _ARRAY:
            raise ValueError(f"a value of kind {kind} is not known")
        kind, count = self._number("u4"), self._number("u8")
        if count > _MOST_VALUES:
            raise ValueError(f"it claims to have a list of {count} values")
        if kind == _STRING:
            return self._texts(count)
        if kind not in _NUMBERS:
            raise ValueError(f"a list of values of kind {kind} is not known")
        return self._numbers(_NUMBERS[kind], count)

    def _text(self) -> bytes:
        return self._texts(1)[0]

    def _texts(self, count: int) -> list[bytes]:
        data, size, start = self._data, len(self._data), self._at
        length_at = struct.Struct(f"{self._order}Q").unpack_from
        found = []
        for _ in range(count):
            if start + 8 > size:
                raise ValueError("it ends too early")
            end = start + 8 + length_at(data, start)[0]
            if end > size:
                raise ValueError("it ends too early")
            found.append(data[start + 8 : end])
            start = end
        self._at = start
        return found

    def _number(self, kind: str) -> int:
        return int(self._numbers(kind, 1)[0])

    def _numbers(self, kind: str, count: int) -> list[Any]:
        form = np.dtype(kind).newbyteorder(self._order)
        end = self._at + form.itemsize * count
        if end > len(self._data):
            raise ValueError("it ends too early")
        found: list[Any] = np.frombuffer(self._data[self._at : end], form).tolist()
        self._at = end
        return found


def _decoded(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return [_decoded(each) for each in value] if isinstance(value, list) else value
