"""Run a config: generate, read, judge, draw the heatmaps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from niah.files import check_folder
from niah.runs.config import RunConfig
from niah.runs.execution.session import RunOptions, RunResult, Shown, conduct


@dataclass(frozen=True)
class FinishedRun:
    """What an invocation leaves.

    Attributes:
        result: trials, records, what was spent.
        heatmaps: the files drawn, in the folder for figures.
    """

    result: RunResult
    heatmaps: list[Path]


def run_config(
    config: RunConfig,
    options: RunOptions,
    figures: Path,
    *,
    settings: Mapping[str, Any],
    progress: Shown,
    say: Callable[[str], None],
) -> FinishedRun:
    """Run what is left of a config in the run file that ``options`` names, and draw its heatmaps.

    Args:
        config: the resolved run config.
        options: run file, shard, limit, budget ...
        figures: folder for the heatmaps.
        settings: every setting with its source, for the run file.
        progress: makes the progress display.
        say: is called with what the user should know meanwhile, one line each.

    Raises UserError, before anything is asked or written, for mistakes.
    """
    for folder in (options.path.parent, figures):
        check_folder(folder)
    result = conduct(config, options, dict(settings), progress, say)

    from niah.plots.figures.heatmaps.run_heatmaps import heatmaps

    return FinishedRun(result, heatmaps(result.records, figures))
