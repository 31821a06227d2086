"""A context with its needles and distractors marked, for terminals."""

from __future__ import annotations

import click

from niah.cases.context import Context


def mark_context(context: Context) -> str:
    """The context's text with its needles and distractors marked, coloured where the terminal can."""
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
