"""Files by name, files that appear whole or not at all, what is said of a wrong one; the cache on disk."""

from __future__ import annotations

import os
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from niah.cache import LIMITS_MIB, Cache
from niah.cases.suite import SuiteFile
from niah.errors import ConfigError, UserError
from niah.files import (
    LARGEST,
    MOST_VALUES,
    FileModel,
    atomic_write,
    cache_folder,
    check_folder,
    find,
    load_yaml,
    parse_yaml,
)
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import Family
from niah.needles.needle_set import NeedleSet
from niah.runs.config import RunFile
from tests.examples import mistake_rows

FAMILY = {
    "kind": "single",
    "each": {"town": "town"},
    "element": "town",
    "question": "Where?",
    "answer": "There.",
    "needles": ["It is {{ town }}."],
}
WHOLE: dict[type[FileModel], dict[str, Any]] = {
    RunFile: {"suite": "quick", "readers": ["smollm2"], "strategies": ["lc"]},
    SuiteFile: {"haystacks": ["essays"], "needle_sets": ["n"], "lengths": [512], "depths": [50]},
    NeedleSet: {"question": "Which?", "answer": "Moss."},
    Family: FAMILY,
    WorldFile: {"description": "A town.", "slots": {}},
}


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def told(model: type[FileModel], text: str) -> str:
    """What is said of a file with this text, without the file's name."""
    Path("mine.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_yaml(Path("mine.yaml"), model)
    said = str(caught.value)
    assert said.startswith("mine.yaml: ")
    assert "\n" not in said
    return said.removeprefix("mine.yaml: ")


@pytest.mark.parametrize(("kind", "line", "said"), mistake_rows("files"))
def test_what_is_said(kind: str, line: str, said: str) -> None:
    models: dict[str, type[FileModel]] = {"run": RunFile, "suite": SuiteFile, "family": Family}
    model = models[kind]
    rest = {name: value for name, value in WHOLE[model].items() if name != line.partition(":")[0]}
    assert told(model, f"{yaml.safe_dump(rest)}{line}\n").startswith(said)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**62) | st.floats() | st.sampled_from(["", "a", "5", "lc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=2),
    max_leaves=5,
)
FOREIGN = "nput should|nputs|tuple|object|valid |None|True|False|string|integer|dict|items"
"""How pydantic speaks, and Python."""


@given(st.data())
def test_no_word_of_pydantic_reaches_anybody(data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(sorted(WHOLE, key=lambda one: one.__name__)))
    key = data.draw(st.sampled_from([field.alias or name for name, field in model.model_fields.items()]))
    Path("fuzz.yaml").write_text(yaml.safe_dump({**WHOLE[model], key: data.draw(VALUES)}))
    try:
        load_yaml(Path("fuzz.yaml"), model)
    except ConfigError as error:
        said = re.sub("'.*?'", "", str(error)).replace("is not valid YAML", "")
        assert "\n" not in said
        assert not [word for word in FOREIGN.split("|") if word in said], said


_ALIASES = range(1, 2000)
BOMB = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in _ALIASES[:9])
"""Nine to the ninth power of letters in some 400 bytes."""
MAPPING_BOMB = "a0: &a0 {x: lorem}\n" + "".join(
    f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}, r: *a{i - 1}}}\n" for i in _ALIASES[:30]
)
LADDER = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in _ALIASES)
"""No branch, and 2,000 deep by aliases alone."""


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOMB, "too much, or nested too deep, once its aliases (*) are unfolded."),
        (MAPPING_BOMB, "too much, or nested too deep, once its aliases"),
        (f"a: &a {'z' * 100_000}\nb: [{', '.join(['*a'] * 1000)}]\n", "too much, or nested too deep, once"),
        (LADDER, "too much, or nested too deep, once its aliases"),
        ("a: &a [*a]", "too much, or nested too deep, once its aliases"),
        ("[" * 300_000, "(line 1): more than 400,000 values, or nested more than 50 deep."),
        ("".join(" " * i + "a:\n" for i in range(1000)), "or nested more than 50 deep."),
        pytest.param(
            *("a: [" + "1," * (MOST_VALUES + 1) + "]", f"(line 1): more than {MOST_VALUES:,} values"),
            marks=pytest.mark.slow,
        ),
        ("a: " + "x" * LARGEST, "is larger than 16 MB."),
        ("a: " + "1:" * 500_000 + "1", "(line 1): '1:1:1:1:1"),
        ("a: " + "9" * 500_000, "(line 1): '99999999"),
        ("a: 1\nb: 2001-99-99", "(line 2): '2001-99-99' cannot be read as a date."),
        ("a: !!int seven", "(line 1): 'seven' cannot be read as a whole number between"),
        ("a: .nan", "(line 1): '.nan' cannot be read as a number between -1e18 and 1e18."),
        ("a: 9223372036854775808", "cannot be read as a whole number between -1e18 and 1e18."),
        ("a: !!python/name:os.system x", "cannot be read as "),
        ("a: b\na: c", "(line 2): key 'a' appears twice."),
        ("[a]: b", "(line 1): a list is no key."),
    ],
)
def test_what_goes_beyond_bounds_is_told_at_once(text: str, problem: str) -> None:
    said = told(SuiteFile, text)
    assert problem in said
    assert len(said) < 400


def test_aliases_that_save_a_few_lines_are_welcome() -> None:
    Path("mine.yaml").write_text("a: &a [1, 2, {b: 2001-01-01}]\nd: [*a, *a, yes, 0x1F, ~, 1.5, '3']\n")
    shared = [1, 2, {"b": date(2001, 1, 1)}]
    Path("deep.yaml").write_text("[" * 49 + "]" * 49)
    assert str(parse_yaml(Path("deep.yaml"))) == "[" * 49 + "]" * 49
    assert parse_yaml(Path("mine.yaml")) == {"a": shared, "d": [shared, shared, True, 31, None, 1.5, "3"]}


def test_a_name_comes_before_a_folder_of_that_name() -> None:
    Path("quick").mkdir()
    Path("cases").mkdir()
    Path("cases/quick.yaml").write_text("")
    assert find("suite", "quick", [Path("cases")]) == Path("cases/quick.yaml")


def test_a_file_appears_only_when_it_is_whole() -> None:
    path = Path("new/and/newer/file")
    with atomic_write(path) as file:
        file.write(b"whole")
        assert not path.exists()
    assert path.read_bytes() == b"whole"
    with pytest.raises(ZeroDivisionError), atomic_write(path) as file:
        file.write(b"half" * (1 // 0))
    assert path.read_bytes() == b"whole"
    assert list(path.parent.iterdir()) == [path]


def test_what_cannot_be_written_is_called_what_the_user_called_it() -> None:
    Path("file").write_text("")
    Path("folder").mkdir()
    for name, named in (("a" * 256, "a" * 256), ("file/below", "file"), ("folder", "folder")):
        with pytest.raises(OSError, match=named[:4]) as caught, atomic_write(Path(name)):
            pass
        assert caught.value.filename == named
    with pytest.raises(IsADirectoryError) as caught, atomic_write(Path("new")):
        Path("new").mkdir()  # meanwhile, by somebody else
    assert caught.value.filename == "new"
    assert not list(Path().glob(".*.draft"))


def test_a_folder_that_could_be_made_is_told_from_one_that_could_not() -> None:
    Path("file").write_text("")
    check_folder(Path("new/and/newer"))
    assert not Path("new").exists()
    for name in ("file", "file/below/it"):
        with pytest.raises(NotADirectoryError) as caught:
            check_folder(Path(name))
        assert caught.value.filename == "file"


def test_links_and_pipes_stay_what_they_are() -> None:
    Path("link").symlink_to("real")
    with atomic_write(Path("link")) as file:
        file.write(b"whole")
    assert Path("link").is_symlink()
    assert Path("real").read_bytes() == b"whole"
    os.mkfifo("pipe")
    reading = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    with atomic_write(Path("pipe")) as file:
        file.write(b"whole")
    assert os.read(reading, 9) == b"whole"
    assert Path("pipe").is_fifo()
    os.close(reading)


def some(number: int, *, size: int = 768, seed: int = 0) -> dict[bytes, bytes]:
    draw = random.Random(seed)
    return {draw.randbytes(16): draw.randbytes(size) for _ in range(number)}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vectors.sqlite"


def test_what_is_read_is_what_was_written(path: Path) -> None:
    entries = some(5000, size=16)
    assert Cache("vectors", path=path).get(entries) == {}
    Cache("vectors", path=path).put(entries)
    first = next(iter(entries))
    Cache("vectors", path=path).put({first: b"new"})
    assert Cache("vectors", path=path).get([b"unknown", *entries]) == {**entries, first: b"new"}
    assert [file.name for file in path.parent.iterdir()] == ["vectors.sqlite"]


def test_the_oldest_go_first(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Half a MiB holds about 500 of these.
    monkeypatch.setitem(LIMITS_MIB, "vectors", 0.5)
    cache, puts = Cache("vectors", path), [some(200, seed=seed) for seed in range(4)]
    for entries in puts:
        cache.put(entries)
    first, *_, last = (len(cache.get(entries)) for entries in puts)
    assert (first, last) == (0, 200)
    assert path.stat().st_size < 1.5 * 2**19


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
        other.execute("BEGIN EXCLUSIVE")  # keeps readers out where the journal is no WAL
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
    with pytest.raises(UserError, match="Set NIAH_CACHE to a folder that is writable"):
        cache_folder()
    for path in (tmp_path, tmp_path / "file" / "vectors.sqlite", None):
        cache = Cache("vectors", path=path)
        cache.put(some(3))
        assert cache.get(some(3)) == {}
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "new" / "cache"))
    Cache("vectors").put(some(3))
    assert (cache_folder() / "vectors.sqlite").is_file()
