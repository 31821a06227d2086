"""Cases as JSON lines: the contract of design section 3."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.context import Context, Placed
from niah.cases.samples import LeftOut, attempt_cases, contiguous_notes, nothing_left
from niah.cases.suite import Suite
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element

CANARY = "niah:canary:5d1b7c1e-6f0a-4c39-9a27-0f6f3f2d8e41"
"""Marks shipped and generated text, so that it can be found in training corpora and kept out of them."""


def case_record(case: Case, context: Context, *, with_context: bool = False) -> dict[str, Any]:
    """One case as a JSON-ready mapping, its keys in a fixed order."""
    needle_set = load_needle_set(case.needle_set, case.seed)
    place = ("start", "end", "token_start")
    asked = (*place, "asked_token")
    record: dict[str, Any] = {
        "case_id": case.case_id,
        "needle_set": needle_set.name,
        **_fields(case, "haystack", "context_length", "depth", "seed", "tokenizer"),
        "mode": context.mode,
        "question": needle_set.question,
        "answer": needle_set.answer,
        "elements": [
            _fields(each, "name", "aliases") | ({"key": each.key} if each.key else {})
            for each in needle_set.elements
        ],
        "needles": [_fields(each, "id", "text", "elements", *asked) for each in context.needles],
        # A passage's needles are those whose spans lie within its own.
        "passages": [_fields(each, "id", *asked) for each in context.passages],
        "distractors": [_fields(each, "id", "text", *place, "hardness") for each in context.distractors],
        "tokens": context.tokens,
        "prompt_tokens": context.prompt_tokens,
        "sha256": context.sha256,
        "prompt": case.prompt,
        "order": case.order,
        "kind": needle_set.kind,
        "repeats": context.repeats,
        "reserve": case.reserve,
        "canary": CANARY,
    }
    return record | ({"context": context.text} if with_context else {})


def _fields(item: Case | Element | Placed, *names: str) -> dict[str, Any]:
    return {name: getattr(item, name) for name in names}


class WrittenRecords(NamedTuple):
    """What came of a suite: lines written, tokens of contexts, cases left out, notes."""

    cases: int
    tokens: int
    left_out: list[LeftOut]
    notes: tuple[str, ...]


def write_records(
    suite: Suite, write: Callable[[bytes], object], *, with_context: bool, audited: bool
) -> WrittenRecords:
    """Build each case of a suite and write it as one line, its end included.

    ``with_context``: the lines hold the contexts' texts. ``audited``: every context is tokenised again.

    Raises CaseError or HaystackError where a case cannot be built and the suite skips none, or where none can
    be built; Defect where the audit finds something.
    """
    left_out, built = list[LeftOut](), list[tuple[Case, Context]]()
    for case, made in zip(suite.cases, attempt_cases(suite.cases, build_context, suite.skip), strict=True):
        if isinstance(made, LeftOut):
            left_out.append(made)
            continue
        if audited:
            audit_context(case, made)
        record = case_record(case, made, with_context=with_context)
        write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
        built.append((case, replace(made, text="")))
    if not built:
        raise nothing_left(left_out)
    tokens = sum(context.tokens for _, context in built)
    return WrittenRecords(len(built), tokens, left_out, contiguous_notes(built))
