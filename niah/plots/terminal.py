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
from niah.strategies.select import RankedChunk
from niah.strategies.strategy import spoken, strategy_of

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
    """What a strategy sends of one case: its chunks by rank with the needles they hold, and the facts."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table as Grid

    context, chunks = retrieval.context, retrieval.selection.chunks
    console = Console(highlight=False)
    console.print(f"question: {retrieval.sample.key.question}", markup=False)
    console.print(f"strategy: {retrieval.strategy.definition}\n", markup=False)
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    for head in ("rank", "score", "tokens", "holds", "begins"):
        left = head in ("holds", "begins")
        grid.add_column(
            head, justify="left" if left else "right", no_wrap=head != "holds", ratio=left or None
        )
    for ranked in sorted(chunks, key=lambda ranked: ranked.rank):
        chunk = ranked.chunk
        tokens = f"{chunk.token_start}-{chunk.token_end}"
        begins = " ".join(context.text[chunk.start : chunk.end].split())[:200]
        held = escape(", ".join(_holds(ranked, context)))
        grid.add_row(f"{ranked.rank}", f"{ranked.score:.4g}", tokens, f"[green]{held}[/]", escape(begins))
    if chunks:
        console.print(grid)
        console.print("\nin prompt order, by rank: " + " ".join(str(each.rank) for each in chunks))
    else:
        console.print("the whole context" if retrieval.selection.text else "nothing, so no context at all")
    for line in _retrieval_facts(retrieval):
        console.print(line, markup=False)


def _holds(ranked: RankedChunk, context: Context) -> list[str]:
    """The needles and distractors of which a chunk holds something, marked as in ``mark_context``."""
    needles = [*ranked.needles, *(f"{id} in part" for id in in_part(context.needles, ranked))]
    return [f"[[{id}]]" for id in needles] + [f"(({id}))" for id in _distractors(ranked, context)]


def _distractors(ranked: RankedChunk, context: Context) -> list[str]:
    chunk = ranked.chunk
    return [item.id for item in context.distractors if item.start < chunk.end and chunk.start < item.end]


def _retrieval_facts(retrieval: Retrieval) -> Iterator[str]:
    """Completeness, noise, chunks, tokens, and what became of each needle."""
    context, record = retrieval.context, retrieval_record(retrieval)
    if record.completeness is None:
        yield "\ncompleteness –: the case has no needles"
    else:
        whole = f"{len(retrieval.found.whole)} of {record.needles} needles whole"
        yield f"\ncompleteness {record.completeness:.2f}: {whole}"
    if record.noise_ratio is not None:
        added = f", {record.noise_added} chunks of it added" if record.noise_added else ""
        yield f"noise ratio {record.noise_ratio:.2f}{added}"
    if record.available:
        yield f"chunks {record.retrieved} of {record.available}"
    yield f"tokens {record.context_tokens:,} of the context's {context.tokens:,}"
    yield from (*_unmet_noise([record]), *unmatched_chunk_lines([record]))
    ranks = record.needle_ranks or (None,) * len(context.needles)
    for needle, rank in zip(context.needles, ranks, strict=True):
        fate = "not retrieved"
        if rank is not None:
            fate = f"rank {rank}"
        elif needle.id in retrieval.found.whole:
            fate = "whole, but across chunks" if record.available else "in the context"
        elif needle.id in retrieval.found.in_part:
            fate = "in part"
        yield f"needle {needle.id} at token {needle.token_start}: {fate}"


def retrieval_as_json(retrieval: Retrieval) -> dict[str, Any]:
    """What a strategy sends of one case, for machines: the record, and the chunks in prompt order."""
    context = retrieval.context
    chunks = [
        {"rank": ranked.rank, "score": ranked.score}
        | {name: getattr(ranked.chunk, name) for name in ("start", "end", "token_start", "token_end")}
        | {"text": context.text[ranked.chunk.start : ranked.chunk.end], "needles": ranked.needles}
        | {"needles_in_part": in_part(context.needles, ranked)}
        | {"distractors": _distractors(ranked, context)}
        for ranked in retrieval.selection.chunks
    ]
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
    """What each strategy retrieves, by context length and by number of needles."""
    import pandas as pd

    frame = pd.DataFrame([asdict(record) for record in records])
    if not (frame["needles"] > 0).any():
        return []
    note = "completeness: mean share of needles retrieved whole; every_needle: share of cases with all."
    columns = {"context length": "context_length", "number of needles": "needles"}
    return [
        Table.of(f"retrieval-by-{name}", f"Retrieval by {name}", retrieval_means(frame, column), note)
        for name, column in columns.items()
    ]


def print_retrieval_tables(records: Sequence[RetrievalRecord]) -> None:
    """Print these tables, and what is not in them."""
    from rich.console import Console

    from niah.plots.tables import print_table

    for table in retrieval_tables(records):
        print_table(table, Console())
    if left_out := len({record.case_id for record in records if not record.needles}):
        click.echo(f"{left_out} {'case' if left_out == 1 else 'cases'} without needles not in the tables.")
    for line in (*_unmet_noise(records), *unmatched_chunk_lines(records)):
        click.echo(line)


def retrieval_tables_as_json(records: Sequence[RetrievalRecord]) -> dict[str, Any]:
    """The rows of both tables for machines, and how many cases are in neither."""
    found: dict[str, Any] = {"by_context_length": [], "by_number_of_needles": []}
    for table in retrieval_tables(records):
        name = table.name.removeprefix("retrieval-").replace("-", "_").replace(" ", "_")
        found[name] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return found | {"without_needles": len({record.case_id for record in records if not record.needles})}


def _unmet_noise(records: Sequence[RetrievalRecord]) -> Iterator[str]:
    """A line for each strategy whose cases have less noise than it asks for."""
    for name in dict.fromkeys(record.strategy for record in records):
        if (asked := strategy_of(name).noise) is None:
            continue
        ratios = [each.noise_ratio for each in records if each.strategy == name and each.needles]
        known = [ratio for ratio in ratios if ratio is not None]
        if below := sum(ratio < asked for ratio in known):
            yield f"{name}: noise below {asked:g} in {below} of {len(known)} cases: no more such chunks."
