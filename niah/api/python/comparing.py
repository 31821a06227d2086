"""``niah.compare``: did a run get significantly worse than another?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.analysis.compare import Comparison, ComparisonVerdict, Limits, Row, compare_frames
from niah.analysis.pairs import DEFAULT_AXES
from niah.api.compare import ComparingWords, compare_runs
from niah.api.python.argument_kinds import FLAG, NUMBER, TEXT, WHOLE, ArgumentKind, takes
from niah.api.python.notebook_display import printed_html, printed_text
from niah.api.python.run import RUN, Run
from niah.api.run_files import run_path
from niah.errors import UserError
from niah.plots.verdicts import print_comparison

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import Console


_WORDS = ComparingWords('readers=("X", "Y")', "common=True")
_READERS = ArgumentKind(
    "the names of two readers",
    lambda value: isinstance(value, tuple | list) and bool(value) and all(map(TEXT.fits, value)),
)


@dataclass(frozen=True, repr=False)
class ComparedRuns:
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

        return pd.DataFrame([row.parts | _numbers(row) for row in self._rows])

    @property
    def _rows(self) -> Sequence[Row]:
        return self.comparison.rows

    def _print(self, console: Console) -> None:
        print_comparison(self.comparison, console)

    def __repr__(self) -> str:
        return printed_text(self._print)

    def _repr_html_(self) -> str:
        return printed_html(self._print)


def _numbers(row: Row) -> dict[str, object]:
    """All that a row says but the parts that cut it out."""
    return {name: value for name, value in asdict(row).items() if name != "parts"}


SIDE = ArgumentKind(
    "a run, its file or its name, or a DataFrame", lambda value: _is_frame(value) or RUN.fits(value)
)


@takes(
    baseline=SIDE,
    candidate=SIDE.or_none,
    history=SIDE.or_several,
    readers=_READERS.or_none,
    by=TEXT.or_several,
    alpha=NUMBER,
    detect=NUMBER,
    missing=NUMBER,
    common=FLAG,
    seed=WHOLE,
)
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
        readers: compare the second reader with the first.
        by: what cuts the table, the coarsest first; see ``niah.analysis.pairs.AXES``.
        alpha: how often a night with no change may be called a regression.
        detect: the drop that must be seen in a reader, in points of score.
        missing: the greatest share of scored trials that may have no score any more.
        common: where the runs differ, compare what they have in common.
        seed: of the random flips.

    Raises UserError for arguments that name no comparison, and RunFileError where the runs do not compare.
    """
    limits, axes = Limits(alpha, missing, detect), [by] if isinstance(by, str) else by
    nights = [history] if isinstance(history, str | Path | Run) or _is_frame(history) else list(history)
    sides = [baseline, *([] if candidate is None else [candidate]), *nights]
    if any(map(_is_frame, sides)):
        if candidate is None or readers:
            raise UserError(
                "DataFrames are compared two at a time.", "Give baseline and candidate, no readers."
            )
        first, second, *rest = map(_frame, sides)
        return ComparedRuns(compare_frames(first, second, history=rest, by=axes, limits=limits, seed=seed))
    return ComparedRuns(
        compare_runs(
            *(_path(baseline), None if candidate is None else _path(candidate)),
            readers=readers,
            by=axes,
            limits=limits,
            history=list(map(_path, nights)),
            common=common,
            seed=seed,
            words=_WORDS,
        )
    )


def _is_frame(value: object) -> bool:
    return type(value).__name__ == "DataFrame" and hasattr(value, "columns")


def _frame(side: Any) -> DataFrame:
    """A side as a plain frame, that of a run by its file."""
    from niah.analysis.pairs import plain_frame
    from niah.runs.file.read_model import read_run

    found: DataFrame = side if _is_frame(side) else plain_frame(read_run(_path(side)).records)
    return found


def _path(run: Any) -> Path:
    return run.path if isinstance(run, Run) else run_path(str(run))
