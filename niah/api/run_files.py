"""Run files by name, and what the files of a run are called."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from niah.errors import UnknownName, UserError

if TYPE_CHECKING:
    from niah.runs.config.run_config import RunConfig
    from niah.runs.file.read_model import RunContents
    from niah.runs.shards import Shard

_SUFFIX = ".sqlite"
_LONGEST = 120
"""Letters that names in place of a config's may add to a file's name."""


def run_path(name: str) -> Path:
    """The run file that ``name`` means: a path, or a bare name in ``runs/``. Raises UserError."""
    folder = Path("runs")
    for candidate in (Path(name), folder / name, folder / f"{name}{_SUFFIX}"):
        if candidate.is_file():
            if not os.access(candidate, os.R_OK):
                raise UserError(f"{candidate} may not be read.", "Change its permissions.")
            return candidate
    if name and Path(name).is_dir():
        raise UserError(f"{name} is a folder, not a run file.", "Name a file in it.")
    known = [path.stem for path in folder.glob(f"*{_SUFFIX}") if path.is_file()]
    error = UnknownName("run file", name, known)
    if not known:
        error.remedy = f"{folder.resolve()} holds none: go to the folder of the run, or name the file itself."
    raise error


def run_name(
    config: RunConfig,
    model: str | None = None,
    shard: Shard | None = None,
    instead: Sequence[Sequence[str]] = (),
) -> str:
    """What the files of a run are called: "nightly-2026-11-22--openai-gpt-4o.shard-2-of-8".

    Args:
        config: the resolved run config.
        model: the reader in place of the config's, if there is one.
        shard: the part of the run that is meant; None is all of it.
        instead: names of what else stands in place of the config's: readers, strategies ...
    """
    night = f"-{config.date}" if config.date else ""
    groups = [*([[model]] if model else []), *instead]
    words = "".join(f"--{re.sub(r'[^A-Za-z0-9.]+', '-', '-'.join(names)).strip('-.')}" for names in groups)
    if len(words) > _LONGEST:
        words = f"--{hashlib.sha256(words.encode()).hexdigest()[:12]}"
    return f"{config.name}{night}{words}{shard.suffix if shard else ''}"


def run_file(name: str) -> Path:
    """Where the run of that name is kept, unless the user says otherwise."""
    return Path("runs") / f"{name}{_SUFFIX}"


def check_has_trials(run: RunContents, called: str) -> None:
    """Raise UserError, which calls the run ``called``, where none of its trials counts."""
    if run.records:
        return
    if run.closed_book and run.closed_book.dropped:
        problem = f"{called} holds no trials: its readers know every question without a context."
        raise UserError(problem, "Ask others, or take filter: closed-book out of the run config.")
    raise UserError(f"{called} holds no trials.", "Run it first.")
