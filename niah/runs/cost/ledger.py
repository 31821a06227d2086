"""The ledger that keeps a run within its budget.

A budget is the run's, not the command's: what finished trials of the run file took counts, so that the same
command given again spends no more. Answers from the response cache take nothing.

What readers take does not exceed it, as long as they keep to what is asked: the most that a call may take is
known before, and counts until its usage is reported, or for good where it is not (a time-out may well be
billed). A reader that counts more, or writes more than its room, is met by a first trial alone; the most that
it has passed our bounds by counts for all that are under way and to come, and no more are under way than have
been settled, and one. So a surprise costs what the answers under way exceed the greatest before by, at most.
What reports nothing, or less than half of what there is, counts by our own tokens. Of a judge that is a
model, what its verdicts took is metered, and what a verdict is expected to take (or the dearest so far) is
reserved for every answer under way: a verdict that is dearer than all before it, or is asked for again, may
exceed the budget by that. What embedders are expected to take is set aside from the start.

An application of the user's own that answers in a reader's place is metered by what it reports, after the
fact; for each of its answers under way the dearest so far is reserved, and the first goes alone. What it does
not report is not held.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Literal

from niah.readers.reader import Usage
from niah.runs.cost.billing import ReaderBounds, taken_by
from niah.runs.cost.budget import Budget
from niah.runs.cost.estimate.estimate import at_most
from niah.runs.cost.estimate.finished_trials import JudgeHistory
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import (
    BudgetUnit,
    Spending,
    cost,
    known_amount,
    spending_of,
    thinking_cost,
)
from niah.runs.trial import Trial, TrialResult

Admission = Literal["yes", "later", "no"]


class BudgetLedger:
    """Fills in what trials cost, and lets a trial start only while the run stays within its budget.

    What is spent, what is set aside, what is reserved for the trials under way and what the next one needs
    together never exceed the budget. A trial needs the most that its reader may take, and what its verdict is
    expected to take. A provider that counts more tokens than we do, or writes more than it may, raises what
    is reserved for its trials under way and to come; a dear verdict what is expected of the next ones.

    Args:
        prices: of each reader, by name.
        budget: None for no limit.
        spent: in the budget's unit, before.
        bounds: of each reader with finished trials.
        judge: who is asked for verdicts; None where the rubric judges alone.
        set_aside: for embedders, in the budget's unit.
        answered: ids of the trials that only lack a verdict.
        settled: of each reader, how many trials have shown what it takes: no more than that, and one, are
            under way at once. None lets any number start.

    Attributes:
        budget: the limit, if there is one.
        spent: in the budget's unit, by now.
        stopped: whether a trial was kept from starting.
        own_counts: by reader, how many calls count by our own tokens.
        unreported: by strategy, how many answers of a system the budget does not hold.
    """

    def __init__(
        self,
        prices: Mapping[str, Price | None],
        budget: Budget | None = None,
        spent: Decimal = Decimal(0),
        bounds: Mapping[str, ReaderBounds] | None = None,
        judge: JudgeHistory | None = None,
        set_aside: Decimal = Decimal(0),
        answered: Collection[str] = (),
        settled: Mapping[str, int] | None = None,
    ) -> None:
        self._prices = prices
        self._judge = judge
        self._set_aside = set_aside
        self._answered = answered
        self.budget = budget
        self._bounds = dict(bounds or {})
        self._dearest_verdict = Decimal(0)
        self._under_way: dict[str, Trial] = {}
        self._reserved: dict[str, tuple[Decimal, Decimal]] = {}
        """Of the trials and preparation calls under way, for reader and judge."""
        self._calls: dict[str, str] = {}
        """Of these, the preparation calls, each with its model."""
        self._settled_calls: Counter[str] = Counter()
        self._settled = None if settled is None else Counter(settled)
        self.own_counts: Counter[str] = Counter()
        self.unreported: Counter[str] = Counter()
        self._dearest_answers: dict[str, Decimal] = {}
        """By system, the most that one has reported of an answer."""
        self.spent = spent
        self.stopped = False

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start; "yes" reserves what it needs.

        "later" while others are under way, since they may leave some of what was reserved for them; "no" when
        there is nothing to wait for.
        """
        if self.budget is None:
            return "yes"
        needed = self._needed(trial, self.budget.unit)
        reserved = sum(sum(amounts) for amounts in self._reserved.values())
        if self._is_proven(trial) and (
            self.spent + self._set_aside + reserved + sum(needed) <= self.budget.amount
        ):
            self._reserved[trial.trial_id] = needed
            self._under_way[trial.trial_id] = trial
            return "yes"
        if self._reserved:
            return "later"
        self.stopped = True
        return "no"

    def admits_call(self, call: str, model: str, most: Spending) -> Admission:
        """As ``admits``, of a call of a model that prepares, by its key; ``most`` is the most it may take.

        Of each model, no more are under way than have shown what they take, and one.
        """
        if self.budget is None:
            return "yes"
        needed = known_amount(most, self.budget.unit)
        reserved = sum(sum(amounts) for amounts in self._reserved.values())
        beside = sum(other == model for other in self._calls.values())
        if (
            beside <= self._settled_calls[model]
            and self.spent + self._set_aside + reserved + needed <= self.budget.amount
        ):
            self._reserved[call] = (needed, Decimal(0))
            self._calls[call] = model
            return "yes"
        if self._calls:
            return "later"
        self.stopped = True
        return "no"

    def settle_call(self, call: str, taken: Spending) -> None:
        """Count what the call took; the most where it did not say."""
        if model := self._calls.pop(call, None):
            self._settled_calls[model] += 1
        if self.budget is not None:
            needed, _ = self._reserved.pop(call)
            self.spent += known_amount(taken, self.budget.unit, needed)

    def release(self, trial: Trial) -> None:
        """Give back what is reserved for a trial that stays not run."""
        self._reserved.pop(trial.trial_id, None)
        self._under_way.pop(trial.trial_id, None)

    def _is_proven(self, trial: Trial) -> bool:
        """Whether as many trials of its reader have shown what they take as would be under way beside it."""
        if self._settled is None:
            return True
        beside = sum(_answers(other) == _answers(trial) for other in self._under_way.values())
        return beside <= self._settled[_answers(trial)]

    def settle(self, trial: Trial, result: TrialResult) -> TrialResult:
        """The result with what it cost and our own count of its prompt."""
        unit = self.budget.unit if self.budget else None
        needed = self._reserved.get(trial.trial_id) or (unit and self._needed(trial, unit))
        self.release(trial)
        judge_price = self._judge.price if self._judge else None
        asked = self._judge.name if self._judge else None
        verdicts = tuple(
            replace(each, cost=cost(judge_price, each.usage)) if each.judge == asked else each
            for each in result.verdicts
        )
        judging = [each.usage for each in verdicts if each.judge == asked]
        if result.judge_failure and asked:
            judging.append(result.judge_failure.usage)
        if unit and needed:
            for usage in judging:
                taken = known_amount(spending_of(usage, cost(judge_price, usage)), unit, needed[1])
                self._dearest_verdict = max(self._dearest_verdict, taken)
                self.spent += taken
        result = replace(result, verdicts=verdicts)
        if result.answered_before:
            return result
        usage = result.usage
        if unit and trial.strategy.system and not result.from_cache:
            self._meter_system(trial, result, unit)
        if not result.was_asked:
            return result
        usd = cost(self._prices.get(trial.reader), usage)
        own = trial.system_tokens + trial.sample.prompt_tokens + (result.context_tokens or 0)
        if unit and needed and not result.from_cache:
            price = self._prices.get(trial.reader)
            read = taken_by(trial, usage, result.answer, own, price, unit, needed[0], usd)
            self.spent += read.amount
            self.own_counts[trial.reader] += read.by_own_count
            self._learn(trial, own, read.usage, unit)
        thoughts = thinking_cost(self._prices.get(trial.reader), usage)
        return replace(result, cost=usd, thinking_cost=thoughts, own_prompt_tokens=own)

    def _meter_system(self, trial: Trial, result: TrialResult, unit: BudgetUnit) -> None:
        """Count what a system reports of an answer, and reserve as much for the next ones."""
        taken = spending_of(result.usage, result.cost).of(unit)
        if taken is None:
            self.unreported[trial.strategy.name] += result.outcome == "scored"
        name, amount = _answers(trial), taken or Decimal(0)
        self.spent += amount
        self._dearest_answers[name] = max(self._dearest_answers.get(name, Decimal(0)), amount)
        if self._settled is not None:
            self._settled[name] += 1

    def _learn(self, trial: Trial, own_prompt: int, usage: Usage, unit: BudgetUnit) -> None:
        """Raise what is reserved, where a reader took more than any trial of it before."""
        before = self._bounds.get(trial.reader, ReaderBounds())
        after = before.after(trial, own_prompt, usage)
        if self._settled is not None:
            self._settled[trial.reader] += 1
        if after != before:
            self._bounds[trial.reader] = after
            for trial_id, other in self._under_way.items():
                self._reserved[trial_id] = self._needed(other, unit)

    def _needed(self, trial: Trial, unit: BudgetUnit) -> tuple[Decimal, Decimal]:
        """For reader and judge. An unknown price counts as 0: ``check_budget`` lets none through."""
        reading = verdict = Decimal(0)
        if trial.strategy.system:
            reading = self._dearest_answers.get(_answers(trial), Decimal(0))
        elif trial.trial_id not in self._answered:
            bounds = self._bounds.get(trial.reader, ReaderBounds())
            most = at_most(trial, self._prices.get(trial.reader), bounds.prompt, bounds.answer)
            reading = known_amount(most, unit)
        if self._judge and not trial.asks_first:
            verdict = max(self._dearest_verdict, known_amount(self._judge.expected_verdict(trial), unit))
        return reading, verdict


def _answers(trial: Trial) -> str:
    """Who answers: the reader, or a system in its place."""
    return trial.strategy.system or trial.reader
