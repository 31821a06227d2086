"""``niah judge audit``, run in-process; an LLM judge answers from a loopback server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main
from niah.judges.audit.report import audit_warning
from niah.judges.registry import resolve_judge
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from tests.loopback import Post, Reply, completion, replying


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def _lenient(post: Post) -> Reply:
    """A simulated judge that finds everything in every answer, and says nothing of answers in JSON."""
    data = json.loads(post.body["messages"][-1]["content"])
    verdict: dict[str, Any] = {
        "found": [element["name"] for element in data["elements"]],
        "missing": [],
        "wrong": [],
        "self_doubt": False,
        "reason": "lovely",
        "score": 10,
    }
    return Reply(completion("Lovely!" if data["answer"].startswith('{"answer"') else json.dumps(verdict)))


@pytest.fixture
def lenient() -> Iterator[str]:
    with replying(_lenient) as address:
        yield f"{address}/v1"


def test_the_rubric_passes(capsys: pytest.CaptureFixture[str], cache: Path) -> None:
    assert main(["judge", "audit", "--judge", "rubric"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("rubric, version ")
    assert "hostile answers got more than they deserve" in out
    assert out.rstrip().endswith("passed")
    assert "FAIL" not in out
    (kept,) = cache.rglob("judge-audits/*.json")
    assert json.loads(kept.read_text())["passed"] is True


def test_a_lenient_judge_fails_and_is_warned_of(lenient: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--needle-sets", "pizza-ingredients,three-gates", "--limit", "60"]
    assert main(["judge", "audit", "--judge", "kind", "--api-base", lenient, *options]) == 1
    out = capsys.readouterr().out
    assert out.rstrip().endswith("failed")
    assert "FAIL hostile answers raised: " in out
    warning = audit_warning(resolve_judge("kind", lenient))
    assert warning is not None
    assert "the judge kind failed its audit (" in warning
    assert "hostile answers raised" in warning


def test_json_says_everything(lenient: str, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--needle-sets", "pizza-ingredients", "--json"]
    assert main(["judge", "audit", "--judge", "kind", "--api-base", lenient, *options]) == 1
    report = json.loads(capsys.readouterr().out)
    figures = report["figures"]
    assert (report["judge"], report["needle_sets"], report["passed"]) == (
        "kind",
        ["pizza-ingredients"],
        False,
    )
    assert figures["kappa"] == 0
    assert len(figures["raised"]) == figures["hostile"] > 40
    assert {one["judged"] for one in figures["raised"]} == {10}
    # Three answers are JSON: whole, too little, and something wrong.
    assert len(figures["failures"]) == 3 == figures["answers"] - figures["judged"]
    assert all("pizza-ingredients, format, JSON" in failure for failure in figures["failures"])


def test_a_users_own_needle_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(
        "question: Which two colours has the flag of Ardmoor?\n"
        "answer: The flag of Ardmoor is teal and ochre.\n"
        "elements: [{name: teal}, {name: ochre, aliases: [ocher]}]\n"
        "needles:\n"
        "  - {id: a, text: The flag of Ardmoor has teal at the hoist., elements: [teal]}\n"
        "  - {id: b, text: 'At the fly, the flag of Ardmoor is ochre.', elements: [ochre]}\n"
    )
    assert main(["judge", "audit", "--judge", "rubric", "--needle-sets", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["needle_sets"] == ["mine"]
    assert "wrong" not in {of_type["type"] for of_type in report["figures"]["types"]}, "it has no distractors"


def test_a_limit_is_kept_to_and_every_type_tried(capsys: pytest.CaptureFixture[str]) -> None:
    main(["judge", "audit", "--judge", "rubric", "--limit", "50", "--json", "--seed", "3"])
    report = json.loads(capsys.readouterr().out)
    assert (report["figures"]["answers"], report["seed"]) == (50, 3)
    assert len(report["figures"]["types"]) == 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--judge", "rubrik"], "no judge called 'rubrik'. Did you mean 'rubric'?"),
        (["--judge", "rubric", "--needle-sets", "pizza-ingredient"], "Did you mean 'pizza-ingredients'?"),
        (["--judge", "rubric", "--needle-sets", ","], "--needle-sets names none."),
        (["--judge", "kind", "--api-base", "http://127.0.0.1:9/v1"], "nothing answers at"),
        ([], "Missing option '--judge'"),
    ],
)
def test_mistakes_are_one_line_and_nothing_is_kept(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], cache: Path
) -> None:
    assert main(["judge", "audit", *options]) == 2
    assert message in capsys.readouterr().err
    assert not list(cache.rglob("*.json"))


def test_the_embedded_model_is_warned_of_before_anybody_audits_it() -> None:
    warning = audit_warning(resolve_judge("smollm2"))
    assert warning is not None
    assert warning.startswith("the judge smollm2 is too small to judge: ")
    assert audit_warning(resolve_judge("rubric")) is None


def test_the_default_needle_sets_have_every_kind_of_answer() -> None:
    from niah.cli.judging.judge import NEEDLE_SETS

    sets: list[NeedleSet] = [load_needle_set(name, 1) for name in NEEDLE_SETS.split(",")]
    assert {needle_set.kind for needle_set in sets} >= {
        "single",
        "unanswerable",
        "multi-query",
        "conflicting",
    }
    assert len(sets) == 10
