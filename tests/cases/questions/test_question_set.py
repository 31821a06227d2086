"""Question sets: lines and tables become samples; what is wrong is named with file, line and key."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from niah.cases.prompts import load_prompt
from niah.cases.questions.question_set import check_questions
from niah.cases.sample import Sample
from niah.cases.samples import question_samples, rebuild
from niah.cli.main import main
from niah.errors import CaseError, ConfigError
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import mistake_rows

MANUAL = """# Pump P-7

| part | torque (Nm) |
| --- | ---: |
| drain plug | 11 |

Close the valve first. Then
open the drain.\tWait.
"""
FREE = {
    "id": "torque",
    "question": "How tight is the drain plug?",
    "document_id": "pump",
    "answers": ["11 Nm", "11 newton metres"],
    "kind": "table",
    "source": "our own manuals",
    "licence": "CC0",
    "evidence": ["| drain plug | 11 |"],
}
CHOICE = {
    "id": "first step",
    "question": "What comes first?",
    "document_id": "pump",
    "options": ["opening the drain", "closing the valve", "waiting"],
    "answer_index": 1,
}


@pytest.fixture(autouse=True)
def _in_a_folder_with_documents(in_folder: Path) -> None:
    documents = [{"id": "pump", "text": MANUAL, "title": "Pump P-7"}, {"id": "none", "text": "Nothing."}]
    Path("mine.documents.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in documents))


def question_set(*lines: dict[str, Any]) -> Path:
    path = Path("mine.jsonl")
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


def samples(path: Path, prompt: str = "u-niah", tokenizer: str = "cl100k") -> list[Sample]:
    return question_samples(path, tokenizer, prompt)


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
def test_a_line_is_a_sample_with_key_document_and_evidence(tokenizer: str) -> None:
    free, choice = samples(question_set(FREE, CHOICE), tokenizer=tokenizer)
    more = "" if tokenizer == "cl100k" else "_t-o200k"
    assert (free.sample_id, choice.sample_id) == (f"mine_torque{more}", f"mine_first-step{more}")
    assert (free.origin, free.question_set, free.document_id) == ("given", "mine", "pump")
    assert (free.source_name, free.key.kind) == ("our own manuals", "table")
    assert free.key.references == ("11 Nm", "11 newton metres")
    (placed,) = free.needles
    assert placed.id == "evidence-1"
    assert MANUAL[placed.start : placed.end] == placed.text == "| drain plug | 11 |"
    assert (choice.key.references, choice.key.answer_index) == (("closing the valve",), 1)
    assert choice.key.options == tuple(CHOICE["options"])  # type: ignore[arg-type]
    assert (free.evidence_is_known, choice.evidence_is_known) == (True, False)
    assert (free.needle_set, free.haystack, free.depth, free.seed) == (None, None, None, None)
    for sample in (free, choice):
        prompt = load_prompt("u-niah").render(MANUAL, sample.key.question, sample.key.options)
        assert sample.context_length == count(get_tokenizer(tokenizer), prompt)
        assert rebuild(sample).text == MANUAL


def test_a_table_is_the_same_question_set() -> None:
    text = 'A "pump", of tin.\nOf two lines.' * 5000
    lines: list[dict[str, Any]] = [FREE, CHOICE]
    lines.append({"id": "made", "question": "Of what?", "answers": ["tin"], "document": text})
    expected = samples(question_set(*lines))
    columns = list({key: None for line in lines for key in line})
    for delimiter, encoding in ((",", "utf-8"), (";", "utf-8-sig")):
        with Path("mine.csv").open("w", encoding=encoding, newline="") as file:
            table = csv.DictWriter(file, columns, delimiter=delimiter)
            table.writeheader()
            for line in lines:
                listed = {key: " | ".join(each) for key, each in line.items() if isinstance(each, list)}
                table.writerow({**line, **listed, "evidence": "drain plug" if "evidence" in line else ""})
        found = samples(Path("mine.csv"))
        assert [each.key.references for each in found] == [each.key.references for each in expected]
        assert [each.sample_id for each in found] == [each.sample_id for each in expected]
        assert [each.sha256 for each in found] == [each.sha256 for each in expected]
        assert (found[1].key.options, found[1].key.answer_index) == (expected[1].key.options, 1)
        assert rebuild(found[2]).text == text
    head, is_cut = "id,document,question,answers", ": is not CSV: unexpected end"
    for says, rows in (
        *((f"1{is_cut}", '"id'), (f"2{is_cut}", 'id\n"a'), (f"3{is_cut}", f'{head}\na,b,c,d\ne,"f\n')),
        ("1, answer: unknown column. Did you mean 'answers'", f"{head[:-1]}\na,b,c,d"),
        ("1, id: several columns have this name", f"{head},id\na,b,c,d,e"),
    ):
        Path("mine.csv").write_text(rows)
        with pytest.raises(ConfigError, match=f"line {says}"):
            list(check_questions(Path("mine.csv")))


def test_a_document_may_be_in_its_line_and_is_one_for_all_that_ask_of_it() -> None:
    first = {"id": "a", "question": "What?", "answers": [" a" * 150], "document": MANUAL, "kind": None}
    other = {**first, "id": "c", "document": "Another text.\r\nOf two lines."}
    path = question_set(first, {**first, "id": "b"}, other)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    a, b, c = samples(path)
    assert (a.document_id, b.document_id, c.document_id, a.key.answer_tokens) == ("a", "a", "c", 2 * 150)
    assert (rebuild(b).text, rebuild(c).text) == (MANUAL, "Another text.\r\nOf two lines.")


def test_right_options_may_be_named_by_their_text_and_be_several() -> None:
    named = {key: value for key, value in CHOICE.items() if key != "answer_index"}
    both = ["waiting", "opening the drain"]
    path = question_set({**named, "answers": ["waiting"]}, {**named, "id": "2", "answers": both})
    one, two = samples(path)
    assert (one.key.answer_index, one.key.references) == (2, ("waiting",))
    assert two.key.answer_index is None
    assert [each.name for each in two.key.elements] == both[::-1]
    assert two.key.references[0] == "opening the drain; waiting"
    assert [each.name for each in two.key.traps] == ["closing the valve"]
    with pytest.raises(ConfigError, match="line 1, question: prompt 'dos-rag-qa' does not show the options"):
        samples(path, "dos-rag-qa")


def test_identity_is_what_is_asked_and_changes_with_the_document() -> None:
    here = samples(question_set(FREE))[0]
    for change in ({"question": "How?"}, {"answers": ["12 Nm"]}, {"document_id": "none", "evidence": []}):
        assert samples(question_set({**FREE, **change}))[0].fingerprint != here.fingerprint
    other = samples(question_set(FREE), prompt="lc-vs-rag")[0]
    assert (other.fingerprint != here.fingerprint, other.sample_id) == (True, "mine_torque_p-lc-vs-rag")
    Path("mine.documents.jsonl").write_text(json.dumps({"id": "pump", "text": "Another pump."}))
    with pytest.raises(CaseError, match="its document 'pump' has changed since the run was planned"):
        rebuild(here)
    Path("mine.documents.jsonl").unlink()
    with pytest.raises(CaseError, match="mine_torque: its document cannot be read any more"):
        rebuild(here)


@pytest.mark.parametrize(("change", "says"), mistake_rows("question sets"))
def test_one_message_with_file_line_and_key(change: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=rf"mine\.jsonl: .*{says}") as caught:
        samples(question_set(CHOICE, {**FREE, **change}))
    assert "\n" not in str(caught.value)


def test_check_names_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    other = {**FREE, "id": "other", "document_id": "none", "evidence": []}
    good: list[dict[str, Any]] = [FREE, CHOICE, other]
    question_set(*good)
    assert main(["questions", "check", "mine.jsonl"]) == 0
    assert capsys.readouterr().out == "3 questions about 2 documents: 0 to mend\n"
    question_set(
        *good,
        {**FREE, "question": "?"},
        {**FREE, "id": "quote", "evidence": ["Close the valve first.", "Open it."]},
        *({"id": str(number), "quesiton": "How?", "document_id": "pump"} for number in range(2)),
        {**FREE, "id": 3, "question": 4},
        {**FREE, "id": "another's", **dict.fromkeys(map(str, range(60)), 1)},
    )
    with Path("mine.jsonl").open("ab") as file:
        file.write('{"id": "ä"}\n{"id": "id", "id": 2}\n{"id": "id"}'.encode("latin-1"))
    assert main(["questions", "check", "mine.jsonl"]) == 2
    *problems, total = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("mine.jsonl: line ").split(": ")[0] for line in problems] == [
        *("4, id", "5, evidence.1", "6, quesiton", "7, quesiton", "8, id", "8, question"),
        *(f"9, {number}" for number in range(50)),
        *("10", "11", "12, question"),
    ]
    assert problems[-2].endswith("line 11: the key 'id' appears twice. Take one out.")
    assert total.endswith(": 59 to mend")
