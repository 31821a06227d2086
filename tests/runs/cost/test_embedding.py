"""What embedding will take: against the chunks that contexts really have, and by hand."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.retrieval.dense import DenseRetriever
from niah.runs.cost.embedding import embedders_of, plan_embedding, plan_local_embedding
from niah.runs.cost.estimate.planned_use import PlannedUse
from niah.runs.cost.prices.price import Price, Rates
from niah.runs.trial import Trial
from niah.strategies.select import select
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.embedding import Embedder
from niah.text.encoders import TextSide
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt

NAME = "openai/text-embedding-3-small"
PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.001"), Decimal(0)),))


def trial(length: int, depth: float = 50, chunks: str = "@100", **more: object) -> Trial:
    case = Case("three-gates", "essays", length, depth, **more)  # type: ignore[arg-type]
    return Trial(unbuilt(case), parse(f"{NAME}/top-5/norm{chunks}"), "r", 0, 64)


def plan(left: list[Trial], done: list[Trial] | None = None) -> PlannedUse:
    (made,) = plan_embedding(left, done or [], {NAME: PRICE})
    return made


def _texts(cases: list[Case], strategy: str) -> set[str]:
    """What the packaged model is given for them."""
    noting = _Noting()
    retriever, counted = DenseRetriever(noting, in_sentences=True), get_tokenizer("cl100k")
    for case in cases:
        sample = sample_of(case)
        select(parse(strategy), build_context(case), "", counted, sample.context_room, lambda name: retriever)
    return noting.texts


class _Noting(Embedder):
    def __init__(self) -> None:
        self.name = "noting"
        self.texts: set[str] = set()

    def embed(self, texts: Sequence[str], side: TextSide = "passage") -> list[NDArray[np.float32]]:
        self.texts |= set(texts)
        return [np.ones((1, 1), dtype=np.float32)] * len(texts)


@pytest.mark.parametrize("strategy", ["topk", "dos", "rag-dense", "topk@600-100"])
def test_what_is_embedded_here_is_near_the_estimate(
    strategy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    cases = [
        Case("three-gates", "essays", length, depth) for length in (2048, 8192) for depth in (0, 50, 100)
    ]
    trials = [Trial(sample_of(case), parse(strategy), "r", 0, 64) for case in cases]
    made = plan_local_embedding(trials, [])
    assert made is not None
    embedded = sum(count(get_tokenizer("cl100k"), text) for text in _texts(cases, strategy))
    assert 0.75 <= made.tokens / embedded <= 1.25
    assert made.seconds == pytest.approx(made.tokens / 4_800)
    finished = plan_local_embedding(trials[:1], trials)
    assert finished is not None
    assert finished.tokens == 0


def test_nobody_embeds_here_for_words_or_providers() -> None:
    trials = [Trial(trial(1000).sample, parse(name), "r", 0, 64) for name in ("lc", "bm25/top-5/norm")]
    assert plan_local_embedding([*trials, trial(1000)], []) is None


QUESTION = count(get_tokenizer("cl100k"), trial(1000).sample.key.question)


def cut(text: str, chunks: str) -> list[Chunk]:
    starts = get_tokenizer("cl100k").starts(text)
    match chunks:
        case "@windows":
            return windows(text, starts)
        case "@600-100":
            return windows(text, starts, equal_steps=True)
        case "@sentences":
            return sentences(text, starts)
        case _:
            return passages(text, starts, int(chunks[1:]))


@pytest.mark.parametrize("lengths", [[700], [2048, 8192]])
def test_what_is_embedded_is_near_the_estimate(lengths: list[int]) -> None:
    cases = [
        Case("three-gates", "essays", length, depth, seed)
        for length in lengths
        for depth in (0, 25, 50, 75, 100)
        for seed in (1, 2)
    ]
    counted, texts = get_tokenizer("cl100k"), [build_context(case).text for case in cases]
    for chunks in ("@windows", "@600-100", "@sentences", "@100", "@300"):
        distinct = {text[c.start : c.end] for text in texts for c in cut(text, chunks)}
        embedded = sum(count(counted, text) for text in distinct) + 2 * QUESTION
        trials = [trial(case.context_length, case.depth, chunks, seed=case.seed) for case in cases]
        assert 0.85 <= plan(trials).prompt_tokens / embedded <= 1.25


def test_by_hand() -> None:
    short, long, other = trial(1000), trial(3000), trial(3000, 25)
    alone = plan([long])
    assert alone.prompt_tokens == long.sample.tokens + QUESTION
    assert (alone.calls, alone.answer_tokens, alone.seconds) == (2, 0, None)
    assert alone.usd == alone.prompt_tokens * Decimal("0.001")
    assert alone.to_budget.of("tok") == alone.prompt_tokens
    # Three needles, a passage each, are all that the others have of their own; the longest counts whole.
    together = plan([short, long, other])
    assert together.prompt_tokens == long.sample.tokens + 2 * 3 * 100 + QUESTION
    # Another strategy, repeat or reader that cuts alike embeds nothing anew.
    alike = Trial(long.sample, parse(f"{NAME}/half/document@100"), "another", 1, 64)
    assert plan([long, alike]) == alone


def test_a_hybrid_embeds_what_its_model_does_alone() -> None:
    long = trial(3000)
    hybrid = Trial(long.sample, parse(f"hybrid:{NAME}/top-5/norm@100"), "r", 0, 64)
    assert plan([hybrid]) == plan([long]) == plan([hybrid, long])


def test_windows_by_hand() -> None:
    one = trial(2000, chunks="@windows")
    # Steps of 500 tokens make 600/500 of it; a seventh shorter, 600 / (500 x 6/7) = 7/5.
    assert plan([one]).prompt_tokens == -(-one.sample.tokens * 7 // 5) + QUESTION


def test_windows_at_equal_steps_by_hand() -> None:
    one, other = trial(2000, chunks="@600-100"), trial(2000, 75, chunks="@600-100")
    whole = -(-one.sample.tokens * 6 // 5)
    assert plan([one]).prompt_tokens == whole + QUESTION
    # The deeper one counts whole; of the other all behind the needle is new, half, and the window it is in.
    assert plan([one, other]).prompt_tokens == whole + -(-whole // 2) + 600 + QUESTION


def test_chunks_are_as_small_as_a_fill_wants_them() -> None:
    whole = trial(2000, chunks="@windows")
    fill = Trial(whole.sample, parse(f"{NAME}/budget-300/norm"), "r", 0, 64)
    # Windows of 600 do not fit in 300: these are other chunks of the same context.
    assert plan([whole, fill]).prompt_tokens > plan([whole]).prompt_tokens + whole.sample.tokens


def test_finished_trials_are_subtracted() -> None:
    long, other = trial(3000), trial(3000, 25)
    assert plan([other], [long]).prompt_tokens == 3 * 100
    assert (plan([other], [other]).prompt_tokens, plan([other], [other]).calls) == (0, 0)
    assert plan_embedding([], [long], {NAME: PRICE}) == ()


def test_an_unknown_price() -> None:
    (made,) = plan_embedding([trial(3000)], [], {NAME: None})
    assert (made.usd, made.free) == (None, False)


def test_only_what_is_asked_over_the_network_is_named() -> None:
    names = [f"{NAME}/top-5/norm", "tfidf/top-5/norm", "arctic/top-5/norm", "lc", "oracle"]
    assert embedders_of([parse(name) for name in names]) == (NAME,)
    assert embedders_of(
        [parse(f"hybrid:{NAME}/top-5/norm"), parse("rag-hybrid:arctic"), parse("rag-hybrid")]
    ) == (NAME,)
    assert plan_embedding([Trial(trial(1000).sample, parse("lc"), "r", 0, 64)], [], {}) == ()
