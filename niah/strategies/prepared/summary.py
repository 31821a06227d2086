"""Summaries in place of text: of what is retrieved, for the question; or of everything, as a tree.

TreeIndex is as in long-context-vs-rag (section 4.2), which took LlamaIndex's: nodes of 300 tokens that share
20, groups of ten neighbours, a summary each, and summaries of summaries until ten or fewer are left. For a
question the model reads the nodes of the highest level and picks some, then their children, down to the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    GetRetriever,
    ModelCall,
    Node,
    Part,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    Steps,
    render,
    summaries,
)
from niah.text.chunks import windows

NODE_TOKENS, NODE_OVERLAP = 300, 20
CHILDREN = 10
_MOST_TOKENS, _SUMMARY_ROOM = NODE_TOKENS + SLACK_TOKENS, 256
_MARK_TOKENS = 6
"""Of a node's number in a prompt, and of the blank line behind it."""
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, kw_only=True)
class Summarised(PreparedStrategy):
    """``STRATEGY+summary-N``: what its source sends, summarised in so many tokens at most."""

    templates = ("compress",)
    tokens: int

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """A summary as long as it may be."""
        return min(room, self.tokens), min(room, self.tokens)

    def question(
        self, document: PreparedDocument, material: Any, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """The summary alone."""
        text = question.selected(str(self.sources[0])).text
        most = min(self.tokens, question.room)
        prompt = render("compress", text=text, question=question.text, tokens=most)
        (summary,) = yield [ModelCall("summary", prompt, most)]
        if not summary.strip():
            raise PreparationFailed("the summary is empty")
        return Chosen([Part(summary.strip())])

    def question_bounds(self, document: PreparedDocument, question: AskedQuestion) -> Sequence[CallBound]:
        """One summary."""
        text = question.selected(str(self.sources[0])).context_tokens
        prompt = document.template_tokens("compress") + document.count(question.text) + text
        return [CallBound(1, prompt, min(self.tokens, question.room))]


@dataclass(frozen=True, kw_only=True)
class TreeIndex(PreparedStrategy):
    """``tree-index-N``: N children are picked on every level."""

    templates = ("tree-index-summary", "tree-index-choice")
    branches: int

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """As many nodes of the text as are picked on the lowest level."""
        picked = min(_level_sizes(context_tokens)[0], self.branches)
        return min(context_tokens, picked * NODE_TOKENS), picked * _MOST_TOKENS

    def document(self, document: PreparedDocument, retriever: GetRetriever) -> Steps[list[list[Node]]]:
        """The tree's levels, the lowest first; the highest has ten nodes or fewer."""
        text = document.text
        leaves = windows(text, document.starts, NODE_TOKENS, NODE_OVERLAP, equal_steps=True)
        levels = [[Node(text[leaf.start : leaf.end], (leaf.start, leaf.end)) for leaf in leaves]]
        while (below := len(levels[-1])) > CHILDREN:
            groups = [tuple(range(i, min(i + CHILDREN, below))) for i in range(0, below, CHILDREN)]
            levels.append((yield from summaries("tree-index-summary", levels[-1], groups, _SUMMARY_ROOM)))
        return levels

    def document_bounds(self, document: PreparedDocument) -> Sequence[CallBound]:
        """Each node of a level is read once, for a summary of the next."""
        sizes, template = _level_sizes(len(document.starts)), document.template_tokens("tree-index-summary")
        calls = sum(sizes[1:])
        prompts = sizes[0] * (_MOST_TOKENS + 2) + calls * (_SUMMARY_ROOM + 2 + template)
        return [CallBound(calls, prompts, calls * _SUMMARY_ROOM)] if calls else []

    def question(
        self, document: PreparedDocument, material: Any, question: AskedQuestion, retriever: GetRetriever
    ) -> Steps[Chosen]:
        """Down the tree; the text's nodes in document order."""
        levels: list[list[Node]] = material
        picked = offered = list(range(len(levels[-1])))
        for level in reversed(levels):
            picked, most = offered, min(self.branches, len(offered))
            if most < len(offered):
                (reply,) = yield [_choice([level[i].text for i in offered], question.with_options, most)]
                picked = [offered[place] for place in _picked(reply, len(offered))[:most]]
                if not picked:
                    line = " ".join(reply.split())[:60]
                    raise PreparationFailed(f"the model picked none of {len(offered)} nodes: {line!r}")
            offered = sorted({child for number in picked for child in level[number].children})
        return Chosen([levels[0][number] for number in sorted(picked)], available=len(levels[0]))

    def question_bounds(self, document: PreparedDocument, question: AskedQuestion) -> Sequence[CallBound]:
        """A choice on each level that has more nodes than are picked, among the children of those above."""
        sizes = [size for size in _level_sizes(len(document.starts)) if size > self.branches]
        offered = sum(min(size, self.branches * CHILDREN) for size in sizes)
        around = document.template_tokens("tree-index-choice") + document.count(question.with_options)
        prompts = len(sizes) * around + offered * (_MOST_TOKENS + _MARK_TOKENS)
        return [CallBound(len(sizes), prompts, len(sizes) * (16 + 4 * self.branches))] if sizes else []


def _choice(texts: Sequence[str], question: str, most: int) -> ModelCall:
    prompt = render("tree-index-choice", choices=texts, question=question, most=most)
    return ModelCall("choice", prompt, 16 + 4 * most, lambda reply: bool(_picked(reply, len(texts))))


def _level_sizes(tokens: int) -> list[int]:
    """How many nodes each level has, the lowest first."""
    sizes = [max(1, ceil((tokens - NODE_OVERLAP) / (NODE_TOKENS - NODE_OVERLAP)))]
    while sizes[-1] > CHILDREN:
        sizes.append(ceil(sizes[-1] / CHILDREN))
    return sizes


def _picked(reply: str, offered: int) -> list[int]:
    """Places of the numbers in a reply that were offered, from 0, each once."""
    numbers = dict.fromkeys(map(int, _NUMBERS.findall(reply[:200])))
    return [number - 1 for number in numbers if 1 <= number <= offered]
