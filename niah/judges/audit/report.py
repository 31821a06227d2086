"""One audit of one judge, what is kept of it, and a word to whoever chooses a judge that failed one."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import orjson

from niah import paths
from niah.files import atomic_write
from niah.judges.audit.figures import AuditFigures, Mark, ProbeResult, audit_figures, audit_marks
from niah.judges.cascade import ASKS
from niah.judges.judge import Judge
from niah.readers.reader import EMBEDDED

if TYPE_CHECKING:
    from niah.judges.audit.probe import Probe

# Measured for docs/judge-audit.md, with replies of up to 300 tokens and no second attempt.
_SMOLLM2 = (
    f"the judge {EMBEDDED} is too small to judge: when measured, none of its 16 replies was a verdict. "
    "Expect judge errors; the rubric judge needs no model."
)


@dataclass(frozen=True)
class AuditReport:
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
    figures: AuditFigures
    marks: tuple[Mark, ...]
    passed: bool


@dataclass(frozen=True)
class KeptAudit:
    """What is kept of an audit: whether the judge passed, and its marks."""

    passed: bool
    marks: tuple[Mark, ...]


async def audit_judge(
    judge: Judge, probes: Sequence[Probe], seed: int, advance: Callable[[], object] = lambda: None
) -> AuditReport:
    """Put the probes to the judge and report.

    Args:
        judge: not open yet; asked as many at once as it takes.
        probes: answers with known truth.
        seed: that they were drawn with.
        advance: called after each answer.
    """
    turn = asyncio.Semaphore(judge.concurrency)

    async def put(probe: Probe) -> ProbeResult:
        async with turn:
            result = await judge.judge(probe.answer, probe.key)
        advance()
        return probe, result

    async with judge, asyncio.TaskGroup() as group:
        tasks = [group.create_task(put(probe)) for probe in probes]
    figures = audit_figures([task.result() for task in tasks])
    marks = audit_marks(figures)
    return AuditReport(
        judge=judge.name,
        version=judge.version,
        settings=dict(judge.settings),
        needle_sets=tuple(dict.fromkeys(probe.key.name for probe in probes)),
        seed=seed,
        figures=figures,
        marks=marks,
        passed=all(mark.met for mark in marks),
    )


def audit_file(judge: Judge) -> Path:
    """Where the latest audit of this judge is kept; another version or other settings make another judge.

    The judge must not be open: what its endpoint turns out to be or to take is learnt only by asking.
    """
    facts = orjson.dumps([judge.name, judge.version, judge.settings], option=orjson.OPT_SORT_KEYS)
    return paths.cache() / "judge-audits" / f"{hashlib.sha256(facts).hexdigest()[:32]}.json"


def keep_audit(report: AuditReport, file: Path) -> None:
    """Write what counts of ``report`` to ``file``, in place of an earlier audit."""
    kept = {
        "judge": report.judge,
        "version": report.version,
        "settings": report.settings,
        "needle_sets": report.needle_sets,
        "seed": report.seed,
        "answers": report.figures.answers,
        "passed": report.passed,
        "marks": report.marks,
    }
    with atomic_write(file) as stream:
        stream.write(orjson.dumps(kept, option=orjson.OPT_INDENT_2))


def kept_audit(file: Path) -> KeptAudit | None:
    """The audit kept in ``file``; None where there is none, or none that can be read: it is but a cache."""
    try:
        data = orjson.loads(file.read_bytes())
        return KeptAudit(data["passed"], tuple(Mark(**mark) for mark in data["marks"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def audit_warning(judge: Judge) -> str | None:
    """One line with the figures if the judge failed its latest audit; None if it passed or was never audited.

    The embedded smollm2 was measured before it shipped: an audit of it takes hours.

    Args:
        judge: not open yet.
    """
    kept = kept_audit(audit_file(judge))
    if kept is None:
        is_shipped = (
            judge.settings.get(ASKS, judge.name) == EMBEDDED and judge.settings.get("provider") == "embedded"
        )
        return _SMOLLM2 if is_shipped else None
    if kept.passed:
        return None
    short = "; ".join(f"{m.name} {figure_label(m.value)}, {m.asked} asked" for m in kept.marks if not m.met)
    return f"the judge {judge.name} failed its audit ({short}). Its scores are not to be trusted."


def figure_label(value: float | None) -> str:
    """A figure for people: "0.83", "7", "undefined"."""
    return "undefined" if value is None else f"{value:.2f}".rstrip("0").rstrip(".")
