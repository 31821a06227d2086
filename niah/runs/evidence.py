"""Strategies that send the evidence, and questions that do not say where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from niah.cases.sample import Sample
from niah.errors import StrategyError
from niah.file_mistakes import counted
from niah.judges.verdict import is_unanswerable
from niah.strategies.strategy import Strategy


def knows_what_to_send(strategy: Strategy, sample: Sample) -> bool:
    """Whether the strategy can be applied: one that sends the evidence needs it, or that there is none.

    Where the text does not answer, no part of it is evidence, and nothing of it is sent.
    """
    return not strategy.needs_evidence or tells_evidence(sample)


def tells_evidence(sample: Sample) -> bool:
    """Whether it says where its answer stands, or that it stands nowhere: an oracle can be asked."""
    return sample.evidence_is_known or is_unanswerable(sample.key)


def check_evidence(strategy: Strategy, samples: Sequence[Sample]) -> None:
    """Raise StrategyError where the strategy needs evidence, and no sample has any."""
    if strategy.needs_evidence and not any(sample.evidence_is_known for sample in samples):
        sets = ", ".join(dict.fromkeys(sample.question_set or "" for sample in samples))
        problem = f"{strategy.name} needs to know which part of the text holds the answer"
        raise StrategyError(
            f"{problem}, and no question of {sets} says so.",
            "Give the questions their evidence, or leave the strategy out.",
        )


def evidence_lines(strategies: Sequence[Strategy], samples: Sequence[Sample]) -> Iterator[str]:
    """For each strategy that needs evidence: of how many questions it is not asked, or sends nothing."""
    for strategy in strategies:
        if not strategy.needs_evidence:
            continue
        unknown = [sample for sample in samples if not sample.evidence_is_known]
        empty = sum(is_unanswerable(sample.key) for sample in unknown)
        if left := len(unknown) - empty:
            has = "has" if left == 1 else "have"
            lacks = f"{left:,} of {counted(len(samples), 'question')} {has} no evidence"
            first = next(sample for sample in unknown if not is_unanswerable(sample.key))
            example = f"{'' if left == 1 else 'the first is '}{first.key.name!r} of {first.question_set}"
            yield f"{lacks} ({example}): {strategy.name} is left out there, and its means are of the others."
        if empty and strategy.sends_needles:
            of = f"{counted(empty, 'question')} that the text does not answer"
            yield f"{strategy.name} sends no context for {of}: there is no evidence of one."
