"""Prices, estimates and budgets: what may start, and what was spent."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from importlib.metadata import distribution
from itertools import takewhile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from niah.cases.case import Case
from niah.cases.samples import sample_of
from niah.judges.rubric import RUBRIC
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.cost.budget import BudgetLedger
from niah.runs.cost.estimate import AskedJudge, judge_prompt_tokens, tokens_of
from niah.runs.cost.prices import (
    FREE,
    Budget,
    BudgetUnit,
    Price,
    Rates,
    parse_budget,
    price_of,
)
from niah.runs.execution.ask import Block
from niah.runs.execution.prepare import prepare
from niah.runs.file.read import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from niah.text.tokenizer import count, get_tokenizer
from tests.samples import unbuilt


def shipped(name: str) -> dict[str, Any]:
    file = distribution("litellm").locate_file("litellm/model_prices_and_context_window_backup.json")
    entry: dict[str, Any] = json.loads(Path(str(file)).read_text(), parse_float=Decimal)[name]
    return entry


def at(address: str) -> dict[str, str | int]:
    return {"provider": "openai-compatible", "api_base": address}


OPENAI = at("https://api.openai.com/v1")


@pytest.mark.parametrize(
    ("name", "settings", "entry"),
    [
        ("openai/gpt-4o-mini", OPENAI, "gpt-4o-mini"),
        ("gpt-4o-mini", OPENAI, "gpt-4o-mini"),
        ("anthropic/claude-sonnet-4-5", {"provider": "anthropic"}, "claude-sonnet-4-5"),
        ("mistral/mistral-large-latest", {"provider": "mistral"}, "mistral/mistral-large-latest"),
    ],
)
def test_a_listed_price(name: str, settings: dict[str, str | int], entry: str) -> None:
    price, row = price_of(name, settings), shipped(entry)
    assert price
    assert not price.free
    rates = price.rates[0]
    assert (rates.input, rates.output) == (row["input_cost_per_token"], row["output_cost_per_token"])
    assert rates.cached_input == row.get("cache_read_input_token_cost", rates.input)


def trial(strategy: str, length: int) -> Trial:
    return Trial(sample_of(Case("three-gates", "essays", length, 50)), parse(strategy), "r", 0, 64)


@pytest.mark.parametrize("length", [700, 3000])
@pytest.mark.parametrize(
    "strategy",
    [
        *("lc", "closed-book", "oracle", "oracle+noise-0.7", "mixpr/top-5/norm+noise-0.8"),
        *("tfidf/top-3/norm@100", "tfidf/top-3/norm@100+noise-0.9", "tfidf/half/document@600-100+noise-0.6"),
        *("tfidf/top-2/document", "tfidf/top-auto/sides"),
        *("tfidf/budget-300/norm", "tfidf/top-5/norm@sentences"),
    ],
)
def test_no_prompt_is_above_its_bound(strategy: str, length: int) -> None:
    planned = trial(strategy, length)
    prepared = prepare(planned, lambda _: None)
    sent = count(get_tokenizer("cl100k"), prepared.request.prompt)
    tokens = tokens_of(planned)
    assert sent <= tokens.prompt_at_most
    assert ("Use only what the text says" in prepared.request.prompt) == (strategy != "closed-book")
    assert tokens.prompt <= tokens.prompt_at_most


PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))
# 1000 prompt tokens, 32 more for the chat, 64 for the answer: 1096 tokens, 1.032 + 0.64 = 1.672 USD at most.
SAMPLE = unbuilt(Case("three-gates", "essays", 1000, 50))
TRIALS = [Trial(SAMPLE, parse("lc"), "r", n, 64) for n in range(6)]
JUDGE = AskedJudge("j", PRICE, reply_tokens=100)
# What a verdict is expected to take: tokens, and US dollars.
VERDICT = judge_prompt_tokens(SAMPLE.key, SAMPLE.tokenizer) + 100
VERDICT_USD = judge_prompt_tokens(SAMPLE.key, SAMPLE.tokenizer) * Decimal("0.001") + 1


def ledger(budget: str | Budget, price: Price | None = PRICE, **more: Any) -> BudgetLedger:
    """A ledger whose reader has shown what it takes."""
    most = parse_budget(budget) if isinstance(budget, str) else budget
    return BudgetLedger({"r": price}, more.pop("judge", None), most, settled=Counter(r=9), **more)


def result(usage: Usage) -> TrialResult:
    return TrialResult("refused", "", "", usage, 1.0, 940)


def judged(usage: Usage, **more: Any) -> TrialResult:
    """An answer of 1.1 USD, 1010 tokens, and what its judge took."""
    verdict = Verdict(10, (), (), (), False, "j", "1", "", usage=usage, latency_s=1.0)
    return replace(result(Usage(1000, 10)), verdicts=(verdict,), **more)


def admitted(made: BudgetLedger) -> Iterator[Trial]:
    """The trials that may start, until the first that may not."""
    return takewhile(lambda trial: made.admits(trial) == "yes", TRIALS)


def test_trials_under_way_count_at_most() -> None:
    accounts = ledger("4usd")
    waiting = admitted(accounts)
    # 1.672 each: two may be under way at once, the third would make 5.016.
    assert [next(waiting), next(waiting)] == TRIALS[:2]
    # One comes back: 1010 x 0.001 + 9 x 0.01 = 1.1. With the other's 1.672, a third makes 4.444.
    accounts.settle(TRIALS[0], result(Usage(1010, 9)))
    assert accounts.spent == Decimal("1.1")
    assert accounts.admits(TRIALS[2]) == "later"
    assert not accounts.stopped
    # It took all, for all we know: 1.1 + 1.672 + 1.672 stays above 4, and nothing is left to wait for.
    accounts.settle(TRIALS[1], result(Usage()))
    assert accounts.admits(TRIALS[2]) == "no"
    assert accounts.stopped


def test_calls_that_prepare_start_one_by_one_until_some_have_shown_what_they_take() -> None:
    accounts, under_way = BudgetLedger({"m": FREE}, None, Budget(Decimal(9999), "tok")), list[str]()

    async def admitted() -> int:
        with suppress(TimeoutError):
            while name := f"call {len(under_way)}":
                await asyncio.wait_for(accounts.admit_call(name, "m", 90, 10, lambda: False), 0.01)
                under_way.append(name)
        return len(under_way)

    async def calls() -> list[int]:
        first = await admitted()
        accounts.settle_call("call 0", "m", 90, 10, Usage(90, 5))
        return [first, await admitted()]

    assert asyncio.run(calls()) == [1, 3]  # of which one has ended
    assert accounts.spent == 95


def test_what_a_verdict_is_expected_to_take_is_reserved() -> None:
    both = Decimal("1.672") + VERDICT_USD
    assert list(admitted(ledger(Budget(2 * both, "usd"), judge=JUDGE))) == TRIALS[:2]
    short = ledger(Budget(2 * both - Decimal("0.001"), "usd"), judge=JUDGE)
    assert list(admitted(short)) == TRIALS[:1]
    # It comes back: 1.1 for the answer, 200 x 0.001 + 20 x 0.01 for the verdict.
    settled = short.settle(TRIALS[0], judged(Usage(200, 20)))
    assert [verdict.cost for verdict in settled.verdicts] == [Decimal("0.4")]
    assert short.spent == Decimal("1.5")
    # A judge that reports nothing counts as expected.
    assert short.admits(TRIALS[1]) == "yes"
    short.settle(TRIALS[1], judged(Usage()))
    assert short.spent == Decimal("2.6") + VERDICT_USD


def test_an_answer_that_lacks_a_verdict_reserves_for_the_judge_alone() -> None:
    answered = {TRIALS[0].trial_id}
    accounts = ledger(Budget(Decimal(VERDICT), "tok"), judge=JUDGE, answered=answered)
    assert accounts.admits(TRIALS[1]) == "no"
    assert accounts.admits(TRIALS[0]) == "yes"
    accounts.settle(TRIALS[0], judged(Usage(1500, 20), answered_before=True))
    assert accounts.spent == 1520


def test_what_was_spent_before_counts(tmp_path: Path) -> None:
    def verdict(judge: str, usage: Usage, usd: str | None = None) -> Verdict:
        cost = None if usd is None else Decimal(usd)
        return Verdict(10, (), (), (), False, judge, "1", "", usage=usage, cost=cost)

    given = [
        (verdict("j", Usage(1500, 20), "1.7"), verdict("other", Usage(500, 5), "0.3")),
        (verdict("j", Usage(1000, 10)), verdict("other", Usage())),  # by its usage: 1.1
        (),  # the judge failed: as expected
    ]
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin({"judge": "j"}, TRIALS)
        cached = replace(result(Usage(9, 9)), outcome="scored", from_cache=True)  # takes nothing
        for trial, verdicts in zip(TRIALS, given, strict=False):
            judged = replace(cached, outcome="scored" if verdicts else "judge_error", verdicts=verdicts)
            store.commit([(trial, judged)])
        store.commit([(TRIALS[3], result(Usage(1000, 10)))])  # 1.0 + 0.1 by the usage
        store.commit([(TRIALS[4], replace(result(Usage()), answer="x"))])  # unknown: 1.672
    run, read = read_run(tmp_path / "run.sqlite"), Decimal("1.1") + Decimal("1.672")

    def spent(unit: BudgetUnit, judge: AskedJudge | None) -> Decimal:
        accounts = ledger(Budget(Decimal(99), unit), judge=judge)
        accounts.take_in(TRIALS, run)
        return accounts.spent

    assert spent("usd", None) == Decimal("2.0") + read
    # Trials without an answer have no verdict, and none is expected of them.
    assert spent("usd", JUDGE) == Decimal("3.1") + VERDICT_USD + read
    assert spent("tok", JUDGE) == 1520 + 1010 + 505 + VERDICT + 1010 + 1096


ROOM, PROMPT = 64, 1000
# Prompt and answer tokens as reported of the n-th call; None is no report.
MISREPORTS: dict[str, Callable[[int], Usage]] = {
    "rightly": lambda n: Usage(PROMPT, ROOM),
    "half as much again for prompts": lambda n: Usage(PROMPT * 3 // 2, ROOM),
    "answers of twenty times their room": lambda n: Usage(PROMPT, 20 * ROOM),
    "one answer in ten of twenty times its room": lambda n: Usage(PROMPT, ROOM * (20 if n % 10 == 9 else 1)),
    "more and more": lambda n: Usage(PROMPT + 10 * n, ROOM + n),
    "nothing": lambda n: Usage(),
    "next to nothing": lambda n: Usage(1, 1),
    "either nothing or twice as much": lambda n: Usage(2 * PROMPT, 2 * ROOM) if n % 2 else Usage(),
}


@pytest.mark.parametrize("lanes", [1, 8, 64])
@pytest.mark.parametrize("kind", MISREPORTS)
def test_a_budget_is_passed_by_one_answer_a_lane_at_most(kind: str, lanes: int) -> None:
    trials = [Trial(SAMPLE, parse("lc"), "r", repeat, ROOM) for repeat in range(400)]
    budget = Budget(Decimal(100_000), "tok")
    accounts = BudgetLedger({"r": FREE}, None, budget)
    waiting, under_way, largest, first = iter(trials), list[Trial](), Decimal(0), True
    draw, report = random.Random(lanes), MISREPORTS[kind]
    following = next(waiting)
    for number in itertools.count():
        while len(under_way) < lanes and accounts.admits(following) == "yes":
            under_way.append(following)
            following = next(waiting)
            assert len(under_way) == 1 or not first, "it is not known yet what an answer takes"
        if not under_way:
            break
        before = accounts.spent
        settled = under_way.pop(draw.randrange(len(under_way)))
        accounts.settle(settled, replace(result(report(number)), answer="lantern " * 60))
        largest, first = max(largest, accounts.spent - before), False
    assert accounts.stopped
    assert accounts.spent >= budget.amount - 2 * largest, "it was used up"
    assert accounts.spent <= budget.amount + lanes * largest
    if kind in ("rightly", "half as much again for prompts", "answers of twenty times their room", "nothing"):
        assert accounts.spent <= budget.amount, "the first answer tells all"


def test_tasks_of_a_cluster_that_wait_for_the_budget_ask_each_trial_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from niah.runs.ray import ask_on_ray

    sent = list[list[Trial]]()

    async def remote(reader: Any, block: list[Trial], *about: Any) -> Block:
        sent.append(block)
        await asyncio.sleep(0.01)
        return Block([(trial.trial_id, result(Usage(1010, 9))) for trial in block])

    cluster: Any = ModuleType("ray")
    cluster.nodes, cluster.cluster_resources = list, lambda: {"CPU": 6}
    cluster.remote = lambda **options: lambda ask: SimpleNamespace(remote=remote)
    monkeypatch.setitem(sys.modules, "ray", cluster)
    errors = SimpleNamespace(RayError=OSError, RayTaskError=OSError)
    monkeypatch.setitem(sys.modules, "ray.exceptions", errors)
    reader = SimpleNamespace(name="r", settings={}, concurrency=3)
    config: Any = SimpleNamespace(judge=RUBRIC, readers=[reader], transport={})
    nothing: Any = SimpleNamespace(run_id="", commit=list, say=str, finished=lambda *of: None)
    accounts = BudgetLedger({"r": FREE}, None, Budget(Decimal(100_000), "tok"))
    asyncio.run(ask_on_ray(nothing, config, TRIALS[:3], nothing, accounts, {}, reuse=False))
    assert [] not in sent
    assert [trial for block in sent for trial in block] == TRIALS[:3]


def test_what_reports_too_little_counts_by_our_own_tokens() -> None:
    accounts = ledger("10ktok", FREE)
    next(admitted(accounts))
    accounts.settle(TRIALS[0], replace(result(Usage(1, 1)), answer="lantern " * 100))
    assert accounts.spent >= PROMPT + 100
    assert accounts.own_counts == {"r": 1}
