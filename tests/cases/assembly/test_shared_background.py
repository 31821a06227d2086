"""Cases of one background have as much of it in common as they can."""

from __future__ import annotations

from itertools import product

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.context import Context
from niah.haystacks.load import load_corpus
from niah.text.sentences import short_sentences
from niah.text.tokenizer import count, get_tokenizer


def test_cases_that_differ_in_depth_share_their_background() -> None:
    shallow, deep = (build_context(Case("ferry-lanterns", "essays", 3000, depth)) for depth in (25, 75))
    common = len(shallow.text[: shallow.needles[0].start - 1200])
    assert common > 1000
    assert shallow.text[:common] == deep.text[:common]


def test_cases_of_one_background_share_the_sentences_that_make_counts_come_out() -> None:
    """Whatever is read of sentences, such as an embedding, is read once for all of them."""
    grid = product(("ferry-lanterns", "three-gates", "pizza-ingredients-brief"), (2000, 4000, 8000))
    contexts = [
        build_context(Case(needle_set, "essays", length, depth))
        for needle_set, length in grid
        for depth in (20, 50, 80)
    ]
    needles = {needle.text for context in contexts for needle in context.needles}
    longest, *others = sorted(({*sentences(context)} for context in contexts), key=len, reverse=True)
    more = set().union(*others) - longest
    more -= {sentence for sentence in more if any(sentence in needle for needle in needles)}
    # 53 now, and 112 where each context chose its own.
    assert len(more) <= 70


def sentences(context: Context) -> list[str]:
    return [context.text[start:end] for start, end in short_sentences(context.text)]


def test_the_background_goes_on_after_a_needle_where_it_stopped() -> None:
    """Take needle and seam away, and what is left is one unbroken passage of the corpus."""
    corpus = load_corpus("essays", "cl100k")
    context = build_context(Case("ferry-lanterns", "essays", 3000, 50))
    endless = corpus.text + corpus.text
    after = context.text[context.needles[0].end :].strip()[:400]
    before = context.text[: context.needles[0].start].strip()
    at = endless.find(after)
    resumed = next(
        size for size in range(len(before)) if endless[:at].rstrip().endswith(before[: len(before) - size])
    )
    # What had to be skipped is the seam: whole sentences, at most 200 tokens.
    assert count(get_tokenizer("cl100k"), before[len(before) - resumed :]) <= 200


def test_seeds_begin_elsewhere() -> None:
    starts = {
        build_context(Case("ferry-lanterns", "essays", 1000, 50, seed=seed)).text[:80] for seed in range(8)
    }
    assert len(starts) >= 6
