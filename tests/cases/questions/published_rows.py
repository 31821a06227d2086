"""Rows of each published format, of our own writing: only the keys and their form are the datasets'."""

from __future__ import annotations

import json
from typing import Any


def _quality(writer: str, *questions: dict[str, Any]) -> dict[str, Any]:
    article = (
        "<html><head><title>unseen</title></head><body><h1>The Ice House</h1>"
        "<p>Oda hid a brass key &amp; a map<br/>under the third step.</p></body></html>"
    )
    about = {"article_id": "40001", "set_unique_id": f"40001_{writer}", "title": "The Ice House"}
    about |= {"source": "Gutenberg", "license": "public domain", "article": article}
    return {**about, "questions": list(questions)}


def _choice(question: str, options: list[str], gold: int, difficult: int, **more: str) -> dict[str, Any]:
    return {"question": question, "options": options, "gold_label": gold, "difficult": difficult, **more}


def _memory(id: str, answer: str | int) -> dict[str, Any]:
    rain = [{"role": "user", "content": "It rains."}, {"role": "assistant", "content": "Take a coat."}]
    bought = [{"role": "user", "content": "I bought 3  lanterns\ntoday.", "has_answer": True}]
    asked = {"question_id": id, "question_type": "multi-session", "question": "How many lanterns did I buy?"}
    told = {"question_date": "2023/06/01 (Thu) 10:00", "haystack_sessions": [rain, bought]}
    dates = {"haystack_dates": ["2023/05/21 (Sun) 08:00", "2023/05/20 (Sat) 02:36"]}
    return {**asked, **told, "answer": answer, **dates}


def _narrative(question: str, *answers: str) -> dict[str, Any]:
    story = {"id": "0a17f", "kind": "gutenberg", "summary": {"title": "The Lamp"}, "text": "Ivo has a lamp."}
    return {
        "document": story,
        "question": {"text": question},
        "answers": [{"text": each} for each in answers],
    }


def _mrcr(marker: str, ordinal: str, reply: str) -> dict[str, Any]:
    texts = [
        "write a poem about gulls",
        "A gull sat on a post.",
        "write a poem about gulls",
        "A gull flew off.",
    ]
    texts.append(f"Prepend {marker} to the {ordinal} (1 indexed) poem about gulls.")
    prompt = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]
    told = {"random_string_to_prepend": marker, "n_needles": 2}
    return {"prompt": json.dumps(prompt), "answer": f"{marker}{reply}", **told}


def _hops(id: str, type: str, *facts: list[Any]) -> dict[str, Any]:
    ferry, quay = ["Ulla rows it.", " It is old."], ["It is stone.", " The ferry lands there."]
    asked = {"_id": id, "question": "Who rows to the quay?", "answer": "Ulla", "type": type}
    return {**asked, "context": [["Ferry", ferry], ["Quay", quay]], "supporting_facts": list(facts)}


def _steps(id: str, answerable: bool, *answers: str) -> dict[str, Any]:
    texts = (("Ferry", "Ulla rows it.", True), ("Quay", "It is stone.", False))
    keys = ("title", "paragraph_text", "is_supporting")
    paragraphs = [dict(zip(keys, text, strict=True)) for text in texts]
    asked = {"id": id, "question": "Who rows to the quay?", "paragraphs": paragraphs}
    return {**asked, "answer": answers[0], "answer_aliases": list(answers[1:]), "answerable": answerable}


def _span(id: str, question: str, *answers: str) -> dict[str, Any]:
    found = [{"text": answer, "answer_start": 0} for answer in answers]
    return {"id": id, "question": question, "answers": found, "is_impossible": not answers}


def _read(*quotes: str, spans: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    usual = {"unanswerable": False, "yes_no": None, "free_form_answer": ""}
    return {"answer": {**usual, "extractive_spans": list(spans), "evidence": list(quotes), **more}}


def _paper(id: str, *questions: tuple[str, list[dict[str, Any]]]) -> dict[str, Any]:
    text = {"section_name": "Data ::: Boats", "paragraphs": ["Two ferries  were\nmeasured.", "Both leak."]}
    qas = [
        {"question": asked, "question_id": f"{id}-{number}", "answers": answers}
        for number, (asked, answers) in enumerate(questions)
    ]
    about = {"id": id, "title": "Ferries and Words", "abstract": "We row."}
    return {**about, "full_text": [text, {"section_name": None, "paragraphs": [""]}], "qas": qas}


def _gulls(ordinal: str, reply: str) -> dict[str, Any]:
    turns = ["Write a formal riddle about gulls.", "Grey it is.", "Write a formal riddle about gulls.", reply]
    whole = "\n\n".join(f"{('User', 'Assistant')[at % 2]}: {text}" for at, text in enumerate(turns))
    asked = f"User: Prepend qX9qX9qX9qX9 to the {ordinal} formal riddle about gulls."
    told = {"answer": f"qX9qX9qX9qX9{reply}", "view_ops": asked, "num_relevant": "2", "context_len": "61"}
    return {"queries": f"=== EXAMPLE 1 ===\n\n{whole}\n\n{asked}\n\nAssistant:", **told}


def _walk(operation: str, kind: str, *nodes: str) -> dict[str, Any]:
    example = "An example:\nOperation:\nFind the parents of node ab.\nFinal Answer: []"
    graph = f"{example}\nThe graph has the following edges:\nab -> cd\nef -> cd"
    prompt = f"{graph}\n\n\nOperation:\n{operation}\n\nEnd with Final Answer: [nodes]"
    about = {"prompt_chars": len(prompt), "problem_type": kind, "date_added": "2025-04-14"}
    return {"prompt": prompt, "answer_nodes": list(nodes), **about}


def _counted(id: int, type: str, answer: str) -> dict[str, Any]:
    about = {"context_len": 1024, "dataset": "spam", "task": "TASK_TYPE.NUMERIC_ONE_CLASS", "num_labels": 2}
    texts = {"context_window_text": "User: 7 || Instance: Win!", "context_window_text_with_labels": "spam"}
    asked = {"question": "How many are spam? Say 'Answer: [X]'.", "task_group": "counting", "answer": answer}
    return {"id": id, **about, **texts, **asked, "answer_type": f"ANSWER_TYPE.{type}", "context_window_id": 3}


_BOOK = "Ivo wrote the book in Norhaven.\n\nIt took three winters."
_PASSAGES = [{"title": "Ferry", "text": "Ulla rows."}, {"title": "", "text": "Rain fell."}]
_ARTICLE = [
    {
        "context": "Oda filled the house in March.",
        "qas": [_span("s1", "When?", "March", "in March"), _span("s2", "Who emptied it?")],
    },
    {"context": "It held until August.", "qas": [_span("s3", "Until when?", "August")]},
]
_MEASURED = [
    _read(unanswerable=True),
    _read("Two ferries were measured.", "FLOAT SELECTED: A", spans=("two ferries", "oars")),
    _read(free_form_answer="Two ferries"),
]
_BOATS = {f"choice_{'ABCD'[at]}": f"{word} boats" for at, word in enumerate(["no", "more", "red", "old"])}

ROWS: dict[str, list[dict[str, Any]]] = {
    "quality": [
        _quality(
            "WRITERA",
            _choice("What lay under the step?", ["a coin", "a brass key", "a rope", "a shoe"], 2, 1),
            _choice("Who hid it?", ["Oda", "Ivo", "Ulla", "nobody"], 1, 0),
        ),
        _quality(
            "WRITERB",
            _choice("Where was it?", ["at sea", "in the house"], 2, 0, question_unique_id="B_asked"),
        ),
    ],
    "narrativeqa": [
        _narrative("Who carries the lamp?", "Her brother", "Her older brother Ivo"),
        _narrative("What is carried?", "A lamp", "A lamp"),
    ],
    "longbench": [
        {
            "_id": "q1",
            "context": _BOOK,
            "input": "Where?",
            "answers": ["Norhaven", "N."],
            "dataset": "qasper_e",
        }
    ],
    "longbench-v2": [
        {"_id": "v1", "question": "What does he want?", "answer": "B", "context": "He wants more boats."}
        | _BOATS
        | {"domain": "Single-Document QA", "difficulty": "easy"}
    ],
    "infinitebench": [
        {"id": 0, "context": _BOOK, "input": "Who wrote it?", "answer": ["Ivo"], "options": ["Oda", "Ivo"]},
        {"id": 0, "context": _BOOK, "input": "Where?", "answer": ["Norhaven", "in Norhaven"], "options": []},
    ],
    "babilong": [
        {"input": "The sea was grey. Ivo went to the mill.", "question": "Where is Ivo?", "target": "mill"},
        {"input": "Oda took the key. The wind rose.", "question": "What has Oda?", "target": "key"},
    ],
    "hotpotqa": [_hops("h1", "bridge", ["Quay", 1], ["Ferry", 0]), _hops("h2", "comparison", ["Quay", 9])],
    "musique": [_steps("2hop__1_2", True, "Ulla", "the ferrywoman"), _steps("3hop1__4_5_6", False, "Ulla")],
    "squad": [{"data": [{"title": "Ice_house", "paragraphs": _ARTICLE}]}, {"data": []}],
    "qasper": [
        _paper(
            "p1", ("What was measured?", _MEASURED), ("Do they leak?", [_read("Both leak.", yes_no=True)])
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
        }
    ],
    "helmet": [{"question": "Who rows?", "answers": ["Ulla", "Ulla"], "ctxs": _PASSAGES}],
    "longmemeval": [_memory("m1", 3), _memory("m2_abs", "You never said.")],
    "mrcr": [_mrcr("qX9", "1st", "A gull sat on a post."), _mrcr("Zz1", "2nd", "A gull flew off.")],
    "mrcr-v2": [_gulls("first", "Grey it is."), _gulls("second", "White it is. Answer: a gull.")],
    "graphwalks": [
        _walk("Find the parents of node cd.", "parents", "ab", "ef"),
        _walk("Perform a BFS from node cd with depth 1.", "bfs"),
    ],
    "oolong-synth": [
        _counted(1, "NUMERIC", "[47]"),
        _counted(2, "USER", "[7]"),
        _counted(3, "DATE", "[datetime.date(2023, 2, 1)]"),
        _counted(4, "LABEL", "['spam']"),
    ],
    "aa-lcr": [
        {"document_category": "Legal", "document_set_id": "legal_boats", "question_id": number}
        | {"question": asked, "answer": answer, "data_source_filenames": names, "input_tokens": "12"}
        for number, asked, answer, names in (
            ("1", "Who rows?", "Ulla, since 1743", "ferry’s log.txt;quay.txt"),
            ("2", "Where?", "At the quay", "quay.txt"),
        )
    ],
}
"""By the format's name."""
DOCUMENTS = {"ferry’s log.txt": "Ulla rows.", "quay.txt": "The quay is stone."}
"""Of AA-LCR's archive, by the names of files in it."""
