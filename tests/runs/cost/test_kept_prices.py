"""The user's prices, out of a run file as they went in."""

from __future__ import annotations

from decimal import Decimal

from niah.runs.cost.kept_prices import as_kept, kept_prices
from niah.runs.cost.prices import own_price
from niah.runs.provenance import Invocation

PRICES = {"m": own_price(Decimal("0.15"), Decimal("0.05"), Decimal("2")), "e": own_price(*[Decimal(0)] * 3)}


def invocation(settings: dict[str, dict[str, object]]) -> Invocation:
    return Invocation("2026-11-22T04:00:00.000Z", settings, {})


def test_they_are_kept_digit_for_digit() -> None:
    assert as_kept(PRICES) == {
        "m": {"input": "0.15", "cached_input": "0.05", "output": "2"},
        "e": {"input": "0", "cached_input": "0", "output": "0"},
    }
    assert kept_prices([invocation({"prices": {"value": as_kept(PRICES), "source": "file"}})]) == PRICES


def test_the_latest_count() -> None:
    earlier = invocation({"prices": {"value": as_kept(PRICES), "source": "file"}})
    assert kept_prices([earlier, invocation({"prices": {"value": None, "source": "default"}})]) == {}


def test_files_of_earlier_versions_have_none() -> None:
    assert kept_prices([]) == {}
    assert kept_prices([invocation({})]) == {}
