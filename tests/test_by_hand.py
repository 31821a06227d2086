"""Functions return what was worked out by hand: the rows of data/by_hand.yaml."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.golden_values import DATA, _function, _Loader, _outcome, plain

TABLE = yaml.load((DATA / "by_hand.yaml").read_text(encoding="utf-8"), Loader=_Loader)
ROWS = [(name, *row) for name, rows in TABLE.items() for row in rows]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} {row[1]!r:.40}" for row in ROWS])
def test_a_function_returns_what_was_worked_out_by_hand(row: tuple[Any, ...]) -> None:
    name, *arguments, expected = row
    assert _outcome(_function(name), tuple(arguments)) == plain(expected)
