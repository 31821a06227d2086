"""Whether a run file was begun with a config."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from shlex import quote

from niah.errors import RunFileError


def check_config(path: Path, config: Mapping[str, object], facts: Mapping[str, object]) -> None:
    """Raise RunFileError where ``facts`` are another config than ``config``, and name what differs.

    Args:
        path: of the run file.
        config: that it was begun with; empty of one that was never begun.
        facts: those of the config that would go on with it.
    """
    differs = sorted(key for key in facts.keys() | config.keys() if config.get(key) != facts.get(key))
    if config and differs == ["judge"]:
        raise RunFileError(
            f"{path} was begun with the judge {config.get('judge')}, not {facts['judge']}.",
            f"niah judge {quote(str(path))} --judge {facts['judge']} --primary puts its answers before that"
            " one and asks no reader; to go on, leave the judge as it was; a new run takes another file with"
            " --out.",
        )
    if config and differs == ["packages"]:
        then, now = (_joined(each.get("packages")) for each in (config, facts))
        raise RunFileError(
            f"{path} was begun with other versions: {then}, not {now}.",
            "They may answer otherwise: name another file with --out, or install what it was begun with.",
        )
    if config and differs:
        raise RunFileError(
            f"{path} belongs to another config (it differs in: {', '.join(differs)}).",
            "Name another file with --out: what both ask is not asked again, since niah run takes answers "
            "that are kept. A night takes another --date.",
        )


def _joined(packages: object) -> str:
    return ", ".join(map(str, packages)) if isinstance(packages, list) else "none"
