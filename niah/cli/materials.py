"""``niah generate``, ``retrieve``, ``show``, ``check`` and ``schema``."""

from __future__ import annotations

import json as jsons
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from niah.cli.options import (
    A_FILE,
    A_FOLDER,
    A_PATH,
    COUNT,
    RUN_FILES,
    RunCommand,
    completes,
    haystack_option,
    json_option,
    words,
)
from niah.cli.run import print_left_out
from niah.cli.terminal import complain, print_json, say
from niah.errors import UnknownName, UserError, counted

if TYPE_CHECKING:
    from niah.cases.case import Case
    from niah.cases.export import ExportForm
    from niah.cases.sample import Sample
    from niah.strategies.strategy import Strategy


@click.command(cls=RunCommand)
@click.argument("suite", shell_complete=completes("suites"))
@haystack_option
@click.option(
    "--tokenizer",
    help="Tokenizer in place of the suite's; see: niah list tokenizers.",
    shell_complete=completes("tokenizers"),
)
@click.option("--out", type=A_PATH, help="File to write, by any name; standard output without it or with -.")
@click.option("--with-context", is_flag=True, help="Put the context's text into every line.")
@click.option("--audit", is_flag=True, help="Tokenise every context again and check what the line says.")
@click.option(
    "--to",
    type=click.Choice(["inspect", "lm-eval", "jsonl", "parquet"]),
    help="A task folder of Inspect or lm-eval, or a file of whole prompts, in place of niah's lines.",
)
def generate_command(
    suite: str, out: Path | None, with_context: bool, audit: bool, to: ExportForm | None, **instead: Any
) -> None:
    """Write the cases of SUITE (a name or a YAML file), one JSON object per line.

    With --to, each row holds the whole prompt. A task scores the share of elements that an answer names;
    niah's judges, strategies and statistics stay here.
    """
    out = None if str(out) == "-" else out
    if to is not None:
        from niah.cases.export import export_cases

        others = {**instead, "with-context": with_context, "audit": audit}
        if out is None:
            raise UserError("--to needs --out.", "Name the folder of the task, or the file.")
        if taken := next((name for name, value in others.items() if value), None):
            raise UserError(f"--to takes no --{taken}.", "Write it into the suite.")
        exported = export_cases(suite, to, out)
        say(f"{exported.cases:,} cases: {exported.start}")
        if exported.left_out:
            say(f"{exported.left_out:,} left out: an answer to them has nothing to name")
        return
    from niah.api.cases import left_out_path, write_cases
    from niah.cases.suite import load_grid

    grid = load_grid(suite, instead)
    written = write_cases(grid, out, with_context=with_context, audited=audit)
    if out is not None:
        checked = ", every one audited" if audit else ""
        say(f"{written.cases} cases, {written.tokens:,} context tokens{checked}: {out}")
    for note in written.notes:
        say(note)
    print_left_out(written.left_out)
    if written.left_out and out is not None and left_out_path(out).exists():
        say(f"each of them, with what hinders it: {left_out_path(out)}")


@click.command(cls=RunCommand)
@click.argument("target", metavar="CASE_ID|SUITE", shell_complete=completes("suites"))
@click.option(
    "--strategies",
    metavar="LIST",
    required=True,
    callback=words,
    help="One strategy to look at, for a case; strategies to compare over a suite.",
    shell_complete=completes("strategies"),
)
@haystack_option
@click.option("--limit", type=COUNT, help="Take the suite's first cases only, so many.")
@click.option("--out", type=A_FILE, help="File for a JSON line per case and strategy.")
@json_option
def retrieve_command(target: str, strategies: tuple[str, ...], json: bool, **of_suites: Any) -> None:
    """Retrieve without asking any model.

    For a case: what a strategy would send, its chunks by rank with the needles they hold. For a suite: how
    much of the needles each strategy retrieves, by context length and number of needles.
    """
    from niah.strategies.strategy import parse

    case = _as_case(target)
    with redirect_stdout(sys.stderr):  # a module of the user's own, imported here, may print
        chosen = [parse(name) for name in strategies]
    if case is None:
        _retrieve_suite(target, chosen, json=json, **of_suites)
        return
    if len(chosen) != 1 or any(of_suites.values()):
        raise UserError(f"{target} is a case; name one strategy and no option.", "Try --strategies dos.")
    from niah.cases.samples import sample_of
    from niah.plots.terminal import print_retrieval, retrieval_as_json
    from niah.runs.retrieval import retrieve

    with redirect_stdout(sys.stderr):
        retrieval = retrieve(sample_of(case), chosen[0], say)
    if json:
        print_json(retrieval_as_json(retrieval))
    else:
        print_retrieval(retrieval)


def _retrieve_suite(
    target: str,
    compared: Sequence[Strategy],
    *,
    json: bool,
    limit: int | None,
    out: Path | None,
    haystack: str | None,
) -> None:
    """Print the tables of a suite."""
    import orjson

    from niah.cases.samples import nothing_left, samples_of
    from niah.cases.suite import load_suite
    from niah.files import atomic_write
    from niah.plots.terminal import print_retrieval_tables, retrieval_tables_as_json, show_progress
    from niah.runs.retrieval import check_evidence, check_retrieval, evaluate, evidence_lines

    suite = load_suite(target, {"haystack": haystack})
    made, left_out = samples_of(suite.cases[:limit], suite.skip)
    samples: list[Sample] = [*made, *suite.question_sets.samples()][:limit]
    if not samples:
        raise nothing_left(left_out)
    with redirect_stdout(sys.stderr):  # what a retriever of the user's own prints is no table, and no JSON
        check_retrieval(compared, say)
        for strategy in compared:
            check_evidence(strategy, samples)
        for line in evidence_lines(compared, samples):
            say(line)
        records = list(show_progress(evaluate(samples, compared, say), len(samples) * len(compared)))
        if out:
            with atomic_write(out) as file:
                file.writelines(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in records)
    if json:
        print_json(retrieval_tables_as_json(records))
    else:
        print_retrieval_tables(records)
    if out:
        say(f"written: {out}")
    print_left_out(left_out)


def _as_case(target: str) -> Case | None:
    from niah.api.cases import case_of_id
    from niah.cases.case import parse_case_id

    try:
        parse_case_id(target)
    except UserError:
        return None
    return case_of_id(target)


@click.command(cls=RunCommand)
@click.argument("what", metavar="CASE_ID|RUN", shell_complete=completes(RUN_FILES))
@json_option
def show_command(what: str, json: bool) -> None:
    """Print one case, or how one run was made.

    Of CASE_ID, the prompt is rebuilt and printed with needles marked [[ ]] and distractors (( )). Of RUN (a
    run file, or its name in runs/), its settings and where each came from, versions, outcomes, and what was
    left out. As JSON a case is what "niah generate --with-context" writes of it.
    """
    from niah.api.report import run_path

    try:
        path = run_path(what)
    except UnknownName as error:
        if (case := _as_case(what)) is None:
            near = error.remedy if error.remedy.startswith("Did") else ""
            remedy = near or "Name a file of runs/, or a case such as ferry-lanterns_essays_2048_d25_s1."
            raise UserError(f"{what!r} is neither a run file nor a case id.", remedy) from None
        _show_case(case, json=json)
    else:
        _show_run(path, json=json)


def _show_case(case: Case, *, json: bool) -> None:
    from niah.cases.assembly.render import build_context
    from niah.cases.export import case_record
    from niah.cases.prompts import load_prompt
    from niah.needles.load import load_needle_set
    from niah.plots.terminal import mark_context

    context = build_context(case)
    if json:
        print_json(case_record(case, context, with_context=True))
        return
    needle_set = load_needle_set(case.needle_set, case.seed)
    before, after = load_prompt(case.prompt).frame(needle_set.question)
    click.echo(f"{before}{mark_context(context)}{after}\n")
    click.secho(f"{case.case_id}: {context.tokens} context + {context.prompt_tokens} prompt tokens", dim=True)
    for each in context.needles:
        click.secho(f"needle {each.id} at token {each.token_start}, asked {each.asked_token}", dim=True)
    click.secho(f"reference answer: {needle_set.answer}", dim=True)


def _show_run(path: Path, *, json: bool) -> None:
    """Print outcomes, settings with their sources, and versions. Raises RunFileError."""
    from rich.console import Console

    from niah.plots.tables import grid_of, print_grid
    from niah.plots.words import closed_book_lines
    from niah.runs.file.read import read_run
    from niah.runs.provenance import value_words

    run = read_run(path)
    stored = ("judge", "readers", "judges", "stopped", "left_out", "invocations")
    found: dict[str, Any] = {
        "path": str(path),
        "trials": len(run.trials),
        "outcomes": dict(Counter(run.trials["outcome"]).most_common()),
        **{name: getattr(run, name) for name in stored},
        "asked_without_context": run.closed_book.counts() if run.closed_book else [],
        "answers_go_by": list(run.config.get("packages") or []),
    }
    if json:
        print_json(found)
        return
    for name in ("path", "trials", "outcomes", "judge", "stopped", "answers_go_by"):
        if found[name]:
            click.echo(f"{name.replace('_', ' ')}: {value_words(found[name])}")
    for line in closed_book_lines(run.closed_book):
        click.echo(line)
    print_left_out(run.left_out, err=False)
    for each in run.invocations:
        click.echo(f"niah run: {each.started_at[:19].replace('T', ' ')} UTC")
    for latest in run.invocations[-1:]:
        click.echo(f"versions: {value_words(latest.versions)}")
        grid = grid_of(dict.fromkeys(("setting", "value", "from"), False))
        for name, setting in latest.settings.items():
            if setting["value"] is not None:
                grid.add_row(name, value_words(setting["value"]), setting["source"])
        print_grid(grid, Console(markup=False))


@click.command(cls=RunCommand)
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=completes("needle-sets"))
@click.option(
    "--seeds", type=COUNT, default=5, show_default=True, help="A haystack is searched with so many."
)
def check_command(names: tuple[str, ...], seeds: int) -> int:
    """Check needle sets, families and haystacks, and say what is in each.

    NAME is a name or a path: of a needle set (needles/mine.yaml), of a family (starlight-short), of one size
    of a family (starlight-short@12), or of a haystack (essays, ./documents).

    What a needle set says itself is put before the rubric: its answer must score 10, none of several needles
    10 alone, a refusal 1; a family's answer must depend on the seed. A haystack is measured, and searched for
    sentences that answer a needle set by accident. Exit code 2 where a needle set is wrong, after one line
    for each mistake; 1 where a haystack answers.
    """
    from niah.api.check import check_needle_sets
    from niah.haystacks.documents import haystack_names
    from niah.text.tokenizer import get_tokenizer

    mistakes: dict[str, None] = {}
    accidents = 0
    for name in names:
        path = Path(name)
        try:
            if name in haystack_names() or (path.exists() and path.suffix not in (".yaml", ".yml")):
                for line in _haystack_lines(name, seeds):
                    accidents += line.startswith("seed ")
                    click.echo(line)
                continue
            for drawn, found in check_needle_sets(name):
                mistakes |= dict.fromkeys(map(str, found))
                if not found:
                    first, texts = drawn[0], [needle.text for each in drawn for needle in each.needles]
                    tokens = get_tokenizer("cl100k").counts(texts)
                    lengths = f" of {tokens.min()}-{tokens.max()} tokens" if texts else ""
                    needles = f"{counted(len(first.needles), 'needle')}{lengths}"
                    kinds = {"element": first.elements, "distractor": first.distractors}
                    parts = [needles, *(counted(len(each), noun) for noun, each in kinds.items())]
                    seeds_drawn = f", seeds 1-{len(drawn)}" if len(drawn) > 1 else ""
                    click.echo(f"{first.name}: {first.kind}, {', '.join(parts)}{seeds_drawn}: ok")
        except UserError as error:
            mistakes[str(error)] = None
    for mistake in mistakes:
        complain(f"niah: {mistake}")
    return 2 if mistakes else 1 if accidents else 0


def _haystack_lines(name: str, seeds: int) -> Iterator[str]:
    """A haystack's measures, and its sentences that answer a needle set by accident."""
    from niah.cases.audit import answer_leaks
    from niah.haystacks.corpus import load_corpus
    from niah.haystacks.documents import haystack_path, load_documents
    from niah.haystacks.stats import measure_haystack
    from niah.haystacks.world import is_world
    from niah.needles.load import every_needle_set

    measured = asdict(measure_haystack(load_documents(name, 1)))
    measured |= {"tokens of cl100k": int(load_corpus(name, "cl100k", 1).tokens[-1])}
    figures = (
        f"{value:,} {what}" if isinstance(value, int) else f"{what} {value:.3g}"
        for what, value in measured.items()
    )
    yield f"{name}: {', '.join(figures).replace('_', ' ')}"
    total = 0
    for seed in range(1, seeds + 1):
        sets = every_needle_set(seed)
        changes = seed == 1 or is_world(haystack_path(name))
        searched = sets if changes else [drawn for drawn in sets if "@" in drawn.name]
        for accident in answer_leaks(load_documents(name, seed), searched):
            total += 1
            yield f"seed {seed}, {accident.needle_set}, {accident.document}: {accident.sentence}"
    yield f"{total} accidental answers to {len(every_needle_set(1))} needle sets, {seeds} seeds"


# The title of each schema, and the class of a file.
_SCHEMAS = {
    "needle-set": ("A needle set (needles/*.yaml)", "niah.needles.needle_set:NeedleSet"),
    "family": ("A family of needle sets (needles/families/*.yaml)", "niah.needles.families.schema:Family"),
    "haystack": ("A haystack's structure (its haystack.yaml)", "niah.haystacks.structure:HaystackFile"),
    "suite": ("A suite (cases/*.yaml)", "niah.cases.suite:SuiteFile"),
    "run": ("A run config (runs/*.yaml)", "niah.runs.config:RunFile"),
}


@click.command(cls=RunCommand)
@click.option("--out", type=A_FOLDER, default="schemas", show_default=True, help="Folder to write.")
def schema_command(out: Path) -> None:
    """Write the JSON Schemas of needle sets, families, haystacks, suites and run configs.

    An editor with the YAML language server completes and checks a file whose first line points to its schema:

    \b
      # yaml-language-server: $schema=../schemas/needle-set.schema.json
    """
    from niah.files import atomic_write
    from niah.registry import load_reference

    written: dict[str, dict[str, Any]] = {}
    for name, (title, place) in _SCHEMAS.items():
        schema: dict[str, Any] = load_reference(place).model_json_schema(by_alias=True)
        if name == "run":  # it may hold its suite
            suite = written["suite"]
            seeds = {"anyOf": [part["properties"]["seeds"] for part in (suite, schema)]}
            schema["properties"] = suite["properties"] | schema["properties"] | {"seeds": seeds}
            schema["$defs"] |= suite["$defs"]
            schema["required"].remove("suite")
        dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
        written[name] = {**dialect, **schema, "title": title}
        path = out / f"{name}.schema.json"
        with atomic_write(path) as file:
            file.write(jsons.dumps(written[name], indent=2).encode() + b"\n")
        click.echo(path)
