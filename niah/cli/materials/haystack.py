"""``niah haystack``: what a text is like as a haystack."""

from __future__ import annotations

import click

from niah.cli.default_group import Group
from niah.cli.name_completion import completes
from niah.cli.option_types import COUNT, SEED

_LENGTHS = (1, 2, 4)


@click.group(cls=Group)
def haystack_command() -> None:
    """Texts to hide needles in: by name, or by the path of a folder or file."""


seed_option = click.option(
    "--seed",
    type=SEED,
    default=1,
    show_default=True,
    help="Draws the names, where the haystack is a world.",
)


@haystack_command.command()
@click.argument("haystack", metavar="NAME|PATH", shell_complete=completes("haystacks"))
@seed_option
def stats_command(haystack: str, seed: int) -> None:
    """Print the size of the haystack NAME|PATH, and how much it repeats itself."""
    from niah.haystacks.documents import haystack_path, load_documents
    from niah.haystacks.load import load_corpus
    from niah.haystacks.stats import EXCERPT, measure_haystack
    from niah.haystacks.structure import STRUCTURES
    from niah.haystacks.world import is_world

    documents = load_documents(haystack, seed)
    figures = measure_haystack(documents)
    structure = documents[0].structure
    rows = [
        ("documents", f"{figures.documents:,}"),
        ("structure", f"{structure}: {STRUCTURES[structure]}"),
        ("sentences", f"{figures.sentences:,}"),
        ("tokens (cl100k)", f"{load_corpus(haystack, 'cl100k', seed).tokens[-1]:,}"),
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
        ("Flesch reading ease", f"{figures.reading_ease:.1f}"),
    ]
    _print(haystack, rows)
    _print(f"in its first {EXCERPT:,} characters", variety)
    if is_world(haystack_path(haystack)):
        _print("names that another seed has too", _names_shared(haystack, seed))
        _print("distinct 8-grams over instances of the world", _distinct_by_length(haystack, seed))


@haystack_command.command()
@click.argument("haystack", metavar="NAME|PATH", shell_complete=completes("haystacks"))
@seed_option
def documents_command(haystack: str, seed: int) -> None:
    """Print the words of each document of the haystack NAME|PATH, and of all."""
    from niah.haystacks.documents import load_documents
    from niah.haystacks.stats import words_in

    rows = [
        (document.name, len(words_in(" ".join(document.paragraphs))))
        for document in load_documents(haystack, seed)
    ]
    width = max(len(name) for name, _ in rows)
    for number, (name, count) in enumerate(rows, start=1):
        click.echo(f"{number:>4}  {name:<{width}}  {count:>7,}")
    click.secho(
        f"{len(rows):>4}  {'documents, words in all':<{width}}  {sum(n for _, n in rows):>7,}", bold=True
    )


@haystack_command.command()
@click.argument("haystack", metavar="NAME|PATH", shell_complete=completes("haystacks"))
@click.option("--document", required=True, help="Its number or name; see: niah haystack documents.")
@seed_option
def read_command(haystack: str, document: str, seed: int) -> None:
    """Print one document of the haystack NAME|PATH for reading."""
    from niah.errors import UserError, did_you_mean
    from niah.haystacks.documents import load_documents

    found = load_documents(haystack, seed)
    by_name = {one.name: one for one in found} | {str(n): one for n, one in enumerate(found, start=1)}
    if document not in by_name:
        near = did_you_mean(document, by_name)
        remedy = near if near.startswith("Did") else f"See: niah haystack documents {haystack}"
        raise UserError(f"{haystack} has no document {document!r}; it has {len(found)}.", remedy)
    click.secho(f"{by_name[document].name} ({haystack}, seed {seed})\n", bold=True)
    click.echo("\n\n".join(by_name[document].paragraphs))


@haystack_command.command("audit")
@click.argument("haystack", metavar="NAME|PATH", shell_complete=completes("haystacks"))
@click.option(
    "--seeds",
    type=COUNT,
    default=20,
    show_default=True,
    help="How many seeds, from 1; a plain text is searched once for the sets that no seed draws.",
)
@click.pass_context
def leaks_command(ctx: click.Context, haystack: str, seeds: int) -> None:
    """Search the haystack NAME|PATH for sentences that answer a question by accident.

    Looks for the elements and aliases of every needle set, and of every family as each seed draws it. Ends
    with exit code 1 if there are any.
    """
    from niah.cases.audit import answer_leaks
    from niah.haystacks.documents import haystack_path, load_documents
    from niah.haystacks.world import is_world
    from niah.needles.load import every_needle_set

    total = 0
    for seed in range(1, seeds + 1):
        needle_sets = every_needle_set(seed)
        depends = seed == 1 or is_world(haystack_path(haystack))
        found_for = needle_sets if depends else [drawn for drawn in needle_sets if "@" in drawn.name]
        for accident in answer_leaks(load_documents(haystack, seed), found_for):
            total += 1
            click.echo(f"seed {seed}, {accident.needle_set}, {accident.document}: {accident.sentence}")
    click.secho(
        f"{total} accidental answers in {haystack}: {len(every_needle_set(1))} needle sets, {seeds} seeds",
        bold=True,
    )
    ctx.exit(1 if total else 0)


def _names_shared(haystack: str, seed: int) -> list[tuple[str, str]]:
    from niah.haystacks.documents import haystack_path
    from niah.haystacks.world import load_world, names_by_kind

    world = load_world(haystack_path(haystack))
    one, other = names_by_kind(world, seed), names_by_kind(world, seed + 1)
    shared = {kind: len(names & other[kind]) / len(names) for kind, names in one.items()}
    rows = [(kind, f"{share:.0%}") for kind, share in sorted(shared.items()) if share]
    everything = sum(len(names & other[kind]) for kind, names in one.items())
    total = sum(len(names) for names in one.values())
    if not total:
        return [("it draws none", "–")]
    return [*rows, (f"all {total}, seeds {seed}, {seed + 1}", f"{everything / total:.1%}")]


def _distinct_by_length(haystack: str, seed: int) -> list[tuple[str, str]]:
    from niah.haystacks.documents import load_documents
    from niah.haystacks.stats import distinct_share, words_in

    rows, text = [], list[str]()
    for instance in range(max(_LENGTHS)):
        for document in load_documents(haystack, seed, instance):
            text += words_in(" ".join(document.paragraphs))
        if instance + 1 in _LENGTHS:
            rows.append((f"{instance + 1} x, {len(text):,} words", f"{distinct_share(text, 8):.3f}"))
    return rows


def _print(title: str, rows: list[tuple[str, str]]) -> None:
    click.secho(title, bold=True)
    for label, value in rows:
        click.echo(f"  {label:<25}  {value:>9}")
