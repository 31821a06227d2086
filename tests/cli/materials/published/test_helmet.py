"""HELMET's files, as published."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cases.question_sets import question_samples
from niah.cli.main import main
from niah.judges.metrics.metric import METRICS
from tests.cli.materials.published.importing import documents, imported, refused
from tests.cli.materials.published_rows import ROWS


def test_helmet_numbers_one_question_at_several_depths() -> None:
    lines, samples = imported("helmet", ROWS["helmet"])
    assert [line["id"] for line in lines] == ["helmet-1", "helmet-2"]
    assert [document["text"] for document in documents().values()] == [
        "Ferry\nUlla rows.\n\nRain fell.",
        "Rain fell.\n\nFerry\nUlla rows.",
    ]
    assert samples[0].key.references == ("Ulla",)


_HELMET = {
    "ruler/niah_multivalue/validation_65536.jsonl": (
        {
            "context": "Oda keeps 41 and 97.",
            "query": "Oda",
            "type_needle_v": "numbers",
            "outputs": ["41", "97"],
        },
        "What are all the special magic numbers for Oda that the text mentions?",
        ("41, 97",),
    ),
    "ruler/vt/validation_65536.jsonl": (
        {"context": "VAR A = 12 VAR B = VAR A", "query": "12", "num_v": 2, "outputs": ["A", "B"]},
        "Find all variables that are assigned the value 12 in the text above.",
        ("A, B",),
    ),
    "ruler/cwe/validation_65536.jsonl": (
        {"context": "1. oar 2. oar 3. mole", "outputs": ["oar", "mole"]},
        "What are the ten words that appear most often in the list above?",
        ("oar, mole",),
    ),
    "ruler/qa_1/validation_65536.jsonl": (
        {"context": "Document 1: Ulla rows.", "question": "Who rows?", "answer": ["Ulla", "Ulla Berg"]},
        "Who rows?",
        ("Ulla", "Ulla Berg"),
    ),
    "json_kv/test_k2_dep6.jsonl": (
        {"context": '{"9f": "c4", "11": "d8"}', "question": "9f", "answer": "c4", "num_kvs": 2, "demos": []},
        "9f",
        ("c4",),
    ),
    "alce/asqa_eval_gtr_top2000.json": (
        {"question": "Who rows?", "docs": [{"title": "Ferry", "text": "Ulla rows."}], "answer": "Ulla does."},
        "Who rows?",
        ("Ulla does.",),
    ),
    "alce/qampari_eval_gtr_top2000.json": (
        {
            "question": "Who row?",
            "docs": [{"text": "Ulla and Ivo row."}],
            "answers": [["Ulla", "U."], ["Ivo"]],
        },
        "Who row?",
        ("Ulla, Ivo",),
    ),
}


@pytest.mark.parametrize("name", _HELMET)
def test_helmets_other_files(name: str) -> None:
    row, question, references = _HELMET[name]
    file = Path("data") / name
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps([row]))
    assert main(["questions", "import", "helmet", str(file), "--out", "mine.jsonl"]) == 0
    (sample,) = question_samples(Path("mine.jsonl"), "cl100k", "u-niah")
    assert (sample.key.question, sample.key.references) == (question, references)
    assert sample.key.kind == (file.parent.name if "ruler" in name else file.stem)


def _to_rank(*labels: int | None, qid: str = "7") -> dict[str, Any]:
    """A row of msmarco: passages with the ids 11, 12 and so on."""
    texts = ("Rain fell.", "Ulla rows.", "Ivo rowed once.")
    passages = [
        {"id": str(number), "text": text, **({} if label is None else {"label": label})}
        for number, text, label in zip(range(11, 14), texts, labels, strict=False)
    ]
    return {"qid": qid, "query": "who rows", "ctxs": passages}


def test_helmets_passages_are_ranked() -> None:
    titled = _to_rank(1, 0, 0, qid="8")
    titled["ctxs"][0]["title"] = "Weather"
    lines, samples = imported("helmet", [_to_rank(0, 3, 1), titled])
    assert [line["answers"] for line in lines] == [["12 (3) > 13 (1)"], ["11 (1)"]]
    texts = [document["text"] for document in documents().values()]
    assert texts[0] == "[ID: 11] Rain fell.\n\n[ID: 12] Ulla rows.\n\n[ID: 13] Ivo rowed once."
    assert texts[1].startswith("[ID: 11] Weather\nRain fell.\n\n[ID: 12]")
    key = samples[0].key
    assert key.question.endswith("Query: who rows")
    # 3 / log2(3) + 1 / log2(4), by 3 + 1 / log2(3)
    assert METRICS["ndcg-10"].of_key("ID11 > ID12 > ID13", key) == pytest.approx(0.6590018)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ((0, 0, 0), "line 1, ctxs: holds no passage with a label above 0: nothing to rank."),
        ((1, None, 0), "line 1, ctxs.1.label: is missing."),
        ((-1, 1, 0), "line 1, ctxs.0.label"),
    ],
)
def test_passages_that_cannot_be_ranked(
    labels: tuple[int | None, ...], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in refused("helmet", [_to_rank(*labels)], capsys)


def test_passages_need_ids_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    twice = _to_rank(1, 0)
    twice["ctxs"][1]["id"] = "11"
    assert "line 1, ctxs: holds the id 11 twice." in refused("helmet", [twice], capsys)
    twice["ctxs"][1]["id"] = "D11"
    assert "line 1, ctxs.1.id" in refused("helmet", [twice], capsys)
    del twice["ctxs"][1]["id"]
    assert "line 1, ctxs.1.id: is missing." in refused("helmet", [twice], capsys)


def test_helmet_says_what_is_no_answer_and_no_text(capsys: pytest.CaptureFixture[str]) -> None:
    unanswered = {"question": "Who rows?", "ctxs": [{"text": "Ulla rows."}]}
    assert "line 1, answers: is missing." in refused("helmet", [unanswered], capsys)
    bare = {"question": "Who rows?", "answer": "Ulla"}
    assert "line 1, context: is missing." in refused("helmet", [bare], capsys)
