"""Token counts of short texts, kept on disk, so that a process that meets no new one loads no vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from struct import Struct
from zlib import crc32

from niah.errors import UserError
from niah.paths import cache

_DIGEST_BYTES = 16
_ROW = Struct(f"<{_DIGEST_BYTES}sII")
"""A text's digest, its tokens, and a checksum of both."""

_MOST_ROWS = 20_000
"""Half a megabyte, read in some ten milliseconds; a file of more is begun anew."""

_MOST_NEW = 1_000
"""Texts that a process adds at most: needles and questions, and not all sentences of a haystack."""


class KeptCounts:
    """The counts of one tokenizer, which any number of threads and processes share.

    Only a help, never a need: a file that cannot be read or written counts as empty, one that is damaged is
    begun anew. Rows are appended whole, and each has a checksum.

    Args:
        identity: of the tokenizer.
    """

    def __init__(self, identity: str) -> None:
        self._identity = identity
        self._rows: dict[bytes, int] | None = None
        self._room = _MOST_NEW

    def get(self, texts: Sequence[str]) -> list[int] | None:
        """Of each text; None unless all are known."""
        rows = self._read()
        found = [rows.get(_digest(text), -1) for text in texts]
        return None if -1 in found else found

    def add(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """Keep them, unless this process has added enough."""
        if len(texts) > self._room:
            return
        rows = self._read()
        new = {_digest(text): tokens for text, tokens in zip(texts, counts, strict=True)}
        new = {digest: tokens for digest, tokens in new.items() if digest not in rows}
        if not new:
            return
        self._room -= len(new)
        rows |= new
        written = b"".join(_ROW.pack(*row, _checksum(*row)) for row in new.items())
        with suppress(OSError, UserError):
            path = self._path()
            path.parent.mkdir(exist_ok=True)
            with path.open("ab", buffering=0) as file:
                file.write(written)

    def _read(self) -> dict[bytes, int]:
        """What the file had when it was first asked for, and what was added since."""
        if self._rows is None:
            self._rows = self._from_disk()
        return self._rows

    def _from_disk(self) -> dict[bytes, int]:
        try:
            path = self._path()
            kept = path.read_bytes()
        except (OSError, UserError):
            return {}
        rows: dict[bytes, int] = {}
        whole = len(kept) % _ROW.size == 0 and len(kept) <= _MOST_ROWS * _ROW.size
        for digest, tokens, checksum in _ROW.iter_unpack(kept) if whole else ():
            whole = whole and checksum == _checksum(digest, tokens)
            rows[digest] = tokens
        if not whole:
            with suppress(OSError):
                path.unlink()
            return {}
        return rows

    def _path(self) -> Path:
        return cache() / "token-counts" / f"{blake2b(self._identity.encode(), digest_size=8).hexdigest()}.bin"


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).digest()


def _checksum(digest: bytes, tokens: int) -> int:
    return crc32(digest, tokens)
