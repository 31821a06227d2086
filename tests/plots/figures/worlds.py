"""The simulated runs that every figure must be able to show: full, ugly, tiny, a single trial."""

from __future__ import annotations

from collections.abc import Callable

from niah.cases.sample import Sample
from niah.runs.trial import TrialRecord
from tests.plots.figures.simulated_records import World, simulate

Simulated = tuple[list[TrialRecord], dict[str, Sample]]

_LONG = "provider/some-very-long-organisation/reader-name-of-60-chars-"


def full() -> Simulated:
    """A nightly run's axes: 13 lengths, 10 depths, 8 strategies, 4 readers."""
    return simulate(World(sets=("pizza-ingredients",), seeds=(1,)))


def ugly() -> Simulated:
    """Long names, half of the trials failed, cells missing, lengths that read alike, overflows."""
    records, samples = simulate(
        World(
            readers=[f"{_LONG}a1", f"{_LONG}b2-instruct", "x$y$_z"],
            strategies=[
                "lc",
                "oracle",
                "closed-book",
                "sentence-transformers/all-mpnet-base-v2-long/top-12/document@100",
                "sentence-transformers/all-mpnet-base-v2-long/top-12/reverse",
                "written by a later version",
            ],
            lengths=[1000, 1024, 1500, 128_000, 1_048_576],
            depths=[0, 33.3, 100],
            sets=["pizza-ingredients", "needle-in-needle"],
            seeds=(1, 2),
            failing=0.5,
            windows=(2000, 200_000),
            distractors=(0, 3, 10),
            hardness=("easy", "hard"),
        )
    )
    kept = [
        r
        for r in records
        if (r.context_length, r.strategy) != (1500, "lc") and (r.reader, r.depth) != ("x$y$_z", 0)
    ]
    return kept, samples


def tiny() -> Simulated:
    """What ``niah run quick`` makes: one reader, few of everything."""
    return simulate(
        World(
            readers=["smollm2"],
            strategies=["lc", "topk@100", "mixpr/budget-300/document"],
            lengths=[512, 1024, 2048, 4096],
            depths=[0, 25, 50, 75, 100],
            sets=["ferry-lanterns", "three-gates"],
            seeds=(1,),
            failing=0.2,
            priced=False,
        )
    )


def single() -> Simulated:
    """One trial."""
    return simulate(
        World(
            readers=["simulated"],
            strategies=["lc"],
            lengths=[1000],
            depths=[50],
            sets=["pizza-ingredients"],
            seeds=(1,),
            failing=0,
        )
    )


WORLDS: dict[str, Callable[[], Simulated]] = {"full": full, "ugly": ugly, "tiny": tiny, "single": single}
