"""A simulated u-niah run as a run file: readers that err as the paper's do, by as much as is planted here.

Readers are called ``simulated-*``. No context is built and no model asked: what is retrieved is drawn, and
elements are missed, invented and doubted with chances that follow from the reader's size, the noise, the
order and the length. What is drawn is kept beside its chance, so that a check knows both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, Sample
from niah.judges.rubric import RUBRIC
from niah.judges.verdict import Score, Verdict
from niah.needles.needle_set import Element
from niah.readers.reader import ReaderTraits, Usage
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.facts import RetrievalFacts
from niah.strategies.strategy import parse
from tests.samples import unbuilt

NESTED = "needle-in-needle"
SETS = {
    "pizza-ingredients": 3,
    "rainbow-potion": 7,
    "academy-courses": 15,
    "teaching-methods": 3,
    "graduation-trials": 7,
    "library-revolution": 15,
    NESTED: 15,
}
READERS = {
    "simulated-7b": ReaderTraits(7),
    "simulated-8b": ReaderTraits(8),
    "simulated-70b": ReaderTraits(70),
    "simulated-72b": ReaderTraits(72),
    "simulated-thinker": ReaderTraits(600, reasoning=True),
}
STRATEGIES = ("lc", "topk", "topk-rev", "half", "half-rev", "full", "full-rev")
LONG = 16 * 1024
_TOP = {3: 5, 7: 10, 15: 20}
_STEP = 500


@dataclass(frozen=True)
class World:
    """The grid of a simulated run; ``window`` is the smallest reader's, in tokens."""

    sets: Sequence[str] = tuple(SETS)
    lengths: Sequence[int] = tuple(1000 * 2**power for power in range(8))
    depths: Sequence[float] = tuple(float(depth) for depth in range(10, 101, 10))
    seeds: int = 3
    readers: Sequence[str] = tuple(READERS)
    window: int = 70_000


@dataclass(frozen=True)
class Planted:
    """What is planted: thresholds as the paper prints them, effects for the smallest reader.

    Attributes:
        missing, wrong, doubt: chances without any effect, of an element, an answer, a complete answer.
        noise: above it elements are missed more often by the share ``distraction``.
        critical: above it, in long contexts, an answer is wrong more often by the share ``invention``.
        reverse: by what share more elements are missed in reverse order, in short contexts.
        doubt_in_reverse: the chance of doubt in reverse order, in long contexts.
        middle: what is added in the middle of the longest whole context.
        lured: by what share more a reasoning model misses when RAG reads needles in needles among their like.
    """

    missing: float = 0.08
    wrong: float = 0.05
    doubt: float = 0.02
    noise: float = 0.44
    distraction: float = 1.0
    critical: float = 0.97
    invention: float = 6.0
    reverse: float = 1.5
    doubt_in_reverse: float = 0.16
    middle: float = 0.4
    lured: float = 4.0

    def strength(self, reader: str) -> float:
        """What of the effects a reader shows: all below 10 billion parameters, less above."""
        size = READERS[reader].size or 1.0
        return min(1.0, math.sqrt(10 / size))


PLANTED = Planted()


@dataclass(frozen=True)
class Drawn:
    """One trial: what happened, and with which chances.

    Attributes:
        completeness, noise: of retrieval; None of the whole context.
        overflow: whether the context is longer than the reader's window.
        missing_share: expected share of the elements that are missing.
        wrong_rate, doubt_rate: chances that the answer is wrong, and that it doubts itself if it is complete.
        missing: places of the elements that are missing.
    """

    trial: Trial
    completeness: float | None
    noise: float | None
    overflow: bool
    missing_share: float
    wrong_rate: float
    doubt_rate: float
    missing: tuple[int, ...]
    wrong: bool
    doubt: bool

    @property
    def elements(self) -> int:
        """How many are asked for."""
        return len(self.trial.sample.key.elements)


def write_u_niah_run(path: Path, world: World, planted: Planted = PLANTED) -> list[Drawn]:
    """Write the finished run; every trial with its chances."""
    drawn = list(_drawn(world, planted))
    with open_for_writing(path) as store:
        store.begin({"judge": "rubric"}, [each.trial for each in drawn])
        store.record_invocation({"suite": {"value": "simulated", "source": "flag"}}, {"niah": "0.1.0"})
        store.record_traits({name: READERS[name] for name in world.readers})
        store.commit([(each.trial, _result(each)) for each in drawn])
    return drawn


def _drawn(world: World, planted: Planted) -> Iterator[Drawn]:
    random = Random(1)
    strategies = [parse(name) for name in STRATEGIES]
    for name, seed in product(world.sets, range(1, world.seeds + 1)):
        luck = random.uniform(0.8, 1.25)
        for haystack in ("essays", "starlight") if name == NESTED else ("essays",):
            for length, depth in product(world.lengths, world.depths):
                # No such prompt: nobody spends time on contexts that nobody reads.
                sample = _sample(Case(name, haystack, length, depth, seed, prompt="simulated"))
                for strategy in strategies:
                    found = _retrieved(random, strategy.name, SETS[name], length)
                    for reader in world.readers:
                        trial = Trial(sample, strategy, reader, 0, 256)
                        overflow = (
                            strategy.sends_context and reader == world.readers[0] and length > world.window
                        )
                        yield _told(random, planted, trial, found, luck, overflow)


@cache
def _sample(case: Case) -> Sample:
    elements = tuple(Element(f"element {place}") for place in range(SETS[case.needle_set]))
    key = AnswerKey(case.needle_set, "Which elements?", references=("All.",), elements=elements)
    sample = unbuilt(case, key=key)
    passage = Placed("passage", "A passage.", (), 0, 10, 0, 0)
    fields = {**vars(sample), "passages": (passage,) if case.needle_set == NESTED else ()}
    return Sample(**{name: value for name, value in fields.items() if not name.startswith("_")})


def _retrieved(random: Random, strategy: str, needles: int, length: int) -> tuple[int, int, int] | None:
    """Needles found, chunks that hold them, chunks retrieved."""
    scope = strategy.removesuffix("-rev")
    if scope == "lc":
        return None
    share = {"half": 0.5, "full": 1.0}.get(scope)
    taken = _TOP[needles] if share is None else max(1, int(share * length / _STEP))
    taken = min(taken, max(1, length // _STEP))
    missed = 0.01 * needles / 3 if share is None else 0.002
    got = sum(random.random() > missed for _ in range(needles))
    holding = min(taken, max(1, round(got * random.uniform(0.5, 1.1))))
    return got, holding, taken


def _told(
    random: Random,
    planted: Planted,
    trial: Trial,
    found: tuple[int, int, int] | None,
    luck: float,
    overflow: bool,
) -> Drawn:
    case = trial.sample.case
    assert case
    needles = SETS[case.needle_set]
    got, holding, taken = found or (needles, 1, 1)
    noise = (taken - holding) / taken
    rates = _rates(planted, case, trial, noise if found else None)
    rate, wrong, doubt = min(0.95, rates[0] * luck), rates[1], rates[2]
    missing = tuple(place for place in range(needles) if place >= got or random.random() < rate)
    invented = random.random() < wrong
    return Drawn(
        trial,
        got / needles if found else None,
        noise if found else None,
        overflow,
        (needles - got + got * rate) / needles,
        wrong,
        doubt,
        missing,
        invented,
        not missing and not invented and random.random() < doubt,
    )


def _rates(planted: Planted, case: Case, trial: Trial, noise: float | None) -> tuple[float, float, float]:
    """Chances of an element missed, a wrong answer, doubt of a complete one."""
    strength, reverse = planted.strength(trial.reader), trial.strategy.best_last
    long = case.context_length > LONG
    missing, wrong, doubt = planted.missing, planted.wrong, planted.doubt
    if noise is None:
        middle = 1 - abs(case.depth - 50) / 50
        return missing + strength * planted.middle * middle * case.context_length / 128_000, wrong, doubt
    if noise > planted.noise:
        missing *= 1 + strength * planted.distraction
    if reverse and not long:
        missing *= 1 + strength * planted.reverse
    if READERS[trial.reader].reasoning and case.needle_set == NESTED and case.haystack == "starlight":
        missing *= 1 + planted.lured
    if noise > planted.critical and long:
        wrong *= 1 + strength * planted.invention
    if reverse and long:
        doubt += strength * (planted.doubt_in_reverse - planted.doubt)
    return missing, wrong, doubt


def _result(drawn: Drawn) -> TrialResult:
    length = drawn.trial.sample.tokens
    if drawn.overflow:
        return TrialResult("overflow", "", "the context is longer than the window", Usage(), 0.1, length)
    names = [element.name for element in drawn.trial.sample.key.elements]
    missing = tuple(names[place] for place in drawn.missing)
    found = tuple(name for name in names if name not in missing)
    wrong = ("an invention",) if drawn.wrong else ()
    verdict = Verdict(
        _score(len(names), len(found), len(wrong)),
        found,
        missing,
        wrong,
        drawn.doubt,
        "rubric",
        RUBRIC.version,
        "simulated",
    )
    return TrialResult(
        "scored",
        f"simulated: {', '.join(found)}",
        "",
        Usage(length, 50),
        1.0,
        length,
        retrieval=_facts(drawn),
        verdicts=(verdict,),
    )


def _facts(drawn: Drawn) -> RetrievalFacts | None:
    if drawn.completeness is None:
        return None
    got = round(drawn.completeness * drawn.elements)
    ranks = tuple(place + 1 if place < got else None for place in range(drawn.elements))
    return RetrievalFacts(drawn.completeness, ranks, (False,) * drawn.elements, drawn.noise, 10, 20)


def _score(needles: int, found: int, wrong: int) -> Score:
    if found == needles and not wrong:
        return 10
    share = found / (needles + wrong)
    return 7 if share >= 2 / 3 else 5 if share >= 1 / 3 else 3 if found else 1
