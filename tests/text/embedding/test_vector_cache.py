from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.text.embedding.vector_cache import DiskVectors

Vectors = NDArray[np.float32]


def some(number: int, *, windows: int = 1, dimensions: int = 384, seed: int = 0) -> dict[bytes, Vectors]:
    """Numbers that float16 has, as an embedder rounds them."""
    rng = np.random.default_rng(seed)
    return {
        rng.bytes(16): rng.random((windows, dimensions)).astype(np.float16).astype(np.float32)
        for _ in range(number)
    }


def same(found: dict[bytes, Vectors], expected: dict[bytes, Vectors]) -> bool:
    """Whether every array is the expected one, bit for bit."""
    return all(
        found[key].dtype == np.float32
        and found[key].shape == expected[key].shape
        and found[key].tobytes() == expected[key].tobytes()
        for key in found
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "vectors.sqlite"


def damaged(path: Path) -> Path:
    return path.with_name("vectors.sqlite.damaged")


def test_what_is_read_is_what_was_written(path: Path) -> None:
    odd = np.array([[np.nan, -0.0, 2.0**-24], [np.inf, 1, 65504]], dtype=np.float32)
    entries = some(5, windows=3) | some(5, seed=1) | {b"odd": odd}
    DiskVectors(path).put(entries)
    found = DiskVectors(path).get([b"unknown", *entries])
    assert found.keys() == entries.keys()
    assert same(found, entries)


def test_a_key_put_again_has_its_new_vectors(path: Path) -> None:
    disk = DiskVectors(path)
    disk.put({b"key": np.zeros((1, 4), np.float32)})
    new = {b"key": np.ones((2, 4), np.float32)}
    disk.put(new)
    assert same(disk.get(new), new)


def test_thousands_of_keys_at_once(path: Path) -> None:
    entries = some(5000, dimensions=8)
    disk = DiskVectors(path)
    disk.put(entries)
    found = disk.get(entries)
    assert len(found) == 5000
    assert same(found, entries)


def test_reading_makes_no_file(path: Path) -> None:
    assert DiskVectors(path).get([b"key"]) == {}
    assert not path.parent.exists()


def test_nothing_is_left_beside_the_file(path: Path) -> None:
    DiskVectors(path).put(some(3))
    assert [file.name for file in path.parent.iterdir()] == ["vectors.sqlite"]


def test_the_least_recently_used_go_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Half a MiB holds about 600 of these.
    old, kept, more = (some(number, seed=seed) for seed, number in enumerate([350, 150, 250]))
    disk = DiskVectors(path, limit_mib=0.5)
    disk.put(kept)
    disk.put(old)
    a_day_passes(monkeypatch)
    disk.get(kept)
    disk.put(more)
    assert len(disk.get([*kept, *more])) == 400
    assert len(disk.get(old)) < 350


def a_day_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    tomorrow = time.time() + 86400
    monkeypatch.setattr("niah.sqlite_cache.time.time", lambda: tomorrow)


def test_within_a_day_the_oldest_go_first(path: Path) -> None:
    batches = [some(100, seed=seed) for seed in range(12)]
    disk = DiskVectors(path, limit_mib=1)
    for batch in batches:
        disk.put(batch)
    held = [len(disk.get(batch)) for batch in batches]
    assert held == sorted(held)
    assert held[0] == 0
    assert held[-1] == 100


def test_the_file_outgrows_its_limit_by_a_batch_at_most(path: Path) -> None:
    disk = DiskVectors(path, limit_mib=1)
    for seed in range(20):
        disk.put(some(100, windows=1 + seed % 3, seed=seed))
        assert path.stat().st_size < 2**20 + 1.25 * 300 * 384 * 2
    assert path.stat().st_size > 0.9 * 2**20


def test_a_batch_larger_than_the_limit_is_cut(path: Path) -> None:
    entries = some(1000)
    disk = DiskVectors(path, limit_mib=0.25)
    disk.put(entries)
    assert 100 < len(disk.get(entries)) < 400


def test_a_limit_below_an_empty_file_holds_nothing(path: Path) -> None:
    disk = DiskVectors(path, limit_mib=0.001)
    disk.put(some(3))
    assert disk.get(some(3)) == {}


def test_use_is_noted_once_a_day(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = some(10)
    disk = DiskVectors(path)
    disk.put(entries)
    assert not writes(path, lambda: disk.get(entries))
    a_day_passes(monkeypatch)
    assert writes(path, lambda: disk.get(entries))
    assert not writes(path, lambda: disk.get(entries))


def writes(path: Path, work: Callable[[], object]) -> bool:
    os.utime(path, (0, 0))
    work()
    return path.stat().st_mtime != 0


_WRITER = """
import sys
import time
from pathlib import Path
import numpy as np
from niah.text.embedding.vector_cache import DiskVectors

print("ready", flush=True)
sys.stdin.readline()
disk, own = DiskVectors(Path(sys.argv[1])), int(sys.argv[2])
for i in range(20):
    shared = {bytes([i, j]): np.full((1, 384), i * 50 + j, np.float32) for j in range(50)}
    mine = {bytes([i, j, own]): np.full((2, 384), own, np.float32) for j in range(10)}
    disk.put(shared | mine)
    found = disk.get([*shared, *mine])
    assert len(found) == 60, (i, len(found))
    assert all((found[key] == vectors).all() for key, vectors in (shared | mine).items())
"""


def test_processes_share_the_file(path: Path) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(own)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for own in range(4)
    ]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate()
    assert [writer.returncode for writer in writers] == [0] * 4
    keys = [bytes([i, j]) for i in range(20) for j in range(50)]
    own_keys = [bytes([i, j, own]) for i in range(20) for j in range(10) for own in range(4)]
    assert len(DiskVectors(path).get(keys + own_keys)) == 1000 + 800
    assert not damaged(path).exists()


def test_a_locked_file_is_read_and_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("niah.text.embedding.vector_cache._PATIENCE_S", 0.05)
    entries, more = some(3), some(3, seed=1)
    disk = DiskVectors(path)
    disk.put(entries)
    a_day_passes(monkeypatch)  # so that reading, too, would like to write
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        disk.put(more)
        assert same(found := disk.get([*entries, *more]), entries)
        assert found.keys() == entries.keys()
    assert not damaged(path).exists()


def test_a_file_deleted_while_open_is_begun_anew(path: Path) -> None:
    entries = some(3)
    disk = DiskVectors(path)
    disk.put(entries)
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM vectors").fetchone()
        path.unlink()
        assert disk.get(entries) == {}
        disk.put(entries)
    disk.put(entries)
    assert same(found := disk.get(entries), entries)
    assert len(found) == 3


def test_a_file_deleted_with_its_folder_is_begun_anew(path: Path) -> None:
    disk = DiskVectors(path)
    disk.put(some(3))
    shutil.rmtree(path.parent)
    assert disk.get(some(3)) == {}
    disk.put(some(3))
    assert len(disk.get(some(3))) == 3


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE vectors (colour TEXT)")


def swap(path: Path, old: bytes, new: bytes) -> None:
    path.write_bytes(path.read_bytes().replace(old, new))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda path: path.write_bytes(b"no database " * 1000), id="text"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:30_000]), id="cut"),
        pytest.param(lambda path: foreign(path), id="foreign"),
        # SQLite quotes this in its message, which then is no UTF-8.
        pytest.param(lambda path: swap(path, b"CREATE TABLE", b"CREATE\x8cTABLE"), id="schema"),
        pytest.param(lambda path: swap(path, b"crc INTEGER", b"crd INTEGER"), id="column"),
    ],
)
def test_a_damaged_file_is_set_aside(path: Path, spoil: Callable[[Path], object]) -> None:
    entries = some(200)
    disk = DiskVectors(path)
    disk.put(entries)
    spoil(path)
    size = path.stat().st_size
    assert disk.get(entries) == {}
    assert damaged(path).stat().st_size == size
    disk.put(entries)
    assert same(found := disk.get(entries), entries)
    assert len(found) == 200


@pytest.mark.parametrize("seed", range(4))
def test_no_damage_raises_or_changes_a_vector(path: Path, seed: int) -> None:
    rng = random.Random(seed)
    entries = some(60, windows=2, dimensions=8)
    disk = DiskVectors(path)
    disk.put(entries)
    whole = path.read_bytes()
    for _ in range(60):
        spoilt = bytearray(whole)
        # The header and the schema, where damage has most ways to show, or anywhere.
        reach = rng.choice([600, 16384, len(spoilt)])
        for _ in range(rng.choice([1, 1, 20])):
            spoilt[rng.randrange(reach)] = rng.randrange(256)
        path.write_bytes(spoilt)
        assert same(disk.get(entries), entries)
        disk.put(entries)
        assert same(disk.get(entries), entries)


def test_a_changed_bit_of_a_vector_is_noticed(path: Path) -> None:
    entries = {b"key": np.full((1, 384), 0.5, np.float32)}
    disk = DiskVectors(path)
    disk.put(entries)
    written = bytearray(path.read_bytes())
    written[written.index(np.full(384, 0.5, "<f2").tobytes()) + 700] ^= 1
    path.write_bytes(written)
    assert disk.get(entries) == {}
    disk.put(entries)
    assert same(found := disk.get(entries), entries)
    assert found


def test_a_path_that_cannot_be_a_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "vectors.sqlite"):
        disk = DiskVectors(path)
        disk.put(some(3))
        assert disk.get(some(3)) == {}
    assert tmp_path.is_dir()


@pytest.fixture
def read_only() -> Iterator[Path]:
    """A folder that nobody but root can write to, nor root's tests once they stop being root."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


_READER = """
import os
import sys
from pathlib import Path
import numpy as np
from niah.text.embedding.vector_cache import DiskVectors

if os.geteuid() == 0:
    os.setuid(65534)
disk = DiskVectors(Path(sys.argv[1]))
entries = {b"new": np.ones((1, 4), np.float32)}
disk.put(entries)
assert disk.get(entries) == {}
"""


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permissions")
@pytest.mark.parametrize("existing", [False, True])
def test_a_read_only_folder_breaks_nothing(read_only: Path, *, existing: bool) -> None:
    path = read_only / "vectors.sqlite"
    if existing:
        read_only.chmod(0o755)
        DiskVectors(path).put(some(3))
        read_only.chmod(0o555)
        before = path.read_bytes()
    subprocess.run([sys.executable, "-c", _READER, str(path)], check=True)
    subprocess.run([sys.executable, "-c", _READER, str(read_only / "folder" / "file")], check=True)
    assert [file.name for file in read_only.iterdir()] == (["vectors.sqlite"] if existing else [])
    assert not existing or path.read_bytes() == before
