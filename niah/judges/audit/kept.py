"""The latest audit of each judge, kept in the user's cache: a small JSON file each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

import orjson

from niah import paths
from niah.files import atomic_write
from niah.judges.audit.marks import Mark
from niah.judges.audit.report import Report
from niah.judges.judge import Judge


@dataclass(frozen=True)
class KeptAudit:
    """What is kept of an audit: whether the judge passed, and its marks."""

    passed: bool
    marks: tuple[Mark, ...]


def audit_file(judge: Judge) -> Path:
    """Where the latest audit of this judge is kept; another version or other settings make another judge.

    The judge must not be open: what its endpoint turns out to be or to take is learnt only by asking.
    """
    facts = orjson.dumps([judge.name, judge.version, judge.settings], option=orjson.OPT_SORT_KEYS)
    return paths.cache() / "judge-audits" / f"{hashlib.sha256(facts).hexdigest()[:32]}.json"


def keep(report: Report, file: Path) -> None:
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
