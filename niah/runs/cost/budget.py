"""Budgets: how much a run may take, and the ledger that holds it within that.

A budget is the run's, not the command's: what finished trials of the run file took counts. The most that each
trial may take is reserved before it starts, until its usage is reported. A reader that counts more tokens
than we do, or writes more than its room, raises what is reserved for its other trials; no more of its trials
are under way than have shown what they take, and one. So a surprise costs what the answers under way exceed
the greatest before by, at most. What reports nothing, or less than half of what there is, counts by our own
tokens. Of judges, preparing models and systems what they report is counted; what embedders and rerankers are
expected to take is set aside from the start.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from niah.errors import UserError
from niah.readers.reader import Usage
from niah.runs.cost.estimate import JudgeHistory, Plan, at_most, prompt_bound
from niah.runs.cost.prices import (
    Budget,
    BudgetUnit,
    Price,
    Spending,
    cost,
    known_amount,
    spending_label,
    spending_of,
    thinking_cost,
)
from niah.runs.trial import Trial, TrialRecord, TrialResult
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from niah.runs.file.read import RunContents

MOST_USD = Decimal(5)
"""A run that is expected to cost more needs a budget."""
_LEAST_SHARE, _SLACK = 0.5, 16
"""Tokenizers differ by less; a report below this share of our count is none."""

Admission = Literal["yes", "later", "no"]


@dataclass(frozen=True)
class _Bounds:
    """By how much a reader has passed what we expected at most of prompts and answers; 1 for not at all."""

    prompt: float = 1.0
    answer: float = 1.0

    def after(self, trial: Trial, own_prompt: int, usage: Usage) -> _Bounds:
        return _Bounds(
            max(self.prompt, prompt_bound(own_prompt, usage.prompt_tokens or 0)),
            max(self.answer, (usage.completion_tokens or 0) / trial.room),
        )


class BudgetLedger:
    """Fills in what trials cost, and lets a trial start only while the run stays within its budget.

    Args:
        prices: of each reader, by name.
        judge: the model that is asked for verdicts; None where none is.
        budget: None for no limit.
        spent: in the budget's unit, before.
        set_aside: for embedders and rerankers, in the budget's unit.
        answered: ids of the trials that only lack a verdict.
        settled: by reader or system, how many finished trials have shown what they take.

    Attributes:
        stopped: whether a trial could not start.
        own_counts: by reader, how many calls count by our own tokens.
        unreported: by strategy, how many answers of a system the budget does not hold.
    """

    def __init__(
        self,
        prices: Mapping[str, Price | None],
        judge: JudgeHistory | None = None,
        budget: Budget | None = None,
        spent: Decimal = Decimal(0),
        set_aside: Decimal = Decimal(0),
        answered: Collection[str] = (),
        settled: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.budget, self.spent, self.stopped = budget, spent, False
        self.own_counts: Counter[str] = Counter()
        self.unreported: Counter[str] = Counter()
        self._prices, self._judge, self._set_aside, self._answered = prices, judge, set_aside, answered
        self._unit: BudgetUnit = budget.unit if budget else "tok"
        self._reserved: dict[str, tuple[str, Decimal, Decimal]] = {}
        """By trial or call under way: who is paid, and the amounts for it and for the judge."""
        self._under_way: dict[str, Trial] = {}
        self._settled: Counter[str] = Counter(settled)
        self._bounds: dict[str, _Bounds] = {}
        self._dearest_verdict = Decimal(0)
        self._dearest_answers: dict[str, Decimal] = {}
        self._changed = asyncio.Event()

    def learn(self, trials: Iterable[Trial], records: Iterable[TrialRecord]) -> None:
        """Take in what finished trials have shown of their readers."""
        finished = {record.trial_id: record for record in records}
        for trial in trials:
            record = finished.get(trial.trial_id)
            if record is not None and record.own_prompt_tokens and not record.from_cache:
                before = self._bounds.get(trial.reader, _Bounds())
                self._bounds[trial.reader] = before.after(trial, record.own_prompt_tokens, record.usage)
                self._settled[trial.reader] += 1

    async def admit(self, trial: Trial, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Reserve what the trial may take, once there is room; False where there will be none."""
        while not is_stopped():
            match self.admits(trial):
                case "yes":
                    return True
                case "no":
                    return False
                case "later":
                    await self._changed.wait()
        return False

    async def admit_call(self, key: str, model: str, most: Callable[[], Spending]) -> bool:
        """As ``admit``, for a call of a model that prepares; ``most`` gives the most that it may take."""
        while True:
            match self._reserve(key, f"preparing {model}", known_amount(most(), self._unit), Decimal(0)):
                case "yes":
                    return True
                case "no":
                    return False
                case "later":
                    await self._changed.wait()

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start; "yes" reserves what it needs, "later" may change when others end."""
        admission = self._reserve(trial.trial_id, _payee(trial), *self._needed(trial))
        if admission == "yes" and self.budget:
            self._under_way[trial.trial_id] = trial
        return admission

    def _reserve(self, key: str, payee: str, amount: Decimal, judging: Decimal) -> Admission:
        if self.budget is None:
            return "yes"
        others = sum(name == payee for name, _, _ in self._reserved.values())
        reserved = sum(amount + verdict for _, amount, verdict in self._reserved.values())
        fits = self.spent + self._set_aside + reserved + amount + judging <= self.budget.amount
        if fits and others <= self._settled[payee]:
            self._reserved[key] = payee, amount, judging
            return "yes"
        if self._reserved:
            return "later"
        self.stopped = True
        return "no"

    def wake(self) -> None:
        """Let waiting trials look again whether they may start."""
        self._changed.set()
        self._changed = asyncio.Event()

    def release(self, key: str) -> None:
        """Give back what is reserved for a trial that stays not run."""
        self._reserved.pop(key, None)
        self._under_way.pop(key, None)
        self.wake()

    def settle_call(self, key: str, taken: Spending) -> None:
        """Count what a call took; the most where it did not say."""
        if self.budget:
            model, most, _ = self._reserved[key]
            self.spent += known_amount(taken, self._unit, most)
            self._settled[model] += 1
        self.release(key)

    def settle(self, trial: Trial, result: TrialResult) -> TrialResult:
        """The result with what it cost and our own count of its prompt."""
        _, most, expected = self._reserved.get(trial.trial_id) or ("", *self._needed(trial))
        result = self._settle_verdicts(result, expected)
        if self.budget and trial.strategy.system and not result.from_cache and not result.answered_before:
            self._settle_system(trial, result)
        if not result.answered_before and result.was_asked:
            price, usage = self._prices.get(trial.reader), result.usage
            usd = cost(price, usage)
            own = trial.system_tokens + trial.sample.prompt_tokens + (result.context_tokens or 0)
            if self.budget and not result.from_cache:
                counted, amount, by_own = billed(
                    trial, usage, result.answer, own, price, usd, most, self._unit
                )
                self.spent += amount
                self.own_counts[trial.reader] += by_own
                self._settled[trial.reader] += 1
                self._raise_bounds(trial, own, counted)
            thoughts = thinking_cost(price, usage)
            result = replace(result, cost=usd, thinking_cost=thoughts, own_prompt_tokens=own)
        self.release(trial.trial_id)
        return result

    def _settle_verdicts(self, result: TrialResult, expected: Decimal) -> TrialResult:
        """Count what the judge took, and price its verdicts."""
        judge = self._judge
        if judge is None:
            return result
        verdicts = tuple(
            replace(each, cost=cost(judge.price, each.usage)) if each.judge == judge.name else each
            for each in result.verdicts
        )
        asked = [each.usage for each in verdicts if each.judge == judge.name]
        if result.judge_failure:
            asked.append(result.judge_failure.usage)
        for usage in asked if self.budget else ():
            taken = known_amount(spending_of(usage, cost(judge.price, usage)), self._unit, expected)
            self._dearest_verdict = max(self._dearest_verdict, taken)
            self.spent += taken
        return replace(result, verdicts=verdicts)

    def _settle_system(self, trial: Trial, result: TrialResult) -> None:
        """Count what a system reports of an answer, and reserve as much for the next ones."""
        taken = spending_of(result.usage, result.cost).of(self._unit)
        if taken is None:
            self.unreported[trial.strategy.name] += result.outcome == "scored"
        name, amount = _payee(trial), taken or Decimal(0)
        self.spent += amount
        self._dearest_answers[name] = max(self._dearest_answers.get(name, Decimal(0)), amount)
        self._settled[name] += 1

    def _raise_bounds(self, trial: Trial, own_prompt: int, usage: Usage) -> None:
        """Reserve more for other trials, where the reader took more than for any before."""
        before = self._bounds.get(trial.reader, _Bounds())
        after = before.after(trial, own_prompt, usage)
        if after != before:
            self._bounds[trial.reader] = after
            for key, other in self._under_way.items():
                self._reserved[key] = _payee(other), *self._needed(other)

    def _needed(self, trial: Trial) -> tuple[Decimal, Decimal]:
        """For reader and judge, in the budget's unit. ``check_budget`` lets no unknown price through."""
        reading = verdict = Decimal(0)
        if self.budget is None:
            return reading, verdict
        if trial.strategy.system:
            reading = self._dearest_answers.get(_payee(trial), Decimal(0))
        elif trial.trial_id not in self._answered:
            bounds = self._bounds.get(trial.reader, _Bounds())
            most = at_most(trial, self._prices.get(trial.reader), bounds.prompt, bounds.answer)
            reading = known_amount(most, self._unit)
        if self._judge and not trial.asks_first:
            verdict = max(
                self._dearest_verdict, known_amount(self._judge.expected_verdict(trial), self._unit)
            )
        return reading, verdict


def _payee(trial: Trial) -> str:
    """Who answers: the reader, or a system in its place."""
    return trial.strategy.system or trial.reader


def billed(
    trial: Trial,
    reported: Usage,
    answer: str,
    own_prompt: int,
    price: Price | None,
    usd: Decimal | None,
    most: Decimal,
    unit: BudgetUnit,
) -> tuple[Usage, Decimal, bool]:
    """The usage that counts of a call to a reader, its amount in a budget's unit, and whether our own count
    is taken in its place.

    ``most`` was reserved: where nothing is reported, that much may have been taken unseen.
    """
    own_answer = count(get_tokenizer(trial.sample.tokenizer), answer) if answer else 0
    prompt, written = reported.prompt_tokens, reported.completion_tokens
    unseen = prompt is None or written is None
    possible = (prompt or 0) + _SLACK >= _LEAST_SHARE * own_prompt
    possible &= (written or 0) + _SLACK >= _LEAST_SHARE * own_answer
    if not unseen and possible:
        amount = spending_of(reported, usd).of(unit)
        return reported, most if amount is None else amount, False
    usage = Usage(max(prompt or 0, own_prompt), max(written or 0, own_answer), reported.cached_tokens, 0)
    amount = known_amount(spending_of(usage, cost(price, usage)), unit)
    return usage, max(amount, most) if unseen else amount, bool(answer)


def open_ledger(
    budget: Budget | None,
    plan: Plan,
    trials: Sequence[Trial],
    prices: Mapping[str, Price | None],
    judge: JudgeHistory | None = None,
    run: RunContents | None = None,
    retrieved: Decimal = Decimal(0),
    answered: Collection[str] = (),
) -> BudgetLedger:
    """The ledger of a run that is to start or to go on.

    Args:
        plan: of what is left.
        trials: of the run.
        prices: of each reader, by name.
        judge: the model that is asked for verdicts.
        run: what the run file holds.
        retrieved: what embedders and rerankers took for finished trials, in the budget's unit.
        answered: ids of the trials that only lack a verdict.

    Raises UserError where the rest of the run may take it above its budget, or that is not known, and where a
    run without one is expected to cost more than ``MOST_USD``.
    """
    if budget is None:
        if plan.known_usd > MOST_USD:
            costs = spending_label(plan.known_usd, "usd")
            remedy = "`niah plan` says what takes how much. Give it a budget: --budget 25usd."
            raise UserError(f"the run is expected to cost {costs}, and has no budget.", remedy)
        return BudgetLedger(prices, judge)
    spent = spent_before(budget.unit, trials, run, prices, judge) + retrieved
    check_budget(budget, plan, spent)
    coming = sum((known_amount(p.most, budget.unit) for p in plan.of("embedder", "reranker")), Decimal(0))
    ledger = BudgetLedger(prices, judge, budget, spent, coming, answered)
    ledger.learn(trials, run.latest_first if run else ())
    return ledger


def check_budget(budget: Budget, plan: Plan, spent: Decimal) -> None:
    """Raise UserError where the rest of a run may take it above its budget, or that is not known."""
    unpriced = [
        part.name if part.role == "reader" else f"the {part.role} {part.name}"
        for part in plan.parts
        if part.most.usd is None and part.calls and part.role != "system"
    ]
    if budget.unit == "usd" and unpriced:
        raise UserError(
            f"the price of {', '.join(unpriced)} is unknown: nothing would keep the run within {budget}.",
            "Write it in the run config, under prices, or give the budget in tokens, such as 40Mtok.",
        )
    needed = plan.most.of(budget.unit) or Decimal(0)
    if spent + needed > budget.amount:
        before = f", and took {spending_label(spent, budget.unit)} before" if spent else ""
        raise UserError(
            f"the run may take {spending_label(needed, budget.unit)}{before}; its budget is {budget}.",
            "`niah plan` says what takes how much. Raise the budget, or ask for less.",
        )


def spent_before(
    unit: BudgetUnit,
    trials: Iterable[Trial],
    run: RunContents | None,
    prices: Mapping[str, Price | None],
    judge: JudgeHistory | None = None,
) -> Decimal:
    """What the trials of a run file took with their verdicts and preparation, in a budget's unit.

    A call whose usage is not known counts at most; a verdict of the run's judge as is expected, also one that
    the judge failed at. Verdicts of other judges count as far as they are known.
    """
    if run is None:
        return Decimal(0)
    spent = sum(
        (
            known_amount(spending_of(call.usage, call.cost), unit)
            for call in run.preparations
            if not call.from_cache
        ),
        Decimal(0),
    )
    finished = {record.trial_id: record for record in run.latest_first}
    for trial in trials:
        record = finished.get(trial.trial_id)
        if record is None:
            continue
        price, usd = prices.get(trial.reader), None if record.cost is None else Decimal(str(record.cost))
        if trial.strategy.system and not record.from_cache:
            spent += known_amount(spending_of(record.usage, usd), unit)
        elif not record.from_cache:
            most = known_amount(at_most(trial, price), unit)
            own = record.own_prompt_tokens or 0
            usd = cost(price, record.usage) if usd is None else usd
            spent += billed(trial, record.usage, record.answer, own, price, usd, most, unit)[1]
        expected = known_amount(judge.expected_verdict(trial), unit) if judge else Decimal(0)
        spent += expected if record.outcome == "judge_error" else 0
        for verdict in record.verdicts:
            is_own = judge is not None and verdict.judge == judge.name
            usd = (
                cost(judge.price, verdict.usage)
                if judge and is_own and verdict.cost is None
                else verdict.cost
            )
            spent += known_amount(spending_of(verdict.usage, usd), unit, expected if is_own else Decimal(0))
    return spent
