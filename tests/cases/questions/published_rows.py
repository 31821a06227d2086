"""Two rows of each published format, of our own writing: only the keys and their form are the datasets'."""

from __future__ import annotations

import json
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


def _ruler(index: int, input: str, *outputs: str, answer_prefix: str) -> dict[str, Any]:
    return {
        "index": index,
        "input": input,
        "outputs": list(outputs),
        "length": 60,
        "length_w_model_temp": 60,
        "answer_prefix": answer_prefix,
    }


def _memory(id: str, type: str, answer: str | int, **more: Any) -> dict[str, Any]:
    return {
        "question_id": id,
        "question_type": type,
        "question": "How many lanterns did I buy?",
        "answer": answer,
        "question_date": "2023/06/01 (Thu) 10:00",
        "haystack_session_ids": ["b", "a"],
        "haystack_dates": ["2023/05/21 (Sun) 08:00", "2023/05/20 (Sat) 02:36"],
        "haystack_sessions": [
            [{"role": "user", "content": "It rains."}, {"role": "assistant", "content": "Take a coat."}],
            [{"role": "user", "content": "I bought 3  lanterns\ntoday.", "has_answer": True}],
        ],
        "answer_session_ids": ["a"],
        **more,
    }


def _mrcr(marker: str, ordinal: str, reply: str) -> dict[str, Any]:
    replies = ["A gull sat on a post.", "Rain fell on the pier.", "A gull flew off."]
    asks = ["write a poem about gulls", "write a poem about rain", "write a poem about gulls"]
    messages = [
        message
        for ask, given in zip(asks, replies, strict=True)
        for message in ({"role": "user", "content": ask}, {"role": "assistant", "content": given})
    ]
    last = f"Prepend {marker} to the {ordinal} (1 indexed) poem about gulls."
    return {
        "prompt": json.dumps([*messages, {"role": "user", "content": last}]),
        "answer": f"{marker}{reply}",
        "random_string_to_prepend": marker,
        "n_needles": 2,
        "desired_msg_index": 0,
        "total_messages": 7,
        "n_chars": 200,
    }


_PASSAGES = [
    {"title": "Ferry", "text": "Ulla rows.", "has_answer": True},
    {"title": "", "text": "Rain fell."},
]


def _hops(id: str, type: str, *facts: list[Any]) -> dict[str, Any]:
    return {
        "_id": id,
        "question": "Who rows to the quay?",
        "answer": "Ulla",
        "type": type,
        "level": "easy",
        "context": [
            ["Ferry", ["Ulla rows it.", " It is old."]],
            ["Quay", ["It is stone.", " The ferry lands there."]],
        ],
        "supporting_facts": list(facts),
    }


def _steps(id: str, answerable: bool, *answers: str) -> dict[str, Any]:
    return {
        "id": id,
        "question": "Who rows to the quay?",
        "answer": answers[0],
        "answer_aliases": list(answers[1:]),
        "answerable": answerable,
        "question_decomposition": [],
        "paragraphs": [
            {"idx": 0, "title": "Ferry", "paragraph_text": "Ulla rows it.", "is_supporting": True},
            {"idx": 1, "title": "Quay", "paragraph_text": "It is stone.", "is_supporting": False},
        ],
    }


def _span(id: str, question: str, *answers: str) -> dict[str, Any]:
    found = [{"text": answer, "answer_start": 0} for answer in answers]
    return {"id": id, "question": question, "answers": found, "is_impossible": not answers}


def _read(*quotes: str, spans: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    answer = {
        "unanswerable": False,
        "extractive_spans": list(spans),
        "yes_no": None,
        "free_form_answer": "",
        "evidence": list(quotes),
        "highlighted_evidence": [],
        **more,
    }
    return {"answer": answer, "annotation_id": "a", "worker_id": "w"}


def _paper(id: str, *questions: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    return {
        "id": id,
        "title": "Ferries and Words",
        "abstract": "We row.",
        "full_text": [
            {"section_name": "Data ::: Boats", "paragraphs": ["Two ferries  were\nmeasured.", "Both leak."]},
            {"section_name": None, "paragraphs": [""]},
        ],
        "qas": [
            {"question": asked, "question_id": f"{id}-{number}", "nlp_background": "", "answers": answers}
            for number, (asked, answers) in enumerate(questions)
        ],
        "figures_and_tables": [],
    }


def _of_novel(id: str, question: str, **options: str) -> dict[str, Any]:
    return {"QID": id, "Aspect": "times", "Complexity": "mh", "Question": question, "Options": options}


_OF_NOVEL = [
    _of_novel("Q0002", "How often does Ivo row?", A="twice", B="never", C="daily", D="once"),
    _of_novel("Q0001", "Does Oda row?", A="Yes", B="No"),
]

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
    "ruler": [
        _ruler(
            0,
            "Memorize them.\nA special magic number for ice is: 41.\nA special magic number for ice is: 97.\n"
            "What are all the special magic numbers for ice mentioned in the provided text?",
            "41",
            "97",
            answer_prefix=" The special magic numbers for ice mentioned in the provided text are",
        ),
        _ruler(
            1,
            "Answer the question based on the given documents. Be short.\n\nDocument 1:\nUlla rows.\n\n"
            "Answer the question based on the given documents. Be short.\n\nQuestion: Who rows? Answer:",
            "Ulla",
            "the ferryman",
            answer_prefix=" Answer:",
        ),
    ],
    "longmemeval": [_memory("m1", "multi-session", 3), _memory("m2_abs", "multi-session", "You never said.")],
    "babilong": [
        {"input": "The sea was grey. Ivo went to the mill.", "question": "Where is Ivo?", "target": "mill"},
        {"input": "Oda took the key. The wind rose.", "question": "What has Oda?", "target": "key"},
    ],
    "hotpotqa": [_hops("h1", "bridge", ["Quay", 1], ["Ferry", 0]), _hops("h2", "comparison", ["Quay", 9])],
    "musique": [_steps("2hop__1_2", True, "Ulla", "the ferrywoman"), _steps("3hop1__4_5_6", False, "Ulla")],
    "squad": [
        {
            "version": "v2.0",
            "data": [
                {
                    "title": "Ice_house",
                    "paragraphs": [
                        {
                            "context": "Oda filled the house in March.",
                            "qas": [
                                _span("s1", "When was it filled?", "March", "in March", "March"),
                                _span("s2", "Who emptied it?"),
                            ],
                        },
                        {"context": "It held until August.", "qas": [_span("s3", "Until when?", "August")]},
                    ],
                }
            ],
        },
        {"version": "v2.0", "data": []},
    ],
    "qasper": [
        _paper(
            "p1",
            (
                "What was measured?",
                [
                    _read(unanswerable=True),
                    _read(
                        "Two ferries were measured.", "FLOAT SELECTED: Table 1", spans=("two ferries", "oars")
                    ),
                    _read(free_form_answer="Two ferries"),
                ],
            ),
            ("Do they leak?", [_read("Both leak.", yes_no=True)]),
        ),
        _paper("p2", ("Who paid?", [_read(unanswerable=True), _read(unanswerable=True)])),
    ],
    "l-eval": [
        {
            "instructions": [
                "Question 1. What did Oda hide? A. a coin B. a key\nC. a rope",
                "Which are red? A. gulls B. boats C. lamps",
                "Who hid it?",
            ],
            "outputs": ["B", "BC", "Oda"],
            "input": "Oda hid a key. Boats and lamps are red.",
            "source": "coursera",
            "evaluation": "exam",
        },
        {
            "instructions": ["Who rows?"],
            "outputs": ["Ulla "],
            "input": "Ulla rows.",
            "source": "multidoc_qa",
            "evaluation": "f1",
        },
    ],
    "novelqa": _OF_NOVEL,
    "novelqa-gen": _OF_NOVEL,
    "helmet": [
        {"id": "n", "question": "Who rows?", "answers": ["Ulla", "Ulla"], "ctxs": _PASSAGES, "depth": 0},
        {"id": "n", "question": "Who rows?", "answers": ["Ulla"], "ctxs": _PASSAGES[::-1], "depth": 1},
    ],
    "lc-vs-rag": [
        {
            "context": "Ulla rows the ferry.",
            "questions": ["Who rows?", "What is rowed?\nA) a barge\nB) the ferry"],
            "answer": ["Ulla", "B"],
            "num_question": 2,
            "book": "none",
        },
        {
            "context": "It lands at the mole.",
            "questions": ["Where?"],
            "answer": ["the mole"],
            "num_question": 1,
        },
    ],
    "mrcr": [_mrcr("qX9", "1st", "A gull sat on a post."), _mrcr("Zz1", "2nd", "A gull flew off.")],
}
"""By the format's name."""
