"""Which distractors readers took for needles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from niah.analysis.causes.needles_seen import planted_names, same_name
from niah.analysis.frame import values_at
from niah.analysis.table import Table
from niah.analysis.trial_columns import Trials
from niah.cases.sample import Sample

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WHO = ("reader", "strategy", "case_id")
_NOTE = (
    "chosen: scored trials whose answer holds what the distractor plants; present: scored trials with the"
    " distractor in the case's context (with retrieval, the chunks may have left it out); share: chosen among"
    " these. A distractor that nobody chose has no row."
)


class _Key(NamedTuple):
    reader: str
    strategy: str
    needle_set: str
    distractor: str
    hardness: str


def distractors_chosen(frame: Trials, samples: Mapping[str, Sample]) -> Table:
    """One row per reader, strategy and distractor that an answer fell for."""
    picks, present = _picks(frame, samples), Counter[_Key]()
    if picks:
        for (reader, strategy, case_id), count in _asked(frame, samples).items():
            ids = {distractor.id for distractor in samples[case_id].distractors}
            present.update(dict.fromkeys(_keys(reader, strategy, samples[case_id], ids), count))
    return Table(
        name="distractors-chosen",
        title="Distractors chosen",
        columns=(*_Key._fields, "chosen", "present", "share"),
        # Answers that name what stands in no context make no share.
        rows=tuple(
            (*key, count, present[key], count / present[key] if count <= present[key] else None)
            for key, count in sorted(picks.items())
        ),
        note=_NOTE,
    )


def _picks(frame: Trials, samples: Mapping[str, Sample]) -> Counter[_Key]:
    """How many scored answers hold what each distractor plants."""
    picks: Counter[_Key] = Counter()
    rows = np.flatnonzero(np.asarray(frame["scored"]) & (np.asarray(frame["n_wrong"]) > 0))
    if not len(rows):
        return picks
    planted = planted_names(samples)
    for reader, strategy, case_id, wrong in _columns(frame, rows, *_WHO, "wrong"):
        if case_id in samples:
            ids = {each for name in wrong for each in planted[case_id].get(same_name(name), ())}
            picks.update(_keys(reader, strategy, samples[case_id], ids))
    return picks


def _asked(frame: Trials, samples: Mapping[str, Sample]) -> dict[tuple[str, str, str], int]:
    """How many scored trials with a context each reader and strategy has of each case."""
    rows = np.flatnonzero(np.asarray(frame["scored"]) & ~np.asarray(frame["is_floor"]))
    counts = Counter(_columns(frame, rows, *_WHO))
    return {who: count for who, count in counts.items() if who[2] in samples}


def _columns(frame: Trials, rows: NDArray[np.intp], *names: str) -> Iterator[tuple[Any, ...]]:
    return zip(*(values_at(frame, name, rows) for name in names), strict=True)


def _keys(reader: str, strategy: str, sample: Sample, ids: Collection[str]) -> Iterator[_Key]:
    name = sample.needle_set or sample.key.name
    for distractor in sample.key.distractors:
        if distractor.id in ids:
            yield _Key(reader, strategy, name, distractor.id, distractor.hardness)
