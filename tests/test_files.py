"""Files by name, files that appear whole or not at all, and what is said of a wrong one."""

from __future__ import annotations

import os
import re
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.suite import SuiteFile
from niah.errors import ConfigError
from niah.files import (
    LARGEST,
    MOST_VALUES,
    FileModel,
    atomic_write,
    check_folder,
    find,
    load_yaml,
    parse_yaml,
    without_formula,
)
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import Family
from niah.needles.needle_set import NeedleSet
from niah.runs.config import RunFile

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


@pytest.mark.parametrize(
    ("model", "line", "said"),
    [
        (RunFile, "readers: smollm2", "readers: should be a list (given: 'smollm2')."),
        (RunFile, "readers:", "readers: should be a list (given: nothing)."),
        (RunFile, "seeds: 5", "seeds: is 5. Write a list: [1, 2, 3]."),
        (RunFile, "repeats: 0", "repeats: should be at least 1 (given: 0)."),
        (RunFile, "seeds: {anchor: [2000000000]}", "seeds.anchor.0: should be less than 2,000,000,000"),
        (
            SuiteFile,
            "mode: exakt\nrepeat: maybe",
            "mode: should be auto, exact or contiguous (given: 'exakt').",
        ),
        # pydantic says where in a union of its own it was; the file knows no such place.
        (Family, "each: {town: {hex: 2}}", "each.town.hex: should be at least 4 (given: 2)."),
        (Family, "each: {town: {hexx: 5}}", "each.town.hexx: unknown key. Did you mean 'hex'?"),
        (RunFile, "judge: {modle: m}", "judge.modle: unknown key. Did you mean 'model'?"),
        (
            RunFile,
            "description: !!binary aGVsbG8=",
            "is not valid YAML (line 6): 'aGVsbG8=' cannot be read as",
        ),
        (RunFile, "description: !!set {a}", "description: should be text (given: a mapping)."),
        (RunFile, "a: b\n---\nc: d", "is not valid YAML (line 7): found another document."),
        (RunFile, '"two\\nlines": 1', "two lines: unknown key. Known: "),
    ],
)
def test_what_is_said(model: type[FileModel], line: str, said: str) -> None:
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
        ("a: 1\nb: 2001-99-99", "(line 2): '2001-99-99' cannot be read as timestamp."),
        ("a: !!int seven", "(line 1): 'seven' cannot be read as int."),
        ("a: .nan", "(line 1): '.nan' cannot be read as float."),
        ("a: 9223372036854775808", "cannot be read as int."),
        ("a: !!python/name:os.system x", "cannot be read as "),
        ("a: b\na: c", "(line 2): key 'a' stands twice."),
        ("[a]: b", "(line 1): a list is no key."),
    ],
)
def test_what_goes_beyond_bounds_is_told_at_once(text: str, problem: str) -> None:
    begun = time.process_time()
    said = told(SuiteFile, text)
    assert problem in said
    assert len(said) < 400
    assert time.process_time() - begun < 15  # of some 2 for the most values; what is not bounded takes hours


def test_aliases_that_save_a_few_lines_are_welcome() -> None:
    Path("mine.yaml").write_text("a: &a [1, 2, {b: 2001-01-01}]\nd: [*a, *a, yes, 0x1F, ~, 1.5, '3']\n")
    shared = [1, 2, {"b": date(2001, 1, 1)}]
    assert parse_yaml(Path("mine.yaml")) == {"a": shared, "d": [shared, shared, True, 31, None, 1.5, "3"]}


def test_a_name_comes_before_a_folder_of_that_name() -> None:
    Path("quick").mkdir()
    Path("cases").mkdir()
    Path("cases/quick.yaml").write_text("")
    assert find("suite", "quick", [Path("cases")]) == Path("cases/quick.yaml")


def test_a_file_appears_only_when_it_is_whole() -> None:
    with atomic_write(Path("new/file")) as file:
        file.write(b"whole")
        assert not Path("new/file").exists()
    assert Path("new/file").read_bytes() == b"whole"
    with pytest.raises(ZeroDivisionError), atomic_write(Path("new/file")) as file:
        file.write(b"half" * (1 // 0))
    assert Path("new/file").read_bytes() == b"whole"
    assert list(Path("new").iterdir()) == [Path("new/file")]


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


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "  =1", "\r=1"])
def test_a_text_that_begins_like_a_formula_is_a_text(text: str) -> None:
    assert without_formula(text) == f"'{text}"
