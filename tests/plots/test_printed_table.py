"""Tables in terminals of several widths: no number is cut and no word torn."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from niah.analysis.tables.table import Table, TableValue
from niah.plots.printed_table import print_table


def printed(columns: tuple[str, ...], *rows: tuple[TableValue, ...], width: int = 80) -> list[str]:
    """The lines of a table, without its title."""
    console = Console(width=width, file=io.StringIO(), force_terminal=False)
    print_table(Table("t", "T", columns, rows), console)
    lines: list[str] = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert max(map(len, lines)) <= width
    assert lines == [line.rstrip() for line in lines]
    return lines[1:]


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
        "T simulated · full context known without context 0 1,234,560, known without context 1 1,234,561,"
    )
    assert text.endswith("known without context 6 1,234,566")
    assert "…" not in text


def test_names_are_broken_between_words_alone() -> None:
    lines = printed(("reader", "why", "n"), ("openai/gpt-4o", "not retrieved at all", 12), width=30)
    assert lines == [
        "reader         why           n",
        "openai/gpt-4o  not          12",
        "               retrieved",
        "               at all",
    ]


def test_what_all_rows_share_stands_above_and_what_nobody_knows_is_left_out() -> None:
    rows = [("nightly", day, "simulated", None, score) for day, score in (("one", 9.5), ("two", 8.0))]
    columns = ("run", "night", "reader", "drop", "mean")
    assert printed(columns, *rows, width=40)[1] == "nightly  one    simulated     –  9.50"
    assert printed(columns, *rows, width=30) == [
        "run nightly · reader simulated",
        "night  mean",
        "one    9.50",
        "two    8.00",
    ]


def test_rows_that_begin_alike_are_grouped_below_their_names() -> None:
    rows = [
        (reader, strategy, 100, 7.5)
        for reader in ("anthropic/claude", "vllm/a-model")
        for strategy in ("full context", "topk")
    ]
    assert printed(("reader", "strategy", "n", "mean"), *rows, width=26) == [
        "anthropic/claude",
        "strategy        n  mean",
        "full context  100  7.50",
        "topk          100  7.50",
        "vllm/a-model",
        "full context  100  7.50",
        "topk          100  7.50",
    ]


def test_numbers_stand_under_their_heads_beside_names_or_below_long_ones() -> None:
    rows = [
        ("full context", "start", 8.5, -1.25, None),
        ("a-strategy-of-a-long-name", "middle", 10.0, 0.0, 0.5),
        ("another-of-a-long-name", "end", None, None, None),
    ]
    assert printed(("strategy", "depth", "mean", "change", "seen_from"), *rows, width=42) == [
        "                                      seen",
        "                        mean  change  from",
        "full context · start    8.50   -1.25     –",
        "a-strategy-of-a-long-name · middle",
        "                       10.00    0.00  0.50",
        "another-of-a-long-name · end",
    ]


@pytest.mark.parametrize("width", [12, 20, 40, 60, 80, 200])
def test_every_number_is_whole_at_every_width(width: int) -> None:
    rows = [(f"reader-{place}", "lc", 1234567 + place, 0.25) for place in range(3)]
    text = " ".join(printed(("reader", "strategy", "tokens", "share"), *rows, width=width))
    assert all(f"{1234567 + place:,}" in text for place in range(3))
    assert text.count("0.25") == 3


def test_text_behind_numbers_stands_under_its_head_and_is_no_name() -> None:
    rows = [("a-strategy-of-a-long-name", "start", 8.5, "0/71/37"), ("another", "end", 1.0, "1/2/3")]
    columns = ("strategy", "depth", "mean", "better_same_worse")
    lines = printed(columns, *rows, width=36)
    assert "a-strategy-of-a-long-name · start" in lines
    assert not any("· 0/71/37" in line for line in lines)
    assert any(line.split() == ["8.50", "0/71/37"] for line in lines)


def test_a_name_above_a_group_has_its_head_unless_it_is_the_first_column() -> None:
    rows = [("one", until, what, 7.5) for until in ("2026-11-05", "2026-11-06") for what in ("gap", "break")]
    lines = printed(("date", "until", "what", "mean"), *rows, width=20)
    assert lines[0] == "date one"
    assert [line for line in lines if "2026" in line] == ["until 2026-11-05", "until 2026-11-06"]


def test_money_of_less_than_a_dollar_keeps_three_digits() -> None:
    rows = (("cost in $", 0.02357), ("paid in $", 12.3456), ("latency in s", 0.02357))
    lines = printed(("quantity", "total"), *rows)
    assert [line.split()[-1] for line in lines[1:]] == ["0.0236", "12.35", "0.02"]


def test_a_measured_nothing_is_said_where_a_count_of_none_is_not() -> None:
    columns = ("reader", "strategy", "self_doubt", "before", "after", "change")
    lines = printed(columns, ("prod", "lc", 0, 0.43, 0.0, -0.43), width=20)
    assert " ".join(lines[-2:]).split() == ["before", "0.43,", "after", "0.00,", "change", "-0.43"]
