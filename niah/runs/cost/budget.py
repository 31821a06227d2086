"""Budgets: how much a run may take, and the ledger that holds it within that.

A budget is the run's, not the command's: what finished trials of the run file took counts. The most that a
trial may take is reserved until its usage is reported. A reader that counts more tokens than we do, or writes
more than its room, raises what is reserved for its other trials, and no more of its trials are under way than
have shown what they take, and one: so a surprise costs what the answers under way take above it, at most.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from niah.errors import UserError
from niah.readers.reader import Usage
from niah.runs.cost.estimate import (
    JudgeHistory,
    Plan,
    at_most,
    judge_history,
    prompt_bound,
    retrieval_uses,
)
from niah.runs.cost.prices import (
    Budget,
    BudgetUnit,
    Price,
    Spending,
    cost,
    known_amount,
    prices_of,
    spending_label,
    spending_of,
    thinking_cost,
)
from niah.runs.trial import Trial, TrialRecord, TrialResult
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from niah.runs.config import RunConfig
    from niah.runs.file.read import RunContents

MOST_USD = Decimal(5)
"""A run that is expected to cost more needs a budget."""
_ZERO = Decimal(0)
_LEAST_SHARE, _SLACK = 0.5, 16
"""Tokenizers differ by less; a report below this share of our count is none."""

Admission = Literal["yes", "later", "no"]


@dataclass(frozen=True)
class _Reserved:
    """What is reserved for a trial, or for a call of a model that prepares, under way."""

    payee: str
    amount: Decimal
    verdict: Decimal = _ZERO
    trial: Trial | None = None


@dataclass
class BudgetLedger:
    """Fills in what trials cost, and lets a trial start only while the run stays within its budget."""

    prices: Mapping[str, Price | None]  # of each reader, by name
    judge: JudgeHistory | None = None  # the model that is asked for verdicts
    budget: Budget | None = None  # None for no limit
    spent: Decimal = _ZERO  # in the budget's unit
    set_aside: Decimal = _ZERO  # for embedders and rerankers
    answered: Collection[str] = ()  # ids of the trials that only lack a verdict
    settled: Counter[str] = field(default_factory=Counter)  # by payee, how many have shown what they take
    stopped: bool = False  # whether a trial could not start
    own_counts: Counter[str] = field(default_factory=Counter)  # by reader, calls counted by our own tokens
    unreported: Counter[str] = field(default_factory=Counter)  # by system, answers that the budget lacks

    def __post_init__(self) -> None:
        self._unit: BudgetUnit = self.budget.unit if self.budget else "tok"
        self._reserved: dict[str, _Reserved] = {}
        self._bounds: defaultdict[str, tuple[float, float]] = defaultdict(lambda: (1.0, 1.0))
        """By how much a reader has passed what we expected at most of prompts and of answers."""
        self._dearest: defaultdict[str, Decimal] = defaultdict(Decimal)
        """By system, and "" for the judge: the most that one answer or verdict took."""
        self._changed = asyncio.Event()

    def learn(self, trials: Iterable[Trial], records: Iterable[TrialRecord]) -> None:
        """Take in what finished trials have shown of their readers."""
        finished = {record.trial_id: record for record in records}
        for trial in trials:
            record = finished.get(trial.trial_id)
            if record is not None and record.own_prompt_tokens and not record.from_cache:
                self._raise_bounds(trial, record.own_prompt_tokens, record.usage)
                self.settled[trial.reader] += 1

    # What may start

    async def admit(self, trial: Trial, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Reserve what the trial may take, once there is room; False where there will be none."""
        while not is_stopped():
            if (admission := self.admits(trial)) != "later":
                return admission == "yes"
            await self._changed.wait()
        return False

    async def admit_call(self, key: str, model: str, most: Callable[[], Spending]) -> bool:
        """As ``admit``, for a call of a model that prepares; ``most`` gives the most that it may take."""
        while True:
            asked = _Reserved(f"preparing {model}", known_amount(most(), self._unit))
            if (admission := self._reserve(key, asked)) != "later":
                return admission == "yes"
            await self._changed.wait()

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start; "yes" reserves what it needs, "later" may change when others end."""
        return "yes" if self.budget is None else self._reserve(trial.trial_id, self._needed(trial))

    def _reserve(self, key: str, asked: _Reserved) -> Admission:
        if self.budget is None:
            return "yes"
        under_way = self._reserved.values()
        needed = sum(
            (each.amount + each.verdict for each in (*under_way, asked)), self.spent + self.set_aside
        )
        others = sum(each.payee == asked.payee for each in under_way)
        if needed <= self.budget.amount and others <= self.settled[asked.payee]:
            self._reserved[key] = asked
            return "yes"
        if self._reserved:
            return "later"
        self.stopped = True
        return "no"

    def _needed(self, trial: Trial) -> _Reserved:
        """For reader and judge. ``check_budget`` lets no unknown price through."""
        payee, amount, verdict = _payee(trial), _ZERO, _ZERO
        if trial.strategy.system:
            amount = self._dearest[payee]
        elif trial.trial_id not in self.answered:
            amount = known_amount(
                at_most(trial, self.prices.get(trial.reader), *self._bounds[trial.reader]), self._unit
            )
        if self.judge and not trial.asks_first:
            expected = known_amount(self.judge.expected_verdict(trial), self._unit)
            verdict = max(self._dearest[""], expected)
        return _Reserved(payee, amount, verdict, trial)

    def wake(self) -> None:
        """Let waiting trials look again whether they may start."""
        self._changed.set()
        self._changed = asyncio.Event()

    def release(self, key: str) -> None:
        """Give back what is reserved for a trial that stays not run."""
        self._reserved.pop(key, None)
        self.wake()

    # What was taken

    def settle_call(self, key: str, taken: Spending) -> None:
        """Count what a call took; the most where it did not say."""
        if self.budget:
            reserved = self._reserved[key]
            self.spent += known_amount(taken, self._unit, reserved.amount)
            self.settled[reserved.payee] += 1
        self.release(key)

    def settle(self, trial: Trial, result: TrialResult) -> TrialResult:
        """The result with what it cost and our own count of its prompt."""
        reserved = self._reserved.get(trial.trial_id) or (self._needed(trial) if self.budget else None)
        result = self._settle_verdicts(result, reserved.verdict if reserved else _ZERO)
        paid_now = reserved is not None and not (result.from_cache or result.answered_before)
        if paid_now and trial.strategy.system:
            taken = spending_of(result.usage, result.cost).of(self._unit)
            self.unreported[trial.strategy.name] += taken is None and result.outcome == "scored"
            self._count(_payee(trial), taken or _ZERO)
        if result.was_asked and not result.answered_before:
            price, usage = self.prices.get(trial.reader), result.usage
            usd = cost(price, usage)
            own = trial.system_tokens + trial.sample.prompt_tokens + (result.context_tokens or 0)
            if reserved and paid_now:
                counted, amount, by_own = billed(
                    trial, usage, result.answer, own, price, usd, reserved.amount, self._unit
                )
                self.own_counts[trial.reader] += by_own
                self._count(trial.reader, amount)
                self._raise_bounds(trial, own, counted)
            thoughts = thinking_cost(price, usage)
            result = replace(result, cost=usd, thinking_cost=thoughts, own_prompt_tokens=own)
        self.release(trial.trial_id)
        return result

    def _count(self, payee: str, amount: Decimal) -> None:
        self.spent += amount
        self.settled[payee] += 1
        self._dearest[payee] = max(self._dearest[payee], amount)

    def _settle_verdicts(self, result: TrialResult, expected: Decimal) -> TrialResult:
        """Count what the judge took, and price its verdicts."""
        judge = self.judge
        if judge is None:
            return result
        verdicts = tuple(
            replace(each, cost=cost(judge.price, each.usage)) if each.judge == judge.name else each
            for each in result.verdicts
        )
        asked = [each.usage for each in verdicts if each.judge == judge.name]
        asked += [result.judge_failure.usage] if result.judge_failure else []
        for usage in asked if self.budget else ():
            taken = known_amount(spending_of(usage, cost(judge.price, usage)), self._unit, expected)
            self.spent += taken
            self._dearest[""] = max(self._dearest[""], taken)
        return replace(result, verdicts=verdicts)

    def _raise_bounds(self, trial: Trial, own_prompt: int, usage: Usage) -> None:
        """Reserve more for other trials, where the reader took more than for any before."""
        before = self._bounds[trial.reader]
        prompt = prompt_bound(own_prompt, usage.prompt_tokens or 0)
        after = max(before[0], prompt), max(before[1], (usage.completion_tokens or 0) / trial.room)
        if after != before:
            self._bounds[trial.reader] = after
            for key, each in self._reserved.items():
                if each.trial:
                    self._reserved[key] = self._needed(each.trial)


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
    """The usage that counts of a call to a reader, its amount in a budget's unit, and whether it is our own.

    ``most`` was reserved: where nothing is reported, that much may have been taken unseen.
    """
    own_answer = count(get_tokenizer(trial.sample.tokenizer), answer) if answer else 0
    prompt, written = reported.prompt_tokens, reported.completion_tokens
    unseen = prompt is None or written is None
    possible = (prompt or 0) + _SLACK >= _LEAST_SHARE * own_prompt
    possible &= (written or 0) + _SLACK >= _LEAST_SHARE * own_answer
    if not unseen and possible:
        return reported, known_amount(spending_of(reported, usd), unit, most), False
    usage = Usage(max(prompt or 0, own_prompt), max(written or 0, own_answer), reported.cached_tokens, 0)
    amount = known_amount(spending_of(usage, cost(price, usage)), unit)
    return usage, max(amount, most) if unseen else amount, bool(answer)


def open_ledger(
    config: RunConfig, budget: Budget | None, plan: Plan, trials: Sequence[Trial], run: RunContents | None
) -> BudgetLedger:
    """The ledger of a run that is to start or to go on; ``plan`` is of what is left of its ``trials``.

    Raises UserError where the rest of the run may take it above its budget, or that is not known, and where a
    run without one is expected to cost more than ``MOST_USD``.
    """
    prices, judge = prices_of(config.readers, config.prices), judge_history(config, run)
    if budget is None:
        if plan.known_usd > MOST_USD:
            costs = spending_label(plan.known_usd, "usd")
            remedy = "`niah plan` says what takes how much. Give it a budget: --budget 25usd."
            raise UserError(f"the run is expected to cost {costs}, and has no budget.", remedy)
        return BudgetLedger(prices, judge)
    records = run.latest_first if run else ()
    ended = {record.trial_id for record in records}
    begun = retrieval_uses(config, [trial for trial in trials if trial.trial_id in ended], ())
    spent = spent_before(budget.unit, trials, run, prices, judge)
    spent += sum((known_amount(use.most, budget.unit) for use in begun), _ZERO)
    check_budget(budget, plan, spent)
    coming = sum((known_amount(use.most, budget.unit) for use in plan.of("embedder", "reranker")), _ZERO)
    unjudged = {record.trial_id for record in records if record.outcome == "judge_error"}
    ledger = BudgetLedger(prices, judge, budget, spent, coming, unjudged)
    ledger.learn(trials, records)
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
    needed = plan.most.of(budget.unit) or _ZERO
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
        return _ZERO
    paid = (spending_of(call.usage, call.cost) for call in run.preparations if not call.from_cache)
    spent = sum((known_amount(each, unit) for each in paid), _ZERO)
    finished = {record.trial_id: record for record in run.latest_first}
    for trial in trials:
        if (record := finished.get(trial.trial_id)) is None:
            continue
        price, usd = prices.get(trial.reader), None if record.cost is None else Decimal(str(record.cost))
        if trial.strategy.system and not record.from_cache:
            spent += known_amount(spending_of(record.usage, usd), unit)
        elif not record.from_cache:
            most = known_amount(at_most(trial, price), unit)
            own = record.own_prompt_tokens or 0
            usd = cost(price, record.usage) if usd is None else usd
            spent += billed(trial, record.usage, record.answer, own, price, usd, most, unit)[1]
        expected = known_amount(judge.expected_verdict(trial), unit) if judge else _ZERO
        spent += expected if record.outcome == "judge_error" else 0
        for verdict in record.verdicts:
            own_judge = judge if judge and verdict.judge == judge.name else None
            usd = verdict.cost
            if own_judge and usd is None:
                usd = cost(own_judge.price, verdict.usage)
            taken = spending_of(verdict.usage, usd)
            spent += known_amount(taken, unit, expected if own_judge else _ZERO)
    return spent
