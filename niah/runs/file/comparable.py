"""What two runs must have in common for their scores to be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from niah.cases.sample import Sample
from niah.runs.file.read_model import RunContents
from niah.runs.trial import TrialRecord


@dataclass(frozen=True, slots=True)
class TrialFingerprint:
    """What a trial's score depends on beside its reader.

    Attributes:
        recipe: of the sample: every field of its case by name, or its question set and document.
        definition: of the strategy.
        sha256: of the context.
        judged_by: judge and version of the verdict that counts ("rubric 3"); "" without one.
    """

    recipe: Mapping[str, Any]
    definition: str
    sha256: str
    judged_by: str


@dataclass(frozen=True)
class RunFingerprint:
    """What a run's scores depend on.

    Attributes:
        name: what to call the run.
        suite: by name or path; "" where the file does not say.
        judge: whose score counts; "" where the file does not say.
        niah: the version that began the file.
        readers: how each was asked, by name.
        asked: by trial id.
    """

    name: str
    suite: str
    judge: str
    niah: str
    readers: Mapping[str, Mapping[str, Any]]
    asked: Mapping[str, TrialFingerprint]


def run_fingerprint(run: RunContents) -> RunFingerprint:
    """What the scores of a run depend on."""
    recipes = {sample_id: _recipe(sample) for sample_id, sample in run.samples.items()}
    return RunFingerprint(
        name=str(run.path),
        suite=str(run.config.get("suite") or ""),
        judge=run.judge,
        niah=run.version,
        readers=run.readers,
        asked={
            record.trial_id: TrialFingerprint(
                recipe=recipes[record.case_id],
                definition=record.definition,
                sha256=run.samples[record.case_id].sha256,
                judged_by=judged_by(record, run.judge),
            )
            for record in run.records
        },
    )


def judged_by(record: TrialRecord, judge: str) -> str:
    """Judge and version of the latest verdict of ``judge``; "" without one."""
    verdict = next((verdict for verdict in record.verdicts if verdict.judge == judge), None)
    return f"{judge} {verdict.version}" if verdict else ""


def _recipe(sample: Sample) -> dict[str, Any]:
    if sample.case is not None:
        return asdict(sample.case)
    return {
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "question": sample.sample_id,
        "tokenizer": sample.tokenizer,
        "prompt": sample.prompt,
    }
