"""What embedding will take: against the chunks that contexts really have, and by hand."""

from __future__ import annotations

from decimal import Decimal

import pytest

from niah.cases.assembly.assembly import build_context
from niah.cases.case import Case
from niah.needles.load import load_needle_set
from niah.runs.cost.estimate_embedders import EmbedderPlan, embedder_plans, embedders_of
from niah.runs.cost.estimate_tokens import room_of
from niah.runs.cost.prices import Price, Rates
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from niah.text.chunks import Chunk, passages, sentences, windows
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt

NAME = "openai/text-embedding-3-small"
PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.001"), Decimal(0)),))


def trial(length: int, depth: float = 50, chunks: str = "@100", **more: object) -> Trial:
    case = Case("three-gates", "essays", length, depth, **more)  # type: ignore[arg-type]
    return Trial(unbuilt(case), parse(f"{NAME}/top-5/norm{chunks}"), "r", 0, 64)


def plan(
    left: list[Trial], done: list[Trial] | None = None, unmetered: list[Trial] | None = None
) -> EmbedderPlan:
    (made,) = embedder_plans(left, done or [], {NAME: PRICE}, unmetered or [])
    return made


def question_tokens() -> int:
    return count(get_tokenizer("cl100k"), load_needle_set("three-gates", 1).question)


def cut(text: str, chunks: str) -> list[Chunk]:
    starts = get_tokenizer("cl100k").starts(text)
    match chunks:
        case "@windows":
            return windows(text, starts)
        case "@sentences":
            return sentences(text, starts)
        case _:
            return passages(text, starts, int(chunks[1:]))


@pytest.mark.parametrize("chunks", ["@windows", "@sentences", "@100", "@300"])
@pytest.mark.parametrize("lengths", [[700], [4096], [2048, 8192]])
def test_what_is_embedded_is_near_the_estimate_and_never_above_the_bound(
    lengths: list[int], chunks: str
) -> None:
    trials = [
        trial(length, depth, chunks, seed=seed)
        for length in lengths
        for depth in (0, 25, 50, 75, 100)
        for seed in (1, 2)
    ]
    counted = get_tokenizer("cl100k")
    contexts = [build_context(one.case).text for one in trials]
    each = [[text[c.start : c.end] for c in cut(text, chunks)] for text in contexts]
    distinct = {text: count(counted, text) for texts in each for text in texts}
    made, questions = plan(trials), 2 * question_tokens()
    assert sum(distinct[text] for texts in each for text in texts) + questions <= made.tokens_at_most
    assert 0.85 <= made.tokens / (sum(distinct.values()) + questions) <= 1.25


def test_by_hand() -> None:
    short, long, other = trial(1000), trial(3000), trial(3000, 25)
    question = question_tokens()
    alone = plan([long])
    assert alone.tokens == room_of(long.case) + question
    # A quarter more for chunks that are cut or counted alone.
    assert alone.tokens_at_most == -(-room_of(long.case) * 5 // 4) + question
    assert alone.calls == 2
    assert alone.usd == alone.tokens * Decimal("0.001")
    assert alone.usd_at_most == alone.tokens_at_most * Decimal("0.001")
    # Three needles, a passage each, are all that the others have of their own; the longest counts whole.
    together = plan([short, long, other])
    assert together.tokens == room_of(long.case) + 2 * 3 * 100 + question
    bounds = [plan([one]).tokens_at_most - question for one in (short, long, other)]
    assert together.tokens_at_most == sum(bounds) + question
    # Another strategy, repeat or reader that cuts alike embeds nothing anew.
    alike = Trial(long.sample, parse(f"{NAME}/half/document@100"), "another", 1, 64)
    assert plan([long, alike]) == alone


def test_windows_by_hand() -> None:
    one = trial(2000, chunks="@windows")
    room = room_of(one.case)
    # Steps of 500 tokens make 600/500 of it; a seventh shorter, 600 / (500 x 6/7) = 7/5.
    assert plan([one]).tokens == -(-room * 7 // 5) + question_tokens()
    # 600 to begin with, and two for every further 500: 1 + 2 x 3, of 608 tokens each and a quarter more.
    assert 1000 < room - 600 <= 1500
    assert plan([one]).tokens_at_most == 7 * 608 * 5 // 4 + question_tokens()


def test_chunks_are_as_small_as_a_fill_wants_them() -> None:
    whole = trial(2000, chunks="@windows")
    fill = Trial(whole.sample, parse(f"{NAME}/budget-300/norm"), "r", 0, 64)
    # Windows of 600 do not fit in 300: these are other chunks of the same context.
    assert plan([whole, fill]).tokens_at_most > plan([whole]).tokens_at_most + room_of(whole.case)


def test_finished_trials_are_subtracted_but_what_nobody_metered_is_bounded() -> None:
    long, other = trial(3000), trial(3000, 25)
    assert plan([other], [long]).tokens == 3 * 100
    assert plan([other], [long]).tokens_at_most == plan([other]).tokens_at_most
    assert plan([other], unmetered=[long]).tokens_at_most == plan([other, long]).tokens_at_most
    assert plan([other], [other]).tokens == 0
    assert embedder_plans([], [long], {NAME: PRICE}) == ()


def test_another_tokenizer_may_count_a_third_more() -> None:
    voyage = "voyage/voyage-3"
    one = Trial(trial(3000).sample, parse(f"{voyage}/top-5/norm@100"), "r", 0, 64)
    (made,) = embedder_plans([one], [], {voyage: None})
    passages_at_most, question = plan([trial(3000)]).tokens_at_most - question_tokens(), question_tokens()
    assert made.tokens_at_most == -(-passages_at_most * 4 // 3) + -(-question * 4 // 3)
    assert (made.usd, made.usd_at_most, made.free) == (None, None, False)


def test_only_what_is_asked_over_the_network_is_named() -> None:
    names = [f"{NAME}/top-5/norm", "tfidf/top-5/norm", "arctic/top-5/norm", "lc", "oracle"]
    assert embedders_of([parse(name) for name in names]) == (NAME,)
    assert embedder_plans([Trial(trial(1000).sample, parse("lc"), "r", 0, 64)], [], {}) == ()
