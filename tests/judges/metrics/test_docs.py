"""The worked examples in docs/metrics.md are true, and no metric is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.judges.metrics import METRICS, find_metric

_PAGE = Path(__file__).parents[3] / "docs" / "metrics.md"
_ROW = re.compile(r"^\| `([\w-]+)` \| `(.*)` \| `(.*)` \| ([\d.]+) \|$", re.MULTILINE)
_EXAMPLES: list[tuple[str, str, str, str]] = _ROW.findall(_PAGE.read_text(encoding="utf-8"))


def test_every_metric_has_an_example() -> None:
    assert {name for name, *_ in _EXAMPLES} == set(METRICS)


def test_every_metric_has_a_definition() -> None:
    defined = re.findall(r"^\| \*\*([\w-]+)\*\* \|", _PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert defined == list(METRICS)


@pytest.mark.parametrize(("name", "answer", "reference", "value"), _EXAMPLES)
def test_example(name: str, answer: str, reference: str, value: str) -> None:
    assert f"{find_metric(name).score(answer, [reference]):.3f}" == value
