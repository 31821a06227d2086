"""``niah needles``: whether needle sets can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.cli.default_group import Group
from niah.cli.materials.questions import FileOrHub
from niah.cli.name_completion import completes
from niah.cli.option_types import FilePath
from niah.cli.terminal_stream import complain
from niah.file_mistakes import counted

if TYPE_CHECKING:
    from niah.api.needle_sets import CheckedNeedleSet
    from niah.needles.needle_set import NeedleSet


@click.group(cls=Group)
def needles_command() -> None:
    """Needle sets: written in YAML, or drawn from a family."""


@needles_command.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, shell_complete=completes("needle-sets"))
@click.pass_context
def check_command(ctx: click.Context, files: tuple[str, ...]) -> None:
    """Check each FILE and say what is in it.

    FILE is a path or a name: of a needle set (needles/mine.yaml, pizza-ingredients), of a family
    (needles/families/mine.yaml, starlight-short), or of one size of a family (starlight-short@12). Families
    are drawn with the seeds 1 to 5; without a size, with as few needles as they can have, with 7 and with 60.

    What a set says itself is put before the rubric: its answer must score 10, none of several needles 10
    alone, a refusal 1. A family's answer must depend on the seed.

    Ends with exit code 2 if anything is wrong, after one line for each mistake.
    """
    from niah.api.needle_sets import check_needle_sets
    from niah.errors import UserError

    mistakes: dict[str, None] = {}
    for file in files:
        try:
            for checked in check_needle_sets(file):
                if not checked.mistakes:
                    click.echo(_line(checked))
                mistakes |= dict.fromkeys(map(str, checked.mistakes))
        except UserError as error:
            mistakes[str(error)] = None
    for mistake in mistakes:
        complain(f"niah: {mistake}")
    if mistakes:
        ctx.exit(UserError.exit_code)


@needles_command.command("import")
@click.argument("published", metavar="FORMAT")
@click.argument(
    "paths", metavar="PATH|hub:ID...", type=FileOrHub(exists=True, dir_okay=False), nargs=-1, required=True
)
@click.option(
    "--out",
    type=FilePath(path_type=Path, file_okay=False),
    default=Path("needles"),
    help="Folder for the needle sets; needles/ without it.",
)
def import_needles_command(published: str, paths: tuple[str, ...], out: Path) -> None:
    """Make the published files PATH ... needle sets.

    FORMAT is u-niah (needle_cases.yaml), needlebench (needles.jsonl, multi_needle_reasoning_en.json) or
    nolima (needle_set.json). What of the original is not in them is said.
    """
    from niah.cases.needle_import import NEEDLE_FORMATS, import_needles

    written = import_needles(published, paths, out)
    chosen = NEEDLE_FORMATS[published]
    some = f"{written.names[0]} ..." if len(written.names) > 1 else written.names[0]
    sets = "needle set" if len(written.names) == 1 else "needle sets"
    click.echo(f"{len(written.names):,} {sets} in {out}: {some}")
    for loss in written.losses:
        click.echo(f"  {loss}")
    click.echo(f"licence: {chosen.licence}")
    click.echo(f"cite: {chosen.citation}")


def _line(checked: CheckedNeedleSet) -> str:
    seeds = checked.seeds
    suffix = f", seeds {seeds[0]}-{seeds[-1]}" if seeds else ""
    return f"{checked.drawn[0].name}: {_described(checked.drawn)}{suffix}: ok"


def _described(drawn: Sequence[NeedleSet]) -> str:
    from niah.text.tokenizer import get_tokenizer

    first = drawn[0]
    texts = [needle.text for needle_set in drawn for needle in needle_set.needles]
    counts = get_tokenizer("cl100k").counts(texts).tolist()
    least, most = min(counts, default=0), max(counts, default=0)
    lengths = f" of {least if least == most else f'{least}-{most}'} tokens" if texts else ""
    inside = f" in {len(first.passages)} passages" if first.passages else ""
    levels = Counter(distractor.hardness for distractor in first.distractors)
    hardness = ", ".join(f"{levels[level]} {level}" for level in ("hard", "medium", "easy") if levels[level])
    parts = [
        first.kind,
        f"{counted(len(first.needles), 'needle')}{lengths}{inside}",
        counted(len(first.elements), "element"),
        f"{counted(len(first.distractors), 'distractor')}{f' ({hardness})' if hardness else ''}",
    ]
    return ", ".join(parts)
