"""Bounds of prompts against what is really sent, and by hand; plans are in tests/cli/test_budget.py."""

from __future__ import annotations

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.runs.cost.estimate import tokens_of
from niah.runs.execution.prepare import prepare
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer


def trial(strategy: str, length: int) -> Trial:
    return Trial(sample_of(Case("three-gates", "essays", length, 50)), parse(strategy), "r", 0, 64)


@pytest.mark.parametrize("length", [700, 3000])
@pytest.mark.parametrize(
    "strategy",
    [
        *("lc", "closed-book", "oracle", "oracle+noise-0.7", "mixpr/top-5/norm+noise-0.8"),
        *("tfidf/top-3/norm@100", "tfidf/top-3/norm@100+noise-0.9", "tfidf/half/document@600-100+noise-0.6"),
        *(
            "tfidf/top-2/document",
            "tfidf/top-auto/sides",
            "tfidf/budget-300/norm",
            "tfidf/top-5/norm@sentences",
        ),
    ],
)
def test_no_prompt_is_above_its_bound(strategy: str, length: int) -> None:
    planned = trial(strategy, length)
    prepared = prepare(planned, lambda _: None)
    sent = count(get_tokenizer("cl100k"), prepared.request.prompt)
    tokens = tokens_of(planned)
    assert sent <= tokens.prompt_at_most
    assert tokens.prompt <= tokens.prompt_at_most


def test_bounds_by_hand() -> None:
    # Closed-book sends the prompt alone: P. Every other bound is P and 32 above what stands in its place.
    empty = tokens_of(trial("closed-book", 2000))
    prompt, room = empty.prompt, 2000 - empty.prompt
    bounds = {
        "closed-book": (0, 0),
        "lc": (room, room),
        "tfidf/half/norm": (room // 2, room // 2),
        "tfidf/budget-300/norm": (300, 300),
        "tfidf/top-5/norm@100": (500, 540),  # 8 more each where they are joined
        "tfidf/top-auto/norm@100": (500, 540),  # 3 needles: 5 chunks
        "tfidf/top-50/norm@100": (room, room + 50 * 8),  # the context has no more than its room
        "tfidf/top-10/norm": (room * 600 // 500, 10 * 608),  # windows share 100 tokens
        "tfidf/top-5/norm@100+noise-0.8": (1500, room),  # 3 needles' passages are a fifth of 15
    }
    for strategy, (expected, most) in bounds.items():
        tokens = tokens_of(trial(strategy, 2000))
        assert (tokens.prompt, tokens.prompt_at_most) == (prompt + expected, prompt + most + 32), strategy
