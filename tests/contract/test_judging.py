"""Answers and their verdicts: by rules, by a model, by rules and a model; judged again without a reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

import niah
from tests import loopback
from tests.contract.conftest import Endpoint, answering, run_niah, write
from tests.contract.ledger import CODES, GRID, QUESTION, RIGHT, Row, ask, exported, make_world

NORTH, SOUTH, WEST = CODES.values()
MILL = "55555"  # the distractor's code
# Each answer with its kind of mistake, score, missing and wrong elements: agreement is found / (3 + wrong).
ANSWERS: dict[str, tuple[str, int, list[str], list[str]]] = {
    RIGHT: ("right", 10, [], []),
    "13907, 48213, 70556": ("right", 10, [], []),
    "- **48213**\n- **70556**\n- **13907**": ("right", 10, [], []),
    '{"north": 48213, "south": 70556, "west": 13907}': ("right", 10, [], []),
    "<think>55555? No.</think>48213, 70556, 13907": ("right", 10, [], []),
    "The mill has 55555, the gates others.\n\nAnswer: 48213, 70556, 13907": ("right", 10, [], []),
    "The codes are 48213 and 70556.": ("missing", 7, [WEST], []),
    "70556 and 13907": ("missing", 7, [NORTH], []),
    "48213": ("missing", 5, [SOUTH, WEST], []),
    "48213, 70556, 13907, 55555": ("wrong", 7, [], [MILL]),
    "48213, 70556, 55555": ("both", 5, [WEST], [MILL]),
    "48213 and 55555": ("both", 3, [SOUTH, WEST], [MILL]),
    "55555": ("both", 1, [NORTH, SOUTH, WEST], [MILL]),
    "The text does not say what the codes are.": ("refused", 1, [NORTH, SOUTH, WEST], []),
    "I cannot find the codes in the text.": ("refused", 1, [NORTH, SOUTH, WEST], []),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_world(tmp_path_factory.mktemp("judging"), GRID + "distractors: 1\n")


@pytest.fixture(scope="module")
def judged(world: Path) -> dict[str, Row]:
    """The row of each answer in a run that was judged by rules."""
    said = iter(ANSWERS)
    with answering(m=lambda prompt: next(said)) as endpoint:
        rows = ask(world, endpoint, ["lc"], repeats=len(ANSWERS))
    return {row["answer"]: row for row in rows}


def test_the_rules(judged: dict[str, Row], world: Path) -> None:
    wanted = {answer: row[1:] for answer, row in ANSWERS.items()}
    assert {row["outcome"] for row in judged.values()} == {"scored"}
    exported = {answer: (row["score"], row["missing"], row["wrong"]) for answer, row in judged.items()}
    assert exported == wanted
    with chdir(world):
        said = {answer: niah.judge(answer, "needles/gates.yaml") for answer in ANSWERS}
    assert {
        answer: (verdict.score, list(verdict.missing), list(verdict.wrong))
        for answer, verdict in said.items()
    } == wanted


def test_each_kind_of_mistake_has_an_error_type_of_its_own(judged: dict[str, Row]) -> None:
    types: dict[str, set[str]] = {}
    for answer, (kind, *_) in ANSWERS.items():
        types.setdefault(kind, set()).add(judged[answer]["error_type"])
    assert types["right"] == {"correct"}
    assert all(len(found) == 1 for found in types.values()), types
    assert len(set.union(*types.values())) == len(types)


DOORS = """\
question: Which colours have the doors, from the first to the last?
answer: Amber, jade, coral.
ordered: true
needles: [{id: all, text: "The doors are amber, jade and coral.", elements: [amber, jade, coral]}]
elements: [{name: amber}, {name: jade}, {name: coral}]
"""


def test_keys_and_order(folder: Path) -> None:
    """A value of another key is wrong, and one out of its place, where the question asks for an order."""
    doors = str(write(folder / "doors.yaml", DOORS))
    gates = "Copper gate: {}; willow gate: {}; granite gate: {}."
    rows = [
        (gates.format(50317, 82946, 17685), "three-gates", 10),
        (gates.format(82946, 50317, 17685), "three-gates", 3),
        ("17685, I think", "three-gates", 5),
        ("The code of the granite gate is 50317.", "three-gates", 1),
        ("amber, jade, coral", doors, 10),
        ("amber, jade", doors, 7),
        ("coral, jade, amber", doors, 3),
    ]
    assert [niah.judge(text, question).score for text, question, _ in rows] == [score for *_, score in rows]


PARAPHRASE = (
    "The codes of the three harbour gates are painted on the inner doors of the gate house, "
    "where every keeper of the harbour gates reads them aloud each morning before the boats go out."
)
SAID = [RIGHT, PARAPHRASE, "The text does not say."]
SCORES = dict(zip(SAID, (10, 5, 1), strict=True))


def verdict(prompt: str) -> str:
    """What a model says that takes the inner doors for the north gate's code."""
    asked = json.loads(prompt[prompt.index("{") :])
    assert (asked["question"], asked["reference_answer"]) == (QUESTION, RIGHT)
    quoted = {NORTH: "inner doors" if NORTH not in asked["answer"] else NORTH, SOUTH: SOUTH, WEST: WEST}
    found = {code: words for code, words in quoted.items() if words in asked["answer"]}
    evidence = [{"element": code, "quotation": words} for code, words in found.items()]
    missing, score = [code for code in CODES.values() if code not in found], (1, 5, 7, 10)[len(found)]
    none = not found
    return loopback.verdict(evidence=evidence, missing=missing, score=score, refused=none, self_doubt=none)


@pytest.fixture
def server() -> Iterator[Endpoint]:
    """Reader m says each of SAID once; j is a judge."""
    said = iter(SAID)
    with answering(m=lambda prompt: next(said), j=verdict) as endpoint:
        yield endpoint


def scores(rows: list[Row], judge: str | None = None) -> dict[str, float | None]:
    return {row["answer"]: row["judge_scores"][judge] if judge else row["score"] for row in rows}


def test_a_model_judges_and_what_it_leaves_out_is_asked_again(world: Path, server: Endpoint) -> None:
    more: dict[str, Any] = {"judge": {"model": "j", "api_base": server.base}, "repeats": 3, "out": "j.sqlite"}
    server.models["j"] = lambda prompt: "Hm." if "not say" in prompt.rpartition("{")[2] else verdict(prompt)
    rows = ask(world, server, ["lc"], **more)
    assert scores(rows) == SCORES | {SAID[2]: None}
    assert {row["answer"]: row["outcome"] for row in rows} == {
        RIGHT: "scored",
        PARAPHRASE: "scored",
        SAID[2]: "judge_error",
    }
    asked = len(server.bodies("j"))
    server.models["j"] = verdict
    rows = ask(world, server, ["lc"], **more, retry="judge_error")
    assert scores(rows) == scores(rows, "j") == SCORES
    assert (len(server.bodies("m")), len(server.bodies("j"))) == (3, asked + 1)
    assert all(row["prompt_tokens"] for row in rows)  # also of the answer that was kept


def test_a_model_behind_the_rules_judges_what_they_cannot_read(world: Path, server: Endpoint) -> None:
    judge = {"model": "rubric+j", "api_base": server.base}
    rows = ask(world, server, ["lc"], repeats=3, judge=judge, out="cascade.sqlite")
    assert scores(rows) == SCORES
    assert scores(rows, "rubric") == SCORES | {PARAPHRASE: 1}
    (body,) = server.bodies("j")
    assert json.loads(body["messages"][-1]["content"])["answer"] == PARAPHRASE


def test_stored_answers_are_judged_again(world: Path, server: Endpoint) -> None:
    by_rules = SCORES | {PARAPHRASE: 1}
    assert scores(ask(world, server, ["lc"], repeats=3, out="again.sqlite")) == by_rules
    elsewhere = server.base.replace("127.0.0.1", "0.0.0.0")  # no address that niah knows
    command = ("judge", "again.sqlite", "--judge", "j", "--votes", "3", "--api-base", elsewhere)
    done = run_niah(*command, cwd=world, env={"FORCE_COLOR": "1", "OPENAI_API_KEY": "sk-mine-0123456789"})
    assert done.code == 0
    assert server.posts[-1].headers["Authorization"] == "Bearer sk-mine-0123456789"  # sent as the user says
    assert done.err.endswith("\x1b[1A\x1b[2K3 new verdicts of j.\n")  # without the bar
    rows = exported(world, "again.sqlite")
    assert (scores(rows), scores(rows, "j")) == (by_rules, SCORES)
    assert run_niah(*command, "--primary", cwd=world).code == 0
    assert scores(exported(world, "again.sqlite")) == SCORES
    assert (len(server.bodies("m")), len(server.bodies("j"))) == (3, 9)
