"""Simulated trials for figures: every field filled, every outcome, no text and no model.

Scores fall with length and dip in the middle for whole contexts; retrieval loses needles and gains noise with
length. Costs, tokens and failures follow from the strategy. Readers are called ``simulated-*`` by default.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from random import Random

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, Sample
from niah.needles.needle_set import Element
from niah.runs.trial import Outcome, TrialRecord
from tests.samples import unbuilt

LENGTHS = tuple(1000 * k for k in (1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128))
DEPTHS = tuple(float(d) for d in range(10, 101, 10))
STRATEGIES = ("lc", "topk", "topk-rev", "half", "half-rev", "full", "full-rev", "dos")
READERS = ("simulated-small", "simulated-middle", "simulated-large", "simulated-huge")
SETS = ("pizza-ingredients", "rainbow-potion", "academy-courses", "needle-in-needle")
FAILURES: tuple[Outcome, ...] = (
    "refused",
    "truncated",
    "overflow",
    "reader_error",
    "judge_error",
    "not_run",
)
_NEEDLES = {"pizza-ingredients": 3, "rainbow-potion": 7, "academy-courses": 15}


@dataclass(frozen=True)
class World:
    """The size of a simulated run, and how much of it went wrong."""

    lengths: Sequence[int] = LENGTHS
    depths: Sequence[float] = DEPTHS
    strategies: Sequence[str] = STRATEGIES
    readers: Sequence[str] = READERS
    sets: Sequence[str] = SETS
    seeds: Sequence[int] = (1, 2, 3)
    distractors: Sequence[int] = (0,)
    hardness: Sequence[str] = ("any",)
    failing: float = 0.02
    windows: Sequence[int] = ()
    priced: bool = True


def simulate(world: World, seed: int = 1) -> tuple[list[TrialRecord], dict[str, Sample]]:
    """All trials of a world, and its samples by id. A reader with a window overflows beyond it."""
    random = Random(seed)
    records: list[TrialRecord] = []
    samples: dict[str, Sample] = {}
    luck = {key: random.gauss(0, 0.5) for key in product(world.sets, world.seeds)}
    for name, number, length, depth, planted, hardness in product(
        world.sets, world.seeds, world.lengths, world.depths, world.distractors, world.hardness
    ):
        if not planted and hardness != world.hardness[0]:
            continue
        case = Case(
            name,
            "essays",
            length,
            depth,
            number,
            distractors=planted,
            distractor_hardness=hardness if planted else "any",  # type: ignore[arg-type]
        )
        samples[case.case_id] = simulated_sample(case)
        for strategy, (place, reader) in product(world.strategies, enumerate(world.readers)):
            window = world.windows[place] if place < len(world.windows) else 10**9
            records.append(_trial(random, world, case, strategy, place, reader, luck[name, number], window))
    return records, samples


def simulated_sample(case: Case) -> Sample:
    """As many distractors as the case asks for; needles of "needle-in-needle" stand in passages."""
    placed = Placed("p", "text", (), 0, 4, 0, 0)
    elements = tuple(Element(f"m{i}") for i in range(_NEEDLES.get(case.needle_set, 4)))
    sample = unbuilt(case, key=AnswerKey(case.needle_set, "Which?", elements=elements))
    passages = (placed,) if case.needle_set == "needle-in-needle" else ()
    return replace(sample, distractors=(placed,) * case.distractors, passages=passages)


def _trial(
    random: Random, world: World, case: Case, strategy: str, place: int, reader: str, luck: float, window: int
) -> TrialRecord:
    needles = _NEEDLES.get(case.needle_set, 4)
    whole = strategy in ("lc", "oracle", "closed-book")
    sent = _sent(strategy, case.context_length)
    noise = None if whole else max(0.0, 1 - needles * random.uniform(0.5, 1.1) / max(sent / 500, needles))
    got = needles if whole else sum(random.random() > 0.02 + sent**-0.4 for _ in range(needles))
    plain = TrialRecord(
        f"{case.case_id}-{strategy}-{reader}",
        case.case_id,
        case.needle_set,
        "essays",
        case.context_length,
        case.depth,
        case.seed,
        strategy,
        reader,
        0,
        "not_run",
    )
    changes: dict[str, object] = {
        "prompt_tokens": int(sent * random.uniform(1.0, 1.1)) + 60,
        "cost": sent * (0.15, 0.6, 2.5, 5.0)[place % 4] / 1e6 if world.priced else None,
        "completion_tokens": random.randint(20, 90),
        "latency_s": random.uniform(0.2, 3),
        "context_tokens": sent,
    }
    if not whole:
        changes |= {
            "retrieval_completeness": got / needles,
            "noise_ratio": noise,
            "needle_ranks": tuple(k + 1 if k < got else None for k in range(needles)),
        }
    if sent > window:
        return _with(plain, changes, outcome="overflow")
    if random.random() < world.failing:
        return _with(plain, changes, outcome=random.choice(FAILURES))
    return _with(plain, changes, **_answer(random, case, strategy, place, needles, got, noise, luck, sent))


def _sent(strategy: str, length: int) -> int:
    if strategy == "closed-book":
        return 80
    scope = strategy.split("-")[0]
    share = {"half": length // 2, "topk": 3000, "dos": 10_000, "oracle": 600}.get(scope, length)
    return min(length, share)


def _answer(
    random: Random,
    case: Case,
    strategy: str,
    place: int,
    needles: int,
    got: int,
    noise: float | None,
    luck: float,
    sent: int,
) -> dict[str, object]:
    lost = 0.03 + 0.05 * max(0, 2 - place) + 0.02 * (sent / 16_000) ** 0.7 * (1.6 - 0.4 * place)
    lost += 0.1 * (noise or 0) ** 4 * (strategy.endswith("-rev")) - 0.03 * luck
    if strategy == "lc":
        lost += 0.25 * (1 - abs(case.depth - 50) / 50) * (sent / 128_000) ** 0.5
    if case.needle_set == "needle-in-needle":
        lost += 0.08
    lost += (
        0.01 * case.distractors * {"easy": 0.3, "any": 1, "medium": 1, "hard": 2}[case.distractor_hardness]
    )
    found = sum(random.random() > lost for _ in range(got))
    wrong = sum(random.random() < 0.02 + 0.08 * (noise or 0.3) ** 3 for _ in range(2))
    missing, doubt = needles - found, random.random() < 0.04
    return {
        "outcome": "scored",
        "score": _score(needles, found, wrong),
        "missing": tuple(f"m{i}" for i in range(missing)),
        "wrong": tuple(f"w{i}" for i in range(wrong)),
        "self_doubt": doubt,
        "error_type": _error(found, missing, wrong, doubt),
        "answer": "simulated",
    }


def _score(needles: int, found: int, wrong: int) -> int:
    if not found:
        return 1
    if found == needles and not wrong:
        return 10
    share = found / (needles + wrong)
    return 7 if share >= 2 / 3 else 5 if share >= 1 / 3 else 3


def _error(found: int, missing: int, wrong: int, doubt: bool) -> str:
    if wrong:
        return "missing_and_wrong" if missing else "wrong_only"
    if doubt:
        return "self_doubt_incomplete" if missing else "self_doubt_complete"
    return "correct" if not missing else "missing_only" if found else "other"


def _with(record: TrialRecord, changes: dict[str, object], **more: object) -> TrialRecord:
    return replace(record, **changes, **more)  # type: ignore[arg-type]
