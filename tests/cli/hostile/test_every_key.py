"""Every key of every file that people write, with values that it cannot have: one line and exit code 2."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest
import yaml
from pydantic import ValidationError

from niah.cases.questions.question_set import DocumentLine, QuestionLine
from niah.cases.suite import SuiteFile
from niah.files import FileModel
from niah.haystacks.structure import HaystackFile
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import Family
from niah.needles.needle_set import NeedleSet
from niah.runs.config import RunFile
from tests.cli.hostile.good_files import KINDS, RUN, SUITE, Key, Place, places, schemas
from tests.cli.hostile.told import Told
from tests.examples import repeats

ESCAPES = "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x9b31m\u202egnorw"
WRONG: dict[str, Any] = {
    "nothing": None,
    "true": True,
    "below nought": -1,
    "a great number": 10**40,
    "all memory": 2**62,
    "a fraction": 0.5,
    "infinity": float("inf"),
    "no number": float("nan"),
    "no text": "",
    "escapes": ESCAPES,
    "a path": "../../../../../../etc/passwd",
    "a device": "/dev/zero",
    "a template": "{{ 9 ** 9 ** 9 }}{% for a in range(10**9) %}{{ a }}{% endfor %}",
    "a long text": "a" * 900,
    "an empty list": [],
    "lists in a list": [[[]]],
    "many": [1] * 2_000,
    "an empty mapping": {},
    "an unknown key": {"colour": "moss"},
    "mappings in a mapping": {"a": {"b": {"c": None}}},
}
"""Each is wrong for most keys, and right for some: then the command may do what it says."""


def in_yaml(file: dict[str, Any]) -> None:
    Path("bad.yaml").write_text(yaml.safe_dump(file))


def in_a_family(file: dict[str, Any]) -> None:
    Path("needles/families").mkdir(parents=True, exist_ok=True)
    Path("needles/families/bad.yaml").write_text(yaml.safe_dump(file))


def in_a_haystack(name: str) -> Callable[[dict[str, Any]], None]:
    def write(file: dict[str, Any]) -> None:
        Path("bad").mkdir(exist_ok=True)
        Path("bad/one.txt").write_text("The ferry left at noon. Nobody saw it.\n")
        Path("bad", name).write_text(yaml.safe_dump(file))

    return write


def in_questions(file: dict[str, Any]) -> None:
    in_lines(file, {"id": "gates", "text": "The gate is moss."})


def in_documents(file: dict[str, Any]) -> None:
    in_lines({"id": "one", "question": "Which?", "answers": ["moss"], "document_id": "gates"}, file)


def in_lines(question: dict[str, Any], document: dict[str, Any]) -> None:
    Path("bad.jsonl").write_text(json.dumps(question))
    Path("bad.documents.jsonl").write_text(json.dumps(document))
    Path("asked.yaml").write_text("questions: [bad.jsonl]\n")


_SMALL = "--model small --api-base http://127.0.0.1:9"
COMMANDS: dict[type[FileModel], tuple[Callable[[dict[str, Any]], None], str]] = {
    SuiteFile: (in_yaml, "generate bad.yaml --out new.jsonl"),
    RunFile: (in_yaml, "plan bad.yaml"),
    NeedleSet: (in_yaml, "check bad.yaml"),
    Family: (in_a_family, "check bad@1"),
    WorldFile: (in_a_haystack("world.yaml"), "check bad --seeds 1"),
    HaystackFile: (in_a_haystack("haystack.yaml"), "check bad --seeds 1"),
    QuestionLine: (in_questions, f"plan --suite asked.yaml {_SMALL}"),
    DocumentLine: (in_documents, f"plan --suite asked.yaml {_SMALL}"),
}


KEYS = sorted(key for key, place in places().items() if place.kind in COMMANDS)
"""Of the files that a command reads by itself; papers and records of nights are read beside a run."""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VLLM_API_KEY", "sk-planted-0123456789")
    Path("suite.yaml").write_text(json.dumps(SUITE))
    Path("run.yaml").write_text(json.dumps(RUN))
    Path("rag.py").write_text("def retrieve(question, chunks):\n    return [0.0] * len(chunks)\n")


def test_every_key_stands_in_a_good_file() -> None:
    every = {
        (schema.__name__, key) for kind in KINDS for schema in schemas(kind) for key in schema.model_fields
    }
    assert set(places()) == every


@pytest.mark.parametrize("key", KEYS, ids=".".join)
def test_a_wrong_value_is_refused(told: Told, key: Key) -> None:
    place = places()[key]
    write, command = COMMANDS[place.kind]
    for wrong in some_wrong_values(key):
        file = place.with_value(WRONG[wrong])
        write(file)
        if is_refused(place, file):
            told.refused(command, "bad")
        else:
            told.run(command)


def some_wrong_values(key: Key) -> list[str]:
    """One of them, another for every key; all under ``make test-all``."""
    names, first = list(WRONG), sorted(places()).index(key)
    return [names[(first + 7 * step) % len(names)] for step in range(repeats(1, len(names)))]


def is_refused(place: Place, file: dict[str, Any]) -> bool:
    """Whether the schema has no such value. What a family is like, and what is null, is seen to before."""
    if "like" in file or (place.kind in (QuestionLine, DocumentLine) and None in file.values()):
        return False
    try:
        place.kind.model_validate_json(orjson.dumps(file, option=orjson.OPT_NON_STR_KEYS))
    except (ValidationError, TypeError):
        return True
    return False
