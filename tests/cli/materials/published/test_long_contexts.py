"""Sets of questions over long contexts, as published: books, mixed benchmarks, conversations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.cli.materials.published.importing import documents, imported, refused
from tests.cli.materials.published_rows import ROWS


def test_narrativeqa_keeps_a_story_once_and_both_answers() -> None:
    lines, samples = imported("narrativeqa", ROWS["narrativeqa"])
    assert [line["id"] for line in lines] == ["0a17f_1", "0a17f_2"]
    assert [sample.key.references for sample in samples] == [
        ("Her brother", "Her older brother Ivo"),
        ("A lamp",),
    ]
    assert {line["source"] for line in lines} == {"gutenberg"}
    assert documents()["0a17f"]["title"] == "The Lamp Lighter"


def test_longbench_keeps_a_shared_context_once_and_takes_only_sets_that_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    lines, samples = imported("longbench", ROWS["longbench"])
    assert [line["source"] for line in lines] == ["hotpotqa", "hotpotqa_e"]
    assert [sample.key.references for sample in samples] == [("at the mole", "the mole"), ("Ulla",)]
    (document,) = documents().values()
    assert document["text"] == ROWS["longbench"][0]["context"]
    Path("mine.jsonl").unlink()
    Path("mine.documents.jsonl").unlink()
    capsys.readouterr()
    code = {**ROWS["longbench"][0], "dataset": "lcc"}
    line = refused("longbench", [ROWS["longbench"][1], code], capsys)
    assert "line 2, dataset: is 'lcc', which asks no question. Import one of narrativeqa, qasper" in line
    assert "line 1, input: is empty." in refused("longbench", [{**ROWS["longbench"][0], "input": ""}], capsys)


def test_longbench_v2_has_its_right_option_by_letter() -> None:
    lines, samples = imported("longbench-v2", ROWS["longbench-v2"])
    assert [sample.key.references for sample in samples] == [("more boats",), ("old boats",)]
    assert [(line["kind"], line["source"]) for line in lines] == [
        ("easy", "Single-Document QA"),
        ("hard", "Single-Document QA"),
    ]


def test_longbench_v2_takes_no_other_letter_and_no_option_twice(capsys: pytest.CaptureFixture[str]) -> None:
    row = ROWS["longbench-v2"][0]
    assert "line 1, answer: " in refused("longbench-v2", [{**row, "answer": "E"}], capsys)
    line = refused("longbench-v2", [{**row, "choice_D": "no boats"}], capsys)
    assert "line 1: has the option 'no boats' twice in the question 'v1'." in line


def test_infinitebench_takes_both_kinds_of_questions_about_a_book() -> None:
    lines, samples = imported("infinitebench", ROWS["infinitebench"])
    assert [line["id"] for line in lines] == ["mc-0", "qa-0"]
    assert [line["source"] for line in lines] == ["InfiniteBench En.MC", "InfiniteBench En.QA"]
    assert [sample.key.answer_index for sample in samples] == [1, None]
    assert samples[1].key.references == ("Norhaven", "in Norhaven")
    assert len(documents()) == 1


def test_infinitebench_needs_one_right_option(capsys: pytest.CaptureFixture[str]) -> None:
    row = {**ROWS["infinitebench"][0], "answer": ["Ulla"]}
    assert "line 1, answer: 'Ulla' is the text of 0 of the options." in refused(
        "infinitebench", [row], capsys
    )


def test_longmemeval_orders_sessions_by_date_and_knows_its_evidence() -> None:
    lines, samples = imported("longmemeval", ROWS["longmemeval"])
    assert [line["kind"] for line in lines] == ["multi-session", "abstention"]
    assert [sample.key.references for sample in samples] == [("3",), ("You never said.",)]
    assert lines[0]["question"] == "How many lanterns did I buy? (Asked on 2023/06/01 (Thu) 10:00.)"
    (document,) = documents().values()
    assert document["text"] == (
        "Session of 2023/05/20 (Sat) 02:36\nuser: I bought 3  lanterns\ntoday.\n\n"
        "Session of 2023/05/21 (Sun) 08:00\nuser: It rains.\nassistant: Take a coat."
    )
    assert [placed.text for placed in samples[0].needles] == ["I bought 3  lanterns\ntoday."]


def test_longmemeval_needs_a_date_for_each_session(capsys: pytest.CaptureFixture[str]) -> None:
    row = {**ROWS["longmemeval"][0], "haystack_dates": []}
    assert "line 1, haystack_dates: has 0 dates for 2 sessions." in refused("longmemeval", [row], capsys)
    row = {**row, "haystack_sessions": []}
    assert "line 1, haystack_sessions: is empty." in refused("longmemeval", [row], capsys)


def test_mrcr_asks_with_the_last_message_about_those_before_it() -> None:
    lines, samples = imported("mrcr", ROWS["mrcr"])
    assert [line["answers"] for line in lines] == [["qX9A gull sat on a post."], ["Zz1A gull flew off."]]
    assert lines[1]["question"] == "Prepend Zz1 to the 2nd (1 indexed) poem about gulls."
    assert [[placed.text for placed in sample.needles] for sample in samples] == [
        ["A gull sat on a post."],
        ["A gull flew off."],
    ]
    (document,) = documents().values()
    assert document["text"].startswith("user: write a poem about gulls\n\nassistant: A gull sat on a post.")
    assert "Prepend" not in document["text"]


@pytest.mark.parametrize(
    ("prompt", "says"),
    [
        ("no JSON", "is not a JSON list of messages with role and content."),
        ('[{"role": "user", "content": "alone"}]', "has no conversation and a question after it."),
    ],
)
def test_mrcr_needs_a_conversation(prompt: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"line 1, prompt: {says}" in refused("mrcr", [{**ROWS["mrcr"][0], "prompt": prompt}], capsys)


def test_infinitebench_asks_for_a_summary_where_a_row_asks_nothing() -> None:
    row = {**ROWS["infinitebench"][1], "input": "", "answer": ["Ivo writes a book."]}
    (line,), (sample,) = imported("infinitebench", [row])
    assert (line["id"], line["kind"], line["source"]) == ("sum-0", "summary", "InfiniteBench En.Sum")
    assert sample.key.references == ("Ivo writes a book.",)


def test_l_eval_has_options_where_one_letter_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    lines, samples = imported("l-eval", ROWS["l-eval"])
    assert [line["id"] for line in lines] == [
        "coursera-1-1",
        "coursera-1-2",
        "coursera-1-3",
        "multidoc_qa-2-1",
    ]
    assert lines[0]["question"].startswith("Question 1. What did Oda hide? Several options may be right")
    assert (samples[0].key.options, samples[0].key.answer_index) == (("a coin", "a key", "a rope"), 1)
    assert lines[1]["answers"] == [lines[1]["options"][1], lines[1]["options"][2]]
    assert [sample.key.references for sample in samples[2:]] == [("Oda",), ("Ulla",)]
    for file in ("mine.jsonl", "mine.documents.jsonl"):
        Path(file).unlink()
    capsys.readouterr()
    row = {**ROWS["l-eval"][0], "outputs": ["B"]}
    assert "line 1, outputs: has 1 answers to 3 instructions." in refused("l-eval", [row], capsys)


def test_lc_vs_rag_knows_its_sets_by_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    file = Path("toeflqa.jsonl")
    file.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS["lc-vs-rag"]))
    assert main(["questions", "import", "lc-vs-rag", str(file), "--out", "mine.jsonl"]) == 0
    lines = [json.loads(line) for line in Path("mine.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == ["toeflqa-1-1", "toeflqa-1-2", "toeflqa-2-1"]
    assert {(line["kind"], line["source"]) for line in lines} == {("toeflqa", "dialogue")}
    assert (lines[1]["question"], lines[1]["options"]) == ("What is rowed?", ["a barge", "the ferry"])
    assert lines[1]["answer_index"] == 1
    for left in ("mine.jsonl", "mine.documents.jsonl", "toeflqa.jsonl"):
        Path(left).unlink()
    capsys.readouterr()
    row = {**ROWS["lc-vs-rag"][0], "answer": ["Ulla"]}
    assert "line 1, answer: has 1 answers to 2 questions." in refused("lc-vs-rag", [row], capsys)
