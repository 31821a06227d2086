"""``niah list``: what there is to choose from."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator

import click

from niah.cli.materials.kept_lines import FOLDERS, KeptLines, own_names
from niah.errors import UserError
from niah.plugins.registry import OURS, has_packages

KINDS = (
    "needle-sets",
    "haystacks",
    "suites",
    "question-sets",
    "question-formats",
    "runs",
    "strategies",
    "readers",
    "judges",
    "metrics",
    "tokenizers",
    "prompts",
    "figures",
    "tables",
    "plugins",
)

_ALIASES = {"needles": "needle-sets"}

_NAMED = 6
"""So many of niah's own things of a kind are named beside what packages add: the kind's own list has all."""


@click.command()
@click.argument("kind", type=click.Choice((*KINDS, *_ALIASES)), required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def list_command(kind: str | None, *, as_json: bool) -> None:
    """List what there is to choose from; all of it without KIND. "needles" is short for needle-sets."""
    kept = KeptLines()
    kinds = [_ALIASES.get(kind, kind)] if kind else KINDS
    if as_json:
        found = {name: [_as_json(*row) for row in _rows(name, kept)] for name in kinds}
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
        kept.close()
        return
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for name in kinds:
        click.secho(name, bold=True)
        rows = list(_rows(name, kept))
        width = max((len(label) for label, _ in rows), default=0)
        for label, line in rows:
            click.echo(list_line(label, line, width, columns))
    kept.close()


def list_line(label: str, line: str, width: int, columns: int | None) -> str:
    """A name and what it is, broken between words where a terminal has so many columns.

    Args:
        label: the name.
        line: about it.
        width: that names take.
        columns: of the terminal; None where there is none, and programs read a line a name.
    """
    text = f"  {label:<{width}}  {line}".rstrip()
    if columns is None or len(text) <= columns:
        return text
    indent = " " * min(width + 4, columns // 2)
    return textwrap.fill(
        text,
        columns,
        subsequent_indent=indent,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )


def choosable_names(kind: str) -> list[str]:
    """The names of one of ``KINDS``, for a shell to complete; what is in files is not read for it."""
    kept = KeptLines()
    if kind not in FOLDERS:
        names = [name for name, _ in _registered(kind, kept)]
        kept.close()
        return names
    ships = kept.get(kind)
    if ships is None:
        return [label for label, *_ in _in_files(kind)]
    return list(dict.fromkeys([*ships, *sorted(own_names(kind))]))


def _as_json(name: str, line: str) -> dict[str, str]:
    """A row for machines, without colours."""
    return {"name": name, "about": click.unstyle(line)}


def _rows(kind: str, kept: KeptLines) -> Iterator[tuple[str, str]]:
    """The names of one of ``KINDS``, each with a line about it."""
    if kind not in FOLDERS:
        yield from _registered(kind, kept)
        return
    yield from _described(kind, kept)


def _registered(kind: str, kept: KeptLines) -> Iterator[tuple[str, str]]:
    """What is not in files: niah's alone is known beforehand, that of other packages is not."""
    known = None if has_packages() else kept.get(kind)
    if known is not None:
        yield from known.items()
        return
    rows = list(_made(kind))
    if not has_packages() and len(dict(rows)) == len(rows):
        kept.keep(kind, dict(rows))
    yield from rows


def _made(kind: str) -> Iterator[tuple[str, str]]:
    """What is not in files. Only what that kind needs is imported."""
    match kind:
        case "question-formats":
            from niah.cases.questions.importing import DATASETS

            yield from (
                (name, f"{made.description}; licence: {made.licence}") for name, made in DATASETS.items()
            )
        case "strategies":
            from niah.strategies.grammar import describe, describe_axes

            yield from (*describe(), *describe_axes())
        case "readers":
            from niah.readers.resolve import reader_forms

            yield from reader_forms()
        case "judges":
            from niah.judges.registry import judge_names

            yield from judge_names()
        case "metrics":
            from niah.judges.metrics import METRICS

            yield from ((metric.name, metric.description) for metric in METRICS.values())
        case "tokenizers":
            from niah.text.tokenizer import describe_tokenizers

            yield from describe_tokenizers()
        case "figures":
            from niah.plots.figures import figure_names

            yield from figure_names().items()
        case "tables":
            from niah.analysis.tables import table_names

            yield from table_names().items()
        case "plugins":
            yield from _plugins()


def _in_files(kind: str) -> Iterator[tuple[str, str, Callable[[str], str]]]:
    """What is in files: how each is listed, its name, and what makes the line about it."""
    match kind:
        case "needle-sets":
            from niah.needles.families.load import family_names
            from niah.needles.load import needle_set_names

            yield from ((name, name, _needle_set) for name in needle_set_names())
            yield from ((f"{name}@K", name, _family) for name in family_names())
        case "haystacks":
            from niah.haystacks.documents import ENTRIES, haystack_names
            from niah.needles.entries import ABOUT_ENTRIES

            yield from ((name, name, _haystack) for name in haystack_names())
            yield ENTRIES, ENTRIES, lambda name: ABOUT_ENTRIES
        case "suites":
            from niah.cases.suite import suite_names

            yield from ((name, name, _suite) for name in suite_names())
        case "question-sets":
            from niah.cases.questions.question_set import question_set_names
            from niah.cases.questions.review import describe_question_set

            yield from ((name, name, describe_question_set) for name in question_set_names())
        case "runs":
            from niah.runs.config.load import config_names

            yield from ((name, name, _run_config) for name in config_names())
        case "prompts":
            from niah.cases.prompts import prompt_names

            yield from ((name, name, _prompt) for name in prompt_names())


def _plugins() -> Iterator[tuple[str, str]]:
    """What installed packages add, each with its package, and what of it cannot be used."""
    from niah.plugins.kinds import registries

    for registry in registries():
        for origin in registry.origins():
            if origin.package == OURS:
                continue
            problem = click.style(f"cannot be used: {origin.problem}", fg="red") if origin.problem else ""
            yield f"{registry.group} {origin.name}", f"{origin.package}  {problem}".rstrip()
        own = list(registry.own)
        more = f" and {len(own) - _NAMED} more" if len(own) > _NAMED else ""
        yield registry.group, f"{OURS}: {', '.join(own[:_NAMED])}{more}"


def _described(kind: str, kept: KeptLines) -> Iterator[tuple[str, str]]:
    """What is in files, each with its line; one whose file is wrong with what is wrong there."""
    known, own = kept.get(kind), own_names(kind)
    if known is not None and not own:
        yield from known.items()
        return
    ships: dict[str, str] = {}
    wrong = False
    for label, name, describe in _in_files(kind):
        is_own = name.partition(".")[0] in own
        line = "" if is_own else (known or {}).get(label, "")
        if not line:
            try:
                line = describe(name)
            except (UserError, OSError) as error:
                wrong |= not is_own
                line = click.style(f"cannot be read: {error}", fg="red")
        if not is_own:
            ships[label] = line
        yield label, line
    if known is None and not wrong:
        kept.keep(kind, ships)


def _needle_set(name: str) -> str:
    from niah.needles.load import load_needle_set

    needles = load_needle_set(name, 1)
    counts = _counted(len(needles.needles), "needle"), _counted(len(needles.distractors), "distractor")
    return f"{', '.join(counts)}: {needles.question}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _family(name: str) -> str:
    from niah.needles.families.load import load_family

    family = load_family(name)[1]
    sizes = f"K from {family.fewest} to {family.most:,}" if family.most > 1 else "K is 1"
    return f"{sizes}: {family.description}" if family.description else sizes


def _haystack(name: str) -> str:
    from niah.haystacks.load import load_corpus

    corpus = load_corpus(name, "cl100k")
    words = len(corpus.text.split())
    return f"{corpus.size:,} sentences, {words:,} words, {corpus.tokens[-1]:,} tokens of cl100k"


def _suite(name: str) -> str:
    from niah.cases.questions.importing import command_to_import
    from niah.cases.suite import load_suite, read_suite, suite_folders
    from niah.files import find
    from niah.paths import shipped

    path = find("suite", name, suite_folders())
    asked = read_suite(path).questions
    if any(map(command_to_import, asked)):
        return f"questions of {', '.join(asked)}, from your own copies: niah questions import"
    suite = load_suite(name, is_sound=path.resolve().is_relative_to(shipped("cases")))
    cases = [f"{len(suite.cases)} cases"] if suite.cases else []
    return ", ".join([*cases, *(f"questions of {path.stem}" for path in suite.question_sets.paths)])


def _run_config(name: str) -> str:
    from niah.runs.config.load import read_run_file

    return read_run_file(name, {})[1].description


def _prompt(name: str) -> str:
    from niah.cases.prompts import load_prompt

    return f"version {load_prompt(name).version}"
