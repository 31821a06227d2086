"""The cache on disk: shared, bounded, and never in the way."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from niah.cache import Cache


def some(number: int, *, size: int = 768, seed: int = 0) -> dict[bytes, bytes]:
    draw = random.Random(seed)
    return {draw.randbytes(16): draw.randbytes(size) for _ in range(number)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


def test_what_is_read_is_what_was_written(path: Path) -> None:
    entries = some(5000, size=16)
    assert Cache("vectors", path=path).get(entries) == {}
    assert not path.parent.exists(), "reading makes no file"
    Cache("vectors", path=path).put(entries)
    first = next(iter(entries))
    Cache("vectors", path=path).put({first: b"new"})
    assert Cache("vectors", path=path).get([b"unknown", *entries]) == {**entries, first: b"new"}
    assert [file.name for file in path.parent.iterdir()] == ["vectors.sqlite"]


def test_the_oldest_go_first(path: Path) -> None:
    # Half a MiB holds about 500 of these.
    cache, puts = Cache("vectors", 0.5, path), [some(200, seed=seed) for seed in range(4)]
    for entries in puts:
        cache.put(entries)
    first, *_, last = (len(cache.get(entries)) for entries in puts)
    assert (first, last) == (0, 200)
    assert path.stat().st_size < 1.5 * 2**19
    small = Cache("vectors", 0.001, path)
    small.put(some(3, seed=9))
    assert small.get(some(3, seed=9)) == {}


def test_threads_of_other_processes_share_the_file(path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from niah.cache import Cache\n"
        "cache, own = Cache('vectors', path=Path(sys.argv[1])), int(sys.argv[2])\n"
        "for i in range(20):\n"
        "    entries = {bytes([i, j]): b'all' for j in range(50)} | {bytes([i, own, 0]): b'own'}\n"
        "    cache.put(entries); assert cache.get(entries) == entries\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    writers = [subprocess.Popen([*command, str(own)]) for own in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    keys = [bytes([i, j]) for i in range(20) for j in range(50)]
    assert len(Cache("vectors", path=path).get(keys)) == 1000


def test_a_locked_file_is_read_and_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.cache._PATIENCE_S", 0.05)
    cache = Cache("vectors", path=path)
    cache.put({b"key": b"held"})
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        cache.put({b"more": b"lost"})
        assert cache.get([b"key", b"more"]) == {b"key": b"held"}


def _foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE entries (colour TEXT)")


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(b"no database " * 1000), id="text"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:30_000]), id="cut"),
        pytest.param(_foreign, id="foreign"),
        # SQLite quotes this in its message, which then is no UTF-8.
        pytest.param(
            lambda path: path.write_bytes(path.read_bytes().replace(b"CREATE TABLE", b"CREATE\x8cTABLE")),
            id="schema",
        ),
    ],
)
def test_a_damaged_file_is_set_aside(path: Path, spoil: Callable[[Path], object]) -> None:
    entries, cache = some(200), Cache("vectors", path=path)
    cache.put(entries)
    spoil(path)
    size = path.stat().st_size
    assert cache.get(entries) == {}
    assert path.with_name("vectors.sqlite.damaged").stat().st_size == size
    cache.put(entries)
    assert cache.get(entries) == entries


@pytest.mark.parametrize("seed", range(2))
def test_no_damage_raises_or_changes_an_entry(path: Path, seed: int) -> None:
    draw, entries, cache = random.Random(seed), some(60, size=32), Cache("vectors", path=path)
    cache.put(entries)
    whole = path.read_bytes()
    for _ in range(40):
        spoilt = bytearray(whole)
        # The header and the schema, where damage has most ways to show, or anywhere.
        reach = draw.choice([600, 8192, len(spoilt)])
        for _ in range(draw.choice([1, 1, 20])):
            spoilt[draw.randrange(reach)] = draw.randrange(256)
        path.write_bytes(spoilt)
        assert cache.get(entries).items() <= entries.items()
        cache.put(entries)
        assert cache.get(entries).items() <= entries.items()


def test_a_path_that_cannot_be_a_file_holds_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "file" / "cache"))
    for path in (tmp_path, tmp_path / "file" / "vectors.sqlite", None):
        cache = Cache("vectors", path=path)
        cache.put(some(3))
        assert cache.get(some(3)) == {}
