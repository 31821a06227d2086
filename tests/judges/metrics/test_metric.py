"""Metrics by name; the worked examples in tests/data/metrics.md are true, and no metric is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.errors import UnknownName
from niah.judges.metrics import METRICS, Metric, exact_match, find_metric, token_f1

_EXACT = Metric("exact-match", "", exact_match)


def test_the_best_reference_counts() -> None:
    # {gold, mist} against {gold, mist, and, figs} is 4/6, against {mist} 2/3, against {figs} 0
    assert Metric("token-f1", "", token_f1).score(
        "gold mist", ["figs", "gold mist and figs"]
    ) == pytest.approx(4 / 6)
    assert _EXACT.score("figs", ("ham", "figs")) == 1.0


@pytest.mark.parametrize("answer", ["<think>ham?</think>figs", "ham?</think>\nfigs", "figs<think>or ham"])
def test_reasoning_does_not_count(answer: str) -> None:
    assert _EXACT.score(answer, ["figs"]) == 1.0
    assert _EXACT.score(answer, ["ham"]) == 0.0


def test_no_reference_is_a_defect_of_the_caller() -> None:
    with pytest.raises(ValueError, match="exact-match has no reference"):
        _EXACT.score("figs", [])


_EXAMPLE = {
    # answer "cat leaps table quickly", reference "the cat leaps over the table"
    "exact-match": 0.0,
    "contained-match": 0.0,
    "token-f1": 2 / 3,
    "squad-f1": 0.75,
    "set-f1": 0.0,
    "share-of-references": 0.0,
    "rouge-l": 0.6,
    "rouge-l-sum": 0.6,
    "bleu-1": 0.454898,
    "bleu-4": 0.214441,
    "meteor": 0.440613,
    "chrf": 0.390098,
    "mrcr": 0.0,
    "ndcg-10": 0.0,
}


def test_each_name_stands_for_its_own_metric() -> None:
    found = {
        name: metric.score("cat leaps table quickly", ["the cat leaps over the table"])
        for name, metric in METRICS.items()
        if name != "accuracy"
    }
    assert found == pytest.approx(_EXAMPLE, abs=1e-6)
    assert find_metric("accuracy").score("[[2]]", ["B"]) == 1.0


def test_every_metric_has_a_line_for_people() -> None:
    assert all(metric.description and "\n" not in metric.description for metric in METRICS.values())


def test_an_unknown_metric_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"no metric called 'rouge-1'. Did you mean 'rouge-l'\?"):
        find_metric("rouge-1")


_PAGE = Path(__file__).parents[2] / "data" / "metrics.md"
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
