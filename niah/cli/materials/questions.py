"""``niah questions``: published datasets as question sets, and what question sets hold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from niah.cli.default_group import Group
from niah.cli.name_completion import RUN_FILES, completes
from niah.cli.option_types import COUNT, SEED, FilePath
from niah.errors import UnknownName
from niah.file_mistakes import counted

if TYPE_CHECKING:
    from niah.cases.questions.question_set import GivenQuestion

WITH_PROBLEMS = 2


class FileOrHub(click.Path):
    """A file that is there, or the name of one on the hub."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it is, or what ``click.Path`` makes of a path."""
        return value if str(value).startswith("hub:") else super().convert(value, param, ctx)


@click.group(cls=Group)
def questions_command() -> None:
    """Question sets: questions over given documents."""


@questions_command.command("init")
@click.argument("name")
@click.option(
    "--documents",
    type=FilePath(path_type=Path, exists=True),
    required=True,
    help="Folder of .txt and .md files, its folders included; or one file.",
)
def init_questions_command(name: str, documents: Path) -> None:
    """Begin the question set NAME over texts of your own: its documents, and lines to fill in.

    Writes cases/questions/NAME.documents.jsonl, a document for each file, and cases/questions/NAME.jsonl with
    a question to replace for each document. NAME may be a path that ends in .jsonl, too. Files that are there
    already are kept.
    """
    from niah.cases.questions.from_template import begin_question_set

    begun = begin_question_set(name, documents)
    for empty in begun.empty:
        click.echo(f"left out: {empty}, which is empty", err=True)
    click.echo(f"{counted(begun.documents, 'document')}: {begun.beside}")
    click.echo(f"a question to fill in for each: {begun.out}")
    check = name if not name.endswith(".jsonl") else begun.out
    click.echo(f"next: fill them in; niah questions check {quote(str(check))} says what is left", err=True)


@questions_command.command("import")
@click.argument("published", metavar="FORMAT", shell_complete=completes("question-formats"))
@click.argument(
    "paths", metavar="PATH|hub:ID...", type=FileOrHub(exists=True, dir_okay=False), nargs=-1, required=True
)
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="Question set to write; cases/questions/FORMAT.jsonl without it.",
)
def import_command(published: str, paths: tuple[str, ...], out: Path | None) -> None:
    """Make the published files PATH ... one question set; see: niah list question-formats.

    Writes the questions and, beside them, NAME.documents.jsonl. PATH is your own copy: JSON, JSON lines or
    Parquet; hub:OWNER/NAME/FILE is fetched from the Hugging Face hub, with a * in FILE all files that match.
    Licence and citation stay with every question.
    """
    from niah.cases.questions.importing import DATASETS, import_questions

    out = out or Path("cases/questions") / f"{published}.jsonl"
    written = import_questions(published, paths, out)
    dataset = DATASETS[published]
    asked, over = counted(written.questions, "question"), counted(written.documents, "document")
    click.echo(f"{asked} over {over}: {out}")
    for note in written.notes:
        click.echo(f"  {note}")
    click.echo(f"licence: {dataset.licence}")
    for licence in written.licences:
        if licence != dataset.licence:
            click.echo(f"  {' '.join(licence.split())[:100]}")
    click.echo(f"cite: {dataset.citation}")


@questions_command.command("hash-hop")
@click.option("--tokens", type=COUNT, required=True, help="Of the document, exactly.")
@click.option("--hops", type=COUNT, default=2, show_default=True, help="Of every chain, 1 to 6.")
@click.option("--questions", type=COUNT, default=1, show_default=True, help="Chains that are asked for.")
@click.option("--steps", is_flag=True, help="Ask for every hash on the way, not for the last alone.")
@click.option("--seed", type=SEED, default=1, show_default=True, help="Whose hashes.")
@click.option("--tokenizer", default="cl100k", show_default=True, help="Whose tokens: cl100k or o200k.")
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    default=Path("cases/questions/hash-hop.jsonl"),
    show_default=True,
    help="Question set to write.",
)
def hash_hop_command(
    tokens: int, hops: int, questions: int, steps: bool, seed: int, tokenizer: str, out: Path
) -> None:
    """Write Hash-Hop as one document of any size: shuffled lines hash -> hash, and questions about them.

    The document is NAME.documents.jsonl beside the question set; it is written in blocks, and may be larger
    than memory.
    """
    from niah.cases.questions.hash_hop import HashHop, write_hash_hop
    from niah.cases.questions.question_set import check_free

    check_free(out)
    lines = write_hash_hop(out, HashHop(tokens, hops, questions, steps, seed, tokenizer))
    click.echo(f"{tokens:,} tokens in {lines:,} lines, {questions:,} asked about: {out}")


_file = click.argument("file", metavar="FILE", shell_complete=completes("question-sets"))
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@questions_command.command("stats")
@_file
@_json
def question_stats_command(file: str, *, as_json: bool) -> None:
    """Count what the question set FILE (or its name) holds: questions, lengths, types, sources, overlaps."""
    from niah.cases.questions.question_set import question_set_path
    from niah.cases.questions.review import question_set_stats, stats_lines

    stats = question_set_stats(question_set_path(file))
    if as_json:
        _echo_json(stats)
    else:
        click.echo("\n".join(stats_lines(stats)))


@questions_command.command("show")
@_file
@click.argument("question", metavar="[ID]", required=False)
@_json
def show_questions_command(file: str, question: str | None, *, as_json: bool) -> None:
    """List the questions of FILE (or its name), or show the question ID in full, with its evidence."""
    from niah.cases.questions.question_set import load_questions, question_set_path
    from niah.cases.questions.review import question_in_full, question_lines_of

    path = question_set_path(file)
    questions = load_questions(path)
    if question is not None:
        questions = [_called(question, questions)]
    if as_json:
        _echo_json([_as_json(each) for each in questions])
    else:
        shown = question_in_full(path, questions[0]) if question else question_lines_of(questions)
        click.echo("\n".join(shown))


@questions_command.command("check")
@_file
@_json
def check_questions_command(file: str, *, as_json: bool) -> int:
    """Say everything that is wrong with FILE (or its name) or odd about it, a line each.

    Ends with exit code 2 where something keeps the set from being asked.
    """
    from niah.cases.questions.question_set import GivenQuestion, given_questions, question_set_path
    from niah.cases.questions.review import check_questions

    path = question_set_path(file)
    problems = list(check_questions(path))
    hindering = sum(problem.hinders for problem in problems)
    if as_json:
        _echo_json([asdict(problem) for problem in problems])
    else:
        for problem in problems:
            click.echo(problem.text)
        documents = [each.source.sha256 for each in given_questions(path) if isinstance(each, GivenQuestion)]
        of = f"{counted(len(documents), 'question')} about {counted(len(set(documents)), 'document')}"
        click.echo(f"{of}: {hindering:,} to mend, {len(problems) - hindering:,} to look at")
    return WITH_PROBLEMS if hindering else 0


@questions_command.command("submission")
@click.argument("run", shell_complete=completes(RUN_FILES))
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    required=True,
    help="Zip file to write.",
)
@click.option("--reader", help="Whose answers, where the run has several readers.")
@click.option("--strategy", help="Under which strategy, where the run has several.")
def submission_command(run: str, out: Path, reader: str | None, strategy: str | None) -> None:
    """Write the answers of RUN to questions whose right answers are not public, as their authors take them.

    NovelQA's leaderboard scores them: niah questions import novelqa.
    """
    from niah.api.run_files import run_path
    from niah.runs.file.read_model import read_run
    from niah.runs.file.submission import submission

    made = submission(read_run(run_path(run)), reader, strategy)
    made.write(out)
    click.echo(f"{made.questions:,} questions, {made.unanswered:,} without an answer: {out}")


def _called(name: str, questions: list[GivenQuestion]) -> GivenQuestion:
    for question in questions:
        if question.line.id == name:
            return question
    raise UnknownName("question", name, [question.line.id for question in questions])


def _as_json(question: GivenQuestion) -> dict[str, object]:
    from niah.cases.questions.review import question_type

    said = question.line.model_dump(exclude_defaults=True)
    return said | {
        "document_id": question.source.document_id,
        "line": question.number,
        "type": question_type(question.line.question),
    }


def _echo_json(document: object) -> None:
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
