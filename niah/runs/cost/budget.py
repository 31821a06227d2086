"""Budgets: the most that a trial may take is reserved until its usage is reported.

A reader that counts more tokens than we do raises what is reserved for its other trials, and no more of them
are under way than have shown what they take, and one: a surprise costs what the answers under way take above.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from niah.errors import UserError
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure, Usage
from niah.runs.config import RunConfig
from niah.runs.cost.estimate import PROMPT_SLACK, AskedJudge, Plan, judge_of, most_of, tokens_of
from niah.runs.cost.prices import Budget, BudgetUnit, Price, cost, prices_of, spending_label, thinking_cost
from niah.runs.file.read import RunContents
from niah.runs.trial import Trial, TrialResult
from niah.text.tokenizer import count, get_tokenizer

MOST_USD = Decimal(5)  # a run that is expected to cost more needs a budget
_ZERO, _UNKNOWN = Decimal(0), Decimal(-1)
_LEAST_SHARE, _SLACK = 0.5, 16  # tokenizers differ by less; a report below this share of our count is none

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

    prices: Mapping[str, Price | None]  # of each reader, and model that prepares, by name
    judge: AskedJudge | None = None  # the model that is asked for verdicts
    budget: Budget | None = None  # None for no limit
    spent: Decimal = _ZERO  # in the budget's unit
    answered: Collection[str] = ()  # ids of the trials that only lack a verdict
    stored: Collection[str] = ()  # ids of the trials whose prompts may be written into a provider's cache
    settled: Counter[str] = field(default_factory=Counter)  # by payee, how many have shown what they take
    stopped: bool = False  # whether a trial could not start
    own_counts: Counter[str] = field(default_factory=Counter)  # by reader, calls counted by our own tokens
    unreported: Counter[str] = field(default_factory=Counter)  # by system, answers that the budget lacks

    def __post_init__(self) -> None:
        self._unit: BudgetUnit = self.budget.unit if self.budget else "tok"
        self._reserved: dict[str, _Reserved] = {}
        self._waiting = Counter[str]()  # by trial, calls of its own that are not under way yet
        self._aside: dict[str, Decimal] = {}  # by trial in a batch, of what is spent
        # By how much a reader has passed what we expected at most of prompts and of answers.
        self._bounds: defaultdict[str, tuple[float, float]] = defaultdict(lambda: (1.0, 1.0))
        self._dearest = defaultdict[str, Decimal](Decimal)  # by system, and "" for the judge, of one answer
        self._changed = asyncio.Event()

    # What may start

    async def admit(self, trial: Trial, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Reserve what the trial may take, once there is room; False where there will be none."""
        return await self._admit(lambda: self.admits(trial), is_stopped)

    async def admit_call(
        self, key: str, model: str, prompt: int, room: int, is_stopped: Callable[[], bool]
    ) -> bool:
        """As ``admit``, for a call of a model that prepares, by our own count of its prompt."""
        payee, price = f"preparing {model}", self.prices.get(model)

        def admits() -> Admission:
            most = most_of(prompt, room, price, *self._bounds[payee])
            return self._reserve(key, _Reserved(payee, most.of(self._unit)))

        return await self._admit(admits, is_stopped)

    @contextmanager
    def waiting(self, trial_id: str) -> Iterator[None]:
        """While a call waits for room, or for one like it, its trial gives back nothing that it reserved."""
        self._waiting[trial_id] += 1
        self.wake()
        try:
            yield
        finally:
            self._waiting[trial_id] -= 1

    async def _admit(self, admits: Callable[[], Admission], is_stopped: Callable[[], bool]) -> bool:
        while not is_stopped():
            if (admission := admits()) != "later":
                return admission == "yes"
            await self._changed.wait()
        return False

    def admits(self, trial: Trial) -> Admission:
        """Whether the trial may start; "yes" reserves what it needs, "later" may change when others end."""
        return self._reserve(trial.trial_id, self._needed(trial)) if self.budget else "yes"

    def set_aside(self, trial: Trial) -> None:
        """Count as spent the most that a trial may take whose answer comes another day."""
        if self.budget and trial.trial_id not in self._aside:
            reserved = self._reserved.get(trial.trial_id) or self._needed(trial)
            self._aside[trial.trial_id] = reserved.amount + reserved.verdict
            self.spent += self._aside[trial.trial_id]
            self.release(trial.trial_id)

    @property
    def paid(self) -> Decimal:
        """What is spent, without what is set aside for answers that come another day."""
        return self.spent - sum(self._aside.values())

    def _reserve(self, key: str, asked: _Reserved) -> Admission:
        if self.budget is None:
            return "yes"
        under_way = self._reserved.values()
        needed = sum((each.amount + each.verdict for each in (*under_way, asked)), self.spent)
        others = sum(each.payee == asked.payee for each in under_way)
        if needed <= self.budget.amount and others <= self.settled[asked.payee]:
            self._reserved[key] = asked
            return "yes"
        if any(not self._waiting[each] for each in self._reserved):
            return "later"
        self.stopped = True
        return "no"

    def _needed(self, trial: Trial) -> _Reserved:
        """For reader and judge. ``open_ledger`` lets no unknown price through."""
        payee, amount, verdict = trial.strategy.system or trial.reader, _ZERO, _ZERO
        if trial.strategy.system:
            amount = self._dearest[payee]
        elif trial.trial_id not in self.answered:
            amount = self._most(trial)
        if self.judge and not trial.asks_first:
            verdict = max(self._dearest[""], self._verdict(trial))
        return _Reserved(payee, amount, verdict, trial)

    def _most(self, trial: Trial) -> Decimal:
        """The most that the reader may take for the trial, by all that it has shown."""
        prompt = tokens_of(trial).prompt_at_most - PROMPT_SLACK
        price, bounds = self._price(trial), self._bounds[trial.reader]
        most = most_of(prompt, trial.room, price, *bounds, stored=trial.trial_id in self.stored)
        return most.of(self._unit)

    def _price(self, trial: Trial) -> Price | None:
        price = self.prices.get(trial.reader)
        return price.in_batches if price and trial.batched else price

    def _verdict(self, trial: Trial) -> Decimal:
        """What a verdict of the run's judge is expected to take."""
        return self.judge.use([trial]).most.of(self._unit) if self.judge else _ZERO

    def _taken(self, usage: Usage, usd: Decimal | None, otherwise: Decimal = _ZERO) -> Decimal:
        """What a call took in the budget's unit; ``otherwise`` where that is unknown."""
        if self._unit == "usd":
            return otherwise if usd is None else usd
        read, written = usage.prompt_tokens, usage.completion_tokens
        return otherwise if read is None or written is None else Decimal(read + written)

    def wake(self) -> None:
        """Let waiting trials look again whether they may start."""
        self._changed.set()
        self._changed = asyncio.Event()

    def release(self, key: str) -> None:
        """Give back what is reserved for a trial that stays not run."""
        self._reserved.pop(key, None)
        self.wake()

    # What was taken

    def settle_call(self, key: str, model: str, prompt: int, room: int, usage: Usage) -> None:
        """Count what a call took; the most where it did not say."""
        if self.budget:
            reserved = self._reserved[key]
            self.spent += self._taken(usage, cost(self.prices.get(model), usage), reserved.amount)
            self.settled[reserved.payee] += 1
            self._raise_bounds(reserved.payee, prompt, room, usage)
        self.release(key)

    def settle(self, trial: Trial, result: TrialResult) -> TrialResult:
        """The result with what it cost and our own count of its prompt."""
        if judge := self.judge:
            priced = (
                replace(each, cost=cost(judge.price, each.usage)) if each.judge == judge.name else each
                for each in result.verdicts
            )
            result = replace(result, verdicts=tuple(priced))
        if result.was_asked and not result.answered_before:
            price, usage = self._price(trial), result.usage
            own = trial.system_tokens + trial.prompt_tokens + (result.context_tokens or 0)
            usd, thoughts = cost(price, usage), thinking_cost(price, usage)
            result = replace(result, cost=usd, thinking_cost=thoughts, own_prompt_tokens=own)
        if self.budget:
            self.spent -= self._aside.pop(trial.trial_id, _ZERO)
            reserved = self._reserved.get(trial.trial_id) or self._needed(trial)
            self._count_verdicts(result.verdicts, result.judge_failure, reserved.verdict)
            is_paid = not (result.from_cache or result.answered_before)
            if is_paid and (result.was_asked or trial.strategy.system):
                own = result.own_prompt_tokens or 0
                self._count_answer(trial, result.usage, result.answer, own, result.cost, reserved.amount)
        self.release(trial.trial_id)
        return result

    def take_in(self, trials: Iterable[Trial], run: RunContents) -> None:
        """Count what the trials of a run file took, and learn what they have shown of their readers."""
        for call in run.preparations:
            if not call.from_cache:
                self.spent += self._taken(call.usage, call.cost)
        finished = {record.trial_id: record for record in run.latest_first}
        for trial in trials:
            if (record := finished.get(trial.trial_id)) is None:
                continue
            verdict = self._verdict(trial)
            self._count_verdicts(record.verdicts, None, verdict)
            self.spent += verdict if record.outcome == "judge_error" else 0
            if not record.from_cache:
                usd = None if record.cost is None else Decimal(str(record.cost))
                own, most = record.own_prompt_tokens or 0, self._most(trial)
                names = ("prompt_tokens", "completion_tokens", "cached_tokens", "thinking_tokens")
                usage = Usage(*(getattr(record, name) for name in names))
                self._count_answer(trial, usage, record.answer, own, usd, most)
        self.own_counts, self.unreported = Counter(), Counter()  # of this invocation alone

    def _count_answer(
        self, trial: Trial, usage: Usage, answer: str, own: int, usd: Decimal | None, most: Decimal
    ) -> None:
        """Count a paid answer: as reported, by our own tokens where that is implausible, as ``most`` where
        nothing is reported."""
        payee, price = trial.strategy.system or trial.reader, self._price(trial)
        prompt, written = usage.prompt_tokens, usage.completion_tokens
        if trial.strategy.system:
            amount = self._taken(usage, usd)
            self.unreported[trial.strategy.name] += bool(answer) and self._taken(usage, usd, _UNKNOWN) < 0
        else:
            own_answer = count(get_tokenizer(trial.sample.tokenizer), answer) if answer else 0
            unseen = prompt is None or written is None
            pairs = ((prompt or 0, own), (written or 0, own_answer))
            if not unseen and all(said + _SLACK >= _LEAST_SHARE * counted for said, counted in pairs):
                amount = self._taken(usage, usd or cost(price, usage), most)
            else:
                usage = replace(usage, prompt_tokens=max(pairs[0]), completion_tokens=max(pairs[1]))
                amount = max(self._taken(usage, cost(price, usage)), most if unseen else _ZERO)
                self.own_counts[trial.reader] += bool(answer)
            if own:
                self._raise_bounds(trial.reader, own, trial.room, usage)
        self.spent += amount
        self.settled[payee] += bool(own or trial.strategy.system)
        self._dearest[payee] = max(self._dearest[payee], amount)

    def _count_verdicts(
        self, verdicts: Iterable[Verdict], failure: Failure | None, expected: Decimal
    ) -> None:
        """Count what judges took; what the run's own did not report, as ``expected``."""
        judge, name = self.judge, self.judge.name if self.judge else None
        asked = [(each.judge == name, each.usage, each.cost) for each in verdicts]
        if failure:
            asked.append((True, failure.usage, None))
        for is_own, usage, usd in asked:
            usd = cost(judge.price, usage) if judge and is_own and usd is None else usd
            taken = self._taken(usage, usd, expected if is_own else _ZERO)
            self.spent += taken
            self._dearest[""] = max(self._dearest[""], taken if is_own else _ZERO)

    def _raise_bounds(self, payee: str, own_prompt: int, room: int, usage: Usage) -> None:
        """Reserve more for other trials, where the reader took more than for any before."""
        before = self._bounds[payee]
        prompt = (usage.prompt_tokens or 0) / (own_prompt + PROMPT_SLACK)
        after = max(before[0], prompt), max(before[1], (usage.completion_tokens or 0) / room)
        if after != before:
            self._bounds[payee] = after
            for key, each in self._reserved.items():
                if each.trial:
                    self._reserved[key] = self._needed(each.trial)


def open_ledger(
    config: RunConfig, plan: Plan, trials: Sequence[Trial], run: RunContents | None
) -> BudgetLedger:
    """The ledger of a run; ``plan`` is of what is left of its ``trials``. Raises UserError where it may
    exceed its budget, or is expected to cost ``MOST_USD`` without one."""
    prices, budget = prices_of([*config.readers, *config.preparing], config.prices), config.budget
    ledger = BudgetLedger(prices, judge_of(config), budget, stored=plan.stored)
    if budget is None:
        known = sum((part.usd for part in plan.parts if part.usd is not None), _ZERO)
        if known > MOST_USD:
            costs = spending_label(known, "usd")
            remedy = "`niah plan` says what takes how much. Give it a budget: --budget 25usd."
            raise UserError(f"the run is expected to cost {costs}, and has no budget.", remedy)
        return ledger
    if run:
        ledger.answered = {each.trial_id for each in run.latest_first if each.outcome == "judge_error"}
        ledger.take_in(trials, run)
        ledger.spent = max(ledger.spent, Decimal(run.spent.get(budget.unit, 0)))
    unpriced = [
        part.name if part.role == "reader" else f"the {part.role} {part.name}"
        for part in plan.parts
        if part.most.usd is None and part.calls and part.role != "system"
    ]
    if budget.unit == "usd" and unpriced:
        unknown = f"the price of {', '.join(unpriced)} is unknown"
        remedy = "Write it in the run config, under prices, or give the budget in tokens, such as 40Mtok."
        raise UserError(f"{unknown}: nothing would keep the run within {budget}.", remedy)
    spent = ledger.spent  # what systems take counts when they report it
    needed = sum((part.most.of(budget.unit) for part in plan.parts), _ZERO)
    if spent + needed > budget.amount:
        before = f", and took {spending_label(spent, budget.unit)} before" if spent else ""
        problem = f"the run may take {spending_label(needed, budget.unit)}{before}; its budget is {budget}."
        raise UserError(problem, "`niah plan` says what takes how much. Raise the budget, or ask for less.")
    return ledger
