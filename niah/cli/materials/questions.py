"""``niah questions``: published datasets as question sets."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def questions_command() -> None:
    """Question sets: questions over given documents."""


@questions_command.command("import")
@click.argument("published", metavar="FORMAT")
@click.argument("path", metavar="PATH", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Question set to write; cases/questions/FORMAT.jsonl without it.",
)
def import_command(published: str, path: Path, out: Path | None) -> None:
    """Make the published file PATH a question set; see: niah list question-formats.

    Writes the questions and, beside them, NAME.documents.jsonl. Nothing is fetched: PATH is your own copy,
    and its licence and citation stay with every question.
    """
    from niah.cases.questions.published.datasets import published_dataset
    from niah.cases.questions.published.importing import import_questions

    dataset = published_dataset(published)
    out = out or Path("cases/questions") / f"{dataset.name}.jsonl"
    written = import_questions(dataset, path, out)
    click.echo(f"{written.questions:,} questions over {written.documents:,} documents: {out}")
    click.echo(f"licence: {dataset.licence}")
    for licence in written.licences:
        if licence != dataset.licence:
            click.echo(f"  {' '.join(licence.split())[:100]}")
    click.echo(f"cite: {dataset.citation}")
