"""``niah generate``: cases as JSON lines."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from niah.cases.records import write_records
from niah.cases.suite import load_cases
from niah.files import atomic_write


@click.command()
@click.argument("suite")
@click.option("--haystack", help="Haystack in place of the suite's: a name, or the path of a folder or file.")
@click.option("--tokenizer", help="Tokenizer in place of the suite's; see: niah list tokenizers.")
@click.option("--out", type=click.Path(path_type=Path), help="File to write; standard output without it.")
@click.option("--with-context", is_flag=True, help="Put the context's text into every line.")
@click.option("--audit", is_flag=True, help="Tokenise every context again and check what the line says.")
def generate_command(
    suite: str,
    haystack: str | None,
    tokenizer: str | None,
    out: Path | None,
    with_context: bool,
    audit: bool,
) -> None:
    """Write the cases of SUITE (a name or a YAML file), one JSON object per line."""
    cases = load_cases(suite, haystack, tokenizer)
    if out is None:
        write_records(cases, sys.stdout.buffer, with_context=with_context, audited=audit)
        return
    with atomic_write(out) as file:
        tokens = write_records(cases, file, with_context=with_context, audited=audit)
    checked = ", every one audited" if audit else ""
    click.echo(f"{len(cases)} cases, {tokens:,} context tokens{checked}: {out}", err=True)
