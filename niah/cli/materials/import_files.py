"""``niah import``: files of other projects as niah's own."""

from __future__ import annotations

from pathlib import Path

import click

from niah.cli.materials.needles import import_needles_command
from niah.cli.materials.questions import FileOrHub
from niah.cli.materials.questions import import_command as import_questions_command
from niah.cli.option_types import FilePath
from niah.errors import UnknownName


@click.command()
@click.argument("published", metavar="FORMAT")
@click.argument(
    "paths", metavar="PATH|hub:ID...", type=FileOrHub(exists=True, dir_okay=False), nargs=-1, required=True
)
@click.option(
    "--out",
    type=FilePath(path_type=Path),
    help="Folder of needle sets, or question set; needles/ or cases/questions/FORMAT.jsonl without it.",
)
@click.pass_context
def import_files_command(
    ctx: click.Context, published: str, paths: tuple[str, ...], out: Path | None
) -> None:
    """Make files of other projects needle sets or a question set, as their FORMAT asks for.

    Needles: u-niah, needlebench, nolima (niah needles import). Questions over documents: ruler,
    babilong, quality and others (niah questions import; niah list question-formats).
    """
    from niah.cases.needle_import import NEEDLE_FORMATS
    from niah.cases.questions.importing import DATASETS

    if published in NEEDLE_FORMATS:
        folder = out or Path("needles")
        ctx.invoke(import_needles_command, published=published, paths=paths, out=folder)
    elif published in DATASETS:
        ctx.invoke(import_questions_command, published=published, paths=paths, out=out)
    else:
        raise UnknownName("format", published, [*NEEDLE_FORMATS, *DATASETS])
