"""One engine asked the same cases in several ways: with a cold and a shared cache, alone and many at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

import pandas as pd
from pandas import DataFrame

from niah.judges.verdict import HIGHEST

_CASE = ["case_id", "needle_set", "haystack", "strategy", "repeat"]


def consistency(frame: DataFrame) -> DataFrame:
    """A row a pair of ways (model, against), strategy and length, above them one over all lengths."""
    rows: list[dict[str, Any]] = []
    for ways, pairs in _pairs(frame):
        for strategy, own in pairs.groupby("strategy", observed=True):
            groups: list[tuple[Any, DataFrame]] = [("all", own)]
            for length, part in [*groups, *own.groupby("length")]:
                before, after = part["score_before"] == HIGHEST, part["score"] == HIGHEST
                same = part["answer_before"].str.strip() == part["answer"].str.strip()
                counts = {"n": len(part), "same": int(same.sum())}
                counts |= {"lost": int((before & ~after).sum()), "gained": int((after & ~before).sum())}
                rows.append({**ways, "strategy": strategy, "length": length, **counts})
    return pd.DataFrame(rows)


def _pairs(frame: DataFrame) -> Iterator[tuple[dict[str, str], DataFrame]]:
    """Ways to ask one engine that differ in one thing at most, with the cases that both answered.

    A way is next to itself where cases were repeated: that shows what differs where nothing is changed.
    """
    columns = [*_CASE, "reader", "engine", "cache", "at_once", "length", "answer", "score"]
    is_stated = frame["scored"] & frame["cache"].isin(["cold", "shared"])
    asked = frame.loc[is_stated, columns].astype({"at_once": int})
    every: list[Any] = [*asked.drop_duplicates("reader").sort_values(["at_once", "cache"]).itertuples()]
    for one, other in combinations_with_replacement(every, 2):
        sides = [(name, getattr(one, name), getattr(other, name)) for name in ("cache", "at_once")]
        differs = [f"{name.replace('_', ' ')}: {old} / {new}" for name, old, new in sides if old != new]
        before, after = (asked[asked["reader"] == each.reader] for each in (one, other))
        if one is other:
            after = after[after["repeat"] > 0].assign(repeat=after["repeat"] - 1)
        both = after.merge(before[[*_CASE, "answer", "score"]], on=_CASE, suffixes=("", "_before"))
        if one.engine == other.engine and len(differs) <= 1 and len(both):
            names = {"model": other.reader, "against": one.reader}
            yield names | {"differs": "".join(differs) or "asked again"}, both
