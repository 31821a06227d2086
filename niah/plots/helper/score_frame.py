"""What figures of scores alone are drawn from: read in a third of the time that a run takes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.analysis.frame import trial_frame
from niah.plots.distinct_readers import with_distinct_readers
from niah.runs.file.read_model import read_scores

if TYPE_CHECKING:
    from pandas import DataFrame

SCORE_COLUMNS = (
    *("trial_id", "case_id", "reader", "strategy", "repeat", "question", "outcome", "score", "scored"),
    *("origin", "needle_set", "question_set", "seed", "cluster", "context_length", "depth"),
    *("sends_context", "retrieves"),
)
"""The columns of ``trial_frame`` that a ``ReportFigure`` of scores may draw from."""


def score_frame(paths: Sequence[Path]) -> DataFrame:
    """The trials of run files with these columns alone. Raises RunFileError."""
    runs = with_distinct_readers([read_scores(path) for path in paths])
    return trial_frame([record for run in runs for record in run.records])[list(SCORE_COLUMNS)]


def frame_digest(frame: DataFrame) -> str:
    """The same for frames whose trials and ``SCORE_COLUMNS`` are the same, in the same order."""
    from pandas.util import hash_pandas_object

    hashes = hash_pandas_object(frame[list(SCORE_COLUMNS)], index=False)
    return hashlib.sha256(hashes.to_numpy().tobytes()).hexdigest()
