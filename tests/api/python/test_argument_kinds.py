"""A value that an argument cannot be is one line of niah's own, in every public function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import niah
from niah.api.python.opened_cases import open_cases
from niah.api.python.run import Run
from niah.errors import UserError
from tests.plots.html.simulated_run import Size, write_run

FUNCTIONS: Mapping[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "judge": (niah.judge, {"answer": "17685", "question": "three-gates"}),
    "cases": (open_cases, {}),
    "load_run": (niah.load_run, {}),
    "report": (niah.report, {"runs": "x"}),
    "compare": (niah.compare, {"baseline": "x"}),
    "plan": (niah.plan, {"config": "single", "readers": "smollm2", "strategies": "lc"}),
    "run": (niah.run, {"config": "single", "readers": "smollm2", "strategies": "lc"}),
    **{
        f"Run.{name}": (getattr(Run, name), {"self": None, **needed})
        for name, needed in (
            ("mean", {}),
            ("outcomes", {}),
            ("lead", {"strategy": "lc", "over": "dos"}),
            ("heatmap", {}),
            ("figure", {}),
            ("table", {}),
            ("save_figure", {"name": "score-by-length", "path": "x.svg"}),
            ("report", {}),
        )
    },
}
ARGUMENTS = [
    (name, argument)
    for name, (function, _) in FUNCTIONS.items()
    for argument in signature(function).parameters
    if argument != "self"
]


@pytest.mark.parametrize("value", [object(), 1j], ids=["object", "complex"])
@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_what_an_argument_cannot_be_is_told_by_its_name(name: str, argument: str, value: object) -> None:
    function, needed = FUNCTIONS[name]
    given = {**needed, argument: value}
    positional = [given.pop("self")] if "self" in given else []
    with pytest.raises(UserError) as caught:
        function(*positional, **given)
    said = str(caught.value)
    assert repr(value) in said
    assert "\n" not in said
    assert f"the argument {argument} is" in said or argument == "question"


@pytest.mark.parametrize("answer", [None, 17685, ["17685"], b"17685"])
def test_an_answer_is_a_text(answer: Any) -> None:
    with pytest.raises(UserError, match=r"the argument answer is .*\. Give a text\."):
        niah.judge(answer, "three-gates")


def test_what_arguments_may_be_still_is() -> None:
    assert niah.judge("The first gate takes 17685.", "three-gates", seed=1).missing
    with pytest.raises(TypeError, match=r"judge\(\) .*'answer"):
        niah.judge(answers="x", question="three-gates")  # type: ignore[call-arg]


NO_PATHS = {"too-long": "x" * 5000, "name-too-long": f"runs/{'x' * 256}", "nul": "a\0b", "half": "\ud800"}
PATHS = [
    (name, argument)
    for name, argument in ARGUMENTS
    if argument in {"config", "runs", "suite", "path", "folder", "baseline", "needle_sets", "out"}
    or (name, argument) == ("judge", "question")
]


@pytest.mark.parametrize("text", NO_PATHS.values(), ids=NO_PATHS)
@pytest.mark.parametrize(("name", "argument"), PATHS)
def test_what_no_file_can_be_called_is_no_path(name: str, argument: str, text: str) -> None:
    function, needed = FUNCTIONS[name]
    given = {**needed, argument: text}
    positional = [given.pop("self")] if "self" in given else []
    with pytest.raises(UserError) as caught:
        function(*positional, **given)
    assert f"the argument {argument} is" in str(caught.value)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (
            {"suite": "small", "readers": ["smollm2"]},
            "the argument config is a mapping (suite, readers). Give the name or path of a run config or "
            'suite, and keys as arguments: niah.run("small", readers=[...], strategies=[...]).',
        ),
        (
            {"suite": "small", "reader": ["smollm2"]},
            "is a mapping (suite, reader), and no run config has the key 'reader'. Did you mean 'readers'?",
        ),
        ({}, "the argument config is a mapping (empty). Give the name or path of a run config or suite, and"),
        (["quick"], "the argument config is ['quick']. Give a name or a path, or None."),
    ],
)
def test_a_config_is_named_and_not_given(config: Any, said: str) -> None:
    for function in (niah.run, niah.plan):
        with pytest.raises(UserError) as caught:
            function(config)
        assert said in str(caught.value)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("skip", np.array([1, 2])),
        ("lengths", b"lc"),
        ("reader_options", ""),
        ("reader_options", 0),
        ("needle", {"The code is 7316.": 1}),
        ("limit", 2**63),
        ("concurrency", 2**63),
        ("readers", "\ud800"),
    ],
)
def test_what_only_seemed_to_be_of_a_kind_is_none(argument: str, value: Any) -> None:
    with pytest.raises(UserError, match=f"the argument {argument} is "):
        niah.run("single", **{"strategies": "lc", "readers": "smollm2", argument: value})


@pytest.mark.parametrize(
    "asked",
    [
        lambda: niah.report("run.sqlite", "taken"),
        lambda: niah.report("run.sqlite", "taken/below"),
        lambda: niah.load_run("run.sqlite").report("taken"),
        lambda: niah.load_run("run.sqlite").save_figure("heatmaps", "taken/below.png"),
        lambda: niah.run("quick", out="taken/below.sqlite"),
    ],
)
def test_an_output_in_the_place_of_a_file_is_a_users_mistake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: Callable[[], object]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(Path("run.sqlite"), Size(lengths=(512,), depths=(0,), readers=("simulated",)))
    Path("taken").write_text("a note")
    before = sorted(Path().rglob("*"))
    with pytest.raises(UserError, match=r"^taken.*: Not a directory\. A part of that path is a file"):
        asked()
    assert Path("taken").read_text() == "a note"
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize("argument", ["out", "haystack"])
def test_an_empty_path_names_nothing(argument: str) -> None:
    with pytest.raises(UserError, match=f"the argument {argument} is ''|no haystack called ''"):
        niah.run("quick", **{argument: ""})  # type: ignore[arg-type]


def test_no_readers_are_no_pair() -> None:
    with pytest.raises(UserError, match=r"the argument readers is \(\)\."):
        niah.compare("a", "b", readers=())  # type: ignore[arg-type]
