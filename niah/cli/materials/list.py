"""``niah list``: what there is to choose from."""

from __future__ import annotations

from collections.abc import Callable

import click


def _needle_sets() -> list[tuple[str, str]]:
    from niah.needles.families.load import family_names, load_family
    from niah.needles.load import load_needle_set, needle_set_names

    def line(name: str) -> str:
        needle_set = load_needle_set(name, 1)
        counts = f"{len(needle_set.needles)} needles, {len(needle_set.distractors)} distractors"
        return f"{counts}: {needle_set.question}"

    def family_line(name: str) -> str:
        family = load_family(name)[1]
        sizes = f"K from 1 to {family.most}" if family.most > 1 else "K is 1"
        return f"{sizes}: {family.description}"

    sets = [(name, line(name)) for name in needle_set_names()]
    return sets + [(f"{name}@K", family_line(name)) for name in family_names()]


def _haystacks() -> list[tuple[str, str]]:
    from niah.haystacks.documents import haystack_names
    from niah.haystacks.load import load_corpus

    def line(name: str) -> str:
        corpus = load_corpus(name, "cl100k")
        words = len(corpus.text.split())
        return f"{corpus.size:,} sentences, {words:,} words, {corpus.tokens[-1]:,} tokens of cl100k"

    return [(name, line(name)) for name in haystack_names()]


def _suites() -> list[tuple[str, str]]:
    from niah.cases.suite import load_suite, suite_names

    def line(name: str) -> str:
        suite = load_suite(name)
        cases = [f"{len(suite.cases)} cases"] if suite.cases else []
        return ", ".join([*cases, *(f"questions of {path.stem}" for path in suite.question_sets.paths)])

    return [(name, line(name)) for name in suite_names()]


def _question_sets() -> list[tuple[str, str]]:
    from niah.cases.question_sets import describe_question_set, question_set_names

    return [(name, describe_question_set(name)) for name in question_set_names()]


def _runs() -> list[tuple[str, str]]:
    from niah.files import find, load_yaml
    from niah.runs.config import config_folders, config_names
    from niah.runs.config_file import RunFile

    return [
        (name, load_yaml(find("run config", name, config_folders()), RunFile).description)
        for name in config_names()
    ]


def _strategies() -> list[tuple[str, str]]:
    from niah.strategies.strategy import describe, describe_axes

    return [*describe(), *describe_axes()]


def _readers() -> list[tuple[str, str]]:
    from niah.readers.resolve import names

    return names()


def _judges() -> list[tuple[str, str]]:
    from niah.judges.registry import judge_names

    return judge_names()


def _metrics() -> list[tuple[str, str]]:
    from niah.judges.metrics.metric import METRICS

    return [(metric.name, metric.description) for metric in METRICS.values()]


def _tokenizers() -> list[tuple[str, str]]:
    from niah.text.tokenizer import describe_tokenizers

    return describe_tokenizers()


def _prompts() -> list[tuple[str, str]]:
    from niah.cases.prompts import load_prompt, prompt_names

    return [(name, f"version {load_prompt(name).version}") for name in prompt_names()]


KINDS: dict[str, Callable[[], list[tuple[str, str]]]] = {
    "needle-sets": _needle_sets,
    "haystacks": _haystacks,
    "suites": _suites,
    "question-sets": _question_sets,
    "runs": _runs,
    "strategies": _strategies,
    "readers": _readers,
    "judges": _judges,
    "metrics": _metrics,
    "tokenizers": _tokenizers,
    "prompts": _prompts,
}


@click.command()
@click.argument("kind", type=click.Choice(list(KINDS)), required=False)
def list_command(kind: str | None) -> None:
    """List what there is to choose from; all of it without KIND."""
    for name in [kind] if kind else KINDS:
        click.secho(name, bold=True)
        rows = KINDS[name]()
        width = max((len(label) for label, _ in rows), default=0)
        for label, line in rows:
            click.echo(f"  {label:<{width}}  {line}".rstrip())
