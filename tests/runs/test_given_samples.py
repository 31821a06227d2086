"""Questions over given documents in a run: what is planned, and what each reader is sent."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from niah.readers.reader import Request
from niah.runs.execution.prepare import prepare
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials
from niah.runs.trial import Trial

ROWS = "\n".join(f"| part {n} | {n * 7} Nm |" for n in range(300))
MANUAL = f"# Torques\n\n{ROWS}\n\n    indented = code(1)\n    more = code(2)\n"
QUESTIONS = [
    {
        "id": "a",
        "document_id": "manual",
        "question": "Part 9?",
        "answers": ["63 Nm"],
        "evidence": ["| part 9 | 63 Nm |"],
    },
    {"id": "b", "document_id": "note", "question": "Which?", "options": ["one", "two"], "answer_index": 1},
]
DOCUMENTS = [{"id": "manual", "text": MANUAL}, {"id": "note", "text": "It is two. It was one."}]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    Path("mine.documents.jsonl").write_text("".join(json.dumps(line) + "\n" for line in DOCUMENTS))
    Path("suite.yaml").write_text("questions: mine.jsonl\n")


def planned(*strategies: str) -> list[Trial]:
    reader = "{model: m, api_base: 'http://127.0.0.1:9/v1'}"
    lines = ("suite: suite.yaml", f"strategies: [{', '.join(strategies)}]", f"readers: [{reader}]")
    Path("run.yaml").write_text("\n".join(lines))
    return plan_trials(load_config("run.yaml")).trials


def sent(trial: Trial) -> Request:
    return prepare(trial, lambda line: None).request


UNANSWERABLE = {"id": "c", "document_id": "manual", "question": "Whose is it?", "kind": "unanswerable"}


def test_oracle_is_asked_what_has_evidence_and_sends_nothing_where_there_is_none_to_have() -> None:
    lines = [*QUESTIONS, UNANSWERABLE]
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    trials = {
        (trial.sample.key.name, trial.strategy.name): trial
        for trial in planned("lc", "oracle", "bm25/top-2/norm@40+noise-0.5")
    }
    noisy = "bm25/top-2/norm@40+noise-0.5"
    assert set(trials) == {*product("ac", ("lc", "oracle", noisy)), ("b", "lc")}
    assert "| part 9 | 63 Nm |" in sent(trials["a", "oracle"]).prompt
    assert "| part 200 |" not in sent(trials["a", "oracle"]).prompt
    assert "| part" not in sent(trials["c", "oracle"]).prompt
    assert prepare(trials["c", "oracle"], lambda line: None).context_tokens == 0
    assert "| part" in sent(trials["c", noisy]).prompt
    notes = plan_trials(load_config("run.yaml")).notes
    lacks = "{} is left out where no evidence is known of 1 of 3 questions: its means are of the others."
    none = (
        "oracle sends no context for 1 question that the text does not answer: there is no evidence of one."
    )
    assert notes == (lacks.format("oracle"), none, lacks.format(noisy))


def test_retrieval_is_held_against_evidence_only_where_it_is_known() -> None:
    with_evidence, without = sorted(planned("bm25/top-2/norm@100"), key=lambda t: t.sample.sample_id)
    facts = prepare(with_evidence, lambda line: None).retrieval
    assert facts is not None
    assert facts.completeness == 1
    facts = prepare(without, lambda line: None).retrieval
    assert facts is not None
    assert (facts.completeness, facts.noise_ratio) == (None, None)
