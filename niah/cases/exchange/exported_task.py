"""Cases as other projects take them: a dataset, or one beside the file that says how to ask and score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Literal

import orjson

from niah.cases.exchange.exported_row import ExportedRow
from niah.errors import UserError
from niah.files import atomic_write
from niah.paths import shipped

ExportForm = Literal["inspect", "lm-eval", "jsonl", "parquet"]

TASK_TEMPLATES: dict[ExportForm, str] = {"inspect": "inspect.py.jinja", "lm-eval": "lm-eval.yaml.jinja"}
"""Of the forms that are a folder with a task; the others are a file of rows."""


@dataclass
class ExportedCases:
    """What was written, and with which file the other project begins.

    Attributes:
        start: the task file, or the dataset where there is none.
        cases: how many were written.
        left_out: cases of a task whose answers have nothing to name, such as unanswerable ones.
        max_tokens: room that the longest answer needs.
    """

    start: Path
    cases: int = 0
    left_out: int = 0
    max_tokens: int = 1


def export_rows(rows: Iterable[ExportedRow], form: ExportForm, out: Path, name: str) -> ExportedCases:
    """Write rows to ``out``: a file, or for a task a folder, whose files of the same names are replaced.

    Args:
        rows: of one suite; all forms but parquet hold one at a time.
        form: whose.
        out: made where it is not there.
        name: the suite's.

    Raises UserError where there is nothing to write, and OSError.
    """
    if form not in TASK_TEMPLATES:
        written = ExportedCases(out)
        if form == "parquet":
            _write_parquet(_counted(rows, written), out)
        else:
            _write_lines(_counted(rows, written), out)
        return written
    written = ExportedCases(out / f"{task_name(name)}{Path(TASK_TEMPLATES[form][: -len('.jinja')]).suffix}")
    _write_lines(_counted(_with_elements(rows, written, name), written), out / "cases.jsonl")
    for path, template in ((out / "scoring.py", "scoring.py.jinja"), (written.start, TASK_TEMPLATES[form])):
        _write_text(path, _rendered(template, name, written))
    return written


def task_name(suite: str) -> str:
    """The suite's name as a name in Python and YAML."""
    return "niah_" + re.sub(r"\W+", "_", Path(suite).stem).strip("_").lower()


def _counted(rows: Iterable[ExportedRow], written: ExportedCases) -> Iterator[ExportedRow]:
    for row in rows:
        written.cases += 1
        written.max_tokens = max(written.max_tokens, row.max_tokens)
        yield row


def _with_elements(rows: Iterable[ExportedRow], written: ExportedCases, name: str) -> Iterator[ExportedRow]:
    """Those that can be scored by what an answer names; raises UserError at their end if there was none."""
    for row in rows:
        if row.elements:
            yield row
        else:
            written.left_out += 1
    if not written.cases:
        problem = f"{name}: no case has anything that an answer could name."
        raise UserError(problem, "Export it as jsonl, or take a suite whose questions have answers.")


def _write_lines(rows: Iterator[ExportedRow], path: Path) -> None:
    first = list(islice(rows, 1))  # no folder is made for a suite of which nothing can be built
    with atomic_write(path) as file:
        file.writelines(
            orjson.dumps(asdict(row), option=orjson.OPT_APPEND_NEWLINE) for row in chain(first, rows)
        )


def _write_parquet(rows: Iterable[ExportedRow], path: Path) -> None:
    import pandas as pd

    frame = pd.DataFrame([asdict(row) for row in rows])
    with atomic_write(path) as file:
        frame.to_parquet(file, index=False)


def _rendered(file: str, name: str, written: ExportedCases) -> str:
    from jinja2 import Template

    template = Template((_templates() / file).read_text("utf-8"), keep_trailing_newline=True)
    text: str = template.render(name=Path(name).stem, task=task_name(name), max_tokens=written.max_tokens)
    return text


def _write_text(path: Path, text: str) -> None:
    with atomic_write(path) as file:
        file.write(text.encode())


def _templates() -> Path:
    return shipped("cases") / "exports"
