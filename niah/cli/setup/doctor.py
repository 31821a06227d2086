"""``niah doctor``: what is installed, fetched, set and reachable here, and what is missing."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

_MARKS = {"ok": "ok    ", "absent": "absent", "wrong": "WRONG "}


@click.command()
@click.option(
    "--model", default="", help="A reader, as in niah run: checked as a run would before it begins."
)
@click.option("--api-base", default="", help="The address of an OpenAI-compatible endpoint for --model.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")
def doctor_command(model: str, api_base: str, *, as_json: bool) -> None:
    """Say what of niah is installed, fetched, set and reachable here, what is missing, and what to do.

    No model is asked, nothing is fetched, no key is shown. Ends with exit code 0, or 2 where something is in
    the way; what is only absent is needed by some.
    """
    from niah.api.checks.doctor import examine

    if api_base and not model:
        raise click.UsageError("--api-base is the address of a model: name it with --model.")
    found = list(examine(model, api_base))
    if as_json:
        click.echo(json.dumps([asdict(finding) for finding in found], ensure_ascii=False, indent=2))
    else:
        widest = max(len(finding.what) for finding in found)
        for finding in found:
            click.echo(f"{_MARKS[finding.state]}  {finding.what:{widest}}  {finding.detail}")
            if finding.remedy:
                click.echo(f"{'':{8 + widest}}  {finding.remedy}")
    if any(finding.state == "wrong" for finding in found):
        click.get_current_context().exit(2)
