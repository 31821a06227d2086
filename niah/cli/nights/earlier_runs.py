"""What a night is compared with: the nights before it, and a run that the user names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from niah.errors import RunFileError

BASELINE = "the baseline"


@dataclass(frozen=True)
class Earlier:
    """What tonight may be compared with.

    Attributes:
        role: what the latest night is: "last night", or "the last whole night" where later ones are not.
        night: its run file; None in the first night.
        is_whole: whether it has run all its trials.
        baseline: the run that the user named.
    """

    role: str
    night: Path | None
    is_whole: bool
    baseline: Path | None

    @property
    def others(self) -> dict[str, Path]:
        """By what tonight is compared with."""
        named = {self.role: self.night, BASELINE: self.baseline}
        return {role: path for role, path in named.items() if path is not None}

    @property
    def reference(self) -> tuple[str, Path] | None:
        """The one run that an adaptive night is compared with, and its role."""
        if self.baseline:
            return BASELINE, self.baseline
        return (self.role, self.night) if self.night and self.is_whole else None


def earlier_runs(name: str, path: Path, tonight: date, baseline: Path | None) -> Earlier:
    """What there is to compare with tonight, which will be ``path``, of the run called ``name``.

    Raises RunFileError for a baseline that is tonight's own file.
    """
    from niah.runs.file.nights import night_before, whole_night_before

    if baseline and baseline.resolve() == path.resolve():
        raise RunFileError(f"{baseline} is tonight's own run file.", "Name another run as --baseline.")
    if not path.parent.is_dir():
        return Earlier("last night", None, False, baseline)
    last = night_before(
        path.parent, name, tonight, lambda skipped: click.echo(f"{skipped.path}: {skipped.reason}", err=True)
    )
    whole = whole_night_before(path.parent, name, tonight)
    chosen = whole or last
    role = "last night" if chosen == last else "the last whole night"
    return Earlier(role, chosen.path if chosen else None, whole is not None, baseline)
