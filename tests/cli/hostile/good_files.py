"""Good files of every kind that people write, with every key that there is in one or another.

What ships serves as far as it goes; here stands what no shipped file says. Tests put wrong values in the
place of good ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

import orjson
import yaml
from pydantic import BaseModel

from niah.cases.questions.question_set import DocumentLine, QuestionLine
from niah.cases.suite import SuiteFile
from niah.files import FileModel
from niah.haystacks.structure import HaystackFile
from niah.haystacks.world import WorldFile
from niah.needles.families.schema import Family
from niah.needles.needle_set import NeedleSet
from niah.paths import shipped
from niah.reference import numbers
from niah.runs.config import RunFile
from niah.runs.file import night_record

SUITE: dict[str, Any] = {
    "description": "A suite.",
    "haystacks": ["essays"],
    "needle_sets": ["three-gates"],
    "lengths": [512],
    "depths": [50],
    "seeds": [1],
    "tokenizer": "cl100k",
    "mode": "exact",
    "order": "listed",
    "distractors": 0,
    "distractor_depth": "spread",
    "distractor_hardness": "any",
    "prompt": "u-niah",
    "skip": "nothing",
    "accidents": "stop",
    "structure": "prose",
    "repeat": False,
    "reserve": 0,
    "longest": {"three-gates": 512},
    "shortest": {"three-gates": 512},
    "exceptions": {"three-gates": {"haystack": "essays", "distractors": 1, "distractor_hardness": "hard"}},
}
MODEL: dict[str, Any] = {
    "model": "small",
    "api_base": "http://127.0.0.1:9",
    "key_variable": "VLLM_API_KEY",
    "concurrency": 2,
    "thinking_tokens": 16,
    "reasoning_effort": "low",
    "top_p": 0.9,
    "extra_body": {"top_k": 20},
}
"""How a model is reached that reads, judges or prepares."""
READER: dict[str, Any] = {
    **MODEL,
    "name": "mine",
    "window": 4096,
    "truncate": "back",
    "size": 8,
    "reasoning": True,
    "temperature": 0,
    "seed": 1,
    "max_tokens": 64,
    "system": "Answer with the value alone.",
    "stop": ["\n\n"],
    "mode": "chat",
}
RUN: dict[str, Any] = {
    "description": "A run.",
    "suite": "suite.yaml",
    "readers": [{"model": "small", "api_base": "http://127.0.0.1:9"}],
    "strategies": [
        "lc",
        {"name": "own", "retrieve": "rag.py:retrieve", "scope": "top-5", "order": "norm", "chunks": 600},
        {"name": "ranked", "retrieve": "rag.py:retrieve", "version": 2},
        {"name": "app", "system": "http://127.0.0.1:9/answer", "concurrency": 2},
    ],
    "judge": "rubric",
    "metrics": ["token-f1"],
    "repeats": 1,
    "budget": "1usd",
    "seeds": {"anchor": [1], "rotating": 0, "spread": False},
    "concurrency": 2,
    "wait": "15s",
    "timeout": "10m",
    "attempts": 4,
    "truncate": "back",
    "prices": {"small": {"input": 1, "output": 2, "cached_input": 0.5, "thinking": 4}},
}
OTHER_MODELS: dict[str, Any] = {
    "suite": "suite.yaml",
    "readers": ["small"],
    "strategies": ["lc", {"name": "ranked", "retrieve": "rag.py:retrieve", "rerank": "cohere/rerank-v3.5"}],
    "judge": MODEL | {"max_tokens": 64, "votes": 3},
    "preparation": MODEL,
    "filter": {"name": "closed-book", "match": "exact-match"},
}
"""A run with models that do not read."""
NEEDLES: dict[str, Any] = {
    "question": "Which colour has the gate?",
    "answer": "Moss.",
    "elements": [{"name": "moss"}],
    "needles": [{"text": "The gate is moss.", "elements": ["moss"]}],
}
CHOICE: dict[str, Any] = NEEDLES | {
    "options": ["moss", "slate"],
    "letters": True,
    "ordered": False,
    "traps": [{"name": "slate", "aliases": ["slates"]}],
}
TOWNS: dict[str, Any] = {
    "kind": "single",
    "most": 1,
    "each": {"town": "town"},
    "element": "town",
    "question": "Where is the winch?",
    "answer": "In {{ elements }}.",
    "aliases": ["{{ town }} town"],
    "needles": ["The winch is in {{ town }}."],
    "medium": ["The wagon is in {{ town }}."],
    "options": 2,
    "letters": True,
}
LETTERS: dict[str, Any] = {
    "kind": "recall",
    "each": {"mark": {"capitals": 6}},
    "question": "Which mark has piece {{ k }}?",
    "answer": "{{ elements }}.",
    "conversation": {
        "user": "User:",
        "assistant": "Assistant:",
        "marks": ["mark"],
        "topics": ["rain", "ropes", "rust"],
        "forms": {
            form: {
                "ask": f"Write a {form} about {{{{ topic }}}}.",
                "openings": ["It is {{ mark }}.", "So {{ mark }} it is."],
                "middles": ["Then it went.", "Then it came."],
                "closings": ["That is all.", "No more."],
            }
            for form in ("note", "rhyme")
        },
    },
}
QUESTION: dict[str, Any] = {
    "id": "one",
    "question": "Which colour has the gate?",
    "document_id": "gates",
    "answers": ["moss"],
    "options": ["moss", "slate"],
    "answer_index": 0,
    "kind": "colour",
    "source": "mine",
    "evidence": ["The gate is moss."],
    "licence": "CC0",
    "citation": "None.",
    "withheld": False,
    "canary": "none",
}
INLINE: dict[str, Any] = {"id": "two", "question": "Which?", "answers": ["a"], "document": "It is a."}
DOCUMENT: dict[str, Any] = {"id": "gates", "text": "The gate is moss.", "title": "Gates"}
NIGHTS: dict[str, Any] = {
    "nights": {
        "2026-11-21": {
            "verdict": "regression",
            "compared_with": "good-2026-11-20",
            "accepted": "by hand",
            "worse": [{"reader": "m"}],
            "page": "page.html",
        }
    }
}

OWN: dict[type[FileModel], list[dict[str, Any]]] = {
    SuiteFile: [SUITE],
    RunFile: [RUN, RUN | {"readers": [READER]}, OTHER_MODELS],
    NeedleSet: [NEEDLES, CHOICE],
    Family: [TOWNS, LETTERS, {"like": "starlight-short"}],
    QuestionLine: [QUESTION, INLINE],
    DocumentLine: [DOCUMENT],
    night_record._RecordFile: [NIGHTS],
}
SHIPPED: dict[type[FileModel], tuple[Path, str]] = {
    SuiteFile: (shipped("cases"), "*.yaml"),
    RunFile: (shipped("runs"), "*.yaml"),
    NeedleSet: (shipped("needles"), "*.yaml"),
    Family: (shipped("needles"), "families/*.yaml"),
    WorldFile: (shipped("haystacks"), "*/world.yaml"),
    HaystackFile: (shipped("haystacks"), "*/haystack.yaml"),
    numbers._Paper: (Path(numbers.__file__).parent, "*.yaml"),
}
KINDS = tuple(dict.fromkeys((*OWN, *SHIPPED)))

Key = tuple[str, str]
"""The name of a schema, and of a key that it has."""


@dataclass(frozen=True)
class Place:
    """Where a key stands in a good file.

    Attributes:
        kind: of the file.
        file: all of it.
        keys: from the outside in; places in lists as numbers.
    """

    kind: type[FileModel]
    file: dict[str, Any]
    keys: tuple[str | int, ...]

    def with_value(self, value: object) -> dict[str, Any]:
        """The file with another value there."""
        changed: dict[str, Any] = _changed(self.file, self.keys, value)
        return changed


def schemas(of: Any, found: dict[type[BaseModel], None] | None = None) -> list[type[BaseModel]]:
    """The schemas that a type holds, itself and what its keys may be."""
    found = {} if found is None else found
    if isinstance(of, type) and issubclass(of, BaseModel):
        if of not in found:
            found[of] = None
            for field in of.model_fields.values():
                schemas(field.annotation, found)
    else:
        for part in get_args(of):
            schemas(part, found)
    return list(found)


@cache
def places() -> dict[Key, Place]:
    """For each key of every schema, one place in a good file."""
    found: dict[Key, Place] = {}
    for kind in KINDS:
        folder, pattern = SHIPPED.get(kind, (Path(), ""))
        paths = sorted(folder.glob(pattern)) if pattern else []
        files = [yaml.load(path.read_text(), Loader=yaml.CSafeLoader) for path in paths]
        for file in [*OWN.get(kind, []), *files]:
            if kind is Family and "like" in file:
                found.setdefault(("Family", "like"), Place(kind, file, ("like",)))
                continue
            if kind is RunFile and "suite" not in file:  # holds the keys of one: the loader takes them out
                continue
            checked = kind.model_validate_json(orjson.dumps(file, option=orjson.OPT_NON_STR_KEYS))
            for key, keys in _keys(checked, file, ()):
                found.setdefault(key, Place(kind, file, keys))
    return found


def _keys(
    value: object, raw: Any, path: tuple[str | int, ...]
) -> Iterator[tuple[Key, tuple[str | int, ...]]]:
    """Where the keys of schemas stand in a checked value that was ``raw`` in the file."""
    if isinstance(value, BaseModel) and isinstance(raw, dict):
        for name, field in type(value).model_fields.items():
            key = field.alias or name
            if key in raw:
                yield (type(value).__name__, name), (*path, key)
                yield from _keys(getattr(value, name), raw[key], (*path, key))
    elif isinstance(value, tuple) and isinstance(raw, list):
        for number, (inner, raw_inner) in enumerate(zip(value, raw, strict=True)):
            yield from _keys(inner, raw_inner, (*path, number))
    elif isinstance(value, dict) and isinstance(raw, dict):
        for (_, inner), (key, raw_inner) in zip(value.items(), raw.items(), strict=True):
            yield from _keys(inner, raw_inner, (*path, key))


def _changed(whole: Any, keys: tuple[str | int, ...], value: object) -> Any:
    if not keys:
        return value
    first, *rest = keys
    inside = _changed(whole[first], tuple(rest), value)
    if isinstance(whole, list):
        return [inside if number == first else one for number, one in enumerate(whole)]
    return whole | {first: inside}
