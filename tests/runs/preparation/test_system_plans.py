"""Plans of strategies that ask a model for single questions: what two cases ask is not one call."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.runs.preparation.scripted_model import ScriptedModel, found, scripted
from tests.runs.preparation.system_plans import plans_beside_counts

FOUR_CASES = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [4000]
depths: [50]
seeds: [1, 2]
"""
ROUTE = "route(tfidf/budget-500/document@100,lc)"


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted() as made:
        made.rule = found
        yield made


@pytest.mark.parametrize(
    ("strategy", "of_questions"),
    [
        ("tfidf/budget-1000/document@100+summary-200", 4),
        ("lc+summary-200", 4),
        ("readagent-2", 4),
        ("readagent-sequential-2", 8),
        ("tree-index-1", 8),
        ("tree-index-2", 4),
        ("mixpr-reader/budget-500/document", 4),
        (ROUTE, 4),
    ],
)
def test_a_plan_says_at_most_what_a_run_then_takes(
    strategy: str, of_questions: int, model: ScriptedModel, tmp_path: Path, without_figures: None
) -> None:
    (system,) = plans_beside_counts(tmp_path, model, [strategy], FOUR_CASES)
    assert of_questions <= system.prepared.calls <= system.preparing.calls
    assert system.prepared.tokens <= system.preparing.tokens
    assert system.reading.tokens == pytest.approx(system.read.tokens, rel=0.1)
    assert system.read.tokens <= system.at_most


def test_half_of_what_a_reader_may_answer_on_the_way_is_planned_to_read_on(
    model: ScriptedModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grid.yaml").write_text(FOUR_CASES)
    reader = f"{{model: scripted, api_base: {model.base_url}}}"
    Path("run.yaml").write_text(
        f'suite: grid.yaml\nreaders: [{reader}]\nstrategies: [closed-book, "{ROUTE}"]\n'
    )
    assert main(["plan", "run.yaml", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    (planned,), (preparing,) = plan["readers"], plan["preparation"]
    bare = planned["prompt_tokens"] - 2 * 4_000
    routed = {"trials": 4, "read_on": 2, "is_known": False, "prompt_tokens_at_least": bare}
    assert {name: planned[name] for name in ("trials", "calls", "routed")} == {
        "trials": 8,
        "calls": 6,
        "routed": routed,
    }
    assert 0 < bare < 400
    assert planned["prompt_tokens_at_most"] >= 4 * 4_000 + bare
    # A budget has to hold first answers that fill their room, 40 tokens and more.
    of_reader = planned["prompt_tokens_at_most"] + planned["answer_tokens_at_most"]
    assert plan["total"]["budget_tokens"] >= of_reader + preparing["prompt_tokens"] + 4 * 40
