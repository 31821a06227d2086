"""The long texts of the page: answers, verdicts and passages, in blocks that are unpacked when looked at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.judges.rubric import wrong_elements
from niah.needles.needle_set import Element
from niah.plots.html.index import PageTrial
from niah.plots.html.packing import packed
from niah.plots.html.trial_details import (
    EXCERPT_LIMITS,
    SHOWN_CHUNKS,
    ExcerptLimits,
    SampleView,
    TextPart,
    view_sample,
    worth_showing,
)
from niah.runs.file.read_model import RunContents
from niah.runs.trial import Span, TrialRecord

BLOCK_TRIALS = 400
"""A block ends with the sample in which it reaches as many trials."""

# Characters. Packed, one of prose takes half a byte: both together, and figures, stay below 25 MB.
_MOST_ANSWERS = 28_000_000
_MOST_PASSAGES = 10_000_000
_ANSWER_ROOMS = (None, 100_000, 20_000, 8_000, 4_000, 2_000, 1_000, 800, 650, 500, 400, 300)


def blocks(runs: Sequence[RunContents], trials: Sequence[PageTrial]) -> Iterator[tuple[int, str]]:
    """(place of its first trial, packed block), in order.

    Args:
        runs: whose contexts are rebuilt, where that is possible.
        trials: as ``page_trials`` sorts them.
    """
    room, longest = excerpt_limits(trials), answer_limit(trials)
    start = 0
    for members in _chunked(trials):
        yield start, packed(_block(runs, members, start, room, longest))
        start += len(members)


def excerpt_limits(trials: Sequence[PageTrial]) -> ExcerptLimits:
    """The most generous room for passages that keeps the page within its size."""
    spans: dict[tuple[int, str], set[Span]] = {}
    for trial in trials:
        shown = spans.setdefault((trial.run, trial.record.case_id), set())
        shown.update((trial.record.best or ())[:SHOWN_CHUNKS])
    chunks, cases = sum(map(len, spans.values())), len(spans)
    fitting = (
        room
        for room in EXCERPT_LIMITS
        if chunks * room.plain + cases * _needles(trials) * 2 * room.around < _MOST_PASSAGES
    )
    return next(fitting, EXCERPT_LIMITS[-1])


def answer_limit(trials: Sequence[PageTrial]) -> int | None:
    """How many characters of an answer are kept; None for all of it."""
    lengths = np.array([len(trial.record.answer) for trial in trials], dtype=np.int64)
    for room in _ANSWER_ROOMS:
        if (lengths if room is None else np.minimum(lengths, room)).sum() <= _MOST_ANSWERS:
            return room
    return _ANSWER_ROOMS[-1]


def _needles(trials: Sequence[PageTrial]) -> float:
    """About how many needles a case has."""
    known = [len(ranks) for trial in trials if (ranks := trial.record.needle_ranks) is not None]
    return sum(known) / len(known) if known else 3


def _chunked(trials: Sequence[PageTrial]) -> Iterator[list[PageTrial]]:
    block: list[PageTrial] = []
    for _, members in groupby(trials, key=_case_key):
        block += members
        if len(block) >= BLOCK_TRIALS:
            yield block
            block = []
    if block:
        yield block


def _case_key(trial: PageTrial) -> tuple[int, str]:
    return trial.run, trial.record.case_id


def _block(
    runs: Sequence[RunContents],
    trials: Sequence[PageTrial],
    start: int,
    room: ExcerptLimits,
    longest: int | None,
) -> dict[str, Any]:
    keys: dict[AnswerKey, int] = {}
    samples: list[dict[str, Any]] = []
    told: list[dict[str, Any]] = []
    for (run, case_id), group in groupby(trials, key=_case_key):
        members = list(group)
        sample = runs[run].samples[case_id]
        view = view_sample(sample, [member.record.best or () for member in members], room)
        key = keys.setdefault(sample.key, len(keys))
        samples.append({"key": key, **_origin(sample), **_sample(view)})
        told += [_trial(member.record, view, len(samples) - 1, longest) for member in members]
    return {"start": start, "keys": list(map(_key, keys)), "samples": samples, "trials": told}


def _key(key: AnswerKey) -> dict[str, Any]:
    return {
        "question": key.question,
        "references": key.references,
        "options": key.options,
        "option": key.answer_index,
        "right": [_element(element) for element in key.elements],
        "wrong": [_element(element) for element in wrong_elements(key)],
    }


def _element(element: Element) -> dict[str, Any]:
    return {"name": element.name, "names": element.names, "key": element.key}


def _origin(sample: Sample) -> dict[str, Any]:
    """Of a given question, where it and its document come from."""
    if not isinstance(sample.source, GivenDocument):
        return {"given": None}
    facts = {
        "document": " · ".join(filter(None, (sample.source.title, sample.source.document_id))),
        "question set": sample.question_set,
        "source": sample.source_name,
        "kind": sample.key.kind,
        "licence": sample.licence,
    }
    return {"given": [[name, value] for name, value in facts.items() if value]}


def _sample(view: SampleView) -> dict[str, Any]:
    return {
        "missing": view.missing,
        "chars": view.chars,
        "tokens": view.tokens,
        "needles": [
            {"id": one.id, "at": [one.start, one.end], "token": one.token_start, "elements": one.elements}
            for one in view.needles
        ],
        "distractors": [
            {"id": one.id, "at": [one.start, one.end], "token": one.token_start, "hardness": one.hardness}
            for one in view.distractors
        ],
        "around": [_part(part) for part in view.around],
        "chunks": [[*span, [_part(part) for part in parts]] for span, parts in view.chunks.items()],
    }


def _part(part: TextPart) -> list[str | int]:
    if part.kind == "gap":
        return ["gap", part.omitted]
    return [part.kind, part.text, part.id] if part.id else [part.kind, part.text]


def _trial(record: TrialRecord, view: SampleView, sample: int, longest: int | None) -> dict[str, Any]:
    return {
        "sample": sample,
        "reason": record.reason,
        "answer": record.answer[:longest],
        "length": len(record.answer),
        "verdicts": [
            {
                "judge": verdict.judge,
                "version": verdict.version,
                "score": verdict.score,
                "found": verdict.found,
                "missing": verdict.missing,
                "wrong": verdict.wrong,
                "doubt": verdict.self_doubt,
                "reason": verdict.reason,
                "unsure": verdict.unsure,
            }
            for verdict in record.verdicts
        ],
        "prompt": record.prompt_tokens,
        "completion": record.completion_tokens,
        "cached": record.cached_tokens,
        "thinking": record.thinking_tokens,
        "cost": record.cost,
        "unpaid": record.from_cache,
        "reused": record.reused_from,
        "latency": None if record.latency_s is None else round(record.latency_s, 3),
        "context": record.context_tokens,
        "completeness": record.retrieval_completeness,
        "noise": record.noise_ratio,
        "ranks": record.needle_ranks,
        "retrieved": record.retrieved,
        "chunks": _chunks(record, view),
    }


def _chunks(record: TrialRecord, view: SampleView) -> list[tuple[int, int]] | None:
    """(rank, place among the sample's chunks) of those shown; None where nobody can say."""
    if record.best is None or view.missing:
        return None
    shown = worth_showing(record.best, view.needles)
    return [(record.best.index(span) + 1, view.chunk_places[span]) for span in shown]
