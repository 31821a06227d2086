"""What the page reads of a run: an index of all trials in columns, and the long texts in packed blocks."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from niah.analysis.causes import CAUSE_MEANINGS
from niah.analysis.frame import ERROR_WORDS
from niah.analysis.lengths import length_labels, octave_label
from niah.cases.context import Placed
from niah.cases.sample import AnswerKey, GivenDocument, Sample
from niah.cases.samples import rebuild
from niah.errors import UserError
from niah.hub import nothing_fetched
from niah.plots.labels import outcome_words
from niah.plots.theme import palette
from niah.runs.file.read import RunContents
from niah.runs.trial import PreparationCall, Span, TrialRecord
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

_BLOCK = 400
"""A block ends with the sample in which it reaches as many trials."""
_SHOWN_CHUNKS = 8
"""Best chunks that are shown of a trial, next to all that hold some of a needle."""
_LONGEST_MARK = 900

# Characters. Packed, one of prose takes half a byte: both together, and figures, stay below 20 MB.
_MOST_ANSWERS, _MOST_PASSAGES = 24_000_000, 8_000_000
_ANSWER_ROOMS = (None, 100_000, 20_000, 8_000, 4_000, 2_000, 1_000, 650, 400, 300)
_PASSAGE_ROOMS = ((200, 600), (140, 240), (80, 120), (40, 60), (20, 0))
"""Characters on either side of a needle, and of a chunk without any; a page takes the first that fits."""

_TYPES = {"u1": "Uint8Array", "u2": "Uint16Array", "u4": "Uint32Array", "f8": "Float64Array"}


def packed(data: object) -> str:
    """JSON, or bytes as they are, deflated without headers (``deflate-raw`` to browsers), in base64."""
    plain = data if isinstance(data, bytes) else orjson.dumps(data)
    deflate = zlib.compressobj(4, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(plain) + deflate.flush()).decode()


def _column(values: Iterable[float]) -> dict[str, str]:
    """Numbers as a little-endian typed array, as narrow as they allow."""
    numbers = np.asarray(list(values), dtype=np.float64)
    whole = bool((numbers >= 0).all() and (numbers == np.floor(numbers)).all())
    fitting = (f"u{size}" for size in (1, 2, 4) if whole and numbers.max(initial=0) < 2 ** (8 * size))
    kind = next(fitting, "f8")
    return {"type": _TYPES[kind], "data": base64.b64encode(numbers.astype(f"<{kind}").tobytes()).decode()}


def page_order(frame: DataFrame) -> NDArray[np.intp]:
    """Places of the trials as the page has them: those of a heatmap cell, and of a case, come together."""
    names = ["run", "length", "depth", "case_id", "reader", "strategy", "repeat"]
    keys = frame[names].assign(depth=frame["depth"].fillna(-1)).reset_index(drop=True)
    keys["reader"], keys["strategy"] = (
        frame["reader"].cat.codes.to_numpy(),
        frame["strategy"].cat.codes.to_numpy(),
    )
    order: NDArray[np.intp] = keys.sort_values(names, kind="stable").index.to_numpy()
    return order


_COLUMNS = {
    **{name: name for name in ("run", "reader", "strategy", "set", "outcome", "length", "depth")},
    "case": "case_id",
}
_OPTIONAL = {
    **{"kind": "kind", "source": "source", "document": "document_id", "error": "error_type"},
    "cause": "cause",
}
"""By dimension of the page its column in the frame; optional ones may be lacking."""


def page_index(runs: Sequence[RunContents], frame: DataFrame) -> dict[str, Any]:
    """What filters, heatmaps and the list of trials need: one number a trial in each column.

    Columns hold places in the lists of ``names``; 1 more than the place, 0 for none, of what may be lacking;
    ``score`` the score, 0 for none; ``seed`` -1 for none.

    Args:
        runs: as they come on the page.
        frame: of all their trials, in the order of the page.
    """
    import pandas as pd

    columns: dict[str, Any] = {}
    names: dict[str, list[Any]] = {}
    for key, column in {**_COLUMNS, **_OPTIONAL}.items():
        values = frame[column]
        if isinstance(values.dtype, pd.CategoricalDtype):
            values = values.cat.remove_unused_categories()
            codes, own = values.cat.codes.to_numpy(), list(values.cat.categories)
        else:  # cases as they come, all others in order
            codes, uniques = pd.factorize(values, sort=key != "case")
            own = uniques.tolist()
        if key == "depth" and (codes < 0).any():  # the first has none
            codes, own = codes + 1, [None, *own]
        columns[key], names[key] = _column(codes + 1 if key in _OPTIONAL else codes), own
    names["run"] = [each.name for each in runs]
    names["alike"] = sorted(frame["sets"].unique())
    firsts = frame.drop_duplicates("set").set_index("set")["sets"]
    given = (frame["origin"] == "given").all()
    words = [octave_label(n) for n in names["length"]] if given else length_labels(names["length"])
    known = frame.drop_duplicates("strategy").set_index("strategy")
    return {
        "names": names,
        "alike": [names["alike"].index(firsts[name]) for name in names["set"]],
        "questions": _questions(runs, names["case"]),
        "titles": {"set": "Question set" if given else "Needle set"},
        "labels": {
            "strategy": [spoken(name) for name in names["strategy"]],
            "length": words,
            "outcome": [outcome_words(name) for name in names["outcome"]],
            "error": [ERROR_WORDS[name] for name in names["error"]],
        },
        "by_design": [
            bool(known.loc[name, "is_floor"]) + 2 * bool(known.loc[name, "is_ceiling"])
            for name in names["strategy"]
        ],
        "meanings": {kind: CAUSE_MEANINGS[kind] for kind in names["cause"]},
        "ids": frame["trial_id"].tolist(),
        "palette": palette(),
        "columns": {
            **columns,
            "score": _column(frame["score"].fillna(0)),
            "seed": _column(frame["seed"].fillna(-1)),
            "repeat": _column(frame["repeat"]),
        },
    }


def _questions(runs: Sequence[RunContents], cases: Sequence[str]) -> list[str]:
    """What is asked of given documents, by the place of its case; no list where all are cases of needles."""
    given = {id: each.key for run in runs for id, each in run.samples.items() if each.origin == "given"}
    texts = [
        " ".join(f"{key.name}: {key.question}".split()) if (key := given.get(case)) else "" for case in cases
    ]
    return [text if len(text) <= 90 else f"{text[:89].rstrip()}…" for text in texts] if given else []


class _Room(NamedTuple):
    """How many characters are kept: of an answer (None: all), around a needle, of a chunk without any."""

    answer: int | None
    around: int
    plain: int


def blocks(
    runs: Sequence[RunContents], trials: Sequence[tuple[int, TrialRecord]]
) -> Iterator[tuple[int, str]]:
    """(place of its first trial, packed block), in order; contexts are rebuilt where that is possible.

    Args:
        runs: as they stand on the page.
        trials: (run, record), in the order of the page.
    """
    room, turns = _room(trials), [_turns(run.preparations) for run in runs]
    start, members = 0, list[tuple[int, TrialRecord]]()
    for _, group in groupby(trials, key=lambda trial: (trial[0], trial[1].case_id)):
        members += group
        if len(members) >= _BLOCK:
            yield start, packed(_block(runs, members, start, room, turns))
            start, members = start + len(members), []
    if members:
        yield start, packed(_block(runs, members, start, room, turns))


def answer_limit(trials: Sequence[tuple[int, TrialRecord]]) -> int | None:
    """How many characters of an answer the page has; None for all of it."""
    return _room(trials).answer


def _room(trials: Sequence[tuple[int, TrialRecord]]) -> _Room:
    lengths = np.array([len(record.answer) for _, record in trials], dtype=np.int64)
    fitting = (room for room in _ANSWER_ROOMS if np.minimum(lengths, room or 10**9).sum() <= _MOST_ANSWERS)
    cases = len({(run, record.case_id) for run, record in trials})
    spans = (
        (run, record.case_id, span) for run, record in trials for span in (record.best or ())[:_SHOWN_CHUNKS]
    )
    chunks = len(set(spans))
    sizes = (each for each in _PASSAGE_ROOMS if chunks * each[1] + cases * 6 * each[0] < _MOST_PASSAGES)
    return _Room(next(fitting, _ANSWER_ROOMS[-1]), *next(sizes, _PASSAGE_ROOMS[-1]))


_Turns = Mapping[tuple[str, str, str], list[list[Any]]]
"""By strategy's definition, document and trial ("" for all questions on the document): whose, step, model,
calls, tokens, cost in $, and how many replies were of no use."""


def _turns(calls: Sequence[PreparationCall]) -> _Turns:
    """What models were asked before the reader, a row a step and model."""
    found: dict[tuple[str, str, str], dict[tuple[str, str], list[Any]]] = {}
    for call in calls:
        steps = found.setdefault((call.definition, call.document, call.trial_id), {})
        whose = "this question" if call.trial_id else "the document"
        row = steps.setdefault((call.step, call.model), [whose, call.step, call.model, 0, 0, 0.0, 0])
        row[3] += 1
        row[4] += (call.usage.prompt_tokens or 0) + (call.usage.completion_tokens or 0)
        row[5] += float(call.cost or 0)
        row[6] += call.is_cut or not call.is_understood
    return {key: list(steps.values()) for key, steps in found.items()}


def _block(
    runs: Sequence[RunContents],
    trials: Sequence[tuple[int, TrialRecord]],
    start: int,
    room: _Room,
    turns: Sequence[_Turns],
) -> dict[str, Any]:
    keys: dict[AnswerKey, int] = {}
    samples: list[dict[str, Any]] = []
    told: list[dict[str, Any]] = []
    for (run, case_id), group in groupby(trials, key=lambda trial: (trial[0], trial[1].case_id)):
        records = [record for _, record in group]
        sample = runs[run].samples[case_id]
        spans = dict.fromkeys(
            span for record in records for span in _worth_showing(record.best or (), sample.needles)
        )
        view = _view(sample, list(spans), room)
        key = keys.setdefault(sample.key, len(keys))
        samples.append({"key": key, "given": _origin(sample), **view})
        places = {span: place for place, span in enumerate(spans)} if not view["missing"] else None
        for record in records:
            keys_of = [(record.definition, record.context_sha256, id) for id in ("", record.trial_id)]
            asked = [row for key_of in keys_of for row in turns[run].get(key_of, ())]
            told.append(_trial(record, sample, places, len(samples) - 1, room) | {"turns": asked})
    return {"start": start, "keys": list(map(_key, keys)), "samples": samples, "trials": told}


def _key(key: AnswerKey) -> dict[str, Any]:
    wrong = [*(element for each in key.distractors for element in each.elements), *key.traps]
    return {
        "question": key.question,
        "references": key.references,
        "options": key.options,
        "option": key.answer_index,
        "right": [{"name": one.name, "names": one.names} for one in key.elements],
        "wrong": [{"name": one.name, "names": one.names} for one in wrong],
    }


def _origin(sample: Sample) -> list[list[str]] | None:
    """Of a given question, where it and its document come from."""
    if not isinstance(sample.source, GivenDocument):
        return None
    facts = {
        "document": " · ".join(filter(None, (sample.source.title, sample.source.document_id))),
        "question set": sample.question_set,
        "source": sample.source_name,
        "kind": sample.key.kind,
        "licence": sample.licence,
    }
    return [[name, value] for name, value in facts.items() if value]


def _view(sample: Sample, spans: Sequence[Span], room: _Room) -> dict[str, Any]:
    """A sample for people: where its needles stand, and passages of its context, if that can be rebuilt."""
    told: dict[str, Any] = {
        "missing": "",
        "chars": None,
        "tokens": sample.tokens,
        "needles": [_place(one) | {"elements": one.elements} for one in sample.needles],
        "distractors": [_place(one) | {"hardness": one.hardness} for one in sample.distractors],
        "around": [],
        "chunks": [],
    }
    try:
        with nothing_fetched():
            text = rebuild(sample).text
    except UserError as error:
        return told | {"missing": error.message}
    marks = sorted(
        [("needle", one) for one in sample.needles] + [("distractor", one) for one in sample.distractors],
        key=lambda mark: mark[1].start,
    )

    def near(placed: Iterable[Placed]) -> list[Span]:
        return [(one.start - room.around, one.end + room.around) for one in placed]

    around = near(sample.needles) or [(0, room.plain)]
    chunks = []
    for start, end in spans:
        inside = near(one for _, one in marks if start < one.end and one.start < end)
        kept = inside or [(start, min(end, start + room.plain))]
        chunks.append([start, end, _cut(text, (start, end), kept, marks)])
    return told | {"chars": len(text), "around": _cut(text, (0, len(text)), around, marks), "chunks": chunks}


def _place(one: Placed) -> dict[str, Any]:
    return {"id": one.id, "at": [one.start, one.end], "token": one.token_start}


def _worth_showing(best: Sequence[Span], needles: Sequence[Placed]) -> list[Span]:
    """The first few of the chunks, and every further one that holds some of a needle; best first."""
    return [
        (start, end)
        for rank, (start, end) in enumerate(best)
        if rank < _SHOWN_CHUNKS or any(start < one.end and one.start < end for one in needles)
    ]


def _cut(
    text: str, within: Span, kept: Sequence[Span], marks: Sequence[tuple[str, Placed]]
) -> list[list[str | int]]:
    """The ``kept`` stretches of ``within`` as [kind, text, id?], and ["gap", characters] for the rest."""
    start, end = within
    merged: list[Span] = []
    for first, last in sorted((max(start, first), min(end, last)) for first, last in kept):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        elif first < last:
            merged.append((first, last))
    parts: list[list[str | int]] = []
    at = start
    for first, last in merged:
        if first > at:
            parts.append(["gap", first - at])
        at = first
        for kind, placed in marks:
            low, high = max(at, placed.start), min(last, placed.end)
            if low < high:
                if low > at:
                    parts.append(["plain", text[at:low]])
                parts.append([kind, text[low : min(high, low + _LONGEST_MARK)], str(placed.id)])
                if high - low > _LONGEST_MARK:
                    parts.append(["gap", high - low - _LONGEST_MARK])
                at = high
        if at < last:
            parts.append(["plain", text[at:last]])
        at = last
    if at < end:
        parts.append(["gap", end - at])
    return parts


_TOLD = {
    "prompt": "prompt_tokens",
    "completion": "completion_tokens",
    "cached": "cached_tokens",
    "thinking": "thinking_tokens",
    "cost": "cost",
    "unpaid": "from_cache",
    "reused": "reused_from",
    "context": "context_tokens",
    "completeness": "retrieval_completeness",
    "noise": "noise_ratio",
    "ranks": "needle_ranks",
    "retrieved": "retrieved",
    "reason": "reason",
}
"""By name on the page, what a record says."""
_JUDGED = ("judge", "version", "score", "found", "missing", "wrong", "reason", "unsure")


def _trial(
    record: TrialRecord, sample: Sample, places: Mapping[Span, int] | None, at: int, room: _Room
) -> dict[str, Any]:
    """One trial as the drawer shows it; ``places`` of the sample's chunks, None where it is missing."""
    chunks = None
    if record.best is not None and places is not None:
        shown = _worth_showing(record.best, sample.needles)
        chunks = [(record.best.index(span) + 1, places[span]) for span in shown]
    verdicts = [
        {name: getattr(verdict, name) for name in _JUDGED} | {"doubt": verdict.self_doubt}
        for verdict in record.verdicts
    ]
    return {
        **{name: getattr(record, field) for name, field in _TOLD.items()},
        **{"sample": at, "answer": record.answer[: room.answer], "length": len(record.answer)},
        **{"verdicts": verdicts, "chunks": chunks},
        "latency": None if record.latency_s is None else round(record.latency_s, 3),
    }
