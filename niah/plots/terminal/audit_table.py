"""The audit of a judge as tables for terminals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from niah.judges.audit.figures import AuditFigures, Misjudged, TypeFigures
from niah.judges.audit.report import AuditReport, figure_label
from niah.judges.verdict import SCORES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

_SHOWN = 10


def print_audit(report: AuditReport, console: Console) -> None:
    """Print types, confusion, hostile answers raised, failures and marks; it fits 80 columns."""
    figures = report.figures
    console.print(f"{report.judge}, version {report.version}", style="bold", highlight=False)
    console.print(f"{figures.answers:,} answers to {', '.join(report.needle_sets)}", highlight=False)
    console.print(_types(figures.types))
    console.print(_confusion(figures))
    for line in (*_raised(figures), *_failures(figures)):
        console.print(line, highlight=False, markup=False)
    for mark in report.marks:
        style = "green" if mark.met else "red"
        line = f"{'ok  ' if mark.met else 'FAIL'} {mark.name}: {figure_label(mark.value)} ({mark.asked})"
        console.print(line, style=style, highlight=False)
    console.print("passed" if report.passed else "failed", style="bold", highlight=False)


def _types(types: Sequence[TypeFigures]) -> Table:
    table = _table("answers", "judged", "exact", "within 1", "bias", "error type", "self-doubt")
    for of_type in types:
        shares = (of_type.exact, of_type.within_one)
        table.add_row(
            of_type.type,
            f"{of_type.judged}"
            if of_type.judged == of_type.answers
            else f"{of_type.judged}/{of_type.answers}",
            *map(_share, shares),
            "–" if of_type.bias is None else f"{of_type.bias:+.2f}",
            _share(of_type.error_type),
            _share(of_type.self_doubt),
        )
    return table


def _confusion(figures: AuditFigures) -> Table:
    table = _table("true score", *(f"judged {score}" for score in SCORES))
    for score, row in zip(SCORES, figures.confusion, strict=True):
        table.add_row(str(score), *(str(count) if count else "·" for count in row))
    return table


def _table(first: str, *columns: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column(first, no_wrap=True)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _raised(figures: AuditFigures) -> Iterator[str]:
    yield f"{len(figures.raised)} of {figures.hostile} hostile answers got more than they deserve"
    yield from map(_one_raised, figures.raised[:_SHOWN])
    if len(figures.raised) > _SHOWN:
        yield f"  and {len(figures.raised) - _SHOWN} more; --json lists them all"


def _one_raised(one: Misjudged) -> str:
    return f"  {one.name} ({one.needle_set}): {one.judged} for {one.truth}"


def _failures(figures: AuditFigures) -> Iterator[str]:
    if not figures.failures:
        return
    yield f"{len(figures.failures)} answers got no verdict"
    reasons = Counter(failure.partition(": ")[2] for failure in figures.failures)
    yield from (f"  {count} x {reason}" for reason, count in reasons.most_common(_SHOWN))


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.0%}"
