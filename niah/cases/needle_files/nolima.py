"""NoLiMa's needle sets: facts whose questions share no word with them, as needle sets of niah.

The file is ``needlesets/needle_set.json`` of amodaresi/NoLiMa on the Hugging Face hub, or one of its like:
a list of ``id``, ``needle`` ("... {CHAR} ... {1} ..."), ``questions`` by their hops ("... {2} ..."),
``character_set`` and ``tests``, each with the ``input_args`` that fill the places. Each test and question
becomes one needle set; NoLiMa draws its character by lot, here the characters take turns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from niah.cases.needle_files.drafts import NeedleSetDraft, WrittenNeedleSets, write_needle_sets
from niah.cases.questions.published.dataset import NumberedRow, PublishedRow, RowMistake
from niah.cases.questions.published.rows import published_rows
from niah.errors import ConfigError
from niah.files import NonEmptyText

NOLIMA_LICENCE = "Adobe Research License: no commercial use"
_PLACE = re.compile(r"\{(CHAR|\d+)\}")
_ANSWER_TOKENS = 64


class _Test(PublishedRow):
    input_args: tuple[NonEmptyText, ...]


class _Row(PublishedRow):
    id: NonEmptyText
    needle: NonEmptyText
    questions: Annotated[dict[str, NonEmptyText], Field(min_length=1)]
    character_set: Annotated[tuple[NonEmptyText, ...], Field(min_length=1)]
    tests: Annotated[dict[str, _Test], Field(min_length=1)]


def import_nolima(paths: Sequence[Path], folder: Path, called: Path) -> WrittenNeedleSets:
    """Write a needle set for each test and question to ``folder``. All are checked before.

    Raises ConfigError, which names row and key of ``called``, and UserError where a file would be lost.
    """
    try:
        made = [one for row in published_rows(paths, _Row, called) for one in _needle_sets(row)]
    except RowMistake as mistake:
        where = f"{mistake.where}, {mistake.key}" if mistake.key else mistake.where
        raise ConfigError(called, where, mistake.problem, mistake.remedy) from None
    if not made:
        raise ConfigError(called, "", "holds no needle.", "Name NoLiMa's needle_set.json.")
    return write_needle_sets(made, folder)


def _needle_sets(row: NumberedRow) -> Iterator[NeedleSetDraft]:
    value: _Row = row.value
    for number, (test, given) in enumerate(value.tests.items()):
        character = value.character_set[number % len(value.character_set)]
        needle = _filled(row.where, "needle", value.needle, given.input_args, character)
        for hops, question in value.questions.items():
            name = re.sub(r"[^a-z0-9]+", "-", f"nolima-{value.id}-{test}-{hops}".lower())
            asked = _filled(row.where, f"questions.{hops}", question, given.input_args, character)
            yield NeedleSetDraft(name, _data(asked, needle, character))


def _data(question: str, needle: str, character: str) -> dict[str, object]:
    return {
        "description": f"NoLiMa ({NOLIMA_LICENCE}).",
        "kind": "latent",
        "question": question,
        "answer": character,
        "answer_tokens": _ANSWER_TOKENS,
        "elements": [{"name": character}],
        "needles": [{"id": "needle", "text": needle, "elements": [character]}],
    }


def _filled(where: str, key: str, template: str, given: tuple[str, ...], character: str) -> str:
    """The template with its places filled: {CHAR}, and {1} for the first of what is given."""

    def value(place: re.Match[str]) -> str:
        if place[1] == "CHAR":
            return character
        if not 1 <= int(place[1]) <= len(given):
            problem = f"has the place {place[0]}, and a test gives {len(given)} values."
            raise RowMistake(where, key, problem, "Name the file as it was published.")
        return given[int(place[1]) - 1]

    return _PLACE.sub(value, template)
