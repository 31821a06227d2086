"""ReadAgent: pages with a gist each, of which some are looked up (stronger-baselines-dos-rag, A.6).

A page ends where the model finds it natural to pause: it is shown sentences until there are 600 words, with
numbers to choose from behind each sentence from 280 words on. A rest of less than 350 words is the last page.
Where a reply names none of the numbers shown, the page ends at the last. Each page gets a gist. For a
question the model names pages to look up, from all gists at once or one after the other; the reader gets the
gists in document order, with the pages looked up in place of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    GetRetriever,
    ModelCall,
    Part,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    QuestionBound,
    Steps,
    render,
    said,
)
from niah.text.chunks import sentences

FIRST_PLACE, LONGEST_PAGE, SHORTEST_REST = 280, 600, 350
"""Words."""
_WHOLE_SENTENCE = 10**6
_PLACE_ROOM, _GIST_ROOM, _LOOK_UP_ROOM = 24, 600, 32
_GIST_TOKENS, _PAGE_TOKENS = 120, 600
"""Expected."""
_PLACE = re.compile(r"<(\d{1,9})>")
_BRACKETS = re.compile(r"\[([\d\s,;]{1,200})\]")
_NUMBER = re.compile(r"\d{1,9}")
_STOP = re.compile(r"\bSTOP\b")


@dataclass(frozen=True)
class GistedPage:
    """A page of the document, with its gist."""

    text: str
    place: tuple[int, int]
    gist: str


@dataclass(frozen=True)
class ReadAgent(PreparedStrategy):
    """``readagent-N``: up to N pages are looked up; ``readagent-sequential-N``: one after the other."""

    pages: int = 6
    sequential: bool = False

    templates = ("readagent-page", "readagent-gist", "readagent-parallel", "readagent-sequential")

    def __str__(self) -> str:
        return f"readagent-{'sequential-' if self.sequential else ''}{self.pages}"

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """A gist of each page, and the pages looked up."""
        pages = max(1, context_tokens // _PAGE_TOKENS)
        looked_up = min(pages, self.pages)
        return min(room, (pages - looked_up) * _GIST_TOKENS + looked_up * _PAGE_TOKENS), room

    def document(self, document: PreparedDocument, retriever: GetRetriever) -> Steps[list[GistedPage]]:
        """Pages and gists."""
        places = yield from _paginate(document)
        texts = [document.text[start:end] for start, end in places]
        replies = yield [ModelCall("gist", render("readagent-gist", text=text), _GIST_ROOM) for text in texts]
        return list(map(GistedPage, texts, places, said(replies, "gists")))

    def document_bounds(self, document: PreparedDocument) -> Sequence[CallBound]:
        """A place and a gist for each page; the text between two places may be shown for both."""
        pages, tokens = _most_pages(document), len(document.starts)
        shown = tokens * LONGEST_PAGE // FIRST_PLACE + 2 * pages * _LONGEST_NUMBERS
        return [
            CallBound(pages, shown + pages * document.template("readagent-page"), pages * _PLACE_ROOM),
            CallBound(pages, tokens + pages * document.template("readagent-gist"), pages * _GIST_ROOM),
        ]

    def question(
        self,
        document: PreparedDocument,
        material: list[GistedPage],
        question: AskedQuestion,
        retriever: GetRetriever,
    ) -> Steps[Chosen]:
        """The pages that the model looks up, among the gists of the others."""
        if self.sequential:
            looked_up = yield from self._one_by_one(material, question)
        else:
            looked_up = yield from self._at_once(material, question)
        parts = [
            Part(page.text, page.place) if i in looked_up else Part(page.gist)
            for i, page in enumerate(material)
        ]
        if (tokens := document.count("\n\n".join(part.text for part in parts))) > question.room:
            problem = f"gists and pages have {tokens:,} tokens, and there is room for {question.room:,}"
            raise PreparationFailed(problem, "overflow")
        return Chosen(parts, looked_up, len(material))

    def question_bounds(self, document: PreparedDocument, question: QuestionBound) -> Sequence[CallBound]:
        """All gists once, or once for each page looked up, then with the pages in place of theirs."""
        pages = _most_pages(document)
        memory = pages * (_GIST_ROOM + _LONGEST_NUMBERS) + question.tokens
        if not self.sequential:
            prompt = memory + document.template("readagent-parallel")
            return [CallBound(1, prompt, _LOOK_UP_ROOM + 4 * min(self.pages, pages))]
        calls = min(self.pages, pages)
        prompt = memory + len(document.starts) + document.template("readagent-sequential") + 4 * calls
        return [CallBound(calls, calls * prompt, calls * _LOOK_UP_ROOM)]

    def _at_once(self, pages: Sequence[GistedPage], question: AskedQuestion) -> Steps[list[int]]:
        most = min(self.pages, len(pages))
        prompt = render(
            "readagent-parallel", memory=_memory(pages, ()), question=question.with_options, most=most
        )
        room = _LOOK_UP_ROOM + 4 * most
        (reply,) = yield [ModelCall("look-up", prompt, room, lambda text: bool(_asked(text, len(pages))))]
        return _asked(reply, len(pages))[:most]

    def _one_by_one(self, pages: Sequence[GistedPage], question: AskedQuestion) -> Steps[list[int]]:
        looked_up: list[int] = []
        while len(looked_up) < min(self.pages, len(pages)):
            prompt = render(
                "readagent-sequential",
                memory=_memory(pages, looked_up),
                question=question.with_options,
                looked_up=[i + 1 for i in looked_up],
            )
            (reply,) = yield [
                ModelCall(
                    "look-up",
                    prompt,
                    _LOOK_UP_ROOM,
                    lambda text: bool(_STOP.search(text) or _asked(text, len(pages))),
                )
            ]
            new = [i for i in _asked(reply, len(pages)) if i not in looked_up]
            if not new:
                break
            looked_up.append(new[0])
        return looked_up


_LONGEST_NUMBERS = 12
"""Tokens of what names a page or a place in a prompt: "[Page 12]", "<12>"."""


def _most_pages(document: PreparedDocument) -> int:
    """Of 280 words each, and a rest; a page that a long sentence ends early makes up for it with the next."""
    return len(document.text.split()) // FIRST_PLACE + 1


def _paginate(document: PreparedDocument) -> Steps[list[tuple[int, int]]]:
    """Where each page starts and ends."""
    text = document.text
    units = [(unit.start, unit.end) for unit in sentences(text, document.starts, _WHOLE_SENTENCE)]
    words = [len(text[slice(*unit)].split()) for unit in units]
    pages, first = list[tuple[int, int]](), 0
    while first < len(units):
        stop, length = first + 1, words[first]
        while stop < len(units) and length + words[stop] <= LONGEST_PAGE:
            length += words[stop]
            stop += 1
        if length >= SHORTEST_REST:
            places = _places(words, first, stop)
            (reply,) = yield [_page_call(text, units, first, stop, places)]
            stop = first + (_chosen(reply, places) or stop - first)
        pages.append((units[first][0], units[stop - 1][1]))
        first = stop
    return pages


def _places(words: Sequence[int], first: int, stop: int) -> list[int]:
    """Behind which sentences one may pause: from 280 words on, counted from the page's first, from 1."""
    length, places = 0, []
    for i in range(first, stop):
        length += words[i]
        if length >= FIRST_PLACE or i + 1 == stop:
            places.append(i + 1 - first)
    return places


def _page_call(
    text: str, units: Sequence[tuple[int, int]], first: int, stop: int, places: Sequence[int]
) -> ModelCall:
    shown = []
    for i in range(first, stop):
        start, end = units[i]
        gap = text[units[i - 1][1] : start] if i > first else ""
        shown.append(gap + text[start:end] + (f" <{i + 1 - first}>" if i + 1 - first in places else ""))
    prompt = render(
        "readagent-page",
        passage="".join(shown),
        before=text[slice(*units[first - 1])] if first else "",
        behind=text[slice(*units[stop])] if stop < len(units) else "",
        first=places[0],
    )
    return ModelCall("page", prompt, _PLACE_ROOM, lambda reply: _chosen(reply, places) is not None)


def _chosen(reply: str, places: Sequence[int]) -> int | None:
    """The first number in angle brackets, or else the first number, if it was shown."""
    found = _PLACE.search(reply) or _NUMBER.search(reply)
    number = int(found[found.lastindex or 0]) if found else None
    return number if number in places else None


def _asked(reply: str, pages: int) -> list[int]:
    """Pages of the last list in a reply that exist, from 0, each once."""
    lists = _BRACKETS.findall(reply)
    numbers = dict.fromkeys(map(int, _NUMBER.findall(lists[-1]))) if lists else {}
    return [number - 1 for number in numbers if 1 <= number <= pages]


def _memory(pages: Sequence[GistedPage], looked_up: Sequence[int]) -> str:
    """What is remembered, page by page."""
    return "\n\n".join(
        f"[Page {i}]\n{page.text if i - 1 in looked_up else page.gist}"
        for i, page in enumerate(pages, start=1)
    )
