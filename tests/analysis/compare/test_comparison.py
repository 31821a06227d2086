from __future__ import annotations

from dataclasses import replace

import pytest

from niah.analysis.compare.comparison import Unpaired, compare_pairs
from niah.analysis.compare.pairs import pair
from niah.analysis.compare.rows import Row
from niah.analysis.compare.tables import changes_table, difference, short_tables
from niah.analysis.compare.verdict import Limits, comparison_verdict, row_label
from niah.errors import UserError
from niah.plots.table_words import note_of, shown_row
from niah.runs.trial import TrialRecord
from tests.analysis.compare.simulated_nights import Nights, records_of

NIGHTS = Nights(sets=4, seeds=2, strategies=("lc", "mixpr"), failing=0)


def test_what_is_not_paired_is_counted_and_named() -> None:
    records = records_of(NIGHTS)
    rotated = [replace(each, seed=2026112201) for each in records if each.seed == 1]
    rotated = [replace(each, case_id=f"{each.case_id}-new") for each in rotated]
    candidate = [each for each in records if each.strategy != "mixpr"] + rotated
    found = compare_pairs(pair(records, candidate))
    assert found.pairs == 240
    assert found.scored_before == 480
    assert found.unpaired == (
        Unpaired("baseline", "strategy mixpr", 240),
        Unpaired("candidate", "rotating seeds", 120),
        Unpaired("candidate", "strategy mixpr", 120),
    )
    assert found.verdict.kind == "incomplete"
    assert found.verdict.gaps[0].startswith("240 of 480 trials (50%) that have a score in the baseline")


def test_rotating_seeds_are_not_missed() -> None:
    records = records_of(NIGHTS)
    rotating = [replace(each, seed=2026112201, case_id=f"{each.case_id}-r") for each in records[:50]]
    found = compare_pairs(pair([*records, *rotating], records))
    assert found.scored_before == len(records)
    assert [each.why for each in found.unpaired] == ["rotating seeds"]


def test_what_had_no_score_before_is_not_missed() -> None:
    records = [
        replace(each, outcome="truncated", score=None) if each.depth == 0 else each
        for each in records_of(NIGHTS)
    ]
    found = compare_pairs(pair(records, records))
    assert found.scored_before == found.rows[0].n < len(records)
    assert not any("have none in the candidate" in gap for gap in found.verdict.gaps)


def test_parts_are_named_unless_all_of_them_got_worse() -> None:
    nights = replace(NIGHTS, sets=6)
    before = records_of(nights)
    worse = [replace(each, score=1) if each.reader == "simulated-1" else each for each in before]
    assert [row_label(row) for row in compare_pairs(pair(before, worse)).verdict.regressions] == [
        "simulated-1"
    ]
    one = [replace(after, score=10) if after.strategy == "lc" else after for after in worse]
    named = compare_pairs(pair(before, one)).verdict.regressions
    assert [row_label(row) for row in named] == ["simulated-1 · mixpr"]


@pytest.mark.parametrize(
    ("lc", "mixpr", "named"),
    [
        ((60, -4.0), (60, -0.5), "simulated · full context"),  # the rest dropped by an eighth as much
        ((60, -4.0), (60, -2.0), "all"),  # the rest dropped by half as much: lc passed the test by luck
        ((12, -5.0), (108, -1.0), "all"),  # most of the change, 108 of 168 points, is not in lc
        ((60, -4.0), (60, 1.0), "simulated · full context"),
    ],
)
def test_a_part_is_named_where_the_rest_did_not_drop(
    lc: tuple[int, float], mixpr: tuple[int, float], named: str
) -> None:
    every = lc[0] + mixpr[0], (lc[0] * lc[1] + mixpr[0] * mixpr[1]) / (lc[0] + mixpr[0])
    rows = [
        _row({}, *every, 0.01),
        _row({"reader": "simulated", "strategy": "lc"}, *lc, 0.01),
        _row({"reader": "simulated", "strategy": "mixpr"}, *mixpr, 0.2),
    ]
    assert [row_label(row) for row in comparison_verdict(rows, every[0], Limits()).regressions] == [named]


def _row(parts: dict[str, str], n: int, difference: float, adjusted: float, seen_from: float = 1.0) -> Row:
    return Row(
        "score",
        parts,
        n,
        12,
        9.0,
        9.0 + difference,
        difference,
        None,
        None,
        adjusted,
        adjusted,
        None,
        0.0,
        seen_from,
        0,
        0,
        n,
    )


def test_a_strategy_that_cannot_drop_is_no_gap() -> None:
    records = [replace(each, score=1 if each.strategy == "mixpr" else 10) for each in records_of(NIGHTS)]
    verdict = compare_pairs(pair(records, records), limits=Limits(detectable=0.1)).verdict
    assert len(verdict.gaps) == 1
    assert verdict.gaps[0].startswith("With 8 clusters")
    assert [each.split(" (")[0] for each in verdict.unseen] == [
        "simulated-0 · full context",
        "simulated-1 · full context",
    ]


def test_a_reader_is_a_gap_only_where_nothing_of_it_can_be_said() -> None:
    """A drop of 1.5 is seen in a reader, from 1.1 on, and not in its strategies: a word, and no gap."""
    rows = [_row({"reader": "one"}, 60, 0.0, 1.0, seen_from=1.1)]
    rows += [
        _row({"reader": "one", "strategy": name}, 30, 0.0, 1.0, seen_from=2.25) for name in ("lc", "mixpr")
    ]
    verdict = comparison_verdict(rows, 60, Limits())
    assert (verdict.kind, verdict.gaps) == ("no regression", ())
    assert verdict.unseen == ("one · full context (from 2.2 on)", "one · mixpr (from 2.2 on)")
    rows[0] = replace(rows[0], detectable=1.6)
    assert comparison_verdict(rows, 60, Limits()).kind == "incomplete"
    rows[1] = replace(rows[1], detectable=1.4)
    assert comparison_verdict(rows, 60, Limits()).kind == "no regression"


def test_a_drop_that_shared_luck_hides_is_told_and_no_gap_unless_it_hides_most_of_all() -> None:
    """The reader's mean is 9.0, so that it can lose 8.0 points."""
    rows = [_row({"reader": "one"}, 60, 0.0, 1.0, seen_from=5.95)]
    rows += [
        _row({"reader": "one", "strategy": name}, 30, 0.0, 1.0, seen_from=6.25) for name in ("lc", "mixpr")
    ]
    assert comparison_verdict(rows, 60, Limits()).kind == "incomplete"
    verdict = comparison_verdict(rows, 60, Limits(), luck_is_known=True)
    assert (verdict.kind, verdict.gaps) == ("no regression", ())
    assert verdict.unseen == (
        "one · both strategies (from 6.0 on)",
        "one · full context (from 6.2 on)",
        "one · mixpr (from 6.2 on)",
    )
    for seen_from in (6.1, None):
        rows[0] = replace(rows[0], detectable=seen_from)
        verdict = comparison_verdict(rows, 60, Limits(), luck_is_known=True)
        assert (verdict.kind, len(verdict.gaps)) == ("incomplete", 1)
    assert comparison_verdict(rows, 60, Limits(), luck_is_known=True, nothing_changed=True).gaps == ()


def test_what_a_whole_column_lost_is_named_as_the_column() -> None:
    """Two strategies at three depths, 12 pairs each; what drops is told by which cells do."""
    depths, who = ("start", "middle", "end"), {"reader": "one"}
    cells = [{**who, "strategy": name, "depth": depth} for name in ("lc", "mixpr") for depth in depths]
    for struck, named in (
        ({"depth": "middle"}, ["one · middle"]),
        ({"strategy": "lc"}, ["one · full context"]),
        ({}, ["one"]),
        ({"strategy": "lc", "depth": "end"}, ["one · full context · end"]),
    ):
        rows = []
        for parts in (
            who,
            *({**who, "strategy": name} for name in ("lc", "mixpr")),
            *({**who, "depth": depth} for depth in depths),
            *cells,
        ):
            own = [cell for cell in cells if parts.items() <= cell.items()]
            hit = sum(struck.items() <= cell.items() for cell in own)
            drop = -3.0 * hit / len(own)
            rows.append(_row(parts, 12 * len(own), drop, 0.01 if hit else 1.0))
        assert [row_label(row) for row in comparison_verdict(rows, 72, Limits()).regressions] == named


def test_changes_are_told_with_intervals() -> None:
    before = [
        replace(each, error_type="correct", latency_s=1.0, prompt_tokens=100, cost=None)
        for each in records_of(NIGHTS)
    ]
    after = [
        replace(each, latency_s=1.5, error_type="missing_only" if each.depth == 0 else "correct")
        for each in before
    ]
    told = {
        (each.parts["reader"], each.quantity): each
        for each in compare_pairs(pair(before, after)).changes
        if each.parts["strategy"] == "lc"
    }
    latency = told["simulated-0", "latency in s"]
    assert (latency.n, latency.baseline, latency.candidate, latency.difference) == (120, 1, 1.5, 0.5)
    assert (latency.low, latency.high) == (0.5, 0.5)
    missing = told["simulated-0", "answers missing only"]
    assert missing.baseline == 0
    assert missing.candidate == pytest.approx(0.2)
    assert ("simulated-0", "cost in $") not in told
    assert ("simulated-0", "trials truncated") not in told


def test_of_few_clusters_no_interval_is_told_however_alike_the_answers_are() -> None:
    records = [replace(each, score=7) for each in records_of(replace(NIGHTS, sets=1))]
    found = compare_pairs(pair(records, records))
    short, changes = short_tables(found)[0], changes_table(found)
    assert found.rows[0].clusters == 2
    cells = shown_row(short, short.rows[0])
    assert [cells[short.columns.index(name)] for name in ("change", "low", "high")] == [
        "0.00",
        *["too few"] * 2,
    ]
    assert {row[-2:] for row in changes.rows} == {(None, None)}
    assert difference(found.rows[0]) == "+0.00"
    assert note_of(short).endswith(" an interval tells nothing.")
    # Nothing was tested, and neither the column nor its note is there.
    assert "seen from" not in note_of(short)
    assert "seen_from" not in short.columns
    many = records_of(NIGHTS)
    told = short_tables(compare_pairs(pair(many, many)))[0]
    assert "seen_from" in told.columns
    assert "seen from: the drop found in four nights of five" in note_of(told)
    assert note_of(told).endswith(".")


def test_two_readers() -> None:
    records = records_of(NIGHTS)
    first, second = ([each for each in records if each.reader == f"simulated-{at}"] for at in (0, 1))
    assert not pair(first, second).baseline
    assert len(pair(first, second, other_reader=True).baseline) == 240


def test_nothing_in_common() -> None:
    records = records_of(NIGHTS)
    with pytest.raises(UserError, match="no trial in common"):
        compare_pairs(pair(records[:10], records[10:]))


def given_records() -> list[TrialRecord]:
    """Six documents of five questions each."""
    return [
        TrialRecord(
            f"{document}-{question}",
            f"{document}/{question}",
            *(None, None, 1000 * document + question, None, None),
            *("lc", "simulated", 0, "scored", 10),
            origin="given",
            document_id=f"document-{document}",
        )
        for document in range(1, 7)
        for question in range(5)
    ]


def test_questions_over_given_documents_have_no_depth_and_cluster_by_document() -> None:
    before = given_records()
    after = [replace(each, score=1) for each in before]
    found = compare_pairs(pair(before, after))
    assert found.verdict.kind == "regression"
    assert (found.rows[0].clusters, found.rows[0].p) == (6, 1 / 64)
    assert {axis for row in found.rows for axis in row.parts} <= {"reader", "strategy", "length_band"}
    assert not compare_pairs(pair(before, after), by=("depth",)).rows[0].parts


def test_given_and_generated_questions_stand_in_one_table() -> None:
    before = [*given_records(), *(each for each in records_of(NIGHTS) if each.strategy == "lc")]
    rows = compare_pairs(pair(before, before), by=("depth", "question_set")).rows
    counts = {tuple(row.parts.values()): row.n for row in rows if row.measure == "score"}
    assert counts == {(): 270, ("start",): 96, ("middle",): 48, ("end",): 96, ("no depth",): 30}
