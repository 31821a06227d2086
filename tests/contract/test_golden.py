"""What niah makes of fixed inputs is what tests/golden.json.gz says."""

from __future__ import annotations

import pytest

from tests.golden import PARTS, SLOW, differences, make, read_golden

_SHOWN = 5


@pytest.mark.parametrize("part", [name for name in PARTS if name not in SLOW])
def test_nothing_that_was_right_has_changed(part: str) -> None:
    unchanged(part)


def unchanged(part: str) -> None:
    found = differences(read_golden()[part], make(part))
    more = f"... and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    remedy = f"where that is meant: python -m tests.golden --write {part}, and say why in CHANGELOG.md"
    assert not found, "\n".join([f"{len(found)} of {part} changed", *found[:_SHOWN], more, remedy])


def test_a_changed_a_new_and_a_lost_key_are_differences() -> None:
    found = differences({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 4, "d": 5})
    assert found == ["b: 2 -> 4", "c: 3 -> None", "d: None -> 5"]
