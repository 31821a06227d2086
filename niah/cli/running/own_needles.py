"""Facts of the command line (``--needle``) as a needle set of the working folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import click

from niah.errors import UserError


@contextmanager
def own_needles(context: click.Context) -> Iterator[str | None]:
    """The name of the needle set of --needle; None without it. Raises UserError.

    It is written to ``needles/``, and taken back where what follows raises UserError, or the command plans.
    """
    from niah.needles.own_facts import facts_as_needle_set

    given = context.params
    plans = context.command.name == "plan"
    facts = facts_as_needle_set(
        *(given["needles"], given["question"], given["expected"]),
        label=lambda name: f"--{name}",
        only_planned=plans,
        say=partial(click.echo, err=True),
    )
    if given["needles"] and given["needle_sets"]:
        raise UserError("--needle and --needle-sets both say what is hidden.", "Leave one of them out.")
    if plans:  # it is needed until the plan is printed
        path = context.with_resource(facts)
        yield path.stem if path else None
        return
    with facts as path:
        yield path.stem if path else None
