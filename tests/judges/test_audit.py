"""Labels by people: sheets, agreement, corrected means, drift."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from niah.errors import ConfigError
from niah.judges.audit import (
    corrected_mean,
    draw,
    read_labels,
    write_sheet,
)
from niah.judges.verdict import SCORES


def test_the_interval_covers_the_truth_where_the_judge_is_biased() -> None:
    """2,000 answers, 100 labels, a judge that gives 0.1 too much: 95 % coverage, half the width of labels."""
    rng = np.random.default_rng(46)
    covered, widths, alone = 0, [], []
    draws = 1000
    for _ in range(draws):
        truth = rng.choice(SCORES, size=2000, p=(0.25, 0.1, 0.15, 0.15, 0.35)).astype(float)
        judged = truth + 0.1 + rng.choice((0.0, -2.0, 2.0), size=2000, p=(0.8, 0.1, 0.1))
        labelled = rng.choice(2000, size=100, replace=False)
        rest = np.setdiff1d(np.arange(2000), labelled)
        made = corrected_mean(
            judged[rest].tolist(), list(zip(truth[labelled], judged[labelled], strict=True))
        )
        # The truth is the mean of the population that the answers are drawn from.
        wanted = float(np.dot(SCORES, (0.25, 0.1, 0.15, 0.15, 0.35)))
        covered += abs(made.mean - wanted) <= made.half_width
        widths.append(made.half_width)
        alone.append(1.96 * truth[labelled].std(ddof=1) / 10)
    assert 0.93 <= covered / draws <= 0.97
    assert np.mean(widths) <= 0.5 * np.mean(alone)


def test_a_sample_has_every_stratum_with_its_share() -> None:
    rows = [(score, at) for score, n in ((1, 40), (7, 40), (10, 120)) for at in range(n)]
    drawn = draw(rows, 50, lambda row: row[0])
    assert len(set(drawn)) == 50
    assert [sum(row[0] == score for row in drawn) for score in (1, 7, 10)] == [10, 10, 30]
    assert draw(rows, 50, lambda row: row[0], seed=2) != drawn


KNOWN = {"a", "b", "c"}
HEAD = "trial_id,question,reference,answer,label_1,label_2\n"


def test_a_sheet_that_was_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    write_sheet(path, [("a", "Who?", "Ann.\rEve.", "Ann, I think"), ("b", "Who?", "Ann.", "=1+1\fNo\nbody")])
    text = path.read_text(encoding="utf-8").replace(",,\r\n", ",10,7\r\n").replace(",,\n", ",10,7\n")
    path.write_text(text, encoding="utf-8")
    assert read_labels(path, KNOWN) == {"a": (10.0, 7.0), "b": (10.0, 7.0)}
    assert "'=1+1" in text  # for a spreadsheet no formula


@pytest.mark.parametrize(
    ("rows", "where"),
    [
        ("a,,,,10,\na,,,,1,\n", "line 3, trial_id: 'a' is there twice"),
        ("a,,,,10,\nb,,,,,\n", "line 3, label_1: is missing"),
        ("a,,,,8,\nb,,,,10,\n", "line 2, label_1: '8' is no score"),
        ("a,,,,10,\n", "fewer than two"),
    ],
)
def test_labels_that_cannot_be_right(tmp_path: Path, rows: str, where: str) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(HEAD + rows, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        read_labels(path, KNOWN)
    assert where in str(caught.value)
    assert "labels.csv" in str(caught.value)
    assert "\n" not in str(caught.value)
