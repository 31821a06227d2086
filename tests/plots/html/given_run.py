"""A run file of given questions for the report, without any model: real documents, simulated answers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import orjson

from niah.cases.questions.question_samples import question_samples
from niah.cases.sample import Sample
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.facts import RetrievalFacts
from niah.strategies.strategy import parse

STRATEGIES = ("lc", "bm25/top-5/document", "closed-book")
_KINDS, _SOURCES = ("fact", "reason", None), ("my notes", "my mail")
_WORDS = 700


def write_question_set(folder: Path, questions: int = 8) -> Path:
    """A question set over three documents beside it; some questions have options, some have evidence."""
    documents = [
        {"id": f"d{n}", "title": f"Document {n}", "text": f"# Head {n}\n\n" + _text(n, (n + 1) * _WORDS)}
        for n in range(3)
    ]
    lines = []
    for n in range(questions):
        line: dict[str, object] = {
            "id": f"q{n}",
            "document_id": f"d{n % 3}",
            "question": f"Which word is number {n}?",
            "answers": [f"word{n}", f"the word {n}"],
            "source": _SOURCES[n % 2],
            "licence": "CC0-1.0",
        }
        if n % 2:
            line |= {"options": ["stone", f"word{n}", "river"], "answer_index": 1, "answers": []}
        if n % 3 == 0:
            line["evidence"] = [f"word{n} of {n % 3}"]
        if kind := _KINDS[n % 3]:
            line["kind"] = kind
        lines.append(line)
    path = folder / "mine.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    beside = folder / "mine.documents.jsonl"
    beside.write_bytes(b"".join(orjson.dumps(document) + b"\n" for document in documents))
    return path


def write_given_run(path: Path, question_set: Path, readers: Sequence[str] = ("simulated-a",)) -> None:
    """Write a finished run of all questions of a set."""
    rng = random.Random(1)
    trials = [
        Trial(sample, parse(name), reader, 0, 128)
        for sample in question_samples(question_set, "cl100k", "lc-vs-rag")
        for name in STRATEGIES
        for reader in readers
    ]
    with open_for_writing(path) as store:
        store.begin({"judge": "token-f1"}, trials)
        store.commit([(trial, _result(rng, trial)) for trial in trials])


def _text(document: int, words: int) -> str:
    return " ".join(f"Here stands word{n} of {document}." for n in range(words))


def _result(rng: random.Random, trial: Trial) -> TrialResult:
    if rng.random() < 0.1:
        return TrialResult("overflow", "", "simulated: overflow", Usage(), 0.1, trial.sample.tokens)
    value = rng.choice((0.0, 0.4, 0.75, 1.0))
    verdict = Verdict(1 + 9 * value, (), (), (), False, "token-f1", "1", f"F1 {value}", value)
    return TrialResult(
        outcome="scored",
        answer=f"{trial.sample.key.answer}, and {value} of it",
        reason="",
        usage=Usage(trial.sample.tokens, 12, None),
        latency_s=1.0,
        context_tokens=trial.sample.tokens,
        retrieval=_facts(trial.sample) if trial.strategy.retrieves else None,
        verdicts=(verdict,),
        cost=Decimal("0.001"),
    )


def _facts(sample: Sample) -> RetrievalFacts:
    best = ((0, 400), (800, 1200))
    if not sample.evidence_is_known:
        return RetrievalFacts(None, None, None, None, 2, 9, best)
    return RetrievalFacts(1.0, (1,), (False,), 0.5, 2, 9, best)
