"""What a wrong YAML file is told: what should stand there, in the words of YAML, and how to get there."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.suite import SuiteFile
from niah.errors import ConfigError
from niah.files import FileModel, load_yaml
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import Family
from niah.needles.needle_set import NeedleSet
from niah.runs.config import RunFile
from niah.yaml_file import LARGEST, MOST_VALUES, parse_yaml

RUN = {"suite": "quick", "readers": ["smollm2"], "strategies": ["lc"]}
SUITE = {"haystacks": ["essays"], "needle_sets": ["n"], "lengths": [512], "depths": [50]}
NEEDLES = {"question": "Which?", "answer": "Moss."}
FAMILY = {
    "kind": "single",
    "each": {"town": "town"},
    "element": "town",
    "question": "Where?",
    "answer": "There.",
    "needles": ["It is {{ town }}."],
}
WHOLE: dict[type[FileModel], dict[str, Any]] = {
    RunFile: RUN,
    SuiteFile: SUITE,
    NeedleSet: NEEDLES,
    Family: FAMILY,
    WorldFile: {"description": "A town.", "slots": {}},
}


def told(folder: Path, model: type[FileModel], text: str) -> str:
    """What is said of a file with this text, without the file's name."""
    path = folder / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_yaml(path, model)
    said = str(caught.value)
    assert said.startswith(f"{path}: ")
    assert "\n" not in said
    return said.removeprefix(f"{path}: ")


def with_key(model: type[FileModel], line: str) -> str:
    """The text of a good file, but for one key."""
    key = line.partition(":")[0]
    rest = {name: value for name, value in WHOLE[model].items() if name != key}
    return f"{yaml.safe_dump(rest)}{line}\n"


@pytest.mark.parametrize("model", WHOLE)
def test_the_good_files_are_good(tmp_path: Path, model: type[FileModel]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(yaml.safe_dump(WHOLE[model]))
    load_yaml(path, model)


@pytest.mark.parametrize(
    ("model", "line", "said"),
    [
        (RunFile, "readers: smollm2", "readers: should be a list (given: 'smollm2')."),
        (RunFile, "readers:", "readers: has no value; it should be a list."),
        (
            RunFile,
            "seeds: 5",
            "seeds: should be a mapping of keys to values (given: 5). Keys: anchor, rotating, spread.",
        ),
        (RunFile, "repeats: 0", "repeats: should be at least 1 (given: 0)."),
        (
            RunFile,
            "seeds: {anchor: [2000000000]}",
            "seeds.anchor.0: should be less than 2,000,000,000 (given: 2000000000).",
        ),
        (
            SuiteFile,
            "mode: exakt\nrepeat: maybe",
            "mode: should be auto, exact or contiguous (given: 'exakt').",
        ),
        # pydantic says where in a union of its own it was; the file knows no such place.
        (Family, "each: {town: {hex: 2}}", "each.town.hex: should be at least 4 (given: 2)."),
        (Family, "each: {town: {hexx: 5}}", "each.town.hexx: unknown key. Did you mean 'hex'?"),
        (RunFile, "judge: {modle: m}", "judge.modle: unknown key. Did you mean 'model'?"),
        (RunFile, "description: !!binary aGVsbG8=", "description: is binary; it should be text or a list."),
        (RunFile, "description: !!set {a}", "description: is a set; it should be text or a list."),
        (RunFile, "description: &a [*a]", "description: is nested more than 50 deep. Write it flatter."),
        (RunFile, "a: b\n---\nc: d", "is not valid YAML (line 7): found another document."),
        (RunFile, '"two\\nlines": 1', "two lines: unknown key. Known: "),
    ],
)
def test_what_is_said(tmp_path: Path, model: type[FileModel], line: str, said: str) -> None:
    assert told(tmp_path, model, with_key(model, line)).startswith(said)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 2**62) | st.floats() | st.sampled_from(["", "a", "5", "lc"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=2),
    max_leaves=5,
)
# How pydantic speaks, and Python.
FOREIGN = (
    "nput should",
    "nputs",
    "tuple",
    "object",
    "valid ",
    "None",
    "True",
    "False",
    "string",
    "integer",
    "dict",
    "items",
)


@given(st.data())
def test_no_word_of_pydantic_reaches_anybody(tmp_path_factory: Any, data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(sorted(WHOLE, key=lambda one: one.__name__)))
    key = data.draw(st.sampled_from([field.alias or name for name, field in model.model_fields.items()]))
    path = tmp_path_factory.mktemp("fuzz") / "mine.yaml"
    path.write_text(yaml.safe_dump({**WHOLE[model], key: data.draw(VALUES)}))
    try:
        load_yaml(path, model)
    except ConfigError as error:
        said = str(error).removeprefix(str(path))
        assert "\n" not in said
        assert not [word for word in FOREIGN if word in said], said


LEVELS = 9
BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, LEVELS)
)
"""Nine to the ninth power of letters in some 400 bytes."""
MAPPING_BOMB = "a0: &a0 {x: lorem}\n" + "".join(
    f"a{i}: &a{i} {{p: *a{i - 1}, q: *a{i - 1}, r: *a{i - 1}}}\n" for i in range(1, 30)
)
LADDER = "a0: &a0 [x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 2000))
"""No branch, and 2,000 deep by aliases alone."""


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (BOMB, "holds too much, once its aliases (*) are unfolded. Take aliases out."),
        (MAPPING_BOMB, "holds too much, once its aliases (*) are unfolded. Take aliases out."),
        (f"{BOMB}{BOMB.replace('a', 'b')}", "holds too much, once its aliases"),
        (f"a: &a {'z' * 100_000}\nb: [{', '.join(['*a'] * 1000)}]\n", "b: holds too much, once its aliases"),
        (LADDER, "is nested more than 50 deep. Write it flatter."),
        ("[" * 300_000, "is not valid YAML (line 1): nested more than 200 deep."),
        ("".join(" " * i + "a:\n" for i in range(1000)), "(line 200): nested more than 200 deep."),
        ("a: [" + "1," * (MOST_VALUES + 1) + "]", f"(line 1): more than {MOST_VALUES:,} values."),
        ("a: " + "x" * LARGEST, "is larger than 16 MB."),
        ("a: " + "1:" * 500_000 + "1", "(line 1): '1:1:1:1:1"),
        ("a: " + "9" * 500_000, "(line 1): '99999999"),
        ("a: 1\nb: 2001-99-99", "(line 2): '2001-99-99' cannot be read as timestamp."),
        ("a: !!int seven", "(line 1): 'seven' cannot be read as int."),
        ("a: !!set maybe", "(line 1): expected a mapping"),
    ],
)
def test_what_goes_beyond_bounds_is_told_at_once(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    begun = time.process_time()
    with pytest.raises(ConfigError) as caught:
        load_yaml(path, SuiteFile)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400 + len(str(path))
    assert time.process_time() - begun < 15  # of some 2 for the most values; what is not bounded takes hours


def test_aliases_that_save_a_few_lines_are_welcome(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "haystacks: [essays]\nneedle_sets: &sets [a, b]\nlengths: &few [512]\ndepths: [0, 50]\nseeds: *few\n"
    )
    suite = load_yaml(path, SuiteFile)
    assert suite.lengths == suite.seeds == (512,)
    path.write_text("a: &a [1, 2, {b: c}]\nd: [*a, *a, *a]\n")
    assert parse_yaml(path) == {"a": [1, 2, {"b": "c"}], "d": [[1, 2, {"b": "c"}]] * 3}
