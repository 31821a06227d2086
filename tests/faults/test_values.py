"""The form of a value decides: another unit, sign, power, currency or name is another value.

Each row of tests/data/values.md is asked from outside.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import niah as package
from tests.contract.conftest import Endpoint, Niah, write

pytestmark = pytest.mark.usefixtures("without_figures")

_PAGE = (Path(__file__).parents[1] / "data" / "values.md").read_text(encoding="utf-8")
_ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.*", _PAGE, re.M)][
    2:
]


def _gate(folder: Path, value: str) -> Path:
    """A needle set whose only element is ``value``."""
    name, text = json.dumps(value), json.dumps(f"The entry of the Hask gate is {value}.")
    facts = f"question: What is the entry of the Hask gate?\nanswer: {name}\nelements: [{{name: {name}}}]\n"
    return write(folder / "needles" / "gate.yaml", f"{facts}needles: [{{text: {text}}}]\n")


@pytest.mark.parametrize(("value", "answer", "score"), _ROWS)
def test_a_value_is_read_in_its_own_form(folder: Path, value: str, answer: str, score: str) -> None:
    said = answer if "{" in answer else answer.replace("\\n", "\n").replace("\\e", "\x1b")
    assert package.judge(said, str(_gate(folder, value))).score == int(score)


@pytest.mark.parametrize("name", ["IT", "WHO", "OR", "ON", "Will", "May", "US"])
def test_a_name_that_is_also_a_small_word_can_be_hidden(
    niah: Niah, endpoint: Endpoint, folder: Path, name: str
) -> None:
    endpoint.models["m"] = lambda prompt: f"It is {name}."
    fact = ("--needle", f"The lamp of the hall belongs to {name}.", "--question", "Whose is the lamp?")
    grid = ("--expect", name, "--lengths", "512", "--depths", "50")
    ran = niah("run", *fact, *grid, "--model", "m", "--api-base", endpoint.base, "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    assert [row["score"] for row in niah("export", "x.sqlite").rows] == [10]
