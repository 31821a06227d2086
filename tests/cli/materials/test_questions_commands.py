"""``niah questions stats``, ``show`` and ``check``: counted by hand."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from niah.cases.question_sets import question_set_names
from niah.cli.main import main

PUMP = "Close the valve first.\nThe drain plug takes 11 Nm. Ilse wrote that in 1978."
KILN = "The kiln is fired on Mondays."
LINES: list[dict[str, Any]] = [
    {"id": "plug", "document_id": "pump", "question": "How tight is the plug?", "answers": ["11 Nm"],
     "evidence": ["The drain plug takes 11 Nm."], "kind": "detail", "source": "manual"},
    {"id": "first", "document_id": "pump", "question": "What comes first, and why?",
     "options": ["the drain", "the valve"], "answer_index": 1, "source": "manual"},
    {"id": "day", "document_id": "kiln", "question": "Is it Monday?", "answers": ["It is not", "no"]},
    {"id": "who", "document_id": "kiln", "question": "Who fires it?", "kind": "unanswerable"},
]  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_folder_with_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documents = [{"id": "pump", "text": PUMP, "title": "The pump"}, {"id": "kiln", "text": KILN}]
    Path("mine.documents.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in documents))
    write(*LINES)


def write(*lines: dict[str, Any]) -> None:
    Path("mine.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def test_stats_are_what_one_counts_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    write(*LINES, {**LINES[0], "id": "again", "question": "HOW tight is the plug", "document_id": "kiln",
                   "evidence": []})  # fmt: skip
    assert main(["questions", "stats", "mine.jsonl", "--json"]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert (stats["questions"], stats["documents"], stats["multiple_choice"]) == (5, 2, 1)
    assert (stats["unanswerable"], stats["with_evidence"]) == (1, 1)
    assert stats["words"]["question"] == {"fewest": 3, "median": 5, "most": 5}
    assert stats["words"]["answer"] == {"fewest": 2, "median": 2, "most": 3}
    assert stats["words"]["document"] == {"fewest": 6, "median": 10.5, "most": 15}
    assert {name: number for name, number in stats["types"].items() if number} == {
        "how": 2, "why": 1, "who": 1, "other": 1
    }  # fmt: skip
    assert stats["sources"] == {"manual": 3, "": 2}
    assert (stats["answers_in_document"], stats["answers_in_question"], stats["asked_twice"]) == (1, 0, 2)
    assert main(["questions", "stats", "mine.jsonl"]) == 0
    shown = capsys.readouterr().out
    assert "5 questions over 2 documents\n  1 multiple choice, 3 free, 1 unanswerable" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_show_lists_questions_and_shows_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "show", "mine.jsonl"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "first  why    What comes first, and why?"
    assert main(["questions", "show", "mine.jsonl", "plug"]) == 0
    shown = capsys.readouterr().out
    assert "document: pump, The pump: 75 characters" in shown
    assert "evidence at 23: …Close the valve first. [[The drain plug takes 11 Nm.]] Ilse wrote" in shown
    assert main(["questions", "show", "mine.jsonl", "first", "--json"]) == 0
    (shown_line,) = json.loads(capsys.readouterr().out)
    assert (shown_line["type"], shown_line["line"], shown_line["answer_index"]) == ("why", 2, 1)
    assert main(["questions", "show", "mine.jsonl", "plum"]) == 2
    assert "Did you mean 'plug'" in capsys.readouterr().err


def test_check_names_every_problem(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", "check", "mine.jsonl"]) == 0
    assert capsys.readouterr().out == "4 questions about 2 documents: 0 to mend, 0 to look at\n"
    write(
        *LINES,
        {"id": "plug", "document_id": "pump", "question": "?", "answers": ["x"]},
        {"id": "quote", "document_id": "pump", "question": "How so?", "answers": ["x"],
         "evidence": ["Close the valve first.", "Open it.", "Leave it."]},
        {"id": "nowhere", "document_id": "pumpe", "question": "How so?", "answers": ["x"]},
        {"id": "twice", "document_id": "pump", "question": "how tight is the plug", "answers": ["12"]},
        {"id": "told", "document_id": "pump", "question": "Was it in 1978?", "answers": ["In 1978"]},
        {"id": "key", "document_id": "pump", "question": "How?", "answer": ["x"]},
    )  # fmt: skip
    assert main(["questions", "check", "mine.jsonl"]) == 2
    *problems, total = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()[:4]) for line in problems] == [
        f"mine.jsonl: line {where}:"
        for where in ("5, id", "6, evidence.1", "6, evidence.2", "7, document_id", "8, question",
                      "9, answers.0", "10, answer")
    ]  # fmt: skip
    assert "asks what line 1 asks" in problems[4]
    assert total.endswith(": 5 to mend, 2 to look at")


def test_stats_and_check_find_answers_in_scripts_without_spaces(capsys: pytest.CaptureFixture[str]) -> None:
    crane = {"document": "起重机0最多可以吊起2吨货物。钥匙由港务长保管。"}
    write(
        {"id": "load", "question": "最多可以吊起几吨？", "answers": ["2吨"], **crane},
        {"id": "more", "question": "12吨吗？", "answers": ["12吨"], **crane},
        {"id": "key", "question": "钥匙由谁保管？", "answers": ["港务长"], **crane},
    )
    assert main(["questions", "stats", "mine.jsonl", "--json"]) == 0
    stats = json.loads(capsys.readouterr().out)
    assert (stats["answers_in_document"], stats["answers_in_question"]) == (2, 1)
    # the characters and numbers of the document, and of each question: 14 and 8; 8, 3 and 6
    assert stats["words"]["document"]["most"] == 22
    assert stats["words"]["question"] == {"fewest": 3, "median": 6, "most": 8}
    assert main(["questions", "check", "mine.jsonl"]) == 0
    assert "line 2, answers.0: '12吨' stands in the question." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            {"options": ["Eins", "zwei"], "answers": ["Eins"], "answer_index": 1},
            "answer_index: is 1, which is 'zwei', and the answers say 'Eins'.",
        ),
        (
            {"options": ["Eins", "zwei"], "answers": ["Eins", "zwei"], "answer_index": 1},
            "the answers say 'Eins'.",
        ),
        ({"options": ["Eins", "zwei"], "answers": ["Eins, the first"], "answer_index": 0}, ""),
        ({"options": ["Eins", "zwei"], "answers": ["zwei"], "answer_index": 1}, ""),
    ],
)
def test_an_index_and_answers_that_name_two_options_contradict(
    line: dict[str, object], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write({"id": "one", "document_id": "pump", "question": "Which?", **line})
    assert main(["questions", "check", "mine.jsonl"]) == (2 if said else 0)
    assert said in capsys.readouterr().out


def test_a_key_that_stands_twice_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    twice = '{"id": "a", "document": "x \\"id\\":", "question": "How?", "answers": ["b"], "answers": ["c"]}\n'
    Path("mine.jsonl").write_text(twice)
    assert main(["questions", "check", "mine.jsonl"]) == 2
    line, total = capsys.readouterr().out.splitlines()
    assert line == "mine.jsonl: line 1, answers: stands twice. Take one out."
    assert total == "0 questions about 0 documents: 1 to mend, 0 to look at"
    Path("mine.jsonl").write_text(twice.replace(', "answers": ["c"]', ""))
    assert main(["questions", "check", "mine.jsonl"]) == 0


def test_a_file_without_a_line_has_no_question_to_mend(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.jsonl").write_text("\n")
    assert main(["questions", "check", "mine.jsonl"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "mine.jsonl: holds no question." in told.err


@pytest.mark.parametrize("command", ["stats", "show", "check"])
def test_a_set_that_is_not_there_is_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["questions", command, "yours.jsonl"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "yours" in line


def test_the_sets_that_ship_have_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    for name in question_set_names():
        assert main(["questions", "check", name]) == 0
        assert re.fullmatch(
            r"[1-9][\d,]* questions about [1-9]\d* documents?: 0 to mend, 0 to look at\n",
            capsys.readouterr().out,
        )


def test_check_says_each_mistake_once_and_hides_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    own = {"document": PUMP, "question": "How tight?", "answers": ["11 Nm"], "evidence": ["12 Nm"]}
    lines = [json.dumps({"id": name, **own}) for name in ("one", "two", "one")]
    Path("mine.jsonl").write_bytes("\n".join([lines[0], "no JSON", *lines[1:], ""]).encode())
    with Path("mine.jsonl").open("ab") as file:
        file.write('{"id": "ä"}'.encode("latin-1"))
    assert main(["questions", "check", "mine.jsonl"]) == 2
    *problems, total = capsys.readouterr().out.splitlines()
    assert [line.removeprefix("mine.jsonl: line ").partition(":")[0] for line in problems] == [
        "1, evidence.0", "2", "3, evidence.0", "3, question", "4, id", "5",
    ]  # fmt: skip
    assert problems[-1] == "mine.jsonl: line 5: is not UTF-8 text. Save the file as UTF-8."
    assert total.endswith(": 5 to mend, 1 to look at")


def test_what_is_wrong_with_every_line_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [{"id": str(number), "quesiton": "How tight?", "document": PUMP} for number in range(1, 7)]
    lines[3] = {"id": "4", "document": PUMP}
    Path("mine.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert main(["questions", "check", "mine.jsonl"]) == 2
    first, fourth, total = capsys.readouterr().out.splitlines()
    assert first.startswith("mine.jsonl: line 1, quesiton: unknown key. Did you mean 'question'?")
    assert first.endswith("? The same in 4 more lines: 2-3, 5-6.")
    assert fourth.startswith("mine.jsonl: line 4, question: is missing.")
    assert total.endswith(": 6 to mend, 0 to look at")


@pytest.mark.parametrize("command", ["check", "stats", "show"])
def test_a_table_is_told_in_one_line(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.csv").write_text("id,question\n1,How tight?\n2,How long?\n")
    assert main(["questions", command, "mine.csv"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith(
        "niah: mine.csv: is a table, and a question set is JSON lines. Write a JSON object"
    )
    assert (told.out, told.err.count("\n")) == ("", 1)
