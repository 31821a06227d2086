"""How large a run file becomes: 50,000 trials stay under 150 MB."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.haystacks.load import load_corpus
from niah.judges.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.file.read_model import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.facts import RetrievalFacts
from niah.strategies.presets import STRATEGIES as NAMED
from niah.strategies.strategy import parse
from tests.samples import unbuilt

NEEDLE_SET = "pizza-ingredients"
CASES = [
    Case(NEEDLE_SET, "essays", 1000 * length, depth, seed)
    for length in range(1, 51)
    for depth in range(0, 100, 10)
    for seed in range(1, 11)
]
STRATEGIES = [parse(name) for name in ["lc", *list(NAMED.own)[3:12]]]
TRIALS = 50_000
LIMIT_BYTES = 150 * 10**6
ANSWER_LENGTH = 600
BATCH = 1000


def verdicts(answers: list[str]) -> list[Verdict]:
    key = key_of(NEEDLE_SET, 1)
    return [judge_by_rubric(answer, key) for answer in answers]


def answers(rng: random.Random, count: int) -> list[str]:
    """Each some of the elements' names, and text that no two have alike."""
    names = [element.name for element in key_of(NEEDLE_SET, 1).elements]
    text = load_corpus("essays", "cl100k").text
    found = []
    for _ in range(count):
        start = rng.randrange(len(text) - ANSWER_LENGTH)
        says = f"The ingredients are {', '.join(rng.sample(names, rng.randint(1, len(names))))}. "
        found.append((says + text[start:])[:ANSWER_LENGTH])
    return found


def facts(rng: random.Random, needles: int) -> RetrievalFacts:
    ranks = tuple(rng.choice([None, rng.randint(1, 20)]) for _ in range(needles))
    held = sum(rank is not None for rank in ranks)
    split = tuple(rank is None and rng.random() < 0.5 for rank in ranks)
    return RetrievalFacts(held / needles, ranks, split, rng.randint(0, 20) / 20, 20, rng.randint(20, 400))


def result(rng: random.Random, trial: Trial, answer: str, verdict: Verdict, needles: int) -> TrialResult:
    length = trial.sample.context_length
    return TrialResult(
        outcome="scored",
        verdicts=(verdict,) if verdict else (),
        answer=answer,
        reason="",
        usage=Usage(length + rng.randint(0, 40), rng.randint(100, 200), rng.randrange(length)),
        latency_s=rng.uniform(0.5, 30),
        context_tokens=length - 100,
        retrieval=None if trial.strategy.name == "lc" else facts(rng, needles),
    )


def size_of(path: Path) -> int:
    """Bytes of a run file and what stands beside it: its write-ahead log, its lock."""
    return sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))


@pytest.mark.slow
def test_fifty_thousand_trials_stay_small(tmp_path: Path) -> None:
    rng = random.Random(1)
    path = tmp_path / "run.sqlite"
    samples = [unbuilt(case) for case in CASES]
    trials = [
        Trial(sample, strategy, "openai/gpt-4o-mini", 0, 512) for strategy in STRATEGIES for sample in samples
    ]
    assert (len(CASES), len(STRATEGIES), len(trials)) == (5000, 10, TRIALS)
    written = answers(rng, TRIALS)
    # Judging is not what is tested: some of the answers are judged, and those verdicts stand for all.
    judged = verdicts(written[:200])
    needles = len(key_of(NEEDLE_SET, 1).needles)
    assert len(set(written)) > 0.99 * TRIALS
    assert len({verdict.score for verdict in judged}) > 1
    with open_for_writing(path) as store:
        store.begin({"judge": "rubric"}, trials)
        for start in range(0, TRIALS, BATCH):
            places = range(start, start + BATCH)
            store.commit(
                [
                    (trials[at], result(rng, trials[at], written[at], judged[at % len(judged)], needles))
                    for at in places
                ]
            )
        open_size = size_of(path)
    size = size_of(path)
    print(
        f"{size / 10**6:.1f} MB, {size / TRIALS:.0f} bytes a trial; {open_size / 10**6:.1f} MB while written"
    )
    run = read_run(path)
    records = run.records
    assert len(run.samples) == len(CASES)
    assert [record.answer for record in records] == written
    assert [record.score for record in records[: len(judged)]] == [verdict.score for verdict in judged]
    assert {record.outcome for record in records} == {"scored"}
    assert max(size, open_size) < LIMIT_BYTES
