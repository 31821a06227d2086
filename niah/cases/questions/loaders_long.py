"""Loaders of benchmarks that collect datasets with long contexts.

LongBench, LongBench v2, InfiniteBench, L-Eval, HELMET and long-context-vs-rag.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from niah.cases.questions.datasets import Asked, Row, ask, dataset, document, knowledge_source
from niah.needles.options import listed_options

_ASKING = (
    "narrativeqa, qasper, multifieldqa_en, multifieldqa_zh, hotpotqa, 2wikimqa, musique, dureader, qmsum"
)
"""The sets of LongBench that give a question with a context."""


@dataset(
    "longbench",
    "LongBench v1, the sets that ask questions: .jsonl",
    licence="that of the dataset that the question's source names",
    cite="Bai et al. (2024), LongBench: A Bilingual, Multitask Benchmark for Long Context Understanding. "
    "ACL 2024, arXiv:2308.14508; and the dataset that the question's source names",
)
def longbench(row: Row) -> Iterator[Asked]:
    """A question a row; sets that only ask for a summary, a label or code are refused by name."""
    id, name = row.text("_id"), row.text("dataset")
    if name.removesuffix("_e") not in _ASKING.split(", "):
        problem = f"is {name!r}, which asks no question."
        raise row.error("dataset", problem, f"Import one of {_ASKING}.")
    yield ask(
        document(row.text("context")),
        id=id,
        question=row.text("input").strip(),
        answers=tuple(dict.fromkeys(row.texts("answers"))),
        source=name,
    )


@dataset(
    "longbench-v2",
    "LongBench v2: data.json",
    licence="Apache-2.0",
    cite="Bai et al. (2024), LongBench v2: Towards Deeper Understanding and Reasoning on Realistic "
    "Long-context Multitasks. arXiv:2412.15204",
)
def longbench_v2(row: Row) -> Iterator[Asked]:
    """A question a row with four options."""
    letter = row.text("answer")
    if letter not in set("ABCD"):
        raise row.error("answer", f"should be A, B, C or D, and is {letter!r}.")
    yield ask(
        document(row.text("context")),
        id=row.text("_id"),
        question=row.text("question"),
        options=tuple(row.text(f"choice_{each}") for each in "ABCD"),
        answer_index="ABCD".index(letter),
        kind=row.text("difficulty"),
        source=row.text("domain"),
    )


_INFINITEBENCH = {"mc": "En.MC", "qa": "En.QA", "sum": "En.Sum"}


@dataset(
    "infinitebench",
    "InfiniteBench En.MC, En.QA, En.Sum: longbook_choice_eng.jsonl, longbook_qa_eng.jsonl ...",
    licence="Apache-2.0",
    cite="Zhang et al. (2024), ∞Bench: Extending Long Context Evaluation Beyond 100K Tokens, ACL 2024. "
    "arXiv:2402.13718",
)
def infinitebench(row: Row) -> Iterator[Asked]:
    """A question a row: with options (En.MC), free (En.QA), or, without an input, for a summary (En.Sum)."""
    id, asked, answers = row.integer("id"), row.text("input", ""), row.texts("answer")
    options = row.texts("options", ())
    right = [place for place, option in enumerate(options) if option in answers]
    if options and len(right) != 1:
        problem = f"{answers[0]!r} is the text of {len(right)} of the options."
        raise row.error("answer", problem, "Correct the row, or take it out.")
    task = "mc" if options else "qa" if asked.strip() else "sum"
    yield ask(
        document(row.text("context")),
        id=f"{task}-{id}",
        question=asked if asked.strip() else "Summarise the book.",
        answers=() if options else tuple(dict.fromkeys(answers)),
        options=options,
        answer_index=right[0] if options else None,
        kind="summary" if task == "sum" else None,
        source=f"InfiniteBench {_INFINITEBENCH[task]}",
    )


_FACT = re.compile(r"\s*\[fact:[^\]]*\]\s*\Z", re.IGNORECASE)
_TRUTHS = ("True", "False")
_JUDGED_BY_MODELS = ("rouge", "llm", "human")


@dataset(
    "l-eval",
    "L-Eval, one of its files: coursera.jsonl, tpo.jsonl, multidoc_qa.jsonl ...",
    licence="GPL-3.0; of the sets it takes over their own",
    cite="An et al. (2024), L-Eval: Instituting Standardized Evaluation for Long Context Language Models. "
    "ACL 2024, arXiv:2307.11088; and the dataset that the question's source names",
)
def l_eval(row: Row) -> Iterator[Asked]:
    """The questions of a line about its document.

    Lettered options in a question's text become options; several right ones stay several. What is true
    outside the text ("True [fact: False]", in sci_fi) is left out.
    """
    source, evaluation = row.text("source", "").strip() or row.path.stem, row.text("evaluation", "")
    pairs = [
        (text, _FACT.sub("", answer) or answer) for text, answer in _pairs(row, "instructions", "outputs")
    ]
    for place, values in enumerate(questions_with_options(pairs), start=1):
        free = "options" not in values
        answer = values.get("answers", ("",))[0]
        note = ""
        if free and answer in _TRUTHS:
            values["options"] = _TRUTHS
        elif free and re.fullmatch(r"\W*[A-J](?:\W*[B-J])*\W*", answer):
            note = "the answer is letters, and the question shows no options: no judge can score it"
        elif evaluation.casefold() in _JUDGED_BY_MODELS:
            note = f"evaluation is {evaluation}: take a model as judge, or rouge-l-sum"
        id = f"{source}-{row.number}-{place}"
        yield ask(document(row.text("input")), note, id=id, kind=evaluation or None, source=source, **values)


@dataset(
    "lc-vs-rag",
    "Long-context-vs-rag's twelve sets, by their files' names: hotpotqa.jsonl, coursera.jsonl ...",
    licence="that of the dataset that the question's kind names",
    cite="Li et al. (2025), Long Context vs. RAG for LLMs: An Evaluation and Revisits. arXiv:2501.01880; "
    "and the dataset that the question's kind names",
)
def lc_vs_rag(row: Row) -> Iterator[Asked]:
    """The questions of a line about its context; the file's name says which set it is."""
    name = row.path.stem
    pairs = _pairs(row, "questions", "answer")
    for place, values in enumerate(questions_with_options(pairs), start=1):
        id, source = f"{name}-{row.number}-{place}", knowledge_source(name, name)
        yield ask(document(row.text("context")), id=id, kind=name, source=source, **values)


def _pairs(row: Row, asked: str, answered: str) -> list[tuple[str, str]]:
    """The questions of a line with their answers. Raises RowError where there are not as many of either."""
    questions, answers = row.texts(asked), row.texts(answered)
    if len(questions) != len(answers):
        raise row.error(answered, f"has {len(answers)} answers to {len(questions)} {asked}.")
    return list(zip(questions, answers, strict=True))


_SEVERAL = "Several options may be right: give the letters of all that are."
_LETTERS = "ABCDEFGHIJ"
_LABELLED = re.compile(r"\s*(?:\(([A-J])\)|([A-J])[.):])\s*(\S.*)", re.DOTALL)


def questions_with_options(pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Question, options and right ones of each text and answer; a free answer where there are no options.

    Options are read where A, B, ... each begin one after a space or line break ("Which? A. coin B. key"),
    and the answer is letters ("BD", "B, D"), or a letter with its text. Where one of the questions has
    several right options, all that have options ask for all that are right.
    """
    read = [_with_options(text, answer) for text, answer in pairs]
    if any(len(values.get("answers", ())) > 1 for values in read):
        for values in read:
            if "options" in values:
                values["question"] += f" {_SEVERAL}"
    return read


def _with_options(text: str, answer: str) -> dict[str, Any]:
    question, options = _split_options(text)
    right = _right_places(answer, options) if options else []
    if not right:
        return {"question": text.strip(), "answers": (answer.strip(),)}
    if len(right) > 1:
        return {"question": question, "options": options, "answers": tuple(options[place] for place in right)}
    return {"question": question, "options": options, "answer_index": right[0]}


def _right_places(answer: str, options: tuple[str, ...]) -> list[int]:
    """The places of the options that an answer names, ascending."""
    plain = [" ".join(option.split()).casefold().rstrip(".") for option in options]
    if labelled := _LABELLED.fullmatch(answer):
        place = _LETTERS.index(labelled[1] or labelled[2])
        said = " ".join(labelled[3].split()).casefold().rstrip(".")
        if place < len(options) and said == plain[place]:
            return [place]
    whole = " ".join(answer.split()).casefold().rstrip(".")
    if whole in plain:
        return [plain.index(whole)]
    return sorted(listed_options(answer, len(options))) if re.search("[A-Ja-j]", answer) else []


def _split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The text before the options, and these; no options where there are fewer than two, or one is empty."""
    starts = list(_label("A").finditer(text))
    question = text[: starts[-1].start()].strip() if starts else ""
    if not question:
        return text, ()
    rest, options = text[starts[-1].end() :], []
    for letter in _LETTERS[1:]:
        following = _label(letter).search(rest)
        if following is None:
            break
        options.append(rest[: following.start()].strip())
        rest = rest[following.end() :]
    options.append(rest.strip())
    whole = len(options) > 1 and all(options) and len(set(options)) == len(options)
    return (question, tuple(options)) if whole else (text, ())


def _label(letter: str) -> re.Pattern[str]:
    """The letter of an option: "(A)", or "A." at the start of a line or before a space."""
    return re.compile(rf"(?:(?:\A|\n)\s*\(?{letter}[.):]|\s\({letter}\)|\s{letter}[.):](?=\s))\s*")


_MOST_COMMON = "What are the ten words that appear most often in the list above?"
_MAGIC = "What are all the special magic {kind} for {query} that the text mentions?"
_VARIABLES = "Find all variables that are assigned the value {query} in the text above."
_RANK = (
    "Which ten of the documents above have most to do with the query? Rank them by their IDs, the best "
    "first, in the form ID3 > ID1 > ID2, and write nothing else. Query: {query}"
)


@dataset(
    "helmet",
    "HELMET's own files: kilt/nq-dev-multikilt_1000_k220_dep6.jsonl, ruler/, json_kv/, alce/, msmarco/",
    licence="that of the dataset that the question's kind names",
    cite="Yen et al. (2025), HELMET: How to Evaluate Long-Context Language Models Effectively and "
    "Thoroughly. ICLR 2025, arXiv:2410.02694; and the dataset that the question's kind names",
)
def helmet(row: Row) -> Iterator[Asked]:
    """A question a row: over passages (kilt, alce), over a context (ruler, json_kv), or to rank (msmarco).

    Questions are numbered, since one is asked with its answer at several depths. A list of RULER's and of
    QAMPARI's names is one answer that wants all.
    """
    id, file = f"helmet-{row.number}", row.path.stem
    task = row.path.parent.name if file.startswith("validation_") else file
    found = row.rows("ctxs", ())
    if any(each.data.get("label") is not None for each in found):
        yield _ranking(row, found, id)
        return
    passages = found or row.rows("docs", ())
    text = "\n\n".join(map(_titled, passages)) if passages else row.text("context")
    query, question = row.text("query", ""), row.text("question", "")
    if query and "num_v" in row.data:
        question = _VARIABLES.format(query=query)
    elif query and row.text("type_needle_v", ""):
        question = _MAGIC.format(kind=row.text("type_needle_v"), query=query)
    elif task == "cwe" and not passages and not query and not question:
        question = _MOST_COMMON
    yield ask(
        document(text),
        id=id,
        question=question or query or row.text("question"),
        answers=_helmet_answers(row, task, one_of_them=bool(found)),
        kind=task,
        source="Wikipedia" if passages else "HELMET",
    )


def _helmet_answers(row: Row, task: str, *, one_of_them: bool) -> tuple[str, ...]:
    names = [each[0] if isinstance(each, list) else each for each in row.values("answers", ())]
    if one_of_them and not names:
        raise row.error("answers", "is missing.")
    if names:
        return tuple(dict.fromkeys(names)) if one_of_them else (", ".join(names),)
    if isinstance(row.data.get("answer"), str):
        return (row.text("answer"),)
    wanted = row.texts("answer", ()) or row.texts("outputs", ())
    if not wanted:
        raise row.error("answer", "is missing.")
    return tuple(dict.fromkeys(wanted)) if task.startswith("qa") else (", ".join(wanted),)


def _ranking(row: Row, passages: Sequence[Row], id: str) -> Asked:
    """Passages under their ids; the answer is the ids of those of some use with their labels, for ndcg-10."""
    ids = [each.text("id") for each in passages]
    labels = [each.integer("label") for each in passages]
    for passage, name, label in zip(passages, ids, labels, strict=True):
        if not name.isdecimal() or not 0 <= label <= 999:
            key = "label" if name.isdecimal() else "id"
            raise passage.error(key, f"is no {key}: {name if key == 'id' else label}.")
    if twice := [name for name, times in Counter(ids).items() if times > 1]:
        raise row.error("ctxs", f"holds the id {twice[0]} twice.")
    ranked = sorted(zip(ids, labels, strict=True), key=lambda one: -one[1])
    relevant = [f"{name} ({label})" for name, label in ranked if label]
    if not relevant:
        problem = "holds no passage with a label above 0: nothing to rank."
        raise row.error("ctxs", problem, "Take the row out.")
    text = "\n\n".join(f"[ID: {name}] {_titled(each)}" for name, each in zip(ids, passages, strict=True))
    question = _RANK.format(query=row.text("query"))
    answers = (" > ".join(relevant),)
    return ask(document(text), id=id, question=question, answers=answers, kind=row.path.stem, source="web")


def _titled(passage: Row) -> str:
    title, text = passage.text("title", ""), passage.text("text")
    return f"{title}\n{text}" if title else text
