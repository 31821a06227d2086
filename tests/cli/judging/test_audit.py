"""Answers of a run labelled by people: the sheet, what is printed, and what the report shows."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.judging.endpoint import Endpoint

pytestmark = pytest.mark.usefixtures("without_figures")
SHEET = Path("runs/small.labels.csv")


def fill(label: str = "10", second: str = "") -> None:
    """Label every answer of the sheet."""
    rows = list(csv.DictReader(SHEET.read_text(encoding="utf-8").splitlines()))
    with SHEET.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys())
        writer.writeheader()
        for row in rows:
            said = label if "50317" in row["answer"] else "1"
            writer.writerow(row | {"label_1": said, "label_2": second and said})


def test_a_run_is_labelled(endpoint: Endpoint, capsys: pytest.CaptureFixture[str]) -> None:
    grid = Path("grid.yaml")
    depths = f"depths: [{', '.join(map(str, range(0, 100, 8)))}]"
    grid.write_text(grid.read_text().replace("depths: [0, 50, 100]", depths))
    assert main(["run", "small.yaml"]) == 0
    assert main(["judge", "audit", "small", "--sample", "20"]) == 0
    assert "score" not in SHEET.read_text(encoding="utf-8").splitlines()[0]
    assert main(["judge", "audit", "small", "--sample", "20"]) == 2  # it is there already
    fill(second="10")
    capsys.readouterr()
    assert main(["judge", "audit", "small", "--labels", str(SHEET)]) == 0
    said = capsys.readouterr().out
    assert "label_2" in said
    assert "alpha" in said
    assert main(["report", "small", "--out", "page"]) == 0
    table = list(csv.DictReader(Path("page/tables/corrected-means.csv").read_text().splitlines()))
    assert (table[0]["n"], table[0]["labels"]) == ("26", "20")
    assert float(table[0]["judged"]) == pytest.approx(float(table[0]["corrected"]), abs=1.5)


def test_a_night_judges_the_labelled_answers_of_an_accepted_one_again(
    endpoint: Endpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    for day in ("01", "02"):
        assert main(["nightly", "small.yaml", "--date", f"2026-11-{day}"]) in (0, 3)
        said = capsys.readouterr().out
        assert ("rubric shows no drift: 6 of 6 labelled answers as labelled, 6 before" in said) == (
            day == "02"
        )
        if day == "01":
            night, sheet = "small-2026-11-01", Path("runs/small-2026-11-01.labels.csv")
            assert main(["judge", "audit", night, "--sample", "20"]) == 0
            sheet.rename(SHEET)
            fill()
            assert main(["judge", "audit", night, "--labels", str(SHEET)]) == 0
            capsys.readouterr()
