"""``niah show``: one case, or one run file, for reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from niah.api.run_files import run_path
from niah.cli.name_completion import RUN_FILES, completes
from niah.errors import UnknownName, UserError
from niah.file_mistakes import counted

if TYPE_CHECKING:
    from niah.runs.file.read_model import RunContents
    from niah.runs.provenance import Invocation
    from niah.runs.trial import TrialRecord


@click.command()
@click.argument("what", metavar="CASE_ID|RUN", shell_complete=completes(RUN_FILES))
@click.option("--json", "as_json", is_flag=True, help="Print JSON for machines; null is unknown.")
def show_command(what: str, *, as_json: bool) -> None:
    """Print one case, or how one run was made.

    Of CASE_ID, the prompt is rebuilt and printed with needles marked [[ ]] and distractors (( )). Of RUN (a
    run file, or its name in runs/), its settings and where each came from, versions, outcomes, and what was
    left out. As JSON a case is what "niah generate --with-context" writes of it.
    """
    path = _run_file(what)
    if as_json:
        import orjson

        found = _case_as_json(what) if path is None else _run_as_json(path)
        click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))
    elif path is None:
        _print_case(what)
    else:
        _print_run(path)


def _run_file(what: str) -> Path | None:
    """The run file of that name; None for a case. Raises UserError for what is neither."""
    try:
        return run_path(what)
    except UnknownName as error:
        if _is_case_id(what):
            return None
        near = error.remedy if error.remedy.startswith("Did") else ""
        remedy = near or "Name a file of runs/, or a case such as ferry-lanterns_essays_2048_d25_s1."
        raise UserError(f"{what!r} is neither a run file nor a case id.", remedy) from None


def _is_case_id(text: str) -> bool:
    from niah.cases.case import parse_case_id

    try:
        parse_case_id(text)
    except UserError:
        return False
    return True


def _print_case(case_id: str) -> None:
    from niah.cases.assembly.render import build_context
    from niah.cases.case import parse_case_id
    from niah.cases.prompts import load_prompt
    from niah.needles.load import load_needle_set
    from niah.plots.terminal import mark_context

    case = parse_case_id(case_id)
    context = build_context(case)
    needle_set = load_needle_set(case.needle_set, case.seed)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    click.echo(before + mark_context(context) + after)
    click.echo()
    click.secho(f"{case.case_id}: {context.tokens} context + {context.prompt_tokens} prompt tokens", dim=True)
    for needle in context.needles:
        click.secho(f"needle {needle.id} at token {needle.token_start}, asked {needle.asked_token}", dim=True)
    click.secho(f"reference answer: {needle_set.answer}", dim=True)
    for sentence in context.avoided:
        click.secho(f"left out, since it answers by accident: {sentence}", dim=True)


def _case_as_json(case_id: str) -> dict[str, Any]:
    from niah.cases.assembly.render import build_context
    from niah.cases.case import parse_case_id
    from niah.cases.records import case_record

    case = parse_case_id(case_id)
    return case_record(case, build_context(case), with_context=True)


def _run_as_json(path: Path) -> dict[str, Any]:
    """What ``_print_run`` says, and how readers and judges were asked. Raises RunFileError."""
    from niah.cases.left_out import avoided_by
    from niah.runs.file.asked_at import asked_at
    from niah.runs.file.read_model import read_run
    from niah.runs.file.store import is_being_written

    run = read_run(path)
    first = run.closed_book.counts() if run.closed_book else ()
    return {
        "path": str(path),
        "running": is_being_written(path),
        "trials": len(run.records),
        "outcomes": dict(Counter(record.outcome for record in run.records).most_common()),
        "judge": run.judge,
        "readers": {name: {**facts} for name, facts in run.readers.items()},
        "judges": {name: {**facts} for name, facts in run.judges.items()},
        "stopped": {**run.stopped},
        "left_out": [asdict(each) for each in run.left_out],
        "asked_without_context": [asdict(each) for each in first],
        "avoided": [each._asdict() for each in avoided_by(run.samples.values())],
        "asked_at": {
            reader: {address: trials.total() for address, trials in addresses.items()}
            for reader, addresses in asked_at(run).items()
        },
        "answers_go_by": list(run.config.get("packages") or []),
        "invocations": [asdict(each) for each in run.invocations],
    }


def _print_run(path: Path) -> None:
    """Print the latest invocation, a line for each earlier one, and the outcomes. Raises RunFileError."""
    from niah.cases.left_out import avoided_by
    from niah.cli.suite_options import print_left_out
    from niah.plots.words import closed_book_lines
    from niah.runs.file.read_model import read_run
    from niah.runs.file.store import is_being_written

    run = read_run(path)
    running = ", which a niah run is at work on now" if is_being_written(path) else ""
    click.echo(f"{path}: {counted(len(run.records), 'trial')}{running}")
    click.echo(f"outcomes: {_outcomes(run.records)}")
    for line in closed_book_lines(run.closed_book):
        click.echo(line)
    for reader, reason in run.stopped.items():
        click.echo(f"{reader} stopped: {reason}")
    for line in _moved_lines(run):
        click.echo(line)
    print_left_out(run.left_out, avoided_by(run.samples.values()), err=False)
    if not run.invocations:
        return
    if packages := run.config.get("packages"):
        click.echo(f"answers go by: {', '.join(packages)}")
    *earlier, latest = run.invocations
    click.echo(f"versions: {', '.join(f'{name} {number}' for name, number in latest.versions.items())}")
    click.echo(f"latest niah run: {_time(latest)}")
    _print_settings(latest)
    for invocation in reversed(earlier):
        click.secho(f"earlier: {_time(invocation)}{_differences(invocation, latest)}", dim=True)


def _moved_lines(run: RunContents) -> Iterator[str]:
    """Which readers were asked at other addresses than the latest invocation names."""
    from niah.runs.file.asked_at import asked_at, latest_address

    for reader, addresses in asked_at(run).items():
        if set(addresses) != {latest_address(run, reader)}:
            places = ", ".join(f"{address} ({trials.total():,})" for address, trials in addresses.items())
            yield f"trials of {reader} were asked at {places}"


def _outcomes(records: Sequence[TrialRecord]) -> str:
    counts = Counter(record.outcome for record in records)
    return ", ".join(f"{number:,} {outcome}" for outcome, number in counts.most_common()) or "none"


def _print_settings(invocation: Invocation) -> None:
    from rich.console import Console
    from rich.table import Table

    from niah.runs.provenance import source_words

    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("setting", "value", "from"):
        table.add_column(title, overflow="fold")
    for name, setting in invocation.settings.items():
        table.add_row(name, _as_text(setting["value"]), source_words(setting))
    Console(markup=False).print(table, highlight=False)


def _differences(invocation: Invocation, latest: Invocation) -> str:
    """What another invocation had otherwise than the latest: ": limit 5, niah 0.1"."""
    settings = [
        f"{name} {_as_text(setting['value'])}"
        for name, setting in invocation.settings.items()
        if setting["value"] != latest.settings.get(name, {}).get("value")
    ]
    versions = [
        f"{name} {number}"
        for name, number in invocation.versions.items()
        if number != latest.versions.get(name)
    ]
    return f": {', '.join([*settings, *versions])}" if settings or versions else ", the same"


def _time(invocation: Invocation) -> str:
    """To the second: 2026-11-22 04:00:00 UTC."""
    return f"{invocation.started_at[:19].replace('T', ' ')} UTC"


def _as_text(value: Any) -> str:
    """A value for people: "lc, dos", "anchor 1, 2; rotating 2026112201"."""
    if isinstance(value, dict):
        return "; ".join(f"{key} {_as_text(each)}" for key, each in value.items() if each not in ([], None))
    if isinstance(value, list):
        return ", ".join(map(_as_text, value)) or "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)
