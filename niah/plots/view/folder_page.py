"""The runs of a folder, each with a link to its page, and a way to put several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.analysis.frame import trial_frame
from niah.plots.headlines.headline import headlines
from niah.plots.html.page import live_script, stylesheet, write_page
from niah.runs.file.read_model import RunScores

_STATIC = Path(__file__).resolve().parent / "static"


@dataclass(frozen=True)
class RunLine:
    """A run file in the list.

    Attributes:
        name: of the run.
        address: of its page.
        started: of the latest invocation; "" where the file does not say.
        finished, planned: how many of its trials came to an outcome, of all.
        says: a sentence for each reader: its best strategy and that one's mean.
        problem: why it cannot be read; "" where it can.
    """

    name: str
    address: str
    started: str = ""
    finished: int = 0
    planned: int = 0
    says: tuple[str, ...] = ()
    problem: str = ""


def run_line(run: RunScores, address: str) -> RunLine:
    """The line of a run that can be read."""
    latest = run.invocations[-1].started_at if run.invocations else ""
    return RunLine(
        run.name,
        address,
        latest[:16].replace("T", " "),
        sum(record.outcome != "not_run" for record in run.records),
        len(run.records),
        tuple(
            f"{line.reader}: {f'{line.best}, ' if line.best else ''}{line.standing.partition(';')[0]}"
            for line in (headlines(trial_frame(run.records)) if run.records else ())
        ),
    )


def write_folder_page(path: Path, title: str, lines: Sequence[RunLine], version: str) -> None:
    """Write the list to ``path``.

    Args:
        path: of the page.
        title: of the page.
        lines: as they are to stand.
        version: of what it shows: the page asks for another one until there is one.
    """
    values = {"title": title, "lines": lines, "version": version}
    write_page(path, _STATIC / "folder.html.jinja", values, stylesheet(), live_script(), served=True)


def write_message_page(path: Path, title: str, message: str, version: str) -> None:
    """Write to ``path`` why there is nothing else to see; the page goes on asking."""
    values = {"title": title, "message": message, "version": version}
    write_page(path, _STATIC / "message.html.jinja", values, stylesheet(), live_script(), served=True)
