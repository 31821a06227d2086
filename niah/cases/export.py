"""Cases for other programs: JSON lines (design section 3), a task of Inspect or lm-eval, one file of rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Context
from niah.cases.prompts import load_prompt
from niah.cases.sample import Sample
from niah.cases.samples import LeftOut, attempt_cases, context_of, contiguous_notes, nothing_left
from niah.cases.suite import Suite, load_suite
from niah.errors import UserError
from niah.files import atomic_write, shipped
from niah.needles.load import load_needle_set
from niah.registry import require

CANARY = "niah:canary:5d1b7c1e-6f0a-4c39-9a27-0f6f3f2d8e41"
"""Marks shipped and generated text, so that it can be found in training corpora and kept out of them."""


def case_record(case: Case, context: Context, *, with_context: bool = False) -> dict[str, Any]:
    """One case as a JSON-ready mapping, its keys in a fixed order."""
    needle_set = load_needle_set(case.needle_set, case.seed)
    place = ("start", "end", "token_start")
    asked = (*place, "asked_token")
    record: dict[str, Any] = {
        "case_id": case.case_id,
        "needle_set": needle_set.name,
        **_fields(case, "haystack", "context_length", "depth", "seed", "tokenizer"),
        "mode": context.mode,
        **_fields(needle_set, "question", "answer"),
        "elements": [
            _fields(each, "name", "aliases") | ({"key": each.key} if each.key else {})
            for each in needle_set.elements
        ],
        "needles": [_fields(each, "id", "text", "elements", *asked) for each in context.needles],
        # A passage's needles are those whose spans lie within its own.
        "passages": [_fields(each, "id", *asked) for each in context.passages],
        "distractors": [_fields(each, "id", "text", *place, "hardness") for each in context.distractors],
        **_fields(context, "tokens", "prompt_tokens", "sha256"),
        **_fields(case, "prompt", "order"),
        "kind": needle_set.kind,
        "reserve": case.reserve,
        "canary": CANARY,
    }
    return record | ({"context": context.text} if with_context else {})


def _fields(item: object, *names: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


class WrittenRecords(NamedTuple):
    """What came of a suite: lines written, tokens of contexts, cases left out, notes."""

    cases: int
    tokens: int
    left_out: list[LeftOut]
    notes: tuple[str, ...]


def write_records(
    suite: Suite, write: Callable[[bytes], object], *, with_context: bool, audited: bool
) -> WrittenRecords:
    """Build each case of a suite and write it as one line; ``audited``: count it again.

    Raises CaseError or HaystackError where none can be built, or one and the suite skips none; Defect.
    """
    if not suite.cases:
        problem = "the suite holds no cases: its questions are over given documents."
        raise UserError(problem, "Name a suite with needle_sets.")
    left_out, built = list[LeftOut](), list[tuple[Case, Context]]()
    for case, made in zip(suite.cases, attempt_cases(suite.cases, build_context, suite.skip), strict=True):
        if isinstance(made, LeftOut):
            left_out.append(made)
            continue
        if audited:
            audit_context(case, made)
        record = case_record(case, made, with_context=with_context)
        write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
        built.append((case, replace(made, text="")))
    if not built:
        raise nothing_left(left_out)
    tokens = sum(context.tokens for _, context in built)
    return WrittenRecords(len(built), tokens, left_out, contiguous_notes(built))


ExportForm = Literal["inspect", "lm-eval", "jsonl", "parquet"]
_TASKS = {"inspect": "inspect.py.jinja", "lm-eval": "lm-eval.yaml.jinja"}
"""Templates of the forms that are a folder with a task."""


@dataclass
class ExportedCases:
    """What was written: the task file, or the dataset where there is none, and how many cases."""

    start: Path
    cases: int = 0
    left_out: list[LeftOut] = field(default_factory=list)  # cases that cannot be built
    unscored: int = 0  # a task's cases whose answers have nothing to name, such as unanswerable ones
    max_tokens: int = 1  # room that the longest answer needs


def export_cases(suite: str, form: ExportForm, out: Path) -> ExportedCases:
    """Write the cases and questions of a suite to ``out``: a file, or for a task a folder; or raise."""
    is_task = form in _TASKS
    if form == "parquet":
        require("pyarrow", "--to parquet", extra="parquet", instead="take --to jsonl")
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
    for sample in load_suite(suite).samples():
        if isinstance(sample, LeftOut):
            written.left_out.append(sample)
            continue
        row = exported_row(sample)
        if scored and not row["elements"]:
            written.unscored += 1
            continue
        written.cases += 1
        written.max_tokens = max(written.max_tokens, row["max_tokens"])
        yield row
    if not written.cases and not written.unscored:
        raise nothing_left(written.left_out)
    if not written.cases:
        problem = f"{suite}: no case has anything that an answer could name."
        raise UserError(problem, "Export it as jsonl, or take a suite whose questions have answers.")


def exported_row(sample: Sample) -> dict[str, Any]:
    """The prompt as a reader gets it that reads everything, and what an answer has to name.

    ``elements`` are lists of spellings that count; where a given question has none, its references.
    """
    key = sample.key
    named = [list(element.names) for element in key.elements]
    if not named and key.references and key.kind != "unanswerable":
        named = [list(key.references)]
    return {
        "id": sample.sample_id,
        "input": load_prompt(sample.prompt).render(context_of(sample).text, key.question, key.options),
        "target": key.answer,
        "elements": named,
        "max_tokens": key.answer_tokens,
        **_fields(sample, "context_length", "tokens", "needle_set", "haystack"),
        **_fields(sample, "question_set", "depth", "seed"),
        "canary": CANARY,
    }
