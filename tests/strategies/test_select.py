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
from niah.errors import StrategyError, UnknownName, UserError
from niah.retrieval.retriever import Retriever
from niah.strategies.chunkers import Expand, Side, Truncation, merge_leaves, sentence_windows
from niah.strategies.facts import RetrievalFacts, Selection
from niah.strategies.parts import Scope
from niah.strategies.select import noise_to_add, select
from niah.strategies.strategy import parse, parse_brought, strategy_of
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


@pytest.mark.parametrize(
    ("scores", "chunks"),
    [
        ([], 0),
        ([4.0], 1),
        ([0.9, 0.8, 0.3, 0.2], 2),
        ([0.9, 0.2, 0.1], 1),
        ([0.9, 0.6, 0.3, 0.0], 1),  # the first of equal gaps
        ([0.5] * 5, 1),
        ([8.0, 7.0, 6.5, 6.4, 6.3, 6.2, 6.1, 6.0, 5.9, 5.8, -9.0], 1),  # that of the worst tenth is none
        ([8.0, 7.9, 7.8, 7.7, 7.6, 7.5, 7.4, 7.3, 7.2, 1.0], 9),
    ],
)
def test_top_adaptive_cuts_at_the_largest_gap(scores: list[float], chunks: int) -> None:
    assert Scope("top-adaptive").chunks_for(3, np.array(scores)) == chunks


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


WORDS = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("side", "tokens", "left"),
    [
        ("back", 4, "one two three four"),
        ("middle", 4, "one two\n\n nine ten"),
        ("middle", 1, "one"),
        ("back", 10, WORDS),
        ("middle", 10, WORDS),
    ],
)
def test_a_context_without_its_end_or_middle(side: Side, tokens: int, left: str) -> None:
    assert Truncation(side, tokens, "cl100k").apply(WORDS) == left


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


def test_windows_by_rank_joined_where_they_share_sentences() -> None:
    twelve = leaves(*[5] * 12)
    # One to either side: 8 reads 7-9, 1 reads 0-2, 0 reads 0-1 (all within 1's).
    assert sentence_windows(twelve, [8, 1, 0], 1) == [(7, 10), (0, 3)]
    assert sentence_windows(twelve, [1, 8, 5], 1) == [(0, 3), (7, 10), (4, 7)]
    assert sentence_windows(twelve, [11], 3) == [(8, 12)]


def test_leaves_merge_into_parents_and_these_into_grandparents() -> None:
    # Leaves of 10 tokens: parents hold four (0-3, 4-7, 8-11, 12-15), the grandparent all sixteen.
    sixteen = leaves(*[10] * 16)
    assert merge_leaves(sixteen, [5, 1, 0], 10) == [(5, 6), (1, 2), (0, 1)]  # 2 of 4 are not over half
    assert merge_leaves(sixteen, [5, 1, 0, 3], 10) == [(5, 6), (0, 4)]
    two = [0, 1, 2, 4, 5, 6]
    assert merge_leaves(sixteen, [9, *two], 10) == [(9, 10), (0, 4), (4, 8)]  # 2 of 4 parents
    assert merge_leaves(sixteen, [15, *two, 9, 8, 10], 10) == [(0, 16)]


def test_a_parent_holds_whole_leaves_and_no_more_than_four_times_their_tokens() -> None:
    # 10 + 10 + 10 = 30, and 15 more would be 45: the first parent holds three, so that two are over half.
    assert merge_leaves(leaves(10, 10, 10, 15, 10, 20), [2, 0], 10) == [(0, 3)]


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


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("minilm/top-5/revers", UnknownName, "no order called 'revers'. Did you mean 'reverse'?"),
        ("minilm/budget-0/norm", StrategyError, "'budget-0' needs a whole number above 0, not '0'."),
        ("minilem/top-5/norm", UnknownName, "no retriever called 'minilem'. Did you mean 'minilm'?"),
        ("topq", UnknownName, "no strategy called 'topq'. Did you mean 'topk'?"),
        ("topk@", StrategyError, "'topk@' needs a whole number above 0, not ''."),
        ("rag-hybrid:", StrategyError, "retriever 'hybrid:' names no model."),
        ("topk+noise-1", StrategyError, "no share of noise above 0 and below 1"),
        ("bm25/top-5/norm+noise-0.5@100", StrategyError, "has '+noise-0.5@100' behind it"),
        ("lc+noise-0.5", StrategyError, "asks for noise, and lc takes none. Write lc, or oracle+noise-0.5."),
        ("lc+sentences-50", StrategyError, "has no best sentences: lc retrieves nothing"),
        ("", UnknownName, "no strategy called ''. Known: agent, auto-merging, closed-book,"),
        ("raptor-pca:bm25/top-5/norm", StrategyError, "clusters embeddings, and bm25 does not embed"),
        ("route(dos", StrategyError, "needs two strategies in brackets"),
        ("route(raptor,lc)", StrategyError, "takes no raptor"),
        ("dos+summary-0", StrategyError, "needs a whole number above 0, not '0'. Write 100,000 at most."),
        ("tree-index-11", StrategyError, "needs a whole number above 0, not '11'. Write 10 at most."),
    ],
)
def test_errors_name_the_part_and_the_remedy(text: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error) as raised:
        parse(text)
    assert says in str(raised.value)


# Name, family, scope, order, budget, and what is true of it.
FACTS = """
lc | lc | | | | sends_context keeps_places is_deployable
oracle | oracle | | | | is_ceiling sends_needles needs_evidence
closed-book | closed-book | | | | is_floor
topk+noise-0.5 | topk+noise-0.5 | top-auto | norm | | retrieves best_first needs_evidence
dos | minilm/budget-N/document@100 | budget-10000 | document | 10000 | retrieves keeps_places is_deployable
random/top-5/norm | random/top-5/norm | top-5 | norm | | retrieves best_first is_deployable is_baseline
raptor | raptor-pca:minilm/budget-N/norm@100 | budget-2000 | norm|2000|retrieves best_first is_deployable
topk+summary-9 | minilm/top-auto/norm+summary-N | top-auto | document|9|retrieves keeps_places is_deployable
of/another/niah | of/another/niah | | | | retrieves is_deployable
"""


@pytest.mark.parametrize("row", FACTS.strip().splitlines())
def test_a_strategy_says_what_it_is(row: str) -> None:
    name, *columns, true = (part.strip() for part in row.split("|"))
    facts = vars(strategy_of(name))
    assert [str(facts[key] or "") for key in ("family", "scope", "order", "budget")] == columns
    assert {fact for fact, value in facts.items() if value is True} == set(true.split())
    assert facts["label"] == ("full context" if name == "lc" else name)
    family = "minilm/budget-10000/document@100+sentences-N"
    assert strategy_of("dos+sentences-5").family == family


def test_a_reranker_behind_what_a_user_brings() -> None:
    strategy = parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "st:a/b", "3")
    assert strategy.definition == "http://h/find+a/b/top-5/norm"
    assert strategy.packages == ("mine 3",)
    assert parse(strategy.definition).plan == strategy.plan
    with pytest.raises(StrategyError, match="'bm25' is no reranker"):
        parse_brought("mine", "http://h/find", "top-5", "norm", "windows", "bm25")
