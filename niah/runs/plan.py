"""Which trials a config asks for, and in which order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from niah.cases.samples import samples_of
from niah.runs.config import RunConfig, identity
from niah.runs.cost.estimate import Finished, Plan, make_plan, seen_in
from niah.runs.cost.estimate_embedders import embedder_plans, embedders_of
from niah.runs.cost.estimate_judges import Judged, asked_judge, judge_plan
from niah.runs.cost.prices import embedder_prices, prices_of
from niah.runs.prefix_order import in_prefix_order
from niah.runs.trial import Trial


def plan_trials(config: RunConfig) -> list[Trial]:
    """Every trial of the config, readers one after another, neighbours sharing long prompt prefixes.

    Every sample is resolved here, once: what cannot be built is met before any work. Raises UserError.
    """
    samples = samples_of(config.cases)
    return [
        trial
        for reader in config.readers
        for trial in in_prefix_order(
            Trial(
                sample=sample,
                strategy=strategy,
                reader=reader.name,
                repeat=repeat,
                max_tokens=sample.key.answer_tokens,
            )
            for sample in samples
            for strategy in config.strategies
            for repeat in range(config.repeats)
        )
    ]


def estimate_run(
    config: RunConfig,
    trials: Sequence[Trial],
    done: Collection[str],
    taken: Mapping[str, Finished],
    kept: Collection[str] = (),
    judged: Sequence[Judged] = (),
    embedded: Sequence[Trial] = (),
) -> Plan:
    """What the trials will take.

    Args:
        config: the run's.
        trials: those to be estimated, beside the ones ``done``.
        done: ids of trials that are not asked again.
        taken: what finished trials of the run took, by id, the latest first.
        kept: ids of trials whose answers are kept from earlier runs.
        judged: what verdicts in the run file took, the latest first.
        embedded: trials whose chunks count in the bounds of embedders as well, since nobody meters these.
    """
    left = [trial for trial in trials if trial.trial_id not in done]
    judge = asked_judge(config.llm_judge, config.prices)
    embedders = embedder_prices(embedders_of(config.strategies), config.prices)
    return make_plan(
        trials,
        done,
        {reader.name: reader.concurrency for reader in config.readers},
        prices_of(config.readers, config.prices),
        seen_in(taken.values()),
        kept,
        judge_plan(judge, trials, left, judged) if judge else None,
        embedder_plans(left, [trial for trial in trials if trial.trial_id in done], embedders, embedded),
    )


def run_facts(config: RunConfig, trials: Iterable[Trial]) -> dict[str, object]:
    """What two invocations must have in common to be the same run, JSON-ready."""
    return {
        "suite": config.suite,
        "cases": [case.case_id for case in config.cases],
        "texts": sorted({trial.sample.fingerprint for trial in trials}),
        "readers": [identity(reader) for reader in config.readers],
        "strategies": {strategy.name: strategy.definition for strategy in config.strategies},
        "judge": config.judge.name,
        "repeats": config.repeats,
    }
