from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from niah.analysis.tables.table import Table, TableValue
from niah.plots.paper.latex_table import as_latex
from niah.plots.table_files import as_csv, as_markdown, write_tables
from niah.plots.table_words import format_value, heads_of, note_of, shown_row, words_in_row

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
        *((0.00012345, "0.00012"), (0.0000123, "0.000012"), (3.8e-29, "0.00")),
    ],
)
def test_numbers_for_people(value: TableValue, text: str) -> None:
    assert format_value(value) == text


def test_latex_is_a_table_of_booktabs_with_its_signs_escaped() -> None:
    lines = as_latex(TABLE).splitlines()
    assert lines[4] == r"  \label{tab:small}"
    assert lines[5] == r"  \begin{tabular}{lrr}"
    assert lines[7] == r"    reader & \shortstack[r]{wins\\or\\ties} & n \\"
    assert lines[9:12] == [
        r"    a\textbar{}b & 0.12 & 1,200 \\",
        r"    a\textbar{}b & -- & 3 \\",
        r"    c d \textless{}i\textgreater{} & 1.00 & -- \\",
    ]
    odd = as_latex(Table("t", "50 % of a_b & $c", ("reader",), (("x^{~}#\\",),)))
    assert r"\caption{50 \% of a\_b \& \$c}" in odd
    assert r"    x\textasciicircum{}\{\textasciitilde{}\}\#\textbackslash{} \\" in odd.splitlines()


WIDE = Table(
    "wide",
    "Wide",
    ("reader", "strategy", "length", *(f"a_number_{place}" for place in range(14)), "unknown"),
    tuple(("strong", "bm25/top-5/document", 1000 * row, *[12345.5] * 14, None) for row in (1, 2)),
    note="A note.",
)


def test_latex_wider_than_a_page_is_several_tables_with_the_names_in_each() -> None:
    text = as_latex(WIDE)
    assert re.findall(r"\\label{(.*)}", text) == ["tab:wide", "tab:wide-2"]
    shared = "Wide (reader strong · strategy bm25/top-5/document), part"
    assert re.findall(r"\\caption{(.*)}", text) == [f"{shared} 1 of 2", f"{shared} 2 of 2"]
    heads = [line.replace(r"\\", " ") for line in text.splitlines() if line.startswith("    length & ")]
    assert len(heads) == 2
    told = re.findall(r"a number (\d+)", " ".join(heads))
    assert told == [str(place) for place in range(14)]
    rows = [line for line in text.splitlines() if "12,345.50" in line]
    assert len(rows) == 4
    assert max(map(len, rows)) < 120
    assert text.count("A note.") == 1
    assert "unknown" not in text


def test_latex_breaks_long_names_before_it_parts_a_table() -> None:
    words = "context length over 2,048 to 8,192 tokens of either haystack"
    numbers = tuple(f"n_{place}" for place in range(8))
    text = as_latex(Table("t", "T", ("condition", *numbers), ((words, *[1234.5] * 8), ("none", *[1.0] * 8))))
    assert text.count(r"\begin{table}") == 1
    assert r"\begin{tabular}{p{94pt}rrrrrrrr}" in text


def test_every_file_is_written(tmp_path: Path) -> None:
    written = write_tables([TABLE], tmp_path / "tables")
    assert [path.name for path in written] == ["small.csv", "small.md", "small.tex"]
    assert written[0].read_bytes().decode() == as_csv(TABLE)
    assert written[1].read_text(encoding="utf-8") == as_markdown(TABLE)
    assert written[2].read_text(encoding="utf-8") == as_latex(TABLE)
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == [path.name for path in written]


def test_a_table_without_rows_has_its_head() -> None:
    empty = Table("t", "T", ("reader", "n"), ())
    assert as_markdown(empty).splitlines()[2:] == ["| reader | n |", "| --- | --- |"]


RATES = Table(
    "rates",
    "Rates",
    ("strategy", "win_rate", "low", "high", "not_paired", "potion lc"),
    (
        ("lc", 0.5, 0.0, 1.0, 1, 2),
        ("topk", 0.5, 0.4, 1.0, 1, 2),
        ("topk", 0.5, None, None, 1, 2),
        ("topk", None, None, None, 1, 2),
    ),
    note="not_paired: without lc's score.",
)


def test_people_read_words_and_files_keep_names() -> None:
    assert heads_of(RATES) == [
        "strategy",
        "wins or ties",
        "low",
        "high",
        "without a pair",
        "potion full context",
    ]
    assert note_of(RATES).startswith("without a pair: without lc's score.")
    assert as_csv(RATES).splitlines()[:2] == [
        "strategy,win_rate,low,high,not_paired,potion lc",
        "lc,0.5,0.0,1.0,1,2",
    ]
    assert "| full context | 0.50 | too few | too few | 1 | 2 |" in as_markdown(RATES)


def test_bands_and_signs_are_typeset_where_people_read_and_plain_in_csv() -> None:
    bands = Table("t", "T", ("reader", "length", "n"), (("a-1", "1-16k", 1), ("a-1", "all", 2)), "set × seed")
    assert "| a-1 | 1–16k | 1 |" in as_markdown(bands)
    assert r"    a-1 & 1--16k & 1 \\" in as_latex(bands)
    assert r"set $\times$ seed" in as_latex(bands)
    assert as_csv(bands).splitlines()[1] == "a-1,1-16k,1"


def test_an_interval_of_fewer_than_five_clusters_is_none_where_people_read() -> None:
    columns = ("reader", "mean", "n", "low", "high", "clusters", "low_other_sets", "high_other_sets", "sets")
    rows = (("a", 7.5, 9, 6.0, 8.0, 4, None, None, 1), ("b", 7.5, 9, 6.0, 8.0, 5, 4.0, 9.0, 2))
    table = Table("t", "T", columns, rows)
    few = ["too few", "too few"]
    assert [(shown_row(table, row)[3:5], shown_row(table, row)[6:8]) for row in rows] == [
        (few, few),
        (["6.00", "8.00"], few),
    ]
    assert as_csv(table).splitlines()[1] == "a,7.5,9,6.0,8.0,4,,,1"


def test_an_interval_that_is_the_whole_scale_is_none() -> None:
    """Nor is one that could not be told; where there is no estimate, there is nothing to tell."""
    assert [bool(words_in_row(RATES, row)) for row in RATES.rows] == [True, False, True, False]
    assert shown_row(RATES, RATES.rows[1])[2:4] == ["0.40", "1.00"]
    assert shown_row(RATES, RATES.rows[3])[1:4] == ["–", "–", "–"]
    assert "too few: of fewer than 5 clusters" in note_of(RATES)
    assert "too few" not in note_of(TABLE)


def test_an_interval_that_is_a_point_is_no_certainty() -> None:
    """Of lengths in tokens, which are whole numbers, one may be the lower end and the upper one."""
    columns = ("strategy", "difference", "low", "high", "clusters")
    rows = (
        ("a", 0.0, 0.0, 0.0, 6),
        ("b", 0.0, 0.0, 0.0, 2),
        ("c", 0.5, 0.25, 0.75, 6),
        ("d", 1, 4096, 4096, 6),
    )
    table = Table("t", "T", columns, rows)
    assert [shown_row(table, row)[2:4] for row in rows] == [
        ["all alike", "all alike"],
        ["too few", "too few"],
        ["0.25", "0.75"],
        ["4,096", "4,096"],
    ]
    assert "all alike: every cluster came to the same value" in note_of(table)
    assert "all alike" not in note_of(Table("t", "T", columns, rows[1:]))
    assert as_csv(table).splitlines()[1] == "a,0.0,0.0,0.0,6"


def test_latex_leaves_out_bounds_that_say_nothing_in_any_row_where_there_is_little_room() -> None:
    columns = ("strategy", *(f"a_number_of_{place}" for place in range(8)), "low", "high", "clusters")
    rows = tuple((name, *[1234.5] * 8, 1.0, 2.0, 3) for name in ("lc", "dos"))
    text = as_latex(Table("t", "T", columns, rows, "A note."))
    assert " & low & high" not in text
    assert "clusters" in text
    assert "Left out: low and high, too few in all rows. A note. too few: of fewer than 5" in text
    assert "Left out" not in as_latex(Table("t", "T", columns, (*rows, ("full", *[1.5] * 8, 1.0, 2.0, 6))))
    assert "too few & too few" in as_latex(
        Table("t", "T", ("strategy", *columns[-3:]), (("a", 1.0, 2.0, 3),))
    )
