"""What ``niah report --serve`` shows of a folder: its runs with links to their pages, or why it has none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.analysis.frame import run_frame
from niah.plots.report import write_page
from niah.plots.words import findings
from niah.runs.file.read import RunContents


@dataclass(frozen=True)
class RunLine:
    """A run file in the list.

    Attributes:
        name: of the run.
        address: of its page.
        started: of the latest invocation; "" where the file does not say.
        finished, planned: how many of its trials came to an outcome, of all.
        says: a sentence for each model.
        problem: why it cannot be read; "" where it can.
    """

    name: str
    address: str
    started: str = ""
    finished: int = 0
    planned: int = 0
    says: tuple[str, ...] = ()
    problem: str = ""


def run_line(run: RunContents, address: str) -> RunLine:
    """The line of a run that can be read."""
    latest = run.invocations[-1].started_at if run.invocations else ""
    frame = run_frame(run)
    found = findings(frame) if len(frame) else []
    return RunLine(
        run.name,
        address,
        latest[:16].replace("T", " "),
        int((frame["outcome"] != "not_run").sum()),
        len(frame),
        tuple(f"{each.reader}: {' '.join(each.lines[:2])}" for each in found if each.lines),
    )


def write_folder_page(path: Path, title: str, lines: Sequence[RunLine], version: str) -> None:
    """Write the list to ``path``; the page asks for a newer ``version`` until there is one."""
    write_page(path, {"title": title, "lines": lines, "live_version": version}, served=True)


def write_message_page(path: Path, title: str, message: str, version: str) -> None:
    """Write to ``path`` why there is nothing else to see; the page goes on asking."""
    write_page(path, {"title": title, "message": message, "live_version": version}, served=True)
