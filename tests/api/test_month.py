"""A month of nights with a regression on the 19th: red until it is mended or accepted."""

from __future__ import annotations

from niah.analysis.nights import RedNights, red_nights
from tests.api.month import ask_both, date_of, day_of, run_month
from tests.api.nights import Nights


def test_red_until_it_is_mended(nights: Nights) -> None:
    found = dict(run_month(nights, ask_both(nights), seed=1))
    red = [day for day, night in found.items() if night.kind == "regression"]
    assert red == [19, 20, 21, 22, 23, 24]
    for day in red:
        (comparison,) = found[day].comparisons.values()
        assert comparison.baseline == str(nights.path(day_of(18)))
        assert {row.parts["strategy"] for row in comparison.verdict.regressions} == {"lc"}
        standing = found[day].standing
        assert standing
        assert standing.since == date_of(19)
    assert {night.kind for day, night in found.items() if day not in red} == {"no regression"}
    assert list(red_nights(nights.record())) == [
        RedNights(date_of(19), date_of(24), "night-2026-11-18", mended=date_of(25))
    ]


def test_red_until_it_is_accepted(nights: Nights) -> None:
    found = dict(run_month(nights, ask_both(nights), seed=1, bad=range(19, 29), accepted=[21]))
    assert [day for day, night in found.items() if night.kind == "regression"] == [19, 20, 21]
