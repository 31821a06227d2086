"""What a suite asks for and did not get, as a table."""

from __future__ import annotations

from collections.abc import Sequence

from niah.analysis.tables.table import Table
from niah.cases.left_out import LeftOut


def left_out_table(left_out: Sequence[LeftOut]) -> Table:
    """Cases that cannot be built, counted by needle set, haystack, length and reason."""
    groups: dict[tuple[str, str, int, str], list[LeftOut]] = {}
    for each in left_out:
        key = (each.needle_set, each.haystack, each.context_length, each.reason)
        groups.setdefault(key, []).append(each)
    number, they = ("1 case", "it") if len(left_out) == 1 else (f"{len(left_out):,} cases", "they")
    return Table(
        name="left-out",
        title=f"{number} left out, since {they} cannot be built",
        columns=("needle_set", "haystack", "context_length", "reason", "cases"),
        rows=tuple((*key, len(group)) for key, group in groups.items()),
    )
