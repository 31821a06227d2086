"""``niah needles``: whether needle sets can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from niah.needles.needle_set import NeedleSet

_SEEDS = range(1, 6)
_LARGE = 60


@click.group()
def needles_command() -> None:
    """Needle sets: written in YAML, or drawn from a family."""


@needles_command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Check each FILE and say what is in it.

    FILE is a path or a name: of a needle set (needles/mine.yaml, pizza-ingredients), of a family
    (needles/families/mine.yaml, starlight-short), or of one size of a family (starlight-short@12). Families
    are drawn with the seeds 1 to 5; without a size, with 1 needle, with 7 and with 60, or as many as they can
    have.

    Ends with exit code 2 if anything is wrong, after one line for each mistake.
    """
    from niah.errors import UserError

    failed = False
    for file in files:
        try:
            for line in _lines(file):
                click.echo(line)
        except UserError as error:
            click.secho(f"niah: {error}", err=True, fg="red")
            failed = True
    if failed:
        ctx.exit(UserError.exit_code)


def _lines(file: str) -> Iterator[str]:
    """One line for each needle set that ``file`` stands for. Raises UserError."""
    from niah.needles.load import load_needle_set

    for name, seeds in _sets(file):
        drawn = [load_needle_set(name, seed) for seed in seeds]
        suffix = f", seeds {seeds[0]}-{seeds[-1]}" if len(seeds) > 1 else ""
        yield f"{drawn[0].name}: {_described(drawn)}{suffix}: ok"


def _sets(file: str) -> Iterator[tuple[str, range]]:
    """The needle sets that a name or path stands for, each with the seeds to draw it with."""
    from niah.needles.families.load import load_family
    from niah.needles.load import is_family, split_name

    if is_family(file):
        family = load_family(file)[1]
        sizes = {family.fewest, min(7, family.most), min(_LARGE, family.most)}
        yield from ((f"{file}@{k}", _SEEDS) for k in sorted(sizes))
    else:
        yield file, _SEEDS if split_name(file) else range(1, 2)


def _described(drawn: list[NeedleSet]) -> str:
    from niah.text.tokenizer import get_tokenizer

    first = drawn[0]
    texts = [needle.text for needle_set in drawn for needle in needle_set.needles]
    counts = get_tokenizer("cl100k").counts(texts)
    least, most = (int(counts.min()), int(counts.max())) if texts else (0, 0)
    lengths = f" of {least if least == most else f'{least}-{most}'} tokens" if texts else ""
    inside = f" in {len(first.passages)} passages" if first.passages else ""
    levels = Counter(distractor.hardness for distractor in first.distractors)
    hardness = ", ".join(f"{levels[level]} {level}" for level in ("hard", "medium", "easy") if levels[level])
    parts = [
        first.kind,
        f"{_number(len(first.needles), 'needle')}{lengths}{inside}",
        _number(len(first.elements), "element"),
        f"{_number(len(first.distractors), 'distractor')}{f' ({hardness})' if hardness else ''}",
    ]
    return ", ".join(parts)


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
