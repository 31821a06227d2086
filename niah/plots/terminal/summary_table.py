"""The summary as a table for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from niah.analysis.grouping import NOT_SCORED
from niah.analysis.tables.summary import SummaryRow
from niah.plots.kit.labels import amount_label, duration_label, mean_label, outcome_label
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

_GAP = 2
_INDENT = "  "
_LEAST_WIDTH = 20
"""Letters of a line that is wrapped; a terminal may say that it has none."""


def print_summary(rows: Sequence[SummaryRow], console: Console) -> None:
    """Print a block per reader and a line per strategy; it fits 80 columns.

    Below a line stand the outcomes other than scored, where there are any. A name too long for its column
    gets a line to itself; no name is cut. Cached tokens are left out where no endpoint reports them, and
    thoughts, which are of the answers' tokens, where there are none.
    """
    if not rows:
        console.print("no trials")
        return
    columns = _columns(rows)
    widths = {name: max(len(name), *map(len, cells)) for name, cells in columns.items()}
    room = console.width - sum(width + _GAP for width in widths.values())
    names = [_INDENT + spoken(row.strategy) for row in rows]
    name_width = min(room, max(*map(len, names), *(len(row.reader) for row in rows)))
    reader = None
    for index, row in enumerate(rows):
        if row.reader != reader:
            _print(_heading(row.reader, widths, name_width, first=reader is None), console)
            reader = row.reader
        values = {column: cells[index] for column, cells in columns.items()}
        _print(_line(names[index], values, widths, name_width), console)
        _print(_not_scored(row, console.width), console)


def _columns(rows: Sequence[SummaryRow]) -> dict[str, list[str]]:
    columns = {
        "score": ["–" if row.score is None else mean_label(row.score) for row in rows],
        "n": [f"{row.n:,}" if row.n == row.trials else f"{row.n:,}/{row.trials:,}" for row in rows],
        "prompt": [amount_label(row.prompt_tokens) for row in rows],
        "cached": [amount_label(row.cached_tokens) for row in rows],
        "answer": [amount_label(row.completion_tokens) for row in rows],
        "thinking": [amount_label(row.thinking_tokens) for row in rows],
        "time": [duration_label(row.seconds) for row in rows],
    }
    if all(row.cached_tokens is None for row in rows):
        del columns["cached"]
    if not any(row.thinking_tokens for row in rows):
        del columns["thinking"]
    return columns


def _heading(reader: str, widths: Mapping[str, int], name_width: int, *, first: bool) -> Iterator[Text]:
    """The reader's name; beside the first one, the names of the columns."""
    from rich.text import Text

    if not first:
        yield Text("")
    titles = _cells({name: name for name in widths}, widths) if first else Text("")
    titles.stylize("dim")
    yield from _beside(Text(reader, style="bold"), titles, name_width)


def _line(name: str, values: Mapping[str, str], widths: Mapping[str, int], name_width: int) -> Iterator[Text]:
    from rich.text import Text

    return _beside(Text(name), _cells(values, widths), name_width)


def _cells(values: Mapping[str, str], widths: Mapping[str, int]) -> Text:
    from rich.text import Text

    text = Text()
    for column, width in widths.items():
        text.append(" " * _GAP + f"{values[column]:>{width}}", style="bold" if column == "score" else "")
    return text


def _beside(name: Text, cells: Text, name_width: int) -> Iterator[Text]:
    from rich.text import Text

    if len(name) > name_width:
        yield name
        name = Text("")
    name.append(" " * (name_width - len(name)))
    yield name + cells


def _not_scored(row: SummaryRow, width: int) -> Iterator[Text]:
    from rich.text import Text

    counts = [f"{outcome_label(name)} {row.outcomes[name]:,}" for name in NOT_SCORED if row.outcomes[name]]
    if counts:
        for line in wrap("not scored: " + ", ".join(counts), max(_LEAST_WIDTH, width - 2 * len(_INDENT))):
            yield Text(2 * _INDENT + line, style="yellow")


def _print(lines: Iterator[Text], console: Console) -> None:
    for line in lines:
        line.rstrip()
        console.print(line, highlight=False, overflow="fold")
