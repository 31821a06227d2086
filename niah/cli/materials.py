"""``niah generate``, ``retrieve``, ``show``, ``check`` and ``schema``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
import orjson

from niah.cli.options import A_FILE, A_FOLDER, A_PATH, COUNT, RunCommand, a_run, completes, json_option, words
from niah.cli.run import print_left_out
from niah.cli.terminal import complain, print_json, say, written_to
from niah.errors import ConfigError, UnknownName, UserError, counted
from niah.files import YAML, FileModel, atomic_write

if TYPE_CHECKING:
    from niah.cases.export import ExportForm

_haystack = click.option(
    "--haystack", metavar="NAME|PATH", help="Haystack in place of the suite's: a name, or a folder or file."
)


@click.command(cls=RunCommand)
@click.argument("suite", shell_complete=completes("suites"))
@_haystack
@click.option("--tokenizer", help="In place of the suite's.", shell_complete=completes("tokenizers"))
@click.option("--out", type=A_PATH, help="File to write, by any name; standard output without it or with -.")
@click.option("--with-context", is_flag=True, help="Put the context's text into every line.")
@click.option("--audit", is_flag=True, help="Tokenise every context again and check what the line says.")
@click.option(
    "--to", type=click.Choice(["inspect", "lm-eval", "jsonl", "parquet"]), help="A task for another project."
)
def generate_command(
    suite: str, out: Path | None, with_context: bool, audit: bool, to: ExportForm | None, **instead: Any
) -> None:
    """Write the cases of SUITE (a name or a YAML file), one JSON object per line.

    With --to it is a task of Inspect or lm-eval in a folder, or a file, with whole prompts. A task scores the
    share of elements that an answer names; niah's judges, strategies and statistics stay here.
    """
    out = None if str(out) == "-" else out
    if to is not None:
        from niah.cases.export import export_cases

        if out is None or with_context or audit or any(instead.values()):
            problem = "--to takes --out, the folder of the task or the file, and no other option."
            raise UserError(problem, "Write haystack and tokenizer into the suite.")
        exported = export_cases(suite, to, out)
        say(f"{counted(exported.cases, 'case')}: {exported.start}")
        if exported.unscored:
            say(f"{exported.unscored:,} left out: an answer to them has nothing to name")
        print_left_out(exported.left_out)
        return
    from niah.cases.export import write_records
    from niah.cases.suite import load_suite

    grid = load_suite(suite, instead)
    with written_to(out) as file:
        written = write_records(grid, file.write, with_context=with_context, audited=audit)
    if out:
        checked, left_out = ", every one audited" if audit else "", out.with_suffix(".left-out.jsonl")
        say(f"{counted(written.cases, 'case')}, {written.tokens:,} context tokens{checked}: {out}")
        if not written.left_out:
            left_out.unlink(missing_ok=True)
        elif out.is_file():
            _write_lines(left_out, written.left_out)
            say(f"what was left out, with what hinders it: {left_out}")
    if grid.question_sets.paths:
        say(f"its questions are left out: niah generate {quote(suite)} --to jsonl --out FILE writes them too")
    for note in written.notes:
        say(note)
    print_left_out(written.left_out)


def _write_lines(path: Path, rows: Iterable[object]) -> None:
    with atomic_write(path) as file:
        file.writelines(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


@click.command(cls=RunCommand)
@click.argument("target", metavar="CASE_ID|SUITE", shell_complete=completes("suites"))
@click.option(
    "--strategies",
    metavar="LIST",
    required=True,
    type=words,
    help="One strategy to look at, for a case; strategies to compare over a suite.",
    shell_complete=completes("strategies"),
)
@_haystack
@click.option("--limit", type=COUNT, help="Take the suite's first cases only, so many.")
@click.option("--out", type=A_FILE, help="File for a JSON line per case and strategy.")
@json_option
def retrieve_command(
    target: str,
    strategies: tuple[str, ...],
    json: bool,
    limit: int | None,
    out: Path | None,
    haystack: str | None,
) -> None:
    """Retrieve without asking any model.

    For a case: what a strategy would send, chunks in prompt order with their ranks and the needles they hold.
    For a suite: how much of the needles each strategy retrieves, by context length and number of needles.
    """
    from niah.cases.samples import nothing_left, sample_of, samples_of
    from niah.cases.suite import case_of_id, load_suite
    from niah.strategies.strategy import parse

    case = case_of_id(target)
    with redirect_stdout(sys.stderr):  # a module of the user's own, imported here, may print
        chosen = [parse(name) for name in strategies]
    from niah.plots.terminal import print_retrieval, print_retrieval_tables, retrieval_as_json
    from niah.runs.retrieval import check_evidence, check_retrieval, evaluate, evidence_lines, retrieve

    if case:
        of_suites = {"--haystack": haystack, "--limit": limit, "--out": out}
        if unused := [name for name, given in of_suites.items() if given]:
            raise UserError(f"{target} is a case: it takes no {unused[0]}.", "Leave that out.")
        if len(chosen) != 1:
            raise UserError(f"{target} is a case, which takes one strategy.", "Try --strategies dos.")
        with redirect_stdout(sys.stderr):
            check_retrieval(chosen, say)
            retrieval = retrieve(sample_of(case), chosen[0], say)
        if json:
            print_json(retrieval_as_json(retrieval))
        else:
            print_retrieval(retrieval)
        return
    from rich.console import Console
    from rich.progress import track

    suite = load_suite(target, {"haystack": haystack})
    made, left_out = samples_of(suite.cases[:limit], suite.skip)
    samples = [*made, *suite.question_sets.samples()][:limit]
    if not samples:
        raise nothing_left(left_out)
    with redirect_stdout(sys.stderr):  # what a retriever of the user's own prints is no table, and no JSON
        check_retrieval(chosen, say)
        for strategy in chosen:
            check_evidence(strategy, samples)
        for line in evidence_lines(chosen, samples):
            say(line)
        rows, of, err = evaluate(samples, chosen, say), len(samples) * len(chosen), Console(stderr=True)
        bar: dict[str, Any] = {"console": err, "transient": True, "disable": not err.is_terminal}
        records = list(track(rows, "retrieving", total=of, **bar))
    print_retrieval_tables(records, as_json=json)
    if out:
        _write_lines(out, records)
        say(f"written: {out}")
    print_left_out(left_out)


@click.command(cls=RunCommand)
@click.argument("what", metavar="CASE_ID|RUN", shell_complete=completes())
@json_option
def show_command(what: str, json: bool) -> None:
    """Print one case, or how one run was made.

    Of CASE_ID, the prompt is rebuilt and printed with needles marked [[ ]] and distractors (( )). Of RUN (a
    run file, or its name in runs/), its settings and where each came from, versions, outcomes, and what was
    left out. As JSON a case is what "niah generate --with-context" writes of it.
    """
    from niah.cases.suite import case_of_id

    if case := case_of_id(what):
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
        click.secho(
            f"{case.case_id}: {context.tokens} context + {context.prompt_tokens} prompt tokens", dim=True
        )
        for each in context.needles:
            click.secho(f"needle {each.id} at token {each.token_start}, asked {each.asked_token}", dim=True)
        click.secho(f"reference answer: {needle_set.answer}", dim=True)
        return
    try:
        path = a_run(what)
    except UnknownName as error:
        raise UserError(f"{what!r} is neither a case id nor a run file.", error.remedy) from None
    from rich.console import Console

    from niah.plots.labels import value_words
    from niah.plots.tables import grid_of, print_grid
    from niah.plots.words import closed_book_lines
    from niah.runs.file.read import read_run

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
    click.echo(f"begun, UTC: {', '.join(each.started_at[:19] for each in run.invocations)}")
    for latest in run.invocations[-1:]:
        click.echo(f"versions: {value_words(latest.versions)}")
        grid = grid_of(dict.fromkeys(("setting", "value", "from"), False))
        for name, setting in latest.settings.items():
            if setting["value"] is not None:
                grid.add_row(name, value_words(setting["value"]), setting["source"])
        print_grid(grid, Console(markup=False))


@click.command(cls=RunCommand)
@click.argument("names", metavar="NAME...", nargs=-1, required=True, shell_complete=completes("needle-sets"))
@click.option("--seeds", type=COUNT, default=5, help="To search a haystack with.")
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

    mistakes, accidents = dict[str, None](), 0
    for name in names:
        try:
            if name in haystack_names() or (Path(name).exists() and Path(name).suffix not in YAML):
                accidents += _search_haystack(name, seeds)
                continue
            for drawn, found in check_needle_sets(name):
                mistakes |= dict.fromkeys(map(str, found))
                if not found:
                    first, kinds = drawn[0], ("needle", "element", "distractor")
                    parts = [counted(len(getattr(first, f"{kind}s")), kind) for kind in kinds]
                    parts += [f"seeds 1-{len(drawn)}"] if len(drawn) > 1 else []
                    click.echo(f"{first.name}: {first.kind}, {', '.join(parts)}: ok")
        except UserError as error:
            others = error.others if isinstance(error, ConfigError) else ()
            mistakes |= dict.fromkeys(map(str, (error, *others)))
    for mistake in mistakes:
        complain(f"niah: {mistake}")
    return 2 if mistakes else 1 if accidents else 0


def _search_haystack(name: str, seeds: int) -> int:
    """Print a haystack's measures, and its sentences that answer a needle set by accident; how many."""
    from niah.cases.audit import answer_leaks
    from niah.haystacks.corpus import load_corpus
    from niah.haystacks.documents import haystack_path, load_documents, measure_haystack
    from niah.haystacks.world import is_world
    from niah.needles.load import every_needle_set

    found = measure_haystack(documents := load_documents(name, 1))
    found["tokens"] = int(load_corpus(name, "cl100k", 1).tokens[-1])
    sizes = [counted(int(found[f"{what}s"]), what) for what in ("document", "sentence", "word", "token")]
    click.echo(f"{name}: {', '.join(sizes)} of cl100k; structure: {documents[0].structure}")
    click.echo(
        f"its first {found['excerpt']:,} characters: {found['vocabulary']:,} different words;"
        f" {found['distinct 4']:.1%} of all runs of 4 words are different, {found['distinct 8']:.1%} of 8;"
        f" {found['duplicate sentences']:.1%} of sentences repeat one; zlib leaves {found['zlib ratio']:.1%}"
    )
    total, changes = 0, is_world(haystack_path(name))
    for seed in range(1, seeds + 1):
        sets = [each for each in every_needle_set(seed) if seed == 1 or changes or "@" in each.name]
        for needle_set, document, sentence in answer_leaks(load_documents(name, seed), sets):
            total += 1
            click.echo(f"seed {seed}, {needle_set}, {document}: {sentence}")
    click.echo(f"{total} accidental answers to {len(every_needle_set(1))} needle sets, {seeds} seeds")
    return total


@click.command(cls=RunCommand)
@click.option("--out", type=A_FOLDER, default="schemas", help="Folder to write.")
def schema_command(out: Path) -> None:
    """Write the JSON Schemas of needle sets, families, haystacks, suites and run configs.

    An editor with the YAML language server completes and checks a file that begins with the line
    # yaml-language-server: $schema=../schemas/needle-set.schema.json
    """
    from niah.cases.suite import SuiteFile
    from niah.haystacks.structure import HaystackFile
    from niah.needles.families.schema import Family
    from niah.needles.needle_set import NeedleSet
    from niah.runs.config import RunFile

    models: dict[str, type[FileModel]] = {"needle-set": NeedleSet, "family": Family, "haystack": HaystackFile}
    models |= {"suite": SuiteFile, "run": RunFile}
    schemas = {name: model.model_json_schema(by_alias=True) for name, model in models.items()}
    suite, run = schemas["suite"], schemas["run"]  # which may hold its suite
    seeds = {"anyOf": [part["properties"]["seeds"] for part in (suite, run)]}
    run["properties"] = suite["properties"] | run["properties"] | {"seeds": seeds}
    run["$defs"] |= suite["$defs"]
    run["required"].remove("suite")
    for name, schema in schemas.items():
        path = out / f"{name}.schema.json"
        titled = {"$schema": "https://json-schema.org/draft/2020-12/schema"} | schema | {"title": name}
        with atomic_write(path) as file:
            file.write(orjson.dumps(titled, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
        click.echo(path)
