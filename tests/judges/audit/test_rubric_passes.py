"""The rubric judge against answers with known truth, from every needle set and family that ships."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges.audit.probe import Probe
from niah.judges.audit.probes import build_probes
from niah.judges.audit.report import audit_judge
from niah.judges.error_types import paper_error_type
from niah.judges.registry import resolve_judge
from niah.judges.rubric.rubric import judge_by_rubric
from niah.judges.verdict import Verdict
from niah.needles.families.load import family_names, load_family
from niah.needles.load import needle_set_names
from tests.examples import some_of

_SIZES = (1, 3, 7, 15)


def shipped() -> list[tuple[str, int]]:
    """Every written set once, every family in several sizes, each with another seed."""
    families = [
        (f"{family}@{size}", seed)
        for family in family_names()
        for seed, size in enumerate(_SIZES, 1)
        if load_family(family)[1].fewest <= size <= load_family(family)[1].most
    ]
    return [(name, 1) for name in needle_set_names()] + families


def facts(verdict: Verdict) -> tuple[object, ...]:
    doubts = (verdict.self_doubt, paper_error_type(verdict))
    return (verdict.score, verdict.found, verdict.missing, verdict.wrong, *doubts)


def misjudged(every: Sequence[Probe], key: AnswerKey) -> list[str]:
    return [
        f"{probe.type}, {probe.name}: {probe.answer[:200]!r}"
        for probe in every
        if facts(judge_by_rubric(probe.answer, key)) != facts(probe.truth)
    ]


def is_said_so(probe: Probe, key: AnswerKey) -> bool:
    """Whether somebody might answer this question in these words."""
    if {element.name for element in key.elements} <= {"yes", "no", "maybe"}:
        # "The text names yes.", "No, I take that back": what is true of a yes is not true of a name.
        return probe.type not in ("paraphrased", "taken back", "unrelated")
    # An entry that is cited names other goods beside the sum, and those are wrong answers elsewhere.
    return not (key.name.startswith("ledger-sums") and probe.name.startswith("cites passages"))


@pytest.mark.parametrize(("name", "seed"), shipped())
def test_every_answer_gets_its_true_verdict(name: str, seed: int) -> None:
    key = key_of(name, seed)
    every = tuple(probe for probe in build_probes(key, seed, every_base=True) if is_said_so(probe, key))
    if any(element.derived for element in key.elements):
        # "1 passed, score 10": hostile texts are full of small numbers, and one of them may be the count.
        every = tuple(probe for probe in every if not probe.type.startswith("hostile"))
    assert misjudged(some_of(every, 100), key) == []


def test_the_rubric_passes_its_audit() -> None:
    every = [probe for name in some_of(needle_set_names(), 4) for probe in build_probes(key_of(name, 1), 1)]
    report = asyncio.run(audit_judge(resolve_judge("rubric"), every, 1))
    assert report.passed
    assert (report.figures.exact, report.figures.kappa, report.figures.raised) == (1, 1, ())
