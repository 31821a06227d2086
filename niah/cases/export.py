"""The cases of a suite for other projects: a task of Inspect or lm-eval, or one file of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

import orjson

from niah.cases.prompts import load_prompt
from niah.cases.records import CANARY
from niah.cases.sample import Sample
from niah.cases.samples import LeftOut, attempt_cases, context_of, sample_of
from niah.cases.suite import load_suite
from niah.errors import UserError
from niah.files import atomic_write, shipped
from niah.registry import require

ExportForm = Literal["inspect", "lm-eval", "jsonl", "parquet"]
_TASKS = {"inspect": "inspect.py.jinja", "lm-eval": "lm-eval.yaml.jinja"}
"""Templates of the forms that are a folder with a task."""


@dataclass
class ExportedCases:
    """What was written: the task file, or the dataset where there is none, and how many cases.

    ``left_out`` are a task's cases whose answers have nothing to name, such as unanswerable ones;
    ``max_tokens`` is the room that the longest answer needs.
    """

    start: Path
    cases: int = 0
    left_out: int = 0
    max_tokens: int = 1


def export_cases(suite: str, form: ExportForm, out: Path) -> ExportedCases:
    """Write the cases and questions of a suite, by name or path, to ``out``: a file, or for a task a folder.

    Cases that cannot be built are left out where the suite says so. Nothing is written where one cannot
    and the suite does not. Raises UserError, and OSError.
    """
    is_task = form in _TASKS
    if form == "parquet":
        require("pyarrow", "--to parquet", extra="parquet", instead="take --to jsonl")
    if out.exists() and out.is_dir() != is_task:
        there, taken = ("a file", "a folder") if is_task else ("a folder", "one file")
        raise UserError(f"{out} is {there}, and {form} takes {taken}.", "Name another with --out.")
    name = "niah_" + re.sub(r"\W+", "_", Path(suite).stem).strip("_").lower()
    written = ExportedCases(out / f"{name}{Path(_TASKS[form][:-6]).suffix}" if is_task else out)
    rows = _counted(suite, written, scored=is_task)
    first = list(islice(rows, 1))  # no folder is made for a suite of which nothing can be built
    with atomic_write(out / "cases.jsonl" if is_task else out) as file:
        if form == "parquet":
            import pandas as pd

            pd.DataFrame([*first, *rows]).to_parquet(file, index=False)
        else:
            file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in chain(first, rows))
    if is_task:
        from jinja2 import Template

        for path, source in ((out / "scoring.py", "scoring.py.jinja"), (written.start, _TASKS[form])):
            text = (shipped("cases") / "exports" / source).read_text("utf-8")
            template = Template(text, keep_trailing_newline=True)
            filled = template.render(name=Path(suite).stem, task=name, max_tokens=written.max_tokens)
            with atomic_write(path) as file:
                file.write(filled.encode())
    return written


def _counted(suite: str, written: ExportedCases, *, scored: bool) -> Iterator[dict[str, Any]]:
    """The rows of a suite, counted in ``written``; of a task those whose answers have something to name."""
    loaded = load_suite(suite)
    built = attempt_cases(loaded.cases, sample_of, loaded.skip)
    for sample in chain(built, loaded.question_sets.samples()):
        if isinstance(sample, LeftOut):
            continue
        row = exported_row(sample)
        if scored and not row["elements"]:
            written.left_out += 1
            continue
        written.cases += 1
        written.max_tokens = max(written.max_tokens, row["max_tokens"])
        yield row
    if scored and not written.cases:
        problem = f"{suite}: no case has anything that an answer could name."
        raise UserError(problem, "Export it as jsonl, or take a suite whose questions have answers.")


def exported_row(sample: Sample) -> dict[str, Any]:
    """The prompt as a reader gets it that reads everything, and what an answer has to name.

    ``elements`` are lists of spellings that count; of a given question that has none, its references are
    the spellings of one. Raises UserError where the sample's source is gone or has changed.
    """
    key = sample.key
    named = [list(element.names) for element in key.elements]
    if not named and key.references and key.kind != "unanswerable":
        named = [list(key.references)]
    of_sample = ("context_length", "tokens", "needle_set", "haystack", "question_set", "depth", "seed")
    return {
        "id": sample.sample_id,
        "input": load_prompt(sample.prompt).render(context_of(sample).text, key.question, key.options),
        "target": key.answer,
        "elements": named,
        "max_tokens": key.answer_tokens,
        **{name: getattr(sample, name) for name in of_sample},
        "canary": CANARY,
    }
