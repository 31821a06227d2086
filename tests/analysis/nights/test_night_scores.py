"""One night in numbers, worked out by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from niah.analysis.nights.night_scores import (
    Basis,
    NightScore,
    basis_differences,
    night_scores,
    paired_change,
)
from niah.runs.file.nights import Night
from niah.runs.file.read_model import read_scores
from tests.runs.simulated_nights import Scores, write_night

DAY = date(2026, 11, 22)


def scored(path: Path, known: dict[str, Basis] | None = None) -> NightScore:
    (score,) = night_scores(Night("nightly", DAY, path), read_scores(path), {} if known is None else known)
    return score


def test_the_mean_is_that_of_scored_anchors(tmp_path: Path) -> None:
    """(10 + 7 + 1) / 3 = 6: the refusal is no zero, and rotating cases stand apart: (3 + 5) / 2 = 4."""
    night = scored(write_night(tmp_path, DAY, [10, 7, None, 1], fresh=[3, 5]))
    assert night.score is not None
    assert (night.score.estimate, night.score.n, night.score.clusters) == (6, 3, 3)
    assert (night.planned, night.not_scored, night.outcomes["refused"]) == (4, 1, 1)
    assert (night.fresh, night.fresh_n) == (4, 2)


def test_what_the_night_took_is_over_all_its_trials(tmp_path: Path) -> None:
    """6 trials at 0.25 dollars, 1,000 tokens in, 10 out and 2 s each."""
    night = scored(write_night(tmp_path, DAY, [10, 7, None, 1], fresh=[3, 5]))
    assert (night.cost, night.prompt_tokens, night.answer_tokens, night.latency_p50_s) == (1.5, 6000, 60, 2)


def test_an_unfinished_night_says_so(tmp_path: Path) -> None:
    night = scored(write_night(tmp_path, DAY, [10, 7, 1], unfinished=1))
    assert (night.finished, night.planned, night.not_scored) == (False, 3, 0)


def test_nights_that_ask_the_same_have_one_basis(tmp_path: Path) -> None:
    """Scores, outcomes and rotating seeds change nothing."""
    known: dict[str, Basis] = {}
    first = scored(write_night(tmp_path, "2026-11-21", [10, 7], fresh=[1]), known)
    second = scored(write_night(tmp_path, "2026-11-22", [None, 1], fresh=[10, 10]), known)
    assert first.identity == second.identity
    assert list(known) == [first.identity]


@pytest.mark.parametrize(
    ("scores", "version", "text", "said"),
    [
        ([10, 7], "4", "f" * 20, ("judge: rubric 3 → rubric 4",)),
        ([10, 7], "3", "e" * 20, ("2 trials with another context, prompt or room for the answer",)),
        ([10, 7, 1], "3", "f" * 20, ("1 trial added",)),
        ([10], "4", "f" * 20, ("1 trial taken out", "judge: rubric 3 → rubric 4")),
    ],
)
def test_what_differs_is_said(
    tmp_path: Path, scores: Scores, version: str, text: str, said: tuple[str, ...]
) -> None:
    known: dict[str, Basis] = {}
    before = scored(write_night(tmp_path, "2026-11-21", [10, 7]), known)
    after = scored(write_night(tmp_path, "2026-11-22", scores, version=version, text=text), known)
    assert before.identity != after.identity
    assert basis_differences(known[before.identity], known[after.identity]) == said


def test_needle_sets_that_came_and_went_are_named() -> None:
    asked = [(f"{name}_essays_1000_d0_s1 #0", "id") for name in ("ferry", "gates", "bell")]
    before, after = (Basis(tuple(part), (0, 1), "rubric 3", "m", "lc") for part in (asked[:2], asked[1:]))
    assert basis_differences(before, after) == ("1 trial added (bell)", "1 trial taken out (ferry)")
    others = replace(after, asked=(asked[1], ("bell_essays_1000_d0_s2 #0", "other")), strategy="topk")
    assert basis_differences(after, others)[0] == "1 trial added (bell)"


def test_a_context_that_is_built_otherwise_is_another(tmp_path: Path) -> None:
    """As by a later version of niah: every id stays."""
    known: dict[str, Basis] = {}
    before = scored(write_night(tmp_path, "2026-11-21", [10, 7]), known)
    path = write_night(tmp_path, "2026-11-22", [10, 7])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE samples SET sha256 = 'other' WHERE sample_id LIKE '%_s2'")
    after = scored(path, known)
    assert basis_differences(known[before.identity], known[after.identity]) == (
        "1 trial with another context, prompt or room for the answer",
    )


def test_nights_are_compared_trial_by_trial(tmp_path: Path) -> None:
    """Seeds 1 and 3 were scored twice: (7 - 10 + 1 - 5) / 2 = -3.5; the means alone say 4 - 6 = -2."""
    known: dict[str, Basis] = {}
    before = scored(write_night(tmp_path, "2026-11-21", [10, 3, 5, None]), known)
    after = scored(write_night(tmp_path, "2026-11-22", [7, None, 1, 10]), known)
    difference = paired_change(before, after, known[after.identity])
    assert difference is not None
    assert (difference.estimate, difference.n) == (-3.5, 2)
    assert (
        paired_change(scored(write_night(tmp_path, "2026-11-23", [None] * 4)), after, known[after.identity])
        is None
    )
