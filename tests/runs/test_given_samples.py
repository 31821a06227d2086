"""Questions over given documents in a run: what is planned, and what each reader is sent."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.readers.reader import Request
from niah.runs.config import Instead
from niah.runs.execution.prepare import prepare
from niah.runs.load_config import load_config
from niah.runs.plan import plan_trials, run_facts
from niah.runs.trial import Trial
from niah.text.tokenizer import count, get_tokenizer

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
READER = "{model: m, api_base: 'http://127.0.0.1:9/v1'%s}"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    Path("mine.documents.jsonl").write_text("".join(json.dumps(line) + "\n" for line in DOCUMENTS))
    Path("suite.yaml").write_text("questions: mine.jsonl\n")


def planned(
    *strategies: str, reader: str = READER % "", more: str = "", instead: Instead | None = None
) -> list[Trial]:
    lines = ("suite: suite.yaml", f"strategies: [{', '.join(strategies)}]", f"readers: [{reader}]", more)
    Path("run.yaml").write_text("\n".join(lines))
    return plan_trials(load_config("run.yaml", instead)).trials


def sent(trial: Trial) -> Request:
    return prepare(trial, lambda line: None).request


def test_every_question_under_every_strategy() -> None:
    trials = planned("lc", "bm25/half/document@100", "closed-book")
    assert {(trial.sample.sample_id, trial.strategy.name) for trial in trials} == {
        (sample, strategy)
        for sample in ("mine_a", "mine_b")
        for strategy in ("lc", "bm25/half/document@100", "closed-book")
    }
    assert len({trial.trial_id for trial in trials}) == 6
    assert run_facts(load_config("run.yaml"), trials)["cases"] == ["mine_a", "mine_b"]


def test_full_context_is_the_document_and_options_are_shown() -> None:
    first, second = sorted(planned("lc"), key=lambda trial: trial.sample.sample_id)
    assert MANUAL in sent(first).prompt
    assert "It is two. It was one." in sent(second).prompt
    assert "\nA. one\nB. two\n" in sent(second).prompt


@pytest.mark.parametrize("strategy", ["topk+noise-0.5", "oracle"])
def test_what_needs_evidence_is_refused_where_there_is_none(strategy: str) -> None:
    Path("mine.jsonl").write_text(json.dumps(QUESTIONS[1]))
    says = rf"run\.yaml: strategies\.1: {re.escape(strategy)} needs to know .* no question of mine says so"
    with pytest.raises(ConfigError, match=says):
        planned("lc", strategy)


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
    lacks = (
        "1 of 3 questions has no evidence ('b' of mine): {} is left out there, and its means are of the "
        "others."
    )
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


def test_a_judge_that_does_not_suit_is_met_before_any_work() -> None:
    with pytest.raises(
        ConfigError, match=r"run\.yaml: judge: the judge accuracy cannot judge a: .* Take auto"
    ):
        planned("lc", more="judge: accuracy")
    with pytest.raises(ConfigError, match="the judge rubric cannot judge b: it has options"):
        planned("lc", more="judge: rubric")
    assert planned("lc", more="judge: squad-f1")


# Contexts longer than the window


@pytest.mark.parametrize("side", ["back", "middle"])
def test_a_context_is_cut_only_when_asked(side: str) -> None:
    trials = {t.sample.key.name: t for t in planned("lc", "bm25/half/norm")}
    assert all(trial.truncation is None for trial in trials.values())
    plain = {t.trial_id for t in planned("lc", "bm25/half/norm")}
    cut = planned("lc", "bm25/half/norm", reader=READER % f", window: 2048, truncate: {side}")
    changed = [trial for trial in cut if trial.trial_id not in plain]
    assert [(trial.sample.key.name, trial.strategy.name) for trial in changed] == [("a", "lc")]
    (trial,) = changed
    prepared = prepare(trial, lambda line: None)
    tokens = count(get_tokenizer("cl100k"), prepared.request.prompt)
    assert 2048 - 80 <= tokens + trial.max_tokens <= 2048
    assert prepared.context_tokens is not None
    assert prepared.context_tokens < trial.sample.tokens
    assert "# Torques" in prepared.request.prompt
    assert ("more = code(2)" in prepared.request.prompt) == (side == "middle")


@pytest.mark.parametrize(
    ("reader", "more", "says"),
    [
        (", truncate: back", "", r"readers\.0\.truncate: cuts what is longer than the window of m"),
        (
            "",
            "truncate: middle",
            r"yaml: truncate: cuts .* window of m, which is not known",
        ),
        (", window: 4096", "", r"readers\.0\.window: is of use only where contexts are cut"),
        (", truncate: front, window: 4096", "", r"readers\.0\.truncate: should be back or middle"),
        (", window: 100", "", r"readers\.0\.window: should be at least 1,?024"),
    ],
)
def test_mistakes_about_windows(reader: str, more: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        planned("lc", reader=READER % reader, more=more)
