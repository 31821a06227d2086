"""Readers with a known failure law go through a whole run; what is measured must be what was planted.

The law leads one to expect shares of error types, and rates at which elements are dropped: worked out from
what stood in each prompt, with no answer read. Measured ones must agree within their 95 % intervals: exact
binomial ones (Clopper and Pearson 1934), each made wider so that together they hold with 95 % (Bonferroni).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import fsum
from typing import TypeVar

import pytest
from pandas import DataFrame
from scipy.stats import binomtest

from niah.analysis.causes.cause_tables import cause_counts, known_without_context
from niah.analysis.causes.causes import CauseKind, causes
from niah.analysis.frame import trial_frame
from niah.cases.case import Case
from niah.cases.sample import Sample
from niah.judges.error_types import PAPER_ERROR_TYPES
from tests.judges.planted import Law, expected
from tests.judges.planted_run import PlantedTrial, distinct, planted_run

LAW = Law()
SETS = (
    "pizza-ingredients-brief",
    "rainbow-potion-brief",
    "three-gates",
    "lock-house-cat",
    "starlight-short@3",
)
STRATEGIES = ("lc", "oracle", "closed-book", "tfidf/top-4/document@100", "bm25/top-2/norm@100")
LENGTHS, DEPTHS, SEEDS = (1000, 1500, 2000), (0, 30, 60, 90), (1, 2, 3, 4)
CASES = [
    *(
        Case(name, "essays", length, depth, seed, distractors=distractors)
        for name, length, depth, seed, distractors in product(SETS, LENGTHS, DEPTHS, SEEDS, (0, 3))
    ),
    *(Case("stairs-portrait", "essays", *rest) for rest in product(LENGTHS, DEPTHS, SEEDS)),
]

T = TypeVar("T")
Trials = tuple[PlantedTrial, ...]
Observed = tuple[int, int, float]
"""Hits, trials, and the hits expected."""


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Trials:
    return planted_run(tmp_path_factory.mktemp("planted") / "run.sqlite", LAW, CASES, STRATEGIES)


def asked_of(trials: Trials) -> tuple[DataFrame, dict[str, Sample]]:
    """The trials as columns, and their samples."""
    records = [trial.record for trial in trials]
    samples = {trial.sample.sample_id: trial.sample for trial in trials}
    return trial_frame(records, samples), samples


@pytest.fixture(scope="module")
def prompts(trials: Trials) -> Trials:
    return tuple(distinct(trials))


def test_there_are_enough_trials(trials: Trials, prompts: Trials) -> None:
    assert (len(CASES), len(trials)) == (528, 2640)
    assert len(prompts) > 1_900
    assert {trial.record.outcome for trial in prompts} == {"scored"}


def test_every_answer_is_judged_as_it_was_meant(trials: Trials) -> None:
    misjudged = [
        (trial.record.needle_set, trial.record.answer, meant(trial), judged(trial))
        for trial in trials
        if meant(trial) != judged(trial)
    ]
    assert misjudged == []


def test_shares_of_error_types_are_those_of_the_law(prompts: Trials) -> None:
    assert disagreeing(types(prompts)) == []


@pytest.mark.parametrize(
    "axis", ["context_length", "depth", "strategy", "needle_set"], ids=lambda axis: f"by {axis}"
)
def test_shares_of_error_types_along_an_axis(prompts: Trials, axis: str) -> None:
    blocks = grouped(prompts, lambda trial: getattr(trial.record, axis))
    assert len(blocks) >= 3
    assert disagreeing([one for block in blocks for one in types(block)]) == []


def test_shares_of_error_types_in_every_block_of_depth_and_length(prompts: Trials) -> None:
    blocks = grouped(prompts, lambda trial: (trial.record.depth, trial.record.context_length))
    assert len(blocks) == len(DEPTHS) * len(LENGTHS)
    assert disagreeing([one for block in blocks for one in types(block)]) == []


def test_elements_are_dropped_at_the_rates_of_the_law(prompts: Trials) -> None:
    assert len(drop_rates(prompts)) > 5
    assert disagreeing(drop_rates(prompts)) == []


def test_wrong_elements_are_added_above_the_threshold_of_noise_alone(prompts: Trials) -> None:
    sights = [(trial.reading.sight, trial.record) for trial in prompts]
    quiet = [record.wrong for sight, record in sights if sight.lures and sight.noise <= LAW.threshold]
    assert len(quiet) > 50
    assert not any(quiet)
    assert disagreeing([lure_rate(prompts)]) == []


@pytest.mark.parametrize(
    "other", [Law(drop=0.10), Law(middle=0.0), Law(lured=0.40), Law(hedge=0.25), Law(refuse=0.14)], ids=str
)
def test_another_law_is_told_apart(prompts: Trials, other: Law) -> None:
    for law, differs in ((LAW, False), (other, True)):
        observed = [*types(prompts, law), *drop_rates(prompts, law), lure_rate(prompts, law)]
        assert bool(disagreeing(observed)) == differs


def test_causes_are_the_planted_ones(trials: Trials) -> None:
    found = causes(*asked_of(trials))
    wrong = [
        (trial.record.case_id, trial.record.strategy, name, planted, found[trial.record.trial_id])
        for trial, planted_causes in zip(trials, planted_element_causes(trials), strict=True)
        for name, planted in planted_causes.items()
        if found[trial.record.trial_id].elements[name] != planted
    ]
    assert wrong == []


def test_every_cause_of_a_missing_element_is_met_often(trials: Trials) -> None:
    counts = Counter(kind for planted in planted_element_causes(trials) for kind in planted.values())
    assert len(counts) == 5
    assert min(counts.values()) > 50
    rows = cause_counts(*asked_of(trials))
    measured = Counter({kind: sum(row.elements[kind] for row in rows) for kind in counts})
    assert measured == counts


def test_cases_known_without_context_are_those_of_the_memory(trials: Trials) -> None:
    remembered = {
        trial.record.case_id
        for trial in trials
        if trial.record.strategy == "closed-book" and trial.reading.intent.found
    }
    known = known_without_context(*asked_of(trials))
    assert {case.case_id for case in known} == remembered
    assert 0 < len(remembered) < len(CASES)


def meant(trial: PlantedTrial) -> tuple[object, ...]:
    intent, key = trial.reading.intent, trial.reading.sight.key
    return intent.missing(key), set(intent.wrong), intent.error_type(key)


def judged(trial: PlantedTrial) -> tuple[object, ...]:
    assert trial.record.answer == trial.reading.answer
    return trial.record.missing, set(trial.record.wrong), trial.record.error_type


def types(trials: Iterable[PlantedTrial], law: Law = LAW) -> list[Observed]:
    """Of every error type, how many there are and how many the law leads one to expect."""
    trials = list(trials)
    laws = [expected(trial.reading.sight, law) for trial in trials]
    counts = Counter(trial.record.error_type for trial in trials)
    return [
        (counts[kind], len(trials), fsum(chances.get(kind, 0.0) for chances in laws))
        for kind in PAPER_ERROR_TYPES
    ]


def drop_rates(trials: Iterable[PlantedTrial], law: Law = LAW) -> list[Observed]:
    """Elements that stood in the prompt and are missing, in bands of 5 % of the chance that they are.

    Answers that refuse are left out, or the dice of one answer's elements would not be independent.
    """
    chances = [
        (chance, name in trial.record.missing)
        for trial in trials
        if not trial.reading.intent.refused
        for name, chance in trial.reading.sight.drops(law).items()
    ]
    return [rate(band) for band in grouped(chances, lambda pair: round(pair[0] * 20))]


def lure_rate(trials: Iterable[PlantedTrial], law: Law = LAW) -> Observed:
    """Distractors' elements in prompts that are noisy enough, and those that are named; no refusals."""
    return rate(
        [
            (law.lured, name in trial.record.wrong)
            for trial in trials
            if trial.reading.sight.noise > law.threshold and not trial.reading.intent.refused
            for name in trial.reading.sight.lures
        ]
    )


def rate(chances: Sequence[tuple[float, bool]]) -> Observed:
    """Chances, each with whether it came about."""
    return sum(hit for _, hit in chances), len(chances), fsum(chance for chance, _ in chances)


def disagreeing(observed: Sequence[Observed]) -> list[Observed]:
    """Those whose expectation lies outside of the interval; all intervals together hold with 95 %."""
    level = 1 - 0.05 / len(observed)
    return [one for one in observed if not _within(*one, level)]


def _within(hits: int, n: int, expectation: float, level: float) -> bool:
    interval = binomtest(hits, n).proportion_ci(level, method="exact")
    return bool(interval.low <= expectation / n <= interval.high)


def grouped(items: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    groups: dict[object, list[T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return list(groups.values())


def planted_element_causes(trials: Trials) -> list[dict[str, CauseKind]]:
    """Of each trial, the true cause of every missing and wrong element: by what the reader saw and did."""
    oracles = {trial.record.case_id: trial for trial in trials if trial.record.strategy == "oracle"}
    return [_true_causes(trial, oracles[trial.record.case_id]) for trial in trials]


def _true_causes(trial: PlantedTrial, oracle: PlantedTrial) -> dict[str, CauseKind]:
    key, intent = trial.reading.sight.key, trial.reading.intent
    if trial.record.strategy == "closed-book":
        return {}
    true: dict[str, CauseKind] = dict.fromkeys(intent.wrong, "misled by a distractor")
    for name in intent.missing(key):
        if name not in trial.reading.sight.depths:
            true[name] = "not retrieved"
        elif name in oracle.reading.intent.missing(key):
            true[name] = "beyond the model"
        else:
            true[name] = "lost in context" if trial.record.strategy == "lc" else "retrieved but unused"
    return true
