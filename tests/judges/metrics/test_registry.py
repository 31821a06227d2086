from __future__ import annotations

import pytest

from niah.errors import UnknownName
from niah.judges.metrics import METRICS, find_metric

_EXAMPLE = {
    # answer "cat leaps table quickly", reference "the cat leaps over the table"
    "exact-match": 0.0,
    "token-f1": 2 / 3,
    "squad-f1": 0.75,
    "rouge-l": 0.6,
    "bleu-1": 0.454898,
    "bleu-4": 0.214441,
    "meteor": 0.440613,
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
