"""long-context-vs-rag's pipeline over the shipped essays, with a reader whose skill is planted."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from niah.cases.suite import load_suite
from niah.cli.main import main
from niah.paths import shipped
from tests.planted_sides import PlantedSides, planted_sides

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
