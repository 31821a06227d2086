"""``niah show``: one case, or one run file, for reading."""

from __future__ import annotations

from pathlib import Path

import click

from niah.api.run_files import run_path
from niah.cases.assembly.assembly import build_context
from niah.cases.case import parse_case_id
from niah.cases.prompts import load_prompt
from niah.errors import UnknownName, UserError
from niah.needles.load import load_needle_set
from niah.plots.terminal.marked_context import marked


@click.command()
@click.argument("what", metavar="CASE_ID|RUN")
def show_command(what: str) -> None:
    """Print one case, or how one run was made.

    Of CASE_ID, the prompt is rebuilt and printed with needles marked [[ ]] and distractors (( )). Of RUN (a
    run file, or its name in runs/), its settings and where each came from, versions, and outcomes.
    """
    path = _run_file(what)
    if path is None:
        _print_case(what)
    else:
        from niah.cli.materials.show_run import print_run

        print_run(path)


def _run_file(what: str) -> Path | None:
    """The run file of that name; None for a case. Raises UserError for what is neither."""
    try:
        return run_path(what)
    except UnknownName as error:
        if _is_case_id(what):
            return None
        near = error.remedy if error.remedy.startswith("Did") else ""
        remedy = near or "Name a file of runs/, or a case such as ferry-lanterns_essays_2048_d25_s1."
        raise UserError(f"{what!r} is neither a run file nor a case id.", remedy) from None


def _is_case_id(text: str) -> bool:
    try:
        parse_case_id(text)
    except UserError:
        return False
    return True


def _print_case(case_id: str) -> None:
    case = parse_case_id(case_id)
    context = build_context(case)
    needle_set = load_needle_set(case.needle_set, case.seed)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    click.echo(before + marked(context) + after)
    click.echo()
    click.secho(f"{case.case_id}: {context.tokens} context + {context.prompt_tokens} prompt tokens", dim=True)
    for needle in context.needles:
        click.secho(f"needle {needle.id} at token {needle.token_start}, asked {needle.asked_token}", dim=True)
    click.secho(f"reference answer: {needle_set.answer}", dim=True)
