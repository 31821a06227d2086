"""A run's ledger as it starts or goes on: what was spent before, and whether the rest fits the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal

from niah.errors import UserError
from niah.runs.cost.billing import ReaderBounds, taken_by
from niah.runs.cost.budget import Budget, spending_label
from niah.runs.cost.estimate.estimate import at_most
from niah.runs.cost.estimate.finished_trials import JudgeHistory
from niah.runs.cost.estimate.planned_use import Plan
from niah.runs.cost.ledger import BudgetLedger
from niah.runs.cost.prices.price import Price
from niah.runs.cost.prices.spending import cost, known_amount, spending_of
from niah.runs.preparation.preparer import PreparationCall
from niah.runs.trial import Trial, TrialRecord


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
    spent += sum((known_amount(call.spending, budget.unit) for call in prepared), Decimal(0))
    check_budget(budget, plan, spent)
    bounds, settled = _shown_before(trials, records)
    set_aside = sum((known_amount(each.to_budget, budget.unit) for each in plan.retrieving), Decimal(0))
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
            spent += Decimal(0) if record.from_cache else known_amount(spending_of(record.usage, usd), unit)
        elif not record.from_cache:
            most = known_amount(at_most(trial, price), unit)
            usd = None if record.cost is None else Decimal(str(record.cost))
            own = record.own_prompt_tokens or 0
            spent += taken_by(trial, record.usage, record.answer, own, price, unit, most, usd).amount
        expected = known_amount(judge.expected_verdict(trial), unit) if judge else Decimal(0)
        if record.outcome == "judge_error":
            spent += expected
        for verdict in record.verdicts:
            own = judge is not None and verdict.judge == judge.name
            usd = cost(judge.price, verdict.usage) if judge and own and verdict.cost is None else verdict.cost
            spent += known_amount(spending_of(verdict.usage, usd), unit, expected if own else Decimal(0))
    return spent
