"""Strategies by which a model reads a short form of every part, and looks some of the parts up again.

ReadAgent (stronger-baselines-dos-rag, A.6): a page ends where the model finds it natural to pause, between
280 and 600 words; a rest of less than 350 words is the last page. Each page gets a gist. For a question the
model names pages to look up, from all gists at once or one after the other; the reader gets the gists in
document order, with the pages looked up in place of theirs.

TreeIndex is as in long-context-vs-rag (section 4.2), which took LlamaIndex's: nodes of 300 tokens that share
20, groups of ten neighbours, a summary each, and summaries of summaries until ten or fewer are left. For a
question the model reads the nodes of the highest level and picks some, then their children, down to the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Any

from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.prepared import steps
from niah.text.chunks import sentences, windows

FIRST_PLACE, LONGEST_PAGE, SHORTEST_REST = 280, 600, 350  # words
_WHOLE_SENTENCE = 10**6
_PLACE_ROOM, _GIST_ROOM, _LOOK_UP_ROOM = 24, 600, 32
_GIST_TOKENS, _PAGE_TOKENS = 120, 600  # expected
_PAGE_MARK, _PLACE_TOKENS = 12, 5  # tokens of what names a page or a place, at most: "[Page 12]", "<12>"
_PLACE = re.compile(r"<(\d{1,9})>")
_BRACKETS = re.compile(r"\[([\d\s,;]{1,200})\]")
_NUMBER = re.compile(r"(?<!\d)\d{1,9}(?!\d)")
_STOP = re.compile(r"\bSTOP\b")


Pages = Sequence[tuple[steps.Part, str]]  # each with its gist


@dataclass(frozen=True, kw_only=True)
class ReadAgent(steps.PreparedStrategy):
    """``readagent-N``: up to N pages are looked up; ``readagent-sequential-N``: one after the other."""

    templates = tuple(f"readagent-{name}" for name in ("page", "gist", "parallel", "sequential"))
    pages: int
    sequential: bool

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """A gist of each page, and the pages looked up."""
        pages = max(1, context_tokens // _PAGE_TOKENS)
        looked_up = min(pages, self.pages)
        return min(room, (pages - looked_up) * _GIST_TOKENS + looked_up * _PAGE_TOKENS), room

    def document(self, document: steps.PreparedDocument) -> steps.Steps[Pages]:
        """Pages and gists."""
        pages = yield from _paginate(document)
        prompts = [steps.render("readagent-gist", text=page.text) for page in pages]
        replies = yield [steps.ModelCall("gist", prompt, _GIST_ROOM) for prompt in prompts]
        return list(zip(pages, steps.said(replies, "gists"), strict=True))

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The pages that the model looks up, among the gists of the others."""
        pages: Pages = material
        looked_up: list[int] = []
        most = min(self.pages, len(pages))
        way, more = ("sequential", 0) if self.sequential else ("parallel", 4 * most)

        def asked(reply: str) -> list[int]:
            """Pages of the last list in a reply."""
            return _numbers("".join(_BRACKETS.findall(reply)[-1:]), len(pages))

        def is_understood(reply: str) -> bool:
            return bool(asked(reply) or (self.sequential and _STOP.search(reply)))

        def shown() -> list[str]:
            return [page.text if i in looked_up else gist for i, (page, gist) in enumerate(pages)]

        while len(looked_up) < most:
            prompt = steps.render(
                f"readagent-{way}",
                memory="\n\n".join(f"[Page {i}]\n{text}" for i, text in enumerate(shown(), start=1)),
                question=question.with_options,
                most=most,
                looked_up=[i + 1 for i in looked_up],
            )
            (reply,) = yield [steps.ModelCall("look-up", prompt, _LOOK_UP_ROOM + more, is_understood)]
            new = [i for i in asked(reply) if i not in looked_up]
            looked_up += new[: 1 if self.sequential else most]
            if not (self.sequential and new):
                break
        if (tokens := question.document.count("\n\n".join(shown()))) > question.room:
            problem = f"gists and pages have {tokens:,} tokens, and there is room for {question.room:,}"
            raise steps.PreparationFailed(problem, "overflow")
        parts = [page if i in looked_up else steps.Part(gist) for i, (page, gist) in enumerate(pages)]
        return steps.Chosen(parts, looked_up, len(pages))

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """A place and a gist for each page; all gists once, or once for each page looked up."""
        document = question.document
        tokens, units = len(document.starts), sentences(document.text, document.starts, _WHOLE_SENTENCE)
        page, gist, parallel, sequential = map(document.template_tokens, self.templates)
        # Of 280 words each, and a rest; a page that a long sentence ends early makes up for it with the next.
        pages = len(document.text.split()) // FIRST_PLACE + 1
        # 600 words for a page of 280 or more, and two sentences: what is behind a place is shown again.
        shown = 3 * (tokens + len(units) * _PLACE_TOKENS)
        memory = pages * (_GIST_ROOM + _PAGE_MARK) + document.count(question.with_options)
        most = min(self.pages, pages)
        looking = steps.CallBound(1, memory + parallel, _LOOK_UP_ROOM + 4 * most)
        if self.sequential:  # with the pages in place of their gists
            prompts = most * (memory + tokens + sequential + 4 * most)
            looking = steps.CallBound(most, prompts, most * _LOOK_UP_ROOM)
        return [
            steps.CallBound(pages, shown + pages * page, pages * _PLACE_ROOM, of_document=True),
            steps.CallBound(pages, tokens + pages * gist, pages * _GIST_ROOM, of_document=True),
            looking,
        ]


def _paginate(document: steps.PreparedDocument) -> steps.Steps[list[steps.Part]]:
    """The pages."""
    text = document.text
    units = [(unit.start, unit.end) for unit in sentences(text, document.starts, _WHOLE_SENTENCE)]
    words = [len(text[start:end].split()) for start, end in units]
    pages, first = list[steps.Part](), 0
    while first < len(units):
        # Words so far, behind each sentence that a page may have: a sentence has one at least.
        most = accumulate(words[first : first + LONGEST_PAGE])
        lengths = [n for n in most if n <= LONGEST_PAGE] or [words[first]]
        stop = first + len(lengths)
        if lengths[-1] >= SHORTEST_REST:
            # One may pause behind a sentence from 280 words on, counted from the page's first, from 1.
            places = [n for n, words_so_far in enumerate(lengths, 1) if words_so_far >= FIRST_PLACE]
            (reply,) = yield [_page_call(text, units, first, stop, places)]
            stop = first + (_chosen(reply, places) or stop - first)
        start, end = units[first][0], units[stop - 1][1]
        pages.append(steps.Part(text[start:end], (start, end)))
        first = stop
    return pages


def _page_call(
    text: str, units: Sequence[tuple[int, int]], first: int, stop: int, places: Sequence[int]
) -> steps.ModelCall:
    shown, behind = "", units[first][0]
    for number, (_, end) in enumerate(units[first:stop], start=1):
        shown += text[behind:end] + (f" <{number}>" if number in places else "")
        behind = end
    prompt = steps.render(
        "readagent-page",
        passage=shown,
        before=text[slice(*units[first - 1])] if first else "",
        behind=text[slice(*units[stop])] if stop < len(units) else "",
        first=places[0],
    )
    return steps.ModelCall("page", prompt, _PLACE_ROOM, lambda reply: _chosen(reply, places) is not None)


def _chosen(reply: str, places: Sequence[int]) -> int | None:
    """The first number in angle brackets, or else the first number, if it was shown."""
    found = _PLACE.search(reply) or _NUMBER.search(reply)
    number = int(found[found.lastindex or 0]) if found else None
    return number if number in places else None


def _numbers(text: str, most: int) -> list[int]:
    """The numbers from 1 to ``most`` in a text, less 1, each once."""
    found = dict.fromkeys(int(number) - 1 for number in _NUMBER.findall(text))
    return [number for number in found if 0 <= number < most]


# A tree of summaries

NODE_TOKENS, NODE_OVERLAP = 300, 20
CHILDREN = 10
_MOST_TOKENS, _SUMMARY_ROOM = NODE_TOKENS + SLACK_TOKENS, 256
_MARK_TOKENS = 6  # of a node's number in a prompt, and of the blank line behind it


@dataclass(frozen=True, kw_only=True)
class TreeIndex(steps.PreparedStrategy):
    """``tree-index-N``: N children are picked on every level."""

    templates = ("tree-index-summary", "tree-index-choice")
    branches: int

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """As many nodes of the text as are picked on the lowest level."""
        picked = min(_level_sizes(context_tokens)[0], self.branches)
        return min(context_tokens, picked * NODE_TOKENS), picked * _MOST_TOKENS

    def document(self, document: steps.PreparedDocument) -> steps.Steps[list[list[steps.Node]]]:
        """The tree's levels, the lowest first; the highest has ten nodes or fewer."""
        text = document.text
        leaves = windows(text, document.starts, NODE_TOKENS, NODE_OVERLAP, equal_steps=True)
        levels = [[steps.Node(text[leaf.start : leaf.end], (leaf.start, leaf.end)) for leaf in leaves]]
        while (below := len(levels[-1])) > CHILDREN:
            groups = [tuple(range(i, min(i + CHILDREN, below))) for i in range(0, below, CHILDREN)]
            above = yield from steps.summaries("tree-index-summary", levels[-1], groups, _SUMMARY_ROOM)
            levels.append(above)
        return levels

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """Down the tree; the text's nodes in document order."""
        levels: list[list[steps.Node]] = material
        picked = offered = list(range(len(levels[-1])))
        for level in reversed(levels):
            picked, most = offered, min(self.branches, len(offered))
            if most < len(offered):
                (reply,) = yield [_choice([level[i].text for i in offered], question.with_options, most)]
                picked = [offered[place] for place in _picked(reply, len(offered))[:most]]
                if not picked:
                    line = " ".join(reply.split())[:60]
                    raise steps.PreparationFailed(f"the model picked none of {len(offered)} nodes: {line!r}")
            offered = sorted({child for number in picked for child in level[number].children})
        return steps.Chosen([levels[0][number] for number in sorted(picked)], available=len(levels[0]))

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """Each node is read once for a summary; a choice on each level that has more than are picked."""
        document = question.document
        summary, choice = map(document.template_tokens, self.templates)
        sizes = _level_sizes(len(document.starts))
        made, chosen = sum(sizes[1:]), [size for size in sizes if size > self.branches]
        read = sizes[0] * (_MOST_TOKENS + 2) + made * (_SUMMARY_ROOM + 2 + summary)
        offered = sum(min(size, self.branches * CHILDREN) for size in chosen)  # children of those above
        prompts = len(chosen) * (choice + document.count(question.with_options))
        prompts += offered * (_MOST_TOKENS + _MARK_TOKENS)
        every = (
            steps.CallBound(made, read, made * _SUMMARY_ROOM, of_document=True),
            steps.CallBound(len(chosen), prompts, len(chosen) * (16 + 4 * self.branches)),
        )
        return [bound for bound in every if bound.calls]


def _choice(texts: Sequence[str], question: str, most: int) -> steps.ModelCall:
    prompt = steps.render("tree-index-choice", choices=texts, question=question, most=most)
    return steps.ModelCall("choice", prompt, 16 + 4 * most, lambda reply: bool(_picked(reply, len(texts))))


def _picked(reply: str, offered: int) -> list[int]:
    """Places of the nodes that a reply names."""
    return _numbers(reply[:200], offered)


def _level_sizes(tokens: int) -> list[int]:
    """How many nodes each level has, the lowest first."""
    sizes = [max(1, ceil((tokens - NODE_OVERLAP) / (NODE_TOKENS - NODE_OVERLAP)))]
    while sizes[-1] > CHILDREN:
        sizes.append(ceil(sizes[-1] / CHILDREN))
    return sizes
