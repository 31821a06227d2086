"""``niah.compare``: did a run, or a model, get significantly worse than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import numpy as np

from niah.analysis.compare import (
    Comparison,
    ComparisonVerdict,
    Limits,
    Row,
    compare_frames,
    compare_models,
    compare_pairs,
)
from niah.analysis.pairs import DEFAULT_AXES, Pairs, apart, check_axes, compatibility, pair
from niah.api.report import run_path
from niah.api.result import Printed
from niah.errors import RunFileError, UnknownName, UserError
from niah.files import telling_of_files
from niah.runs.file.nights import Night, accepted_nights, night_of
from niah.runs.file.read import RunContents, read_run

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import Console

    from niah.api.result import Run

MOST_NIGHTS = 20
"""So many earlier nights say how a row's mean varies: of 20, Student's 98 % quantile is 2.2."""


@dataclass(frozen=True, repr=False)
class ComparedRuns(Printed):
    """What two runs come to. A notebook shows the tables and the verdict, as ``niah compare`` prints them.

    Attributes:
        comparison: everything.
    """

    comparison: Comparison

    @property
    def verdict(self) -> ComparisonVerdict:
        """The answer: its ``kind`` is "no regression", "regression" or "incomplete"."""
        return self.comparison.verdict

    @property
    def regressions(self) -> tuple[Row, ...]:
        """Where it got worse."""
        return self.verdict.regressions

    def frame(self) -> DataFrame:
        """The table as pandas: a row for each part that was looked at."""
        import pandas as pd

        rows = [asdict(row) for row in self.comparison.rows]
        return pd.DataFrame([row.pop("parts") | row for row in rows])

    def _print(self, console: Console) -> None:
        from niah.plots.verdicts import print_comparison

        print_comparison(self.comparison, console)


@telling_of_files()
def compare(
    baseline: Run | str | Path | DataFrame,
    candidate: Run | str | Path | DataFrame | None = None,
    *,
    history: Sequence[Run | str | Path | DataFrame] = (),
    readers: tuple[str, str] | None = None,
    by: Sequence[str] = DEFAULT_AXES,
    alpha: float = Limits.alpha,
    detect: float = Limits.detectable,
    missing: float = Limits.missing,
    common: bool = False,
    seed: int = 0,
) -> ComparedRuns:
    """Whether ``candidate`` got significantly worse than ``baseline``, and where; as ``niah compare``.

        import niah
        niah.compare("quick-before", "quick").verdict.kind

    Args:
        baseline: the earlier run: a ``Run``, a run file, its name in ``runs/``, or a DataFrame with
            the columns reader, strategy, needle_set, haystack, context_length, depth, seed, repeat, score and
            outcome.
        candidate: the later one; may be left out where ``readers`` are compared within one run.
        history: earlier nights, the latest first: three at least say how much means vary from night to
            night. Without any, those of the candidate's folder and name.
        readers: compare the second model with the first, both ways, each at half of the level.
        by: what cuts the table, the coarsest first; see ``niah.analysis.pairs.AXES``.
        alpha: how often a night with no change may be called a regression.
        detect: the drop that must be seen in a model, in points of score.
        missing: the greatest share of scored trials that may have no score any more.
        common: where the runs differ, compare what they have in common.
        seed: of the random flips.

    Raises UserError for arguments that name no comparison, and RunFileError where the runs do not compare.
    """
    limits = Limits(alpha, missing, detect)
    axes = check_axes([by] if isinstance(by, str) else by)
    nights = list(history) if isinstance(history, list | tuple) else [history]
    if any(map(_is_frame, (baseline, candidate, *nights))):
        if candidate is None or readers:
            raise UserError(
                "DataFrames are compared two at a time.", "Give baseline and candidate, no readers."
            )
        frames = [_frame(side) for side in (baseline, candidate, *nights)]
        compared = compare_frames(*frames[:2], history=frames[2:], by=axes, limits=limits, seed=seed)
        return ComparedRuns(compared)
    earlier = _path(baseline)
    later = None if candidate is None else _path(candidate)
    if readers:
        if len(readers) != 2 or readers[0] == readers[1]:
            raise UserError(f"{', '.join(readers)}: that is no pair of models.", "Name two: --readers X,Y.")
    elif later is None or earlier.resolve() == later.resolve():
        problem = f"{earlier} alone is no comparison."
        raise UserError(problem, "Name a second run, or two of its models: --readers X,Y.")
    second = later or earlier
    sides = [read_run(path) for path in (earlier, second)]
    told: dict[str, Any] = {"limits": limits, "seed": seed}
    names = str(earlier), str(second)
    if readers:
        sides = [_only_reader(*each) for each in zip(sides, readers, names, strict=True)]
        pairs, notes = comparable_pairs(*sides, common=common, other_reader=True)
        axes = tuple(axis for axis in axes if axis != "reader")
        names = readers if names[0] == names[1] else names
        return ComparedRuns(compare_models(pairs, readers, names=names, by=axes, notes=notes, **told))
    pairs, notes = comparable_pairs(*sides, common=common)
    before = [read_run(_path(each)).trials for each in nights]
    before = before or _nights_before(second)
    return ComparedRuns(compare_pairs(pairs, names=names, by=axes, notes=notes, history=before, **told))


def _nights_before(path: Path) -> list[DataFrame]:
    """The trials of the accepted nights before the one that ``path`` is called like; none of other files."""
    try:
        night: Night | None = night_of(path)
    except ValueError:  # no date of the calendar
        night = None
    if night is None:
        return []
    return [run.trials for run in accepted_nights(path.parent, night.name, night.date, MOST_NIGHTS)]


def comparable_pairs(
    baseline: RunContents, candidate: RunContents, *, common: bool, other_reader: bool = False
) -> tuple[Pairs, tuple[str, ...]]:
    """The pairs of trials that may be compared, and notes on the others.

    Args:
        baseline, candidate: of two runs, or of two models of one.
        common: where they differ, take what they have in common.
        other_reader: models are what is compared, so that their names need not agree.

    Raises RunFileError where the two do not compare.
    """
    pairs = pair(baseline.trials, candidate.trials, other_reader=other_reader)
    names = f"{baseline.path} and {candidate.path}"
    if pairs.baseline.empty:
        why = apart(baseline, candidate, pairs)
        problem = f"{names} have no trial in common{f' ({why})' if why else ''}."
        raise RunFileError(problem, "Compare runs of one suite, or two models: --readers X,Y.")
    found = compatibility(baseline, candidate, pairs)
    notes = found.notes
    if missing := int((pairs.baseline["outcome"] == "not_run").sum()):
        partial = f"has not run {missing:,} of the {len(pairs.baseline):,} pairs' trials"
        notes = (f"{baseline.path} {partial}", *notes)
    if not found.differences:
        return pairs, notes
    why = "; ".join(found.differences)
    judge_alike = (
        f"niah judge {quote(str(candidate.path))} --judge {baseline.judge} --primary judges both alike."
    )
    if not common:
        in_common = "Compare what they have in common with --common."
        remedy = in_common if baseline.judge == candidate.judge else judge_alike
        raise RunFileError(f"{names} do not compare: {why}.", remedy)
    if found.common.baseline.empty or (_both_scored(pairs) and not _both_scored(found.common)):
        raise RunFileError(f"{names} have nothing in common: {why}.", judge_alike)
    return found.common, (*(f"left out: {line}" for line in found.differences), *notes)


def _only_reader(run: RunContents, reader: str, name: str) -> RunContents:
    if reader not in (readers := {each.reader for each in run.planned}):
        raise UnknownName(f"reader in {name}", reader, readers)
    return run.of_reader(reader)


def _both_scored(pairs: Pairs) -> bool:
    """Whether any pair has a score on both sides."""
    scored = (side["score"].notna().to_numpy() for side in (pairs.baseline, pairs.candidate))
    return bool(np.logical_and(*scored).any())


def _is_frame(value: object) -> bool:
    return type(value).__name__ == "DataFrame"


def _frame(side: Any) -> DataFrame:
    """A side as a plain frame, that of a run by its file."""
    found: DataFrame = side if _is_frame(side) else read_run(_path(side)).trials
    return found


def _path(run: Any) -> Path:
    return Path(getattr(run, "path", None) or run_path(str(run)))
