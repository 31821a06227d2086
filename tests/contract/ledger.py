"""A small world for tests of running: a ledger of numbered sentences, three needles, and who is asked."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import niah
from tests.contract.conftest import Endpoint, run_niah, write

QUESTION = "What are the codes of the three harbour gates?"
CODES = {"north": "48213", "south": "70556", "west": "13907"}
NEEDLES = [f"The code of the {side} harbour gate is {code}." for side, code in CODES.items()]
RIGHT = f"The codes are {', '.join(CODES.values())}."

_GATES = f"""\
question: {QUESTION}
answer: {RIGHT}
needles:
  - {{id: north, text: {NEEDLES[0]}, elements: ["48213"]}}
  - {{id: south, text: {NEEDLES[1]}, elements: ["70556"]}}
  - {{id: west, text: {NEEDLES[2]}, elements: ["13907"]}}
elements: [{{name: "48213"}}, {{name: "70556"}}, {{name: "13907"}}]
distractors: [{{id: mill, text: The code of the mill is 55555., elements: [{{name: "55555"}}]}}]
"""
GRID = """\
haystacks: [ledger.txt]
needle_sets: [gates]
lengths: [1500]
depths: [20]
prompt: marked.jinja
"""
_PROMPT = "Read this and answer.\n<<<{{ context }}>>>\nQuestion: {{ question }}\n"


def _ledger() -> str:
    draw = random.Random(7)
    things = ["rope", "tar", "coal", "oak", "sailcloth", "iron", "salt", "tea"]
    places = ["north harbour", "south quay", "west pier", "gate", "old lock", "harbour office", "stone docks"]
    ends = ["", " by cart", " in the rain", " with the keys of the house", " for the keeper of the gates"]
    return " ".join(
        f"Entry {n} lists {n % 40} loads of {draw.choice(things)}"
        f" at the {draw.choice(places)}{draw.choice(ends)}."
        for n in range(1, 400)
    )


def make_world(folder: Path, grid: str = GRID) -> Path:
    """Write needles/gates.yaml, ledger.txt, marked.jinja and the suite grid.yaml."""
    write(folder / "needles" / "gates.yaml", _GATES)
    write(folder / "ledger.txt", _ledger())
    write(folder / "marked.jinja", _PROMPT)
    write(folder / "grid.yaml", grid)
    return folder


Row = dict[str, Any]


def ask(folder: Path, endpoint: Endpoint, strategies: Sequence[Any] = ("lc",), **more: Any) -> list[Row]:
    """Run grid.yaml with reader m at ``endpoint``; the rows of ``niah export``."""
    arguments = {"readers": {"model": "m", "api_base": endpoint.base}, "out": "run.sqlite", **more}
    with chdir(folder):
        niah.run("grid.yaml", strategies=list(strategies), progress=False, **arguments)
    return exported(folder, arguments["out"])


def exported(folder: Path, run: str) -> list[Row]:
    """The rows of ``niah export``; none while there is no run file."""
    return run_niah("export", run, cwd=folder).rows


def by_trial(rows: list[Row]) -> dict[str, Row]:
    """The rows of ``niah export`` by trial, without what differs each time."""
    return {row["trial_id"]: row | {"latency_s": None} for row in rows}


def sent(prompt: str) -> str:
    """The context in a prompt of marked.jinja."""
    return prompt.partition("<<<")[2].partition(">>>")[0]


def sentences(text: str) -> list[str]:
    """The sentences of a ledger's text; none holds a full stop but at its end."""
    return [each.strip() for each in re.findall(r"[^.]+\.", text)]
