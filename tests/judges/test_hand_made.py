"""What the deterministic judge makes of answers written by hand, one file a theme."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric
from niah.judges.error_types import paper_error_type

FOLDER = Path(__file__).parent / "hand_made"


def _cases() -> Iterator[Any]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for group in yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader):
            for case in group["answers"]:
                yield pytest.param(group["set"], case, id=f"{path.stem}-{group['set']}-{case['why']}")


CASES = list(_cases())


@pytest.mark.parametrize(("name", "case"), CASES)
def test_hand_made_answer(name: str, case: dict[str, Any]) -> None:
    key = key_of(name, 1)
    verdict = judge_by_rubric(case["answer"], key)
    said = (verdict.score, paper_error_type(verdict), sorted(verdict.wrong), verdict.self_doubt)
    expected = (
        case["score"],
        case.get("error", "correct"),
        sorted(case.get("wrong", [])),
        case.get("self_doubt", False),
    )
    assert said == expected, verdict.reason
    assert sorted(case.get("missing", verdict.missing)) == sorted(verdict.missing)


def test_the_cases_are_many_and_over_many_sets() -> None:
    names = [case.values[0] for case in CASES]
    assert len(names) >= 170
    assert len(set(names)) >= 20
