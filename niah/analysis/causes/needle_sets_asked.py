"""The samples of a run whose file does not hold them, as far as their needle sets can still be read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from niah.cases.assembly.inserts import distractors_of_hardness, nested_needles, order_units
from niah.cases.case import Case, parse_case_id
from niah.cases.context import Placed
from niah.cases.sample import Sample
from niah.cases.samples import answer_key
from niah.errors import UserError
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.runs.trial import TrialRecord


def samples_asked(records: Iterable[TrialRecord]) -> dict[str, Sample]:
    """Samples by case id; those whose needle set is gone are left out."""
    named = {record.case_id: (record.needle_set, record.haystack, record.seed) for record in records}
    samples = {case_id: _sample(case_id, *names) for case_id, names in named.items()}
    return {case_id: sample for case_id, sample in samples.items() if sample is not None}


def _sample(
    case_id: str, needle_set_name: str | None, haystack: str | None, seed: int | None
) -> Sample | None:
    if needle_set_name is None or haystack is None or seed is None:
        return None
    try:
        needle_set = load_needle_set(needle_set_name, seed)
        case = replace(parse_case_id(case_id), needle_set=needle_set_name, haystack=haystack)
    except UserError:
        return None
    return Sample(
        sample_id=case_id,
        origin="generated",
        key=answer_key(needle_set),
        source=case,
        prompt=case.prompt,
        tokenizer=case.tokenizer,
        tokens=0,
        prompt_tokens=0,
        sha256="",
        fingerprint="",
        needles=_placed(_needle_ids(needle_set, case)),
        distractors=_placed(_distractors_in(needle_set, case)),
        passages=_placed(passage.id for passage in needle_set.passages),
    )


def _placed(ids: Iterable[str]) -> tuple[Placed, ...]:
    return tuple(Placed(each, "", (), 0, 0, 0, 0) for each in ids)


def _needle_ids(needle_set: NeedleSet, case: Case) -> tuple[str, ...]:
    """Ids of the needles in the order of the case's text."""
    units = [nested_needles(passage, needle_set) for passage in needle_set.passages]
    units = units or [[needle] for needle in needle_set.needles]
    return tuple(needle.id for unit in order_units(units, needle_set, case) for needle in unit)


def _distractors_in(needle_set: NeedleSet, case: Case) -> tuple[str, ...]:
    """Ids of the distractors in the case's context, as listed: all, where nothing answers the question."""
    if not needle_set.needles:
        return tuple(distractor.id for distractor in needle_set.distractors)
    there = distractors_of_hardness(needle_set.distractors, case.distractor_hardness)
    return tuple(distractor.id for distractor in there[: case.distractors])
