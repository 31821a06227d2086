"""One audit of one judge: what was asked, the figures, and whether it passed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from niah.judges.audit.figures import Figures, figures
from niah.judges.audit.judging import put
from niah.judges.audit.marks import Mark, marks, passed
from niah.judges.audit.probe import Probe
from niah.judges.judge import Judge


@dataclass(frozen=True)
class Report:
    """The outcome of an audit.

    Attributes:
        judge, version: who was audited.
        settings: how it judged, as a run file records it.
        needle_sets: names of the needle sets that the answers were built from.
        seed: that the answers were drawn with.
        figures: what was found.
        marks: what is asked of a judge, and what this one reached.
        passed: whether it reached all of it.
    """

    judge: str
    version: str
    settings: Mapping[str, str | int]
    needle_sets: tuple[str, ...]
    seed: int
    figures: Figures
    marks: tuple[Mark, ...]
    passed: bool


async def audit(
    judge: Judge, probes: Sequence[Probe], seed: int, done: Callable[[], object] = lambda: None
) -> Report:
    """Put the probes to the judge and report.

    Args:
        judge: not open yet.
        probes: answers with known truth.
        seed: that they were drawn with.
        done: called after each answer.
    """
    found = figures(await put(judge, probes, done))
    reached = marks(found)
    return Report(
        judge=judge.name,
        version=judge.version,
        settings=dict(judge.settings),
        needle_sets=tuple(dict.fromkeys(probe.key.name for probe in probes)),
        seed=seed,
        figures=found,
        marks=reached,
        passed=passed(reached),
    )
