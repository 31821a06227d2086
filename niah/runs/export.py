"""Runs for outsiders: JSON lines or CSV, a row a trial, and answers as a leaderboard takes them."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable
from dataclasses import is_dataclass
from pathlib import Path
from typing import IO, Literal

import orjson

from niah.cases.sample import AnswerKey, GivenDocument
from niah.errors import UnknownName, UserError
from niah.files import atomic_write, without_formula
from niah.judges.metrics import chosen_option
from niah.runs.file.read import RunContents
from niah.runs.trial import EXPORTED, TrialRecord

Format = Literal["jsonl", "csv"]
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def export(records: Iterable[TrialRecord], file: IO[bytes], form: Format) -> None:
    """Write the records; what has parts is JSON inside a CSV field."""
    rows = ({name: getattr(record, name) for name in EXPORTED} for record in records)
    if form == "jsonl":
        for row in rows:
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        return
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.DictWriter(text, EXPORTED)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: without_formula(_flat(value)) for name, value in row.items()})
    text.detach()


def _flat(value: object) -> object:
    has_parts = isinstance(value, dict | list | tuple) or is_dataclass(value)
    return orjson.dumps(value).decode() if has_parts else value


def submit(run: RunContents, reader: str | None, strategy: str | None, path: Path) -> tuple[int, int]:
    """Write the answers to questions whose right answers are not public, as NovelQA's leaderboard takes them
    (codabench.org/competitions/2727), and return how many questions there are, and how many unanswered.

    In the zip file ``res_mc/res_mc.json`` has for each novel, by its title, the letters that were chosen, in
    the order of the questions' ids, and ``res_gen/res_gen.json`` free answers in the same way. A missing or
    undecided answer is "".

    Args:
        run: its contents.
        reader, strategy: whose answers; may be None where the run has one.
        path: NAME.zip.

    Raises UserError where the run has no such questions or several to choose from, UnknownName.
    """
    if path.suffix.lower() != ".zip":
        raise UserError(f"{path} is no name of a zip file.", "Write --out NAME.zip.")
    withheld = [sample for sample in run.samples.values() if sample.key.withheld]
    ids = {sample.sample_id for sample in withheld}
    records = [record for record in run.records if record.case_id in ids]
    if not records:
        problem = "There is nothing to submit: it asks no question whose right answer is not public."
        raise UserError(problem, "Import one: niah questions import novelqa.")
    reader = _only("reader", reader, [record.reader for record in records])
    strategy = _only("strategy", strategy, [record.strategy for record in records])
    answers: dict[str, str] = {}
    for record in sorted(records, key=lambda one: one.repeat):
        answered = record.outcome in ("scored", "judge_error")
        if answered and (record.reader, record.strategy) == (reader, strategy):
            answers.setdefault(record.case_id, record.answer)
    files: dict[str, dict[str, list[str]]] = {}
    for sample in sorted(withheld, key=lambda one: one.key.name):
        assert isinstance(sample.source, GivenDocument)
        name = "res_mc/res_mc.json" if sample.key.options else "res_gen/res_gen.json"
        title = sample.source.title or sample.source.document_id
        said = _as_submitted(answers.get(sample.sample_id, ""), sample.key)
        files.setdefault(name, {}).setdefault(title, []).append(said)
    with atomic_write(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, listed in files.items():
            packed.writestr(name, orjson.dumps(listed, option=orjson.OPT_INDENT_2))
    texts = [text for listed in files.values() for own in listed.values() for text in own]
    return len(texts), texts.count("")


def _only(kind: str, name: str | None, there: Iterable[str]) -> str:
    """The name that is meant, of those that are there."""
    names = list(dict.fromkeys(there))
    if name is not None and name not in names:
        raise UnknownName(kind, name, names)
    if name is None and len(names) > 1:
        problem = f"The run has {len(names)} of --{kind}: {', '.join(names)}."
        raise UserError(problem, f"Name one with --{kind}.")
    return name or names[0]


def _as_submitted(answer: str, key: AnswerKey) -> str:
    """The answer, or the letter of the option that it chooses; "" where it decides for none."""
    if not key.options:
        return answer.strip()
    chosen = chosen_option(answer, key) if answer.strip() else None
    return "" if chosen is None else _LETTERS[chosen]
