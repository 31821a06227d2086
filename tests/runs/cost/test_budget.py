"""Budgets: what may start, and what was spent."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import count, takewhile
from pathlib import Path

import pytest

from niah.cases.case import Case
from niah.errors import UserError
from niah.judges.verdict import Verdict
from niah.readers.reader import Usage
from niah.runs.cost.budget import Budget, parse_budget
from niah.runs.cost.embedding import plan_embedding
from niah.runs.cost.estimate.estimate import make_plan
from niah.runs.cost.estimate.expected_tokens import judge_prompt_tokens
from niah.runs.cost.estimate.finished_trials import JudgeHistory
from niah.runs.cost.estimate.planned_use import Plan
from niah.runs.cost.ledger import BudgetLedger
from niah.runs.cost.opened_ledger import check_budget, spent_before
from niah.runs.cost.prices.price import FREE, Price, Rates
from niah.runs.file.read_model import read_run
from niah.runs.file.store import open_for_writing
from niah.runs.trial import Trial, TrialResult
from niah.strategies.strategy import parse
from tests.samples import unbuilt

PRICE = Price((Rates(0, Decimal("0.001"), Decimal("0.0001"), Decimal("0.01")),))
# 1000 prompt tokens, 32 more for the chat, 64 for the answer: 1096 tokens, 1.032 + 0.64 = 1.672 USD at most.
EMBEDDER = "openai/text-embedding-3-small"
SAMPLE = unbuilt(Case("three-gates", "essays", 1000, 50))
TRIALS = [Trial(SAMPLE, parse("lc"), "r", n, 64) for n in range(6)]

JUDGE = JudgeHistory("j", PRICE, reply_tokens=100)
# What a verdict is expected to take: tokens, and US dollars.
VERDICT = judge_prompt_tokens(SAMPLE) + 100
VERDICT_USD = judge_prompt_tokens(SAMPLE) * Decimal("0.001") + 1


def result(usage: Usage) -> TrialResult:
    return TrialResult("refused", "", "", usage, 1.0, 940)


def test_budgets_as_people_write_them() -> None:
    assert parse_budget("25usd") == Budget(Decimal(25), "usd")
    assert parse_budget(" 0.50 USD ") == Budget(Decimal("0.50"), "usd")
    assert parse_budget("40Mtok") == Budget(Decimal(40_000_000), "tok")
    assert parse_budget("1.5mtok") == Budget(Decimal(1_500_000), "tok")
    assert parse_budget("500ktok") == Budget(Decimal(500_000), "tok")
    assert parse_budget("7tok") == Budget(Decimal(7), "tok")
    assert str(parse_budget("500ktok")) == "500,000 tokens"
    assert str(parse_budget("25usd")) == "25.00 USD"
    assert str(parse_budget("0.0123usd")) == "0.012 USD"
    # Without powers of ten, and with two decimals as soon as these say enough.
    assert str(parse_budget("0.000086usd")) == "0.000086 USD"
    assert [str(parse_budget(f"{text}usd")) for text in ("0.5", "0.0996", "0")] == [
        "0.50 USD",
        "0.10 USD",
        "0.00 USD",
    ]


@pytest.mark.parametrize(
    "text", ["", "25", "usd", "-1usd", "25eur", "1e3usd", "25 usd!", "4Gtok", "nan usd", "٣usd"]
)
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(UserError, match=r"is no budget\. Write 25usd(, 40Mtok or 500ktok| or 25Mtok)"):
        parse_budget(text)


def check(text: str, price: Price | None, spent: str = "0", strategy: str = "lc") -> None:
    trials = [Trial(t.sample, parse(strategy), t.reader, t.repeat, 64) for t in TRIALS]
    plan = make_plan(trials, set(), {"r": 1}, {"r": price}, {})
    check_budget(parse_budget(text), plan, Decimal(spent))


def test_a_plan_within_its_budget_may_start() -> None:
    # 6 x 1.672 = 10.032 USD, 6 x 1096 = 6576 tokens: the budget itself is still within.
    check("10.032usd", PRICE)
    check("6576tok", PRICE)
    check("0usd", FREE)
    check("6576tok", None)


@pytest.mark.parametrize(
    ("text", "price", "spent", "says"),
    [
        ("10.031usd", PRICE, "0", "may take 10.03 USD; its budget is 10.03 USD"),
        ("6575tok", FREE, "0", "may take 6,576 tokens; its budget is 6,575 tokens"),
        ("12usd", PRICE, "3", "may take 10.03 USD, and took 3.00 USD before; its budget is 12.00 USD"),
        ("1000usd", None, "0", "price of r is unknown"),
    ],
)
def test_a_plan_above_its_budget_may_not(text: str, price: Price | None, spent: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as refused:
        check(text, price, spent)
    assert "\n" not in str(refused.value)


def embedding(price: Price | None) -> Plan:
    """One trial of 1000 tokens whose chunks an endpoint embeds."""
    one = Trial(SAMPLE, parse(f"{EMBEDDER}/top-5/norm"), "r", 0, 64)
    embedders = plan_embedding([one], [], {EMBEDDER: price})
    return make_plan([one], set(), {"r": 1}, {"r": FREE}, {}, embedders=embedders)


def test_an_embedder_without_a_price_has_no_money_budget() -> None:
    with pytest.raises(UserError, match=f"price of the embedder {EMBEDDER} is unknown") as refused:
        check_budget(parse_budget("1000usd"), embedding(None), Decimal(0))
    assert "\n" not in str(refused.value)
    check_budget(parse_budget("1Mtok"), embedding(None), Decimal(0))


def test_what_embedding_is_expected_to_take_is_set_aside() -> None:
    plan = embedding(PRICE)
    (embedder,) = plan.embedders
    # Each of its tokens is 0.001; the reader is free.
    expected = embedder.prompt_tokens * Decimal("0.001")
    assert plan.to_budget.of("usd") == expected
    check_budget(parse_budget("4usd"), plan, Decimal(4) - expected)
    with pytest.raises(UserError, match="the run may take"):
        check_budget(parse_budget("4usd"), plan, Decimal("4.001") - expected)
    # 1.672 each: of 4 USD, two fit; with 1 set aside, only one does.
    money = parse_budget("4usd")
    assert len(list(admitted(BudgetLedger({"r": PRICE}, money)))) == 2
    assert len(list(admitted(BudgetLedger({"r": PRICE}, money, set_aside=Decimal(1))))) == 1


def test_a_judge_without_a_price_has_no_money_budget() -> None:
    plan = make_plan(TRIALS, set(), {"r": 1}, {"r": PRICE}, {}, judge=replace(JUDGE, price=None))
    with pytest.raises(UserError, match=r"price of the judge j is unknown.*under prices") as refused:
        check_budget(parse_budget("1000usd"), plan, Decimal(0))
    assert "\n" not in str(refused.value)
    check_budget(parse_budget("1Mtok"), plan, Decimal(0))


def judged(usage: Usage, **more: object) -> TrialResult:
    """An answer of 1.1 USD, 1010 tokens, and what its judge took."""
    verdict = Verdict(10, (), (), (), False, "j", "1", "", usage=usage, latency_s=1.0)
    return replace(result(Usage(1000, 10)), verdicts=(verdict,), **more)  # type: ignore[arg-type]


def test_what_a_verdict_is_expected_to_take_is_reserved() -> None:
    both = Decimal("1.672") + VERDICT_USD
    enough = BudgetLedger({"r": PRICE}, Budget(2 * both, "usd"), judge=JUDGE)
    assert list(admitted(enough)) == TRIALS[:2]
    short = BudgetLedger({"r": PRICE}, Budget(2 * both - Decimal("0.001"), "usd"), judge=JUDGE)
    assert list(admitted(short)) == TRIALS[:1]
    # It comes back: 1.1 for the answer, 200 x 0.001 + 20 x 0.01 for the verdict.
    settled = short.settle(TRIALS[0], judged(Usage(200, 20)))
    assert [verdict.cost for verdict in settled.verdicts] == [Decimal("0.4")]
    assert short.spent == Decimal("1.5")
    # A failed reader's trial needs no judge, and leaves all of that unspent.
    assert short.admits(TRIALS[1]) == "yes"
    short.settle(TRIALS[1], result(Usage(1000, 10)))
    assert short.spent == Decimal("2.6")


def test_a_dear_verdict_raises_what_is_reserved() -> None:
    def ledger(more: int) -> BudgetLedger:
        made = BudgetLedger({"r": PRICE}, Budget(Decimal(1010 + 9000 + more), "tok"), judge=JUDGE)
        assert next(admitted(made)) == TRIALS[0]
        # It was asked for three times: 9000 tokens, far above what was reserved, and all of them count.
        made.settle(TRIALS[0], judged(Usage(8000, 1000)))
        assert made.spent == 1010 + 9000
        return made

    # The next needs 1096 at most for its reader, and as much as the dearest verdict took.
    assert ledger(1096 + 8999).admits(TRIALS[1]) == "no"
    assert ledger(1096 + 9000).admits(TRIALS[1]) == "yes"


def test_a_judge_that_reports_nothing_counts_as_expected() -> None:
    accounts = BudgetLedger({"r": PRICE}, parse_budget("1Mtok"), judge=JUDGE)
    next(admitted(accounts))
    accounts.settle(TRIALS[0], judged(Usage()))
    assert accounts.spent == 1010 + VERDICT


def test_an_answer_that_lacks_a_verdict_reserves_for_the_judge_alone() -> None:
    answered = {TRIALS[0].trial_id}
    accounts = BudgetLedger({"r": PRICE}, Budget(Decimal(VERDICT), "tok"), judge=JUDGE, answered=answered)
    assert accounts.admits(TRIALS[1]) == "no"
    assert accounts.admits(TRIALS[0]) == "yes"
    accounts.settle(TRIALS[0], judged(Usage(1500, 20), answered_before=True))
    assert accounts.spent == 1520


def test_what_judging_took_before_counts(tmp_path: Path) -> None:
    def verdict(judge: str, usage: Usage, usd: str | None = None) -> Verdict:
        cost = None if usd is None else Decimal(usd)
        return Verdict(10, (), (), (), False, judge, "1", "", usage=usage, cost=cost)

    given = [
        (verdict("j", Usage(1500, 20), "1.7"), verdict("other", Usage(500, 5), "0.3")),
        (verdict("j", Usage(1000, 10)), verdict("other", Usage())),  # by its usage: 1.1
        (verdict("j", Usage()),),  # unknown: as expected
        (),  # the judge failed
    ]
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin({"judge": "j"}, TRIALS)
        cached = replace(result(Usage()), outcome="scored", from_cache=True)
        for trial, verdicts in zip(TRIALS, given, strict=False):
            judged = replace(cached, outcome="scored" if verdicts else "judge_error", verdicts=verdicts)
            store.commit([(trial, judged)])
    records = read_run(tmp_path / "run.sqlite").latest_first

    def before(text: str, judge: JudgeHistory | None) -> Decimal:
        return spent_before(parse_budget(text), TRIALS, records, {"r": PRICE}, judge)

    assert before("9usd", JUDGE) == Decimal("3.1") + 2 * VERDICT_USD
    assert before("9tok", JUDGE) == 1520 + 1010 + 505 + 2 * VERDICT
    # Where no model judges, an answer without a verdict costs nothing; what is known of others counts.
    assert before("9usd", None) == Decimal("2.0")


def admitted(keeper: BudgetLedger) -> Iterator[Trial]:
    """The trials that may start, until the first that may not."""
    return takewhile(lambda trial: keeper.admits(trial) == "yes", TRIALS)


def test_trials_under_way_count_at_most() -> None:
    accounts = BudgetLedger({"r": PRICE}, parse_budget("4usd"))
    waiting = admitted(accounts)
    # 1.672 each: two may be under way at once, the third would make 5.016.
    assert [next(waiting), next(waiting)] == TRIALS[:2]
    # One comes back: 1010 x 0.001 + 9 x 0.01 = 1.1. With the other's 1.672, a third makes 4.444.
    accounts.settle(TRIALS[0], result(Usage(1010, 9)))
    assert accounts.spent == Decimal("1.1")
    # The other may leave some of its 1.672 unspent.
    assert accounts.admits(TRIALS[2]) == "later"
    assert not accounts.stopped
    # It took all, for all we know: 1.1 + 1.672 + 1.672 stays above 4, and nothing is left to wait for.
    accounts.settle(TRIALS[1], result(Usage()))
    assert accounts.admits(TRIALS[2]) == "no"
    assert accounts.stopped


def test_room_that_comes_back_is_used() -> None:
    accounts = BudgetLedger({"r": PRICE}, parse_budget("4usd"))
    started = []
    for trial in admitted(accounts):
        started.append(trial)
        accounts.settle(trial, result(Usage(600, 0)))
    # One at a time, 0.6 each: after three of them 1.8 + 1.672 is within 4; after four, 2.4 + 1.672 is not.
    assert started == TRIALS[:4]
    assert accounts.spent == Decimal("2.4")


def test_tokens_are_counted_as_reported() -> None:
    accounts = BudgetLedger({"r": None}, parse_budget("2300tok"))
    waiting = admitted(accounts)
    accounts.settle(next(waiting), result(Usage(1000, 20, 900)))
    assert accounts.spent == 1020
    # 1020 + 1096 is within 2300.
    assert next(waiting) == TRIALS[1]


def test_what_is_not_reported_counts_at_most() -> None:
    accounts = BudgetLedger({"r": PRICE}, parse_budget("100usd"))
    settled = accounts.settle(next(admitted(accounts)), result(Usage()))
    assert settled.cost is None
    assert accounts.spent == Decimal("1.672")


def test_an_answer_from_the_cache_takes_nothing(tmp_path: Path) -> None:
    accounts = BudgetLedger({"r": PRICE}, parse_budget("2usd"))
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin({}, TRIALS)
        for trial in admitted(accounts):
            cached = replace(result(Usage(1000, 10)), from_cache=True)
            store.commit([(trial, accounts.settle(trial, cached))])
    run = read_run(tmp_path / "run.sqlite")
    # 1000 x 0.001 + 10 x 0.01, as if it had been asked: a strategy looks no cheaper for what was kept.
    assert [record.cost for record in run.latest_first] == [1.1] * len(TRIALS)
    assert accounts.spent == 0
    assert spent_before(parse_budget("9tok"), TRIALS, run.latest_first, {"r": PRICE}) == 0


def test_a_provider_that_counts_more_raises_the_estimates() -> None:
    accounts = BudgetLedger({"r": None}, parse_budget("3600tok"))
    waiting = admitted(accounts)
    accounts.settle(next(waiting), result(Usage(2064, 36)))
    # Twice the 1032 allowed: the next may take 2064 + 64, and 2100 + 2128 is above 3600; 2100 + 1096 was not.
    assert list(waiting) == []


def test_without_a_budget_all_start_and_costs_are_filled_in() -> None:
    accounts = BudgetLedger({"r": PRICE})
    assert list(admitted(accounts)) == TRIALS
    settled = accounts.settle(TRIALS[0], result(Usage(1000, 10, 300)))
    # 700 x 0.001 + 300 x 0.0001 + 10 x 0.01
    assert settled.cost == Decimal("0.83")
    assert settled.own_prompt_tokens == 1000
    assert not accounts.stopped


def test_what_was_spent_before_counts(tmp_path: Path) -> None:
    with open_for_writing(tmp_path / "run.sqlite") as store:
        store.begin({}, TRIALS)
        store.commit([(TRIALS[0], result(Usage(1000, 10)))])  # no cost was kept: 1.0 + 0.1 by the usage
        ledger = BudgetLedger({"r": PRICE})
        for trial, usage in ((TRIALS[1], Usage(500, 0)), (TRIALS[2], Usage())):  # 0.5, and unknown: 1.672
            store.commit([(trial, ledger.settle(trial, result(usage)))])
    records = read_run(tmp_path / "run.sqlite").latest_first
    prices = {"r": PRICE}
    assert spent_before(parse_budget("9usd"), TRIALS, records, prices) == Decimal("3.272")
    assert spent_before(parse_budget("9tok"), TRIALS, records, prices) == 1010 + 500 + 1096


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
    ledger = BudgetLedger({"r": FREE}, budget, settled={})
    waiting, under_way, largest, first = iter(trials), list[Trial](), Decimal(0), True
    draw, report = random.Random(lanes), MISREPORTS[kind]
    following = next(waiting)
    for number in count():
        while len(under_way) < lanes and ledger.admits(following) == "yes":
            under_way.append(following)
            following = next(waiting)
            assert len(under_way) == 1 or not first, "nobody knows yet what an answer takes"
        if not under_way:
            break
        before = ledger.spent
        settled = under_way.pop(draw.randrange(len(under_way)))
        answer = replace(result(report(number)), answer="lantern " * 60)
        ledger.settle(settled, answer)
        largest, first = max(largest, ledger.spent - before), False
    assert ledger.stopped
    assert ledger.spent >= budget.amount - 2 * largest, "it was used up"
    assert ledger.spent <= budget.amount + lanes * largest
    if kind in ("rightly", "half as much again for prompts", "answers of twenty times their room", "nothing"):
        assert ledger.spent <= budget.amount, "the first answer tells all"
    print(f"{kind}, {lanes} lanes: {ledger.spent / budget.amount:.1%}")


def test_what_reports_too_little_counts_by_our_own_tokens() -> None:
    ledger = BudgetLedger({"r": FREE}, Budget(Decimal(10_000), "tok"))
    next(admitted(ledger))
    ledger.settle(TRIALS[0], replace(result(Usage(1, 1)), answer="lantern " * 100))
    assert ledger.spent >= PROMPT + 100
    assert ledger.own_counts == {"r": 1}
