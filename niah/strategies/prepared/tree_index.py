"""A tree of summaries over neighbouring nodes, in which the model picks a child on every level.

As in long-context-vs-rag (section 4.2), which took LlamaIndex's: nodes of 300 tokens that share 20, groups of
ten neighbours, a summary each, and summaries of summaries until ten or fewer are left. For a question the
model reads the nodes of the highest level and picks some, then their children, down to the text itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from random import Random

from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.prepared.steps import (
    AskedQuestion,
    Chosen,
    GetRetriever,
    ModelCall,
    Part,
    PreparationFailed,
    PreparedDocument,
    PreparedStrategy,
    Steps,
    expected_text,
)
from niah.strategies.prepared.templates import render
from niah.text.chunks import windows

NODE_TOKENS, NODE_OVERLAP = 300, 20
CHILDREN = 10
_SUMMARY_TOKENS = 100
_SUMMARY_ROOM = 256
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class TreeNode:
    """A node: of the lowest level with its place in the document, of others with its children's numbers."""

    text: str
    place: tuple[int, int] | None
    children: tuple[int, ...] = ()


TreeLevels = Sequence[Sequence[TreeNode]]
"""The lowest first; the highest has ten nodes or fewer."""


@dataclass(frozen=True)
class TreeIndex(PreparedStrategy):
    """``tree-index-N``: N children are picked on every level."""

    branches: int = 1

    templates = ("tree-index-summary", "tree-index-choice")

    def __str__(self) -> str:
        return f"tree-index-{self.branches}"

    @property
    def description(self) -> str:
        """One line for people."""
        picked = "one child" if self.branches == 1 else f"{self.branches} children"
        return f"a tree of summaries in which the model picks {picked} on every level"

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """As many nodes of the text as are picked on the lowest level."""
        nodes = max(1, ceil((context_tokens - NODE_OVERLAP) / (NODE_TOKENS - NODE_OVERLAP)))
        picked = min(nodes, self.branches)
        return min(context_tokens, picked * NODE_TOKENS), picked * (NODE_TOKENS + SLACK_TOKENS)

    def document(self, document: PreparedDocument, retriever: GetRetriever | None) -> Steps[TreeLevels]:
        """The tree."""
        text = document.text
        leaves = windows(text, document.starts, NODE_TOKENS, NODE_OVERLAP, equal_steps=True)
        levels = [[TreeNode(text[leaf.start : leaf.end], (leaf.start, leaf.end)) for leaf in leaves]]
        while len(levels[-1]) > CHILDREN:
            below = levels[-1]
            groups = [
                tuple(range(first, min(first + CHILDREN, len(below))))
                for first in range(0, len(below), CHILDREN)
            ]
            texts = ["\n\n".join(below[child].text for child in group) for group in groups]
            summaries = yield [
                ModelCall(
                    "summary",
                    render("tree-index-summary", text=text),
                    _SUMMARY_ROOM,
                    expected_text(_SUMMARY_TOKENS, text),
                )
                for text in texts
            ]
            levels.append(
                [
                    TreeNode(summary, None, group)
                    for summary, group in zip(_all_said(summaries), groups, strict=True)
                ]
            )
        return levels

    def question(
        self,
        document: PreparedDocument,
        material: TreeLevels,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """Down the tree; the text's nodes in document order."""
        offered = list(range(len(material[-1])))
        for level, leaves_under in zip(reversed(material), reversed(_leaves_under(material)), strict=True):
            picked = offered
            if len(offered) > self.branches:
                call = self._choice(
                    question.with_options,
                    [level[number].text for number in offered],
                    [leaves_under[number] for number in offered],
                )
                (reply,) = yield [call]
                picked = [offered[place] for place in _picked(reply, len(offered))[: self.branches]]
                if not picked:
                    raise PreparationFailed(f"the model picked none of {len(offered)} nodes: {_short(reply)}")
            offered = sorted({child for number in picked for child in level[number].children})
        leaves = [material[0][number] for number in sorted(picked)]
        return Chosen([Part(leaf.text, leaf.place) for leaf in leaves], available=len(material[0]))

    def _choice(self, question: str, texts: Sequence[str], leaves_under: Sequence[int]) -> ModelCall:
        most = min(self.branches, len(texts))
        prompt = render("tree-index-choice", choices=texts, question=question, most=most)
        drawn = _drawn(prompt, leaves_under)[:most]
        return ModelCall(
            "choice",
            prompt,
            16 + 4 * most,
            ", ".join(str(place + 1) for place in drawn),
            lambda reply: bool(_picked(reply, len(texts))),
        )


def _leaves_under(levels: TreeLevels) -> list[list[int]]:
    """Of each node of each level, of how many leaves it is made; the lowest level first."""
    counts = [[1] * len(levels[0])]
    for level in levels[1:]:
        counts.append([sum(counts[-1][child] for child in node.children) for node in level])
    return counts


def _drawn(prompt: str, leaves_under: Sequence[int]) -> list[int]:
    """Places in the order of a lot that the prompt alone decides, for plans.

    The answer may stand in any leaf, so that a node of ten is likelier to lead to it than one of four.
    Drawn without replacement by weight (Efraimidis and Spirakis 2006, A-ES).
    """
    lot = Random(prompt)
    keys = [lot.random() ** (1 / leaves) for leaves in leaves_under]
    return sorted(range(len(keys)), key=lambda place: -keys[place])


def _picked(reply: str, offered: int) -> list[int]:
    """Places of the numbers in a reply that were offered, from 0, each once."""
    numbers = dict.fromkeys(map(int, _NUMBERS.findall(reply[:200])))
    return [number - 1 for number in numbers if 1 <= number <= offered]


def _all_said(summaries: Sequence[str]) -> Sequence[str]:
    if empty := sum(not summary.strip() for summary in summaries):
        raise PreparationFailed(f"{empty} of {len(summaries)} summaries are empty")
    return [summary.strip() for summary in summaries]


def _short(reply: str) -> str:
    line = " ".join(reply.split())
    return repr(line[:60])
