"""What the names of strategies mean, and what they select of a context, by hand and for any text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from niah.cases.case import Context, Placed
from niah.errors import StrategyError
from niah.retrieval.retriever import Retriever
from niah.strategies.chunkers import Expand, merge_leaves, sentence_windows
from niah.strategies.facts import RetrievalFacts, Selection
from niah.strategies.select import select
from niah.strategies.strategy import parse, parse_brought
from niah.text.chunks import Chunk
from niah.text.tokenizer import count, get_tokenizer

TOKENIZER = get_tokenizer("cl100k")


def context(text: str, *needles: str) -> Context:
    """A context with the first mention of each needle; they are called n1, n2 ..."""
    starts = [text.index(needle) for needle in needles]
    placed = (
        Placed(f"n{i}", needle, (), start, start + len(needle), token_start=0, asked_token=0)
        for i, (needle, start) in enumerate(zip(needles, starts, strict=True), start=1)
    )
    return Context(text, tuple(placed), (), count(TOKENIZER, text), 0)


class Marks:
    """Scores a chunk by the digits in it, added up: texts say themselves how they shall rank."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([float(sum(int(c) for c in text if c.isdigit())) for text in texts])


def apply(
    definition: str, subject: Context, room: int = 10_000, retriever: Retriever | None = None
) -> Selection:
    made = retriever or Marks()
    return select(parse(definition), subject, "Who?", TOKENIZER, room, lambda name: made, seed="case")


def facts_of(selection: Selection) -> RetrievalFacts:
    assert selection.facts is not None
    return selection.facts


# Five passages for @7: each sentence has 5 tokens ("He", " is", " ", "4", ".").
FIVE = context("He is 4. He is 1.\n\nHe is 5. He is 2. He is 3.", "He is 5.", "He is 2. He is 3.")


def texts(selection: Selection, subject: Context = FIVE) -> list[str]:
    return [subject.text[r.chunk.start : r.chunk.end] for r in selection.chunks]


def test_facts_worked_out_by_hand() -> None:
    # Passages: 0 "4", 1 "1", 2 "5" = needle 1, 3 "2" and 4 "3" = needle 2 in two. Best three: 2, 0, 4.
    selection = apply("tfidf/top-3/norm@7", FIVE)
    assert selection.facts == RetrievalFacts(
        completeness=1 / 2,  # needle 2 lacks passage 3
        needle_ranks=(1, None),
        needle_split=(False, True),
        noise_ratio=1 / 3,  # passage 0; passage 4 holds part of needle 2
        retrieved=3,
        available=5,
        best=((19, 27), (0, 8), (37, 45)),
    )
    assert [r.needles for r in selection.chunks] == [("n1",), (), ()]


def test_a_needle_partly_in_a_window() -> None:
    # 590 tokens, the needle, 410 tokens: the first window (0-600) cuts it, the second (500-) holds it.
    needle = "The 7 keys that open it are under the old stone bridge."
    subject = context(" ".join(["one"] * 590 + [needle] + ["one"] * 410), needle)
    selection = apply("tfidf/top-2/norm", subject)
    assert [r.needles for r in selection.chunks] == [(), ("n1",)]
    # "The 7" is in both: both score 7, ties go by the document, and neither is noise.
    facts = facts_of(selection)
    assert replace(facts, best=()) == RetrievalFacts(1, (2,), (False,), 0, 2, 2)
    assert [subject.text[start:end] for start, end in facts.best][1].count(needle) == 1


_PARAGRAPH = st.lists(
    st.sampled_from(["He is 7.", "It was 3 o'clock and", "so 2 of us went. Then", "9", "why?"]),
    min_size=1,
    max_size=12,
).map(" ".join)
_TEXT = st.lists(_PARAGRAPH, max_size=12).map("\n\n".join)
_ORDER = st.sampled_from(["norm", "reverse", "document", "sides"])


@settings(deadline=None)
@given(_TEXT, _ORDER, st.sampled_from(["", "@7", "@30"]), st.integers(0, 300))
def test_a_fill_is_never_over(text: str, order: str, suffix: str, room: int) -> None:
    for scope, limit in (("half", room // 2), ("full", room), ("budget-40", min(40, room))):
        selection = apply(f"tfidf/{scope}/{order}{suffix}", context(text), room)
        assert count(TOKENIZER, selection.text) == selection.context_tokens <= limit


@settings(deadline=None)
@given(_TEXT, _ORDER, st.sampled_from(["@7", "@30"]), st.integers(38, 300))
def test_a_fill_could_not_take_one_chunk_more(text: str, order: str, suffix: str, room: int) -> None:
    facts = facts_of(apply(f"tfidf/full/{order}{suffix}", context(text), room))
    if facts.retrieved < facts.available:
        more = apply(f"tfidf/top-{facts.retrieved + 1}/{order}{suffix}", context(text))
        assert more.context_tokens > room


def test_windows_are_made_to_fit_a_small_room() -> None:
    # Half of 900 is less than a window of 600; 442 tokens are left for one, with the overlap in proportion.
    subject = context(" ".join(["9"] + ["one"] * 880))
    selection = apply("tfidf/half/norm", subject, room=900)
    (best,) = selection.chunks
    assert (best.chunk.token_start, best.chunk.token_end) == (0, 442)
    assert selection.text.startswith("9")
    assert facts_of(selection).available == 3  # steps of 442 - 100 * 442 // 600: 0, 369, 738


def test_where_nobody_knows_the_evidence() -> None:
    def blind(definition: str) -> Selection:
        subject = context("He is 4. He is 1. He is 5. He is 2. He is 3. He is 0.")
        return select(
            parse(definition), subject, "Who?", TOKENIZER, 99, lambda _: Marks(), evidence_is_known=False
        )

    chosen = blind("tfidf/top-auto/norm@7")
    assert facts_of(chosen) == RetrievalFacts(None, None, None, None, 5, 6, facts_of(chosen).best)
    assert [r.needles for r in chosen.chunks] == [()] * 5
    assert facts_of(blind("tfidf/full/document@7")).completeness is None
    assert blind("lc").facts is None
    with pytest.raises(StrategyError, match="oracle needs to know"):
        blind("oracle")


def test_of_what_is_retrieved_the_best_sentences_are_kept() -> None:
    # Of three passages of two sentences the last two are retrieved; sentences are scored anew, one by one.
    text = "He is 7. He is 0.\n\nHe is 5. He is 4.\n\nHe is 9. He is 1."
    subject = context(text, "He is 5.", "He is 7.")
    kept = apply("bm25/top-2/document@12+sentences-12", subject)
    assert kept.text == "He is 5.\n\nHe is 9."
    assert kept.context_tokens <= 12
    facts = facts_of(kept)
    assert (facts.retrieved, facts.available, facts.completeness) == (2, 6, 0.5)
    assert facts.needle_ranks == (2, None)
    # Room for more is not filled with what was not retrieved.
    assert "7" not in apply("bm25/top-2/document@12+sentences-500", subject).text
    # Sentences that follow each other stand as in the text.
    assert apply("bm25/top-2/document@12+sentences-17", subject).text == "He is 5. He is 4.\n\nHe is 9."
    assert apply("bm25/top-1/norm@12+sentences-500", subject).text == "He is 9.\n\nHe is 1."


# Noise: random chunks without a needle.

# Forty passages for @8, one a paragraph; the needles are the 4th, 14th, 24th and 34th.
SENTENCES = [f"{'Key' if i % 10 == 3 else 'Day'} {i} was here." for i in range(40)]
TEXT = "\n\n".join(SENTENCES)


class KeysFirst:
    """Needles in their order, then every other passage in its own."""

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        return np.array([("Key" in text) - i / 1000 for i, text in enumerate(texts)])


NEEDLES = [sentence for sentence in SENTENCES if sentence.startswith("Key")]


def of_keys(strategy: str, room: int = 10_000) -> Selection:
    return apply(strategy, context(TEXT, *NEEDLES), room, KeysFirst())


def places(selection: Selection) -> list[int]:
    return [ranked.chunk.index for ranked in selection.chunks]


@settings(deadline=None)
@given(st.integers(0, 300), st.sampled_from(["top-4", "half", "full", "budget-30"]), st.integers(1, 19))
def test_room_runs_out(room: int, scope: str, twentieths: int) -> None:
    strategy, ratio = f"tfidf/{scope}/document@8", twentieths / 20
    plain, noisy = of_keys(strategy, room), of_keys(f"{strategy}+noise-{ratio:g}", room)
    assert set(places(plain)) <= set(places(noisy))
    assert noisy.context_tokens <= max(room, plain.context_tokens)
    facts = facts_of(noisy)
    assert facts.retrieved == facts_of(plain).retrieved + facts.added
    assert (facts.noise_ratio is None) == (facts.retrieved == 0)
    if facts.noise_ratio is not None and facts.retrieved < 40 and facts.noise_ratio < ratio:
        # 7 tokens a passage, and 1 for what may stand between two: no room for one more.
        assert noisy.context_tokens + 9 > room


# Small chunks are compared, larger ones read.


def leaves(*tokens: int) -> list[Chunk]:
    """Chunks of so many tokens each, one after the other; a character a token."""
    ends = [sum(tokens[: i + 1]) for i in range(len(tokens))]
    return [
        Chunk(i, end - own, end, end - own, end)
        for i, (own, end) in enumerate(zip(tokens, ends, strict=True))
    ]


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=40).flatmap(
        lambda tokens: st.tuples(
            st.just(leaves(*tokens)),
            st.lists(st.integers(0, len(tokens) - 1), min_size=1, unique=True),
            st.sampled_from([sentence_windows, merge_leaves]),
        )
    )
)
def test_what_is_read_holds_what_was_retrieved_once(drawn: tuple[list[Chunk], list[int], Expand]) -> None:
    chunks, ranking, expand = drawn
    runs = expand(chunks, ranking, 12)
    read = [i for first, stop in runs for i in range(first, stop)]
    assert set(ranking) <= set(read) <= set(range(len(chunks)))
    assert len(read) == len(set(read))
    assert runs[0][0] <= ranking[0] < runs[0][1]
    # One chunk more never makes less of it.
    fewer = {i for first, stop in expand(chunks, ranking[:-1], 12) for i in range(first, stop)}
    assert fewer <= set(read)


TEN = context(
    "He is 1. He is 2. He is 0. He is 0. He is 0. He is 9. He is 0. He is 0. He is 3. He is 0.",
    "He is 9. He is 0.",
)


def test_a_sentence_is_sent_with_its_neighbours() -> None:
    selection = apply("bm25/top-2/norm@sentence-window-1", TEN)
    assert selection.text == "He is 0. He is 9. He is 0.\n\nHe is 0. He is 3. He is 0."
    # The needle lies in two sentences: their borders cut it, and the best window holds it.
    facts = facts_of(selection)
    assert (facts.completeness, facts.needle_ranks, facts.needle_split) == (1, (1,), (True,))
    assert (facts.retrieved, facts.available, facts.noise_ratio) == (2, 10, 1 / 2)
    assert [r.score for r in selection.chunks] == [9, 3]


@pytest.mark.parametrize("cut", ["sentence-window-1", "auto-merging-10"])
@pytest.mark.parametrize("budget", [7, 18, 20, 40])
def test_a_budget_holds_what_is_read(cut: str, budget: int) -> None:
    fill = apply(f"bm25/budget-{budget}/norm@{cut}", TEN)
    assert fill.context_tokens <= budget
    assert fill.text or budget == 7


def test_a_reranker_behind_what_a_user_brings() -> None:
    strategy = parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "st:a/b", "3")
    assert strategy.definition == "http://h/find+a/b/top-5/norm"
    assert strategy.packages == ("mine 3",)
    assert parse(strategy.definition).plan == strategy.plan
    with pytest.raises(StrategyError, match="'bm25' is no reranker"):
        parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "bm25")
