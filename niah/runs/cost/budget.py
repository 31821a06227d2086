"""Budgets: how much a run may take, and the accounts that keep it within.

A budget is the run's, not the command's: what finished trials of the run file took counts, so that the same
command given again spends no more. Where a call's usage was not reported (a time-out may well be billed), its
upper estimate counts. Answers from the response cache take nothing.

A judge that is a model is the run's too: what its verdicts took, and its upper estimate for every answer
without a verdict. What embedders take is not metered: their upper estimate is set aside from the start.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from niah.errors import UserError
from niah.readers.reader import Usage
from niah.runs.cost.estimate import Plan
from niah.runs.cost.estimate_judges import AskedJudge, Judged, judge_tokens_at_most, judge_usd_at_most
from niah.runs.cost.estimate_seen import Finished, prompt_bound
from niah.runs.cost.estimate_tokens import own_prompt_tokens, reported_at_most, tokens_of
from niah.runs.cost.prices import Price, cost
from niah.runs.result import Result
from niah.runs.trial import Trial

Unit = Literal["usd", "tok"]
Admission = Literal["yes", "later", "no"]

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|[km]?tok)", re.IGNORECASE | re.ASCII)
_SCALE = {"usd": 1, "tok": 1, "ktok": 1000, "mtok": 1_000_000}
_FORMS = "Write 25usd, 40Mtok or 500ktok."


@dataclass(frozen=True)
class Budget:
    """US dollars, or tokens of prompts and answers together."""

    amount: Decimal
    unit: Unit

    def __str__(self) -> str:
        return said(self.amount, self.unit)


def parse_budget(text: str) -> Budget:
    """The budget that ``text`` writes down: "25usd", "0.50 USD", "40Mtok", "500ktok". Raises UserError."""
    found = _BUDGET.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{text!r} is no budget.", _FORMS)
    unit = found[2].lower()
    return Budget(Decimal(found[1]) * _SCALE[unit], "usd" if unit == "usd" else "tok")


def said(amount: Decimal, unit: Unit) -> str:
    """An amount for people: "0.034 USD", "1,200 tokens"."""
    if unit == "tok":
        return f"{amount:,.0f} tokens"
    if amount and amount < 1:
        return f"{float(amount):.2g} USD"
    return f"{amount:,.2f} USD"


def check_budget(budget: Budget, plan: Plan, spent: Decimal) -> None:
    """Raise UserError where the rest of a run may take it above its budget, or nobody can tell."""
    needed: Decimal | None = Decimal(plan.tokens_at_most)
    if budget.unit == "usd":
        if unpriced := _unpriced(plan):
            raise UserError(
                f"the price of {', '.join(unpriced)} is unknown: nothing would keep the run within {budget}.",
                "Write it in the run config, under prices, or give the budget in tokens, such as 40Mtok.",
            )
        needed = plan.usd_at_most
    assert needed is not None
    if spent + needed > budget.amount:
        before = f", and took {said(spent, budget.unit)} before" if spent else ""
        raise UserError(
            f"the run may take {said(needed, budget.unit)}{before}; its budget is {budget}.",
            "`niah plan` says what takes how much. Raise the budget, or ask for less.",
        )


def set_aside(budget: Budget, plan: Plan) -> Decimal:
    """What embedders may take at most, in the budget's unit; unknown prices as in ``at_most``."""
    if budget.unit == "tok":
        return Decimal(sum(embedder.tokens_at_most for embedder in plan.embedders))
    return sum((embedder.usd_at_most or Decimal(0) for embedder in plan.embedders), Decimal(0))


def _unpriced(plan: Plan) -> list[str]:
    judge = plan.judge
    return [
        *(r.reader for r in plan.readers if r.calls and r.usd_at_most is None),
        *([f"the judge {judge.judge}"] if judge and judge.usd_at_most is None else []),
        *(f"the embedder {e.embedder}" for e in plan.embedders if e.usd_at_most is None),
    ]


@dataclass(frozen=True)
class Reserved:
    """The most that a trial under way may take, in the budget's unit."""

    reader: Decimal
    judge: Decimal

    @property
    def amount(self) -> Decimal:
        """Both together."""
        return self.reader + self.judge


class BudgetLedger:
    """Fills in what trials cost, and lets a trial start only while the run stays within its budget.

    What is spent, what is set aside, the upper estimates of the trials under way and that of the next one
    together never exceed the budget. A trial's are those of its reader and, for all attempts, of its judge. A
    provider that counts more prompt tokens than we do raises the estimates that follow.

    Args:
        prices: of each reader, by name.
        budget: None for no limit.
        spent: in the budget's unit, before.
        bounds: of each reader with finished trials: its greatest ``prompt_bound``.
        judge: who is asked for verdicts; None where the rubric judges alone.
        set_aside: for embedders, in the budget's unit.
        answered: ids of the trials that only lack a verdict.

    Attributes:
        budget: the limit, if there is one.
        spent: in the budget's unit, by now.
        stopped: whether a trial was kept from starting.
    """

    def __init__(
        self,
        prices: Mapping[str, Price | None],
        budget: Budget | None = None,
        spent: Decimal = Decimal(0),
        bounds: Mapping[str, float] | None = None,
        judge: AskedJudge | None = None,
        set_aside: Decimal = Decimal(0),
        answered: Collection[str] = (),
    ) -> None:
        self._prices = prices
        self._judge = judge
        self._set_aside = set_aside
        self._answered = answered
        self.budget = budget
        self._bounds = dict(bounds or {})
        self._under_way: dict[str, Reserved] = {}
        self.spent = spent
        self.stopped = False

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start; "yes" reserves what it may take at most.

        "later" while others are under way, since they may leave some of what was reserved for them; "no" when
        there is nothing to wait for.
        """
        if self.budget is None:
            return "yes"
        needed = self._at_most(trial)
        under_way = sum(reserved.amount for reserved in self._under_way.values())
        if self.spent + self._set_aside + under_way + needed.amount <= self.budget.amount:
            self._under_way[trial.trial_id] = needed
            return "yes"
        if self._under_way:
            return "later"
        self.stopped = True
        return "no"

    def settle(self, trial: Trial, result: Result) -> Result:
        """The result with what it cost and our own count of its prompt."""
        judge_price = self._judge.price if self._judge else None
        judging = tuple(replace(j, cost=cost(judge_price, j.usage)) for j in result.judging)
        result = replace(result, judging=judging)
        reserved = self._under_way.pop(trial.trial_id, None)
        if self.budget is not None:
            reserved = reserved or self._at_most(trial)
            for judged in judging:
                self.spent += spent_on(self.budget.unit, judged.cost, judged.usage, reserved.judge)
        if result.answered_before:
            return result
        usage = result.usage
        own = own_prompt_tokens(trial, result.context_tokens)
        usd = Decimal(0) if result.from_cache else cost(self._prices.get(trial.reader), usage)
        if self.budget is not None and reserved is not None and not result.from_cache:
            self.spent += spent_on(self.budget.unit, usd, usage, reserved.reader)
        if usage.prompt_tokens:
            bound = prompt_bound(own, usage.prompt_tokens)
            self._bounds[trial.reader] = max(self._bounds.get(trial.reader, 1.0), bound)
        return replace(result, cost=usd, own_prompt_tokens=own)

    def _at_most(self, trial: Trial) -> Reserved:
        assert self.budget is not None
        unit, bound = self.budget.unit, self._bounds.get(trial.reader, 1.0)
        answered = trial.trial_id in self._answered
        return Reserved(
            Decimal(0) if answered else at_most(trial, unit, self._prices.get(trial.reader), bound),
            judging_at_most(trial, unit, self._judge),
        )


def at_most(trial: Trial, unit: Unit, price: Price | None, bound: float = 1.0) -> Decimal:
    """The most that a trial may take. An unknown price counts as 0: ``check_budget`` lets none through."""
    tokens = tokens_of(trial)
    prompt = reported_at_most(tokens, bound)
    if unit == "tok":
        return Decimal(prompt + tokens.answer_at_most)
    return price.of(prompt, tokens.answer_at_most) if price else Decimal(0)


def judging_at_most(trial: Trial, unit: Unit, judge: AskedJudge | None) -> Decimal:
    """The most that a verdict may take, all attempts together; unknown prices as in ``at_most``."""
    if judge is None:
        return Decimal(0)
    if unit == "tok":
        return Decimal(judge_tokens_at_most(trial, judge))
    return judge_usd_at_most(trial, judge) or Decimal(0)


def spent_on(unit: Unit, usd: Decimal | None, usage: Usage, otherwise: Decimal) -> Decimal:
    """What a finished trial took: as reported, ``otherwise`` where that is not known."""
    if unit == "usd":
        return otherwise if usd is None else usd
    if usage.prompt_tokens is None or usage.completion_tokens is None:
        return otherwise
    return Decimal(usage.prompt_tokens + usage.completion_tokens)


def spent_before(
    budget: Budget,
    trials: Iterable[Trial],
    finished: Mapping[str, Finished],
    prices: Mapping[str, Price | None],
) -> Decimal:
    """What the finished trials took, in the budget's unit; ``finished`` is by trial id."""
    spent = Decimal(0)
    for trial in trials:
        done = finished.get(trial.trial_id)
        if done is not None and not done.from_cache:
            price = prices.get(trial.reader)
            # Files written before costs were kept have the usage alone.
            usd = cost(price, done.usage) if done.cost is None else done.cost
            spent += spent_on(budget.unit, usd, done.usage, at_most(trial, budget.unit, price))
    return spent


def judging_before(
    budget: Budget,
    trials: Iterable[Trial],
    judged: Iterable[Judged],
    failed: Collection[str],
    judge: AskedJudge | None,
) -> Decimal:
    """What verdicts took, in the budget's unit.

    What a verdict of the run's judge took that is not known counts at most, as does an answer that the judge
    failed on: of failures nothing is kept. Verdicts of other judges count as far as they are known.

    Args:
        budget: its unit counts.
        trials: of the run.
        judged: verdicts in the run file.
        failed: ids of trials whose answers got no verdict.
        judge: the run's.
    """
    bounds = {trial.trial_id: judging_at_most(trial, budget.unit, judge) for trial in trials}
    spent = sum((bounds[trial_id] for trial_id in failed if trial_id in bounds), Decimal(0))
    for verdict in judged:
        own = judge is not None and verdict.judge == judge.name
        usd = cost(judge.price, verdict.usage) if judge and own and verdict.cost is None else verdict.cost
        otherwise = bounds.get(verdict.trial_id, Decimal(0)) if own else Decimal(0)
        spent += spent_on(budget.unit, usd, verdict.usage, otherwise)
    return spent
