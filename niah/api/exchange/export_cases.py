"""The cases of a suite for other projects' runners."""

from __future__ import annotations

from pathlib import Path

from niah.api.python.opened_cases import open_cases
from niah.cases.exchange.exported_row import exported_row
from niah.cases.exchange.exported_task import TASK_TEMPLATES, ExportedCases, ExportForm, export_rows
from niah.errors import UserError
from niah.plugins.optional import require


def export_cases(suite: str, form: ExportForm, out: Path) -> ExportedCases:
    """Write the cases and questions of a suite, by name or path, in the form of another project.

    Cases that cannot be built are left out where the suite says so. Nothing is written where one cannot and
    the suite does not. Raises UserError, and OSError.
    """
    if form == "parquet":
        require("pyarrow", "--to parquet", extra="parquet", instead="take --to jsonl")
    if form in TASK_TEMPLATES and out.exists() and not out.is_dir():
        raise UserError(f"{out} is a file, and {form} takes a folder.", "Name a folder with --out.")
    if form not in TASK_TEMPLATES and out.is_dir():
        raise UserError(f"{out} is a folder, and {form} is one file.", f"Name a file: {out}/cases.{form}.")
    rows = (exported_row(case.sample) for case in open_cases(suite))
    return export_rows(rows, form, out, suite)
