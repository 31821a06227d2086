"""``niah list``: what there is to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from niah.cli.terminal import print_json
from niah.paths import places

# Of kinds that are files: where they are in the working folder and in what ships.
_FOLDERS = {
    "needle-sets": ("needles", "*.yaml"),
    "haystacks": ("haystacks", "*"),
    "suites": ("cases", "*.yaml"),
    "runs": ("runs", "*.yaml"),
    "prompts": ("cases/prompts", "*.jinja"),
}
# Of the others: what gives their names, each with a line about it, or the names alone.
_REGISTERED = {
    "question-sets": "niah.cases.questions.question_set:question_set_names",
    "strategies": "niah.strategies.grammar:describe",
    "readers": "niah.readers.resolve:reader_forms",
    "judges": "niah.judges.registry:judge_names",
    "tokenizers": "niah.text.tokenizer:describe_tokenizers",
    "figures": "niah.plots.figures:figure_names",
    "tables": "niah.analysis.tables:table_names",
}
_KINDS = {
    "needle-sets": "facts to hide, and families of them (NAME@K has K needles)",
    "haystacks": "texts to hide them in",
    "suites": "grids of cases, and question sets: niah run --suite NAME",
    "runs": "run configs: niah run NAME",
    "question-sets": "questions over given documents",
    "question-formats": "published datasets: niah import FORMAT",
    "strategies": "what is sent of a context",
    "readers": "models, and how each kind is named",
    "judges": "who scores answers",
    "metrics": "niah judge RUN --judge NAME",
    "tokenizers": "whose tokens a length counts",
    "prompts": "how contexts and questions are put",
    "figures": "niah report RUN --figure NAME",
    "tables": "of a report",
    "plugins": "what installed packages add",
}
_ALIASES = {"needles": "needle-sets", "models": "readers", "questions": "question-sets"}
_ABOUT = re.compile(r"^(?:description|question|version): *(.+?)(?:  +#.*)?$", re.MULTILINE)
_HEAD = 4096  # letters of a file in which the line about it is


@click.command()
@click.argument("kind", type=click.Choice((*_KINDS, *_ALIASES)), required=False, shell_complete=None)
@click.option("--json", is_flag=True, help="Print JSON for machines; null is unknown.")
def list_command(kind: str | None, json: bool) -> None:
    """List what there is to choose from: without KIND how many of each kind, with KIND their names."""
    if kind is None:
        counts = {name: len(names_of(name)) for name in _KINDS}
        if json:
            print_json(counts)
        else:
            _print([(name, f"{counts[name]:>3}  {about}") for name, about in _KINDS.items()])
            click.echo("next: niah list needles")
        return
    kind = _ALIASES.get(kind, kind)
    rows = list(_rows(kind, read=True))
    if json:
        print_json({kind: [{"name": name, "about": click.unstyle(about)} for name, about in rows]})
    else:
        _print(rows)


def _print(rows: list[tuple[str, str]]) -> None:
    width = max((len(name) for name, _ in rows), default=0)
    for name, about in rows:
        click.echo(f"{name:<{width}}  {about}".rstrip())


def names_of(kind: str) -> list[str]:
    """The names of a kind, for a shell to complete; what is in files is not read for it."""
    return [name for name, _ in _rows(kind, read=False)]


def _rows(kind: str, *, read: bool) -> Iterator[tuple[str, str]]:
    """The names of a kind, each with a line about it. Only what that kind needs is imported."""
    if kind in _FOLDERS:
        yield from _files(kind, read=read)
    elif kind == "question-formats":
        from niah.cases.needle_import import NEEDLE_FORMATS
        from niah.cases.questions.importing import DATASETS

        yield from ((name, f"{one.description}; licence: {one.licence}") for name, one in DATASETS.items())
        yield from ((name, f"needle sets; licence: {one.licence}") for name, one in NEEDLE_FORMATS.items())
    elif kind == "metrics":
        from niah.judges.metrics import METRICS

        yield from ((metric.name, metric.description) for metric in METRICS.values())
    elif kind == "plugins":
        yield from _plugins()
    else:
        module, _, function = _REGISTERED[kind].partition(":")
        found: Any = getattr(import_module(module), function)()
        for row in found.items() if isinstance(found, dict) else found:
            yield (row, "") if isinstance(row, str) else row
        if kind == "strategies":
            from niah.strategies.grammar import describe_axes

            yield from describe_axes()


def _files(kind: str, *, read: bool) -> Iterator[tuple[str, str]]:
    """The files of a kind, each with the line in it that says what it is."""
    folder, pattern = _FOLDERS[kind]
    top, _, rest = folder.partition("/")
    found: dict[str, Path] = {}
    for place in reversed(places(top)):
        found |= {path.stem: path for path in (place / rest).glob(pattern)}
    for name, path in sorted(found.items()):
        if path.is_dir() == (kind == "haystacks") and not name.endswith((".documents", "__")):
            yield name, _about(path) if read else ""
    if kind == "haystacks":
        yield "entries", "more of the list that a needle set has"
    if kind == "needle-sets":
        from niah.needles.families.load import family_names, find_family

        for name in family_names():
            yield f"{name}@K", _about(find_family(name)[0]) if read else ""


def _about(path: Path) -> str:
    if path.suffix != ".yaml":
        return ""
    try:
        with path.open(encoding="utf-8") as file:
            found = _ABOUT.search(file.read(_HEAD))
    except (OSError, UnicodeDecodeError) as error:
        return click.style(f"cannot be read: {error}", fg="red")
    return found[1].strip("\"'") if found else ""


def _plugins() -> Iterator[tuple[str, str]]:
    """What installed packages add, each with its package, and what of it cannot be used."""
    from niah.plugins.registry import registries

    for registry in registries():
        for one in registry.of_packages:
            problem = click.style(f"cannot be used: {one.problem}", fg="red") if one.problem else ""
            yield f"{registry.group} {one.name}", f"{one.package}  {problem}".rstrip()
