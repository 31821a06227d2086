"""``niah generate``: cases as JSON lines."""

from __future__ import annotations

from pathlib import Path

import click

from niah.api.generate import generate, left_out_path
from niah.cases.case import AccidentRule
from niah.cases.left_out import SkipRule
from niah.cases.suite import InsteadOfSuite, Reserve, load_grid
from niah.cli.name_completion import completes
from niah.cli.option_types import FilePath
from niah.cli.suite_options import print_left_out, suite_options


@click.command()
@click.argument("suite", shell_complete=completes("suites"))
@click.option(
    "--haystack",
    help="Haystack in place of the suite's: a name, or the path of a folder or file.",
    shell_complete=completes("haystacks"),
)
@click.option(
    "--tokenizer",
    help="Tokenizer in place of the suite's; see: niah list tokenizers.",
    shell_complete=completes("tokenizers"),
)
@suite_options
@click.option(
    "--out",
    type=FilePath(path_type=Path),
    help="File to write, by any name; standard output without it or with -.",
)
@click.option("--with-context", is_flag=True, help="Put the context's text into every line.")
@click.option("--audit", is_flag=True, help="Tokenise every context again and check what the line says.")
def generate_command(
    suite: str,
    haystack: str | None,
    tokenizer: str | None,
    skip: SkipRule | None,
    accidents: AccidentRule | None,
    reserve: Reserve | None,
    out: Path | None,
    with_context: bool,
    audit: bool,
) -> None:
    """Write the cases of SUITE (a name or a YAML file), one JSON object per line."""
    out = None if str(out) == "-" else out
    grid = load_grid(suite, InsteadOfSuite(haystack, tokenizer, skip, accidents, reserve))
    written = generate(grid, out, with_context=with_context, audited=audit)
    if out is not None:
        checked = ", every one audited" if audit else ""
        click.echo(f"{written.cases} cases, {written.tokens:,} context tokens{checked}: {out}", err=True)
    for note in written.notes:
        click.echo(note, err=True)
    print_left_out(written.left_out, written.avoided)
    if written.left_out and out is not None and left_out_path(out).exists():
        click.echo(f"each of them, with what hinders it: {left_out_path(out)}", err=True)
