"""To and from other projects: published question sets are imported and asked, cases are exported as tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.contract.conftest import Endpoint, Niah, write

TIDE = "The tide mill of Orrin was built in 1743. It ground barley for nine parishes."
GULL = ["The Gull was launched at Tarbet.", " Her first master was Ewan Laird."]
LAIRD = ["Ewan Laird was born on Skerra.", " He could not swim."]
ASK = "Write a short verse about rope"
CHAT = [ASK, "Rope is long.", "Write a note about tar", "Tar sticks.", ASK, "Rope is thin.", f"{ASK} (2nd)"]
MESSAGES = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(CHAT)]
FORMS: dict[str, Any] = {
    "squad": {"data": [{"title": "Mill", "paragraphs": [{"context": TIDE, "qas": [{"id": "a",
        "question": "When was the mill built?", "answers": [{"text": "1743", "answer_start": 36}]},
        {"id": "b", "question": "Who built the mill?", "is_impossible": True, "answers": []}]}]}]},
    "hotpotqa": [{"_id": "c", "question": "Where was the Gull's first master born?", "answer": "Skerra",
        "type": "bridge", "supporting_facts": [["Gull", 1], ["Laird", 0]],
        "context": [["Gull", GULL], ["Mill", [TIDE]], ["Laird", LAIRD]]}],
    "quality": {"article_id": "7", "set_unique_id": "7_A", "title": "Mill", "source": "own", "license": "CC0",
        "article": TIDE, "questions": [{"question": "What did the mill grind?", "question_unique_id": "d",
        "difficult": 1, "gold_label": 2, "options": ["oats", "barley", "bones", "bark"]}]},
    "mrcr": {"prompt": json.dumps(MESSAGES), "answer": "qX7Rope is thin.", "random_string_to_prepend": "qX7",
        "n_needles": 2, "desired_msg_index": 5, "total_messages": 7, "n_chars": 160},
}  # fmt: skip
ASKED: dict[str, dict[str, tuple[str, list[str] | None]]] = {
    "squad": {
        "When was the mill built?": ("1743", [TIDE]),
        "Who built the mill?": ("The text does not say.", None),
    },
    "hotpotqa": {"Where was the Gull's first master born?": ("Skerra", [GULL[1].strip(), LAIRD[0]])},
    "quality": {"What did the mill grind?": ("B", None)},
    "mrcr": {CHAT[-1]: ("qX7Rope is thin.", ["Rope is thin."])},
}


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=[pytest.mark.slow] * (form != "squad")) for form in FORMS]
)
def test_a_published_question_set_is_imported_checked_and_asked(
    niah: Niah, folder: Path, endpoint: Endpoint, form: str
) -> None:
    asked = ASKED[form]
    write(folder / "published.json", json.dumps(FORMS[form]))
    made = niah("questions", "import", form, "published.json", "--out", "set.jsonl")
    assert made.code == 0, made.err
    assert niah("questions", "check", "set.jsonl").code == 0
    lines = [json.loads(line) for line in (folder / "set.jsonl").read_text("utf-8").splitlines()]
    assert {line["question"]: line.get("evidence") for line in lines} == {
        question: evidence for question, (_, evidence) in asked.items()
    }
    assert all(line["licence"] and line["citation"] for line in lines)

    write(folder / "set.yaml", "questions: ./set.jsonl\n")
    endpoint.models["right"] = lambda prompt: next(asked[each][0] for each in asked if each in prompt)
    endpoint.models["wrong"] = lambda prompt: "Pitlochry"
    for model in endpoint.models:
        options = ("--suite", "set.yaml", "--strategies", "lc,rag-sparse", "--api-base", endpoint.base)
        ran = niah("run", *options, "--model", model, "--out", f"{model}.sqlite")
        assert ran.code == 0, ran.err
        rows = niah("export", f"{model}.sqlite").rows
        assert [row["outcome"] for row in rows] == ["scored"] * 2 * len(asked)
        assert all((row["score"] == 10) == (model == "right") for row in rows)
        assert {row["depth"] for row in rows} == {row["seed"] for row in rows} == {None}
        known = [row["retrieval_completeness"] for row in rows if row["strategy"] == "rag-sparse"]
        assert known == [evidence and 1 for _, evidence in asked.values()]
    page = (folder / "plots" / "right" / "index.html").read_text("utf-8")
    assert ("right: the text does not say" in page) == (form == "squad")
    whole = " ".join(endpoint.bodies("right")[0]["messages"][-1]["content"].split())
    assert all(each in whole for _, evidence in asked.values() for each in evidence or [])


def test_questions_that_are_no_cases_are_named(niah: Niah, folder: Path) -> None:
    write(
        folder / "set.jsonl",
        json.dumps({"id": "a", "document": TIDE, "question": "When?", "answers": ["1743"]}),
    )
    grid = "{haystacks: [essays], needle_sets: [three-gates], lengths: [600], depths: [50]"
    for questions in ("", ", questions: ./set.jsonl"):
        write(folder / "grid.yaml", f"{grid}{questions}}}")
        said = niah("generate", "grid.yaml").err
        assert ("niah generate grid.yaml --to jsonl --out FILE" in said) == bool(questions)


@pytest.mark.parametrize(("form", "name"), [("inspect", "niah_grid.py"), ("lm-eval", "niah_grid.yaml")])
def test_other_harnesses_get_every_case_whole(niah: Niah, folder: Path, form: str, name: str) -> None:
    grid = "{haystacks: [essays], needle_sets: [three-gates], lengths: [600], depths: [0, 50, 100]}"
    write(folder / "grid.yaml", grid)
    cases = niah("generate", "grid.yaml", "--with-context").rows
    made = niah("generate", "grid.yaml", "--to", form, "--out", "task")
    assert made.code == 0, made.err
    texts = {path.name: path.read_text("utf-8") for path in (folder / "task").iterdir()}
    assert set(texts) == {"cases.jsonl", "scoring.py", name}
    assert all(text.endswith("\n") for text in texts.values())
    samples = [json.loads(line) for line in texts["cases.jsonl"].splitlines()]
    assert [sample["id"] for sample in samples] == [case["case_id"] for case in cases]
    for sample, case in zip(samples, cases, strict=True):
        assert case["context"] in sample["input"]
        assert case["question"] in sample["input"]
        assert sample["target"] == case["answer"]
        assert [each[0] for each in sample["elements"]] == [each["name"] for each in case["elements"]]
    if form == "inspect":
        compile(texts[name], name, "exec")
    else:
        loader = type("Loader", (yaml.SafeLoader,), {})
        yaml.add_constructor("!function", lambda loader, node: node.value, loader)
        task = yaml.load(texts[name], loader)
        assert task["custom_dataset"] == "scoring.cases"
        assert "input" in task["doc_to_text"]
    scoring: dict[str, Any] = {}
    exec(compile(texts["scoring.py"], "scoring.py", "exec"), scoring)
    elements = samples[0]["elements"]
    said = [samples[0]["target"], elements[0][0], "I do not know."]
    assert [scoring["share_named"](each, elements) for each in said] == [1, 1 / len(elements), 0]
