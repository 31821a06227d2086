"""Run files of any size for the report, without any model: real cases, simulated answers and retrieval."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path

from niah.cases.assembly.render import build_context
from niah.cases.case import Case, Context
from niah.cases.samples import sample_of
from niah.haystacks.corpus import load_corpus
from niah.judges.rubric import RUBRIC
from niah.judges.verdict import Score, Unsure, Verdict
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.readers.reader import Usage
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Outcome, Trial, TrialResult
from niah.strategies.facts import RetrievalFacts
from niah.strategies.strategy import parse

_BATCH = 1000
_WINDOW = 2400
_FAILURES: tuple[Outcome, ...] = ("truncated", "refused", "overflow", "reader_error")


@dataclass(frozen=True)
class Size:
    """The grid of a simulated run; ``answer`` is how many characters an answer has, about."""

    lengths: Sequence[int] = (512, 1024)
    depths: Sequence[float] = (0, 50, 100)
    sets: Sequence[str] = ("ferry-lanterns", "pizza-ingredients")
    seeds: Sequence[int] = (1,)
    strategies: Sequence[str] = ("lc", "topk", "bm25/top-5/norm")
    readers: Sequence[str] = ("simulated-a", "simulated-b")
    answer: int = 200
    distractors: int = 2


def write_run(path: Path, size: Size, answers: dict[int, str] | None = None) -> int:
    """Write a finished run; how many trials it has. ``answers`` replace simulated ones, by place."""
    rng = random.Random(1)
    trials = list(_trials(size))
    with open_for_writing(path) as store:
        store.begin({"judge": "rubric"}, trials)
        store.record_invocation({"suite": {"value": "simulated", "source": "flag"}}, {"niah": "0.1.0"})
        for start in range(0, len(trials), _BATCH):
            batch = range(start, min(start + _BATCH, len(trials)))
            given = answers or {}
            store.commit([(trials[at], _result(rng, trials[at], size, given.get(at))) for at in batch])
    return len(trials)


def _trials(size: Size) -> Iterator[Trial]:
    strategies = [parse(name) for name in size.strategies]
    for length, depth, name, seed in product(size.lengths, size.depths, size.sets, size.seeds):
        few = min(size.distractors, len(load_needle_set(name, seed).distractors)) if length > 1000 else 0
        case = Case(name, "essays", length, depth, seed, distractors=few, repeat=True)
        for strategy, reader in product(strategies, size.readers):
            yield Trial(sample_of(case), strategy, reader, 0, 512)


def _result(rng: random.Random, trial: Trial, size: Size, given: str | None) -> TrialResult:
    case = trial.sample.case
    assert case
    context = build_context(case)
    failed = given is None and rng.random() < 0.05
    answer = "" if failed else given if given is not None else _answer(rng, case, size.answer)
    verdict = None if failed else quick_verdict(answer, load_needle_set(case.needle_set, case.seed))
    outcome = rng.choice(_FAILURES) if failed else "scored"
    return TrialResult(
        outcome=outcome,
        verdicts=(verdict,) if verdict else (),
        answer=answer,
        reason=f"simulated: {outcome}" if failed else "",
        usage=Usage(case.context_length, rng.randint(20, 200), rng.randrange(case.context_length)),
        latency_s=rng.uniform(0.5, 30),
        context_tokens=context.tokens,
        retrieval=None if not trial.strategy.retrieves else simulated_facts(rng, context),
        cost=Decimal("0.0012"),
    )


def _answer(rng: random.Random, case: Case, length: int) -> str:
    """Some of the elements, more of them where contexts are short, and text that no two answers share."""
    names = [element.name for element in load_needle_set(case.needle_set, case.seed).elements]
    luck = rng.random() * (1.3 - min(1.0, case.context_length / 100_000))
    told = rng.sample(names, round(len(names) * min(1.0, luck + 0.2)))
    text = load_corpus("essays", "cl100k").text
    start = rng.randrange(len(text) - length)
    return f"The answer is {', '.join(told) or 'not in the text'}. {text[start : start + length]}"


def quick_verdict(answer: str, needle_set: NeedleSet) -> Verdict:
    """A quick one: judging is not what is tested."""
    answer = answer[:2000]
    found = tuple(element.name for element in needle_set.elements if element.name in answer)
    missing = tuple(element.name for element in needle_set.elements if element.name not in answer)
    share = len(found) / max(1, len(needle_set.elements))
    score: Score = 10 if share == 1 else 7 if share > 0.66 else 5 if share > 0.33 else 3 if found else 1
    reason = f"{len(found)} of {len(needle_set.elements)} found; missing: {', '.join(missing)}"
    unsure = Unsure("half of a name stands there", score, 10) if len(missing) == 1 else None
    return Verdict(score, found, missing, (), False, "rubric", RUBRIC.version, reason, unsure=unsure)


def simulated_facts(rng: random.Random, context: Context) -> RetrievalFacts:
    """Windows that hold most of the needles, and others at random."""
    last = max(1, len(context.text) - _WINDOW)
    # As retrievers do, several strategies find the same chunks of a case.
    local = random.Random(context.text[:50] + str(rng.randrange(3)))
    windows = [_window(needle.start, last) for needle in context.needles if local.random() < 0.8]
    windows += [_window(local.randrange(last), last) for _ in range(10)]
    spans = [(start, min(start + _WINDOW, len(context.text))) for start in dict.fromkeys(windows)]
    ranked = list(enumerate(spans, 1))
    holds = [
        next((rank for rank, (start, end) in ranked if start <= one.start and one.end <= end), None)
        for one in context.needles
    ]
    return RetrievalFacts(
        completeness=sum(rank is not None for rank in holds) / len(holds),
        needle_ranks=tuple(holds),
        needle_split=(False,) * len(holds),
        noise_ratio=rng.random(),
        retrieved=len(spans) + 4,
        available=len(spans) + 30,
        best=tuple(spans),
    )


def _window(start: int, last: int) -> int:
    return min(start // 2000 * 2000, last)
