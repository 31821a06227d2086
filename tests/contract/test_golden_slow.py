"""The long parts of tests/golden.json.gz, in a file of their own: another worker makes them."""

from __future__ import annotations

import pytest

from tests.contract.test_golden import unchanged
from tests.golden import SLOW


@pytest.mark.slow
@pytest.mark.parametrize("part", sorted(SLOW))
def test_nothing_that_was_right_has_changed(part: str) -> None:
    unchanged(part)
