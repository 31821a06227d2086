from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.cases.case import Context, Placed
from niah.cases.questions.question_set import question_set_path
from niah.cases.samples import question_samples
from niah.runs.retrieval import evaluate, found
from niah.strategies.facts import Selection
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


def placed(id: str, text: str, context: str, *elements: str) -> Placed:
    start = context.index(text)
    return Placed(id, text, elements, start, start + len(text), token_start=0, asked_token=0)


class Digits:
    """Scores a chunk by the digits in it, added up."""

    name = "digits"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(sum(int(c) for c in text if c.isdigit())) for text in texts])


# Passages of at most 7 tokens: every sentence has 5 ("He", " is", " ", "4", ".") and one to itself.
TEXT = "He is 4. He is 1.\n\nHe is 5. He is 2. He is 3."
FIVE = Context(
    TEXT,
    (
        placed("first", "He is 4.", TEXT, "four"),
        placed("second", "He is 5.", TEXT, "five"),
        placed("third", "He is 2. He is 3.", TEXT, "two", "three"),
    ),
    (),
    tokens=count(TOKENIZER, TEXT),
    prompt_tokens=0,
)


def selected(strategy: str) -> Selection:
    return select(parse(strategy), FIVE, "Who?", TOKENIZER, 1000, lambda name: Digits())


@pytest.mark.parametrize(
    ("k", "whole", "partly"),
    [
        (1, {"second"}, set()),  # 5
        (2, {"first", "second"}, set()),  # 5 4
        (3, {"first", "second"}, {"third"}),  # 5 4 3: the second half of "third"
        (4, {"first", "second", "third"}, set()),  # 5 4 3 2: both halves, next to each other
    ],
)
@pytest.mark.parametrize("order", ["norm", "document"])
def test_what_is_found_whole_and_in_part(k: int, whole: set[str], partly: set[str], order: str) -> None:
    selection = selected(f"tfidf/top-{k}/{order}@7")
    within = found(FIVE.needles, selection, FIVE.text)
    assert within.whole == whole
    assert within.in_part == partly
    assert selection.facts is not None
    assert selection.facts.completeness == len(whole) / 3


def test_given_questions_are_held_against_their_evidence() -> None:
    sample = question_samples(question_set_path("essays"), "cl100k", "lc-vs-rag")[0]
    lc, part, none = evaluate(
        [sample], list(map(parse, ("lc", "bm25/half/document@100", "closed-book"))), print
    )
    assert [row["completeness"] for row in (lc, part, none)] == [1, 1, 0]
    names = ("question_set", "document_id", "needle_set", "haystack", "depth", "seed")
    assert [part[name] for name in names] == ["essays", "essays/twelve-seconds", None, None, None, None]
    assert part["context_tokens"] <= sample.tokens / 2
