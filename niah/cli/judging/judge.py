"""``niah judge``: judges, and how far they can be trusted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from niah.cli.default_group import DefaultGroup
from niah.cli.judging.judge_metrics import metrics
from niah.cli.judging.judge_run import judge_run_command

if TYPE_CHECKING:
    from niah.judges.audit.probe import Probe
    from niah.judges.audit.report import AuditReport
    from niah.judges.judge import Judge

FAILED = 1
FEWEST_KEPT = 50
"""Answers of an audit that counts: a handful tells nothing of a judge, good or bad."""
# A spread over kinds, sizes and keys.
NEEDLE_SETS = (
    "pizza-ingredients,rainbow-potion,three-gates,ferry-lanterns,coach-timetable,stairs-portrait,"
    "starlight-short@12,chain@5,multi-value@5,common-words@3"
)


@click.group(cls=DefaultGroup, default="run", options_metavar="")
def judge_command() -> None:
    """Judge the answers of a run again: niah judge RUN --judge NAME. Nobody asks a reader."""


judge_command.add_command(judge_run_command)
judge_command.add_command(metrics)


@judge_command.command()
@click.option(
    "--judge",
    "name",
    required=True,
    help="rubric, smollm2, openai/gpt-4o-mini, any litellm name, or a .gguf file.",
)
@click.option("--api-base", help="Address of an OpenAI-compatible server that has the judge.")
@click.option(
    "--needle-sets",
    metavar="A,B",
    default=NEEDLE_SETS,
    help="Needle sets, names or paths, families as FAMILY@K; ten that ship without it.",
)
@click.option("--seed", default=1, show_default=True, help="Another seed gives other answers.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help="At most this many answers, for judges that cost money or time; every type keeps its share.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the report as JSON, misjudged answers and all.")
def audit_command(
    name: str, api_base: str | None, needle_sets: str, seed: int, limit: int | None, as_json: bool
) -> int:
    """Put answers to a judge whose verdicts are known, hostile ones among them.

    Ends with exit code 0 if the judge passes, 1 if it fails. The outcome is kept, unless it is of fewer than
    50 answers: a judge that failed is warned of where it is used.
    """
    from niah.files import check_folder
    from niah.judges.audit.report import audit_file, keep_audit
    from niah.judges.registry import resolve_judge

    judge = resolve_judge(name, api_base)
    judge.check()
    file = audit_file(judge)
    check_folder(file.parent)
    report = _audited(judge, _probes(needle_sets, seed, limit), seed)
    if report.figures.answers >= FEWEST_KEPT:
        keep_audit(report, file)
    _show(report, as_json)
    return 0 if report.passed else FAILED


def _probes(needle_sets: str, seed: int, limit: int | None) -> list[Probe]:
    from niah.cases.samples import key_of
    from niah.errors import UserError
    from niah.judges.audit.probes import build_probes, draw_probes

    names = list(dict.fromkeys(filter(None, map(str.strip, needle_sets.split(",")))))
    if not names:
        raise UserError("--needle-sets names none.", "Name one or more, with commas between them.")
    every = [probe for name in names for probe in build_probes(key_of(name, seed), seed)]
    return list(every if limit is None else draw_probes(every, limit, seed))


def _audited(judge: Judge, answers: list[Probe], seed: int) -> AuditReport:
    import asyncio

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from niah.judges.audit.report import audit_judge

    console = Console(stderr=True)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as progress:
        task = progress.add_task("judging", total=len(answers))
        return asyncio.run(audit_judge(judge, answers, seed, lambda: progress.advance(task)))


def _show(report: AuditReport, as_json: bool) -> None:
    if as_json:
        import orjson

        sys.stdout.write(orjson.dumps(report, option=orjson.OPT_INDENT_2).decode() + "\n")
        return
    from rich.console import Console

    from niah.plots.terminal.audit_table import print_audit

    print_audit(report, Console())
