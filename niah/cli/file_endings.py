"""What the name of a file to write says of its format."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from niah.errors import UserError

_LINES = ("", ".jsonl", ".ndjson", ".json", ".txt")
"""Endings under which people look for JSON lines, or for nothing in particular."""
_FILES = (".pdf", ".html", ".htm")


def check_lines(out: Path | None, others: Collection[str] = (), remedy: str = "") -> None:
    """Raise UserError for a file that is named as something else than JSON lines.

    Args:
        out: the file; None for standard output.
        others: endings that the command writes too.
        remedy: what else helps, a sentence.
    """
    ending = out.suffix.lower() if out else ""
    if ending not in (*_LINES, *others) and not (out and out.is_char_device()):
        forms = " or ".join(["JSON lines", *(other[1:].upper() for other in others)])
        name = " or ".join([".jsonl", *others])
        raise UserError(
            f"{out} ends in {ending}, and {forms} would be written.", f"End it in {name}. {remedy}".strip()
        )


def check_report_folder(out: Path | None) -> None:
    """Raise UserError for a folder that is named as the page or the PDF in it."""
    if out and out.suffix.lower() in _FILES and not out.is_dir():
        pdf = " --format pdf" if out.suffix.lower() == ".pdf" else ""
        raise UserError(
            f"a report is a folder of files, and {out} is named as one of them.",
            f"Name the folder: --out {out.with_suffix('')}{pdf}",
        )
