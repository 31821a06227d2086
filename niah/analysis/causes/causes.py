"""Why an answer went wrong: by what was retrieved, and by the same case under other strategies.

Every element that an answer misses, or names wrongly, has a cause of its own; the first of them in the order
of ``CAUSES`` is the trial's. ``docs/causes.md`` has the rules as a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from niah.analysis.causes.needle_sets_asked import Asked, needle_sets_asked
from niah.analysis.causes.needles_seen import Known, distractors_in, elements_seen
from niah.analysis.grouping import question_of
from niah.cases.case import parse_case_id
from niah.judges.rubric.normalise import normalise
from niah.needles.needle_set import NeedleSet
from niah.runs.trial import TrialRecord
from niah.strategies.strategy import strategy_of

CauseKind = Literal[
    "known without context",
    "not retrieved",
    "beyond the model",
    "lost in context",
    "retrieved but unused",
    "misled by a distractor",
    "misread needle",
    "invented",
    "unexplained",
]
CAUSES: tuple[CauseKind, ...] = get_args(CauseKind)
"""By precedence: the first that holds is the trial's cause."""

Lack = Literal[
    "an oracle trial of the case",
    "which of the cut needles were retrieved",
    "the needle set as it was",
    "anything missing or wrong",
]


@dataclass(frozen=True)
class Cause:
    """Why one trial is not correct.

    Attributes:
        kind: the first in ``CAUSES`` that holds.
        also: the others that hold, in the same order, "unexplained" left out.
        elements: the cause of each missing element and of each wrong one, by its name.
        lacking: what would have to be known to say more.
    """

    kind: CauseKind
    also: tuple[CauseKind, ...] = ()
    elements: Mapping[str, CauseKind] = field(default_factory=dict)
    lacking: tuple[Lack, ...] = ()


class _Controls(NamedTuple):
    """The scored trials of one case, reader and repeat that others are held against; None where not there."""

    oracle: TrialRecord | None = None
    closed_book: TrialRecord | None = None


class _Finding(NamedTuple):
    """What holds of one element, and what is lacking."""

    kinds: tuple[CauseKind, ...]
    lacking: tuple[Lack, ...] = ()


def causes(records: Sequence[TrialRecord]) -> dict[str, Cause]:
    """By trial id, the cause of every scored trial that is not correct.

    Closed-book trials have none: to be wrong is their part. The order of the records changes nothing.
    """
    controls, asked = _controls(records), needle_sets_asked(records)
    return {
        record.trial_id: _cause(
            record, controls.get(question_of(record), _Controls()), needle_set_of(record, asked)
        )
        for record in records
        if record.outcome == "scored"
        and record.error_type != "correct"
        and not strategy_of(record.strategy).is_floor
    }


def knows(closed_book: TrialRecord, needle_set: NeedleSet | None) -> bool:
    """Whether a closed-book trial is right, and not for saying that no text tells."""
    return closed_book.error_type == "correct" and (needle_set is None or bool(needle_set.elements))


def needle_set_of(record: TrialRecord, asked: Asked) -> NeedleSet | None:
    """What the record's trial asked, if it can still be read."""
    return asked.get((record.needle_set, record.seed))


def _controls(records: Sequence[TrialRecord]) -> dict[tuple[object, ...], _Controls]:
    scored = [record for record in records if record.outcome == "scored"]
    oracle = {question_of(record): record for record in scored if strategy_of(record.strategy).is_ceiling}
    closed_book = {question_of(record): record for record in scored if strategy_of(record.strategy).is_floor}
    return {same: _Controls(oracle.get(same), closed_book.get(same)) for same in {*oracle, *closed_book}}


def _cause(record: TrialRecord, controls: _Controls, needle_set: NeedleSet | None) -> Cause:
    findings = dict(_findings(record, controls, needle_set))
    held = {kind for finding in findings.values() for kind in finding.kinds}
    if controls.closed_book and knows(controls.closed_book, needle_set):
        held.add("known without context")
    kinds = [kind for kind in CAUSES if kind in held and kind != "unexplained"]
    lacking = dict.fromkeys(lack for finding in findings.values() for lack in finding.lacking)
    return Cause(
        kind=kinds[0] if kinds else "unexplained",
        also=tuple(kinds[1:]),
        elements={name: finding.kinds[0] for name, finding in findings.items() if name},
        lacking=tuple(lacking),
    )


def _findings(
    record: TrialRecord, controls: _Controls, needle_set: NeedleSet | None
) -> Iterator[tuple[str, _Finding]]:
    """Each missing or wrong element with its finding; "" stands for the answer as a whole."""
    seen = _seen(record, needle_set)
    for name in record.missing:
        yield name, _of_missing(name, record, controls.oracle, seen)
    for name in record.wrong:
        yield name, _of_wrong(name, record, needle_set)
    if not (record.missing or record.wrong):
        yield "", _of_whole(record, controls.oracle)


def _of_missing(
    name: str, record: TrialRecord, oracle: TrialRecord | None, seen: Mapping[str, Known]
) -> _Finding:
    kinds: list[CauseKind] = []
    lacking: list[Lack] = []
    told = seen.get(name)
    if _retrieves(record) and told is False:
        kinds.append("not retrieved")
    elif _retrieves(record) and told is None:
        lacking.append(
            "which of the cut needles were retrieved" if name in seen else "the needle set as it was"
        )
    if oracle is None:
        lacking.append("an oracle trial of the case")
    elif name in oracle.missing:
        kinds.append("beyond the model")
    elif strategy_of(record.strategy).sends_context:
        kinds.append("lost in context")
    if _retrieves(record) and told and not kinds:
        kinds.append("retrieved but unused")
    return _Finding(tuple(kinds) or ("unexplained",), tuple(lacking))


def _of_wrong(name: str, record: TrialRecord, needle_set: NeedleSet | None) -> _Finding:
    if needle_set is None:
        return _Finding(("unexplained",), ("the needle set as it was",))
    present = distractors_in(needle_set, parse_case_id(record.case_id))
    if present and not _planting(needle_set).get(normalise(name), frozenset()).isdisjoint(present):
        return _Finding(("misled by a distractor",))
    return _Finding(("misread needle" if _is_misread(name, needle_set) else "invented",))


def _of_whole(record: TrialRecord, oracle: TrialRecord | None) -> _Finding:
    """An answer that names everything and doubts it, or that is wrong where there is nothing to name."""
    if oracle is None:
        return _Finding(("unexplained",), ("an oracle trial of the case",))
    if oracle.error_type != "correct":
        return _Finding(("beyond the model",))
    if strategy_of(record.strategy).sends_context:
        return _Finding(("lost in context",))
    return _Finding(("unexplained",), ("anything missing or wrong",))


def _retrieves(record: TrialRecord) -> bool:
    return record.needle_ranks is not None and not strategy_of(record.strategy).is_ceiling


def _seen(record: TrialRecord, needle_set: NeedleSet | None) -> dict[str, Known]:
    if needle_set is None or not _retrieves(record):
        return {}
    return elements_seen(record, needle_set, parse_case_id(record.case_id))


@lru_cache(maxsize=256)
def _planting(needle_set: NeedleSet) -> dict[str, frozenset[str]]:
    """By each wrong element's name, normalised, the ids of the distractors that plant it."""
    planting: dict[str, frozenset[str]] = {}
    for distractor in needle_set.distractors:
        for name in (normalise(name) for element in distractor.elements for name in element.names):
            planting[name] = planting.get(name, frozenset()) | {distractor.id}
    return planting


def _is_misread(name: str, needle_set: NeedleSet) -> bool:
    """Whether the needles say it of something else: a trap, or "17685 (copper gate)", another gate's code."""
    traps = {normalise(alias) for trap in needle_set.traps for alias in trap.names}
    return normalise(name) in traps or any(name.startswith(f"{each.name} (") for each in needle_set.elements)
