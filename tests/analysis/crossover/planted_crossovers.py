"""Readers that full context serves up to a planted length, and retrieval alike at every length.

Tens and ones. A seed has its own luck, 0.6 in log-odds, that both sides share, and a needle set besides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import numpy as np

from niah.runs.trial import TrialRecord

LENGTHS = (4_000, 8_000, 16_000, 32_000, 64_000, 128_000)
_LUCK = 0.6
_TRIAL = TrialRecord("", "", "pizza", "essays", 0, 0.0, 0, "lc", "simulated", 0, "scored", 1)
_RETRIEVAL = {"oracle": 0.97, "dos": 0.8, "topk": 0.7, "random/top-5/norm": 0.1}

WORLDS: Mapping[str, tuple[tuple[float, ...], int | None]] = {
    "cliff at 8k": ((0.95, 0.4, 0.4, 0.35, 0.3, 0.3), 8_000),
    "cliff at 16k": ((0.95, 0.95, 0.45, 0.4, 0.3, 0.3), 16_000),
    "cliff at 64k": ((0.95, 0.95, 0.93, 0.9, 0.4, 0.3), 64_000),
    "slope through 16k": ((0.98, 0.92, 0.7, 0.55, 0.4, 0.25), 16_000),
    "never": ((0.97, 0.97, 0.95, 0.95, 0.93, 0.9), None),
    "always": ((0.6, 0.5, 0.5, 0.4, 0.4, 0.3), 4_000),
}
"""How often full context is right at each length, and from which on retrieval truly is more often."""


def planted(world: str, seeds: int, rng: np.random.Generator) -> list[TrialRecord]:
    """Trials of two needle sets, three depths and ``seeds`` seeds."""
    whole = WORLDS[world][0]
    records = []
    for seed in range(seeds):
        shared = _LUCK * rng.standard_normal()
        for needles in ("pizza", "potion"):
            luck = shared + _LUCK * rng.standard_normal() / 2
            for (place, length), depth in product(enumerate(LENGTHS), (0.0, 50.0, 100.0)):
                for strategy, right in {"lc": whole[place], **_RETRIEVAL}.items():
                    odds = np.log(right / (1 - right)) + luck
                    score = 10.0 if rng.random() < 1 / (1 + np.exp(-odds)) else 1.0
                    tokens = length if strategy == "lc" else 2_000
                    case = f"{needles}_{length}_{depth:g}_s{seed}"
                    base = replace(_TRIAL, trial_id=f"{case} {strategy}", case_id=case, needle_set=needles)
                    records.append(
                        replace(
                            base,
                            context_length=length,
                            depth=depth,
                            seed=seed,
                            strategy=strategy,
                            score=score,
                            prompt_tokens=tokens,
                            cost=tokens * 1e-6,
                        )
                    )
    return records
