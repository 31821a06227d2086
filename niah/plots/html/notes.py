"""How the runs were made: settings with their sources, versions, judges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from niah.runs.file.read_model import RunContents
from niah.runs.provenance import Invocation, source_words


@dataclass(frozen=True)
class RunNote:
    """One run's origins, in words.

    Attributes:
        name: of the run.
        started: of the latest invocation, "2026-11-22 04:00:00 UTC"; "" where the file does not say.
        earlier: how many invocations came before.
        versions: "niah 0.1.0, python 3.11.7".
        scored_by: the judge whose scores count here: "squad-f1", "squad-f1, chosen for this report".
        judges: whose verdicts are stored, with the versions of their rules.
        settings: (name, value, source) of the latest invocation.
    """

    name: str
    started: str
    earlier: int
    versions: str
    scored_by: str
    judges: str
    settings: tuple[tuple[str, str, str], ...]


def run_note(run: RunContents) -> RunNote:
    """The origins of a run."""
    latest = run.invocations[-1] if run.invocations else None
    return RunNote(
        name=run.name,
        started=f"{latest.started_at[:19].replace('T', ' ')} UTC" if latest else "",
        earlier=max(0, len(run.invocations) - 1),
        versions=", ".join(f"{name} {version}" for name, version in latest.versions.items())
        if latest
        else "",
        scored_by=f"{run.scored_by}, chosen for this report" if run.scored_by else run.judge,
        judges=_judges(run),
        settings=_settings(latest) if latest else (),
    )


def _judges(run: RunContents) -> str:
    versions: dict[str, set[str]] = {}
    for record in run.records:
        for verdict in record.verdicts:
            versions.setdefault(verdict.judge, set()).add(verdict.version)
    return ", ".join(f"{judge} (version {', '.join(sorted(found))})" for judge, found in versions.items())


def _settings(invocation: Invocation) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (name, as_text(setting["value"]), source_words(setting))
        for name, setting in invocation.settings.items()
    )


def as_text(value: Any) -> str:
    """A setting's value for people: "lc, dos"; "anchor 1, 2; rotating 2026112201"; "–" for none."""
    if isinstance(value, dict):
        return (
            "; ".join(f"{key} {as_text(each)}" for key, each in value.items() if each not in ([], None))
            or "–"
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(as_text, value)) or "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)
