from datetime import date
from pathlib import Path

import pytest

from niah.plots.headlines.since_words import NO_HISTORY, since_words
from niah.runs.file.night_record import NightEntry, record_night


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A record of five nights: the third and the fourth are worse, and nobody accepted them."""
    green = NightEntry(verdict="no regression", compared_with="nightly-2026-11-01", accepted="by itself")
    red = NightEntry(verdict="regression", compared_with="nightly-2026-11-02")
    for day, entry in enumerate([green, green, red, red, green], start=1):
        record_night(tmp_path, "nightly", date(2026, 11, day), entry)
    return tmp_path


def of(runs: Path, day: int) -> str:
    return since_words(runs / f"nightly-2026-11-{day:02}.sqlite").partition(";")[0]


def test_a_regression_says_when_it_began(runs: Path) -> None:
    assert of(runs, 3) == "worse than nightly-2026-11-02 since 2026-11-03"
    assert of(runs, 4) == "worse than nightly-2026-11-02 since 2026-11-03"


def test_a_quiet_night_says_since_when_all_are(runs: Path) -> None:
    said = since_words(runs / "nightly-2026-11-02.sqlite")
    assert "no regression tonight; 2 nights since 2026-11-01, none of them a regression;" in said
    assert said.endswith("; niah history --name nightly draws all nights")
    assert "5 nights since 2026-11-01, the last regression was 2026-11-04" in since_words(
        runs / "nightly-2026-11-05.sqlite"
    )


def test_an_accepted_regression_says_by_whom(runs: Path) -> None:
    entry = NightEntry(verdict="regression", compared_with="nightly-2026-11-05", accepted="by hand")
    record_night(runs, "nightly", date(2026, 11, 6), entry)
    assert of(runs, 6) == "worse than nightly-2026-11-05 since 2026-11-06, accepted by hand"


def test_a_night_without_a_verdict_says_so(runs: Path) -> None:
    assert of(runs, 9) == "no verdict of this night is recorded"


@pytest.mark.parametrize(
    "name", ["quick", "nightly-2026-13-45", "other-2026-11-05", "nightly-2026-11-05--reader"]
)
def test_what_is_no_night_has_no_history(runs: Path, name: str) -> None:
    assert since_words(runs / f"{name}.sqlite") == NO_HISTORY


def test_a_broken_record_breaks_no_report(runs: Path) -> None:
    (runs / "nights" / "nightly.yaml").write_text("nights: [")
    assert since_words(runs / "nightly-2026-11-05.sqlite") == NO_HISTORY
