from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from rich.console import Console

from niah.analysis.tables.table import Table, TableValue
from niah.plots.table_files import as_csv, as_markdown, format_value, print_table, write_tables

TABLE = Table(
    name="small",
    title="Small",
    columns=("reader", "win_rate", "n"),
    rows=(("a|b", 0.123456, 1200), ("a|b", None, 3), ("c\nd <i>", 1.0, None)),
    note="Read *this*.",
)


def test_csv_keeps_numbers_whole_and_gaps_empty() -> None:
    assert list(csv.reader(io.StringIO(as_csv(TABLE)))) == [
        ["reader", "win_rate", "n"],
        ["a|b", "0.123456", "1200"],
        ["a|b", "", "3"],
        ["c\nd <i>", "1.0", ""],
    ]


def test_markdown_is_one_line_a_row() -> None:
    assert as_markdown(TABLE).splitlines() == [
        "## Small",
        "",
        "| reader | wins or ties | n |",
        "| --- | ---: | ---: |",
        r"| a\|b | 0.12 | 1,200 |",
        r"| a\|b | – | 3 |",
        r"| c d \<i> | 1.00 | – |",
        "",
        r"Read \*this\*.",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((None, "–"), (True, "yes"), (False, "no"), ("a", "a"), (0, "0"), (-1234567, "-1,234,567")),
        *((0.0, "0.00"), (9.996, "10.00"), (1234.5, "1,234.50"), (0.0123, "0.01"), (-0.5, "-0.50")),
        *((0.00012345, "0.00012"), (0.0000123, "1.2e-05"), (3.8e-29, "0.00")),
    ],
)
def test_numbers_for_people(value: TableValue, text: str) -> None:
    assert format_value(value) == text


def test_both_files_are_written(tmp_path: Path) -> None:
    written = write_tables([TABLE], tmp_path / "tables")
    assert [path.name for path in written] == ["small.csv", "small.md"]
    assert written[0].read_bytes().decode() == as_csv(TABLE)
    assert written[1].read_text(encoding="utf-8") == as_markdown(TABLE)
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == ["small.csv", "small.md"]


def test_a_terminal_says_a_name_once_and_cuts_nothing() -> None:
    long = "provider/some-model-with-a-very-long-name"
    table = Table("t", "T", ("reader", "win_rate"), ((long, 0.5), (long, 0.25), ("[b]", 0.75)))
    console = Console(width=24, file=io.StringIO(), force_terminal=False)
    print_table(table, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    letters = "".join(text.split())
    assert letters.count("very") == 1
    assert all(number in text for number in ("0.50", "0.25", "0.75"))
    assert "[b]" in text
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 24


def test_a_table_too_wide_for_its_names_is_printed_row_by_row() -> None:
    columns = ("reader", "strategy", *(f"known_without_context_{place}" for place in range(9)))
    table = Table("t", "T", columns, (("simulated", "lc", *range(1234560, 1234567), 0, None),))
    console = Console(width=80, file=io.StringIO(), force_terminal=False)
    print_table(table, console)
    text = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert text.startswith(
        "T simulated · lc known without context 0 1,234,560, known without context 1 1,234,561,"
    )
    assert text.endswith("known without context 6 1,234,566")
    assert "…" not in text


def test_a_table_without_rows_has_its_head() -> None:
    empty = Table("t", "T", ("reader", "n"), ())
    assert as_markdown(empty).splitlines()[2:] == ["| reader | n |", "| --- | --- |"]
