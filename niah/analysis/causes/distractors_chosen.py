"""Which distractors readers took for needles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from niah.analysis.causes.needles_seen import planted_names
from niah.analysis.tables.table import Table
from niah.cases.sample import Sample
from niah.judges.rubric.normalise import normalise

if TYPE_CHECKING:
    from pandas import DataFrame

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


def distractors_chosen(frame: DataFrame, samples: Mapping[str, Sample]) -> Table:
    """One row per reader, strategy and distractor that an answer fell for."""
    scored = frame[frame["scored"]]
    names = ("reader", "strategy", "case_id", "is_floor", "wrong")
    # Answers of the same trial's repeats, and of many that hold nothing wrong, are alike.
    alike = Counter(zip(*(scored[name].tolist() for name in names), strict=True))
    picks: Counter[_Key] = Counter()
    present: Counter[_Key] = Counter()
    for (reader, strategy, case_id, is_floor, wrong), count in alike.items():
        sample = samples.get(case_id)
        if sample is None:
            continue
        for key in _keys(reader, strategy, sample, _planting(sample, wrong)):
            picks[key] += count
        if not is_floor:
            for key in _keys(reader, strategy, sample, (distractor.id for distractor in sample.distractors)):
                present[key] += count
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


def _planting(sample: Sample, wrong: Iterable[str]) -> set[str]:
    planted = planted_names(sample.key)
    return {each for name in wrong for each in planted.get(normalise(name), ())}


def _keys(reader: str, strategy: str, sample: Sample, ids: Iterable[str]) -> Iterator[_Key]:
    hardness = {distractor.id: distractor.hardness for distractor in sample.key.distractors}
    name = sample.needle_set or sample.key.name
    return (_Key(reader, strategy, name, each, hardness[each]) for each in ids)
