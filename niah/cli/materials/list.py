"""``niah list``: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click

from niah.errors import UserError
from niah.plugins.registry import OURS

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


@click.command()
@click.argument("kind", type=click.Choice(KINDS), required=False)
def list_command(kind: str | None) -> None:
    """List what there is to choose from; all of it without KIND."""
    for name in [kind] if kind else KINDS:
        click.secho(name, bold=True)
        rows = list(_rows(name))
        width = max((len(label) for label, _ in rows), default=0)
        for label, line in rows:
            click.echo(f"  {label:<{width}}  {line}".rstrip())


def _rows(kind: str) -> Iterator[tuple[str, str]]:
    """The names of one of ``KINDS``, each with a line about it. Only what that kind needs is imported."""
    match kind:
        case "needle-sets":
            from niah.needles.families.load import family_names
            from niah.needles.load import needle_set_names

            yield from _described(needle_set_names(), _needle_set)
            yield from _described(family_names(), _family, "@K")
        case "haystacks":
            from niah.haystacks.documents import ENTRIES, haystack_names
            from niah.needles.entries import ABOUT_ENTRIES

            yield from _described(haystack_names(), _haystack)
            yield ENTRIES, ABOUT_ENTRIES
        case "suites":
            from niah.cases.suite import suite_names

            yield from _described(suite_names(), _suite)
        case "question-sets":
            from niah.cases.question_sets import describe_question_set, question_set_names

            yield from _described(question_set_names(), describe_question_set)
        case "question-formats":
            from niah.cases.questions.published.datasets import DATASETS

            yield from ((name, f"{made.description}; {made.licence}") for name, made in DATASETS.items())
        case "runs":
            from niah.runs.config import config_names

            yield from _described(config_names(), _run_config)
        case "strategies":
            from niah.strategies.strategy import describe, describe_axes

            yield from (*describe(), *describe_axes())
        case "readers":
            from niah.readers.resolve import reader_forms

            yield from reader_forms()
        case "judges":
            from niah.judges.registry import judge_names

            yield from judge_names()
        case "metrics":
            from niah.judges.metrics.metric import METRICS

            yield from ((metric.name, metric.description) for metric in METRICS.values())
        case "tokenizers":
            from niah.text.tokenizer import describe_tokenizers

            yield from describe_tokenizers()
        case "prompts":
            from niah.cases.prompts import prompt_names

            yield from _described(prompt_names(), _prompt)
        case "figures":
            from niah.plots.registry import FIGURES

            yield from ((figure, made.description) for figure, made in FIGURES.items())
        case "tables":
            from niah.analysis.tables.registry import TABLES
            from niah.plugins.registry import described

            yield from ((table, described(make)) for table, make in TABLES.items())
        case "plugins":
            yield from _plugins()


def _plugins() -> Iterator[tuple[str, str]]:
    """What installed packages add, each with its package, and what of it cannot be used."""
    from niah.plugins.kinds import registries

    for registry in registries():
        for origin in registry.origins():
            if origin.package == OURS:
                continue
            problem = click.style(f"cannot be used: {origin.problem}", fg="red") if origin.problem else ""
            yield f"{registry.group} {origin.name}", f"{origin.package}  {problem}".rstrip()
        yield registry.group, f"{OURS}: {', '.join(registry.own)}"


def _described(
    names: Iterable[str], describe: Callable[[str], str], suffix: str = ""
) -> Iterator[tuple[str, str]]:
    """Each name with its line; a name whose file is wrong with what is wrong there."""
    for name in names:
        try:
            line = describe(name)
        except (UserError, OSError) as error:
            line = click.style(f"cannot be read: {error}", fg="red")
        yield f"{name}{suffix}", line


def _needle_set(name: str) -> str:
    from niah.needles.load import load_needle_set

    needles = load_needle_set(name, 1)
    counts = f"{len(needles.needles)} needles, {len(needles.distractors)} distractors"
    return f"{counts}: {needles.question}"


def _family(name: str) -> str:
    from niah.needles.families.load import load_family

    family = load_family(name)[1]
    sizes = f"K from {family.fewest} to {family.most:,}" if family.most > 1 else "K is 1"
    return f"{sizes}: {family.description}" if family.description else sizes


def _haystack(name: str) -> str:
    from niah.haystacks.load import load_corpus

    corpus = load_corpus(name, "cl100k")
    words, tokens = len(corpus.text.split()), corpus.tokens[-1]
    return f"{corpus.size:,} sentences, {words:,} words, {tokens:,} tokens of cl100k"


def _suite(name: str) -> str:
    from niah.cases.suite import load_suite

    suite = load_suite(name)
    cases = [f"{len(suite.cases)} cases"] if suite.cases else []
    return ", ".join([*cases, *(f"questions of {path.stem}" for path in suite.question_sets.paths)])


def _run_config(name: str) -> str:
    from niah.files import find, load_yaml
    from niah.runs.config import config_folders
    from niah.runs.config_file import RunFile

    return load_yaml(find("run config", name, config_folders()), RunFile).description


def _prompt(name: str) -> str:
    from niah.cases.prompts import load_prompt

    return f"version {load_prompt(name).version}"
