"""Trials of two runs next to each other: what they have in common, and the rows they are cut into."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from niah.analysis.frame import LENGTH_BANDS, band_places, set_names
from niah.cases.sample import Sample
from niah.errors import UnknownName, UserError
from niah.runs.seeds import is_anchor_seed
from niah.runs.trial import TrialRecord

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas import DataFrame

    from niah.runs.file.read import RunContents

Measure = Literal["score", "not scored"]
Values = dict[Measure, "NDArray[np.float64]"]

PLAIN = (
    *("reader", "strategy", "needle_set", "haystack", "context_length", "depth", "seed", "repeat"),
    *("score", "outcome"),
)
"""Columns that a frame must have to be compared; those of ``_MORE`` say more where they are there."""

MEASURED = {
    "retrieval completeness": "retrieval_completeness",
    "prompt tokens": "prompt_tokens",
    "answer tokens": "completion_tokens",
    "cost in $": "cost",
    "latency in s": "latency_s",
}
_MORE = (
    *("case_id", "document_id", "question_set", "trial_id", "answer", "error_type"),
    *("definition", "context_sha256", "judge_version", *MEASURED.values()),
)
DEFAULT_AXES = ("reader", "strategy", "length_band", "depth")
WHO = ("reader", "strategy")
AXES = ("reader", "strategy", "length_band", "context_length", "depth", "needle_set", "question_set")
THIRDS = ("start", "middle", "end")
_SHOWN = 4


class Pairs(NamedTuple):
    """Two runs next to each other.

    Attributes:
        baseline, candidate: of the same length; the i-th rows of both were asked the same.
        only_baseline, only_candidate: trials that the other run did not plan.
    """

    baseline: DataFrame
    candidate: DataFrame
    only_baseline: DataFrame
    only_candidate: DataFrame


def plain_frame(trials: DataFrame | Iterable[TrialRecord]) -> DataFrame:
    """The trials as a frame with the columns that a comparison reads."""
    import pandas as pd

    if isinstance(trials, pd.DataFrame):
        return trials
    columns = [*PLAIN, *_MORE]
    return pd.DataFrame(map(attrgetter(*columns), trials), columns=columns)


def pair(
    baseline: DataFrame | Iterable[TrialRecord],
    candidate: DataFrame | Iterable[TrialRecord],
    *,
    other_reader: bool = False,
) -> Pairs:
    """The same case, strategy, model and repeat in both, in the baseline's order; whatever became of them.

    Args:
        baseline, candidate: trials of two runs, or of two models of one run.
        other_reader: models are what is compared, so that their names need not agree.
    """
    first, second = plain_frame(baseline), plain_frame(candidate)
    places = _places(second, first, ["strategy", "repeat", *([] if other_reader else ["reader"])])
    there = places[places >= 0]
    alone = np.setdiff1d(np.arange(len(second)), there)
    return Pairs(first[places >= 0], second.iloc[there], first[places < 0], second.iloc[alone])


def aligned(frame: DataFrame, like: DataFrame) -> Values:
    """Another night's values in the order of ``like``; NaN where it did not ask that."""
    places = _places(frame, like, ["strategy", "repeat", "reader"], by_trial=True)
    return {name: np.append(values, np.nan)[places] for name, values in values_of(frame).items()}


def _places(
    frame: DataFrame, like: DataFrame, names: Sequence[str], *, by_trial: bool = False
) -> NDArray[np.int64]:
    """For each row of ``like`` the row of ``frame`` that was asked the same, -1 for none."""
    known = {*frame} & {*like}
    case = ["case_id"] if "case_id" in known else ["context_length", "depth", "seed"]
    # A case id leaves the folders of own files out.
    names = ["trial_id"] if by_trial and "trial_id" in known else [*case, "needle_set", "haystack", *names]

    def keys(side: DataFrame) -> Iterator[tuple[object, ...]]:
        columns = side[names].astype(object)
        return columns.where(columns.notna(), None).itertuples(index=False, name=None)

    at = {key: row for row, key in enumerate(keys(frame))}
    return np.array([at.get(key, -1) for key in keys(like)], dtype=np.int64)


def values_of(frame: DataFrame) -> Values:
    """Scores, NaN without one; and 1 for a trial with another outcome, NaN where it was not run."""
    score = np.where(frame["outcome"] == "scored", frame["score"].astype(float), np.nan)
    run = (frame["outcome"] != "not_run").to_numpy()
    return {"score": score, "not scored": np.where(run, np.isnan(score), np.nan)}


# --- the rows of a comparison ---------------------------------------------------------------------


def check_axes(names: Sequence[str]) -> tuple[str, ...]:
    """The names, if each is an axis and is named once. Raises UserError."""
    for name in names:
        if name not in AXES:
            raise UnknownName("axis", name, AXES)
        if names.count(name) > 1:
            raise UserError(f"axis {name!r} is named twice.", "Name each axis once.")
    return tuple(names)


def axis_names(frame: DataFrame, axis: str) -> list[str | None]:
    """Each trial's part of an axis; None where it has none."""
    if axis == "length_band":
        lengths = frame["context_length"].to_numpy(dtype=np.int64)
        bands, known = band_places(lengths), np.unique(lengths)
        # Lengths of one band are told apart where they are few enough to read.
        if len(np.unique(bands)) > 1 or not 1 < len(known) <= len(LENGTH_BANDS) + 1:
            return [LENGTH_BANDS[place] for place in bands]
        return [f"{length:,} tokens" for length in lengths]
    if axis == "context_length":
        return [f"{length:,}" for length in frame[axis]]
    if axis == "depth":
        depths = frame[axis].to_numpy(dtype=np.float64)
        thirds = np.searchsorted([100 / 3, 200 / 3], depths, side="right")
        return [None if np.isnan(depth) else THIRDS[at] for depth, at in zip(depths, thirds, strict=True)]
    if axis not in frame:
        return [None] * len(frame)
    return [None if name is None or name != name else str(name) for name in frame[axis]]


class Level(NamedTuple):
    """Rows that no pair is in twice: each pair's row (-1 for none), and the rows' parts by axis."""

    codes: NDArray[np.int64]
    parts: list[dict[str, str]]
    fine: bool


def levels_of(frame: DataFrame, axes: Sequence[str]) -> list[Level]:
    """All, models, models x strategies; and each further axis within models, and within their strategies."""
    named = {axis: axis_names(frame, axis) for axis in axes}
    orders = {axis: _order(axis, names, frame) for axis, names in named.items()}
    who = [axis for axis in axes if axis in WHO]
    where = [axis for axis in axes if axis not in WHO and len(orders[axis]) > 1]
    groups = [(who[:count], False) for count in range(len(who) + 1)]
    groups += [([*who[:1], axis], True) for axis in where]
    groups += [([*who, axis], True) for axis in where]
    levels: dict[bytes, Level] = {}
    for group, fine in groups:
        codes, parts = np.zeros(len(frame), dtype=np.int64), [dict[str, str]()]
        for axis in group:
            order = orders[axis]
            places = np.array([order.get(name or "", -1) for name in named[axis]], dtype=np.int64)
            finer = np.where((codes < 0) | (places < 0), -1, codes * len(order) + places)
            known = np.unique(finer[finer >= 0])
            parts = [parts[at // len(order)] | {axis: list(order)[at % len(order)]} for at in known]
            codes = np.where(finer < 0, -1, np.searchsorted(known, finer))
        # Of a model and its only strategy there is one row, which names both.
        levels[codes.tobytes()] = Level(codes, parts, fine and levels.get(codes.tobytes()) is None)
    return list(levels.values())


def _order(axis: str, names: Sequence[str | None], frame: DataFrame) -> dict[str, int]:
    """Places of an axis's parts in tables: lengths rising, thirds from the start, names as they come."""
    known = list(dict.fromkeys(name for name in names if name is not None))
    if axis in ("length_band", "context_length"):
        lengths = dict(zip(names, frame["context_length"], strict=True))
        known.sort(key=lambda name: lengths[name])
    if axis == "depth":
        known.sort(key=THIRDS.index)
    return {name: place for place, name in enumerate(known)}


# --- whether two runs measured the same -----------------------------------------------------------


@dataclass(frozen=True)
class Compatibility:
    """What two runs have in common.

    Attributes:
        differences: why their scores do not compare as they are; one line each, none if they do.
        notes: what else differs, and may be why scores changed; one line each.
        common: the pairs that were asked and judged alike.
    """

    differences: tuple[str, ...]
    notes: tuple[str, ...]
    common: Pairs


def compatibility(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> Compatibility:
    """What differs between two runs, or between two readers of one.

    Case recipes, texts, strategies and judges must agree. Seeds that rotate need not: they never do. Suites'
    names, readers' settings and versions of niah are noted.
    """
    ours, theirs = ({id: _recipe(each) for id, each in run.samples.items()} for run in (baseline, candidate))

    def parted(one: Any, other: Any) -> str:
        """What parts the trials of a pair; "" if nothing does."""
        if ours[one.case_id] != theirs[other.case_id]:
            return f"other cases: {_fields([ours[one.case_id]], [theirs[other.case_id]])}"
        if one.definition != other.definition:
            return f"strategy {one.strategy}: {one.definition} / {other.definition}"
        texts = {one.context_sha256, other.context_sha256} - {"", None}
        # A trial's id is a digest of all that it is asked, and of its reader's name.
        if one.trial_id != other.trial_id and (one.reader == other.reader or len(texts) > 1):
            return "texts: the files of needle set, haystack or prompt are others, or how the reader is asked"
        judged = f"{baseline.judge} {one.judge_version}", f"{candidate.judge} {other.judge_version}"
        judged_both = one.judge_version and other.judge_version
        return f"judge: {' / '.join(judged)}" if judged_both and judged[0] != judged[1] else ""

    rows = zip(pairs.baseline.itertuples(), pairs.candidate.itertuples(), strict=True)
    why = np.array([parted(one, other) for one, other in rows], dtype=object)
    sets, differences = set_names(pairs.baseline).to_numpy(), []
    for reason in sorted({*why} - {""}):
        struck = set(sets[why == reason])
        which = "" if struck == {*sets} else f", all with {_shown(struck)}"
        differences.append(f"{reason} ({(why == reason).sum():,} of {len(why):,} pairs{which})")
    other_cases = _other_cases(ours, theirs, pairs)
    alike, alone = why == "", [side.iloc[:0] if other_cases else side for side in pairs[2:]]
    common = Pairs(pairs.baseline[alike], pairs.candidate[alike], *alone)
    return Compatibility((*differences, *other_cases), tuple(_notes(baseline, candidate, pairs)), common)


def apart(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> str:
    """Why two runs have no pair at all: "readers a / b"."""
    said = []
    for name, plural in (("reader", "readers"), ("strategy", "strategies")):
        first, second = (set(side[name]) for side in pairs[2:])
        if not first & second:
            said.append(f"{plural} {_shown(first)} / {_shown(second)}")
    ours, theirs = ({id: _recipe(each) for id, each in run.samples.items()} for run in (baseline, candidate))
    return "; ".join([*said, *_other_cases(ours, theirs, pairs)])


def _recipe(sample: Sample) -> dict[str, Any]:
    """Every field of the sample's case by name, or its question set and document."""
    if sample.case is not None:
        return asdict(sample.case)
    names = ("question_set", "document_id", "tokenizer", "prompt")
    return {"question": sample.sample_id} | {name: getattr(sample, name) for name in names}


def _other_cases(
    ours: Mapping[str, dict[str, Any]], theirs: Mapping[str, dict[str, Any]], pairs: Pairs
) -> list[str]:
    """How the cases that only one run has differ from the other's, rotating seeds apart."""
    counts = []
    for own, other, rest in ((ours, theirs, pairs.only_baseline), (theirs, ours, pairs.only_candidate)):
        there = {repr(recipe) for recipe in other.values()}  # one that it has for another reader is not meant
        asked = {id for id in rest["case_id"] if is_anchor_seed(own[id].get("seed"))}
        counts.append(len({repr(own[id]) for id in asked} - there))
    if not any(counts):
        return []
    fields = _fields(ours.values(), theirs.values()) or "the same values, combined otherwise"
    alone = f"{counts[0]:,} cases only in the baseline, {counts[1]:,} only in the candidate"
    return [f"other cases: {fields} ({alone})"]


def _fields(first: Iterable[dict[str, Any]], second: Iterable[dict[str, Any]]) -> str:
    """The fields whose values differ, with those of each side: "tokenizer cl100k / o200k"."""
    sides: list[dict[str, set[Any]]] = [{}, {}]
    for values, recipes in zip(sides, (first, second), strict=True):
        for name, value in ((name, value) for recipe in recipes for name, value in recipe.items()):
            if name != "seed" or is_anchor_seed(value):
                values.setdefault(name, set()).add(value)
    told = []
    for name in sorted({*sides[0], *sides[1]}):
        one, other = (side.get(name, set()) for side in sides)
        if one != other:
            told.append(f"{name.replace('_', ' ')} {_shown(one)} / {_shown(other)}")
    return ", ".join(told)


def _shown(values: set[Any]) -> str:
    words = [str(value) for value in sorted(values, key=lambda value: (isinstance(value, str), value))]
    return "+".join(words[:_SHOWN]) + ("+..." if len(words) > _SHOWN else "") or "-"


def _notes(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> Iterator[str]:
    for name in ("suite", "niah", "reader options"):
        key = name.replace(" ", "_")
        one, other = (run.version if key == "niah" else run.config.get(key) for run in (baseline, candidate))
        if one != other:
            yield f"{name}: {one or '-'} / {other or '-'}"
    for reader, other in dict.fromkeys(zip(pairs.baseline["reader"], pairs.candidate["reader"], strict=True)):
        ours, theirs = baseline.readers.get(reader, {}), candidate.readers.get(other, {})
        name = reader if reader == other else f"{reader} / {other}"
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                yield f"reader {name}: {key} {ours.get(key, '-')} / {theirs.get(key, '-')}"
