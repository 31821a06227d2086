"""How large the haystacks that ship are: counted beforehand, since to cut and count them takes seconds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path

import orjson

from niah.paths import shipped

SIZES_FILE = "sizes.json"
"""In the folder of the haystacks; ``python -m tests.haystacks.write_sizes`` writes it."""


@dataclass(frozen=True)
class HaystackSize:
    """Counts over a whole haystack, a world's with its first seed; tokens are of cl100k."""

    sentences: int
    words: int
    tokens: int


def haystack_size(name: str) -> HaystackSize:
    """That of a haystack that ships; counted now where its files are not as they were when it was counted.

    Raises UnknownName or HaystackError.
    """
    folder = shipped("haystacks")
    try:
        known = orjson.loads((folder / SIZES_FILE).read_bytes()).get(name)
    except OSError:
        known = None
    if known is None or known.pop("files") != _digest(folder / name):
        return _measured(name)
    return HaystackSize(**known)


def counted_sizes(names: list[str]) -> bytes:
    """What ``sizes.json`` holds of them."""
    folder = shipped("haystacks")
    sizes = {name: {**asdict(_measured(name)), "files": _digest(folder / name)} for name in names}
    return orjson.dumps(sizes, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _measured(name: str) -> HaystackSize:
    from niah.haystacks.load import load_corpus

    corpus = load_corpus(name, "cl100k")
    return HaystackSize(corpus.size, len(corpus.text.split()), corpus.tokens[-1])


def _digest(folder: Path) -> str:
    """Of all its files' names and bytes, line ends as on Unix."""
    digest = blake2b(digest_size=16)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        text = file.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{file.relative_to(folder).as_posix()}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()
