"""What commands print: heatmaps and summary of a run, retrieval, what a run will take."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import click
from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from niah.analysis.lengths import length_labels
from niah.analysis.stats import ENDS, ROUNDING
from niah.cases.case import Context
from niah.errors import counted
from niah.judges.verdict import LOWEST
from niah.plots.labels import amount_label, depth_label, duration_label, mean_label, money_label, why_unscored
from niah.plots.tables import grid_of, print_grid, print_line, print_table
from niah.plots.theme import ink_on, palette
from niah.runs.cost.estimate import Plan, Use
from niah.runs.cost.prices import FREE, NO_PRICE_SET, spending_label
from niah.runs.retrieval import Retrieval, retrieval_row
from niah.strategies.strategy import display_name

if TYPE_CHECKING:
    from pandas import DataFrame

_CELL, _MOST_HEATMAPS = 6, 4  # letters of a cell; heatmaps
_NAMES = {"preparing": "preparation", "reader": "readers", "judge": "judge", "system": "systems"}
_COUNTED = ("name", "calls", "prompt_tokens", "answer_tokens", "cached_tokens", "thinking_tokens", "usd")


def print_summary(rows: DataFrame, console: Console | None = None) -> None:
    """Of a ``summary`` a block a model, a line a strategy: right answers first, then mean and the rest."""
    ends = [end for end in ENDS if rows[end].max() > LOWEST]
    heads = ["right", "mean", "95 %", *ends, "tokens", "USD", "time"]
    grid = grid_of({"": False} | dict.fromkeys(heads, True))
    grid.add_column("most frequent fault")
    grid.add_column("not scored", style="yellow")
    for reader, own in rows.groupby("reader", observed=True) if len(rows) else ():
        grid.add_row(f"[bold]{escape(str(reader))}[/]")
        for row in own.to_dict("records"):
            taken = amount_label(row["prompt_tokens"]), money_label(row["usd"])
            grid.add_row(
                "  " + escape(display_name(str(row["strategy"]))),
                f"{row['right']:,} of {row['n']:,}",
                f"[bold]{mean_label(row['mean'])}[/]" if row["n"] else "–",
                bounds(row["low"], row["high"]),
                *(mean_label(row[end]) if row[end] == row[end] else "–" for end in ends),
                *(each if each == "–" else "≥ " * bool(row["uncounted"]) + each for each in taken),
                duration_label(row["seconds"]),
                row["fault"],
                row["outcomes"],
            )
    print_grid(grid, console)


def bounds(low: float | None, high: float | None) -> str:
    """An interval, "6.7–7.2"; "" where there is none, or all clusters are alike."""
    if low is None or high is None or low != low or high - low < ROUNDING:
        return ""
    return f"{mean_label(low)}–{mean_label(high)}"


def print_heatmaps(frame: DataFrame, console: Console) -> None:
    """On a terminal, full context and the best retrieval by length and depth, side by side where they fit."""
    from niah.analysis.crossover import best_retrieval

    texts = []
    several = {name: frame[name].nunique() > 1 for name in ("reader", "sets")}
    for reader, own in frame[frame["depth"].notna() & console.is_terminal].groupby("reader", observed=True):
        best = own[own["sends_context"] | (own["strategy"] == best_retrieval(own))]
        panels: Any = (best if len(best) else own).groupby(["strategy", "sets"], observed=True)
        for (strategy, sets), cells in panels:
            names = [reader] * several["reader"] + [display_name(strategy)] + [sets] * several["sets"]
            texts.append(heatmap_text(cells, " · ".join(map(str, names))))
    fitting = [text for text in texts if max(map(len, text.plain.splitlines())) <= console.width]
    if fitting:
        console.print(Columns(fitting[:_MOST_HEATMAPS], padding=(1, 3)))


def heatmap_text(frame: DataFrame, title: str) -> Text:
    """Depths down, lengths across, on the figures' colours; a cell with nothing scored says why."""
    from matplotlib.colors import to_rgba

    cells = frame.groupby(["depth", "context_length"])
    means: Any = cells["score"].mean().unstack()
    why = cells["outcome"].agg(why_unscored)
    margin = max(len(depth_label(depth)) for depth in means.index) + 1
    text, shades = Text(), palette()
    text.append(f"{title}\n", style="bold")
    heads = "".join(f"{label:^{_CELL}}" for label in length_labels(means.columns.tolist()))
    text.append(" " * margin + heads, style="dim")
    for depth, row in means.iterrows():
        text.append(f"\n{depth_label(depth):>{margin - 1}} ", style="dim")
        for length, mean in row.items():
            if mean != mean:
                text.append(f"{why.get((depth, length), ''):^{_CELL}}", style="dim")
                continue
            shade = shades[round((mean - 1) / 9 * (len(shades) - 1))]
            ink = "bright_white" if ink_on(to_rgba(shade)) == "#ffffff" else "black"
            text.append(f"{mean_label(mean):^{_CELL}}", style=f"{ink} on {shade}")
    return text


def mark_context(context: Context) -> str:
    """The context's text with its needles [[...]] and distractors ((...)), in colour where possible."""
    text, marks = context.text, [(item, "[[{}]]", "green") for item in context.needles]
    marks += [(item, "(({}))", "yellow") for item in context.distractors]
    # From the end, so that places hold.
    for item, form, colour in sorted(marks, key=lambda mark: -mark[0].start):
        marked = click.style(form.format(item.text), fg=colour, bold=True)
        text = f"{text[: item.start]}{marked}{text[item.end :]}"
    return text


def print_retrieval(retrieval: Retrieval) -> None:
    """What a strategy sends of one case: its chunks in prompt order with what they hold."""
    import pandas as pd

    from niah.plots.words import unmatched_chunk_lines

    found = retrieval_as_json(retrieval)
    console = Console()
    click.echo(f"question: {found['question']}\nstrategy: {found['definition']}\n")
    grid = grid_of(dict.fromkeys(("rank", "score", "tokens"), True))
    grid.add_column("holds", style="green")
    grid.add_column("begins", no_wrap=True)
    for chunk in found["chunks"]:
        held = [f"[[{id}]]" for id in chunk["needles"]] + [f"(({id}))" for id in chunk["distractors"]]
        place = f"{chunk['token_start']}-{chunk['token_end']}"
        begins = escape(" ".join(chunk["text"][:400].split())[: max(20, console.width - 48)])
        grid.add_row(f"{chunk['rank']}", f"{chunk['score']:.4g}", place, escape(" ".join(held)), begins)
    if found["chunks"]:
        print_grid(grid, console)
    else:
        click.echo("the whole context" if retrieval.selection.text else "nothing, so no context at all")
    names = [name for name in ("completeness", "noise_ratio") if found[name] is not None]
    facts = [f"{name.replace('_', ' ')} {found[name]:.2f}" for name in names]
    facts += [f"chunks {found['retrieved']} of {found['available']}"] if found["available"] else []
    click.echo(" · ".join([*facts, f"tokens {found['context_tokens']:,} of {retrieval.context.tokens:,}"]))
    for line in unmatched_chunk_lines(pd.DataFrame([retrieval_row(retrieval)])):
        click.echo(line)


def retrieval_as_json(retrieval: Retrieval) -> dict[str, Any]:
    """What a strategy sends of one case, for machines: the record, and the chunks in prompt order."""
    context = retrieval.context
    chunks = [
        {"rank": ranked.rank, "score": ranked.score}
        | {name: getattr(chunk, name) for name in ("start", "end", "token_start", "token_end")}
        | {"text": context.text[chunk.start : chunk.end], "needles": ranked.needles}
        | {"distractors": [n.id for n in context.distractors if n.start < chunk.end and chunk.start < n.end]}
        for ranked in retrieval.selection.chunks
        for chunk in [ranked.chunk]
    ]
    question = {"question": retrieval.sample.key.question, "definition": retrieval.strategy.definition}
    return retrieval_row(retrieval) | question | {"chunks": chunks}


def print_retrieval_tables(records: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    """Print what each strategy retrieves, by length and number of needles, and what is not in the tables."""
    from pandas import DataFrame

    from niah.analysis.summary import retrieval_tables
    from niah.plots.words import unmatched_chunk_lines

    tables = list(retrieval_tables(records))
    without = len({row["case_id"] for row in records if not row["needles"]})
    if as_json:
        document: dict[str, Any] = {"without_needles": without}
        for table in tables:
            document[table.name] = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    for table in tables:
        if table.rows:
            print_table(table)
    if without:
        click.echo(f"{counted(without, 'case')} without needles not in the tables.")
    for line in unmatched_chunk_lines(DataFrame(records)):
        click.echo(line)


def print_plan(plan: Plan, console: Console | None = None) -> None:
    """Print what a run will take, and what the numbers leave open."""
    console, parts = console or Console(), list(plan.parts)
    names = ("prompt_tokens", "cached_tokens", "thinking_tokens", "answer_tokens")
    if len(parts) > 1:
        sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in names}
        parts.append(Use("reader", "all", None, plan.calls, usd=plan.usd, most=plan.most, **sums))
    heads = ("calls", "prompt", "cached", "thinking", "answer", "USD", "budget tok", "budget USD")
    grid = grid_of({"asked": False} | dict.fromkeys(heads, True))
    for part in parts:
        grid.add_row(
            escape(part.name if part.role == "reader" else f"{part.role} {part.name}"),
            f"{part.calls:,}",
            *(amount_label(getattr(part, name) or None) for name in names),
            _price(part, part.usd),
            amount_label(part.most.tokens or None),
            _price(part, part.most.usd),
            style="bold" if part.name == "all" else "",
        )
    print_grid(grid, console)
    if plan.left_out:
        from niah.analysis.summary import left_out_table  # pandas, which a plan needs for nothing else

        print_table(left_out_table(plan.left_out), console)
    for line in plan_notes(plan):
        print_line(line, console)


def _price(part: Use, usd: Decimal | None) -> str:
    if part.price == FREE:
        return "free"
    return "unknown" if usd is None else spending_label(usd, "usd").removesuffix(" USD")


def plan_notes(plan: Plan) -> Iterator[str]:
    """What the numbers leave open, one line each."""
    judges = [part for part in plan.parts if part.role == "judge"]
    if plan.finished:
        yield f"{plan.finished:,} of {plan.trials:,} trials are finished and not counted."
    if plan.asked_first:
        yield f"{plan.asked_first:,} questions are asked without context first."
    unknown = [part for part in plan.parts if part.calls and part.usd is None]
    if models := dict.fromkeys(part.name for part in unknown if part.role != "system"):
        yield f"The price of {', '.join(models)} is unknown: neither the run config nor litellm has one."
    if free := dict.fromkeys(part.name for part in plan.parts if part.price == NO_PRICE_SET):
        yield f"No price is set for {', '.join(free)}, on a server of your own: counted as 0."
    if own := dict.fromkeys(part.name for part in unknown if part.role == "system"):
        yield f"What {', '.join(own)} takes is unknown: a budget counts what it reports."
    answers = plan.trials - plan.finished - plan.asked_first
    if not judges:
        yield f"The judge ({plan.judge}) is free and asks no model."
    elif judges[0].calls != answers:
        yield f"The judge {plan.judge} is expected to ask {judges[0].calls:,} times for {answers:,} answers."
    yield from plan.warnings
    if plan.refusal:
        yield f"niah run would not start: {plan.refusal}"
    elif plan.budget:
        yield f"niah run would start: its budget is {plan.budget}."
    else:
        yield "niah run would start: it has no budget. A --budget must be at least the last column."


def plan_as_json(plan: Plan) -> str:
    """The plan for machines; null is unknown."""
    parts: dict[str, list[dict[str, Any]]] = {role: [] for role in _NAMES}
    for part in plan.parts:
        entry = {name: getattr(part, name) for name in _COUNTED}
        if part.role == "system" and part.calls:  # it says what it takes when it is asked
            entry |= dict.fromkeys(("prompt_tokens", "answer_tokens"))
        most = {"tokens_at_most": part.most.tokens, "usd_at_most": part.most.usd}
        parts[part.role].append(entry | most | {"prompt_tokens_at_most": part.prompt_at_most})
    nothing = dict.fromkeys(_COUNTED, 0) | {"name": plan.judge}
    document = {_NAMES[role]: entry for role, entry in parts.items()} | {
        "judge": (parts["judge"] or [nothing])[0],
        "asked_without_context": plan.asked_first,
        "left_out": [asdict(each) for each in plan.left_out],
        "warnings": plan.warnings,
        "budget": str(plan.budget) if plan.budget else None,
        "would_start": not plan.refusal,
        "refusal": plan.refusal,
        "total": {
            **{name: getattr(plan, name) for name in ("trials", "finished", "calls", "usd")},
            "budget_tokens": plan.most.tokens,
            "budget_usd": plan.most.usd,
        },
    }
    return json.dumps(document, indent=2, default=float)
