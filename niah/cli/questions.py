"""``niah questions`` and ``niah import``: question sets over given documents, and files of other projects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from niah.cli.options import A_FILE, A_PATH, COUNT, RunCommand, completes
from niah.errors import ConfigError, UnknownName, counted


@click.command("import", cls=RunCommand)
@click.argument("format", metavar="FORMAT", shell_complete=completes("question-formats"))
@click.argument("paths", metavar="PATH|hub:ID...", nargs=-1, required=True)
@click.option("--out", type=A_PATH, help="needles/ without it, or cases/questions/FORMAT.jsonl.")
def import_command(format: str, paths: tuple[str, ...], out: Path | None) -> None:
    """Make files of other projects needle sets or a question set, as their FORMAT asks for.

    Needle sets: u-niah, nolima. Questions over documents: niah list question-formats. PATH is
    your own copy; hub:OWNER/NAME/FILE is fetched from the Hugging Face hub, with a * in FILE all files that
    match. Licence and citation stay with every question.
    """
    from niah.cases.needle_import import NEEDLE_FORMATS, import_needles
    from niah.cases.questions.datasets import datasets, import_questions

    if format in NEEDLE_FORMATS:
        folder = out or Path("needles")
        names, notes = import_needles(format, paths, folder)
        some = f"{names[0]}{' ...' if len(names) > 1 else ''}"
        click.echo(f"{counted(len(names), 'needle set')} in {folder}: {some}")
    elif format in datasets():
        file = out or Path("cases/questions") / f"{format}.jsonl"
        written = import_questions(format, paths, file)
        asked = counted(written.questions, "question")
        click.echo(f"{asked} over {counted(written.documents, 'document')}: {file}")
        others = (each for each in written.licences if each != datasets()[format].licence)
        notes = [*written.notes, *(f"licence: {each}" for each in others)]
    else:
        raise UnknownName("format", format, datasets())
    for note in notes:
        click.echo(f"  {' '.join(str(note).split())}")
    click.echo(f"licence: {datasets()[format].licence}\ncite: {datasets()[format].citation}")


@click.group()
def questions_command() -> None:
    """Question sets: questions over given documents."""


questions_command.add_command(import_command)


@questions_command.command("hash-hop", cls=RunCommand)
@click.option("--tokens", type=click.IntRange(min=1000), required=True, help="Of the document, at most.")
@click.option("--hops", type=click.IntRange(1, 6), default=2, help="Of every chain, 1 to 6.")
@click.option("--questions", type=COUNT, default=1, help="Chains that are asked for.")
@click.option("--steps", is_flag=True, help="Ask for every hash on the way, not for the last alone.")
@click.option("--seed", type=click.IntRange(min=0), default=1, help="Whose hashes.")
@click.option("--tokenizer", type=click.Choice(["cl100k", "o200k"]), default="cl100k", help="Whose tokens.")
@click.option("--out", type=A_FILE, default="cases/questions/hash-hop.jsonl", help="Question set to write.")
def hash_hop_command(out: Path, questions: int, **of_hash_hop: Any) -> None:
    """Write Hash-Hop as one document of any size: shuffled lines hash -> hash, and questions about them.

    The document is NAME.documents.jsonl next to the question set; it is written in blocks, and may be larger
    than memory.
    """
    from niah.cases.questions.hash_hop import write_hash_hop
    from niah.cases.questions.question_set import check_question_set_name

    check_question_set_name(out)
    tokens, lines = write_hash_hop(out, questions=questions, **of_hash_hop)
    click.echo(f"{tokens:,} tokens in {lines:,} lines, {questions:,} asked about: {out}")


@questions_command.command("check", cls=RunCommand)
@click.argument("file", metavar="FILE", shell_complete=completes("question-sets"))
def check_command(file: str) -> int:
    """Say everything that is wrong with FILE (or its name), a line each.

    Ends with exit code 2 where something keeps the set from being asked.
    """
    from niah.cases.questions.question_set import check_questions, given_questions, question_set_path

    path = question_set_path(file)
    problems = list(map(str, check_questions(path)))
    documents = [each.source.sha256 for each in given_questions(path) if not isinstance(each, ConfigError)]
    of = f"{counted(len(documents), 'question')} about {counted(len(set(documents)), 'document')}"
    click.echo("\n".join([*problems, f"{of}: {len(problems):,} to mend"]))
    return 2 if problems else 0
