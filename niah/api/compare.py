"""``niah.compare``: did a run, or a model, get significantly worse than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pandas import DataFrame

from niah.analysis.compare import Comparison, Limits, Row, compare_frames, compare_models, compare_pairs
from niah.analysis.pairs import comparable_pairs
from niah.api.result import Printed, Run, load_run
from niah.errors import UnknownName, UserError
from niah.files import telling_of_files
from niah.runs.file.nights import night_of, read_night_record

if TYPE_CHECKING:
    from rich.console import Console

MOST_NIGHTS = 20  # that say how a row's mean varies from night to night: Student's 98 % quantile is 2.2


@dataclass(frozen=True, repr=False)
class ComparedRuns(Printed, Comparison):
    """What two runs come to: ``verdict.kind`` is "no regression", "regression" or "incomplete"."""

    @property
    def regressions(self) -> tuple[Row, ...]:
        """Where it got worse."""
        return self.verdict.regressions

    def frame(self) -> DataFrame:
        """The table as pandas: a row for each part that was looked at."""
        rows = [asdict(row) for row in self.rows]
        return DataFrame([row.pop("parts") | row for row in rows])

    def _print(self, console: Console) -> None:
        from niah.plots.verdicts import print_verdict

        print_verdict(self, console)


@telling_of_files()
def compare(
    baseline: Run | str | Path | DataFrame,
    candidate: Run | str | Path | DataFrame | None = None,
    *,
    history: Sequence[Run | str | Path | DataFrame] = (),
    readers: tuple[str, str] | None = None,
    alpha: float = Limits.alpha,
    detect: float = Limits.detectable,
    missing: float = Limits.missing,
    common: bool = False,
) -> ComparedRuns:
    """Whether ``candidate`` got significantly worse than ``baseline``, and where; as ``niah compare``.

    Args:
        baseline, candidate: a ``Run``, a run file, its name in ``runs/``, or a DataFrame with the columns
            reader, strategy, needle_set, haystack, context_length, depth, seed, repeat, score and outcome.
        history: earlier nights, the latest first; those of the candidate's folder and name without any.
        readers: compare the second model with the first, both ways, each at half of the level.
        alpha: how often a night with no change may be called a regression.
        detect: the drop that must be seen in a model, in points of score.
        missing: the greatest share of scored trials that may have no score any more.
        common: where the runs differ, compare what they have in common.

    Raises UserError, and RunFileError where the runs do not compare.
    """

    def trials(side: Any) -> DataFrame:
        return side if isinstance(side, DataFrame) else load_run(side).contents.trials

    earlier: list[Any] = [*history] if isinstance(history, list | tuple) else [history]
    given, limits = (baseline, candidate, *earlier), Limits(alpha, missing, detect)
    if any(isinstance(side, DataFrame) for side in given):
        if candidate is None or readers:
            remedy = "Give baseline and candidate, no readers."
            raise UserError("DataFrames are compared two at a time.", remedy)
        first, second, *others = map(trials, given)
        return ComparedRuns(**vars(compare_frames(first, second, history=others, limits=limits)))
    both: list[Any] = [baseline, baseline if candidate is None else candidate]
    sides = [load_run(side).contents for side in both]
    paths = sides[0].path, sides[1].path
    names = str(paths[0]), str(paths[1])
    if readers:
        if len(readers) != 2 or readers[0] == readers[1]:
            raise UserError(f"{', '.join(readers)}: that is no pair of models.", "Name two: --readers X,Y.")
        for place, (run, reader) in enumerate(zip(sides, readers, strict=True)):
            if reader not in (known := {*run.planned["reader"]}):
                raise UnknownName(f"model in {run.path}", reader, known)
            sides[place] = replace(run, trials=run.trials[run.trials["reader"] == reader])
        pairs, notes = comparable_pairs(*sides, common=common, other_reader=True)
        names = readers if names[0] == names[1] else names
        return ComparedRuns(**vars(compare_models(pairs, readers, names, notes, limits)))
    if paths[0].resolve() == paths[1].resolve():
        raise UserError(f"{paths[0]} alone is no comparison.", "Name a second run, or --readers X,Y.")
    pairs, notes = comparable_pairs(*sides, common=common)
    before = [*map(trials, earlier)]
    if not before and (night := night_of(paths[1])):
        record = read_night_record(paths[1].parent, night.name)
        before = [run.trials for run in record.accepted_before(night.date, MOST_NIGHTS)]
    found = compare_pairs(pairs, names=names, notes=notes, history=before, limits=limits)
    return ComparedRuns(**vars(found))
