"""Two rows of each published format, of our own writing: only the keys and their form are the datasets'."""

from __future__ import annotations

from typing import Any

_ARTICLE = (
    "<html><head><title>seen by nobody</title></head><body><h1>The Ice House</h1>"
    "<p>Oda hid a brass key &amp; a map<br/>under the third step.</p></body></html>"
)


def _choice(question: str, options: list[str], gold: int, difficult: int, **more: str) -> dict[str, Any]:
    return {
        "question": question,
        "options": options,
        "gold_label": gold,
        "writer_label": gold,
        "validation": [{"untimed_annotator_id": "7", "untimed_answer": gold}],
        "speed_validation": [{"speed_annotator_id": "9", "speed_answer": 1}],
        "difficult": difficult,
        **more,
    }


def _quality(writer: str, questions: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "article_id": "40001",
        "set_unique_id": f"40001_{writer}",
        "batch_num": "11",
        "writer_id": "1001",
        "source": "Gutenberg",
        "title": "The Ice House",
        "author": "nobody",
        "topic": "",
        "url": "",
        "license": "public domain",
        "article": _ARTICLE,
        "questions": questions,
    }


_STORY = {
    "id": "0a17f",
    "kind": "gutenberg",
    "url": "",
    "file_size": 60,
    "word_count": 12,
    "start": "Ivo",
    "end": "dark.",
    "summary": {"text": "A lamp.", "tokens": ["A", "lamp", "."], "url": "", "title": "The Lamp Lighter"},
    "text": "Ivo carried a lamp to the pier.\n\nHis sister waited there in the dark.",
}


def _narrative(question: str, *answers: str) -> dict[str, Any]:
    return {
        "document": _STORY,
        "question": {"text": question, "tokens": question.split()},
        "answers": [{"text": answer, "tokens": answer.split()} for answer in answers],
    }


_BOOK = "Ivo wrote the book in Norhaven.\n\nIt took three winters."


def _longbench(id: str, question: str, dataset: str, *answers: str) -> dict[str, Any]:
    return {
        "input": question,
        "context": "Passage 1:\nUlla rows the ferry.\n\nPassage 2:\nIt lands at the mole.",
        "answers": list(answers),
        "length": 14,
        "dataset": dataset,
        "language": "en",
        "all_classes": None,
        "_id": id,
    }


def _longbench_v2(id: str, question: str, answer: str, difficulty: str) -> dict[str, Any]:
    words = {"A": "no", "B": "more", "C": "red", "D": "old"}
    return {
        "_id": id,
        "domain": "Single-Document QA",
        "sub_domain": "Literary",
        "difficulty": difficulty,
        "length": "short",
        "question": question,
        **{f"choice_{letter}": f"{word} boats" for letter, word in words.items()},
        "answer": answer,
        "context": "The harbour master wanted more boats. He feared old ones.",
    }


ROWS: dict[str, list[dict[str, Any]]] = {
    "quality": [
        _quality(
            "WRITERA",
            [
                _choice("What lay under the step?", ["a coin", "a brass key", "a rope", "a shoe"], 2, 1),
                _choice("Who hid it?", ["Oda", "Ivo", "Ulla", "nobody"], 1, 0),
            ],
        ),
        _quality(
            "WRITERB",
            [
                _choice(
                    "Where was it?",
                    ["at the mill", "on the pier", "at sea", "in the ice house"],
                    4,
                    0,
                    question_unique_id="40001_B_asked",
                )
            ],
        ),
    ],
    "narrativeqa": [
        _narrative("Who carries the lamp?", "Her brother", "Her older brother Ivo"),
        _narrative("What is carried?", "A lamp", "A lamp"),
    ],
    "longbench": [
        _longbench("q1", "Where does the ferry land?", "hotpotqa", "at the mole", "the mole"),
        _longbench("q2", "Who rows it?", "hotpotqa_e", "Ulla"),
    ],
    "longbench-v2": [
        _longbench_v2("v1", "What does the harbour master want?", "B", "easy"),
        _longbench_v2("v2", "What does he fear?", "D", "hard"),
    ],
    "infinitebench": [
        {"id": 0, "context": _BOOK, "input": "Who wrote it?", "answer": ["Ivo"], "options": ["Oda", "Ivo"]},
        {"id": 0, "context": _BOOK, "input": "Where?", "answer": ["Norhaven", "in Norhaven"], "options": []},
    ],
}
"""By the format's name."""
