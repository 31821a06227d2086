"""An audit end to end, with simulated judges whose faults are known."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

import pytest

from niah.cases.sample import AnswerKey
from niah.judges.audit.probe import Probe
from niah.judges.audit.probes import build_probes
from niah.judges.audit.report import (
    AuditReport,
    audit_file,
    audit_judge,
    audit_warning,
    keep_audit,
    kept_audit,
)
from niah.judges.registry import resolve_judge
from niah.judges.verdict import Score, Verdict
from niah.readers.reader import Failure, Usage

Rule = Callable[[Probe], Verdict | str]


class SimulatedJudge:
    """Knows the probes by their answers and follows a rule; a string is a failure."""

    name = "simulated"
    version = "1"
    concurrency = 3
    description = "simulated"
    needs_model = True
    share_asked = 1.0

    def __init__(self, every: tuple[Probe, ...], rule: Rule) -> None:
        self.settings: dict[str, str | int] = {"temper": rule.__name__}
        self._probes = {probe.answer: probe for probe in every}
        self._rule = rule
        self.open = False
        self.at_once = self.most_at_once = 0

    def check(self) -> None: ...

    def unsuited(self, key: AnswerKey) -> str:
        return ""

    async def __aenter__(self) -> Self:
        self.open = True
        self.settings = self.settings | {"learnt": "by asking"}
        return self

    async def __aexit__(self, *exc: object) -> None:
        self.open = False

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        assert self.open
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        said = self._rule(self._probes[answer])
        usage = Usage(10, 2, 0)
        if isinstance(said, str):
            return Failure("judge_error", said, usage=usage)
        return replace(said, usage=usage)


def right(probe: Probe) -> Verdict:
    return probe.truth


def always_ten(probe: Probe) -> Verdict:
    return replace(probe.truth, score=10)


def strict(probe: Probe) -> Verdict:
    scores: dict[float, Score] = {10: 7, 7: 5, 5: 3, 3: 1, 1: 1}
    return replace(probe.truth, score=scores[probe.truth.score])


def gullible(probe: Probe) -> Verdict:
    return replace(probe.truth, score=10) if probe.name.startswith("flattery") else probe.truth


def speechless(probe: Probe) -> Verdict | str:
    return "no words" if probe.type == "paraphrased" else probe.truth


def distinct(key: AnswerKey) -> tuple[Probe, ...]:
    """The probes, one for each answer: the simulated judge knows them by nothing else."""
    return tuple({probe.answer: probe for probe in build_probes(key, 1)}.values())


def audited(rule: Rule, key: AnswerKey) -> AuditReport:
    every = distinct(key)
    return asyncio.run(audit_judge(SimulatedJudge(every, rule), every, 1))


def unmet(report: AuditReport) -> list[str]:
    return [mark.name for mark in report.marks if not mark.met]


def test_a_judge_that_is_always_right(pizza: AnswerKey) -> None:
    report = audited(right, pizza)
    found = report.figures
    assert report.passed
    assert (found.exact, found.within_one, found.kappa, found.bias) == (1, 1, 1, 0)
    assert (found.raised, found.misjudged, found.failures) == ((), (), ())
    assert found.judged == found.answers == len(distinct(pizza))
    assert found.tokens == 12 * found.answers
    assert sum(map(sum, found.confusion)) == found.answers - found.hostile
    assert all(of_type.error_type == of_type.self_doubt == 1 for of_type in found.types)


def test_a_judge_that_always_says_ten(pizza: AnswerKey) -> None:
    report = audited(always_ten, pizza)
    assert not report.passed
    assert report.figures.kappa == 0
    assert len(report.figures.raised) == report.figures.hostile > 40
    assert {row[:4] for row in report.figures.confusion} == {(0, 0, 0, 0)}
    refusal = next(of_type for of_type in report.figures.types if of_type.type == "refusal")
    assert (refusal.exact, refusal.within_one, refusal.bias) == (0, 0, 4)
    assert unmet(report) == [
        "exact agreement",
        "weighted kappa",
        "greatest bias of a type, in levels",
        "hostile answers raised",
    ]


def test_a_judge_that_is_one_level_too_strict(pizza: AnswerKey) -> None:
    report = audited(strict, pizza)
    # Kappa is 0.81: a quarter of the answers deserve 1, and there nobody can be stricter.
    assert unmet(report) == ["exact agreement"]
    assert report.figures.within_one == 1
    assert report.figures.raised == ()


def test_one_hostile_answer_that_pays_is_one_too_many(pizza: AnswerKey) -> None:
    report = audited(gullible, pizza)
    assert unmet(report) == ["hostile answers raised"]
    (raised,) = report.figures.raised
    assert raised.name.startswith("flattery, on ")
    assert (raised.judged, raised.needle_set) == (10, "pizza")
    assert raised.truth < 10


def test_failures_are_no_numbers_and_too_many_fail(pizza: AnswerKey) -> None:
    report = audited(speechless, pizza)
    silent = next(of_type for of_type in report.figures.types if of_type.type == "paraphrased")
    assert (silent.judged, silent.exact, silent.bias) == (0, None, None)
    assert report.figures.exact == 1
    assert len(report.figures.failures) == silent.answers == report.figures.answers - report.figures.judged
    assert report.figures.failures[0].startswith("pizza, paraphrased, ")
    assert report.figures.failures[0].endswith(": no words")
    assert unmet(report) == ["answers judged"]


def test_with_nothing_judged_nothing_is_met(pizza: AnswerKey) -> None:
    def mute(probe: Probe) -> str:
        return "no"

    report = audited(mute, pizza)
    assert unmet(report) == [mark.name for mark in report.marks]
    assert report.figures.kappa is None


def test_as_many_at_once_as_the_judge_takes(pizza: AnswerKey) -> None:
    every = distinct(pizza)
    judge = SimulatedJudge(every, right)
    done: list[int] = []
    asyncio.run(audit_judge(judge, every, 1, lambda: done.append(1)))
    assert judge.most_at_once == 3
    assert len(done) == len(every)
    assert not judge.open


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path))
    return tmp_path


def audited_judge(rule: Rule, key: AnswerKey) -> SimulatedJudge:
    """Keep an audit as the command line does; a judge like the audited one, not open."""
    every = distinct(key)
    judge = SimulatedJudge(every, rule)
    file = audit_file(judge)
    keep_audit(asyncio.run(audit_judge(judge, every, 1)), file)
    return SimulatedJudge(every, rule)


@pytest.mark.usefixtures("cache")
def test_a_kept_audit_comes_back(pizza: AnswerKey) -> None:
    judge = audited_judge(strict, pizza)
    kept = kept_audit(audit_file(judge))
    assert kept is not None
    assert not kept.passed
    assert [mark.name for mark in kept.marks if not mark.met] == ["exact agreement"]


@pytest.mark.usefixtures("cache")
def test_who_failed_is_warned_of_with_figures(pizza: AnswerKey) -> None:
    warning = audit_warning(audited_judge(gullible, pizza))
    assert warning == (
        "the judge simulated failed its audit (hostile answers raised 1, at most 0 asked). "
        "Its scores are not to be trusted."
    )


@pytest.mark.usefixtures("cache")
def test_who_passed_or_was_never_audited_is_not(pizza: AnswerKey) -> None:
    assert audit_warning(SimulatedJudge((), right)) is None
    assert audit_warning(audited_judge(right, pizza)) is None
    audited_judge(gullible, pizza)
    assert audit_warning(SimulatedJudge((), right)) is None, "other settings make another judge"


@pytest.mark.usefixtures("cache")
def test_a_model_that_is_too_small_is_too_small_behind_the_rules() -> None:
    assert audit_warning(resolve_judge("rubric+smollm2")) == audit_warning(resolve_judge("smollm2"))
    assert "too small to judge" in str(audit_warning(resolve_judge("rubric+smollm2")))
    assert audit_warning(resolve_judge("rubric")) is None


def test_a_file_that_is_no_audit_counts_as_none(cache: Path, pizza: AnswerKey) -> None:
    judge = audited_judge(gullible, pizza)
    for text in ("", "{}", "[1]", '{"passed": false, "marks": [{"name": 1}]}'):
        audit_file(judge).write_text(text)
        assert audit_warning(judge) is None
    assert list(cache.rglob("*.json")) == [audit_file(judge)]
