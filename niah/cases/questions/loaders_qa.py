"""Loaders of question answering datasets: over Wikipedia, papers, stories and novels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import orjson

from niah.cases.questions.datasets import Asked, Row, ask, dataset, document
from niah.cases.questions.question_set import DocumentLine


@dataset(
    "hotpotqa",
    "HotpotQA and 2WikiMultihopQA, train or dev: hotpot_dev_distractor_v1.json, dev.json",
    licence="CC BY-SA 4.0 (HotpotQA), Apache-2.0 (2WikiMultihopQA)",
    cite="Yang et al. (2018), HotpotQA, EMNLP. arXiv:1809.09600; Ho et al. (2020), 2WikiMultihopQA, COLING. "
    "arXiv:2011.01060",
)
def hotpotqa(row: Row) -> Iterator[Asked]:
    """A question a row over all of its paragraphs; supporting sentences are evidence.

    Lists hold pairs, or objects in the hub's form, of a title and sentences, and of a title and a number.
    """
    id = row.text("id" if "id" in row.data else "_id")
    context, facts = ([_pair(each) for each in row.values(key)] for key in ("context", "supporting_facts"))
    sentences = dict(context)
    evidence = []
    for title, number in facts:
        if title not in sentences:
            problem = f"names {title!r}, which is none of the context's titles."
            raise row.error("supporting_facts", problem, "Correct the row, or take it out.")
        if number < len(sentences[title]):  # the dataset names some sentences that are not there
            evidence.append(sentences[title][number].strip())
    paragraphs = (f"{title}\n{' '.join(map(str.strip, found))}" for title, found in context)
    yield ask(
        document("\n\n".join(paragraphs)),
        id=id,
        question=row.text("question"),
        answers=(row.text("answer"),),
        kind=row.text("type"),
        source="Wikipedia",
        evidence=tuple(dict.fromkeys(filter(None, evidence))),
    )


def _pair(value: Any) -> tuple[str, Any]:
    first, second = value.values() if isinstance(value, dict) else value
    return first, second


@dataset(
    "musique",
    "MuSiQue, train or dev: musique_ans_v1.0_dev.jsonl",
    licence="CC BY 4.0",
    cite="Trivedi et al. (2022), MuSiQue: Multihop Questions via Single-hop Question Composition, TACL 10. "
    "arXiv:2108.00573",
)
def musique(row: Row) -> Iterator[Asked]:
    """A question a row over all of its paragraphs; those that support the answer are evidence."""
    id, answer, answerable = row.text("id"), row.text("answer"), row.flag("answerable", True)
    paragraphs = row.rows("paragraphs")
    texts = [each.text("paragraph_text") for each in paragraphs]
    supporting = [text for each, text in zip(paragraphs, texts, strict=True) if each.flag("is_supporting")]
    titled = (f"{each.text('title')}\n{text}" for each, text in zip(paragraphs, texts, strict=True))
    answers = tuple(dict.fromkeys((answer, *row.texts("answer_aliases", ()))))
    yield ask(
        document("\n\n".join(titled)),
        id=id,
        question=row.text("question"),
        answers=answers if answerable else (),
        kind=id.split("__")[0] if answerable else "unanswerable",
        source="Wikipedia",
        evidence=tuple(dict.fromkeys(supporting)) if answerable else (),
    )


@dataset(
    "squad",
    "SQuAD 1.1 and 2.0, train or dev: dev-v2.0.json",
    licence="CC BY-SA 4.0",
    cite="Rajpurkar et al. (2016), SQuAD, EMNLP. arXiv:1606.05250; Rajpurkar et al. (2018), Know What You "
    "Don't Know, ACL. arXiv:1806.03822",
)
def squad(row: Row) -> Iterator[Asked]:
    """The questions about each article, whose paragraphs make one document."""
    if "data" not in row.data:
        raise row.error("data", "is missing.")
    for article in row.rows("data", ()):
        paragraphs = article.rows("paragraphs")
        text = "\n\n".join(each.text("context") for each in paragraphs)
        whole = document(text, article.text("title").replace("_", " "))
        for paragraph in paragraphs:
            for asked in paragraph.rows("qas", ()):
                impossible = asked.flag("is_impossible")
                yield ask(
                    whole,
                    id=asked.text("id"),
                    question=asked.text("question"),
                    answers=tuple(dict.fromkeys(each.text("text") for each in asked.rows("answers", ()))),
                    kind="unanswerable" if impossible else None,
                    source="Wikipedia",
                    evidence=() if impossible else (paragraph.text("context"),),
                )


@dataset(
    "qasper",
    "QASPER, train or dev, or the hub's rows: qasper-dev-v0.3.json",
    licence="CC BY 4.0",
    cite="Dasigi et al. (2021), A Dataset of Information-Seeking Questions and Answers Anchored in Research "
    "Papers, NAACL. arXiv:2105.03011",
    by_id="id",
)
def qasper(row: Row) -> Iterator[Asked]:
    """The questions about a paper, with its annotators' answers as the authors' evaluator reads them.

    A question that some could answer and others not may be answered either way; one that nobody could is
    unanswerable. Evidence are the annotators' paragraphs, but for figures and tables.
    """
    parts = [row.text("title"), row.text("abstract", "")]
    for section in row.rows("full_text"):
        parts += [section.text("section_name", "").replace(" ::: ", ": "), *section.texts("paragraphs", ())]
    text = "\n\n".join(part.strip() for part in parts if part.strip())
    paper, words = document(text, row.text("title"), row.text("id")), " ".join(text.split())
    for asked in row.rows("qas", ()):
        answers = [each.row("answer") for each in asked.rows("answers", ())]
        if not answers:
            remedy = "Import the train or the dev split, or take the question out."
            raise asked.error("answers", "is empty.", remedy)
        known = [answer for answer in answers if not answer.flag("unanswerable")]
        quotes = [quote for answer in known for quote in answer.texts("evidence", ())]
        said = [_qasper_answer(answer)[1] for answer in [*known, *answers]]
        yield ask(
            paper,
            id=asked.text("question_id"),
            question=asked.text("question"),
            answers=tuple(dict.fromkeys(filter(None, said))) if known else (),
            kind=_qasper_answer(known[0])[0] if known else "unanswerable",
            source="paper",
            evidence=tuple(quote for quote in dict.fromkeys(quotes) if _quotes_text(quote, words)),
        )


def _quotes_text(quote: str, words: str) -> bool:
    """Whether evidence is in the paper's text: not that of figures and tables."""
    plain = " ".join(quote.split())
    return bool(plain) and not plain.startswith("FLOAT SELECTED") and plain in words


def _qasper_answer(answer: Row) -> tuple[str, str]:
    """Kind and text of an annotator's answer."""
    if answer.flag("unanswerable"):
        return "unanswerable", "Unanswerable"
    if spans := answer.texts("extractive_spans", ()):
        return "extractive", ", ".join(spans).strip()
    if written := answer.text("free_form_answer", "").strip():
        return "abstractive", written
    return "boolean", "Yes" if answer.flag("yes_no") else "No"


@dataset(
    "narrativeqa",
    "NarrativeQA, the hub's rows: .jsonl",
    licence="Apache-2.0; the stories' own",
    cite="Kočiský et al. (2018), The NarrativeQA Reading Comprehension Challenge, TACL 6. arXiv:1712.07040",
)
def narrativeqa(row: Row) -> Iterator[Asked]:
    """A question a row, numbered within its story, with two free answers."""
    story = row.row("document")
    title = story.row("summary", optional=True).text("title", "")
    yield ask(
        document(_words(story, "text"), title, story.text("id")),
        question=row.row("question").text("text"),
        answers=tuple(dict.fromkeys(answer.text("text") for answer in row.rows("answers"))),
        source=story.text("kind", "NarrativeQA"),
    )


@dataset(
    "quality",
    "QuALITY 1.0.1, train or dev: .jsonl",
    licence="each article's own, see the licence of its questions",
    cite="Pang et al. (2022), QuALITY: Question Answering with Long Input Texts, Yes! arXiv:2112.08608",
)
def quality(row: Row) -> Iterator[Asked]:
    """The questions of one writer about an article, HTML or plain; ``gold_label`` counts options from 1."""
    set_id = row.text("set_unique_id")
    article = document(_words(row, "article"), row.text("title", ""), row.text("article_id"))
    for number, asked in enumerate(row.rows("questions"), start=1):
        options, difficult = asked.texts("options"), asked.data.get("difficult")
        if asked.data.get("gold_label") is None:
            remedy = "Import the train or the dev split: the test split has no public answers."
            raise asked.error("gold_label", "is missing.", remedy)
        gold = asked.integer("gold_label")
        if not 1 <= gold <= len(options):
            problem = f"is {gold}, and there are {len(options)} options."
            raise asked.error("gold_label", problem, "It counts from 1.")
        yield ask(
            article,
            id=asked.text("question_unique_id", f"{set_id}_{number}"),
            question=asked.text("question"),
            options=options,
            answer_index=gold - 1,
            kind=None if difficult is None else "hard" if difficult else "not hard",
            source=row.text("source", "QuALITY"),
            licence=row.text("license", "not stated for this article"),
        )


_MARKUP = re.compile(r"</?(?:html|body|head|p|br|div|pre|h[1-6])\b[^<>]*>", re.IGNORECASE)
_UNSEEN = {"head", "script", "style", "title"}
_BLOCKS = {"p", "div", "br", "hr", "li", "ul", "ol", "tr", "table", "blockquote", "pre", "section", "article"}
_BLOCKS |= {f"h{level}" for level in range(1, 7)}


def _words(row: Row, key: str) -> str:
    """The words of a text that may be HTML. Raises RowError where there are none."""
    text = html_as_text(row.text(key))
    if not text.strip():
        raise row.error(key, "holds no words.", "Take the row out.")
    return text


@lru_cache(maxsize=4)  # the rows of one document follow each other
def html_as_text(published: str) -> str:
    """The words of an HTML page, a block a line; a text that is no HTML as it is."""
    if not _MARKUP.search(published):
        return published
    page = _Page()
    page.feed(published)
    page.close()
    lines = (re.sub(r"[ \t\xa0]+", " ", line).strip() for line in "".join(page.parts).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Page(HTMLParser):
    """Collects the visible words of a page in ``parts``."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen = self._unseen or tag
        elif tag in _BLOCKS:
            self._unseen = ""  # of a head that is never closed
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        elif tag in _BLOCKS and tag != "br":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)


def _novelqa(row: Row, *, choices: bool) -> Iterator[Asked]:
    """A question a row of Data/PublicDomain/B00.json, whose right answer its authors keep to themselves."""
    id, question = row.text("QID"), row.text("Question")
    given = row.row("Options", optional=True)
    options = tuple(filter(None, (given.text(letter, "") for letter in sorted(given.data))))
    if choices and not options:
        raise row.error("Options", "is missing.", "Import it as novelqa-gen.")
    yield ask(
        _novel(row),
        id=f"{row.path.stem}-{id}",
        question=question,
        options=options if choices else (),
        withheld=True,
        kind=row.text("Aspect", "") or None,
        source="NovelQA",
    )


for _name, _what in (("novelqa", "multiple choice"), ("novelqa-gen", "free answers")):
    dataset(
        _name,
        f"NovelQA, {_what}, for a submission: Data/PublicDomain/B00.json ...",
        licence="Apache-2.0; the novels' own. Its authors ask not to spread the questions",
        cite="Wang et al. (2025), NovelQA: Benchmarking Question Answering on Documents Exceeding 200K "
        "Tokens, ICLR. arXiv:2403.12766",
        by_id="QID",
    )(partial(_novelqa, choices=_name == "novelqa"))


def _novel(row: Row) -> DocumentLine:
    """The novel of a file of questions: Books/PublicDomain/B00.txt, or next to it. Raises RowError."""
    name, folder = row.path.stem, row.path.absolute().parent
    in_books = folder.parent.parent / "Books" / folder.name / f"{name}.txt"
    path = next((each for each in (in_books, row.path.with_suffix(".txt")) if each.is_file()), None)
    if path is None:
        problem = f"has no novel: neither {in_books} nor {name}.txt next to it is there."
        raise row.error("", problem, "Unpack the dataset with its folder Books.")
    return document(_text(path, path.stat().st_mtime_ns), _title(row), name)


@lru_cache(maxsize=2)
def _text(path: Path, stamp: int) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _title(row: Row) -> str:
    """The novel's title in bookmeta.json, by which the leaderboard knows it; else the file's name."""
    name = row.path.stem
    for meta in (folder / "bookmeta.json" for folder in row.path.absolute().parents[:3]):
        if meta.is_file():
            try:
                books = Row(orjson.loads(meta.read_bytes()), row.where, meta, row.number)
            except (orjson.JSONDecodeError, TypeError):
                problem = f"has {meta} next to it, which is no JSON object."
                raise row.error("", problem, "Unpack the dataset again.") from None
            return books.row(name, optional=True).text("title", name)
    return name
