"""The ladder `frontier` through niah's own runner: three planted readers behind a loopback endpoint.

    python -m tests.bench.bench_ladder_run [RUNS] [APART]

Each reader is a model of a real HTTP endpoint that knows the suite's answers and gives them by the chances
of bench_ladder: they fall with what is asked at once, with hops, across languages and with length, and all
readers share luck by needle set and seed and by case, anew in every run. Lengths to 32k; APART, in logits, is
between neighbours. A run is in order where the mean scores of its run file are. Without RUNS, 4;
docs have 20.
"""

from __future__ import annotations

import math
import os
import random
import sys
import tempfile
from itertools import pairwise
from pathlib import Path

import niah
from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.cases.suite import load_suite
from tests.bench.bench_ladder import CASE_LUCK, SHARED_LUCK, harder_than_one_fact
from tests.loopback import Post, Reply, completion, replying

LENGTHS = (8000, 32_000)
_NAMES = ("best", "middle", "least")
_MIDDLE = 2.0
_TAIL = 3000
"""Characters that a question and what stands behind it have at most."""


class PlantedReaders:
    """Models that know every answer of a suite, and give it by their skill and the luck of the run.

    Args:
        skills: logits of a single fact at 8k, by the model's name.
    """

    def __init__(self, skills: dict[str, float]) -> None:
        self.run = 0
        self._skills = skills
        clusters = dict.fromkeys((case.needle_set, case.seed) for case in load_suite("frontier").cases)
        self._keys = {cluster: key_of(*cluster) for cluster in clusters}

    def reply(self, post: Post) -> Reply:
        """The answer, or none."""
        prompt, model = post.body["messages"][-1]["content"], post.body["model"]
        (needle_set, seed), key = self._asked(prompt)
        cluster = f"{self.run}|{needle_set}|{seed}"
        case = f"{cluster}|{len(prompt)}"
        luck = random.Random(cluster).gauss(0, SHARED_LUCK) + random.Random(case).gauss(0, CASE_LUCK)
        harder = harder_than_one_fact(needle_set, len(prompt) / 4) + luck
        chance = 1 / (1 + math.exp(harder - self._skills[model]))
        is_right = random.Random(f"{case}|{model}").random() < chance
        return Reply(completion(key.answer if is_right else "I cannot tell."))

    def _asked(self, prompt: str) -> tuple[tuple[str, int], AnswerKey]:
        tail = prompt[-_TAIL:]
        return next(
            (cluster, key)
            for cluster, key in self._keys.items()
            if key.question in tail and all(needle.text in prompt for needle in key.needles)
        )


def main(runs: int, apart: float) -> None:
    """Goal: in order in 95 % of runs whose readers' means are 1 point apart."""
    planted = PlantedReaders(
        {name: _MIDDLE + apart * step for name, step in zip(_NAMES, (1, 0, -1), strict=True)}
    )
    os.chdir(tempfile.mkdtemp(prefix="niah-ladder-"))
    os.environ.update(NIAH_CACHE=str(Path.cwd() / "cache"))
    in_order, totals, trials = 0, dict.fromkeys(_NAMES, 0.0), 0
    with replying(planted.reply) as address:
        readers = [{"name": name, "model": name, "api_base": f"{address}/v1"} for name in _NAMES]
        for planted.run in range(runs):
            frame = niah.run(
                "frontier",
                readers=readers,
                strategies=["lc"],
                lengths=LENGTHS,
                out=f"ladder-{planted.run}.sqlite",
                progress=False,
            ).frame()
            scores = frame[frame.outcome == "scored"].groupby("reader").score.mean()
            trials = len(frame) // len(_NAMES)
            in_order += all(scores[better] > scores[worse] for better, worse in pairwise(_NAMES))
            totals = {name: total + scores[name] for name, total in totals.items()}
    means = ", ".join(f"{name} {total / runs:.1f}" for name, total in totals.items())
    print(f"frontier to 32k, {trials} trials a reader through the runner, {apart} logits apart: {means}")
    print(f"in order in {in_order} of {runs} runs; goal 95 % where means are 1 point apart")


if __name__ == "__main__":
    numbers = [float(word) for word in sys.argv[1:]]
    main(int(numbers[0]) if numbers else 4, numbers[1] if len(numbers) > 1 else 0.9)
