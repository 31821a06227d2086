"""One night: ask what the run config says, compare it with the last accepted nights, come to one verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from niah.analysis.compare import Limits
from niah.analysis.nights import NightVerdict, assess_night
from niah.api.closing.unanswered import fault_lines
from niah.api.nights.acceptance import accept_or_not
from niah.api.nights.comparisons import compare_night, earlier_runs
from niah.runs.config.run_config import RunConfig
from niah.runs.cost.prices import Budget
from niah.runs.execution.run import RunOptions, RunResult, Shown, run_trials
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
) -> NightlyResult:
    """Run a config for one night, and compare it with the last accepted nights and with a baseline.

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

    Raises UserError, before anything is asked, for mistakes in the config, for a baseline that cannot be
    read, and for options that do not go together.
    """
    earlier = earlier_runs(config.name, path, tonight, baseline, say)
    options = RunOptions(path, budget=budget or config.budget, on=on)
    run = run_trials(config, options, settings, progress, say)
    if run.stopped or run.ledger.stopped:
        return NightlyResult(run, None)
    found = compare_night(earlier, path, tonight, limits or Limits(), common=common)
    verdict = assess_night(
        *(str(tonight), run.records, found.before, config.seeds.anchor),
        *(found.comparisons, found.hindrances),
    )
    unanswered = tuple(fault_lines(run.records, run.stopped_readers))
    verdict = replace(verdict, unanswered=unanswered)
    return NightlyResult(run, accept_or_not(verdict, earlier, tonight, read_scores(path)))
