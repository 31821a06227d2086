"""The papers' systems side by side, with a scripted model; self-route and summaries in a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import niah
from niah import paths
from niah.cli.main import main
from niah.runs.file.read_model import RunContents, read_run
from tests.runs.preparation.scripted_model import AT_ONCE, ScriptedModel, scripted

SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [4000]
depths: [50]
"""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with scripted() as made:
        yield made


@pytest.fixture(autouse=True)
def fresh(
    model: ScriptedModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without_figures: None
) -> None:
    """A folder of its own for each, and a cache without answers."""
    (tmp_path / "cache").mkdir()
    for each in paths.cache().iterdir():
        if ".sqlite" not in each.name or each.name.startswith("vectors"):
            (tmp_path / "cache" / each.name).symlink_to(each)
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    model.asked.clear()


def write(model: ScriptedModel, *strategies: str, more: str = "") -> None:
    Path("grid.yaml").write_text(SUITE)
    reader = f"{{model: scripted, api_base: {model.base_url}, concurrency: 4{more}}}"
    listed = "\n".join(f'  - "{name}"' for name in strategies)
    Path("small.yaml").write_text(f"suite: grid.yaml\nreaders: [{reader}]\nstrategies:\n{listed}\n")


def run(*more: str) -> tuple[int, RunContents]:
    code = main(["run", "small.yaml", "--out", "small.sqlite", *more])
    return code, read_run(Path("small.sqlite"))


def test_the_reader_answers_at_once_or_reads_everything(
    model: ScriptedModel, capsys: pytest.CaptureFixture[str]
) -> None:
    write(model, "route(minilm/budget-500/document@100,lc)")
    assert main(["plan", "small.yaml", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)
    assert planned["preparation"][0]["calls"] == 2
    _, contents = run()
    by_set = {record.needle_set: record for record in contents.records}
    at_once, asked_twice = by_set["ferry-lanterns"], by_set["three-gates"]
    assert at_once.answer == AT_ONCE
    assert asked_twice.answer == "violet, I think"
    assert 0 < (at_once.context_tokens or 0) <= 500
    assert (asked_twice.context_tokens or 0) > 3_500
    # Each token once: the first answer's with the calls that came before reading, the second's with reading.
    assert (at_once.prompt_tokens, at_once.completion_tokens, at_once.cost) == (0, 0, 0)
    assert len(model.asked) == 3
    calls = {call.trial_id: call.usage.prompt_tokens for call in contents.preparations}
    assert set(calls) == {at_once.trial_id, asked_twice.trial_id}
    counted = sum(each[1] for each in model.asked)
    assert sum(filter(None, calls.values())) + (asked_twice.prompt_tokens or 0) == counted
    # The plan's prompts of the first step.
    assert planned["preparation"][0]["prompt_tokens"] >= sum(filter(None, calls.values()))
    # Another run asks all of it anew.
    model.asked.clear()
    assert main(["run", "small.yaml", "--out", "again.sqlite"]) == 0
    assert len(model.asked) == 3
    assert main(["run", "small.yaml", "--out", "reused.sqlite", "--reuse"]) == 0
    assert len(model.asked) == 3
    assert niah.load_run("reused.sqlite").frame()["reused_from"].astype(bool).all()


def test_the_reader_is_asked_as_a_reader_where_its_reply_may_be_the_answer(model: ScriptedModel) -> None:
    with scripted() as other:
        write(
            model,
            "route(minilm/budget-500/document@100,lc)",
            "dos+summary-200",
            more=", temperature: 0.5, system: Be brief.",
        )
        text = Path("small.yaml").read_text()
        Path("small.yaml").write_text(
            f"{text}repeats: 2\npreparation: {{model: other, api_base: {other.base_url}}}\n"
        )
        _, contents = run()
        assert {record.outcome for record in contents.records} == {"scored"}
        assert {call.model for call in contents.preparations if call.step == "answer"} == {"scripted"}
        assert {call.model for call in contents.preparations if call.step == "summary"} == {"other"}
        # Both repeats are drawn; a summary is made once.
        assert sum('write "unanswerable"' in prompt for prompt, *_ in model.asked) == 4
        assert len(other.asked) == 2


def test_a_failing_first_step_is_the_reader_s_outcome(model: ScriptedModel) -> None:
    model.failing = 'write "unanswerable"'
    write(model, "route(minilm/budget-500/document@100,lc)")
    _, contents = run()
    model.failing = ""
    assert {record.outcome for record in contents.records} == {"reader_error"}
    assert {record.reason for record in contents.records} == {"answer by scripted: HTTP 400: I choke on this"}
