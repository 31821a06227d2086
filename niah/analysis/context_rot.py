"""What makes long contexts hard, a cause at a time (Chroma's report "Context Rot", 2025)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd
from pandas import DataFrame, Series

from niah.analysis.reference import reference
from niah.analysis.stats import DIFFERENCES, mean_interval, means_by
from niah.judges.verdict import HIGHEST
from niah.retrieval.registry import cosines, likeness

_FACETS = ("strategy", "needle_set", "haystack", "n_distractors", "shuffled")


def _similarity(own: DataFrame) -> Series[float]:
    """By row the mean cosine of question and needle over its needle set."""
    texts = own.drop_duplicates(["needle_set", "needle", "asked"])
    found = texts.assign(cosine=cosines(tuple(texts["asked"]), tuple(texts["needle"])))
    means = found.groupby("needle_set", observed=True)["cosine"].mean()
    return own["needle_set"].astype(object).map(means).astype(float)


def _likeness(own: DataFrame) -> Series[float]:
    """By row the mean cosine of its set's needles and the sentences of its haystack most like each."""
    groups: Any = own.groupby(["needle_set", "haystack"], observed=True)["needle"]
    found: Series[float] = groups.transform(lambda needles: likeness(needles.name[1], tuple(set(needles))))
    return found


# By cause the facet that it goes by, and its conditions; those of "wording" from the last to the first.
CAUSES: Mapping[str, tuple[str, Callable[[DataFrame], Any]]] = {
    "wording": ("needle_set", _similarity),
    "distractors": ("n_distractors", lambda own: own["n_distractors"]),
    "order": ("shuffled", lambda own: own["shuffled"].astype(float)),
    "likeness": ("haystack", _likeness),
    "focus": ("strategy", lambda own: own["sends_context"].astype(float)),
    "copying": ("needle_set", lambda own: own["n_elements"]),
}


def compared(frame: DataFrame, cause: str) -> DataFrame:
    """The scored trials of cases asked under several conditions of a cause, with their ``condition``.

    Of full context alone; of "focus" over the needles' chunks as well.
    """
    facet, condition = CAUSES[cause]
    whole = frame["sends_context"] | (frame["is_oracle"] & (facet == "strategy"))
    own = frame[frame["scored"] & whole & frame["seed"].notna() & frame["needle"].notna()]
    is_copy = own["kind"].astype(object) == "copy"
    own = own[is_copy if cause == "copying" else ~is_copy]
    if cause == "wording":  # one needle, several questions
        own = own[own.groupby("needle")["asked"].transform("nunique") > 1]
    several = own.groupby(_case(facet), observed=True)[facet].transform("nunique") > 1
    own = own[several] if len(own) else own
    own = own.assign(condition=condition(own) if len(own) else None)
    return own[own["condition"].notna()]


def _case(facet: str) -> list[str]:
    """What trials have in common that differ in a facet."""
    return ["reader", "context_length", "depth", "seed", "repeat", *(one for one in _FACETS if one != facet)]


def effects(frame: DataFrame) -> DataFrame:
    """A row a reader and cause: the score under its last condition minus its first, of paired cases.

    The intervals hold together at 95 %, clusters being seeds. No rows where no needle is asked for in several
    wordings.
    """
    rows, published = list[dict[str, Any]](), {each.dataset: each.note for each in reference("context-rot")}
    several = (frame.groupby("needle", observed=True)["asked"].nunique() > 1).any()
    for cause, (facet, _) in CAUSES.items() if several else ():
        for reader, own in compared(frame, cause).groupby("reader", observed=True):
            ends = sorted(own["condition"].agg(["min", "max"]), reverse=cause == "wording")
            table = own.pivot_table("score", _case(facet), "condition", observed=True)[ends].dropna()
            if table.empty:  # of a run that is not finished
                continue
            seeds = table.index.get_level_values("seed").to_numpy()
            found = mean_interval(table[ends[1]] - table[ends[0]], seeds, DIFFERENCES, len(CAUSES))
            is_found = None if found.low is None else found.low > 0 or (found.high or 0) < 0
            rows.append(
                {
                    **{"reader": reader, "cause": cause, "first": ends[0], "last": ends[1]},
                    **{"effect": found.estimate, "low": found.low, "high": found.high, "pairs": found.n},
                    **{"clusters": found.clusters, "found": is_found, "published": published.get(cause)},
                }
            )
    return pd.DataFrame(rows)


def by_cause(frame: DataFrame, cause: str) -> DataFrame:
    """A row a reader, strategy, needle set, condition and length: right answers of n, the mean, its interval.

    Of distractors also how many answers name a value of theirs, and whose; of copies the words in place.
    """
    by = dict.fromkeys(["reader", "strategy", "needle_set", CAUSES[cause][0], "condition", "length"])
    own = compared(frame, cause)
    own = own.assign(cluster=own["seed"], right=own["score"] == HIGHEST, misled=own["misled_by"].map(bool))
    groups = own.assign(gone=own["n_missing"] / own["n_elements"]).groupby([*by], observed=True)
    rows = groups[["right"]].sum().join(means_by(own, [*by])).drop(columns="clusters")
    if cause == "distractors":
        named = [part["misled_by"].explode().value_counts().items() for _, part in groups]
        said = [", ".join(f"{id} {count}" for id, count in counts) for counts in named]
        rows = rows.assign(misled=groups["misled"].sum(), by=said)
    if cause == "copying":
        rows = rows.assign(in_place=1 - groups["gone"].mean())
    return rows.reset_index()


def in_places(frame: DataFrame) -> DataFrame:
    """A row a word that was to be copied: the tenth of the answer it belongs in, and if it is there."""
    own = frame[frame["words"].notna() & frame["scored"]]
    own = own.assign(word=own["words"].map(enumerate).map(list)).explode("word")
    there = [float(word not in gone) for (_, word), gone in zip(own["word"], own["missing"], strict=True)]
    tenths = [10 * at // int(many) for (at, _), many in zip(own["word"], own["n_elements"], strict=True)]
    return own.assign(position=[10 * tenth for tenth in tenths], in_place=there)
