from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.strategies.facts import Selection
from niah.strategies.select import noise_to_add, select
from niah.strategies.strategy import parse
from tests.strategies.test_select import TOKENIZER, context, facts_of

# Forty passages for @8, one a paragraph; the needles are the 4th, 14th, 24th and 34th.
SENTENCES = [f"{'Key' if i % 10 == 3 else 'Day'} {i} was here." for i in range(40)]
TEXT = "\n\n".join(SENTENCES)


class KeysFirst:
    """Needles in their order, then every other passage in its own."""

    name = "keys-first"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([("Key" in text) - i / 1000 for i, text in enumerate(texts)])


NEEDLES = [sentence for sentence in SENTENCES if sentence.startswith("Key")]


def apply(strategy: str, room: int = 10_000, seed: str = "case") -> Selection:
    subject = context(TEXT, *NEEDLES)
    return select(parse(strategy), subject, "Who?", TOKENIZER, room, lambda name: KeysFirst(), seed=seed)


def places(selection: Selection) -> list[int]:
    return [ranked.chunk.index for ranked in selection.chunks]


@pytest.mark.parametrize(
    ("retrieved", "with_needles", "ratio", "added"),
    [
        (5, 3, 0.5, 1),  # 2 of 5 are noise, 3 of 6
        (10, 3, 0.7, 0),  # 7 of 10 are seven tenths
        (10, 3, 0.71, 1),  # 8 of 11 are 0.727; 7 of 10 are not enough
        (4, 0, 0.9, 0),
    ],
)
def test_what_a_ratio_takes(retrieved: int, with_needles: int, ratio: float, added: int) -> None:
    assert noise_to_add(retrieved, with_needles, ratio) == added


def test_random_chunks_beside_what_was_retrieved() -> None:
    plain, half, more = (apply(f"tfidf/top-4/norm@8{noise}") for noise in ("", "+noise-0.5", "+noise-0.8"))
    assert places(plain) == [3, 13, 23, 33]
    assert (facts_of(half).noise_ratio, facts_of(half).retrieved, facts_of(half).added) == (0.5, 8, 4)
    assert (facts_of(more).noise_ratio, facts_of(more).retrieved, facts_of(more).added) == (0.8, 20, 16)
    # The best first: what was retrieved, then noise as the retriever ranks it. More noise holds the less.
    assert places(half)[:4] == places(more)[:4] == [3, 13, 23, 33]
    assert places(half)[4:] == sorted(places(half)[4:])
    assert set(places(half)) < set(places(more))
    assert facts_of(half).needle_ranks == facts_of(plain).needle_ranks == (1, 2, 3, 4)
    assert facts_of(half).completeness == 1


@settings(deadline=None)
@given(st.integers(0, 300), st.sampled_from(["top-4", "half", "full", "budget-30"]), st.integers(1, 19))
def test_room_runs_out(room: int, scope: str, twentieths: int) -> None:
    strategy, ratio = f"tfidf/{scope}/document@8", twentieths / 20
    plain, noisy = apply(strategy, room), apply(f"{strategy}+noise-{ratio:g}", room)
    assert set(places(plain)) <= set(places(noisy))
    assert noisy.context_tokens <= max(room, plain.context_tokens)
    facts = facts_of(noisy)
    assert facts.retrieved == facts_of(plain).retrieved + facts.added
    assert (facts.noise_ratio is None) == (facts.retrieved == 0)
    if facts.noise_ratio is not None and facts.retrieved < 40 and facts.noise_ratio < ratio:
        # 7 tokens a passage, and 1 for what may stand between two: no room for one more.
        assert noisy.context_tokens + 9 > room
