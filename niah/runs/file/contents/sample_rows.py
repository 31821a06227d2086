"""The samples of a run file, and where their needles, distractors and passages stand."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson
from pydantic import TypeAdapter

from niah.cases.case import Case
from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, GivenDocument, Sample

SAMPLE_COLUMNS = (
    *("sample_id", "origin", "prompt", "tokenizer", "tokens", "prompt_tokens", "sha256", "fingerprint"),
    *("question_set", "source_name", "licence"),
)
"""The fields of a sample that are columns as they stand."""

AVOIDED = "avoided"
"""The field of a sample that stands beside the places of its needles, passages and distractors."""

_KEY: TypeAdapter[AnswerKey] = TypeAdapter(AnswerKey)
_SOURCE: TypeAdapter[Case | GivenDocument] = TypeAdapter(Case | GivenDocument)


def read_samples(db: sqlite3.Connection, *, placed: bool) -> dict[str, Sample]:
    """By id; unless ``placed``, nobody has looked where their needles, distractors and passages stand."""
    keys = {question_id: _key(body) for question_id, body in db.execute("SELECT * FROM questions")}
    known = {question_id: known_inserts(key) for question_id, key in keys.items()} if placed else {}
    rows = db.execute(f"SELECT question_id, source, spans, {', '.join(SAMPLE_COLUMNS)} FROM samples")
    samples = {}
    for question_id, source, spans, *values in rows:
        facts: dict[str, Any] = dict(zip(SAMPLE_COLUMNS, values, strict=True))
        facts |= {column: int(facts[column]) for column in ("tokens", "prompt_tokens")}
        if placed:
            by_kind = orjson.loads(spans)
            facts[AVOIDED] = tuple(by_kind.pop(AVOIDED, ()))
            for kind, inserts in by_kind.items():
                facts[kind] = tuple(placed_insert(known[question_id], insert) for insert in inserts)
        samples[values[0]] = Sample(key=keys[question_id], source=_source(source), **facts)
    return samples


def known_inserts(key: AnswerKey) -> dict[str, tuple[Any, ...]]:
    """Text, elements and hardness of everything that a key puts into contexts, by id."""
    return {
        **{passage.id: (passage.text, (), "") for passage in key.passages},
        **{needle.id: (needle.text, needle.elements, "") for needle in key.needles},
        **{
            each.id: (each.text, tuple(element.name for element in each.elements), each.hardness)
            for each in key.distractors
        },
    }


def placed_insert(known: Mapping[str, tuple[Any, ...]], row: Sequence[Any]) -> Placed:
    """Where a needle, distractor or passage stands: id, start, end, token_start, asked_token.

    The rest is the key's, or goes on in the row where it is another: text, elements, hardness.
    """
    id, start, end, token_start, asked_token, *own = row
    text, elements, hardness = own or known[id]
    return Placed(id, text, tuple(elements), start, end, token_start, asked_token, hardness)


@lru_cache(maxsize=4096)
def _key(body: str) -> AnswerKey:
    return _KEY.validate_json(body)


@lru_cache(maxsize=16384)
def _source(body: str) -> Case | GivenDocument:
    """Night after night asks the same cases."""
    return _SOURCE.validate_json(body)
