"""Retrieval for terminals: one case chunk by chunk, a suite as tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from niah.analysis.lengths import length_labels, octave_label
from niah.analysis.tables.retrieval import RetrievalRow, retrieval_rows, without_needles
from niah.cases.context import Context, Placed
from niah.plots.figures.retrieval import needles_label
from niah.plots.terminal.closing.foreign_chunks import foreign_lines
from niah.plots.terminal.marked_context import mark_context
from niah.runs.retrieval import Retrieval, RetrievalRecord, element_recall, in_part, retrieval_record
from niah.strategies.select import RankedChunk
from niah.strategies.strategy import strategy_of
from niah.text.chunks import Chunk

_PLAIN_STEPS = 10
"""Lines of progress where no bar can be drawn."""

_NO_MORE_NOISE = "no more chunks without a needle, or no room for one"

_LEGEND = (
    "complete: mean share of needles retrieved whole. all: share of cases with every needle whole.",
    "part: mean share of needles of which only a part came. noise: retrieved chunks without any needle.",
)


def print_retrieval(retrieval: Retrieval) -> None:
    """Print what a strategy sends of one case: its chunks by rank, and the needles they hold."""
    click.echo(f"question: {retrieval.sample.key.question}")
    definition = retrieval.strategy.definition
    also = f" = {definition}" if definition != retrieval.strategy.name else ""
    click.echo(f"strategy: {retrieval.strategy.name}{also}\n")
    if retrieval.selection.chunks:
        _print_ranking(retrieval)
        click.echo("\nin prompt order, by rank:")
        order = [_marked_rank(ranked, retrieval.context) for ranked in retrieval.selection.chunks]
        click.echo(click.wrap_text("  ".join(order), _width(), "  ", "  ", preserve_paragraphs=False))
    else:
        click.echo("the whole context" if retrieval.selection.text else "nothing, so no context at all")
    click.echo()
    for line in _facts(retrieval):
        click.echo(line)


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


def _print_ranking(retrieval: Retrieval) -> None:
    context = retrieval.context
    ranking = sorted(retrieval.selection.chunks, key=lambda ranked: ranked.rank)
    click.secho(f"{'rank':>5} {'score':>9}  {'characters':>15}  {'tokens':>13}  begins", dim=True)
    for ranked in ranking:
        chunk = ranked.chunk
        place = f"{chunk.start}-{chunk.end}", f"{chunk.token_start}-{chunk.token_end}"
        left = f"{ranked.rank:>5} {ranked.score:>9.4g}  {place[0]:>15}  {place[1]:>13}  "
        click.echo(left + _beginning(context, chunk, max(30, _width() - len(left))))
        if holds := _holds(ranked, context):
            click.echo(f"{'':>5} {'':>9}  holds {', '.join(holds)}")


def _beginning(context: Context, chunk: Chunk, width: int) -> str:
    """The chunk's first words, in ``width`` characters or a few more, needles and distractors marked."""
    end = chunk.end
    if end - chunk.start > width:
        end = max(context.text.rfind(" ", chunk.start, chunk.start + width), chunk.start + width // 2)
    head = Context(
        context.text[chunk.start : end],
        _within(context, context.needles, chunk.start, end),
        _within(context, context.distractors, chunk.start, end),
        tokens=0,
        prompt_tokens=0,
    )
    return " ".join(mark_context(head).split()) + (" …" if end < chunk.end else "")


def _within(context: Context, items: Sequence[Placed], start: int, end: int) -> tuple[Placed, ...]:
    """What of the items stands between two character offsets, as offsets from the first."""
    spans = [(item, max(item.start, start), min(item.end, end)) for item in items]
    return tuple(
        item._replace(text=context.text[a:b], start=a - start, end=b - start) for item, a, b in spans if a < b
    )


def _holds(ranked: RankedChunk, context: Context) -> list[str]:
    """The needles and distractors of which a chunk holds something, marked as in ``niah show``."""
    whole = [_mark(f"[[{id}]]", "green") for id in ranked.needles]
    partly = [_mark(f"[[{id} in part]]", "green") for id in in_part(context.needles, ranked)]
    return [*whole, *partly, *(_mark(f"(({id}))", "yellow") for id in _distractors(ranked, context))]


def _distractors(ranked: RankedChunk, context: Context) -> list[str]:
    chunk = ranked.chunk
    return [item.id for item in context.distractors if item.start < chunk.end and chunk.start < item.end]


def _marked_rank(ranked: RankedChunk, context: Context) -> str:
    if ranked.needles or in_part(context.needles, ranked):
        return _mark(f"[[{ranked.rank}]]", "green")
    return _mark(f"(({ranked.rank}))", "yellow") if _distractors(ranked, context) else str(ranked.rank)


def _mark(text: str, colour: str) -> str:
    return click.style(text, fg=colour, bold=True)


def _facts(retrieval: Retrieval) -> Iterator[str]:
    context, selection, found = retrieval.context, retrieval.selection, retrieval.found
    needles = context.needles
    if needles:
        partly = f", {len(found.in_part)} in part" if found.in_part else ""
        recall = element_recall(needles, found.whole)
        elements = "" if recall is None else f", elements {recall:.2f}"
        yield (
            f"completeness {len(found.whole) / len(needles):.2f}: "
            f"{len(found.whole)} of {len(needles)} needles whole{partly}{elements}"
        )
    else:
        yield "completeness –: the case has no needles"
    facts = selection.facts
    if facts is not None:
        if facts.noise_ratio is not None:
            noisy = round(facts.noise_ratio * facts.retrieved)
            clean = f"{noisy} of {facts.retrieved} chunks without any needle"
            added = f", {facts.added} of them added" if retrieval.strategy.noise else ""
            yield f"noise ratio {facts.noise_ratio:.2f}: {clean}{added}"
            if (asked := retrieval.strategy.noise) and facts.noise_ratio < asked:
                yield f"noise ratio {asked:g} not reached: {_NO_MORE_NOISE}"
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


def _width() -> int:
    return shutil.get_terminal_size().columns


def show_progress(records: Iterable[RetrievalRecord], total: int) -> Iterator[RetrievalRecord]:
    """The records, with a bar on a terminal and a line now and then elsewhere; both on stderr."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    step = max(1, total // _PLAIN_STEPS)
    tracked = track(
        records,
        "retrieving",
        total=total,
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    for done, record in enumerate(tracked, start=1):
        if not console.is_terminal and done % step == 0:
            click.echo(f"{done} of {total}: {record.case_id} {record.strategy}", err=True)
        yield record


def print_retrieval_tables(records: Sequence[RetrievalRecord]) -> None:
    """Print what each strategy retrieves, by context length and by number of needles."""
    by_length = retrieval_rows(records, per_length=True)
    labels = _length_names(records, [row.context_length or 0 for row in by_length])
    _print_table(
        "by context length", [(f"{labels[row.context_length or 0]} tokens", row) for row in by_length]
    )
    by_needles = retrieval_rows(records, per_needles=True)
    _print_table("by number of needles", [(needles_label(row.needles or 0), row) for row in by_needles])
    if left_out := without_needles(records):
        cases = "case without needles is" if left_out == 1 else "cases without needles are"
        click.echo(f"{left_out} {cases} not in the tables.")
    for line in (*_unmet_noise(records), *foreign_lines(records)):
        click.echo(line)
    if by_length:
        click.secho("\n".join(_LEGEND), dim=True)


def _length_names(records: Sequence[RetrievalRecord], lengths: Sequence[int]) -> dict[int, str]:
    """What lengths of the rows are called: of given documents alone, the band of which they are the end."""
    asked = {record.context_length for record in records if record.question_set is None}
    labels = dict(zip(lengths, length_labels(lengths), strict=True))
    return {length: label if length in asked else octave_label(length) for length, label in labels.items()}


def retrieval_tables_as_json(records: Sequence[RetrievalRecord]) -> dict[str, Any]:
    """The rows of both tables for machines, and how many records are in neither."""
    return {
        "by_context_length": [asdict(row) for row in retrieval_rows(records, per_length=True)],
        "by_number_of_needles": [asdict(row) for row in retrieval_rows(records, per_needles=True)],
        "without_needles": without_needles(records),
    }


def _unmet_noise(records: Sequence[RetrievalRecord]) -> Iterator[str]:
    """A line for each strategy and way in which cases have another share of noise than it asks for."""
    for name in dict.fromkeys(record.strategy for record in records):
        if (asked := strategy_of(name).noise) is None:
            continue
        own = [r for r in records if r.strategy == name and r.needles and r.noise_ratio is not None]
        below = sum(r.noise_ratio < asked for r in own if r.noise_ratio is not None)
        above = sum(r.noise_ratio > asked and not r.noise_added for r in own if r.noise_ratio is not None)
        if below:
            yield f"{name}: below {asked:g} in {below} of {len(own)} cases: {_NO_MORE_NOISE}."
        if above:
            yield f"{name}: above {asked:g} in {above} of {len(own)} cases, with nothing added."


def _print_table(title: str, rows: Sequence[tuple[str, RetrievalRow]]) -> None:
    """A block per heading, a line per strategy: so the strategies of one length stand below each other."""
    if not rows:
        return
    name_width = max(len(title), *(len(row.strategy) + 2 for _, row in rows))
    click.secho(
        f"{title:<{name_width}}  {'complete':>8} {'all':>5} {'part':>5} {'noise':>5} {'tokens':>8} {'n':>5}",
        dim=True,
    )
    heading = None
    for above, row in rows:
        if above != heading:
            click.secho(above, bold=True)
            heading = above
        noise = "–" if row.noise_ratio is None else f"{row.noise_ratio:.2f}"
        click.echo(
            f"{'  ' + row.strategy:<{name_width}}  {row.completeness:>8.2f} {row.every_needle:>5.2f} "
            f"{row.in_part:>5.2f} {noise:>5} {row.context_tokens:>8,.0f} {row.n:>5,}"
        )
    click.echo()
