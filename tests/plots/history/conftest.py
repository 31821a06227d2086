"""A history to look at, and a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.analysis.nights.trends import Trend
from niah.plots.history.page import write_history_page
from niah.runs.file.nights import Skipped
from tests.plots.history.trends_of import trends_of, write_eventful_nights
from tests.plots.html.conftest import chrome  # noqa: F401  the same browser
from tests.plots.html.hostile import HOSTILE_NAME


@pytest.fixture(scope="session")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> list[Trend]:
    """lc and topk of 20 nights."""
    folder = tmp_path_factory.mktemp("nights")
    write_eventful_nights(folder)
    return trends_of(folder)


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page whose names all try to become markup."""
    folder = tmp_path_factory.mktemp("hostile")
    write_eventful_nights(folder, reader=HOSTILE_NAME, version=HOSTILE_NAME)
    (folder / "nightly-2026-11-22.sqlite").rename(folder / "<b>-2026-11-22.sqlite")
    skipped = [Skipped(folder / "x-2026-11-30.sqlite", f"it is damaged: {HOSTILE_NAME}")]
    return write_history_page(folder / "plots", HOSTILE_NAME, trends_of(folder), skipped)
