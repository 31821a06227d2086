"""A run of planted readers: real cases, contexts, retrieval, run file and judge."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.cases.samples import key_of, sample_of
from niah.runs.execution.execute import HasTraffic, execute
from niah.runs.file.read_model import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.prefix_order import in_prefix_order
from niah.runs.trial import Trial, TrialRecord, TrialResult
from niah.strategies.strategy import parse
from tests.judges.planted import Law, PlantedReader, Reading


@dataclass(frozen=True)
class PlantedTrial:
    """What the run file says of a trial, and what the reader knows of it."""

    record: TrialRecord
    reading: Reading
    sample: Sample


class _Silent:
    def say(self, text: str) -> None: ...

    def asking(self, reader: HasTraffic) -> None: ...

    def started(self, trial: Trial) -> None: ...

    def finished(self, trial: Trial, result: TrialResult) -> None: ...


def planted_run(
    path: Path, law: Law, cases: Sequence[Case], strategies: Sequence[str]
) -> tuple[PlantedTrial, ...]:
    """Every case under every strategy, read by a simulated reader that fails by the law."""
    trials = in_prefix_order(
        Trial(sample, parse(strategy), "simulated", 0, max_tokens=512)
        for sample, strategy in product(map(sample_of, cases), strategies)
    )
    sets = dict.fromkeys(key_of(case.needle_set, case.seed) for case in cases)
    reader = PlantedReader(law, list(sets))
    with open_for_writing(path) as store:
        store.begin({"judge": "rubric"}, trials)
        asyncio.run(execute(store, [reader], trials, _Silent()))
    run = read_run(path, "paper")
    # One lane reads the trials in order, so the readings stand in the records' order.
    return tuple(
        PlantedTrial(record, reading, run.samples[record.case_id])
        for record, reading in zip(run.records, reader.readings, strict=True)
    )


def distinct(trials: Sequence[PlantedTrial]) -> Iterator[PlantedTrial]:
    """One trial of each prompt: the same prompt gets the same answer, and is no second throw of the dice."""
    seen: set[str] = set()
    for trial in trials:
        if trial.reading.prompt not in seen:
            seen.add(trial.reading.prompt)
            yield trial
