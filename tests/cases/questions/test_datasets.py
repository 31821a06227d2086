"""``niah questions import`` and ``niah import``: rows as published become questions and needle sets.

Rows of each format are in tests/data/published, of our own writing: only keys and form are the datasets'.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import huggingface_hub.constants
import pyarrow.parquet
import pytest
import yaml

from niah.cases.needle_import import NEEDLE_FORMATS
from niah.cases.questions.datasets import datasets
from niah.cases.samples import question_samples
from niah.cli.main import main
from niah.judges.metrics import METRICS
from tests.loopback_hub import serving_hub

PUBLISHED = sorted((Path(__file__).parents[2] / "data" / "published").glob("*.jsonl"))
ROWS: dict[str, list[dict[str, Any]]] = {
    path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for path in PUBLISHED
}
DOCUMENTS = {"ferry’s log.txt": "Ulla rows.", "quay.txt": "The quay is stone."}
"""Of AA-LCR's archive, by the names of files in it."""

pytestmark = pytest.mark.usefixtures("in_folder")


@pytest.fixture(autouse=True)
def archive(in_folder: Path) -> Path:
    """AA-LCR's documents in the place where it is published, names in UTF-8 without a flag."""
    path = in_folder / "extracted_text/AA-LCR_extracted-text.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as file:
        for name, text in DOCUMENTS.items():
            file.writestr(f"lcr/Legal/legal_boats/{name.replace('’', '%%%')}", text)
    path.write_bytes(path.read_bytes().replace(b"%%%", "’".encode()))
    return path


def published(rows: Any, file: str = "published") -> str:
    path = Path(file)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{json.dumps(row)}\n" for row in rows)
    path.write_text(lines if isinstance(rows, list) else json.dumps(rows, indent=1), encoding="utf-8")
    return file


def imported(name: str, *files: str) -> list[dict[str, Any]]:
    """The lines of the question set that the files make, which takes the place of an earlier one."""
    for path in (Path("mine.jsonl"), Path("mine.documents.jsonl")):
        path.unlink(missing_ok=True)
    assert main(["questions", "import", name, *files, "--out", "mine.jsonl"]) == 0
    return [json.loads(line) for line in Path("mine.jsonl").read_text(encoding="utf-8").splitlines()]


def documents() -> list[str]:
    lines = Path("mine.documents.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines]


def refused(name: str, file: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line about a wrong file, for which nothing is written."""
    before = sorted(Path().iterdir())
    capsys.readouterr()
    assert main(["questions", "import", name, file, "--out", "refused.jsonl"]) == 2
    assert sorted(Path().iterdir()) == before
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("name", sorted(datasets().keys() - NEEDLE_FORMATS))
def test_a_row_of_another_kind_is_named(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = refused(name, published([ROWS[name][0], {"text": "of another dataset"}]), capsys)
    assert line.startswith("niah: published: line 2, ")
    assert "is missing. " in line
    assert "line 1: is not a JSON object." in refused(name, published(["no row"]), capsys)
    assert "published: holds no question." in refused(name, published([]), capsys)
    row = {key: 7 if isinstance(value, str | list | dict) else value for key, value in ROWS[name][0].items()}
    assert "niah: published: line 1" in refused(name, published([row]), capsys)
    Path("cut").write_text("[\n{}")
    assert "cut: line 1: is not JSON" in refused(name, "cut", capsys)


def test_documents_of_another_set_are_not_written_over(capsys: pytest.CaptureFixture[str]) -> None:
    imported("squad", published(ROWS["squad"]))
    before = Path("mine.documents.jsonl").read_bytes()
    for name, code in (("squad", 0), ("hotpotqa", 2)):
        Path("mine.jsonl").unlink(missing_ok=True)
        assert main(["questions", "import", name, published(ROWS[name]), "--out", "mine.jsonl"]) == code
    assert "mine.documents.jsonl is there already" in capsys.readouterr().err
    assert Path("mine.documents.jsonl").read_bytes() == before


def test_helmets_passages_are_ranked() -> None:
    passages = [{"id": f"1{n}", "text": f"Text {n}.", "label": mark} for n, mark in ((1, 0), (2, 3), (3, 1))]
    (line,) = imported("helmet", published([{"query": "who rows", "ctxs": passages}]))
    assert line["answers"] == ["12 (3) > 13 (1)"]
    assert documents() == ["[ID: 11] Text 1.\n\n[ID: 12] Text 2.\n\n[ID: 13] Text 3."]
    assert '"id":"text-f6b361385678389f"' in Path("mine.documents.jsonl").read_text()
    (sample,) = question_samples(Path("mine.jsonl"), "cl100k", "u-niah")
    # 3 / log2(3) + 1 / log2(4), by 3 + 1 / log2(3)
    verdict = METRICS["ndcg-10"].judge().verdict("ID11 > ID12 > ID13", sample.key)
    assert verdict.value == pytest.approx(0.6590018)


def _of(name: str, **change: Any) -> list[Any]:
    return [{**ROWS[name][0], **change}]


_ARTICLE = ROWS["quality"][0]
_ASKED = {"id": "q1", "question": "Where?", "answers": [{"text": "nowhere", "answer_start": 0}]}
_SQUAD = {"data": [{"title": "Boats", "paragraphs": [{"context": "Ulla rows.", "qas": [_ASKED]}]}]}
_GOLD = [{**_ARTICLE["questions"][0], "gold_label": 5}]


@pytest.mark.parametrize(
    ("name", "rows", "says"),
    [
        ("quality", _of("quality", questions=_GOLD), "line 1: gold_label: is 5, of 4 options"),
        ("quality", [_ARTICLE, _ARTICLE], "line 2: gives the question '40001_WRITERA_1', which line 1 gives"),
        ("squad", [_SQUAD], "line 1: answers: 'nowhere' to q1 is not in its paragraph."),
        ("longbench", _of("longbench", dataset="lcc"), "dataset: is 'lcc', which asks no question"),
        ("longbench-v2", _of("longbench-v2", answer="E"), "line 1: substring not found."),
        ("longbench-v2", _of("longbench-v2", choice_D="no boats"), "'no boats' appears twice"),
        ("longmemeval", _of("longmemeval", haystack_dates=[]), "line 1: zip() argument 2 is longer"),
        ("mrcr", _of("mrcr", prompt='[{"role": "user", "content": "a"}]'), "line 1, text: should be text"),
        ("l-eval", _of("l-eval", outputs=["B"]), "line 1: zip() argument 2 is shorter"),
        ("hotpotqa", _of("hotpotqa", supporting_facts=[["Mole", 0]]), "line 1, Mole: is missing."),
        ("mrcr-v2", _of("mrcr-v2", view_ops="User: Prepend"), "line 1: view_ops: does not end the queries."),
        ("graphwalks", _of("graphwalks", prompt="ab -> cd"), "line 1, text: should be text"),
        ("oolong-synth", _of("oolong-synth", answer="[a b]"), "as it was published: SyntaxError"),
        ("oolong-synth", _of("oolong-synth", answer=f"[{'1+' * 20_000}1j]"), "line 1: "),
        ("graphwalks", _of("graphwalks", answer_nodes="ab"), "line 1: "),
        ("aa-lcr", _of("aa-lcr", data_source_filenames="mole.txt"), "'lcr/Legal/legal_boats/mole.txt'"),
    ],
)
def test_a_wrong_row_is_one_line(
    name: str, rows: list[Any], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused(name, published(rows), capsys)


@pytest.mark.parametrize("name", ["mrcr-v2", "aa-lcr"])
def test_a_table_is_read_like_rows(name: str) -> None:
    with Path("table.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, ["", *ROWS[name][0]])
        table.writeheader()
        table.writerows(ROWS[name])
    lines = imported(name, "table.csv")
    assert lines == imported(name, published(ROWS[name]))


def test_documents_that_are_not_next_to_their_questions_are_missed(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive.unlink()
    said = refused("aa-lcr", published(ROWS["aa-lcr"]), capsys)
    assert "line 1: data_source_filenames: extracted_text/AA-LCR_extracted-text.zip" in said


def test_documents_that_an_archive_blows_up_are_refused(
    archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("lcr/Legal/legal_boats/quay.txt", bytes(70_000_000))
    said = refused("aa-lcr", published(ROWS["aa-lcr"][1:]), capsys)
    assert "they have more than 64,000,000 bytes" in said


def test_the_hubs_columns_parquet_and_objects_of_rows_are_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def columns(rows: list[dict[str, Any]], *keys: str) -> dict[str, list[Any]]:
        return {key: [row[key] for row in rows] for key in keys}

    lines = imported("qasper", published(ROWS["qasper"]))
    by_id = {row["id"]: {key: row[key] for key in row if key != "id"} for row in ROWS["qasper"]}
    assert imported("qasper", published(by_id, "dev.json")) == lines
    rows = []
    for row in ROWS["qasper"]:
        answers = [{"answer": [each["answer"] for each in asked["answers"]]} for asked in row["qas"]]
        qas = {**columns(row["qas"], "question", "question_id"), "answers": answers}
        rows.append({**row, "qas": qas, "full_text": columns(row["full_text"], "section_name", "paragraphs")})
    assert imported("qasper", published(rows)) == lines
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), "one.parquet")
    assert imported("qasper", "one.parquet") == lines
    Path("cut.parquet").write_bytes(Path("one.parquet").read_bytes()[:200])
    assert "cut.parquet: is a Parquet file that cannot be read" in refused("qasper", "cut.parquet", capsys)
    titles = [{**rows[0], "title": None}]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(titles), "none.parquet")
    assert "none.parquet: row 1: is not as it was published" in refused("qasper", "none.parquet", capsys)
    by_id["p1"].pop("title")
    assert "entry 'p1', title: is missing." in refused("qasper", published(by_id, "dev.json"), capsys)

    lines = imported("hotpotqa", published(ROWS["hotpotqa"]))
    hub = [
        {
            **row,
            "id": row["_id"],
            "context": {
                "title": [title for title, _ in row["context"]],
                "sentences": [each for _, each in row["context"]],
            },
        }
        for row in ROWS["hotpotqa"]
    ]
    assert imported("hotpotqa", published(hub)) == lines


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archive: Path) -> Iterator[None]:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    rows = [json.dumps(row).encode() + b"\n" for row in ROWS["babilong"]]
    one, *two = b"".join(rows), *(b"[%s]" % row for row in rows)
    with serving_hub(monkeypatch) as hub:
        hub.files = {"datasets/me/one/README.md": b"", "datasets/me/one/data/qa1.jsonl": one}
        hub.files |= {f"datasets/me/two/qa{n}.json": row for n, row in enumerate(two)}
        hub.files |= {f"datasets/me/nine/qa{n}.json": one for n in range(9)}
        hub.files["datasets/me/lcr/data.jsonl"] = json.dumps(ROWS["aa-lcr"]).encode()
        hub.files[f"datasets/me/lcr/extracted_text/{archive.name}"] = archive.read_bytes()
        archive.unlink()
        monkeypatch.setenv("HF_ENDPOINT", huggingface_hub.constants.ENDPOINT)
        yield


@pytest.mark.parametrize("name", ["hub:me/one", "hub:me/one/data/qa1.jsonl", "hub:me/two/qa*.json"])
def test_files_of_the_hub_become_a_question_set(name: str, hub: None) -> None:
    assert [line["question"] for line in imported("babilong", name)] == ["Where is Ivo?", "What has Oda?"]


def test_what_lies_next_to_a_file_of_the_hub_comes_with_it(hub: None) -> None:
    assert [line["id"] for line in imported("aa-lcr", "hub:me/lcr")] == ["aa-lcr-1", "aa-lcr-2"]


def test_files_of_the_hub_are_listed_up_to_eight(hub: None, capsys: pytest.CaptureFixture[str]) -> None:
    shown = ", ".join(f"qa{n}.json" for n in range(8))
    assert f"means 9 of its 9 files: {shown} ... Name" in refused("babilong", "hub:me/nine", capsys)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("u-niah", "a: {needles: [x], question: q}", "a, true_answer: is missing."),
        ("u-niah", "a: {needles: [A kettle sang.], question: q?, true_answer: Tin.}", "gives no needle set"),
        ("nolima", '{"needle": "x"}', "character_set: is missing."),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_written(
    name: str, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("theirs").write_text(text)
    assert main(["import", name, "theirs"]) == 2
    error = capsys.readouterr().err
    assert (said in error, error.count("\n")) == (True, 1)
    assert sorted(path.name for path in Path().iterdir()) == ["extracted_text", "theirs"]


def test_long_needles_with_two_names_each_are_passages() -> None:
    case = {
        "needles": [
            "Anna Reed came first. Bo Finch came with her.",
            "Cyd Marsh stayed away. Dan Holt came by boat.",
        ],
        "question": "Who was asked to the fair?",
        "true_answer": "Anna Reed, Bo Finch, Cyd Marsh, Dan Holt.",
    }
    Path("theirs").write_text(json.dumps({"fair": case}))
    assert main(["import", "u-niah", "theirs"]) == 0
    made = yaml.safe_load(Path("needles/u-niah-fair.yaml").read_text())
    inside = [(each["elements"], each["inside"]) for each in made["needles"]]
    assert inside[1:3] == [(["Bo Finch"], "passage-1"), (["Cyd Marsh"], "passage-2")]
