"""What the page reads of a run: an index of all trials in columns, and the long texts in packed blocks."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

import orjson
import pandas as pd
from pandas import DataFrame

from niah.analysis.causes import CAUSE_MEANINGS
from niah.analysis.frame import ERROR_WORDS, lengths_in_words
from niah.analysis.lengths import length_labels
from niah.cases.case import Placed
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import rebuild
from niah.errors import UserError
from niah.event_loop import within
from niah.judges.rubric import wrong_elements
from niah.plots.labels import outcome_words
from niah.plots.theme import palette
from niah.runs.file.read import RunContents
from niah.runs.trial import PreparationCall, Span
from niah.strategies.strategy import display_name
from niah.weights import may_fetch

_BLOCK = 400  # a block ends with the sample in which it reaches as many trials
_SHOWN_CHUNKS = 8  # best chunks that are shown of a trial, next to all that hold some of a needle
_LONGEST_MARK = 900
_MOST_ANSWERS = 20_000_000  # characters of all answers: packed, a page with figures stays below 20 MB
# Characters around a needle, and of a chunk without any; the same of so many trials.
_ROOM, _MANY_TRIALS, _LITTLE_ROOM = (200, 600), 2_000, (60, 100)


def packed(data: object) -> str:
    """JSON, or bytes as they are, deflated without headers (``deflate-raw`` to browsers), in base64."""
    plain = data if isinstance(data, bytes) else orjson.dumps(data)
    deflate = zlib.compressobj(4, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(plain) + deflate.flush()).decode()


def run_names(runs: Sequence[RunContents]) -> list[str]:
    """What the page calls each run: the name of its file, or of files with the same name the path."""
    names = [run.path.stem for run in runs]
    return names if len({*names}) == len(names) else [str(run.path.with_suffix("")) for run in runs]


_COLUMNS = ("run", "reader", "strategy", "set", "outcome", "length", "depth")
_OPTIONAL = ("kind", "source", "document", "error", "cause")
_COLUMN_OF = {"case": "case_id", "document": "document_id", "error": "error_type"}
"""Dimensions of the page, those that a trial may lack, and their columns where these have other names."""


def page_index(runs: Sequence[RunContents], frame: DataFrame) -> dict[str, Any]:
    """What filters, heatmaps and the list of trials need, of trials in the order of the page.

    Columns hold places in the lists of ``names``, 1 more of what may be lacking; no score is 0, no seed -1.
    """
    columns: dict[str, Any] = {}
    names: dict[str, list[Any]] = {}
    for key in (*_COLUMNS, "case", *_OPTIONAL):
        values = lengths_in_words(frame) if key == "length" else frame[_COLUMN_OF.get(key, key)]
        # Cases as they come, all others in order.
        cells = pd.Categorical(values, values.unique() if key == "case" else None).remove_unused_categories()
        codes, own = cells.codes.astype(int), cells.categories.tolist()
        if key == "depth" and (codes < 0).any():  # the first has none
            codes, own = codes + 1, [None, *own]
        columns[key], names[key] = (codes + (key in _OPTIONAL)).tolist(), own
    for key, none in (("score", 0), ("seed", -1), ("repeat", 0)):
        columns[key] = frame[key].fillna(none).tolist()
    names["run"] = run_names(runs)
    names["alike"] = sorted(frame["sets"].unique())
    firsts = frame.drop_duplicates("set").set_index("set")["sets"]
    given = bool((frame["origin"] == "given").all())
    asked = {
        id: text if len(text := f"{each.key.name}: {each.key.question}") <= 90 else f"{text[:89]}…"
        for run in runs
        for id, each in run.samples.items()
        if each.origin == "given"
    }
    grid = [length for length in names["length"] if isinstance(length, int)]
    short = dict(zip(grid, length_labels(grid), strict=True))
    of_strategy = frame.drop_duplicates("strategy").set_index("strategy").loc[names["strategy"]]
    return {
        "names": names,
        "alike": [names["alike"].index(firsts[name]) for name in names["set"]],
        "questions": [asked.get(case, "") for case in names["case"]] if asked else [],
        "titles": {"set": "Question set" if given else "Needle set"},
        "labels": {
            "strategy": [display_name(name) for name in names["strategy"]],
            "length": [short.get(name, name) for name in names["length"]],
            "outcome": [outcome_words(name) for name in names["outcome"]],
            "error": [ERROR_WORDS[name] for name in names["error"]],
        },
        "by_design": (of_strategy["is_closed_book"] + 2 * of_strategy["is_oracle"]).astype(int).tolist(),
        "meanings": {kind: CAUSE_MEANINGS[kind] for kind in names["cause"]},
        "ids": frame["trial_id"].tolist(),
        "palette": palette(),
        "columns": columns,
    }


def blocks(runs: Sequence[RunContents], trials: DataFrame) -> Iterator[tuple[int, str]]:
    """(place of its first trial, packed block), in order; contexts are rebuilt where that is possible.

    ``trials`` are those of the runs in the order of the page, with the place of their run as ``run``.
    """
    room, limit = _ROOM if len(trials) < _MANY_TRIALS else _LITTLE_ROOM, answer_limit(trials)
    turns = [_turns(run.preparations) for run in runs]
    start, keys = 0, dict[AnswerKey, int]()
    rows: Iterable[Any] = trials.itertuples()
    samples, entries = list[dict[str, Any]](), list[dict[str, Any]]()
    for (run, case_id), group in groupby(rows, key=attrgetter("run", "case_id")):
        records, sample = list(group), runs[run].samples[case_id]
        shown = [_worth_showing(record.best or (), sample.needles) for record in records]
        uses = [use for record in records for turn in record.search for use in turn.uses]
        returned = {use: _worth_showing(use.shown, sample.needles) for use in uses}
        spans = list(dict.fromkeys(span for each in (*shown, *returned.values()) for span in each))
        view = _view(sample, spans, room)
        key = keys.setdefault(sample.key, len(keys))
        at = {} if view["missing"] else {span: place for place, span in enumerate(spans)}
        calls = {  # of tools, with places of chunks
            use: (use.asked, use.problem, use.matches, len(use.shown), [at[span] for span in own if at])
            for use, own in returned.items()
        }
        for record, chosen in zip(records, shown, strict=True):
            places = None
            if record.best is not None and not view["missing"]:
                places = [(record.best.index(span) + 1, at[span]) for span in chosen]
            asked = ((record.definition, record.context_sha256, id) for id in ("", record.trial_id))
            steps = [row for key_of in asked for row in turns[run].get(key_of, ())]
            search = [(turn.turn, turn.step, [calls[use] for use in turn.uses]) for turn in record.search]
            entries.append(
                {
                    **{name: getattr(record, name) for name in _OF_TRIAL},
                    **{"answer": record.answer[:limit], "length": len(record.answer)},
                    "verdicts": [{name: getattr(each, name) for name in _JUDGED} for each in record.verdicts],
                    **{"sample": len(samples), "chunks": places, "turns": steps, "search": search},
                }
            )
        samples.append({"key": key, **view})
        if len(entries) >= _BLOCK or start + len(entries) == len(trials):
            block = {"start": start, "keys": list(map(_key, keys)), "samples": samples, "trials": entries}
            yield start, packed(block)
            start, keys, samples, entries = start + len(entries), {}, [], []


def answer_limit(trials: DataFrame) -> int | None:
    """How many characters of an answer the page has; None for all of it."""
    answers = sum(map(len, trials["answer"]))
    return None if answers <= _MOST_ANSWERS else _MOST_ANSWERS // len(trials)


def _turns(calls: Sequence[PreparationCall]) -> dict[tuple[str, str, str], list[list[Any]]]:
    """What models were asked before the reader, by strategy's definition, document and trial ("" for all
    questions on the document). A row a step and model: whose, step, model, calls, tokens, cost in $, and how
    many replies were of no use."""
    found: dict[tuple[str, str, str], dict[tuple[str, str], list[Any]]] = {}
    for call in calls:
        steps = found.setdefault((call.definition, call.document, call.trial_id), {})
        whose = "this question" if call.trial_id else "the document"
        row = steps.setdefault((call.step, call.model), [whose, call.step, call.model, 0, 0, 0.0, 0])
        tokens = (call.usage.prompt_tokens or 0) + (call.usage.completion_tokens or 0)
        added = (1, tokens, float(call.cost or 0), call.is_cut or not call.is_understood)
        row[3:] = [known + more for known, more in zip(row[3:], added, strict=True)]
    return {key: list(steps.values()) for key, steps in found.items()}


def _key(key: AnswerKey) -> dict[str, Any]:
    sides = {"right": key.elements, "wrong": wrong_elements(key)}
    return {
        **{name: getattr(key, name) for name in ("question", "references", "options")},
        "option": key.answer_index,
        **{side: [{"name": one.name, "names": one.names} for one in own] for side, own in sides.items()},
    }


def _view(sample: Sample, spans: Sequence[Span], room: tuple[int, int]) -> dict[str, Any]:
    """A sample for people: where its needles are, and passages of its context, if that can be rebuilt."""

    def place(one: Placed) -> dict[str, Any]:
        return {"id": one.id, "at": [one.start, one.end], "token": one.token_start}

    entry: dict[str, Any] = {
        **{"missing": "", "chars": None, "tokens": sample.tokens, "around": [], "chunks": []},
        "needles": [place(one) | {"elements": one.elements} for one in sample.needles],
        "distractors": [place(one) | {"hardness": one.hardness} for one in sample.distractors],
    }
    try:
        with within(may_fetch, False):
            text = rebuild(sample).text
    except UserError as error:
        return entry | {"missing": error.message}
    marks = [("needle", one) for one in sample.needles] + [("distractor", one) for one in sample.distractors]
    marks.sort(key=lambda mark: mark[1].start)

    def shown(span: Span, held: Iterable[Placed]) -> list[list[str | int]]:
        """What is around these, or the beginning where there are none."""
        near, plain = room
        around = [(one.start - near, one.end + near) for one in held]
        return _cut(text, span, around or [(span[0], span[0] + plain)], marks)

    chunks = [[*span, shown(span, (one for _, one in marks if _holds(span, one)))] for span in spans]
    return entry | {"chars": len(text), "around": shown((0, len(text)), sample.needles), "chunks": chunks}


def _holds(span: Span, placed: Placed) -> bool:
    """Whether it holds some of what is placed there."""
    return span[0] < placed.end and placed.start < span[1]


def _worth_showing(best: Sequence[Span], needles: Sequence[Placed]) -> list[Span]:
    """The first few of the chunks, and every further one that holds some of a needle; best first."""
    further = (span for span in best[_SHOWN_CHUNKS:] if any(_holds(span, one) for one in needles))
    return [*best[:_SHOWN_CHUNKS], *further]


def _cut(
    text: str, within: Span, kept: Sequence[Span], marks: Sequence[tuple[str, Placed]]
) -> list[list[str | int]]:
    """The ``kept`` stretches of ``within`` as [kind, text, id?], and ["gap", characters] for the rest."""
    parts: list[list[str | int]] = []
    at, end = within

    def up_to(place: int, kind: str, *id: str) -> None:
        nonlocal at
        if place > at:
            parts.append([kind, place - at if kind == "gap" else text[at:place], *id])
            at = place

    for first, last in sorted(kept):
        up_to(min(first, end), "gap")
        for kind, placed in marks:
            if max(at, placed.start) < (high := min(last, end, placed.end)):
                up_to(placed.start, "plain")
                up_to(min(high, at + _LONGEST_MARK), kind, placed.id)
                up_to(high, "gap")
        up_to(min(last, end), "plain")
    up_to(end, "gap")
    return parts


_OF_TRIAL = (
    *("prompt_tokens", "completion_tokens", "cached_tokens", "thinking_tokens", "context_tokens", "cost"),
    *("from_cache", "reused_from", "retrieval_completeness", "noise_ratio", "needle_ranks", "retrieved"),
    *("reason", "latency_s"),
)
_JUDGED = ("judge", "version", "score", "found", "missing", "wrong", "reason", "unsure", "self_doubt")
