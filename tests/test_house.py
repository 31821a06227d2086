"""What must stay true of the house as a whole; ``python -m tests.house`` prints the numbers."""

from __future__ import annotations

from tests import house


def test_no_package_imports_one_to_its_right() -> None:
    assert house.upward_imports() == []


def test_no_modules_import_each_other() -> None:
    assert house.circles() == []


def test_strategies_judges_and_orders_say_what_they_are() -> None:
    assert house.comparisons_with_kinds() == []


def test_nothing_downstream_loads_needle_sets() -> None:
    assert house.needle_set_loads() == []
