"""Answers as a leaderboard takes them, of questions whose right answers are not public.

NovelQA's (codabench.org/competitions/2727) takes a zip file: ``res_mc/res_mc.json`` has for each novel, by
its title, the letters that were chosen, in the order of the questions' ids; ``res_gen/res_gen.json`` free
answers in the same way. Where an answer is missing, or decides for no option, an empty text stands in its
place.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import orjson

from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.errors import UnknownName, UserError
from niah.files import atomic_write
from niah.judges.metrics import chosen_option
from niah.runs.file.read import RunContents
from niah.runs.trial import TrialRecord

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ANSWERED = ("scored", "judge_error")


@dataclass(frozen=True)
class Submission:
    """What one reader under one strategy said.

    Attributes:
        files: by their names in the zip file: the answers to each document, by its title.
        questions: how many there are.
        unanswered: of these, how many have no answer, or one that decides for no option.
    """

    files: Mapping[str, Mapping[str, tuple[str, ...]]]
    questions: int
    unanswered: int

    def write(self, path: Path) -> None:
        """Write the zip file. Raises UserError for a path that is called otherwise."""
        if path.suffix.lower() != ".zip":
            raise UserError(f"{path} is no name of a zip file.", "Write --out NAME.zip.")
        with atomic_write(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, answers in self.files.items():
                packed.writestr(name, orjson.dumps(answers, option=orjson.OPT_INDENT_2))


def submission(run: RunContents, reader: str | None, strategy: str | None) -> Submission:
    """The answers of a run to questions whose right answers are not public.

    Args:
        run: its contents.
        reader: whose; may be None where the run has one.
        strategy: under which; may be None where the run has one.

    Raises UserError where the run has no such questions or several to choose from, UnknownName.
    """
    withheld = {name: sample for name, sample in run.samples.items() if sample.key.withheld}
    records = [record for record in run.records if record.case_id in withheld]
    if not records:
        problem = "it asks no question whose right answer is not public."
        raise UserError(
            f"There is nothing to submit: {problem}", "Import one: niah questions import novelqa."
        )
    reader = _only("reader", reader, (record.reader for record in records))
    strategy = _only("strategy", strategy, (record.strategy for record in records))
    answers = _first_answers(
        record for record in records if (record.reader, record.strategy) == (reader, strategy)
    )
    files: dict[str, dict[str, list[str]]] = {}
    for sample in sorted(withheld.values(), key=lambda one: one.key.name):
        name = "res_mc/res_mc.json" if sample.key.options else "res_gen/res_gen.json"
        said = _as_submitted(answers.get(sample.sample_id, ""), sample.key)
        files.setdefault(name, {}).setdefault(_title(sample), []).append(said)
    texts = [text for file in files.values() for listed in file.values() for text in listed]
    frozen = {name: {title: tuple(listed) for title, listed in file.items()} for name, file in files.items()}
    return Submission(frozen, len(texts), sum(not text for text in texts))


def _only(kind: str, name: str | None, there: Iterable[str]) -> str:
    """The name that is meant, of those that are there."""
    names = list(dict.fromkeys(there))
    if name is not None:
        if name not in names:
            raise UnknownName(kind, name, names)
        return name
    if len(names) > 1:
        raise UserError(
            f"The run has {len(names)} of --{kind}: {', '.join(names)}.", f"Name one with --{kind}."
        )
    return names[0]


def _first_answers(records: Iterable[TrialRecord]) -> dict[str, str]:
    """By sample, the answer of its first repeat."""
    answers: dict[str, str] = {}
    for record in sorted(records, key=lambda one: one.repeat):
        if record.outcome in _ANSWERED:
            answers.setdefault(record.case_id, record.answer)
    return answers


def _as_submitted(answer: str, key: AnswerKey) -> str:
    if not key.options:
        return answer.strip()
    chosen = chosen_option(answer, key) if answer.strip() else None
    return "" if chosen is None else _LETTERS[chosen]


def _title(sample: Sample) -> str:
    source = sample.source
    assert isinstance(source, GivenDocument)
    return source.title or source.document_id
