"""Cases as JSON lines: the contract of design section 4."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import IO, Any

import orjson

from niah.cases.assembly.assembly import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.context import Context, Placed
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element, NeedleSet
from niah.text.embedding.embedder import get_embedder, nearest_similarity

EMBEDDER = "minilm"


@lru_cache(maxsize=256)
def similarities(needle_set: NeedleSet) -> dict[str, float]:
    """By distractor id: the cosine similarity, -1 to 1, to the needle that it is nearest to.

    Empty where there are no needles. Raises WeightsError if the embedder is not there and cannot be fetched.
    """
    if not needle_set.needles:
        return {}
    embedder = get_embedder(EMBEDDER, lambda line: print(line, file=sys.stderr))
    texts = [distractor.text for distractor in needle_set.distractors]
    found = nearest_similarity(embedder, texts, [needle.text for needle in needle_set.needles])
    return {
        distractor.id: float(cosine) for distractor, cosine in zip(needle_set.distractors, found, strict=True)
    }


CANARY = "niah:canary:5d1b7c1e-6f0a-4c39-9a27-0f6f3f2d8e41"
"""Marks shipped and generated text, so that it can be found in training corpora and kept out of them."""


def context_sha256(context: Context) -> str:
    """Digest of the context's text."""
    return hashlib.sha256(context.text.encode()).hexdigest()


def case_record(case: Case, context: Context, *, with_context: bool = False) -> dict[str, Any]:
    """One case as a JSON-ready mapping, its keys in a fixed order."""
    needle_set = load_needle_set(case.needle_set, case.seed)
    record: dict[str, Any] = {
        "case_id": case.case_id,
        "needle_set": needle_set.name,
        "haystack": case.haystack,
        "context_length": case.context_length,
        "depth": case.depth,
        "seed": case.seed,
        "tokenizer": case.tokenizer,
        "mode": case.mode,
        "question": needle_set.question,
        "answer": needle_set.answer,
        "elements": [_element(element) for element in needle_set.elements],
        "needles": [_needle(needle) for needle in context.needles],
        "passages": [_passage(passage) for passage in context.passages],
        "distractors": _distractors(needle_set, context),
        "tokens": context.tokens,
        "prompt_tokens": context.prompt_tokens,
        "sha256": context_sha256(context),
        "prompt": case.prompt,
        "order": case.order,
        "kind": needle_set.kind,
        "repeats": context.repeats,
        "reused": context.reused,
        "canary": CANARY,
    }
    if with_context:
        record["context"] = context.text
    return record


def _element(element: Element) -> dict[str, Any]:
    key = {"key": element.key} if element.key else {}
    return {"name": element.name, "aliases": list(element.aliases), **key}


def _needle(needle: Placed) -> dict[str, Any]:
    return {
        "id": needle.id,
        "text": needle.text,
        "elements": list(needle.elements),
        "start": needle.start,
        "end": needle.end,
        "token_start": needle.token_start,
        "asked_token": needle.asked_token,
    }


def _passage(passage: Placed) -> dict[str, Any]:
    """A long passage; its needles are those whose spans lie within its own."""
    return {
        "id": passage.id,
        "start": passage.start,
        "end": passage.end,
        "token_start": passage.token_start,
        "asked_token": passage.asked_token,
    }


def _distractors(needle_set: NeedleSet, context: Context) -> list[dict[str, Any]]:
    if not context.distractors:
        return []
    similarity = similarities(needle_set)
    return [
        {
            "id": item.id,
            "text": item.text,
            "start": item.start,
            "end": item.end,
            "token_start": item.token_start,
            "hardness": item.hardness,
            "similarity": similarity.get(item.id),
        }
        for item in context.distractors
    ]


def write_records(cases: Iterable[Case], file: IO[bytes], *, with_context: bool, audited: bool) -> int:
    """Build each case and write it as one line; returns how many tokens the contexts hold."""
    tokens = 0
    for case in cases:
        context = build_context(case)
        if audited:
            audit_context(case, context)
        file.write(
            orjson.dumps(
                case_record(case, context, with_context=with_context), option=orjson.OPT_APPEND_NEWLINE
            )
        )
        tokens += context.tokens
    return tokens
