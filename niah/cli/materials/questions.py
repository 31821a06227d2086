"""``niah questions``: published datasets as question sets, and what question sets hold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from niah.cli.name_completion import completes
from niah.errors import UnknownName

if TYPE_CHECKING:
    from niah.cases.questions.question_lines import GivenQuestion

WITH_PROBLEMS = 2


class FileOrHub(click.Path):
    """A file that is there, or the name of one on the hub."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name as it is, or what ``click.Path`` makes of a path."""
        return value if str(value).startswith("hub:") else super().convert(value, param, ctx)


@click.group()
def questions_command() -> None:
    """Question sets: questions over given documents."""


@questions_command.command("import")
@click.argument("published", metavar="FORMAT", shell_complete=completes("question-formats"))
@click.argument("path", metavar="PATH|hub:ID", type=FileOrHub(exists=True, dir_okay=False))
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Question set to write; cases/questions/FORMAT.jsonl without it.",
)
def import_command(published: str, path: str, out: Path | None) -> None:
    """Make the published file PATH a question set; see: niah list question-formats.

    Writes the questions and, beside them, NAME.documents.jsonl. PATH is your own copy; hub:OWNER/NAME/FILE is
    fetched from the Hugging Face hub. Licence and citation stay with every question.
    """
    from niah.cases.questions.published.datasets import published_dataset
    from niah.cases.questions.published.hub import file_or_fetched
    from niah.cases.questions.published.importing import check_free, import_questions

    dataset = published_dataset(published)
    out = out or Path("cases/questions") / f"{dataset.name}.jsonl"
    check_free(out)
    with file_or_fetched(path) as file:
        written = import_questions(dataset, file, out, Path(path))
    click.echo(f"{written.questions:,} questions over {written.documents:,} documents: {out}")
    click.echo(f"licence: {dataset.licence}")
    for licence in written.licences:
        if licence != dataset.licence:
            click.echo(f"  {' '.join(licence.split())[:100]}")
    click.echo(f"cite: {dataset.citation}")


_file = click.argument("file", metavar="FILE", shell_complete=completes("question-sets"))
_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


@questions_command.command("stats")
@_file
@_json
def question_stats_command(file: str, *, as_json: bool) -> None:
    """Count what the question set FILE (or its name) holds: questions, lengths, types, sources, overlaps."""
    from niah.cases.question_sets import question_set_path
    from niah.cases.questions.in_words import stats_lines
    from niah.cases.questions.stats import question_set_stats

    stats = question_set_stats(question_set_path(file))
    if as_json:
        _echo_json(asdict(stats))
    else:
        click.echo("\n".join(stats_lines(stats)))


@questions_command.command("show")
@_file
@click.argument("question", metavar="[ID]", required=False)
@_json
def show_questions_command(file: str, question: str | None, *, as_json: bool) -> None:
    """List the questions of FILE (or its name), or show the question ID in full, with its evidence."""
    from niah.cases.question_sets import question_set_path
    from niah.cases.questions.in_words import question_in_full, question_lines_of
    from niah.cases.questions.question_lines import load_questions

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
    from niah.cases.question_sets import question_set_path
    from niah.cases.questions.checking import check_questions

    problems = list(check_questions(question_set_path(file)))
    hindering = sum(problem.hinders for problem in problems)
    if as_json:
        _echo_json([asdict(problem) for problem in problems])
    else:
        for problem in problems:
            click.echo(problem.text)
        click.echo(f"{hindering:,} to mend, {len(problems) - hindering:,} to look at")
    return WITH_PROBLEMS if hindering else 0


def _called(name: str, questions: list[GivenQuestion]) -> GivenQuestion:
    for question in questions:
        if question.line.id == name:
            return question
    raise UnknownName("question", name, [question.line.id for question in questions])


def _as_json(question: GivenQuestion) -> dict[str, object]:
    from niah.cases.questions.question_type import question_type

    said = question.line.model_dump(exclude_defaults=True)
    return said | {
        "document_id": question.source.document_id,
        "line": question.number,
        "type": question_type(question.line.question),
    }


def _echo_json(document: object) -> None:
    import json

    click.echo(json.dumps(document, indent=2, ensure_ascii=False))
