"""Loaders of benchmarks that collect datasets with long contexts.

LongBench, LongBench v2, InfiniteBench, L-Eval, HELMET and long-context-vs-rag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from niah.cases.questions.datasets import Asked, Row, ask, dataset, distinct, knowledge_source
from niah.needles.options import listed_options

_ASKING = (
    "narrativeqa, qasper, multifieldqa_en, multifieldqa_zh, hotpotqa, 2wikimqa, musique, dureader, qmsum"
)
"""The sets of LongBench that give a question with a context."""


@dataset(
    "longbench",
    "LongBench v1, the sets that ask questions: .jsonl",
    "that of the dataset that the question's source names",
    "Bai et al. (2024), LongBench, ACL. arXiv:2308.14508; and the dataset that the question's source names",
)
def longbench(row: Row) -> Iterator[Asked]:
    """A question a row; sets that only ask for a summary, a label or code are refused by name."""
    name, question = row["dataset"], row["input"].strip()
    if name.removesuffix("_e") not in _ASKING.split(", "):
        raise ValueError(f"dataset: is {name!r}, which asks no question; take {_ASKING}")
    answers = distinct(row["answers"])
    yield ask(row["context"], id=row["_id"], question=question, answers=answers, source=name)


@dataset(
    "longbench-v2",
    "LongBench v2: data.json",
    "Apache-2.0",
    "Bai et al. (2024), LongBench v2. arXiv:2412.15204",
)
def longbench_v2(row: Row) -> Iterator[Asked]:
    """A question a row with four options."""
    yield ask(
        row["context"],
        id=row["_id"],
        question=row["question"],
        options=tuple(row[f"choice_{letter}"] for letter in "ABCD"),
        answer_index="ABCD".index(row["answer"]),
        kind=row["difficulty"],
        source=row["domain"],
    )


@dataset(
    "infinitebench",
    "InfiniteBench En.MC, En.QA, En.Sum: longbook_choice_eng.jsonl, longbook_qa_eng.jsonl ...",
    "Apache-2.0",
    "Zhang et al. (2024), InfiniteBench, ACL. arXiv:2402.13718",
)
def infinitebench(row: Row) -> Iterator[Asked]:
    """A question a row: with options (En.MC), free (En.QA), or, without an input, for a summary (En.Sum)."""
    asked, answers, options = (row.get("input") or "").strip(), row["answer"], row.get("options") or []
    right = [place for place, option in enumerate(options) if option in answers]
    if options and len(right) != 1:
        raise ValueError(f"answer: {answers[0]!r} is the text of {len(right)} of the options")
    task = "MC" if options else "QA" if asked else "Sum"
    yield ask(
        row["context"],
        id=f"{task.lower()}-{row['id']}",
        question=asked or "Summarise the book.",
        answers=() if options else distinct(answers),
        options=tuple(options),
        answer_index=right[0] if options else None,
        kind="summary" if task == "Sum" else None,
        source=f"InfiniteBench En.{task}",
    )


_FACT = re.compile(r"\s*\[fact:[^\]]*\]\s*\Z", re.IGNORECASE)
_TRUTHS = ("True", "False")


@dataset(
    "l-eval",
    "L-Eval, one of its files: coursera.jsonl, tpo.jsonl, multidoc_qa.jsonl ...",
    "GPL-3.0; of the sets it takes over their own",
    "An et al. (2024), L-Eval, ACL. arXiv:2307.11088; and the dataset that the question's source names",
)
def l_eval(row: Row) -> Iterator[Asked]:
    """The questions of a line about its document.

    Lettered options in a question's text become options; several right ones stay several. What is true
    outside the text ("True [fact: False]", in sci_fi) is left out.
    """
    source, evaluation = (row.get("source") or "").strip() or row.path.stem, row.get("evaluation") or ""
    pairs = [
        (text, _FACT.sub("", answer) or answer) for text, answer in _pairs(row, "instructions", "outputs")
    ]
    for place, values in enumerate(questions_with_options(pairs), start=1):
        free, answer, note = "options" not in values, values.get("answers", ("",))[0], ""
        if free and answer in _TRUTHS:
            values["options"] = _TRUTHS
        elif free and re.fullmatch(r"\W*[A-J](?:\W*[B-J])*\W*", answer):
            note = "the answer is letters, and the question shows no options: no judge can score it"
        elif evaluation.casefold() in ("rouge", "llm", "human"):
            note = f"evaluation is {evaluation}: take a model as judge, or rouge-l"
        id = f"{source}-{row.number}-{place}"
        yield ask(row["input"], note, id=id, kind=evaluation or None, source=source, **values)


@dataset(
    "lc-vs-rag",
    "Long-context-vs-rag's twelve sets, by their files' names: hotpotqa.jsonl, coursera.jsonl ...",
    "that of the dataset that the question's kind names",
    "Li et al. (2025), LC vs. RAG. arXiv:2501.01880; and the dataset that the question's kind names",
)
def lc_vs_rag(row: Row) -> Iterator[Asked]:
    """The questions of a line about its context; the file's name says which set it is."""
    name = row.path.stem
    for place, values in enumerate(questions_with_options(_pairs(row, "questions", "answer")), start=1):
        id, source = f"{name}-{row.number}-{place}", knowledge_source(name, name)
        yield ask(row["context"], id=id, kind=name, source=source, **values)


def _pairs(row: Row, asked: str, answered: str) -> list[tuple[str, str]]:
    """The questions of a line with their answers. Raises ValueError where there are not as many of either."""
    questions, answers = row[asked], row[answered]
    if len(questions) != len(answers):
        raise ValueError(f"{answered}: has {len(answers)} answers to {len(questions)} {asked}")
    return list(zip(questions, answers, strict=True))


_SEVERAL = " Several options may be right: give the letters of all that are."
_LETTERS = "ABCDEFGHIJ"
_LABELLED = re.compile(r"\s*(?:\(([A-J])\)|([A-J])[.):])\s*(\S.*)", re.DOTALL)


def questions_with_options(pairs: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Question, options and right ones of each text and answer; a free answer where there are no options.

    Options are read where A, B, ... each begin one after a space or line break ("Which? A. coin B. key"),
    and the answer is letters ("BD", "B, D"), or a letter with its text. Where one of the questions has
    several right options, all that have options ask for all that are right.
    """
    read = list[dict[str, Any]]()
    for text, answer in pairs:
        question, options = _split_options(text)
        right = [options[place] for place in _right_places(answer, options)]
        if right:
            read.append({"question": question, "options": options, "answers": tuple(right)})
        else:
            read.append({"question": text.strip(), "answers": (answer.strip(),)})
    if any("options" in values and len(values["answers"]) > 1 for values in read):
        for values in read:
            values["question"] += _SEVERAL if "options" in values else ""
    return read


def _right_places(answer: str, options: Sequence[str]) -> list[int]:
    """The places of the options that an answer names, ascending."""

    def plain(text: str) -> str:
        return " ".join(text.split()).casefold().rstrip(".")

    texts, labelled = list(map(plain, options)), _LABELLED.fullmatch(answer)
    if labelled:
        place = _LETTERS.index(labelled[1] or labelled[2])
        if texts[place : place + 1] == [plain(labelled[3])]:
            return [place]
    if plain(answer) in texts:
        return [texts.index(plain(answer))]
    return sorted(listed_options(answer, len(options))) if re.search("[A-Ja-j]", answer) else []


def _split_options(text: str) -> tuple[str, tuple[str, ...]]:
    """The text before the options, and these; no options where there are fewer than two, or one is empty.

    An option's letter is "(A)", or "A." at the start of a line or before a space.
    """
    question, parts = "", [text]
    for letter in _LETTERS:
        label = rf"(?:(?:\A|\n)\s*\(?{letter}[.):]|\s\({letter}\)|\s{letter}[.):](?=\s))\s*"
        found = list(re.finditer(label, parts[-1]))
        if not found:
            break
        at = found[-1] if letter == "A" else found[0]
        parts[-1:] = parts[-1][: at.start()].strip(), parts[-1][at.end() :]
    question, *options = (part.strip() for part in parts)
    whole = question and len(options) > 1 and all(options) and len(set(options)) == len(options)
    return (question, tuple(options)) if whole else (text, ())


@dataset(
    "helmet",
    "HELMET's own files: kilt/nq-dev-multikilt_1000_k220_dep6.jsonl, ruler/, json_kv/, alce/, msmarco/",
    "that of the dataset that the question's kind names",
    "Yen et al. (2025), HELMET, ICLR. arXiv:2410.02694; and the dataset that the question's kind names",
)
def helmet(row: Row) -> Iterator[Asked]:
    """A question a row: over passages (kilt, alce), over a context (ruler, json_kv), or to rank (msmarco).

    Questions are numbered, since one is asked with its answer at several depths. A list of RULER's and of
    QAMPARI's names is one answer that wants all.
    """
    file, found = row.path.stem, row.get("ctxs") or []
    if any(each.get("label") is not None for each in found):
        yield _ranking(row, found)
        return
    task = row.path.parent.name if file.startswith("validation_") else file
    passages = found or row.get("docs") or []
    query, question = row.get("query"), row.get("question")
    if query and "num_v" in row:
        question = f"Find all variables that are assigned the value {query} in the text above."
    elif query and (kind := row.get("type_needle_v")):
        question = f"What are all the special magic {kind} for {query} that the text mentions?"
    elif task == "cwe" and not (passages or query or question):
        question = "What are the ten words that appear most often in the list above?"
    names = [each[0] if isinstance(each, list) else each for each in row.get("answers") or ()]
    answers = names or row.get("answer") or row["outputs"]
    if isinstance(answers, str):
        answers = [answers]
    elif not found and (names or not task.startswith("qa")):
        answers = [", ".join(answers)]
    yield ask(
        "\n\n".join(map(_titled, passages)) if passages else row["context"],
        id=f"helmet-{row.number}",
        question=question or query or row["question"],
        answers=distinct(answers),
        kind=task,
        source="Wikipedia" if passages else "HELMET",
    )


def _ranking(row: Row, passages: Sequence[Mapping[str, Any]]) -> Asked:
    """Passages under their ids; the answer is the ids of those of some use with their labels, for ndcg-10."""
    labels = {each["id"]: each["label"] for each in passages}
    if len(labels) < len(passages) or not all(str(id).isdecimal() for id in labels):
        raise ValueError("ctxs: has ids that are no numbers, or one twice")
    ranked = sorted(labels.items(), key=lambda one: -one[1])
    if not ranked[0][1] > 0:
        raise ValueError("ctxs: holds no passage with a label above 0: nothing to rank")
    return ask(
        "\n\n".join(f"[ID: {each['id']}] {_titled(each)}" for each in passages),
        id=f"helmet-{row.number}",
        question="Which ten of the documents above have most to do with the query? Rank them by their IDs, "
        f"the best first, in the form ID3 > ID1 > ID2, and write nothing else. Query: {row['query']}",
        answers=(" > ".join(f"{id} ({label})" for id, label in ranked if label),),
        kind=row.path.stem,
        source="web",
    )


def _titled(passage: Mapping[str, Any]) -> str:
    return f"{passage['title']}\n{passage['text']}" if passage.get("title") else str(passage["text"])
