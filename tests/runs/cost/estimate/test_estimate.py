"""Estimates against what really is sent, and by hand."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

import pytest

from niah.cases.case import Case
from niah.cases.samples import key_of, sample_of
from niah.judges.llm import data, instructions
from niah.judges.registry import resolve_judge
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.cost.estimate.estimate import make_plan
from niah.runs.cost.estimate.expected_tokens import judge_prompt_tokens, tokens_of
from niah.runs.cost.estimate.finished_trials import (
    JudgeHistory,
    ReaderHistory,
    count_differences,
    counts_own,
    judge_history,
    reader_histories,
)
from niah.runs.cost.estimate.planned_use import ReaderPlan
from niah.runs.cost.prices.own_prices import own_price
from niah.runs.cost.prices.price import FREE, NO_PRICE_SET, Price, Rates
from niah.runs.cost.routed import RoutedTrials
from niah.runs.execution.prepare import prepare
from niah.runs.trial import Trial, TrialRecord
from niah.strategies.strategy import parse
from niah.strategies.truncate import Side, Truncation
from niah.text.tokenizer import count, get_tokenizer

PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))


def trial(strategy: str = "lc", length: int = 1000, reader: str = "r", **case: object) -> Trial:
    made = Case("three-gates", "essays", length, 50, **case)  # type: ignore[arg-type]
    return Trial(sample_of(made), parse(strategy), reader, 0, 64)


def record(of: Trial, usage: Usage, own: int | None = None, **more: Any) -> TrialRecord:
    """What a run file holds of a finished trial."""
    sample = of.sample
    return TrialRecord(
        of.trial_id, sample.sample_id, sample.needle_set, sample.haystack, sample.context_length,
        sample.depth, sample.seed, of.strategy.name, of.reader, of.repeat, "scored",
        prompt_tokens=usage.prompt_tokens, completion_tokens=usage.completion_tokens,
        own_prompt_tokens=own, **more,
    )  # fmt: skip


@pytest.mark.parametrize("length", [700, 3000])
@pytest.mark.parametrize(
    "strategy",
    [
        "lc",
        "closed-book",
        "oracle",
        "tfidf/top-3/norm@100",
        "tfidf/top-3/norm@100+noise-0.9",
        "tfidf/top-3/norm+noise-0.5",
        "tfidf/half/document@600-100+noise-0.6",
        "mixpr/top-5/norm+noise-0.8",
        "oracle+noise-0.7",
        "tfidf/top-2/document",
        "tfidf/top-auto/sides",
        "tfidf/top-100/norm",
        "mixpr/top-5/norm",
        "mixpr/top-100/reverse",
        "tfidf/half/document@100",
        "tfidf/full/norm@100",
        "tfidf/budget-300/document",
    ],
)
def test_what_is_sent_is_never_above_the_estimate(strategy: str, length: int) -> None:
    planned = trial(strategy, length)
    prepared = prepare(planned, lambda _: None)
    sent = count(get_tokenizer(planned.sample.tokenizer), prepared.request.prompt)
    tokens = tokens_of(planned)
    assert sent <= tokens.prompt_at_most
    assert tokens.prompt <= tokens.prompt_at_most
    assert prepared.context_tokens is not None
    assert abs(planned.sample.prompt_tokens + prepared.context_tokens - sent) <= 4


def test_whole_contexts_are_exact() -> None:
    assert tokens_of(trial("lc", 1000)).prompt == 1000


def test_a_context_that_is_cut_is_not_counted_whole() -> None:
    whole, sides = trial("lc", 1000), get_args(Side)
    for side in sides:
        cut = replace(whole, truncation=Truncation(side, 300, "cl100k"))
        sent = count(get_tokenizer("cl100k"), prepare(cut, lambda _: None).request.prompt)
        tokens = tokens_of(cut)
        assert tokens.prompt == whole.sample.prompt_tokens + 300
        assert sent <= tokens.prompt_at_most == tokens.prompt + 8 + 32
        # In tokens of another tokenizer, nothing is sure but that there is no more than all.
        other = tokens_of(replace(whole, truncation=Truncation(side, 300, "smollm2")))
        assert other.prompt_at_most == tokens_of(whole).prompt_at_most


def test_bounds_by_hand() -> None:
    # Closed-book sends the prompt alone: P. Every other bound is P and 32 above what stands in its place.
    empty = tokens_of(trial("closed-book", 2000))
    prompt, room = empty.prompt, 2000 - empty.prompt
    assert empty.prompt_at_most == prompt + 32
    half = tokens_of(trial("tfidf/half/norm", 2000))
    assert (half.prompt, half.prompt_at_most) == (prompt + room // 2, prompt + room // 2 + 32)
    budget = tokens_of(trial("tfidf/budget-300/norm", 2000))
    assert (budget.prompt, budget.prompt_at_most) == (prompt + 300, prompt + 332)
    # 5 passages of 100 tokens, 8 more each where they are joined.
    top = tokens_of(trial("tfidf/top-5/norm@100", 2000))
    assert (top.prompt, top.prompt_at_most) == (prompt + 500, prompt + 540 + 32)
    # 50 passages would be 5000 tokens, but the context has no more than its room.
    everything = tokens_of(trial("tfidf/top-50/norm@100", 2000))
    assert (everything.prompt, everything.prompt_at_most) == (2000, 2000 + 50 * 8 + 32)
    # Windows of 600 share 100, so that all of them hold 600/500 of the context.
    windows = tokens_of(trial("tfidf/top-10/norm", 2000))
    assert (windows.prompt, windows.prompt_at_most) == (prompt + room * 600 // 500, prompt + 10 * 608 + 32)
    # Three needles, a passage each, are a fifth of fifteen; with noise nothing is above the room.
    noisy = tokens_of(trial("tfidf/top-5/norm@100+noise-0.8", 2000))
    assert (noisy.prompt, noisy.prompt_at_most) == (prompt + 1500, 2000 + 32)
    assert tokens_of(trial("tfidf/top-5/norm@100+noise-0.4", 2000)).prompt == prompt + 500
    # Scores are not known yet: all of it.
    adaptive = tokens_of(trial("tfidf/top-adaptive/norm@100", 2000))
    assert (adaptive.prompt, adaptive.prompt_at_most) == (2000, 2000 + (4 + 3 * room // 100) * 8 + 32)
    # 3 needles: top-auto takes 5.
    assert tokens_of(trial("tfidf/top-auto/norm@100", 2000)) == top


def test_of_what_may_be_answered_first_so_many_read_on_as_have() -> None:
    route = "route(tfidf/budget-300/document@100,lc)"
    left = [trial(route, 1000, seed=seed) for seed in range(4)] + [trial("closed-book")]
    finished = [trial(route, 1000, seed=seed) for seed in range(10, 22)]
    # Of twelve three were read; the others were answered on the way, and report nothing of reading.
    usages = [Usage(1_000, 20)] * 3 + [Usage(0, 0)] * 9
    done = [record(t, u, u.prompt_tokens or None) for t, u in zip(finished, usages, strict=True)]
    done = [replace(each, definition=route) for each in done]
    bare = tokens_of(left[-1]).prompt

    def reader_plan(records: list[TrialRecord]) -> ReaderPlan:
        return make_plan(left, (), {"r": 1}, {"r": PRICE}, reader_histories(records, {route})).readers[0]

    # A quarter of four is one.
    told = reader_plan(done)
    assert told.routed == RoutedTrials(4, 1, is_known=True, prompt_tokens_at_least=bare)
    assert (told.calls, told.left, told.prompt_tokens) == (2, 5, 1_000 + bare)
    # Answers have twenty tokens, not five: what was not asked wrote none.
    assert told.answer_tokens == 2 * 20
    # 0.001 a token of prompts, 0.01 of answers.
    assert told.usd == pytest.approx(Decimal(1_000 + bare) / 1000 + Decimal("0.4"))
    # Nine do not tell: half of four are two. Bounds stay those of five.
    early = reader_plan(done[:9])
    assert early.routed == RoutedTrials(4, 2, is_known=False, prompt_tokens_at_least=bare)
    assert (early.calls, early.prompt_tokens) == (3, 2_000 + bare)
    assert early.prompt_tokens_at_most == told.prompt_tokens_at_most == 4_000 + bare + 5 * 32


def test_a_plan_by_hand() -> None:
    trials = [trial(length=1000), trial(length=2000), trial("closed-book")]
    plan = make_plan(trials, {trials[2].trial_id}, {"r": 4}, {"r": PRICE}, {})
    (reader,) = plan.readers
    answer = tokens_of(trials[0]).answer
    assert (reader.trials, reader.calls, plan.parts) == (3, 2, (reader,))
    assert (reader.prompt_tokens, reader.answer_tokens) == (3000, 2 * answer)
    # 3000 prompt tokens and 32 more for each of two chats; 64 tokens for each answer.
    assert (reader.prompt_tokens_at_most, reader.answer_tokens_at_most) == (3064, 128)
    # 3000 x 0.001 + answers x 0.01; 3064 x 0.001 + 128 x 0.01 = 3.064 + 1.28
    assert plan.usd == 3 + 2 * answer * Decimal("0.01")
    assert plan.to_budget.of("usd") == Decimal("4.344")
    assert plan.to_budget.of("tok") == 3064 + 128
    assert reader.seconds is None
    assert plan.seconds is None


def test_kept_answers_take_nothing() -> None:
    finished, kept, asked = trial(length=1000), trial(length=2000), trial("closed-book")
    trials, done = [finished, kept, asked], {finished.trial_id}
    # One that is both finished and kept is finished.
    both = {finished.trial_id, kept.trial_id}
    plan = make_plan(trials, done, {"r": 4}, {"r": PRICE}, {"r": ReaderHistory(seconds_per_token=1.0)}, both)
    (reader,) = plan.readers
    assert (reader.trials, reader.kept, reader.calls, reader.prompt_tokens) == (
        3,
        1,
        1,
        tokens_of(asked).prompt,
    )
    alone = make_plan([asked], set(), {"r": 4}, {"r": PRICE}, {"r": ReaderHistory(seconds_per_token=1.0)})
    assert (plan.to_budget, plan.usd, plan.seconds) == (alone.to_budget, alone.usd, alone.seconds)


def test_what_was_seen_changes_what_is_expected() -> None:
    done = [
        record(trial(), Usage(1100, 10), 1000, latency_s=2.0),
        record(trial(), Usage(3100, 20), 3000, latency_s=6.0),
        record(trial(), Usage()),  # an error tells nothing
    ]
    seen = reader_histories(done)["r"]
    # 4200 reported of 4000 counted; mean of 10 and 20; 8 s for 4000 tokens; 1100 of the 1032 allowed.
    assert seen == ReaderHistory(4200 / 4000, 1100 / 1032, 15.0, 8 / 4000)
    plan = make_plan([trial(length=1000)], set(), {"r": 2}, {"r": PRICE}, {"r": seen})
    # 1050 x 0.001 + 15 x 0.01
    assert plan.usd == Decimal("1.2")
    # 1032 x 1100/1032 = 1100 tokens, then 64 x 0.01
    assert plan.to_budget.of("usd") == Decimal("1.1") + Decimal("0.64")
    # 1000 tokens at 0.002 s, two at a time
    assert plan.seconds == pytest.approx(1.0)


def test_one_unknown_price_makes_the_sum_unknown() -> None:
    trials = [trial(reader="dear"), trial(reader="odd"), trial(reader="own")]
    prices = {"dear": PRICE, "odd": None, "own": FREE}
    plan = make_plan(trials, set(), {"dear": 1, "odd": 1, "own": 1}, prices, {})
    assert [reader.usd is None for reader in plan.readers] == [False, True, False]
    assert plan.readers[2].usd == 0
    assert (plan.usd, plan.to_budget.of("usd")) == (None, None)


def test_nothing_left_takes_nothing() -> None:
    one = trial()
    plan = make_plan([one], {one.trial_id}, {"r": 1}, {"r": None}, {})
    assert plan.parts[0].calls == plan.to_budget.tokens == 0
    assert plan.usd == 0
    assert plan.seconds == 0


@pytest.mark.parametrize(
    ("reader", "tokenizer", "own"),
    [
        ("openai/gpt-4o-mini", "o200k", True),
        ("openai/gpt-4o-mini", "cl100k", False),
        ("smollm2", "smollm2", True),
        ("smollm2", "o200k", False),
        ("anthropic/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5", False),
        ("mistral/mistral-large-latest", "cl100k", False),
        ("my.gguf", "models/my.gguf", True),
    ],
)
def test_whose_tokenizer(reader: str, tokenizer: str, own: bool) -> None:
    assert counts_own(reader, tokenizer) is own


def test_differences_of_own_tokenizers_alone() -> None:
    own = [
        trial(length=length, reader="openai/gpt-4o-mini", tokenizer="o200k") for length in (600, 1000, 2000)
    ]
    foreign = trial(reader="smollm2", tokenizer="o200k")
    records = [
        record(own[0], Usage(None, 5), 600),
        record(own[1], Usage(1100, 5), 1000),
        record(own[2], Usage(2080, 5), 2000),
        record(foreign, Usage(1300, 5), 1000),
    ]
    samples = {each.sample.sample_id: each.sample for each in (*own, foreign)}
    # 3180 of 3000; the one that reports nothing is left out.
    assert count_differences(samples, records) == {"openai/gpt-4o-mini": pytest.approx(0.06)}


JUDGE = JudgeHistory("j", PRICE)


@pytest.mark.parametrize("tokenizer", ["cl100k", "o200k"])
def test_a_judge_reads_the_reference_in_the_answers_place(tokenizer: str) -> None:
    key = key_of("three-gates", 1)
    read = count(get_tokenizer(tokenizer), instructions() + data(key.answer, key))
    assert abs(judge_prompt_tokens(trial(tokenizer=tokenizer).sample) - read) <= 2


def test_judging_by_hand() -> None:
    trials = [trial(length=length) for length in (600, 1000, 2000)]
    own = judge_prompt_tokens(trials[0].sample)
    alone = make_plan(trials, {trials[0].trial_id}, {"r": 1}, {"r": PRICE}, {})
    plan = make_plan(trials, {trials[0].trial_id}, {"r": 1}, {"r": PRICE}, {}, judge=JUDGE)
    assert plan.judge
    # Two verdicts, of 200 tokens each.
    assert (plan.judge.calls, plan.judge.prompt_tokens, plan.judge.answer_tokens) == (2, 2 * own, 400)
    assert plan.judge.usd == 2 * own * Decimal("0.001") + 4
    assert (plan.judge.seconds, plan.judge.free) == (None, False)
    assert (alone.usd, alone.to_budget.of("usd")) != (None, None)
    assert plan.usd == (alone.usd or 0) + plan.judge.usd
    # A budget has to hold what is expected of it.
    assert plan.to_budget.of("usd") == (alone.to_budget.of("usd") or 0) + plan.judge.usd
    assert plan.to_budget.of("tok") == (alone.to_budget.of("tok") or 0) + 2 * own + 400
    unpriced = make_plan(trials, (), {"r": 1}, {"r": PRICE}, {}, judge=replace(JUDGE, price=None))
    assert unpriced.usd is None
    nothing = make_plan(trials, {t.trial_id for t in trials}, {"r": 1}, {"r": PRICE}, {}, judge=JUDGE)
    assert nothing.judge
    assert nothing.judge.usd == nothing.judge.seconds == nothing.judge.calls == 0


def test_what_verdicts_have_shown() -> None:
    trials = [trial(length=length) for length in (600, 1000, 2000)]
    own = judge_prompt_tokens(trials[0].sample)

    def judged(of: Trial, usage: Usage, latency_s: float, judge: str = "m") -> TrialRecord:
        verdict = Verdict(10, (), (), (), False, judge, "1", "", usage=usage, latency_s=latency_s)
        return record(of, Usage(), verdicts=(verdict,))

    records = [
        judged(trials[0], Usage(2 * own, 90), 3.0),
        judged(trials[1], Usage(4 * own, 30), 1.0),
        judged(trials[1], Usage(), 2.0),
        judged(trials[2], Usage(9, 9), 60.0, judge="another"),
    ]
    samples = {each.sample.sample_id: each.sample for each in trials}
    asked = judge_history(resolve_judge("m", "https://gateway.example/v1"), {"m": PRICE}, samples, records)
    # Three times what was expected; 60 is the mean of 90 and 30; 6 s for three.
    assert asked == JudgeHistory("m", PRICE, 3.0, 60, 2.0)
    assert asked.expected_verdict(trials[0]).of("usd") == 3 * own * Decimal("0.001") + Decimal("0.6")
    plan = make_plan(trials[2:], (), {"r": 1}, {"r": PRICE}, {}, judge=asked)
    assert plan.judge
    assert (plan.judge.prompt_tokens, plan.judge.answer_tokens, plan.judge.seconds) == (own, 60, 2.0)


def test_a_cascade_asks_about_a_share_of_the_answers() -> None:
    trials = [trial(length=600)] * 100
    own = judge_prompt_tokens(trials[0].sample)
    judge = resolve_judge("rubric+m", "https://gateway.example/v1")
    assert judge_history(judge, {"m": PRICE}) == JudgeHistory("rubric+m", PRICE, share=0.35)
    plan = make_plan(trials, (), {"r": 1}, {"r": PRICE}, {}, judge=JudgeHistory("j", PRICE, share=0.35))
    assert plan.judge
    assert (plan.judge.calls, plan.judge.prompt_tokens, plan.judge.answer_tokens) == (35, 35 * own, 7000)
    assert plan.judge.usd == 35 * (own * Decimal("0.001") + 2)

    def judged(usage: Usage) -> TrialRecord:
        verdict = Verdict(10, (), (), (), False, "rubric+m", "1", "", usage=usage, latency_s=4.0)
        return record(trials[0], Usage(), verdicts=(verdict,))

    records = [judged(Usage(own, 50))] * 15 + [judged(Usage(0, 0))] * 45
    samples = {each.sample.sample_id: each.sample for each in trials}
    # Seen often enough: a quarter. What the rules decided tells nothing of the model's pace and length.
    assert judge_history(judge, {"m": PRICE}, samples, records) == JudgeHistory(
        "rubric+m", PRICE, 1.0, 50, 4.0, 0.25
    )
    # The model was asked about those that it failed on.
    failed = [replace(record(trials[0], Usage()), outcome="judge_error")] * 20
    asked = judge_history(judge, {"m": PRICE}, samples, [*failed, *records[15:]])
    assert asked is not None
    assert asked.share == round(20 / 65, 3)
    few = judge_history(judge, {"m": PRICE}, samples, records[:20])
    assert few is not None
    assert few.share == 0.35


def test_every_answer_is_judged_in_its_readers_turn() -> None:
    trials = [trial(reader=reader, length=length) for reader in "ab" for length in (600, 1000)]
    pace = ReaderHistory(seconds_per_token=0.01)
    judge = replace(JUDGE, latency_s=3.0)
    prices, at_once = {"a": FREE, "b": FREE}, {"a": 1, "b": 4}
    plan = make_plan(trials, (), at_once, prices, {"a": pace, "b": pace}, judge=judge)
    # 1600 tokens at 0.01 s each, one or four at a time; two verdicts of 3 s one by one, two at the same time.
    assert plan.seconds == pytest.approx(16 + 4 + 2 * 3 + 2 / 4 * 3)
    assert make_plan(trials, (), at_once, prices, {"a": pace}, judge=judge).seconds is None
    assert make_plan(trials, (), at_once, prices, {"a": pace, "b": pace}, judge=JUDGE).seconds is None


def test_a_judge_as_it_is_asked() -> None:
    assert judge_history(None, {}) is None
    judge = resolve_judge("m", "https://gateway.example/v1")
    assert judge_history(judge, {}) == JudgeHistory("m", None)
    own = own_price(Decimal(1), Decimal(1), Decimal(2))
    assert judge_history(judge, {"m": own}) == JudgeHistory("m", own)
    assert judge_history(resolve_judge("m", "http://127.0.0.1:1/v1"), {}) == JudgeHistory("m", NO_PRICE_SET)
