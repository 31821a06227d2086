"""``niah list``: what there is to choose from."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from niah.cli.terminal import print_json
from niah.errors import UserError
from niah.files import places
from niah.registry import described, load_reference, registries, strange_points

_ABOUT = re.compile(r"^(?:description|question|version): *(.+?)(?:  +#.*)?$", re.MULTILINE)

# Of each kind a line about it, and its names: a folder and pattern of files, or MODULE:OBJECT with them.
_KINDS: dict[str, tuple[str, str | tuple[str, str]]] = {
    "needle-sets": ("facts to hide, and families of them (NAME@K has K needles)", ("needles", "*.yaml")),
    "haystacks": ("texts to hide them in", ("haystacks", "*")),
    "suites": ("grids of cases, and question sets: niah run --suite NAME", ("cases", "*.yaml")),
    "runs": ("run configs: niah run NAME", ("runs", "*.yaml")),
    "question-sets": ("questions over texts", "niah.cases.questions.question_set:question_set_names"),
    "question-formats": ("published datasets: niah import FORMAT", "niah.cli.list:_formats"),
    "strategies": ("what is sent of a context", "niah.strategies.grammar:describe"),
    "readers": ("models, and how each kind is named", "niah.readers.resolve:reader_forms"),
    "judges": ("who scores answers", "niah.judges.registry:judge_names"),
    "metrics": ("niah judge RUN --judge NAME", "niah.judges.metrics:METRICS"),
    "tokenizers": ("whose tokens a length counts", "niah.text.tokenizer:TOKENIZERS"),
    "prompts": ("how contexts and questions are put", ("cases/prompts", "*.jinja")),
    "figures": ("niah report RUN --figure NAME", "niah.plots.figures:figure_names"),
    "tables": ("of a report", "niah.analysis.tables:table_names"),
    "plugins": ("what installed packages add", "niah.cli.list:_plugins"),
}
_ALIASES = {"needles": "needle-sets", "models": "readers", "questions": "question-sets"}


@click.command()
@click.argument("kind", type=click.Choice((*_KINDS, *_ALIASES)), required=False, shell_complete=None)
@click.option("--json", is_flag=True, help="Print JSON for machines; null is unknown.")
def list_command(kind: str | None, json: bool) -> None:
    """List what there is to choose from: without KIND how many of each kind, with KIND their names."""
    if kind is None:
        counts = {name: len([*rows_of(name)]) for name in _KINDS}
        document: object = counts
        rows = [(name, f"{counts[name]:>3}  {about}") for name, (about, _) in _KINDS.items()]
    else:
        kind = _ALIASES.get(kind, kind)
        rows = list(rows_of(kind))
        document = {kind: [{"name": name, "about": click.unstyle(about)} for name, about in rows]}
    if json:
        print_json(document)
        return
    width = max((len(name) for name, _ in rows), default=0)
    for name, about in rows:
        click.echo(f"{name:<{width}}  {about}".rstrip())
    if kind is None:
        click.echo("next: niah list needles")


def rows_of(kind: str) -> Iterator[tuple[str, str]]:
    """The names of a kind, each with a line about it. Only what that kind needs is imported."""
    source = _KINDS[kind][1]
    if isinstance(source, str):
        found: Any = load_reference(source)
        found = found() if callable(found) else found
        for row in found.items() if hasattr(found, "items") else found:
            name, about = (row, "") if isinstance(row, str) else row
            yield name, about if isinstance(about, str) else described(about)
        return
    folder, pattern = source  # what is in the working folder's own comes last, and counts
    files = {path.stem: path for place in reversed(places(folder)) for path in place.glob(pattern)}
    for name, path in sorted(files.items()):
        if path.is_dir() == (kind == "haystacks") and not name.endswith((".documents", "__")):
            yield name, _about(path)
    if kind == "haystacks":
        yield "entries", "more of the list that a needle set has"
    if kind == "needle-sets":
        from niah.needles.families.load import family_names

        yield from ((f"{name}@K", _about(path)) for name, path in family_names().items())


def _about(path: Path) -> str:
    is_read = path.suffix == ".yaml" and os.access(path, os.R_OK)  # a link may lead nowhere
    head = path.read_text(encoding="utf-8", errors="replace") if is_read else ""
    return found[1].strip("\"'") if (found := _ABOUT.search(head)) else ""


def _formats() -> Iterator[tuple[str, str]]:
    from niah.cases.questions.datasets import datasets

    yield from ((name, f"{one.description}; licence: {one.licence}") for name, one in datasets().items())


def _plugins() -> Iterator[tuple[str, str]]:
    """What installed packages add, each with its package, and what of it cannot be used."""
    from niah.strategies.parts import Preset
    from niah.strategies.strategy import parse

    rows = [(kind.group, one) for kind in registries() for one in kind.of_packages]
    for group, one in (*rows, *strange_points()):
        problem = one.problem
        try:
            if isinstance(one.thing, Preset):
                parse(one.thing.definition)
        except UserError as error:
            problem = str(error)
        problem = click.style(f"cannot be used: {problem}", fg="red") if problem else ""
        yield f"{group} {one.name}", f"{one.package}  {problem}".rstrip()
