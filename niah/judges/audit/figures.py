"""What an audit found, in figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from niah.judges.agreement import (
    Levels,
    bias,
    confusion,
    exact,
    levels,
    quadratic_weighted_kappa,
    within_one,
)
from niah.judges.audit.judging import Judged
from niah.judges.audit.probe import PROBE_TYPES, Probe, ProbeType
from niah.judges.error_types import error_type
from niah.judges.verdict import Verdict
from niah.readers.reader import Failure


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
class Figures:
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


def figures(results: Sequence[Judged]) -> Figures:
    """The figures of an audit."""
    pairs = _pairs(results)
    plain = [pair for pair in pairs if pair[0].type != "hostile"]
    truth, judged = _levels(plain)
    others = [pair for pair in pairs if not _is_raised(*pair)]
    return Figures(
        answers=len(results),
        judged=len(pairs),
        exact=exact(truth, judged),
        within_one=within_one(truth, judged),
        kappa=quadratic_weighted_kappa(truth, judged),
        bias=bias(truth, judged),
        confusion=tuple(map(tuple, confusion(truth, judged).tolist())),
        types=tuple(_of_types(results)),
        hostile=len(pairs) - len(plain),
        raised=tuple(_misjudged(pair for pair in pairs if _is_raised(*pair))),
        misjudged=tuple(_misjudged(others)),
        failures=tuple(_failures(results)),
        tokens=_tokens(results),
    )


def _is_raised(probe: Probe, verdict: Verdict) -> bool:
    return probe.type == "hostile" and verdict.score > probe.truth.score


def _pairs(results: Iterable[Judged]) -> list[tuple[Probe, Verdict]]:
    return [(one.probe, one.result) for one in results if isinstance(one.result, Verdict)]


def _levels(pairs: Sequence[tuple[Probe, Verdict]]) -> tuple[Levels, Levels]:
    return levels(probe.truth.score for probe, _ in pairs), levels(verdict.score for _, verdict in pairs)


def _of_types(results: Sequence[Judged]) -> Iterable[TypeFigures]:
    for name in PROBE_TYPES:
        of_type = [one for one in results if one.probe.type == name]
        if not of_type:
            continue
        pairs = _pairs(of_type)
        truth, judged = _levels(pairs)
        yield TypeFigures(
            type=name,
            answers=len(of_type),
            judged=len(pairs),
            exact=exact(truth, judged),
            within_one=within_one(truth, judged),
            bias=bias(truth, judged),
            error_type=_share(error_type(probe.truth) == error_type(verdict) for probe, verdict in pairs),
            self_doubt=_share(probe.truth.self_doubt == verdict.self_doubt for probe, verdict in pairs),
        )


def _share(hits: Iterable[bool]) -> float | None:
    counted = list(hits)
    return sum(counted) / len(counted) if counted else None


def _misjudged(pairs: Iterable[tuple[Probe, Verdict]]) -> Iterable[Misjudged]:
    for probe, verdict in pairs:
        if verdict.score != probe.truth.score:
            yield Misjudged(
                probe.key.name,
                probe.type,
                probe.name,
                probe.answer,
                probe.truth.score,
                verdict.score,
                verdict.reason,
            )


def _failures(results: Iterable[Judged]) -> Iterable[str]:
    for one in results:
        if isinstance(one.result, Failure):
            probe = one.probe
            yield f"{probe.key.name}, {probe.type}, {probe.name}: {one.result.reason}"


def _tokens(results: Iterable[Judged]) -> int | None:
    total = 0
    for one in results:
        usage = one.result.usage
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        total += usage.prompt_tokens + usage.completion_tokens
    return total
