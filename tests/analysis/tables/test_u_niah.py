"""u-niah's tables in the paper's arrangement, worked out by hand."""

from __future__ import annotations

from typing import Any

from niah.analysis.frame import trial_frame
from niah.analysis.tables.registry import report_tables
from niah.analysis.tables.table import Table
from niah.readers.reader import ReaderTraits
from niah.runs.trial import TrialRecord
from tests.analysis.small_trials import at, near, samples_of_cases, trial

SHORT, LONG = at(16_000), at(20_000)
NESTED = at(16_000, needle_set="needle-in-needle")


def tables(*records: TrialRecord, sizes: dict[str, float] | None = None) -> dict[str, Table]:
    samples = samples_of_cases(records)
    frame = trial_frame(records, samples, {name: ReaderTraits(size) for name, size in (sizes or {}).items()})
    return {table.name: table for table in report_tables(frame, samples)}


def cells(table: Table, *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(row[table.columns.index(name)] for name in columns) for row in table.rows]


def rag(score: float, *, strategy: str = "topk", **changes: Any) -> TrialRecord:
    return trial(strategy, score, **({"retrieval_completeness": 1.0, "noise_ratio": 0.2} | changes))


def test_table_1_has_both_sides_of_every_plain_needle_set() -> None:
    found = tables(
        *(trial("lc", score, case=SHORT, repeat=n) for n, score in enumerate((10, 7, 7))),
        rag(10, case=SHORT),
        trial("lc", None, case=at(16_000, needle_set="rainbow-potion")),
        rag(5, case=at(16_000, needle_set="rainbow-potion")),
        trial("lc", 3, case=NESTED),
    )["u-niah-table-1"]
    # (10 + 7 + 7) / 3 = 8, deviations 2, -1 and -1: the root of 6 / 2. Fewer elements come first.
    assert found.columns == (
        *("reader", "haystack", "band", "rag", "pizza-ingredients lc", "pizza-ingredients rag"),
        *("rainbow-potion lc", "rainbow-potion rag"),
    )
    assert found.rows == (("simulated", "essays", "1-16k", "topk", "8.0±1.7", "10.0", None, "5.0"),)


def test_chunks_by_lot_or_from_one_end_are_no_rag() -> None:
    found = tables(
        *(trial("lc", 10, case=case) for case in (SHORT, NESTED)),
        *(
            rag(1, case=case, strategy=f"{retriever}/top-5/norm")
            for case in (SHORT, NESTED)
            for retriever in ("first", "last", "random")
        ),
        *(rag(7, case=case, strategy=name) for case in (SHORT, NESTED) for name in ("topk", "topk-rev")),
    )
    assert cells(found["u-niah-table-1"], "rag", "pizza-ingredients rag") == [("topk", "7.0")]
    assert cells(found["u-niah-table-2"], "topk", "norm", "n") == [(7.0, 7.0, 2)]
    assert cells(found["u-niah-table-4"], "rag", "simulated rag") == [("topk", "7.0")]
    assert {row[2] for row in found["u-niah-win-rates"].rows} == {"topk"}


def test_table_2_averages_scopes_over_orders_and_orders_over_scopes() -> None:
    found = tables(
        *(rag(score, case=LONG, strategy=name) for name, score in (("topk", 10), ("topk-rev", 7))),
        *(rag(score, case=LONG, strategy=name) for name, score in (("half", 7), ("half-rev", 3))),
        trial("dos", 1, case=LONG),
        rag(1, case=LONG, strategy="topk+noise-0.9"),
    )["u-niah-table-2"]
    assert cells(found, "needle_set", "band", "topk", "half", "full", "norm", "reverse", "n") == [
        ("pizza-ingredients", "16-32k", 8.5, 5.0, None, 8.5, 5.0, 4)
    ]
    assert cells(found, "printed_topk", "printed_reverse") == [(9.77, 8.10)]


def test_table_3_counts_under_the_papers_own_conditions() -> None:
    records = [
        # Noise: above 44 % two of three answers miss a third, below it one of six.
        *(rag(7, case=SHORT, noise_ratio=0.5, missing=("a",), repeat=n) for n in (1, 2)),
        rag(7, case=SHORT, missing=("a",), repeat=3),
        rag(10, case=SHORT, repeat=4),
        # Up to 16k, reverse order: two thirds missing; norm order: three of four answers miss a third.
        rag(3, case=SHORT, strategy="topk-rev", missing=("a", "b"), retrieval_completeness=0.5),
        # Above 97 % of noise, every answer invents; below, every second one.
        rag(7, case=LONG, strategy="full", noise_ratio=0.98, wrong=("spinach",)),
        rag(7, case=LONG, strategy="full", wrong=("spinach",), repeat=2),
        rag(10, case=LONG, strategy="full", repeat=3),
        # A doubt about a complete answer; the other one is only wrong.
        rag(10, case=LONG, strategy="full-rev", self_doubt=True),
        rag(7, case=LONG, strategy="full-rev", self_doubt=True, wrong=("spinach",), repeat=2),
    ]
    found = tables(*records)["u-niah-table-3"]
    # Cases and strategies: topk and full at both lengths and in both orders; one of four is incomplete.
    assert cells(found, "pattern", "printed", "same_condition") == [
        ("retrieval bottleneck", 10.18, 25.0),
        ("noise distraction", 33.53, near(100 * ((2 / 9) / (1 / 18) - 1))),
        ("noise critical", 355.82, near(100 * (1 / (2 / 4) - 1))),
        ("position sensitivity", 59.64, near(100 * (2 / 3 / (1 / 4) - 1))),
        ("self-consistency", 11.3, 50.0),
    ]


def test_small_readers_are_those_below_the_middle_of_the_sizes() -> None:
    doubting: dict[str, Any] = {"strategy": "topk-rev", "case": LONG, "self_doubt": True}
    records = [
        *(rag(10, reader="openai/qwen2.5-7b", repeat=n, **doubting) for n in (1, 2)),
        rag(10, reader="qwen2.5-72b", repeat=1, **doubting),
        rag(10, reader="qwen2.5-72b", repeat=2, **(doubting | {"self_doubt": False})),
    ]
    known = tables(*records, sizes={"openai/qwen2.5-7b": 7, "qwen2.5-72b": 72})
    assert cells(known["u-niah-table-3"], "pattern", "same_condition")[-1] == ("self-consistency", 100.0)
    assert ("self-doubt of smaller models against larger, more by %", 377.0, near(100.0)) in cells(
        known["u-niah-findings"], "finding", "printed", "ours"
    )
    assert cells(tables(*records)["u-niah-table-3"], "same_condition")[-1] == (75.0,)


def test_table_4_has_readers_side_by_side() -> None:
    found = tables(
        trial("lc", 7, case=NESTED, reader="a"),
        rag(10, case=NESTED, reader="a"),
        rag(5, case=NESTED, reader="b"),
    )["u-niah-table-4"]
    assert found.columns[3:] == ("a lc", "a rag", "b lc", "b rag")
    assert found.rows == (("essays", "1-16k", "topk", "7.0", "10.0", None, "5.0"),)


def test_win_rates_are_pooled_and_also_each_set_alike() -> None:
    potion = at(16_000, needle_set="rainbow-potion")
    found = tables(
        # Three pairs of one set, all won; one of the other, lost: 75 % pooled, 50 % with sets alike.
        *(trial("lc", 7, case=SHORT, repeat=n) for n in range(3)),
        *(rag(7, case=SHORT, repeat=n) for n in range(3)),
        trial("lc", 10, case=potion),
        rag(7, case=potion),
        trial("lc", 10, case=NESTED),
        rag(10, case=NESTED),
    )["u-niah-win-rates"]
    assert cells(found, "needles", "part", "printed", "pooled", "mean_of_sets", "pairs") == [
        ("plain", "all", 82.58, 75.0, 50.0, 4),
        ("plain", "1-16k", None, 75.0, 50.0, 4),
        ("nested", "all", 70.0, 100.0, 100.0, 1),
        ("nested", "1-16k", 57.4, 100.0, 100.0, 1),
    ]


def test_single_numbers_of_the_text_stand_beside_the_runs() -> None:
    records = [
        rag(10, case=SHORT, reader="openai/qwen2.5-7b"),
        rag(5, case=SHORT, reader="openai/qwen2.5-7b", strategy="topk-rev", missing=("a", "b")),
        rag(7, case=SHORT, reader="openai/qwen2.5-7b", strategy="topk-rev", repeat=1, wrong=("spinach",)),
    ]
    told = {
        row[:2]: row[2:]
        for row in cells(tables(*records)["u-niah-findings"], "finding", "needle_set", "printed", "ours", "n")
    }
    assert told["mean score of RAG", None] == (9.04, 10.0, 1)
    assert told["change of score from norm to reverse %", None] == (-10.75, near(-40.0), 3)
    assert told["retrieval completeness %", "pizza-ingredients"] == (99.03, 100.0, 2)
    assert told["share of errors with a hallucination %", "pizza-ingredients"] == (51.0, 50.0, 2)


def test_a_run_without_retrieval_has_none_of_them_but_what_the_whole_context_scores() -> None:
    found = tables(trial("lc", 10, case=SHORT))
    assert [name for name in found if name.startswith("u-niah")] == ["u-niah-findings"]


def test_a_retriever_under_a_name_of_ones_own_is_what_its_run_file_says() -> None:
    found = tables(
        *(trial("lc", 10, case=case) for case in (SHORT, NESTED)),
        *(
            rag(score, case=case, strategy=name, definition=f"py:my_rag:find/top-5/{order}")
            for case in (SHORT, NESTED)
            for name, order, score in (("mine", "norm", 7), ("mine-last", "reverse", 3))
        ),
    )
    assert cells(found["u-niah-table-1"], "rag", "pizza-ingredients rag") == [("mine", "7.0")]
    assert cells(found["u-niah-table-2"], "topk", "norm", "reverse", "n") == [(5.0, 7.0, 3.0, 2)]
    assert cells(found["u-niah-table-4"], "rag", "simulated rag") == [("mine", "7.0")]
