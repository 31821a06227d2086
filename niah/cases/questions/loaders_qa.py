"""Loaders of question answering datasets: over Wikipedia, papers, stories and novels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import unescape
from typing import Any

from niah.cases.questions.datasets import Asked, Row, ask, distinct, document, listed


def hotpotqa(row: Row) -> Iterator[Asked]:
    """A question a row over all of its paragraphs; supporting sentences are evidence.

    Lists hold pairs, or objects in the hub's form, of a title and sentences, and of a title and a number.
    """
    context, facts = (
        [tuple(each.values()) if isinstance(each, dict) else tuple(each) for each in listed(row[key])]
        for key in ("context", "supporting_facts")
    )
    sentences = dict(context)
    if unknown := [title for title, _ in facts if title not in sentences]:
        raise ValueError(f"supporting_facts: names {unknown[0]!r}, which is none of the context's titles")
    paragraphs = (f"{title}\n{' '.join(map(str.strip, found))}" for title, found in context)
    yield ask(
        "\n\n".join(paragraphs),
        id=row.get("id") or row["_id"],
        question=row["question"],
        answers=(row["answer"],),
        kind=row["type"],
        source="Wikipedia",
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
        source="Wikipedia",
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
                yield ask(
                    whole,
                    id=asked["id"],
                    question=asked["question"],
                    answers=distinct([each["text"] for each in asked["answers"]]),
                    kind="unanswerable" if impossible else None,
                    source="Wikipedia",
                    evidence=() if impossible else (paragraph["context"],),
                )


def qasper(row: Row) -> Iterator[Asked]:
    """The questions about a paper, with its annotators' answers as the authors' evaluator reads them.

    A question that some could answer and others not may be answered either way; one that nobody could is
    unanswerable. Evidence are the annotators' paragraphs, but for figures and tables.
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
            source="paper",
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
    id, dates, sessions = row["question_id"], row["haystack_dates"], row["haystack_sessions"]
    if len(dates) != len(sessions):
        raise ValueError(f"haystack_dates: has {len(dates)} dates for {len(sessions)} sessions")
    in_order = sorted(zip(dates, sessions, strict=True), key=lambda one: one[0])
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
        source="chats",
        evidence=distinct([turn["content"] for turn in turns]),
    )
