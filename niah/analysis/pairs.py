"""Trials of two runs next to each other: what they have in common, and the rows they are cut into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from shlex import quote
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pandas import DataFrame

from niah.analysis.frame import LENGTH_BANDS, length_bands, set_names
from niah.analysis.lengths import octave
from niah.analysis.stats import numbered
from niah.cases.sample import Sample
from niah.errors import RunFileError
from niah.judges.verdict import HIGHEST, LOWEST
from niah.runs.file.read import RunContents
from niah.runs.trial import is_anchor_seed
from niah.strategies.strategy import strategy_of

Measure = Literal["score", "not scored"]
Values = dict[Measure, "NDArray[np.float64]"]

PLAIN = (
    *("reader", "strategy", "needle_set", "haystack", "context_length", "depth", "seed", "repeat"),
    *("score", "outcome"),
)  # that a frame must have to be compared; those of a run file's trials say more

WHO = ("reader", "strategy")
WHERE = ("length_band", "depth")
THIRDS = ("start", "middle", "end")


class Pairs(NamedTuple):
    """Two runs next to each other."""

    baseline: DataFrame  # of the same length; the i-th rows of both were asked the same
    candidate: DataFrame
    only_baseline: DataFrame  # trials that the other run did not plan
    only_candidate: DataFrame


def pair(baseline: DataFrame, candidate: DataFrame, *, other_reader: bool = False) -> Pairs:
    """Trials of the same case, strategy, repeat and (but for ``other_reader``) model, in baseline order."""
    places = _places(candidate, baseline, ["strategy", "repeat", *([] if other_reader else ["reader"])])
    there = places[places >= 0]
    alone = np.setdiff1d(np.arange(len(candidate)), there)
    return Pairs(baseline[places >= 0], candidate.iloc[there], baseline[places < 0], candidate.iloc[alone])


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
    asked = frame[names].astype(object).assign(place=range(len(frame))).drop_duplicates(names, keep="last")
    return like[names].astype(object).merge(asked, "left", names)["place"].fillna(-1).to_numpy(np.int64)


def values_of(frame: DataFrame) -> Values:
    """Scores, NaN without one; and 1 for a trial with another outcome, NaN where it was not run."""
    score = np.where(frame["outcome"] == "scored", frame["score"].astype(float), np.nan)
    run = (frame["outcome"] != "not_run").to_numpy()
    return {"score": score, "not scored": np.where(run, np.isnan(score), np.nan)}


def floors_of(frame: DataFrame) -> NDArray[np.float64]:
    """Of each trial what a guesser gets; of other tools' results the lowest score."""
    floors = frame.reindex(columns=["floor"])["floor"].astype(float).fillna(LOWEST)
    return np.asarray(floors, dtype=np.float64)


def mean_of(frame: DataFrame, nights: Sequence[Values]) -> DataFrame:
    """The trials with the mean of the nights' scores on each, of those that have one."""
    score = DataFrame([each["score"] for each in nights]).mean().to_numpy()
    return frame.assign(score=score, outcome=np.where(np.isnan(score), "not_run", "scored"))


def ends_of(frame: DataFrame) -> DataFrame:
    """Of each trial its ``cell`` (model, strategy, length, depth), and at which ``end`` of the scale that is.

    "floor": what a guesser gets, "ceiling": what ``oracle`` gets, or 10, within 1.96 standard errors by the
    variance within cells, pooled over those of a model and strategy; "" of all others.
    """
    lengths, rows = frame["context_length"], frame[["reader", "strategy", "depth"]].astype(object)
    rows["length"] = lengths.where(rows["depth"].notna(), lengths.map(octave))
    rows = rows.assign(cell=numbered(rows), score=values_of(frame)["score"], floor=floors_of(frame))
    is_oracle = rows["strategy"].map(lambda name: strategy_of(name).is_oracle).astype(bool)
    oracle = rows.assign(score=rows["score"].where(is_oracle)).groupby(
        ["reader", "length", "depth"], dropna=False
    )
    cells, highest = rows.groupby("cell"), oracle["score"].transform("mean").where(~is_oracle).fillna(HIGHEST)
    mean, n = cells["score"].transform("mean"), cells["score"].transform("count")
    seen = rows.assign(square=(rows["score"] - mean) ** 2, cell=rows["cell"].where(rows["score"].notna()))
    pooled = seen.groupby(["reader", "strategy"])
    freedom = pooled["score"].transform("count") - pooled["cell"].transform("nunique")
    noise = 1.96 * (pooled["square"].transform("sum") / freedom.clip(lower=1) / n.clip(lower=1)) ** 0.5
    low, high = mean - cells["floor"].transform("mean"), highest - mean
    nearest = np.where(low <= high, "floor", "ceiling")
    rows["end"] = np.where(np.minimum(low, high) <= noise + 1e-9, nearest, "")
    return rows[["cell", "end"]]


def anchors_of(frame: DataFrame) -> NDArray[np.bool_]:
    """Which trials have a seed that every night has, or none."""
    seeds = frame["seed"].astype(object)
    seeds = seeds.where(seeds.notna(), None)  # of other tools' results a seed may be any text
    return np.array([isinstance(each, str) or is_anchor_seed(each) for each in seeds], dtype=bool)


def axes_of(frame: DataFrame) -> DataFrame:
    """Each trial's part of the axes of ``WHO`` and ``WHERE``, Categoricals; missing where it has none."""
    lengths = frame["context_length"].astype(int)
    bands = length_bands(lengths)
    # Lengths of one band are told apart where they are few enough to read.
    if bands.nunique() == 1 and 1 < lengths.nunique() <= len(LENGTH_BANDS) + 1:
        names = {length: f"{length:,} tokens" for length in sorted(lengths.unique())}
        bands = pd.Series(pd.Categorical(lengths.map(names), [*names.values()]))
    who = {axis: frame[axis].astype(str).to_numpy(object) for axis in WHO}
    axes: dict[str, Any] = {axis: pd.Categorical(own, pd.unique(own)) for axis, own in who.items()}
    depths = frame["depth"].to_numpy(np.float64, na_value=np.nan)
    axes["length_band"] = bands.array
    axes["depth"] = pd.cut(depths, [-np.inf, 100 / 3, 200 / 3, np.inf], right=False, labels=THIRDS)
    return DataFrame(axes)


def inside(frame: DataFrame, parts: Mapping[str, str]) -> NDArray[np.bool_]:
    """Which trials are in these parts of axes."""
    return (axes_of(frame)[[*parts]].astype(object) == pd.Series(parts, dtype=object)).all(axis=1).to_numpy()


class Level(NamedTuple):
    """Rows that no pair is in twice."""

    codes: NDArray[np.int64]  # each pair's row; -1 for none
    parts: list[dict[str, str]]  # of each row, by axis
    fine: bool


def levels_of(frame: DataFrame, who: Sequence[str]) -> list[Level]:
    """All, models, models x strategies; and lengths and depths within models, and within their strategies."""
    table = axes_of(frame)
    where = [axis for axis in WHERE if table[axis].nunique() > 1]
    groups = [(list(who[:count]), False) for count in range(len(who) + 1)]
    groups += [([*who[:count], axis], True) for count in (1, len(who)) for axis in where]
    levels: dict[bytes, Level] = {}
    for axes, fine in groups:
        codes, parts = np.zeros(len(frame), dtype=np.int64), [dict[str, str]()]
        if axes:
            by = table.groupby(axes, observed=True)
            codes = np.asarray(by.ngroup().fillna(-1), dtype=np.int64)
            parts = [dict(zip(axes, map(str, key), strict=True)) for key, _ in by]
        # Of a model and its only strategy there is one row, which names both.
        levels[codes.tobytes()] = Level(codes, parts, fine and codes.tobytes() not in levels)
    return list(levels.values())


def comparable_pairs(
    baseline: RunContents, candidate: RunContents, *, common: bool, other_reader: bool = False
) -> tuple[Pairs, tuple[str, ...]]:
    """The pairs of trials of two runs that may be compared, and notes on the others. Raises RunFileError.

    Case recipes, texts, strategies and judges must agree; seeds that rotate never do. With ``common`` the
    pairs are what the runs share where they differ; with ``other_reader`` models are compared.
    """
    pairs = pair(baseline.trials, candidate.trials, other_reader=other_reader)
    names = f"{baseline.path} and {candidate.path}"
    if pairs.baseline.empty:
        problem = f"{names} have no trial in common (case, strategy, model and repeat)."
        raise RunFileError(problem, "Compare runs of one suite, or two models: --readers X,Y.")
    differences, shared = _differences(baseline, candidate, pairs)
    notes = tuple(_notes(baseline, candidate, pairs))
    if not differences:
        return pairs, notes
    # Pairs without a score on both sides tell nothing where another version of the judge parts all others.
    if common and (shared.baseline["score"].notna().to_numpy() & shared.candidate["score"].notna()).any():
        return shared, (*(f"left out: {line}" for line in differences), *notes)
    remedy = "" if common else "Compare what they have in common with --common."
    if baseline.judge != candidate.judge:
        again = f"niah judge {quote(str(candidate.path))} --judge {baseline.judge} --primary"
        remedy = f"{again} judges both alike."
    do = "have nothing in common" if common else "do not compare"
    raise RunFileError(f"{names} {do}: {'; '.join(differences)}.", remedy)


def _differences(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> tuple[list[str], Pairs]:
    """Why the scores of two runs, or of two readers of one, do not compare; and the pairs that do."""
    ours, theirs = ({id: _recipe(each) for id, each in run.samples.items()} for run in (baseline, candidate))
    asked = {
        reader: _differing(*(_request(run, reader) for run in (baseline, candidate)))
        for reader in pairs.baseline["reader"].unique()
    }

    def difference(one: Any, other: Any) -> str:
        """What parts the trials of a pair; "" if nothing does."""
        if fields := _differing(ours[one.case_id], theirs[other.case_id]):
            return f"other cases: {fields}"
        if one.definition != other.definition:
            return f"strategy {one.strategy}: {one.definition} / {other.definition}"
        texts = {one.context_sha256, other.context_sha256} - {"", None}
        # A trial's id is a digest of all that it is asked, and of its reader's name.
        if one.trial_id != other.trial_id and (one.reader == other.reader or len(texts) > 1):
            samples = baseline.samples[one.case_id], candidate.samples[other.case_id]
            if len(texts) > 1 or samples[0].fingerprint != samples[1].fingerprint:
                return "texts: the files of needle set, haystack or prompt are others"
            return f"how {one.reader} is asked: {asked[one.reader] or 'the room for its answer or context'}"
        if baseline.judge != candidate.judge:
            return f"judge: {baseline.judge} / {candidate.judge}"
        versions = one.judge_version, other.judge_version
        differ = all(versions) and versions[0] != versions[1]
        return f"judge: {baseline.judge} {' / '.join(versions)}" if differ else ""

    rows = zip(pairs.baseline.itertuples(), pairs.candidate.itertuples(), strict=True)
    why = np.array([difference(one, other) for one, other in rows], dtype=object)
    sets, reasons = set_names(pairs.baseline).to_numpy(), []
    for reason in sorted({*why} - {""}):
        concerned = sorted({*sets[why == reason]})
        which = "" if concerned == sorted({*sets}) else f", all with {'+'.join(concerned[:4])}"
        reasons.append(f"{reason} ({(why == reason).sum():,} of {len(why):,} pairs{which})")
    alone = _unshared(ours, theirs, pairs.only_baseline), _unshared(theirs, ours, pairs.only_candidate)
    rest = [pairs.only_baseline, pairs.only_candidate]
    if any(alone):
        reasons.append(f"other cases: {alone[0]:,} only in the baseline, {alone[1]:,} only in the candidate")
        rest = [side.iloc[:0] for side in rest]
    return reasons, Pairs(pairs.baseline[why == ""], pairs.candidate[why == ""], *rest)


def _recipe(sample: Sample) -> dict[str, Any]:
    """Every field of the sample's case by name, or its question set and document."""
    if sample.case is not None:
        return asdict(sample.case)
    names = ("question_set", "document_id", "tokenizer", "prompt")
    return {"question": sample.sample_id} | {name: getattr(sample, name) for name in names}


def _request(run: RunContents, reader: str) -> dict[str, Any]:
    """What is part of every trial's id, besides its sample, strategy and names."""
    options: dict[str, Any] = run.config.get("reader_options", {}).get(reader, {})
    known = {name: run.config.get(name) for name in ("packages", "preparation")}
    return options | {name: value for name, value in known.items() if value}


def _unshared(own: Mapping[str, dict[str, Any]], other: Mapping[str, dict[str, Any]], rest: DataFrame) -> int:
    """How many cases of the trials that one run has alone are not in the other, rotating seeds apart."""
    there = {repr(recipe) for recipe in other.values()}
    asked = {id for id in rest["case_id"] if is_anchor_seed(own[id].get("seed"))}
    return len({repr(own[id]) for id in asked} - there)


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """The keys whose values differ, with both values: "tokenizer cl100k / o200k"."""
    keys = [key for key in {**one, **other} if one.get(key) != other.get(key)]
    words = (f"{key.replace('_', ' ')} {one.get(key, '-')} / {other.get(key, '-')}" for key in keys)
    return ", ".join(words)


def _notes(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> Iterator[str]:
    """What the baseline has not run; the suite, niah's version, how readers are asked, where these differ."""
    if missing := int((pairs.baseline["outcome"] == "not_run").sum()):
        yield f"{baseline.path} has not run {missing:,} of the {len(pairs.baseline):,} pairs' trials"
    sides = [
        {"niah": run.version} | {key: run.config.get(key) for key in ("suite", "reader_options")}
        for run in (baseline, candidate)
    ]
    for names in dict.fromkeys(zip(pairs.baseline["reader"], pairs.candidate["reader"], strict=True)):
        who = f"model {' / '.join(dict.fromkeys(names))}"
        for said, run, name in zip(sides, (baseline, candidate), names, strict=True):
            said |= {f"{who}: {key}": value for key, value in run.readers.get(name, {}).items()}
    for key in {**sides[0], **sides[1]}:
        one, other = (side.get(key) or "-" for side in sides)
        if one != other:
            yield f"{key.replace('_', ' ')}: {one} / {other}"
