"""What changes an answer changes its trial's identity and its request's key."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import orjson

from niah.cases.case import Case
from niah.cases.samples import fingerprint_of
from niah.readers.reader import ReaderOptions, Request
from niah.readers.retry import Reader
from niah.runs.execution.cache import request_key
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from tests.samples import unbuilt


def trial(needle_set: str, length: int, depth: float, strategy: str = "lc", **changes: object) -> Trial:
    case = Case(needle_set, "essays", length, depth)
    made = Trial(unbuilt(case, fingerprint_of(case)), parse(strategy), "simulated", 0, 64)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_identity_changes_with_what_changes_the_answer() -> None:
    one = trial("ferry-lanterns", 600, 50)
    options: list[dict[str, Any]] = [
        {"temperature": 0.5}, {"top_p": 0.5}, {"seed": 5}, {"thinking_tokens": 0}, {"thinking_tokens": 500},
        {"default_room": 500}, {"reasoning_effort": "low"}, {"system": "Be brief."}, {"stop": ("x",)},
        {"mode": "completion"}, {"extra_body": {"top_k": 1}}, {"extra_body": {"top_k": 2}},
        {"cache": "cold"}, {"cache": "shared"},
    ]  # fmt: skip
    changes: list[dict[str, Any]] = [
        {"reader": "other"}, {"repeat": 1}, {"max_tokens": 65},
        {"sample": replace(one.sample, fingerprint="other text")},
    ]  # fmt: skip
    changes += [{"options": ReaderOptions(**each)} for each in options]
    others = [replace(one, **each) for each in changes]
    others += [trial("ferry-lanterns", 600, 75), trial("ferry-lanterns", 600, 50, "mixpr")]
    assert len({t.trial_id for t in (one, *others)}) == 1 + len(others)
    assert trial("ferry-lanterns", 600, 50).trial_id == one.trial_id


def test_an_identity_is_what_it_was_where_nothing_is_asked_for() -> None:
    one = trial("ferry-lanterns", 600, 50)
    parts = [one.sample.sample_id, one.sample.fingerprint, one.strategy.definition, "simulated", 0, 64, 0.0]
    assert one.trial_id == hashlib.sha256(orjson.dumps(parts)).hexdigest()[:20]
    both = [ReaderOptions(extra_body={"a": 1, "b": 2}), ReaderOptions(extra_body={"b": 2, "a": 1})]
    assert len({replace(one, options=options).trial_id for options in both}) == 1


REQUEST = Request("Capital of France?", 50)


def reader(name: str = "m", **settings: str | int) -> Reader:
    facts: dict[str, str | int] = {"provider": "openai-compatible", "api_base": "http://a/v1"}
    return cast(Reader, SimpleNamespace(name=name, settings=facts | settings))


def test_everything_that_changes_the_answer_changes_the_key() -> None:
    changes: list[dict[str, Any]] = [
        {}, {"prompt": "Capital of France? "}, {"max_tokens": 51}, {"temperature": 1.0}, {"seed": 1},
        {"system": "Be brief."}, {"schema": {"type": "object"}},
        # The border between the two texts counts.
        {"system": "Capital", "prompt": " of France?"}, {"system": "Capital of", "prompt": " France?"},
    ]  # fmt: skip
    keys = [request_key(reader(), replace(REQUEST, **each), 0) for each in changes]
    others = [reader("other"), reader(api_base="http://b/v1"), reader(context=512)]
    keys += [request_key(reader(), REQUEST, 1), *(request_key(each, REQUEST, 0) for each in others)]
    assert len(set(keys)) == len(keys)
