"""``niah list``: what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterator

import click

KINDS = (
    "needle-sets",
    "haystacks",
    "suites",
    "question-sets",
    "runs",
    "strategies",
    "readers",
    "judges",
    "metrics",
    "tokenizers",
    "prompts",
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
            from niah.needles.families.load import family_names, load_family
            from niah.needles.load import load_needle_set, needle_set_names

            for name in needle_set_names():
                needles = load_needle_set(name, 1)
                counts = f"{len(needles.needles)} needles, {len(needles.distractors)} distractors"
                yield name, f"{counts}: {needles.question}"
            for name in family_names():
                family = load_family(name)[1]
                sizes = f"K from 1 to {family.most:,}" if family.most > 1 else "K is 1"
                yield f"{name}@K", f"{sizes}: {family.description}"
        case "haystacks":
            from niah.haystacks.documents import haystack_names
            from niah.haystacks.load import load_corpus

            for name in haystack_names():
                corpus = load_corpus(name, "cl100k")
                words, tokens = len(corpus.text.split()), corpus.tokens[-1]
                yield name, f"{corpus.size:,} sentences, {words:,} words, {tokens:,} tokens of cl100k"
        case "suites":
            from niah.cases.suite import load_suite, suite_names

            for name in suite_names():
                suite = load_suite(name)
                cases = [f"{len(suite.cases)} cases"] if suite.cases else []
                yield (
                    name,
                    ", ".join([*cases, *(f"questions of {p.stem}" for p in suite.question_sets.paths)]),
                )
        case "question-sets":
            from niah.cases.question_sets import describe_question_set, question_set_names

            yield from ((name, describe_question_set(name)) for name in question_set_names())
        case "runs":
            from niah.files import find, load_yaml
            from niah.runs.config import config_folders, config_names
            from niah.runs.config_file import RunFile

            for name in config_names():
                yield name, load_yaml(find("run config", name, config_folders()), RunFile).description
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
            from niah.cases.prompts import load_prompt, prompt_names

            yield from ((name, f"version {load_prompt(name).version}") for name in prompt_names())
