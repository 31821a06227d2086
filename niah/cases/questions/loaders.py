"""Loaders of published datasets: question answering, and benchmarks with long contexts."""

from __future__ import annotations

import re
import zipfile
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from html import unescape
from typing import Any

from niah.cases.questions.datasets import Asked, Row, ask, datasets, distinct, document, listed
from niah.needles.needle_set import listed_options

_LONGEST_TEXT = 64_000_000  # bytes of a question's documents: an archive may hold a terabyte of zeros


def hotpotqa(row: Row) -> Iterator[Asked]:
    """A question a row over all of its paragraphs, in either published form, with its evidence."""
    context, facts = (
        [tuple(each.values()) if isinstance(each, dict) else tuple(each) for each in listed(row[key])]
        for key in ("context", "supporting_facts")
    )
    sentences = dict(context)
    paragraphs = (f"{title}\n{' '.join(map(str.strip, found))}" for title, found in context)
    yield ask(
        "\n\n".join(paragraphs),
        id=row.get("id") or row["_id"],
        question=row["question"],
        answers=(row["answer"],),
        kind=row["type"],
        # The dataset names some sentences that are not there.
        evidence=distinct([each.strip() for title, at in facts for each in sentences[title][at : at + 1]]),
    )


def musique(row: Row) -> Iterator[Asked]:
    """A question a row over all of its paragraphs; those that support the answer are evidence."""
    answerable, paragraphs = row.get("answerable", True), listed(row["paragraphs"])
    supporting = [each["paragraph_text"] for each in paragraphs if each["is_supporting"]]
    yield ask(
        "\n\n".join(f"{each['title']}\n{each['paragraph_text']}" for each in paragraphs),
        id=row["id"],
        question=row["question"],
        answers=distinct([row["answer"], *(row.get("answer_aliases") or ())]) if answerable else (),
        kind=row["id"].split("__")[0] if answerable else "unanswerable",
        evidence=distinct(supporting) if answerable else (),
    )


def squad(row: Row) -> Iterator[Asked]:
    """The questions about each article, whose paragraphs make one document."""
    for article in row["data"]:
        text = "\n\n".join(each["context"] for each in article["paragraphs"])
        whole = document(text, article["title"].replace("_", " "))
        for paragraph in article["paragraphs"]:
            for asked in paragraph["qas"]:
                impossible = asked.get("is_impossible", False)
                answers = distinct([each["text"] for each in asked["answers"]])
                if foreign := [each for each in answers if each not in paragraph["context"]]:
                    raise ValueError(f"answers: {foreign[0]!r} to {asked['id']} is not in its paragraph")
                yield ask(
                    whole,
                    id=asked["id"],
                    question=asked["question"],
                    answers=answers,
                    kind="unanswerable" if impossible else None,
                    evidence=() if impossible else (paragraph["context"],),
                )


def qasper(row: Row) -> Iterator[Asked]:
    """The questions about a paper, with its annotators' answers as the authors' evaluator reads them.

    One that some could answer and others not may be answered either way.
    """
    parts = [row["title"], row.get("abstract") or ""]
    for section in listed(row["full_text"]):
        parts += [(section["section_name"] or "").replace(" ::: ", ": "), *section["paragraphs"]]
    text = "\n\n".join(part.strip() for part in parts if part.strip())
    paper, words = document(text, row["title"], row["id"]), " ".join(text.split())
    for asked in listed(row["qas"]):
        answers = [each["answer"] for each in listed(asked["answers"])]
        if not answers:
            raise ValueError(f"qas: no answers to {asked['question_id']}: take the train or the dev split")
        known = [answer for answer in answers if not answer["unanswerable"]]
        quotes = [" ".join(quote.split()) for answer in known for quote in answer["evidence"]]
        yield ask(
            paper,
            id=asked["question_id"],
            question=asked["question"],
            answers=distinct([_qasper_answer(each)[1] for each in [*known, *answers]]) if known else (),
            kind=_qasper_answer(known[0])[0] if known else "unanswerable",
            evidence=distinct([quote for quote in quotes if quote in words]),
        )


def _qasper_answer(answer: Mapping[str, Any]) -> tuple[str, str]:
    """Kind and text of an annotator's answer."""
    if answer["unanswerable"]:
        return "unanswerable", "Unanswerable"
    if answer["extractive_spans"]:
        return "extractive", ", ".join(answer["extractive_spans"]).strip()
    if written := (answer["free_form_answer"] or "").strip():
        return "abstractive", written
    return "boolean", "Yes" if answer["yes_no"] else "No"


def narrativeqa(row: Row) -> Iterator[Asked]:
    """A question a row, numbered within its story, with two free answers."""
    story = row["document"]
    title = (story.get("summary") or {}).get("title") or ""
    yield ask(
        document(html_as_text(story["text"]), title, story["id"]),
        question=row["question"]["text"],
        answers=distinct([answer["text"] for answer in row["answers"]]),
        source=story.get("kind") or "NarrativeQA",
    )


def quality(row: Row) -> Iterator[Asked]:
    """The questions of one writer about an article, HTML or plain; ``gold_label`` counts options from 1."""
    set_id = row["set_unique_id"]
    article = document(html_as_text(row["article"]), row.get("title") or "", row["article_id"])
    for number, asked in enumerate(row["questions"], start=1):
        options, difficult, gold = asked["options"], asked.get("difficult"), asked.get("gold_label")
        if gold not in range(1, len(options) + 1):
            raise ValueError(f"gold_label: is {gold}, of {len(options)} options: take the train or dev split")
        yield ask(
            article,
            id=asked.get("question_unique_id") or f"{set_id}_{number}",
            question=asked["question"],
            options=tuple(options),
            answer_index=gold - 1,
            kind=None if difficult is None else "hard" if difficult else "not hard",
            source=row.get("source") or "QuALITY",
            licence=row.get("license") or "not stated for this article",
        )


_MARKUP = re.compile(r"</?(?:html|body|head|p|br|div|pre|h[1-6])\b[^<>]*>", re.IGNORECASE)
_UNSEEN = re.compile(r"<(script|style|title)\b.*?</\1\b[^<>]*>", re.IGNORECASE | re.DOTALL)
_BLOCK = re.compile(
    r"</?(?:p|div|br|hr|li|ul|ol|tr|table|blockquote|pre|section|article|h[1-6])\b[^<>]*>", re.IGNORECASE
)
_TAG = re.compile(r"</?[!a-z][^<>]*>", re.IGNORECASE)


@lru_cache(maxsize=4)  # the rows of one document follow each other
def html_as_text(published: str) -> str:
    """The words of an HTML page, a block a line; a text that is no HTML as it is."""
    if not _MARKUP.search(published):
        return published
    text = unescape(_TAG.sub("", _BLOCK.sub("\n", _UNSEEN.sub("", published))))
    lines = (re.sub(r"[ \t\xa0]+", " ", line).strip() for line in text.splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def longmemeval(row: Row) -> Iterator[Asked]:
    """A question over all sessions in the order of their dates; turns with ``has_answer`` are evidence."""
    id, dated = row["question_id"], zip(row["haystack_dates"], row["haystack_sessions"], strict=True)
    in_order = sorted(dated, key=lambda one: one[0])
    parts = (
        "\n".join([f"Session of {date}", *(f"{turn['role']}: {turn['content']}" for turn in session)])
        for date, session in in_order
    )
    turns = [turn for _, session in in_order for turn in session if turn.get("has_answer")]
    yield ask(
        "\n\n".join(parts),
        id=id,
        question=f"{row['question']} (Asked on {row['question_date']}.)",
        answers=(str(row["answer"]),),
        kind="abstention" if id.endswith("_abs") else row["question_type"],
        evidence=distinct([turn["content"] for turn in turns]),
    )


_ASKING = (
    "narrativeqa, qasper, multifieldqa_en, multifieldqa_zh, hotpotqa, 2wikimqa, musique, dureader, qmsum"
)
"""The sets of LongBench that give a question with a context."""


def longbench(row: Row) -> Iterator[Asked]:
    """A question a row; sets that only ask for a summary, a label or code are refused by name."""
    name, question = row["dataset"], row["input"].strip()
    if name.removesuffix("_e") not in _ASKING.split(", "):
        raise ValueError(f"dataset: is {name!r}, which asks no question; take {_ASKING}")
    answers = distinct(row["answers"])
    yield ask(row["context"], id=row["_id"], question=question, answers=answers, source=name)


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
_SEVERAL = " Several options may be right: give the letters of all that are."
_LETTERS = "ABCDEFGHIJ"
_LABELLED = re.compile(r"\s*(?:\(([A-J])\)|([A-J])[.):])\s*(\S.*)", re.DOTALL)


def l_eval(row: Row) -> Iterator[Asked]:
    """The questions of a line about its document.

    Lettered options in a question's text become options; where several are right, all questions ask for all
    that are. What is true outside the text ("True [fact: False]", in sci_fi) is left out.
    """
    source, evaluation = (row.get("source") or "").strip() or row.path.stem, row.get("evaluation") or ""
    pairs = zip(row["instructions"], row["outputs"], strict=True)
    questions = [_with_options(text, _FACT.sub("", answer) or answer) for text, answer in pairs]
    several = any("options" in values and len(values["answers"]) > 1 for values in questions)
    for place, values in enumerate(questions, start=1):
        free, answer, note = "options" not in values, values["answers"][0], ""
        values["question"] += _SEVERAL if several and not free else ""
        if free and answer in _TRUTHS:
            values["options"] = _TRUTHS
        elif free and re.fullmatch(r"\W*[A-J](?:\W*[B-J])*\W*", answer):
            note = "the answer is letters, and the question shows no options: no judge can score it"
        elif evaluation.casefold() in ("rouge", "llm", "human"):
            note = f"evaluation is {evaluation}: take a model as judge, or rouge-l"
        id = f"{source}-{row.number}-{place}"
        yield ask(row["input"], note, id=id, kind=evaluation or None, source=source, **values)


def _with_options(text: str, answer: str) -> dict[str, Any]:
    """Question, options and right ones of a text and its answer; a free answer where there are no options.

    Options are read where A, B, ... each begin one: "(A)", or "A." at the start of a line or before a space.
    """
    parts = [text]
    for letter in _LETTERS:
        label = rf"(?:(?:\A|\n)\s*\(?{letter}[.):]|\s\({letter}\)|\s{letter}[.):](?=\s))\s*"
        found = list(re.finditer(label, parts[-1]))
        if not found:
            break
        at = found[-1] if letter == "A" else found[0]
        parts[-1:] = parts[-1][: at.start()].strip(), parts[-1][at.end() :]
    question, *options = (part.strip() for part in parts)
    whole = question and len(options) > 1 and all(options) and len(set(options)) == len(options)
    if whole and (right := _right_places(answer, options)):
        answers = tuple(options[place] for place in right)
        return {"question": question, "options": tuple(options), "answers": answers}
    return {"question": text.strip(), "answers": (answer.strip(),)}


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


def helmet(row: Row) -> Iterator[Asked]:
    """A question a row over passages (kilt, alce), or passages to rank by a query (msmarco)."""
    found = row.get("ctxs")
    if found and any(each.get("label") is not None for each in found):
        yield _ranking(row, found)
        return
    names = [each[0] if isinstance(each, list) else each for each in row.get("answers") or ()]
    yield ask(
        "\n\n".join(map(_titled, found or row["docs"])),
        id=f"helmet-{row.number}",
        question=row["question"],
        answers=distinct(names if found and names else [", ".join(names) or row["answer"]]),
        kind=row.path.stem,
        source="Wikipedia",
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


def babilong(row: Row) -> Iterator[Asked]:
    """A question a row of RMT-team/babilong, which has no ids."""
    id, question = f"babilong-{row.number}", row["question"]
    yield ask(row["input"], id=id, question=question, answers=(row["target"],))


def mrcr(row: Row) -> Iterator[Asked]:
    """The last message of the prompt (JSON in a text) asks about those before it."""
    *before, last = listed(row["prompt"])
    conversation = "\n\n".join(f"{turn['role']}: {turn['content']}" for turn in before)
    reply = row["answer"].removeprefix(row.get("random_string_to_prepend") or "")
    yield ask(
        conversation,
        id=f"mrcr-{row.number}",
        question=last["content"],
        answers=(row["answer"],),
        kind=f"{row['n_needles']} needles",
        evidence=(reply,) if reply.strip() and reply in conversation else (),
    )


def mrcr_v2(row: Row) -> Iterator[Asked]:
    """``view_ops``, which ends the row's queries, asks about the examples and turns before it."""
    conversation, _, after = row["queries"].rpartition(row["view_ops"])
    if after.strip() not in ("", "Assistant:"):
        raise ValueError("view_ops: does not end the queries")
    needles, reply = row.get("num_relevant"), row["answer"].strip()[12:].strip()
    yield ask(
        conversation.strip(),
        id=f"mrcr-v2-{row.number}",
        question=row["view_ops"].strip(),
        answers=(row["answer"].strip(),),
        kind=f"{needles} needles" if needles else None,
        evidence=(reply,) if reply and reply in conversation else (),
    )


def graphwalks(row: Row) -> Iterator[Asked]:
    """The last operation of the prompt asks about the graph before it; the answer may be no node: []."""
    graph, found, operation = row["prompt"].rpartition("Operation:")
    yield ask(
        graph.strip(),
        id=f"graphwalks-{row.number}",
        question=f"{found}{operation}".strip(),
        answers=(f"[{', '.join(listed(row['answer_nodes']))}]",),
        kind=row["problem_type"],
    )


_DATE = re.compile(r"datetime\.date\((\d+), (\d+), (\d+)\)")


def oolong_synth(row: Row) -> Iterator[Asked]:
    """A question a row, over entries without labels; the answer is the first of a Python list in a text."""
    day = _DATE.search(row["answer"])
    found = [date(*map(int, day.groups()))] if day else listed(literal_eval(row["answer"]))
    yield ask(
        row["context_window_text"],
        id=f"oolong-{row['id']}",
        question=row["question"].strip(),
        # "User: 7", so that no metric takes it for an amount.
        answers=(f"User: {found[0]}" if row["answer_type"].endswith("USER") else str(found[0]),),
        kind=row["task_group"],
        source=row["dataset"],
    )


def aa_lcr(row: Row) -> Iterator[Asked]:
    """A question a row over the documents that it names, in the archive next to the table."""
    folder, archive = f"{row['document_category']}/{row['document_set_id']}", datasets()["aa-lcr"].companion
    names = [f"lcr/{folder}/{name.strip()}" for name in row["data_source_filenames"].split(";")]
    try:
        with zipfile.ZipFile(row.path.parent / archive, metadata_encoding="utf-8") as file:
            if sum(file.getinfo(name).file_size for name in names) > _LONGEST_TEXT:
                raise ValueError(f"data_source_filenames: they have more than {_LONGEST_TEXT:,} bytes")
            texts = [file.read(name).decode("utf-8-sig") for name in names]
    except (KeyError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"data_source_filenames: {archive} next to it: {error.args[-1]}") from None
    parts = (f"BEGIN DOCUMENT {at}:\n{text}\nEND DOCUMENT {at}" for at, text in enumerate(texts, start=1))
    yield ask(
        document("\n\n".join(parts), row["document_set_id"]),
        "published with a model as judge: take rubric+MODEL",
        id=f"aa-lcr-{row['question_id']}",
        question=row["question"],
        answers=(row["answer"],),
        kind=row["document_category"],
    )
