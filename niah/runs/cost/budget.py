"""Budgets: how much a run may take, and the ledger that keeps it within.

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

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from niah.errors import UserError
from niah.readers.reader import Usage
from niah.runs.cost.billing import ReaderBounds, taken_by
from niah.runs.cost.estimate.estimate import at_most
from niah.runs.cost.estimate.finished_trials import JudgeHistory
from niah.runs.cost.estimate.planned_use import Plan
from niah.runs.cost.prices import BudgetUnit, Price, Spending, cost, spending_of, thinking_cost
from niah.runs.preparation.preparer import PreparationCall
from niah.runs.trial import Trial, TrialRecord, TrialResult

Admission = Literal["yes", "later", "no"]

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(usd|[km]?tok)", re.IGNORECASE | re.ASCII)
_SCALE = {"usd": 1, "tok": 1, "ktok": 1000, "mtok": 1_000_000}
_CENTS_SAY = Decimal("0.1")
"""US dollars, of which two decimals are as much as anybody wants to know."""
_FORMS = "Write 25usd, 40Mtok or 500ktok."


@dataclass(frozen=True)
class Budget:
    """US dollars, or tokens of prompts and answers together."""

    amount: Decimal
    unit: BudgetUnit

    def __str__(self) -> str:
        return spending_label(self.amount, self.unit)


def parse_budget(text: str) -> Budget:
    """The budget that ``text`` writes down: "25usd", "0.50 USD", "40Mtok", "500ktok". Raises UserError."""
    found = _BUDGET.fullmatch(text.strip())
    if found is None:
        raise UserError(f"{text!r} is no budget.", _FORMS)
    unit = found[2].lower()
    return Budget(Decimal(found[1]) * _SCALE[unit], "usd" if unit == "usd" else "tok")


def spending_label(amount: Decimal, unit: BudgetUnit) -> str:
    """An amount for people: "1.50 USD", "0.034 USD", "0.000086 USD", "1,200 tokens"."""
    if unit == "tok":
        return f"{amount:,.0f} tokens"
    small = Decimal(f"{float(amount):.2g}")  # two digits that say something, and no power of ten
    return f"{small:f} USD" if 0 < small < _CENTS_SAY else f"{amount:,.2f} USD"


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
        needed = _known(most, self.budget.unit)
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
            self.spent += _known(taken, self.budget.unit, needed)

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
                taken = _known(spending_of(usage, cost(judge_price, usage)), unit, needed[1])
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
            reading = _known(most, unit)
        if self._judge and not trial.asks_first:
            verdict = max(self._dearest_verdict, _known(self._judge.expected_verdict(trial), unit))
        return reading, verdict


def open_ledger(
    budget: Budget,
    plan: Plan,
    trials: Sequence[Trial],
    records: Sequence[TrialRecord],
    prices: Mapping[str, Price | None],
    judge: JudgeHistory | None = None,
    answered: Collection[str] = (),
    prepared: Iterable[PreparationCall] = (),
) -> BudgetLedger:
    """The ledger of a run that is to start or to go on.

    Args:
        budget: the run's.
        plan: of what is left, with all that embedders take for the trials begun and to do.
        trials: of the run.
        records: of the run file's finished trials, the latest first.
        prices: of each reader, by name.
        judge: who is asked for verdicts.
        answered: ids of the trials that only lack a verdict.
        prepared: calls of models that prepare, of the run file.

    Raises UserError where the rest of the run may take it above its budget, or nobody can tell.
    """
    spent = spent_before(budget, trials, records, prices, judge)
    spent += sum((_known(call.spending, budget.unit) for call in prepared), Decimal(0))
    check_budget(budget, plan, spent)
    bounds, settled = _shown_before(trials, records)
    set_aside = sum((_known(each.to_budget, budget.unit) for each in plan.retrieving), Decimal(0))
    return BudgetLedger(prices, budget, spent, bounds, judge, set_aside, answered, settled)


def _shown_before(
    trials: Iterable[Trial], records: Iterable[TrialRecord]
) -> tuple[dict[str, ReaderBounds], Counter[str]]:
    """Of each reader the bounds that its finished trials show, and how many they are."""
    finished = {record.trial_id: record for record in records}
    bounds: dict[str, ReaderBounds] = {}
    settled: Counter[str] = Counter()
    for trial in trials:
        record = finished.get(trial.trial_id)
        if record is not None and record.own_prompt_tokens and not record.from_cache:
            before = bounds.get(trial.reader, ReaderBounds())
            bounds[trial.reader] = before.after(trial, record.own_prompt_tokens, record.usage)
            settled[trial.reader] += 1
    return bounds, settled


def check_budget(budget: Budget, plan: Plan, spent: Decimal) -> None:
    """Raise UserError where the rest of a run may take it above its budget, or nobody can tell."""
    if budget.unit == "usd":
        unpriced = [
            *(each.name for each in plan.readers if each.calls and each.usd is None),
            *([f"the judge {plan.judge.name}"] if plan.judge and plan.judge.usd is None else []),
            *(f"the preparing {each.name}" for each in plan.preparing if each.calls and each.usd is None),
            *(f"the embedder {each.name}" for each in plan.embedders if each.usd is None),
            *(f"the reranker {each.name}" for each in plan.rerankers if each.usd is None),
        ]
        if unpriced:
            raise UserError(
                f"the price of {', '.join(unpriced)} is unknown: nothing would keep the run within {budget}.",
                "Write it in the run config, under prices, or give the budget in tokens, such as 40Mtok.",
            )
    needed = plan.to_budget.of(budget.unit) or Decimal(0)
    if spent + needed > budget.amount:
        before = f", and took {spending_label(spent, budget.unit)} before" if spent else ""
        raise UserError(
            f"the run may take {spending_label(needed, budget.unit)}{before}; its budget is {budget}.",
            "`niah plan` says what takes how much. Raise the budget, or ask for less.",
        )


def spent_before(
    budget: Budget,
    trials: Iterable[Trial],
    records: Iterable[TrialRecord],
    prices: Mapping[str, Price | None],
    judge: JudgeHistory | None = None,
) -> Decimal:
    """What finished trials and verdicts took, in the budget's unit.

    A call whose usage is not known counts at most; a verdict of the run's judge as is expected, also one that
    the judge failed at, since of failures nothing is kept. Verdicts of other judges count as far as they are
    known.

    Args:
        budget: its unit counts.
        trials: of the run.
        records: of the run file's finished trials.
        prices: of each reader.
        judge: the run's.
    """
    unit, spent = budget.unit, Decimal(0)
    finished = {record.trial_id: record for record in records}
    for trial in trials:
        record, price = finished.get(trial.trial_id), prices.get(trial.reader)
        if record is None:
            continue
        if trial.strategy.system:
            usd = None if record.cost is None else Decimal(str(record.cost))
            spent += Decimal(0) if record.from_cache else _known(spending_of(record.usage, usd), unit)
        elif not record.from_cache:
            most = _known(at_most(trial, price), unit)
            usd = None if record.cost is None else Decimal(str(record.cost))
            own = record.own_prompt_tokens or 0
            spent += taken_by(trial, record.usage, record.answer, own, price, unit, most, usd).amount
        expected = _known(judge.expected_verdict(trial), unit) if judge else Decimal(0)
        if record.outcome == "judge_error":
            spent += expected
        for verdict in record.verdicts:
            own = judge is not None and verdict.judge == judge.name
            usd = cost(judge.price, verdict.usage) if judge and own and verdict.cost is None else verdict.cost
            spent += _known(spending_of(verdict.usage, usd), unit, expected if own else Decimal(0))
    return spent


def _answers(trial: Trial) -> str:
    """Who answers: the reader, or a system in its place."""
    return trial.strategy.system or trial.reader


def _known(spending: Spending, unit: BudgetUnit, otherwise: Decimal = Decimal(0)) -> Decimal:
    amount = spending.of(unit)
    return otherwise if amount is None else amount
