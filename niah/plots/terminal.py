"""What commands print: heatmaps and summary of a run, retrieval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from niah.analysis.lengths import length_labels
from niah.analysis.table import Table
from niah.analysis.tables import retrieval_means, summary
from niah.cases.context import Context
from niah.plots.labels import (
    SHORT_OUTCOMES,
    amount_label,
    depth_label,
    duration_label,
    mean_label,
    money_label,
)
from niah.plots.theme import ink_on, palette
from niah.plots.words import best_retrieval, unmatched_chunk_lines
from niah.runs.retrieval import Retrieval, RetrievalRecord, in_part, retrieval_record
from niah.strategies.strategy import spoken

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import Console
    from rich.text import Text

_CELL = 6
_MOST_HEATMAPS = 4


def print_summary(frame: DataFrame, console: Console) -> None:
    """A block a model and a line a strategy: right answers first, then mean, interval, tokens, cost, time."""
    from rich.markup import escape
    from rich.table import Table as Grid

    rows = summary(frame)
    if rows.empty:
        console.print("no trials")
        return
    priced = rows["cost"].sum() > 0
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    grid.add_column("", overflow="fold")
    for name in ("right", "mean", "95 %", "tokens", *(["cost"] if priced else []), "time"):
        grid.add_column(name, justify="right", no_wrap=True)
    for reader, own in rows.groupby("reader", observed=True, sort=False):
        grid.add_row(f"[bold]{escape(str(reader))}[/]")
        for row in own.to_dict("records"):
            grid.add_row(
                "  " + escape(spoken(str(row["strategy"]))),
                f"{row['right']:,} of {row['n']:,}",
                f"[bold]{mean_label(row['mean'])}[/]" if row["n"] else "–",
                bounds(row["low"], row["high"]),
                amount_label(row["prompt_tokens"]),
                *([money_label(row["paid"])] if priced else []),
                duration_label(row["seconds"]),
            )
            if row["outcomes"]:
                grid.add_row(f"    [yellow]not scored: {row['outcomes']}[/]")
    console.print(grid, highlight=False)


def bounds(low: float | None, high: float | None) -> str:
    """An interval, "6.7–7.2"; "" where there is none, or all clusters are alike."""
    if low is None or high is None or not high - low > 1e-6:
        return ""
    return f"{mean_label(low)}–{mean_label(high)}"


def print_heatmaps(frame: DataFrame, console: Console) -> None:
    """Full context and the best retrieval by length and depth, as on the page; side by side where they fit.

    None where nobody looks (``console`` is no terminal), or where no question has a depth.
    """
    from rich.columns import Columns

    if not console.is_terminal:
        return
    texts = []
    for reader, own in frame[frame["depth"].notna()].groupby("reader", observed=True):
        shown = own[own["sends_context"] | (own["strategy"] == best_retrieval(own[own["scored"]]))]
        for (strategy, sets), cells in (shown if len(shown) else own).groupby(
            ["strategy", "sets"], observed=True
        ):
            words = {str(reader): frame["reader"], spoken(str(strategy)): None, str(sets): frame["sets"]}
            title = [word for word, column in words.items() if column is None or column.nunique() > 1]
            texts.append(heatmap_text(cells, " · ".join(title)))
    fitting = [text for text in texts if max(map(len, text.plain.splitlines())) <= console.width]
    if fitting:
        console.print(Columns(fitting[:_MOST_HEATMAPS], padding=(1, 3)))


def heatmap_text(frame: DataFrame, title: str) -> Text:
    """Depths down, lengths across, on the figures' colours; a cell with nothing scored says why."""
    from rich.text import Text

    lengths, depths = (sorted(set(frame[name].tolist())) for name in ("context_length", "depth"))
    margin = max(len(depth_label(depth)) for depth in depths) + 1
    text = Text(no_wrap=True)
    text.append(f"{title}\n", style="bold")
    text.append(" " * margin + "".join(f"{label:^{_CELL}}" for label in length_labels(lengths)), style="dim")
    cells = dict(list(frame.groupby(["depth", "context_length"])))
    shades = palette()
    for depth in depths:
        text.append(f"\n{depth_label(depth):>{margin - 1}} ", style="dim")
        for length in lengths:
            own = cells.get((depth, length))
            if own is None or not own["scored"].any():
                why = "" if own is None else SHORT_OUTCOMES.get(own["outcome"].mode().iloc[0], "")
                text.append(f"{why:^{_CELL}}", style="dim")
                continue
            mean = float(own["score"].mean())
            shade = shades[round((mean - 1) / 9 * (len(shades) - 1))]
            red, green, blue = (int(shade[at : at + 2], 16) / 255 for at in (1, 3, 5))
            ink = "bright_white" if ink_on((red, green, blue, 1.0)) == "#ffffff" else "black"
            text.append(f"{mean_label(mean):^{_CELL}}", style=f"{ink} on {shade}")
    return text


def mark_context(context: Context) -> str:
    """The context's text with its needles [[...]] and distractors ((...)), in colour where possible."""
    parts, at = [], 0
    marks = [(item, "[[", "]]", "green") for item in context.needles]
    marks += [(item, "((", "))", "yellow") for item in context.distractors]
    for item, left, right, colour in sorted(marks, key=lambda mark: mark[0].start):
        marked = click.style(f"{left}{item.text}{right}", fg=colour, bold=True)
        parts += [context.text[at : item.start], marked]
        at = item.end
    return "".join([*parts, context.text[at:]])


def print_retrieval(retrieval: Retrieval) -> None:
    """What a strategy sends of one case: its chunks by rank with what they hold, and each needle's fate."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    found, needles = retrieval_as_json(retrieval), retrieval.context.needles
    console = Console(highlight=False)
    console.print(f"question: {found['question']}\nstrategy: {found['definition']}\n", markup=False)
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for head in ("rank", "score", "tokens"):
        grid.add_column(head, justify="right", no_wrap=True)
    grid.add_column("holds", style="green")
    grid.add_column("begins", no_wrap=True)
    for chunk in sorted(found["chunks"], key=lambda chunk: chunk["rank"]):
        held = [f"[[{id}]]" for id in chunk["needles"]] + [f"(({id}))" for id in chunk["distractors"]]
        held += [f"[[{id} in part]]" for id in chunk["needles_in_part"]]
        place = f"{chunk['token_start']}-{chunk['token_end']}"
        begins = escape(" ".join(chunk["text"][:400].split()))
        grid.add_row(f"{chunk['rank']}", f"{chunk['score']:.4g}", place, escape(" ".join(held)), begins)
    if found["chunks"]:
        console.print(grid)
        ranks = " ".join(str(chunk["rank"]) for chunk in found["chunks"])
        console.print(f"\nin prompt order, by rank: {ranks}")
    else:
        console.print("the whole context" if retrieval.selection.text else "nothing, so no context at all")
    shares = {name: found[name] for name in ("completeness", "noise_ratio") if found[name] is not None}
    facts = [f"{name.replace('_', ' ')} {share:.2f}" for name, share in shares.items()]
    facts += [f"chunks {found['retrieved']} of {found['available']}"] if found["available"] else []
    console.print(" · ".join([*facts, f"tokens {found['context_tokens']:,} of {retrieval.context.tokens:,}"]))
    for needle, rank in zip(needles, found["needle_ranks"] or [None] * len(needles), strict=True):
        is_whole, is_part = (needle.id in ids for ids in (retrieval.found.whole, retrieval.found.in_part))
        fate = "whole, in no single chunk" if is_whole else "in part" if is_part else "not retrieved"
        console.print(f"needle {needle.id} at token {needle.token_start}: {f'rank {rank}' if rank else fate}")
    for line in unmatched_chunk_lines([retrieval_record(retrieval)]):
        console.print(line, markup=False)


def retrieval_as_json(retrieval: Retrieval) -> dict[str, Any]:
    """What a strategy sends of one case, for machines: the record, and the chunks in prompt order."""
    context = retrieval.context
    chunks = []
    for ranked in retrieval.selection.chunks:
        chunk = ranked.chunk
        near = [one.id for one in context.distractors if one.start < chunk.end and chunk.start < one.end]
        chunks.append(
            {"rank": ranked.rank, "score": ranked.score}
            | {name: getattr(chunk, name) for name in ("start", "end", "token_start", "token_end")}
            | {"text": context.text[chunk.start : chunk.end], "needles": ranked.needles}
            | {"needles_in_part": in_part(context.needles, ranked), "distractors": near}
        )
    question = {"question": retrieval.sample.key.question, "definition": retrieval.strategy.definition}
    return retrieval_record(retrieval).as_json() | question | {"chunks": chunks}


def show_progress(records: Iterable[RetrievalRecord], total: int) -> Iterator[RetrievalRecord]:
    """The records, with a bar on a terminal and ten lines elsewhere; both on stderr."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    hidden = not console.is_terminal
    tracked = track(records, "retrieving", total=total, console=console, transient=True, disable=hidden)
    for done, record in enumerate(tracked, start=1):
        if hidden and done % max(1, total // 10) == 0:
            click.echo(f"{done} of {total}: {record.case_id} {record.strategy}", err=True)
        yield record


def retrieval_tables(records: Sequence[RetrievalRecord]) -> list[Table]:
    """What each strategy retrieves, by context length and by number of needles; none without needles."""
    import pandas as pd

    frame = pd.DataFrame([asdict(record) for record in records])
    note = "completeness: mean share of needles retrieved whole; every_needle: share of cases with all."
    columns = {"context length": "context_length", "number of needles": "needles"}
    tables = (
        Table.of(f"by_{name.replace(' ', '_')}", f"Retrieval by {name}", retrieval_means(frame, column), note)
        for name, column in columns.items()
    )
    return list(tables) if (frame["needles"] > 0).any() else []


def print_retrieval_tables(records: Sequence[RetrievalRecord]) -> None:
    """Print these tables, and what is not in them."""
    from rich.console import Console

    from niah.plots.tables import print_table

    for table in retrieval_tables(records):
        print_table(table, Console())
    if left_out := len({record.case_id for record in records if not record.needles}):
        click.echo(f"{left_out} {'case' if left_out == 1 else 'cases'} without needles not in the tables.")
    for line in unmatched_chunk_lines(records):
        click.echo(line)


def retrieval_tables_as_json(records: Sequence[RetrievalRecord]) -> dict[str, Any]:
    """The rows of both tables for machines, and how many cases are in neither."""
    found: dict[str, Any] = {"by_context_length": [], "by_number_of_needles": []}
    for table in retrieval_tables(records):
        found[table.name] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return found | {"without_needles": len({record.case_id for record in records if not record.needles})}
