"""A value that an argument cannot be is one line of niah's own, in every public function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

import pytest

import niah
from niah.api.python.opened_cases import open_cases
from niah.api.python.run import Run
from niah.errors import UserError

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
# A config or suite is named by whatever its text is: that there is none of that name is said too.
ANY = {"config"}
ARGUMENTS = [
    (name, argument)
    for name, (function, _) in FUNCTIONS.items()
    for argument in signature(function).parameters
    if argument not in {"self", *ANY}
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
