"""NovelQA, whose novels stand in files beside its questions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cases.question_sets import question_samples
from niah.cli.main import main
from tests.cli.materials.published.importing import documents, without
from tests.cli.materials.published_rows import ROWS


def novelqa(folder: Path) -> list[str]:
    """Two novels as NovelQA.zip unpacks; the files of their questions."""
    for part in ("Books", "Data"):
        (folder / part / "PublicDomain").mkdir(parents=True)
    (folder / "bookmeta.json").write_text(
        json.dumps({"B00": {"title": "The Ferry"}, "B01": {"title": "Ice"}})
    )
    files = []
    for book in ("B00", "B01"):
        (folder / "Books" / "PublicDomain" / f"{book}.txt").write_text(f"{book}: Ivo rows twice.\n")
        rows = {row["QID"]: without(row, "QID") for row in ROWS["novelqa"]}
        data = folder / "Data" / "PublicDomain" / f"{book}.json"
        data.write_text(json.dumps(rows, indent=1))
        files.append(str(data))
    return files


@pytest.mark.parametrize("kind", ["novelqa", "novelqa-gen"])
def test_novelqa_has_novels_and_no_answers(kind: str) -> None:
    files = novelqa(Path("NovelQA"))
    assert main(["questions", "import", kind, *files, "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["B00-Q0002", "B00-Q0001", "B01-Q0002", "B01-Q0001"]
    assert all(line["withheld"] and "answers" not in line for line in lines)
    assert [len(line.get("options", ())) for line in lines] == ([4, 2] * 2 if kind == "novelqa" else [0] * 4)
    assert {(id, one["title"], one["text"]) for id, one in documents().items()} == {
        ("B00", "The Ferry", "B00: Ivo rows twice.\n"),
        ("B01", "Ice", "B01: Ivo rows twice.\n"),
    }
    samples = question_samples(Path("mine.jsonl"), "cl100k", "u-niah")
    assert all(sample.key.withheld and not sample.key.references for sample in samples)


def test_novelqa_says_what_it_lacks(capsys: pytest.CaptureFixture[str]) -> None:
    file, _ = novelqa(Path("NovelQA"))
    Path("NovelQA/Books/PublicDomain/B00.txt").unlink()
    assert main(["questions", "import", "novelqa", file]) == 2
    assert "B00.json: entry 'Q0002': has no novel: neither " in capsys.readouterr().err
    Path("NovelQA/Books/PublicDomain/B00.txt").write_text("A novel.")
    Path("NovelQA/bookmeta.json").write_text("{")
    assert main(["questions", "import", "novelqa", file]) == 2
    assert "bookmeta.json beside it, which is no JSON object." in capsys.readouterr().err
