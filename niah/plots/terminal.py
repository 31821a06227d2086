"""What commands print: heatmaps and summary of a run, retrieval."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from niah.analysis.lengths import length_labels
from niah.analysis.table import Table
from niah.analysis.tables import retrieval_means, summary
from niah.cases.context import Context, Placed
from niah.plots.labels import (
    SHORT_OUTCOMES,
    amount_label,
    depth_label,
    duration_label,
    mean_label,
    money_label,
)
from niah.plots.theme import ink_on, palette
from niah.plots.words import unmatched_chunk_lines
from niah.runs.retrieval import Retrieval, RetrievalRecord, element_recall, in_part, retrieval_record
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
    grid = Grid(box=None, pad_edge=False, header_style="dim")
    columns = ["right", "mean", "95 %", "tokens", "cost", "time"]
    kept = [name for name in columns if name != "cost" or rows["cost"].sum() > 0]
    grid.add_column(escape(str(rows["reader"].iloc[0])), overflow="fold", header_style="bold")
    for name in kept:
        grid.add_column(name, justify="right", no_wrap=True)
    reader = rows["reader"].iloc[0]
    for row in rows.to_dict("records"):
        if row["reader"] != reader:
            reader = row["reader"]
            grid.add_row(f"[bold]{escape(str(reader))}[/]")
        cells = {
            "right": f"{row['right']:,} of {row['n']:,}",
            "mean": f"[bold]{mean_label(row['mean'])}[/]" if row["n"] else "–",
            "95 %": _bounds(row["low"], row["high"]),
            "tokens": amount_label(_known(row["prompt_tokens"])),
            "cost": money_label(_known(row["paid"])),
            "time": duration_label(_known(row["seconds"])),
        }
        grid.add_row("  " + escape(spoken(str(row["strategy"]))), *(cells[name] for name in kept))
        if row["outcomes"]:
            grid.add_row(f"    [yellow]not scored: {row['outcomes']}[/]")
    console.print(grid, highlight=False)


def _known(value: float) -> float | None:
    return None if value != value else value


def _bounds(low: float | None, high: float | None) -> str:
    if low is None or high is None or low != low or high - low < 1e-6:
        return ""
    return f"{mean_label(low)}–{mean_label(high)}"


def print_heatmaps(frame: DataFrame, console: Console) -> None:
    """Full context and the other strategies by length and depth, side by side where they fit.

    None where nobody looks (``console`` is no terminal), or where no question has a depth.
    """
    from rich.columns import Columns

    if not console.is_terminal or frame["depth"].isna().all():
        return
    texts = []
    own = frame[frame["depth"].notna()]
    for names, cells in own.groupby(["reader", "strategy", "sets"], observed=True):
        shown = [spoken(str(names[1])), *([str(names[2])] if own["sets"].nunique() > 1 else [])]
        shown = [str(names[0]), *shown] if own["reader"].nunique() > 1 else shown
        texts.append(heatmap_text(cells, " · ".join(shown)))
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
        parts += [
            context.text[at : item.start],
            click.style(f"{left}{item.text}{right}", fg=colour, bold=True),
        ]
        at = item.end
    return "".join([*parts, context.text[at:]])


def print_retrieval(retrieval: Retrieval) -> None:
    """What a strategy sends of one case: its chunks by rank, and the needles they hold."""
    context, definition = retrieval.context, retrieval.strategy.definition
    click.echo(f"question: {retrieval.sample.key.question}")
    also = f" = {definition}" if definition != retrieval.strategy.name else ""
    click.echo(f"strategy: {retrieval.strategy.name}{also}\n")
    width = shutil.get_terminal_size().columns
    if retrieval.selection.chunks:
        click.secho(f"{'rank':>5} {'score':>9}  {'characters':>15}  {'tokens':>13}  begins", dim=True)
        for ranked in sorted(retrieval.selection.chunks, key=lambda ranked: ranked.rank):
            chunk = ranked.chunk
            place = f"{chunk.start}-{chunk.end}", f"{chunk.token_start}-{chunk.token_end}"
            left = f"{ranked.rank:>5} {ranked.score:>9.4g}  {place[0]:>15}  {place[1]:>13}  "
            begins = " ".join(context.text[chunk.start : chunk.end].split())
            room = max(30, width - len(left) - 2)
            click.echo(left + (f"{begins[:room]} …" if len(begins) > room else begins))
            if holds := _holds(ranked, context):
                click.echo(f"{'':>5} {'':>9}  holds {', '.join(holds)}")
        order = [
            _holds(ranked, context, f"{ranked.rank}")[:1] or [str(ranked.rank)]
            for ranked in retrieval.selection.chunks
        ]
        click.echo("\nin prompt order, by rank:")
        click.echo(click.wrap_text("  ".join(rank for (rank,) in order), width, "  ", "  "))
    else:
        click.echo("the whole context" if retrieval.selection.text else "nothing, so no context at all")
    click.echo()
    for line in _retrieval_facts(retrieval):
        click.echo(line)


def _holds(ranked: RankedChunk, context: Context, name: str = "") -> list[str]:
    """The needles and distractors of which a chunk holds something, marked as in ``mark_context``."""
    needles = [*ranked.needles, *(f"{id} in part" for id in in_part(context.needles, ranked))]
    green = [click.style(f"[[{name or id}]]", fg="green", bold=True) for id in needles]
    yellow = [
        click.style(f"(({name or id}))", fg="yellow", bold=True) for id in _distractors(ranked, context)
    ]
    return green + yellow


def _distractors(ranked: RankedChunk, context: Context) -> list[str]:
    chunk = ranked.chunk
    return [item.id for item in context.distractors if item.start < chunk.end and chunk.start < item.end]


def _retrieval_facts(retrieval: Retrieval) -> Iterator[str]:
    context, selection, found = retrieval.context, retrieval.selection, retrieval.found
    needles, facts = context.needles, selection.facts
    if needles:
        partly = f", {len(found.in_part)} in part" if found.in_part else ""
        recall = element_recall(needles, found.whole)
        elements = "" if recall is None else f", elements {recall:.2f}"
        whole = len(found.whole)
        share = f"{whole} of {len(needles)} needles whole"
        yield f"completeness {whole / len(needles):.2f}: {share}{partly}{elements}"
    else:
        yield "completeness –: the case has no needles"
    if facts is not None:
        if facts.noise_ratio is not None:
            noisy = round(facts.noise_ratio * facts.retrieved)
            added = f", {facts.added} of them added" if retrieval.strategy.noise else ""
            clean = f"{noisy} of {facts.retrieved} chunks without any needle"
            yield f"noise ratio {facts.noise_ratio:.2f}: {clean}{added}"
            if (asked := retrieval.strategy.noise) and facts.noise_ratio < asked:
                yield f"noise ratio {asked:g} not reached: no more such chunks, or no room for one"
        foreign = f"; {facts.foreign} more given that are none of them" if facts.foreign else ""
        yield f"chunks {facts.retrieved} of {facts.available}{foreign}"
    yield f"tokens {selection.context_tokens:,} of the context's {context.tokens:,}"
    ranks = (facts and facts.needle_ranks) or (None,) * len(needles)
    split = (facts and facts.needle_split) or (False,) * len(needles)
    for needle, rank, is_split in zip(needles, ranks, split, strict=True):
        cut = ", cut by a chunk border" if is_split else ""
        yield f"needle {needle.id} at token {needle.token_start}: {_fate(needle, rank, retrieval)}{cut}"


def _fate(needle: Placed, rank: int | None, retrieval: Retrieval) -> str:
    if rank is not None:
        return f"rank {rank}"
    if needle.id in retrieval.found.whole:
        return "whole, but across chunks" if retrieval.selection.facts else "in the context"
    return "in part" if needle.id in retrieval.found.in_part else "not retrieved"


def retrieval_as_json(retrieval: Retrieval) -> dict[str, Any]:
    """What a strategy sends of one case, for machines: the record, and the chunks in prompt order."""
    context = retrieval.context
    chunks = [
        {
            "rank": ranked.rank,
            "score": ranked.score,
            "start": ranked.chunk.start,
            "end": ranked.chunk.end,
            "token_start": ranked.chunk.token_start,
            "token_end": ranked.chunk.token_end,
            "text": context.text[ranked.chunk.start : ranked.chunk.end],
            "needles": ranked.needles,
            "needles_in_part": in_part(context.needles, ranked),
            "distractors": _distractors(ranked, context),
        }
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
    note = (
        "completeness: mean share of needles retrieved whole; every_needle: share of cases with all of them."
    )
    return [
        Table.of(
            f"retrieval-by-{name}",
            f"Retrieval by {name.replace('-', ' ')}",
            retrieval_means(frame, column),
            note,
        )
        for name, column in (("context-length", "context_length"), ("number-of-needles", "needles"))
        if (frame["needles"] > 0).any()
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
    made = {
        table.name.removeprefix("retrieval-").replace("-", "_"): [
            dict(zip(table.columns, row, strict=True)) for row in table.rows
        ]
        for table in retrieval_tables(records)
    }
    without = len({record.case_id for record in records if not record.needles})
    return {"by_context_length": [], "by_number_of_needles": []} | made | {"without_needles": without}


def _unmet_noise(records: Sequence[RetrievalRecord]) -> Iterator[str]:
    """A line for each strategy whose cases have less noise than it asks for."""
    for name in dict.fromkeys(record.strategy for record in records):
        if (asked := strategy_of(name).noise) is None:
            continue
        own = [
            r.noise_ratio for r in records if r.strategy == name and r.needles and r.noise_ratio is not None
        ]
        if below := sum(ratio < asked for ratio in own):
            yield f"{name}: noise below {asked:g} in {below} of {len(own)} cases: no more such chunks."
