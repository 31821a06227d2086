"""Cases of one background have as much of it in common as they can."""

from __future__ import annotations

from itertools import product

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.context import Context
from niah.text.sentences import short_sentences


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
