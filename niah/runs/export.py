"""Runs for outsiders: JSON lines or CSV, a row a trial; means and trials as leaderboards take them."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal
from uuid import UUID

import orjson
import yaml

from niah.cases.sample import AnswerKey
from niah.files import shipped, without_formula
from niah.judges.verdict import HIGHEST
from niah.runs.file.read import RunContents
from niah.runs.trial import EXPORTED

if TYPE_CHECKING:
    from pandas import DataFrame

Format = Literal["jsonl", "csv", "every-eval-ever", "eval-results"]
Means = Sequence[Mapping[str, Any]]
"""Rows of ``niah.analysis.summary.mean_values``."""


def export(trials: DataFrame, file: IO[bytes], form: Format) -> None:
    """Write the trials as JSON lines or CSV; what has parts is JSON inside a CSV field."""
    import pandas as pd

    rows = trials[[*EXPORTED]]
    if form == "csv":
        flat = {name: list(map(_flat, column)) for name, column in rows.items()}
        pd.DataFrame(flat, dtype=object).to_csv(file, index=False, lineterminator="\r\n")
        return
    for row in rows.itertuples(index=False, name=None):
        file.write(orjson.dumps(dict(zip(EXPORTED, row, strict=True)), option=orjson.OPT_APPEND_NEWLINE))


def _flat(value: object) -> object:
    has_parts = isinstance(value, dict | list | tuple) or is_dataclass(value)
    return without_formula(orjson.dumps(value).decode() if has_parts else value)


def _place(reader: str) -> tuple[str, str]:
    """Developer and model as parts of a path; "local" of a model without a developer."""
    developer, slash, model = reader.partition("/")
    parts = (developer, model) if slash else ("local", reader)
    first, second = (re.sub(r"[^\w.@-]+", "_", part).strip("._") or "_" for part in parts)
    return first, second


def eval_results(run: RunContents, means: Means, dataset: str) -> Iterator[tuple[Path, bytes]]:
    """By model the path and content of .eval_results/*.yaml (huggingface.co/docs/hub/eval-results).
    ``means`` are by reader, strategy and set, which is the task of the benchmark ``dataset``."""
    entries = dict[str, list[dict[str, Any]]]()
    for mean in means:
        interval = f", 95 % interval {mean['low']:.3f} to {mean['high']:.3f}" if "low" in mean else ""
        notes = f"{mean['strategy']}; {mean['metric']}, n = {mean['n']}{interval}; niah {run.version}"
        entry = {"dataset": {"id": dataset, "task_id": mean["set"]}, "value": mean["mean"]}
        entry |= {"date": run.invocations[0].started_at[:10], "notes": notes}
        entries.setdefault(mean["reader"], []).append(entry)
    for reader, own in entries.items():
        path = Path(*_place(reader), ".eval_results", f"niah-{run.name}.yaml")
        yield path, yaml.safe_dump(own, sort_keys=False, allow_unicode=True, width=200).encode()


def every_eval_ever(run: RunContents, trials: DataFrame, means: Means) -> Iterator[tuple[Path, bytes]]:
    """By model the paths and contents of its scored trials and its means, in the form of Every Eval Ever.
    ``means`` are by reader, strategy, set and length, ``trials`` is the frame."""
    from jinja2 import Template

    form = Template((shipped("runs") / "exports/every-eval-ever.json.jinja").read_text("utf-8"))
    started = run.invocations[0].started_at
    for reader in dict.fromkeys(mean["reader"] for mean in means):
        place, moment = _place(reader), int(datetime.fromisoformat(started).timestamp())
        model = "/".join(place)
        id = f"niah-{run.name}/{model}/{moment}"
        own = trials[(trials["reader"] == reader) & trials["scored"]].astype(object)
        rows = own.where(own.notna(), None).to_dict("records")
        head = {"schema_version": "0.3.0", "evaluation_id": id, "model_id": model}
        lines = [orjson.dumps(head | _instance(row, run.samples[row["case_id"]].key)) + b"\n" for row in rows]
        samples = b"".join(lines)
        name = UUID(bytes=hashlib.sha256(f"{run.run_id} {reader}".encode()).digest()[:16], version=4)
        path = Path("data", f"niah-{run.name}", *place, f"{name}_samples.jsonl")
        facts = {"run": run, "reader": reader, "model": model, "id": id, "started": started, "rows": rows}
        facts |= {"now": int(time.time()), "file": path.as_posix(), "name": _result_name}
        facts |= {"checksum": hashlib.sha256(samples).hexdigest()}
        facts |= {"means": [mean for mean in means if mean["reader"] == reader]}
        yield path, samples
        yield path.with_name(f"{name}.json"), form.render(facts).encode()


def _result_name(of: Mapping[str, Any]) -> str:
    """What a mean is called, of which a trial is part."""
    return f"niah.{of['set']}.{of['strategy']}.{of['length']}"


def _instance(trial: Mapping[str, Any], key: AnswerKey) -> dict[str, Any]:
    right, value, answer = trial["score"] == HIGHEST, trial["value"], trial["answer"]
    extracted = {"turn_idx": 0, "source": "output.raw", "extracted_value": answer, "is_terminal": True}
    read, written = trial["prompt_tokens"], trial["completion_tokens"]
    facts = ("trial_id", "haystack", "context_length", "depth", "seed", "repeat", "kind")
    instance = {
        "evaluation_name": _result_name(trial),
        "evaluation_result_id": _result_name(trial),
        "sample_id": trial["case_id"],
        "interaction_type": "single_turn",
        "input": {"raw": key.question, "reference": [*key.references] or [key.answer]},
        "output": {"raw": [answer]},
        "answer_attribution": [extracted | {"extraction_method": "judge"}],
        "evaluation": {"score": float(right) if value is None else value, "is_correct": right},
        "metadata": {name: str(trial[name]) for name in facts if trial[name] is not None},
    }
    if None not in (read, written):
        tokens = {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}
        instance["token_usage"] = {name: int(count) for name, count in tokens.items()}
    return instance
