from __future__ import annotations

from itertools import product
from random import Random

from niah.analysis.frame import trial_frame
from niah.analysis.patterns import find_patterns, pattern_table
from niah.analysis.tables.registry import TABLES, TableData, made_table, report_tables
from niah.analysis.tables.table import Table
from niah.analysis.trial_columns import trial_columns
from niah.reference.numbers import published
from niah.runs.trial import TrialRecord
from tests.analysis.simulated_trials import ALL, World, simulate
from tests.analysis.small_trials import at, samples_of_cases, trial


def named(records: list[TrialRecord]) -> dict[str, Table]:
    return {table.name: table for table in tables(records)}


def tables(records: list[TrialRecord], paper: str | None = None) -> list[Table]:
    samples = samples_of_cases(records)
    return report_tables(trial_frame(records, samples), samples, paper)


def test_a_run_without_retrieval_has_no_tables_of_pairs() -> None:
    found = named([trial("lc", 10), trial("lc", 1, repeat=1)])
    assert {"scores-by-length", "scores-by-kind", "outcomes", "resources"} <= found.keys()
    assert not {"win-rates", "win-lose", "question-words", "judge-agreement", "beside-papers"} & found.keys()


def test_every_table_that_has_something_to_say_is_there() -> None:
    two = {"rubric": 10, "gpt": 7}
    records = [
        trial("lc", 10, reader="gpt-4o", judge_scores=two),
        trial("topk", 5, reader="gpt-4o", wrong=("spinach",), judge_scores=two),
    ]
    found = named(records)
    assert {
        *("scores-by-length", "scores-by-needle-set-and-length", "win-rates", "win-lose", "scores-by-kind"),
        *("scores-by-haystack", "scores-by-needle-set", "question-words", "distractors-chosen", "causes"),
        *("judge-agreement", "outcomes", "resources", "beside-papers"),
    } <= found.keys()
    for table in found.values():
        assert table.note
        assert {len(row) for row in table.rows} == {len(table.columns)}


def test_plain_columns_make_the_tables_that_a_frame_makes() -> None:
    two = {"rubric": 10, "gpt": 7}
    records = [
        trial(strategy, score, case=at(length), repeat=repeat, reader=reader, wrong=wrong, judge_scores=two)
        for reader, length, repeat in product(("gpt-4o", "gpt-4"), (1000, 2000), range(2))
        for strategy, score, wrong in (
            ("lc", 5 + repeat, ("spinach",)),
            ("topk", 10, ()),
            ("closed-book", 10, ()),
        )
    ]
    samples = samples_of_cases(records)
    plain = TableData(trial_columns(records, samples), samples, published(None))
    framed = TableData(trial_frame(records, samples), samples, published(None))
    made = {name: made_table(name, plain) for name in TABLES.own}
    assert made == {name: made_table(name, framed) for name in TABLES.own}
    told = {name for name, table in made.items() if table and table.rows}
    assert {"win-rates", "known-without-context", "judge-agreement", "beside-papers", "mean-scores"} <= told


def test_one_paper_can_be_asked_for() -> None:
    records = [trial("lc", 10, reader="gpt-4o")]
    found = {}
    for name in (None, "u-niah", "mixture-of-pageranks"):
        beside = [table for table in tables(records, name) if table.name == "beside-papers"]
        found[name] = {row[0] for table in beside for row in table.rows}
    assert found == {None: {"u-niah"}, "u-niah": {"u-niah"}, "mixture-of-pageranks": set()}


def test_no_records_no_tables() -> None:
    assert tables([]) == []


def test_the_order_of_records_changes_nothing() -> None:
    records = simulate(ALL, World(sets=("pizza",), seeds=3, readers=("simulated-small",)), seed=1)
    shuffled = list(records)
    Random(1).shuffle(shuffled)
    # Patterns and resampled intervals draw by the clusters' order of appearance.
    drawn = {"error-patterns", "win-rates"}
    one, other = (
        {table.name: table for table in report_tables(trial_frame(order), {}) if table.name not in drawn}
        for order in (records, shuffled)
    )
    assert one.keys() == other.keys()
    for name in ("scores-by-haystack", "win-lose", "outcomes"):
        for row, same in zip(one[name].rows, other[name].rows, strict=True):
            assert [_rounded(value) for value in row] == [_rounded(value) for value in same]


def test_patterns_are_told_as_they_were_found() -> None:
    frame = trial_frame(simulate(ALL, World(sets=("pizza", "potion"), seeds=4), seed=1))
    patterns = [pattern for pattern in find_patterns(frame) if pattern.effect is not None]
    table = pattern_table(patterns)
    told = ("pattern", "condition", "threshold", "threshold_low", "threshold_high", "answer", "effect")
    places = [table.columns.index(name) for name in told]
    assert [tuple(row[place] for place in places) for row in table.rows] == [
        (p.name, p.condition, p.threshold, p.threshold_low, p.threshold_high, p.answer, p.effect)
        for p in patterns
    ]
    assert any(p.threshold_low is not None for p in patterns)
    assert len({len(row) for row in table.rows} | {len(table.columns)}) == 1


def _rounded(value: object) -> object:
    return round(value, 9) if isinstance(value, float) else value
