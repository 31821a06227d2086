"""Which distractors readers took for needles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from niah.analysis.causes.needle_sets_asked import Asked
from niah.analysis.causes.needles_seen import distractors_in
from niah.analysis.tables.table import Table, Value
from niah.cases.case import Case
from niah.cases.samples import answer_key
from niah.judges.chosen import chosen_distractors
from niah.judges.verdict import Score, Verdict
from niah.needles.needle_set import NeedleSet
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

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


def chosen(records: Sequence[TrialRecord], cases: Iterable[Case], asked: Asked) -> Table:
    """One row per reader, strategy and distractor that an answer fell for."""
    scored = [r for r in records if r.outcome == "scored" and (r.needle_set, r.seed) in asked]
    picks = _picks([record for record in scored if record.wrong], asked)
    present = _present(scored, cases, asked) if picks else Counter()
    return Table(
        name="distractors-chosen",
        title="Distractors chosen",
        columns=(*_Key._fields, "chosen", "present", "share"),
        rows=tuple(_row(key, count, present[key]) for key, count in sorted(picks.items())),
        note=_NOTE,
    )


def _row(key: _Key, count: int, present: int) -> tuple[Value, ...]:
    # Answers to cases that are not given, or hold other distractors, make no share.
    return (*key, count, present, count / present if count <= present else None)


def _picks(records: Sequence[TrialRecord], asked: Asked) -> Counter[_Key]:
    alike = {(record.needle_set, record.seed, record.wrong): record for record in records}
    ids = {key: _chosen(record, asked[key[:2]]) for key, record in alike.items()}
    return Counter(
        key
        for record in records
        for key in _keys(
            record,
            asked[record.needle_set, record.seed],
            ids[record.needle_set, record.seed, record.wrong],
        )
    )


def _chosen(record: TrialRecord, needle_set: NeedleSet) -> tuple[str, ...]:
    return chosen_distractors(_verdict(record, needle_set), answer_key(needle_set))


def _present(records: Iterable[TrialRecord], cases: Iterable[Case], asked: Asked) -> Counter[_Key]:
    # Case ids leave the folders of own files out.
    known = {(case.case_id, case.needle_set, case.haystack): case for case in cases}
    there = [(record, known.get((record.case_id, record.needle_set, record.haystack))) for record in records]
    needle_sets = [asked[record.needle_set, record.seed] for record in records]
    return Counter(
        key
        for (record, case), needle_set in zip(there, needle_sets, strict=True)
        if case is not None and not strategy_of(record.strategy).is_floor
        for key in _keys(record, needle_set, distractors_in(needle_set, case))
    )


def _keys(record: TrialRecord, needle_set: NeedleSet, ids: Iterable[str]) -> Iterator[_Key]:
    hardness = {distractor.id: distractor.hardness for distractor in needle_set.distractors}
    return (_Key(record.reader, record.strategy, record.needle_set, id, hardness[id]) for id in ids)


def _verdict(record: TrialRecord, needle_set: NeedleSet) -> Verdict:
    """What the run's judge said, as far as the record keeps it."""
    score: Score = record.score  # type: ignore[assignment]
    found = tuple(element.name for element in needle_set.elements if element.name not in record.missing)
    return Verdict(score, found, record.missing, record.wrong, bool(record.self_doubt), "", "", "")
