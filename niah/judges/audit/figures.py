"""What an audit found, in figures, and what a judge must reach to pass (why so: docs/judge-audit.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from niah.judges.agreement import (
    agreement_within_one,
    confusion,
    exact_agreement,
    mean_bias,
    quadratic_weighted_kappa,
    score_levels,
)
from niah.judges.audit.probe import PROBE_TYPES, Probe, ProbeType
from niah.judges.error_types import error_type
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure, Usage

_JUDGED = 0.95
_EXACT = 0.8
_KAPPA = 0.8
_BIAS = 1.0
_RAISED = 0
# The mean of fewer answers says little of their type.
_ENOUGH = 5

ProbeResult = tuple[Probe, Verdict | Failure]
"""A probe, and what the judge made of it."""


@dataclass(frozen=True)
class TypeFigures:
    """Agreement on one type of answer.

    Attributes:
        type: the type.
        answers: how many were put to the judge.
        judged: how many of them got a verdict; the figures are over these, None where there are none.
        exact, within_one: share with the true score, and at most one level off; 0 to 1.
        bias: mean level above the truth, in levels.
        error_type: share with the true error type.
        self_doubt: share where self-doubt was seen, or not seen, as it should be.
    """

    type: ProbeType
    answers: int
    judged: int
    exact: float | None
    within_one: float | None
    bias: float | None
    error_type: float | None
    self_doubt: float | None


@dataclass(frozen=True)
class Misjudged:
    """An answer that got another score than the true one."""

    needle_set: str
    type: ProbeType
    name: str
    answer: str
    truth: float
    judged: float
    reason: str


@dataclass(frozen=True)
class AuditFigures:
    """Agreement of a judge with the truth.

    Attributes:
        answers, judged: how many answers were put to the judge, hostile ones too; how many got a verdict.
        exact, within_one, kappa, bias: over the judged answers that are not hostile. Hostile ones are nearly
            all worth little: with them a judge that is only strict would look good.
        confusion: of the same answers; a row for each true score, a column for each judged one.
        types: in the order of ``PROBE_TYPES``, those that were tried.
        hostile: hostile answers that got a verdict.
        raised: of them, those scored above what they deserve.
        misjudged: all others that did not get the true score.
        failures: one line for each answer that got no verdict.
        tokens: that the judge read and wrote; None where an endpoint kept a count to itself.
    """

    answers: int
    judged: int
    exact: float | None
    within_one: float | None
    kappa: float | None
    bias: float | None
    confusion: tuple[tuple[int, ...], ...]
    types: tuple[TypeFigures, ...]
    hostile: int
    raised: tuple[Misjudged, ...]
    misjudged: tuple[Misjudged, ...]
    failures: tuple[str, ...]
    tokens: int | None


@dataclass(frozen=True)
class Mark:
    """One thing that is asked of a judge.

    Attributes:
        name: what is measured.
        value: what the judge reached; None where it is undefined.
        asked: what it should reach, in words.
        met: whether it did; what is undefined is not met.
    """

    name: str
    value: float | None
    asked: str
    met: bool


def audit_figures(results: Sequence[ProbeResult]) -> AuditFigures:
    """The figures of an audit."""
    pairs = _judged(results)
    plain = [pair for pair in pairs if pair[0].type != "hostile"]
    truth = score_levels(probe.truth.score for probe, _ in plain)
    judged = score_levels(verdict.score for _, verdict in plain)
    off = [pair for pair in pairs if pair[1].score != pair[0].truth.score]
    raised = [(p, verdict) for p, verdict in off if p.type == "hostile" and verdict.score > p.truth.score]
    usage = sum((result.usage for _, result in results), Usage(0, 0, 0))
    known = usage.prompt_tokens is not None and usage.completion_tokens is not None
    return AuditFigures(
        answers=len(results),
        judged=len(pairs),
        exact=exact_agreement(truth, judged),
        within_one=agreement_within_one(truth, judged),
        kappa=quadratic_weighted_kappa(truth, judged),
        bias=mean_bias(truth, judged),
        confusion=tuple(map(tuple, confusion(truth, judged).tolist())),
        types=tuple(
            _type_figures(name, of_type)
            for name in PROBE_TYPES
            if (of_type := [one for one in results if one[0].type == name])
        ),
        hostile=len(pairs) - len(plain),
        raised=tuple(_misjudged(*pair) for pair in raised),
        misjudged=tuple(_misjudged(*pair) for pair in off if pair not in raised),
        failures=tuple(
            f"{probe.key.name}, {probe.type}, {probe.name}: {result.reason}"
            for probe, result in results
            if isinstance(result, Failure)
        ),
        tokens=(usage.prompt_tokens or 0) + (usage.completion_tokens or 0) if known else None,
    )


def audit_marks(figures: AuditFigures) -> tuple[Mark, ...]:
    """All that is asked, with what the judge reached.

    The greatest bias is over types of which enough was judged; hostile answers have their own mark.
    """
    worst = [
        abs(of_type.bias)
        for of_type in figures.types
        if of_type.type != "hostile" and of_type.judged >= _ENOUGH and of_type.bias is not None
    ]
    raised = len(figures.raised) if figures.hostile else None
    return (
        _at_least("answers judged", figures.judged / figures.answers if figures.answers else None, _JUDGED),
        _at_least("exact agreement", figures.exact, _EXACT),
        _at_least("weighted kappa", figures.kappa, _KAPPA),
        _at_most("greatest bias of a type, in levels", max(worst, default=None), _BIAS),
        _at_most("hostile answers raised", raised, _RAISED),
    )


def _judged(results: Iterable[ProbeResult]) -> list[tuple[Probe, Verdict]]:
    return [(probe, result) for probe, result in results if isinstance(result, Verdict)]


def _type_figures(name: ProbeType, results: Sequence[ProbeResult]) -> TypeFigures:
    pairs = _judged(results)
    truth = score_levels(probe.truth.score for probe, _ in pairs)
    judged = score_levels(verdict.score for _, verdict in pairs)
    return TypeFigures(
        type=name,
        answers=len(results),
        judged=len(pairs),
        exact=exact_agreement(truth, judged),
        within_one=agreement_within_one(truth, judged),
        bias=mean_bias(truth, judged),
        error_type=_share([_types_agree(probe, verdict) for probe, verdict in pairs]),
        self_doubt=_share([probe.truth.self_doubt == verdict.self_doubt for probe, verdict in pairs]),
    )


def _types_agree(probe: Probe, verdict: Verdict) -> bool:
    truth, judged = (error_type(each, probe.answer, probe.key) for each in (probe.truth, verdict))
    return truth == judged


def _share(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _misjudged(probe: Probe, verdict: Verdict) -> Misjudged:
    told = (probe.key.name, probe.type, probe.name, probe.answer)
    return Misjudged(*told, probe.truth.score, verdict.score, verdict.reason)


def _at_least(name: str, value: float | None, least: float) -> Mark:
    return Mark(name, value, f"at least {least:g}", value is not None and value >= least)


def _at_most(name: str, value: float | None, most: float) -> Mark:
    return Mark(name, value, f"at most {most:g}", value is not None and value <= most)
