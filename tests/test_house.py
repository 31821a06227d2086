"""What must stay true of the house as a whole; ``python -m tests.house`` prints the numbers."""

from __future__ import annotations

from tests import house, untested


def test_no_package_imports_one_to_its_right() -> None:
    assert house.upward_imports() == []


def test_no_modules_import_each_other() -> None:
    assert house.circles() == []


def test_strategies_judges_and_orders_say_what_they_are() -> None:
    assert house.comparisons_with_kinds() == []


def test_docs_name_modules_that_are_there() -> None:
    assert house.unknown_modules_in_docs() == []


def test_a_public_name_means_one_thing() -> None:
    assert house.names_with_two_meanings() == {}


def test_nothing_downstream_loads_needle_sets() -> None:
    assert house.needle_set_loads() == []


def test_no_package_holds_more_than_a_dozen_files_at_its_root() -> None:
    assert {name: files for name, files in house.files_at_roots().items() if files > 12} == {}


def test_every_module_has_a_test_of_its_name_or_it_is_known_what_tests_it() -> None:
    found = untested.modules_without_a_test_of_their_name()
    assert [module for module, by in found.items() if not (by and (untested.ROOT / by).exists())] == []
