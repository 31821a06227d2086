"""YAML that a stranger wrote: refused in one line, in little time and memory, whatever it unfolds to."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from niah.cases.suite import SuiteFile
from niah.errors import ConfigError
from niah.files import load_yaml
from niah.yaml_file import LARGEST, MOST_VALUES, line_of_key, parse_yaml

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
        ("{a: " * 300_000, "is not valid YAML (line 1): nested more than 200 deep."),
        ("- " * 300_000, "is not valid YAML (line 1): nested more than 200 deep."),
        ("? " * 300_000, "is not valid YAML (line 1): nested more than 200 deep."),
        ("".join(" " * i + "a:\n" for i in range(1000)), "(line 200): nested more than 200 deep."),
        ("a: [" + "1," * (MOST_VALUES + 1) + "]", f"(line 1): more than {MOST_VALUES:,} values."),
        (
            "a: " + "x" * LARGEST,
            "is larger than 16 MB, the most that a YAML file may have. Long texts belong",
        ),
        ("a: " + "1:" * 500_000 + "1", "(line 1): '1:1:1:1:1"),
        ("a: " + "9" * 500_000, "(line 1): '99999999"),
        ("a: 1\nb: 2001-99-99", "(line 2): '2001-99-99' cannot be read as timestamp."),
        ("a: !!int seven", "(line 1): 'seven' cannot be read as int."),
        ("a: !!float seven", "(line 1): 'seven' cannot be read as float."),
        ("a: !!bool maybe", "(line 1): 'maybe' cannot be read as bool."),
        ("a: !!map maybe", "(line 1): expected a mapping."),
        ("a: !!set maybe", "(line 1): expected a mapping"),
        ("a: !!python/object/apply:os.system [ls]", "(line 1): could not determine a constructor"),
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


def test_the_line_of_a_key(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("a: 1\nb:\n- x\n- c: 2\n  d: 3\n")
    assert [line_of_key(path, keys) for keys in (["a"], ["b", "0"], ["b", "1", "d"], ["b", "1", "e"])] == [
        1,
        3,
        5,
        4,
    ]
