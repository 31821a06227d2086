"""What a wrong YAML file is told: what should stand there, in the words of YAML, and how to get there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.suite import SuiteFile
from niah.errors import ConfigError
from niah.file_mistakes import as_yaml
from niah.files import FileModel, load_yaml
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import FamilyFile
from niah.needles.schema import NeedleSetFile
from niah.reference.numbers import reference
from niah.runs.config.file import RunFile

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
    NeedleSetFile: NEEDLES,
    FamilyFile: FAMILY,
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
        # A list.
        (RunFile, "readers: smollm2", "readers: should be a list (given: 'smollm2'). Put it in [ ]."),
        (
            RunFile,
            "readers: {model: m}",
            "readers: should be a list (given: a mapping). Begin each entry with a dash.",
        ),
        (RunFile, "strategies: []", "strategies: should be a list of at least 1 entry, and is empty."),
        (RunFile, "readers:", "readers: has no value; it should be a list."),
        (NeedleSetFile, "needles: 3", "needles: should be a list (given: 3). Put it in [ ]."),
        (
            FamilyFile,
            "passages: {tokens: [1, 2], openings: [a, b], middles: [c], closings: [d, e]}",
            "passages.middles: should be a list of at least 8 entries, and has 1.",
        ),
        (FamilyFile, "nested: [1]", "nested: has 1 entry, which is too few. Add what is missing."),
        (FamilyFile, "nested: [1, 2, 3]", "nested: should be a list of 2 entries, and has 3."),
        # A mapping.
        (
            RunFile,
            "seeds: 5",
            "seeds: should be a mapping of keys to values (given: 5). Keys: anchor, rotating, spread.",
        ),
        (RunFile, "prices: [m]", "prices: should be a mapping of keys to values (given: a list)."),
        (
            RunFile,
            "prices: {m: 5}",
            "prices.m: should be a mapping of keys to values (given: 5)."
            " Keys: input, output, cached_input, thinking.",
        ),
        (SuiteFile, "longest: 5", "longest: should be a mapping of keys to values (given: 5)."),
        # Text.
        (RunFile, "suite:", "suite: has no value; it should be text."),
        (RunFile, "suite: ''", "suite: is empty. Write something."),
        (RunFile, "readers: ['']", "readers.0: is empty. Write something."),
        (RunFile, "description: 5", "description: should be text (given: 5). Put it in quotes."),
        (RunFile, "description: yes", "description: should be text (given: true). Put it in quotes."),
        (RunFile, "suite: [quick]", "suite: should be text (given: a list)."),
        (
            RunFile,
            "readers: [~]",
            "readers.0: nothing names no model. Write its name, or a mapping with the key model.",
        ),
        # Numbers.
        (
            RunFile,
            'repeats: "3"',
            "repeats: should be a whole number (given: '3'). Write 3, without quotes.",
        ),
        (RunFile, "repeats: 3.0", "repeats: should be a whole number (given: 3.0). Write 3."),
        (RunFile, "repeats: many", "repeats: should be a whole number (given: 'many')."),
        (RunFile, "repeats: 0", "repeats: should be at least 1 (given: 0)."),
        (RunFile, "repeats: 99999999999999999999", "repeats: is a number too large."),
        (SuiteFile, "seeds: []", "seeds: should be a list of at least 1 entry, and is empty."),
        (
            RunFile,
            "seeds: {anchor: [2000000000]}",
            "seeds.anchor.0: should be less than 2,000,000,000 (given: 2000000000).",
        ),
        (SuiteFile, "depths: [50%]", "depths.0: should be a number (given: '50%')."),
        (
            SuiteFile,
            'depths: ["12.5"]',
            "depths.0: should be a number (given: '12.5'). Write 12.5, without quotes.",
        ),
        (SuiteFile, "depths: [101]", "depths.0: should be at most 100 (given: 101)."),
        (SuiteFile, "depths: [.nan]", "depths.0: should be a number such as 50, and is no number (.nan)."),
        (RunFile, "prices: {m: {input: -1}}", "prices.m.input: should be at least 0 (given: -1)."),
        # Choices.
        (SuiteFile, "repeat: maybe", "repeat: should be true or false (given: 'maybe')."),
        (
            SuiteFile,
            "mode: exakt",
            "mode: should be auto, exact or contiguous (given: 'exakt'). Did you mean 'exact'?",
        ),
        (SuiteFile, "reserve: some", "reserve: should be a whole number or template (given: 'some')."),
        (
            SuiteFile,
            "mode: exakt\nrepeat: maybe",
            "mode: should be auto, exact or contiguous (given: 'exakt'). Did you mean 'exact'?",
        ),
        (SuiteFile, "reserve: -3", "reserve: should be at least 0 (given: -3)."),
        (SuiteFile, "order: 5", "order: should be listed or shuffled (given: 5)."),
        # pydantic says where in a union of its own it was; the file knows no such place.
        (
            FamilyFile,
            "each: {town: 5}",
            "each.town: should be a mapping of keys to values (given: 5). Keys: number, one_of, hex, uuid, "
            "letters, capitals, joined, coined, date.",
        ),
        (FamilyFile, "each: {town: {hex: 2}}", "each.town.hex: should be at least 4 (given: 2)."),
        (FamilyFile, "each: {town: {hexx: 5}}", "each.town.hexx: unknown key. Did you mean 'hex'?"),
        (
            FamilyFile,
            "each: {town: {}}",
            "each.town: a slot is a lexicon's name, or one of `number`, `one_of`, `hex`, `uuid`, `letters`, "
            "`capitals`, `joined`, `coined`, `date`.",
        ),
        # Names.
        (
            NeedleSetFile,
            "needles: [{id: Red Moss, text: a, elements: []}]",
            "needles.0.id: 'Red Moss' is no name. Write lower-case words joined by hyphens.",
        ),
        (
            NeedleSetFile,
            "elements: [{name: a, key: '--'}]",
            "elements.0.key: '--' has no letter and no digit. Write what the element answers for.",
        ),
        # Keys.
        (RunFile, "judge: {}", "judge.model: is missing. Add it."),
        (RunFile, "judge: {modle: m}", "judge.modle: unknown key. Did you mean 'model'?"),
        (
            NeedleSetFile,
            "distractors: [{id: a, form: b}]",
            "distractors.0.form: unknown key. Did you mean 'from'?",
        ),
        (WorldFile, "slots: {a: {kind: town, lw: 1}}", "slots.a.lw: unknown key. Did you mean 'low'?"),
        # What no file of niah's holds.
        (RunFile, "description: !!binary aGVsbG8=", "description: is binary; it should be text or a list."),
        (RunFile, "description: !!set {a}", "description: is a set; it should be text or a list."),
        (RunFile, "description: &a [*a]", "description.0: holds itself. Take the alias (*) out."),
        (
            RunFile,
            f"description: {'[' * 99}{']' * 99}",
            "description: is nested more than 50 deep. Write it flatter.",
        ),
        # What is no YAML.
        (RunFile, "? [a, b]\n: c", "is not valid YAML (line 6): a list is no key."),
        (RunFile, "? {a: b}\n: c", "is not valid YAML (line 6): a mapping is no key."),
        (RunFile, "a: b\n---\nc: d", "is not valid YAML (line 7): found another document."),
    ],
)
def test_what_is_said(tmp_path: Path, model: type[FileModel], line: str, said: str) -> None:
    assert told(tmp_path, model, with_key(model, line)) == said


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    assert told(tmp_path, RunFile, "suite: a\0b\n") == "holds letters that no text has. Is it a YAML file?"


def test_a_key_on_two_lines_is_told_on_one(tmp_path: Path) -> None:
    assert told(tmp_path, RunFile, with_key(RunFile, '"two\\nlines": 1')).startswith(
        "two lines: unknown key."
    )


def test_a_misspelt_key_comes_before_the_one_that_is_missing_for_it(tmp_path: Path) -> None:
    text = yaml.safe_dump({"suit": "quick", **{key: RUN[key] for key in ("readers", "strategies")}})
    assert told(tmp_path, RunFile, text) == "suit: unknown key. Did you mean 'suite'?"


def test_a_paper_of_ones_own_is_told_the_same_way(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("paper: p\ntitle: t\ntables: [{source: s, metric: m, numbers: [{value: '1'}]}]\n")
    with pytest.raises(ConfigError, match=r"tables\.0\.numbers\.0\.value: should be a number .*Write 1, wi"):
        reference(str(path))


def test_long_texts_are_cut() -> None:
    assert as_yaml("a" * 1000) == f"{'a' * 60!r}..."


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
