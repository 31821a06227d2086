"""Why an answer went wrong: by what was retrieved, and by the same case under other strategies.

Every element that an answer misses, or names wrongly, has a cause of its own; the first of them in the order
of ``CAUSES`` is the trial's. ``tests/data/causes.md`` has the rules as a table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import nan
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

from niah.analysis.causes.needles_seen import (
    Known,
    Planted,
    elements_seen,
    planted_names,
    same_name,
    wholly_retrieved,
)
from niah.analysis.frame import values_at
from niah.analysis.trial_columns import Trials
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import context_of
from niah.errors import UserError
from niah.judges.verdict import HIGHEST
from niah.runs.evidence import tells_evidence

if TYPE_CHECKING:
    from numpy.typing import NDArray

CauseKind = Literal[
    "empty",
    "known without context",
    "not retrieved",
    "beyond the model",
    "lost in context",
    "retrieved but unused",
    "named but doubted",
    "misled by a distractor",
    "misread",
    "invented",
    "unexplained",
]
CAUSES: tuple[CauseKind, ...] = get_args(CauseKind)
"""By precedence: the first that holds is the trial's cause."""

CAUSE_MEANINGS: Mapping[CauseKind, str] = {
    "empty": "the reader sent no text: see its endpoint before anything else",
    "known without context": "closed-book is right: the case tells nothing of this reader",
    "not retrieved": "no needle that tells the element was wholly retrieved",
    "beyond the model": "given nothing but the needles, the reader misses it too",
    "lost in context": "the reader names it from the needles alone, but not from the whole context",
    "retrieved but unused": "its needle was retrieved whole, and the reader did not name it",
    "named but doubted": "the answer names all of it, and then doubts it or takes it back",
    "misled by a distractor": "a wrong element that a distractor of the case plants",
    "misread": "a wrong element that the text does say, but of something else",
    "invented": "a wrong element that the text says nowhere",
    "unexplained": "nothing of what is known of the case tells; an oracle trial may",
}

_DOUBTS = ("self_doubt_complete", "taken_back")
"""Error types of answers that name everything: they were not lost, nor left unused."""

Lack = Literal[
    "an oracle trial of the case",
    "the question's evidence",
    "which of the cut needles were retrieved",
    "the needle set as it was",
    "which of the evidence the answer needs",
    "anything missing or wrong",
    "the text",
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


class _Answer(NamedTuple):
    """What the columns of these names say of one scored trial."""

    trial_id: str
    case_id: str
    question: int
    score: float
    error_type: str | None
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    sends_context: bool
    is_ceiling: bool
    is_floor: bool
    needle_ranks: tuple[int | None, ...] | None
    needle_split: tuple[bool, ...] | None
    retrieval_completeness: float

    @property
    def correct(self) -> bool:
        """By its error type; a judge that names none gives the highest score."""
        return self.error_type == "correct" if isinstance(self.error_type, str) else self.score == HIGHEST

    @property
    def empty(self) -> bool:
        return self.error_type == "empty"

    @property
    def retrieves(self) -> bool:
        return self.needle_ranks is not None and not self.is_ceiling


class _Finding(NamedTuple):
    """What holds of one element, and what is lacking."""

    kinds: tuple[CauseKind, ...]
    lacking: tuple[Lack, ...] = ()


def causes(frame: Trials, samples: Mapping[str, Sample]) -> dict[str, Cause]:
    """By trial id, the cause of every scored trial that is not correct.

    Closed-book trials have none: to be wrong is their part. An empty answer has no other cause, and an
    oracle's tells nothing of others. The order of the rows changes nothing.

    Args:
        frame: see ``niah.analysis.frame``.
        samples: by sample id; where one is not there, less is known.
    """
    answers, planted = scored_answers(frame), planted_names(samples)
    oracle = {answer.question: answer for answer in answers if answer.is_ceiling and not answer.empty}
    closed_book = {answer.question: answer for answer in answers if answer.is_floor}
    said = said_in_text(answers, samples)
    return {
        answer.trial_id: _cause(
            answer,
            oracle.get(answer.question),
            closed_book.get(answer.question),
            samples.get(answer.case_id),
            planted.get(answer.case_id, {}),
            said.get(answer.case_id, {}),
        )
        for answer in answers
        if not answer.is_floor and not answer.correct
    }


def scored_answers(frame: Trials, among: NDArray[np.bool_] | None = None) -> list[_Answer]:
    """The scored trials, in the order of the rows; with ``among``, shape (n,), those that it names."""
    scored = np.asarray(frame["scored"])
    rows = np.flatnonzero(scored if among is None else scored & among)
    if not len(rows):
        return []
    columns = (values_at(frame, name, rows) for name in _Answer._fields)
    return list(map(_Answer._make, zip(*columns, strict=True)))


def is_known(closed_book: _Answer, sample: Sample | None) -> bool:
    """Whether a closed-book trial is right, and not for saying that no text tells."""
    if sample is None:
        return closed_book.correct
    answered = sample.key.elements or (sample.origin == "given" and sample.key.references)
    return closed_book.correct and bool(answered)


def _cause(
    answer: _Answer,
    oracle: _Answer | None,
    closed_book: _Answer | None,
    sample: Sample | None,
    planted: Planted,
    said: Mapping[str, Known],
) -> Cause:
    if answer.empty:
        return Cause("empty", elements=dict.fromkeys(answer.missing, "empty"))
    findings = dict(_findings(answer, oracle, sample, planted, said))
    held = {kind for finding in findings.values() for kind in finding.kinds}
    if closed_book and is_known(closed_book, sample):
        held.add("known without context")
    kinds = [kind for kind in CAUSES if kind in held and kind != "unexplained"]
    lacking = dict.fromkeys(lack for finding in findings.values() for lack in finding.lacking)
    return Cause(
        kind=kinds[0] if kinds else "unexplained",
        also=tuple(kinds[1:]),
        elements={name: finding.kinds[0] for name, finding in findings.items() if name},
        lacking=tuple(_can_be_had(lack, sample) for lack in lacking),
    )


def _can_be_had(lack: Lack, sample: Sample | None) -> Lack:
    """What is lacking; of an oracle trial, the evidence first that no oracle can be sent without."""
    needs_more = lack == "an oracle trial of the case" and sample is not None and not tells_evidence(sample)
    return "the question's evidence" if needs_more else lack


def _findings(
    answer: _Answer,
    oracle: _Answer | None,
    sample: Sample | None,
    planted: Planted,
    said: Mapping[str, Known],
) -> Iterator[tuple[str, _Finding]]:
    """Each missing or wrong element with its finding; "" stands for the answer as a whole."""
    seen: Mapping[str, Known] = {}
    if sample is not None and answer.retrieves:
        ranks, split = answer.needle_ranks or (), answer.needle_split
        seen = elements_seen(sample, wholly_retrieved(ranks, split, answer.retrieval_completeness))
    for name in answer.missing:
        yield name, _of_missing(name, answer, oracle, seen)
    for name in answer.wrong:
        yield name, _of_wrong(name, sample, planted, said.get(name))
    if not (answer.missing or answer.wrong):
        given = sample is not None and sample.origin == "given" and not sample.key.elements
        yield "", _of_given(answer, oracle) if given else _of_whole(answer, oracle)


def _of_missing(name: str, answer: _Answer, oracle: _Answer | None, seen: Mapping[str, Known]) -> _Finding:
    kinds: list[CauseKind] = []
    lacking: list[Lack] = []
    told = seen.get(name)
    if answer.retrieves and told is False:
        kinds.append("not retrieved")
    elif answer.retrieves and told is None:
        lacking.append(
            "which of the cut needles were retrieved" if name in seen else "the needle set as it was"
        )
    if oracle is None:
        lacking.append("an oracle trial of the case")
    elif name in oracle.missing:
        kinds.append("beyond the model")
    elif answer.sends_context:
        kinds.append("lost in context")
    if answer.retrieves and told and not kinds:
        kinds.append("retrieved but unused")
    return _Finding(tuple(kinds) or ("unexplained",), tuple(lacking))


def _of_wrong(name: str, sample: Sample | None, planted: Planted, said: Known) -> _Finding:
    if sample is None:
        return _Finding(("unexplained",), ("the needle set as it was",))
    present = {distractor.id for distractor in sample.distractors}
    if present & planted.get(same_name(name), frozenset()):
        return _Finding(("misled by a distractor",))
    if said or _is_misread(name, sample.key):
        return _Finding(("misread",))
    return _Finding(("unexplained",), ("the text",)) if said is None else _Finding(("invented",))


def _of_whole(answer: _Answer, oracle: _Answer | None) -> _Finding:
    """An answer that names everything and doubts it, or that is wrong where there is nothing to name."""
    doubts = answer.error_type in _DOUBTS
    if oracle is None:
        return _Finding(("named but doubted" if doubts else "unexplained",), ("an oracle trial of the case",))
    if not oracle.correct:
        return _Finding(("beyond the model",))
    if doubts:
        return _Finding(("named but doubted",))
    if answer.sends_context:
        return _Finding(("lost in context",))
    return _Finding(("unexplained",), ("anything missing or wrong",))


def _of_given(answer: _Answer, oracle: _Answer | None) -> _Finding:
    """An answer over a given document that names no elements: by its evidence as a whole."""
    kinds: list[CauseKind] = []
    whole = answer.retrieval_completeness if answer.retrieves else nan
    if whole == 0:
        kinds.append("not retrieved")
    if oracle is None:
        if whole == 1:
            kinds.append("retrieved but unused")
        return _Finding(tuple(kinds) or ("unexplained",), ("an oracle trial of the case",))
    if not oracle.correct:
        kinds.append("beyond the model")
    elif answer.sends_context:
        kinds.append("lost in context")
    elif whole == 1:
        kinds.append("retrieved but unused")
    elif 0 < whole < 1:
        return _Finding(("unexplained",), ("which of the evidence the answer needs",))
    return _Finding(tuple(kinds) or ("unexplained",))


def said_in_text(answers: Iterable[_Answer], samples: Mapping[str, Sample]) -> dict[str, dict[str, Known]]:
    """By sample id, of each wrong element whether the context says it; None where that cannot be built."""
    wrong: dict[str, set[str]] = {}
    for answer in answers:
        if answer.wrong and answer.case_id in samples:
            wrong.setdefault(answer.case_id, set()).update(answer.wrong)
    said: dict[str, dict[str, Known]] = {}
    for case_id, names in wrong.items():
        try:
            text = _folded(context_of(samples[case_id]).text)
        except UserError:
            said[case_id] = dict.fromkeys(names)
            continue
        values = {name: _folded(re.sub(r" \([^)]*\)$", "", name)) for name in names}
        said[case_id] = {
            name: bool(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)) for name, value in values.items()
        }
    return said


def _folded(text: str) -> str:
    """The text without regard to case, width, white space and the commas of large numbers."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"(?<=\d),(?=\d{3})", "", folded)


def _is_misread(name: str, key: AnswerKey) -> bool:
    """Whether the needles say it of something else: a trap, or "17685 (copper gate)", another gate's code."""
    traps = {same_name(alias) for trap in key.traps for alias in trap.names}
    return same_name(name) in traps or any(name.startswith(f"{each.name} (") for each in key.elements)
