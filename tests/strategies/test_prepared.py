"""What strategies that ask a model first make of replies that are known: worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.retrieval.retriever import Retriever
from niah.strategies.facts import RankedChunk, Selection
from niah.strategies.prepared.steps import (
    AskedQuestion,
    CallBound,
    Chosen,
    ModelCall,
    PreparedDocument,
    PreparedStrategy,
    Steps,
)
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk
from niah.text.tokenizer import count, get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


def run_steps(steps: Steps[Any], answer: Callable[[ModelCall], str]) -> Any:
    """Run them to their end, one call after another."""
    replies: list[str] | None = None
    while True:
        try:
            calls = next(steps) if replies is None else steps.send(replies)
        except StopIteration as end:
            return end.value
        replies = [answer(call) for call in calls]


class Asked:
    """Runs a strategy's steps with replies from a script, and keeps the calls."""

    def __init__(
        self, name: str, reply: Callable[[ModelCall], str], retriever: Retriever | None = None
    ) -> None:
        strategy = parse(name).prepared
        assert strategy is not None
        self.strategy: PreparedStrategy = strategy
        self.calls: list[ModelCall] = []
        self.material: Any = None
        self._script, self._retriever = reply, retriever or Topics()

    def _reply(self, call: ModelCall) -> str:
        self.calls.append(call)
        return self._script(call)

    def selected(self, definition: str) -> Selection:
        """What another strategy makes of the text: its own name, and the place of its first word."""
        chunk = RankedChunk(1, 1.0, Chunk(0, 0, 4, 0, 1), ())
        return Selection(f"<{definition}>", len(definition), (chunk,))

    def _question(self, text: str, room: int) -> AskedQuestion:
        document = PreparedDocument(text, TOKENIZER, lambda: self._retriever)
        return AskedQuestion(document, "Who?", room, lambda shown: f"{shown} Who?", 48, self.selected)

    def choose(self, text: str, room: int = 100_000) -> Chosen:
        question = self._question(text, room)
        self.material = run_steps(self.strategy.document(question.document), self._reply)
        chosen: Chosen = run_steps(self.strategy.question(question, self.material), self._reply)
        return chosen

    def bounds(self, text: str, room: int = 100_000) -> list[CallBound]:
        return [*self.strategy.bounds(self._question(text, room))]


# 3,100 tokens: nodes of 300 that start 280 apart make 11; ten of them and one have a summary each.
ELEVEN_NODES = " ".join(["word"] * 3_100)


# A hundred sentences of ten words.
HUNDRED = " ".join(f"Here stands sentence number {i} of a hundred long ones." for i in range(1, 101))


class Topics:
    """Embeds a text by the letters in it, and scores it by its digits."""

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        drawn = np.random.default_rng(1).normal(scale=0.05, size=(len(texts), 24))
        rows = drawn + [[float("A" in text), float("B" in text), *[0.0] * 22] for text in texts]
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(sum(int(c) for c in text if c.isdigit())) for text in texts])


# Forty leaves of one sentence, by turns of two topics.
FORTY = " ".join(f"{'AB'[i % 2]} has {'7' if i == 7 else 'x'} here." for i in range(40))


TEXTS = (FORTY, HUNDRED, ELEVEN_NODES, "It is. " * 900, HUNDRED * 4, ELEVEN_NODES * 12)
ASKING = "readagent-2 readagent-sequential-3 tree-index tree-index-3 route(bm25/half/norm,lc) dos+summary-60"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("raptor-pca:minilm/top-3/norm@8", FORTY),
        ("raptor-pca:minilm/top-3/norm@16", HUNDRED),
        ("mixpr-reader", HUNDRED),
        *product(ASKING.split(), TEXTS),
    ],
)
def test_a_plan_is_never_below_replies_that_fill_their_room(name: str, text: str) -> None:
    def reply(call: ModelCall) -> str:
        """Pages end as early as they may."""
        if call.step == "page":
            return str(re.findall(r"<\d+>", call.prompt)[1])
        said = {"choice": "1, 2, 3", "look-up": f"[{len(asked.calls)}, 1, 2]", "routing": "n"}
        return said.get(call.step) or " word" * (call.max_tokens - 1)

    asked = Asked(name, reply)
    asked.choose(text)
    bounds = asked.bounds(text)
    assert len(asked.calls) <= sum(bound.calls for bound in bounds)
    prompts = sum(count(TOKENIZER, call.prompt) for call in asked.calls)
    assert prompts <= sum(bound.prompt_tokens for bound in bounds)
    assert sum(call.max_tokens for call in asked.calls) <= sum(bound.reply_tokens for bound in bounds)
