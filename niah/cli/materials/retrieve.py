"""``niah retrieve``: what a strategy would send, and how well strategies retrieve, without any reader."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

import click

from niah.cli.file_endings import check_lines
from niah.cli.name_completion import completes
from niah.cli.option_types import COUNT, FILLED, FilePath
from niah.cli.suite_options import print_left_out, suite_options
from niah.errors import UnknownName, UserError, did_you_mean
from niah.paths import places
from niah.retrieval.mixpr.figure_names import FIGURE_NAMES, ROUTER

if TYPE_CHECKING:
    from niah.cases.case import AccidentRule, Case
    from niah.cases.left_out import LeftOut, SkipRule
    from niah.cases.sample import Sample
    from niah.cases.suite import Reserve, Suite
    from niah.runs.retrieval import RetrievalRecord
    from niah.strategies.strategy import Strategy

_PLOTS = Path("plots", "mixpr")


@click.command()
@click.argument("target", metavar="CASE_ID|SUITE", required=False, shell_complete=completes("suites"))
@click.option(
    "--strategy",
    help="Strategy to look at, for one case; see: niah list strategies.",
    shell_complete=completes("strategies"),
)
@click.option(
    "--strategies",
    help="Strategies to compare over a suite, with commas between them.",
    shell_complete=completes("strategies", listed=True),
)
@click.option(
    "--haystack",
    help="Haystack in place of the suite's: a name, or the path of a folder or file.",
    shell_complete=completes("haystacks"),
)
@suite_options
@click.option("--limit", type=COUNT, help="Take the suite's first cases only, so many.")
@click.option(
    "--out",
    type=FilePath(path_type=Path, dir_okay=False),
    help="File for a JSON line per case and strategy.",
)
@click.option("--plots", type=FilePath(path_type=Path, file_okay=False), help="Folder for the figure.")
@click.option(
    "--figure",
    type=click.Choice(FIGURE_NAMES),
    help="One of MixPR's figures in place of the tables: recall over alpha or over k, time over length, or, "
    "with no suite, how often the router is right.",
)
@click.option("--reader", help="Model that routes beside the rules, for --figure router.")
@click.option("--api-base", type=FILLED, help="Address of an OpenAI-compatible server that has the --reader.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON for machines in place of tables; null is unknown."
)
def retrieve_command(
    target: str | None,
    strategy: str | None,
    strategies: str | None,
    haystack: str | None,
    skip: SkipRule | None,
    accidents: AccidentRule | None,
    reserve: Reserve | None,
    limit: int | None,
    out: Path | None,
    plots: Path | None,
    figure: str | None,
    reader: str | None,
    api_base: str | None,
    as_json: bool,
) -> None:
    """Retrieve without asking any reader.

    For a case: what --strategy would send, its chunks by rank with the needles they hold. For a suite: how
    much of the needles each of --strategies retrieves, by context length and number of needles. With --figure
    one of MixPR's figures is drawn from a suite's retrievals; it brings its own strategies.
    """
    if figure != ROUTER and (reader or api_base):
        raise UserError("--reader and --api-base are for --figure router.", "No other asks a model.")
    if figure and as_json:
        raise UserError(
            "--figure draws, and prints no table.", "Leave --json out; numbers are in its CSV file."
        )
    for_suites = {
        "--strategies": strategies,
        "--haystack": haystack,
        "--skip": skip,
        "--accidents": accidents,
        "--reserve": reserve,
        "--limit": limit,
        "--out": out,
        "--plots": plots,
        "--figure": figure,
    }
    if figure == ROUTER:
        taken = {**for_suites, "--strategy": strategy, "CASE_ID|SUITE": target}
        _save_router(taken, plots or _PLOTS, reader, api_base)
        return
    if target is None:
        raise UserError("there is nothing to retrieve from.", "Name a case or a suite: niah list suites.")
    check_lines(out)
    case = _as_case(target)
    if case is None:
        _check_known(target)
        from niah.cases.suite import InsteadOfSuite, load_suite

        instead = InsteadOfSuite(haystack, skip=skip, accidents=accidents, reserve=reserve)
        suite = load_suite(target, instead)
        if strategy is not None:
            raise UserError(f"{target} is a suite; --strategy is for one case.", "Use --strategies a,b,c.")
        with redirect_stdout(sys.stderr):  # a module of the user's own, imported here, may print
            compared = [] if figure and strategies is None else _strategies(target, strategies)
        _retrieve_suite(suite, compared, limit, out, plots, figure, as_json=as_json)
        return
    for option, value in for_suites.items():
        if value is not None:
            raise UserError(f"{target} is a case; {option} is for suites.", "A case takes --strategy alone.")
    if strategy is None:
        raise UserError(f"the case {target} needs a --strategy.", "For example --strategy dos.")
    _retrieve_case(case, strategy, as_json=as_json)


def _retrieve_suite(
    suite: Suite,
    compared: Sequence[Strategy],
    limit: int | None,
    out: Path | None,
    plots: Path | None,
    figure: str | None,
    *,
    as_json: bool,
) -> None:
    """Print the tables of a suite, or draw one of MixPR's figures from its retrievals."""
    from niah.api.retrieve import evaluate_retrieval, save_mixpr_figure
    from niah.cases.left_out import avoided_by
    from niah.plots.terminal import show_progress

    samples, left_out = _samples(suite, limit)
    if figure:
        folder = plots or _PLOTS
        drawn = save_mixpr_figure(figure, samples, compared, folder, out=out, follow=show_progress, say=_say)
        for path in drawn:
            click.echo(f"figure: {path}", err=True)
    else:
        with redirect_stdout(
            sys.stderr
        ):  # what a retriever of the user's own prints is no table, and no JSON
            records = evaluate_retrieval(samples, compared, out=out, follow=show_progress, say=_say)
        _show_tables(records, out, plots, as_json=as_json)
    print_left_out(left_out, avoided_by(samples))


def _retrieve_case(case: Case, strategy: str, *, as_json: bool) -> None:
    """Print what the strategy of that name would send."""
    from niah.cases.samples import sample_of
    from niah.plots.terminal import print_retrieval, retrieval_as_json
    from niah.runs.retrieval import retrieve
    from niah.strategies.strategy import parse

    with redirect_stdout(sys.stderr):
        retrieval = retrieve(sample_of(case), parse(strategy), _say)
    if as_json:
        _print_json(retrieval_as_json(retrieval))
    else:
        print_retrieval(retrieval)


def _show_tables(
    records: Sequence[RetrievalRecord], out: Path | None, plots: Path | None, *, as_json: bool
) -> None:
    """Print what was retrieved for a suite, say where its records are, and draw them."""
    from niah.plots.sweeps import save_retrieval
    from niah.plots.terminal import print_retrieval_tables, retrieval_tables_as_json

    if as_json:
        _print_json(retrieval_tables_as_json(records))
    else:
        print_retrieval_tables(records)
    if out:
        click.echo(f"{len(records)} lines: {out}", err=True)
    if plots:
        for path in save_retrieval(records, plots):
            click.echo(f"figure: {path}", err=True)


def _print_json(found: Mapping[str, object]) -> None:
    import orjson

    click.echo(orjson.dumps(found, option=orjson.OPT_INDENT_2))


def _save_router(
    options: Mapping[str, object], folder: Path, reader: str | None, api_base: str | None
) -> None:
    for option, value in options.items():
        if value is not None and option not in ("--figure", "--plots"):
            raise UserError(
                f"--figure router takes no {option}: its questions ship.", "Name --reader and --plots alone."
            )
    if api_base and not reader:
        raise UserError("--api-base needs a --reader.", "Name the model that the server has.")
    from niah.api.retrieve import save_router_figure
    from niah.readers.resolve import ReaderSpec, resolve_reader

    asked = resolve_reader(ReaderSpec(reader, api_base)) if reader else None
    for path in save_router_figure(folder, asked):
        click.echo(f"figure: {path}", err=True)


def _as_case(target: str) -> Case | None:
    from niah.cases.case import parse_case_id

    try:
        return parse_case_id(target)
    except UserError:
        return None


def _check_known(target: str) -> None:
    """Raise UserError for what names no suite, before anything heavy is imported."""
    from niah.files import find, yaml_names

    folders = places("cases")
    try:
        find("suite", target, folders)
    except UnknownName:
        if target and Path(target).is_dir():
            raise
        known = did_you_mean(target, yaml_names(folders))
        hint = (
            f"{known} A case looks like ferry-lanterns_essays_2048_d25_s1; a question of a question set goes "
            "by its suite (--limit takes the first)."
        )
        raise UserError(f"no suite or case called {target!r}.", hint) from None


def _samples(suite: Suite, limit: int | None) -> tuple[list[Sample], list[LeftOut]]:
    """The samples of the suite's first cases, so many, then of its questions; and the cases left out."""
    from niah.cases.left_out import nothing_left
    from niah.cases.samples import samples_of

    samples, left_out = samples_of(suite.cases[:limit], suite.skip)
    if limit is None or len(samples) < limit:
        samples += suite.question_sets.samples()
    if not samples:
        raise nothing_left(left_out)
    return samples[:limit], left_out


def _strategies(target: str, text: str | None) -> list[Strategy]:
    from niah.strategies.strategy import parse

    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if not names:
        raise UserError(f"the suite {target} needs --strategies.", "For example --strategies dos,mixpr.")
    for position, name in enumerate(names):
        if name in names[:position]:
            raise UserError(f"--strategies names {name} twice.", "Take one out.")
    return [parse(name) for name in names]


def _say(line: str) -> None:
    click.echo(line, err=True)
