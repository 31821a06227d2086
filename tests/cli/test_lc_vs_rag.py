"""long-context-vs-rag's pipeline over the shipped essays, with a reader whose skill is planted."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cases.suite import load_suite
from niah.cli.main import main
from niah.paths import shipped
from tests.planted_sides import PlantedSides, expected_parts, planted_sides

RUN = """
suite: questions
readers: [{{model: planted, api_base: "{address}"}}]
strategies: [lc, bm25/top-5/norm@100]
filter: closed-book
metrics: [accuracy, contained-match, token-f1]
"""


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlantedSides]:
    """After the run and its report, in a folder of their own."""
    folder = tmp_path_factory.mktemp("lc-vs-rag")
    samples = load_suite("questions").question_sets.samples()
    lengths = {sample.document_id or "": 4 * sample.tokens for sample in samples}
    with pytest.MonkeyPatch.context() as patch, planted_sides(_essays(), lengths, seed=3) as planted:
        patch.chdir(folder)
        patch.setattr("niah.api.run._write_page", lambda result, folder: folder / "index.html")
        Path("mine.yaml").write_text(RUN.format(address=planted.address))
        assert main(["run", "mine.yaml"]) == 0
        assert main(["report", "mine", "--out", "report"]) == 0
        yield planted


def _essays() -> Path:
    return shipped("cases") / "questions" / "essays.jsonl"


def table(name: str) -> list[dict[str, str]]:
    with Path(f"report/tables/{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_filter_drops_what_is_planted_as_known(reader: PlantedSides) -> None:
    known = {name for name, fate in reader.fates.items() if fate == "known"}
    dropped = set(reader.fates) - {name for name, seen, _ in reader.answered if seen == "everything"}
    assert dropped == known
    (row,) = table("closed-book-filter")
    assert int(row["left_out"]) == len(known) > 0


def test_each_side_gets_right_what_is_planted(reader: PlantedSides) -> None:
    expected = expected_parts(reader.questions, reader.fates)
    every = next(row for row in table("lc-vs-rag") if row["part"] == "all")
    assert {name: int(every[name]) for name in expected} == expected
    assert expected["lc_better"] > expected["only_lc"] > 0  # F1 has something to tell


def test_parts_add_up_to_all(reader: PlantedSides) -> None:
    rows = table("lc-vs-rag")
    every = next(row for row in rows if row["part"] == "all")
    by_type = [row for row in rows if row["by"] == "question type"]
    assert len(by_type) > 3
    for name in ("pairs", "only_lc", "only_rag", "lc_better"):
        assert sum(int(row[name]) for row in by_type) == int(every[name])


def test_planted_shares_lie_within_their_intervals(reader: PlantedSides) -> None:
    rows = {row["what"]: row for row in table("lc-vs-rag-shares") if row["part"] == "all"}
    for what, planted in (("only_lc", 0.20 / 0.85), ("only_rag", 0.12 / 0.85)):
        assert float(rows[what]["low"]) < planted < float(rows[what]["high"])
        assert int(rows[what]["documents"]) == 10
