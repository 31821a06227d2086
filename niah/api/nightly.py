"""One night: ask what the run config says, compare it with the last accepted night, come to one verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from niah.analysis.compare.verdict import Limits
from niah.analysis.nights.night_verdict import NightVerdict, assess_night
from niah.analysis.nights.pooled_nights import LOOKED_AT, pooled_nights
from niah.api.closing.unanswered import fault_lines
from niah.api.compare import nights_to_learn_from
from niah.api.nights.acceptance import accept_or_not
from niah.api.nights.comparisons import NightComparisons
from niah.api.nights.references import EarlierRuns, earlier_runs
from niah.errors import UserError
from niah.runs.config.run_config import RunConfig
from niah.runs.cost.budget import Budget
from niah.runs.execution.session import RunOptions, RunResult, Shown, conduct
from niah.runs.file.nights import night_of, whole_nights_before
from niah.runs.file.read_model import read_scores


@dataclass(frozen=True)
class NightlyResult:
    """What came of a night.

    Attributes:
        run: what the run file holds afterwards.
        verdict: None where the run was stopped: nothing can be said of a part.
    """

    run: RunResult
    verdict: NightVerdict | None


def run_night(
    config: RunConfig,
    tonight: date,
    path: Path,
    *,
    progress: Shown,
    say: Callable[[str], None],
    settings: dict[str, Any],
    baseline: Path | None = None,
    budget: Budget | None = None,
    on: Literal["local", "ray"] = "local",
    limits: Limits | None = None,
    common: bool = False,
    adaptive: bool = False,
    pool: int | None = None,
    accepted_since: date | None = None,
) -> NightlyResult:
    """Run a config for one night, and compare it with the last accepted night and with a baseline.

    The same night again goes on where it was stopped. A night without a regression is accepted by itself; see
    ``niah.api.nights.acceptance``.

    Args:
        config: resolved for that date.
        tonight: the night's date.
        path: its run file; nights before it are looked for in the same folder.
        progress: makes the progress display.
        say: is called with what the user should know meanwhile, one line each.
        settings: as resolved, with their sources, for the run file.
        baseline: the run file of a run to compare with besides that night's.
        budget: of the night; the config's without it.
        on: this process, or a Ray cluster.
        limits: the level of the night, whatever it is compared with, and when there is too little to say.
        common: where tonight and an earlier run differ, compare what they have in common.
        adaptive: ask no more trials than the verdict needs, against the baseline or the last accepted night.
        pool: compare with the mean of so many accepted nights in place of the last; see
            ``niah.analysis.nights.pooled_nights``.
        accepted_since: the night from which on a lasting change was accepted: earlier ones are not pooled.

    Raises UserError, before anything is asked, for mistakes in the config, for a baseline that cannot be
    read, and for options that do not go together.
    """
    limits = limits or Limits()
    earlier = earlier_runs(config.name, path, tonight, baseline, say)
    earlier = _pooling(earlier, pool, accepted_since, config.name, path, tonight, limits, say, adaptive)
    nights = nights_to_learn_from(path.parent, config.name, tonight)
    comparisons = NightComparisons(earlier, path, limits, nights, common=common)
    looks = comparisons.adaptive(tonight.toordinal()) if adaptive else None
    if adaptive and not looks:
        say("no whole night to compare with yet: all trials are asked.")
    options = RunOptions(path, budget=budget or config.budget, on=on, choose=looks.chosen if looks else None)
    run = conduct(config, options, settings, progress, say)
    if run.stopped or run.ledger.stopped:
        return NightlyResult(run, None)
    found = comparisons.outcome(looks)
    verdict = assess_night(
        *(str(tonight), run.records, found.before, config.seeds.anchor),
        *(found.comparisons, found.hindrances, found.adaptive),
    )
    unanswered = tuple(fault_lines(run.records, run.stopped_readers))
    verdict = replace(verdict, worst_trials=found.worst_trials, unanswered=unanswered)
    return NightlyResult(run, accept_or_not(verdict, earlier, tonight, read_scores(path)))


def _pooling(
    earlier: EarlierRuns,
    count: int | None,
    since: date | None,
    name: str,
    path: Path,
    tonight: date,
    limits: Limits,
    say: Callable[[str], None],
    adaptive: bool,
) -> EarlierRuns:
    """With the nights whose mean tonight is compared with, where that is asked for and there are any."""
    if count is None:
        if since:
            raise UserError(
                "--accepted-since says from when on nights are pooled, and none are.",
                "Name how many: --pool N.",
            )
        return earlier
    if adaptive:
        raise UserError(
            "an adaptive night is compared with one run, and not with the mean of several.",
            "Leave out --pool or --adaptive.",
        )
    # Whoever says since when changes are accepted has looked at the nights after that.
    refused = [] if since else [day for day in earlier.record.regressions if day < tonight]
    nights = whole_nights_before(
        path.parent, name, tonight, LOOKED_AT * count, lambda day: day not in refused
    )
    taken = [day for day in earlier.record.taken_by_hand if day < tonight]
    since = max([*taken, *([since] if since else [])], default=None)
    pooled = pooled_nights(nights, count, limits, since, refused)
    if not pooled.runs:
        say("no whole night to pool yet.")
        return earlier
    latest = night_of(pooled.runs[0].path)
    return replace(earlier, role=pooled.role, night=latest, is_accepted=True, pooled=pooled)
