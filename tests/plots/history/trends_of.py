"""Trends of simulated nights."""

from __future__ import annotations

from pathlib import Path

from niah.analysis.nights.night_scores import Basis, NightScore, night_scores
from niah.analysis.nights.trends import Trend, trends
from niah.runs.file.nights import nights
from niah.runs.file.read_model import read_scores
from tests.runs.simulated_nights import READER, Scores, write_night


def trends_of(folder: Path) -> list[Trend]:
    """Of the nights in a folder."""
    bases: dict[str, Basis] = {}
    scores: list[NightScore] = []
    for night in nights(folder):
        scores += night_scores(night, read_scores(night.path), bases)
    return trends(scores, bases, ())


def write_eventful_nights(folder: Path, reader: str = READER, version: str = "3") -> None:
    """22 nights of lc and topk.

    A change point of lc on 2026-11-09, a gap on the 17th and 18th, a break on the 20th; the last one is not
    finished.
    """
    for day in range(1, 23):
        high: Scores = (7, 10, 10, 7, 5) if day % 2 else (7, 10, 7, 7, 5)
        low: Scores = (3, 5, 5, 1, 1) if day % 2 else (3, 5, 3, 1, 1)
        more: Scores = (10,) if day >= 20 else ()
        lc = (*(high if day < 9 else low), *more)
        if day not in (17, 18):
            write_night(
                folder,
                f"2026-11-{day:02}",
                {"lc": lc, "topk": (*high, *more)},
                fresh=[5],
                unfinished=day == 22,
                reader=reader,
                version=version,
            )
