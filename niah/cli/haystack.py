"""``niah haystack``: what a text is like as a haystack."""

from __future__ import annotations

import click


@click.group()
def command() -> None:
    """Texts to hide needles in: by name, or by the path of a folder or file."""


@command.command()
@click.argument("haystack", metavar="NAME|PATH")
def stats(haystack: str) -> None:
    """Print the size of the haystack NAME|PATH, and how much it repeats itself."""
    from niah.haystacks.documents import load_documents
    from niah.haystacks.load import load_corpus
    from niah.haystacks.stats import EXCERPT, measure

    figures = measure(load_documents(haystack))
    rows = [
        ("documents", f"{figures.documents:,}"),
        ("sentences", f"{figures.sentences:,}"),
        ("tokens (cl100k)", f"{load_corpus(haystack, 'cl100k').tokens[-1]:,}"),
        ("words", f"{figures.words:,}"),
    ]
    variety = [
        ("characters", f"{figures.excerpt:,}"),
        ("zlib ratio", f"{figures.zlib_ratio:.3f}"),
        ("distinct 4-grams", f"{figures.distinct_4:.3f}"),
        ("distinct 8-grams", f"{figures.distinct_8:.3f}"),
        ("duplicate sentences", f"{figures.duplicate_sentences:.2%}"),
        ("near-duplicate paragraphs", f"{figures.near_duplicate_paragraphs:.2%}"),
        ("vocabulary", f"{figures.vocabulary:,}"),
    ]
    _print(haystack, rows)
    _print(f"in its first {EXCERPT:,} characters", variety)


def _print(title: str, rows: list[tuple[str, str]]) -> None:
    click.secho(title, bold=True)
    for label, value in rows:
        click.echo(f"  {label:<25}  {value:>9}")
