"""What a suite asks for and did not get, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from niah.analysis.tables.table import Table
from niah.cases.left_out import Avoided, LeftOut


def left_out_tables(left_out: Sequence[LeftOut], avoided: Sequence[Avoided]) -> list[Table]:
    """Those that have something to say: of cases left out, and of sentences left out of cases."""
    return [table for table in (left_out_table(left_out), avoided_table(avoided)) if table.rows]


def avoided_table(avoided: Sequence[Avoided]) -> Table:
    """Sentences that answer by accident, counted by needle set and haystack."""
    groups: dict[tuple[str, str], list[tuple[str, ...]]] = {}
    for each in avoided:
        groups.setdefault((each.needle_set, each.haystack), []).append(each.sentences)
    return Table(
        name="avoided",
        title="Haystack sentences left out of contexts, since they answer by accident",
        columns=("needle_set", "haystack", "cases", "sentences", "most_in_a_case"),
        rows=tuple(
            (*key, len(group), len(set(chain.from_iterable(group))), max(map(len, group)))
            for key, group in groups.items()
        ),
        note="A sentence counts once, in however many cases; sentences that stood together count as one.",
    )


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
