"""A run of 1,200 trials whose readers' faults are planted: what a page must say of it is known.

``falls`` reads everything right up to 8k tokens and little of the middle from 16k on; its retrieval holds.
``steady`` reads everything right at every length, and what is retrieved a little less well.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import product
from pathlib import Path
from random import Random

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.needles.load import load_needle_set
from niah.readers.reader import Usage
from niah.runs.file.store import RunStore, open_for_writing
from niah.runs.trial import Outcome, Trial, TrialResult
from niah.strategies.strategy import parse
from tests.plots.html.simulated_run import quick_verdict, simulated_facts

READERS = ("falls", "steady")
STRATEGIES = ("oracle", "topk", "dos", "lc")
LENGTHS = (2048, 4096, 8192, 16384, 32768)
DEPTHS = (0.0, 50.0, 100.0)
SETS = ("pizza-ingredients", "rainbow-potion")
SEEDS = (1, 2, 3, 4, 5)
CROSSOVER = 16384
CHUNKS_TOKENS = 3000
DOLLARS_A_TOKEN = Decimal("0.0000025")


def write_planted_run(path: Path) -> int:
    """Write the run file; returns how many trials it has."""
    trials, rng = planted_trials(), Random(7)
    with open_for_writing(path) as store:
        begin(store, trials)
        store.commit([(trial, planted_result(rng, trial)) for trial in trials])
    return len(trials)


def planted_trials(lengths: Sequence[int] = LENGTHS) -> list[Trial]:
    """Those of a run, in the order in which it asks them."""
    return [
        Trial(sample, parse(strategy), reader, 0, 512)
        for length, depth, name, seed in product(lengths, DEPTHS, SETS, SEEDS)
        for sample in (sample_of(Case(name, "essays", length, depth, seed, repeat=True)),)
        for strategy, reader in product(STRATEGIES, READERS)
    ]


def begin(store: RunStore, trials: Sequence[Trial]) -> None:
    """Plan the trials; none is asked yet."""
    store.begin({"judge": "rubric"}, trials)
    store.record_invocation({"suite": {"value": "planted", "source": "flag"}}, {"niah": "0.1.0"})


def planted_result(rng: Random, trial: Trial) -> TrialResult:
    """What a reader answers: each element with the chance of ``_told``."""
    case = trial.sample.case
    assert case
    outcome = _outcome(rng, trial, case)
    reads_all = trial.strategy.name == "lc"
    prompt = case.context_length if reads_all else min(CHUNKS_TOKENS, case.context_length)
    usage = Usage(prompt, 60, 0)
    context = build_context(case)
    retrieval = None if not trial.strategy.retrieves else simulated_facts(rng, context)
    cost, latency = DOLLARS_A_TOKEN * prompt, 0.5 + prompt / 4000
    if outcome != "scored":
        why = {"refused": "content filter", "overflow": "the prompt does not fit"}[outcome]
        return TrialResult(
            outcome=outcome,
            verdicts=(),
            answer="",
            reason=why,
            usage=usage,
            latency_s=latency,
            context_tokens=prompt,
            retrieval=retrieval,
            cost=cost,
        )
    known = load_needle_set(case.needle_set, case.seed)
    chance = _told(trial.reader, trial.strategy.name, case)
    told = [element.name for element in known.elements if rng.random() < chance]
    answer = f"From what I have read: {', '.join(told) or 'the text does not say'}."
    return TrialResult(
        outcome="scored",
        verdicts=(quick_verdict(answer, known),),
        answer=answer,
        reason="",
        usage=usage,
        latency_s=latency,
        context_tokens=prompt,
        retrieval=retrieval,
        cost=cost,
    )


def _outcome(rng: Random, trial: Trial, case: Case) -> Outcome:
    if trial.reader == "steady" and trial.strategy.name == "lc" and case.context_length == LENGTHS[-1]:
        return "overflow" if rng.random() < 0.2 else "scored"
    return "refused" if rng.random() < 0.02 else "scored"


def _told(reader: str, strategy: str, case: Case) -> float:
    """The chance of an element."""
    if strategy == "oracle":
        return 0.99
    if strategy == "topk":
        return 0.88
    if strategy == "dos":
        return 0.93 if reader == "falls" else 0.9
    if reader == "steady" or case.context_length < CROSSOVER:
        return 0.97
    return 0.15 if case.depth == 50 else 0.4
