from __future__ import annotations

from niah.analysis.causes.needle_sets_asked import needle_sets_asked
from niah.analysis.columns import columns_of
from niah.analysis.tables.breakdown import by_haystack, by_kind, by_needle_set
from tests.analysis.small_trials import at, trial

FERRY = at(1000, needle_set="ferry-lanterns")
RECORDS = [
    trial("lc", 10),
    trial("topk", 7),
    trial("lc", 1, case=FERRY),
    trial("topk", 10, case=FERRY),
    trial("lc", 5, needle_set="gone.yaml"),
]
LC = (None, None, None, None)


def test_kinds_by_hand() -> None:
    table = by_kind(columns_of(RECORDS), RECORDS, needle_sets_asked(RECORDS))
    assert table.rows == (
        ("simulated", "lc", "multi-needle", 10.0, None, 1, 0, 1.0, *LC),
        ("simulated", "lc", "single", 1.0, None, 1, 0, 0.0, *LC),
        ("simulated", "lc", "unknown", 5.0, None, 1, 0, 0.0, *LC),
        # One pair each: 7 against 10 is lost, and lc's alone; 10 against 1 is won.
        ("simulated", "topk", "multi-needle", 7.0, None, 1, 0, 0.0, 1, 0, 1, 0.0),
        ("simulated", "topk", "single", 10.0, None, 1, 0, 1.0, 1, 1, 0, 1.0),
    )


def test_haystacks_and_needle_sets() -> None:
    columns = columns_of([*RECORDS[:2], trial("topk", None, haystack="starlight")])
    assert [(*row[:3], *row[5:]) for row in by_haystack(columns).rows] == [
        ("simulated", "lc", "essays", 1, 0, 1.0, *LC),
        ("simulated", "topk", "essays", 1, 0, 0.0, 1, 0, 1, 0.0),
        ("simulated", "topk", "starlight", 0, 1, None, 0, 0, 0, None),
    ]
    assert [row[2] for row in by_needle_set(columns_of(RECORDS)).rows] == [
        *("ferry-lanterns", "gone.yaml", "pizza-ingredients"),
        *("ferry-lanterns", "pizza-ingredients"),
    ]
