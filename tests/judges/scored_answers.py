"""Answers with the scores that were given to them by hand, before a judge saw them.

Two folders hold them: ``hand_made``, one file a theme, each answer with all that a verdict says; and
``scored_by_hand``, one file a round of writing, each answer with its class and language. A group asks one
question, of a needle set by its name (``set``, drawn by ``seed``, else by 1) or written in place (``key``).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from niah.cases.sample import AnswerKey, answer_key
from niah.cases.samples import key_of
from niah.needles.load import needle_set_of
from niah.needles.schema import NeedleSetFile

HAND_MADE = tuple(sorted((Path(__file__).parent / "hand_made").glob("*.yaml")))
SCORED_BY_HAND = tuple(sorted((Path(__file__).parent / "scored_by_hand").glob("*.yaml")))


@dataclass(frozen=True)
class ScoredAnswer:
    """One answer. ``kind`` is its class: "corrected", "refusal"; "" in the files of ``hand_made``."""

    answer: str
    key: AnswerKey
    score: int
    kind: str = ""
    language: str = ""
    why: str = ""


def scored_answers(paths: Iterable[Path]) -> Iterator[ScoredAnswer]:
    """Every answer of the files, in their order."""
    for path in paths:
        for group in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
            key = (
                key_of(group["set"], group.get("seed", 1))
                if "set" in group
                else _written_in_place(path, group["key"])
            )
            for one in group["answers"]:
                yield ScoredAnswer(
                    one["answer"],
                    key,
                    one["score"],
                    one.get("class", ""),
                    one.get("language", group.get("language", "")),
                    one["why"],
                )


def _written_in_place(path: Path, key: dict[str, object]) -> AnswerKey:
    file = NeedleSetFile.model_validate_json(json.dumps({"description": path.stem, **key}))
    return answer_key(needle_set_of(path, file))
