"""``niah show``: one case for reading."""

from __future__ import annotations

import click

from niah.cases.assembly import build
from niah.cases.case import parse_case_id
from niah.cases.context import Context, Placed
from niah.cases.prompts import load_prompt
from niah.needles.load import load_needle_set


@click.command()
@click.argument("case_id")
def command(case_id: str) -> None:
    """Rebuild the case CASE_ID and print its prompt, needles marked [[ ]] and distractors (( ))."""
    case = parse_case_id(case_id)
    context = build(case)
    needle_set = load_needle_set(case.needle_set, case.seed)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    click.echo(before + marked(context) + after)
    click.echo()
    click.secho(f"{case.case_id}: {context.tokens} context + {context.prompt_tokens} prompt tokens", dim=True)
    for needle in context.needles:
        click.secho(f"needle {needle.id} at token {needle.token_start}, asked {needle.asked_token}", dim=True)
    click.secho(f"reference answer: {needle_set.answer}", dim=True)


def marked(context: Context) -> str:
    """The context's text with its needles and distractors marked, coloured where the terminal can."""
    parts, at = [], 0
    marks = [(item, "[[", "]]", "green") for item in context.needles]
    marks += [(item, "((", "))", "yellow") for item in context.distractors]
    for item, left, right, colour in sorted(marks, key=_by_start):
        parts += [
            context.text[at : item.start],
            click.style(f"{left}{item.text}{right}", fg=colour, bold=True),
        ]
        at = item.end
    return "".join([*parts, context.text[at:]])


def _by_start(mark: tuple[Placed, str, str, str]) -> int:
    return mark[0].start
