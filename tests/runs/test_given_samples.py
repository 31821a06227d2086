"""Questions over given documents in a run: what is planned, and what each reader is sent."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import niah
from niah.cases.questions.question_set import question_set_path
from niah.cases.samples import question_samples
from niah.runs.config import RunConfig
from niah.runs.execution.prepare import PreparedTrial, prepare
from niah.runs.file.merge import merge
from niah.runs.file.store import open_for_writing
from niah.runs.load_config import load_config
from niah.runs.plan import Shard, plan_trials, run_facts
from niah.runs.retrieval import evaluate
from niah.strategies.strategy import parse
from niah.text.tokenizer import Tokenizer, count
from tests.loopback import Post, Reply, claude_message, replying

ROWS = "\n".join(f"| part {n} | {n * 7} Nm |" for n in range(300))
DOCUMENTS = [
    {"id": "manual", "text": f"# Torques\n\n{ROWS}\n\n    indented = code(1)\n"},
    {"id": "note", "text": "It is two. It was one."},
]
NINTH = "| part 9 | 63 Nm |"
QUESTIONS: list[dict[str, Any]] = [
    {"id": "a", "document_id": "manual", "question": "Part 9?", "answers": ["63 Nm"], "evidence": [NINTH]},
    {"id": "b", "document_id": "note", "question": "Which?", "options": ["one", "two"], "answer_index": 1},
    {"id": "c", "document_id": "manual", "question": "Whose is it?", "kind": "unanswerable"},
]
NOISY = "bm25/top-2/norm@40+noise-0.5"


@pytest.fixture
def config(in_folder: Path) -> RunConfig:
    """A run of three questions, of which one has no evidence, with two strategies that need it."""
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS))
    Path("mine.documents.jsonl").write_text("".join(json.dumps(line) + "\n" for line in DOCUMENTS))
    Path("suite.yaml").write_text("questions: mine.jsonl\n")
    Path("run.yaml").write_text(
        "suite: suite.yaml\nreaders: [{model: m, api_base: 'http://127.0.0.1:9/v1'}]\n"
        f"strategies: [lc, oracle, {NOISY}, bm25/top-2/norm@100]"
    )
    return load_config("run.yaml")


def test_no_file_lacks_a_trial_that_is_not_asked_for_want_of_evidence(config: RunConfig) -> None:
    planned, parts = plan_trials(config), [Path("one.sqlite"), Path("two.sqlite")]
    for place, part in enumerate(parts, start=1):
        with open_for_writing(part) as store:
            store.begin(run_facts(config, planned), planned.part(Shard(place, 2)))
    merged = merge(parts, Path("merged.sqlite"))
    assert merged.planned == len(merged.run.planned) == len(planned.trials) == 10


def test_oracle_is_asked_what_has_evidence_and_sends_nothing_where_there_is_none_to_have(
    config: RunConfig,
) -> None:
    planned = plan_trials(config)
    trials = {(trial.sample.key.name, trial.strategy.name): trial for trial in planned.trials}

    def sent(question: str, strategy: str) -> PreparedTrial:
        return prepare(trials[question, strategy], lambda line: None)

    plain = ("lc", "bm25/top-2/norm@100")
    assert set(trials) == {*product("ac", (*plain, "oracle", NOISY)), *product("b", plain)}
    assert NINTH in sent("a", "oracle").request.prompt
    assert "| part 200 |" not in sent("a", "oracle").request.prompt
    assert "| part" not in sent("c", "oracle").request.prompt
    assert sent("c", "oracle").context_tokens == 0
    assert "| part" in sent("c", NOISY).request.prompt
    lacks = "{} is left out where no evidence is known of 1 of 3 questions: its means are of the others."
    assert planned.notes == (lacks.format("oracle"), lacks.format(NOISY))
    # Retrieval is held against evidence only where it is known.
    known, unknown = sent("a", "bm25/top-2/norm@100").retrieval, sent("b", "bm25/top-2/norm@100").retrieval
    assert known is not None
    assert unknown is not None
    assert known.completeness == 1
    assert (unknown.completeness, unknown.noise_ratio) == (None, None)


def test_a_document_is_counted_once_for_the_window_of_a_model(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [{"id": f"{n}", "document": ROWS, "question": f"{n}?", "answers": ["63 Nm"]} for n in range(3)]
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in asked))
    counted = list[str]()

    def counting(tokenizer: Tokenizer, text: str) -> int:
        counted.append(text)
        return count(tokenizer, text)

    monkeypatch.setattr("niah.runs.plan.count", counting)
    Path("run.yaml").write_text(
        "{questions: mine.jsonl, readers: [smollm2], strategies: [lc], truncate: back}"
    )
    assert len(plan_trials(load_config("run.yaml")).trials) == 3
    assert counted.count(ROWS) == 1


def test_retrieval_alone_is_evaluated_by_evidence() -> None:
    sample = question_samples(question_set_path("essays"), "cl100k", "lc-vs-rag")[0]
    strategies = list(map(parse, ("lc", "bm25/half/document@100", "closed-book")))
    lc, part, none = evaluate([sample], strategies, print)
    assert [row["completeness"] for row in (lc, part, none)] == [1, 1, 0]
    names = ("question_set", "document_id", "needle_set", "haystack", "depth", "seed")
    assert [part[name] for name in names] == ["essays", "essays/twelve-seconds", None, None, None, None]
    assert part["context_tokens"] <= sample.tokens / 2


def test_prompts_that_share_a_document_share_anthropics_cache(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A document is marked where it is asked of again, stored once, and then read at a tenth; as planned."""
    asked = [{**QUESTIONS[0], "id": f"{n}", "question": f"Part {n}?"} for n in range(9)]
    Path("mine.jsonl").write_text("".join(json.dumps(line) + "\n" for line in [*asked, QUESTIONS[1]]))
    documents = [DOCUMENTS[0], {"id": "note", "text": "It is two. It was one. " * 300}]
    Path("mine.documents.jsonl").write_text("".join(json.dumps(line) + "\n" for line in documents))
    Path("suite.yaml").write_text("questions: mine.jsonl\n")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-loopback")
    stored, bodies, usd = set[str](), list[str](), list[float]()

    def reply(post: Post) -> Reply:
        bodies.append(json.dumps(post.body))
        parts = post.body["messages"][0]["content"]
        prefix = "".join(part["text"] for part in parts if "cache_control" in part)
        rest, kept = sum(len(part["text"]) for part in parts) - len(prefix), len(prefix) // 3
        kind, price = ("read", 0.3) if prefix in stored else ("creation", 3.75)
        usage = {"input_tokens": rest // 3, "output_tokens": 5, f"cache_{kind}_input_tokens": kept}
        usd.append((rest // 3 * 3 + 5 * 15 + kept * price) / 1e6)
        stored.add(prefix)
        return Reply(claude_message("It is two.", usage))

    model = "{suite: suite.yaml, readers: [anthropic/claude-sonnet-4-5], strategies: [lc, bm25/top-2/norm]}"
    Path("run.yaml").write_text(model)
    with replying(reply) as address:
        monkeypatch.setenv("ANTHROPIC_API_BASE", address)
        (planned,) = niah.plan("run.yaml").parts
        frame = niah.run("run.yaml", out="run.sqlite", progress=False).frame()
    marked = [body for body in bodies if "cache_control" in body]
    assert (len(bodies), len(marked)) == (20, 9)  # neither the note nor what each question selects
    assert all(body.index("part 299") < body.index("cache_control") < body.index("Part ") for body in marked)
    counted = frame["cached_tokens"].sum() / frame["prompt_tokens"].sum()
    assert counted > 0.5
    assert planned.cached_tokens / planned.prompt_tokens == pytest.approx(counted, rel=0.1)
    assert float(frame["cost"].sum()) == pytest.approx(sum(usd))
