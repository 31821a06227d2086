"""Lines of a verdict keep their indent where a terminal is narrow."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from niah.plots.terminal.wrapped_lines import print_lines


def printed(width: int, *lines: str) -> list[str]:
    text = StringIO()
    print_lines(lines, Console(file=text, width=width))
    return text.getvalue().splitlines()


def test_what_fits_stays_a_line() -> None:
    assert printed(40, "against last night: regression", "  worse: [bold] 1/2") == [
        "  against last night: regression",
        "    worse: [bold] 1/2",
    ]


def test_what_does_not_fit_goes_on_below_its_beginning() -> None:
    assert printed(20, "one two three four five", "  six seven eight nine") == [
        "  one two three",
        "    four five",
        "    six seven",
        "      eight nine",
    ]
