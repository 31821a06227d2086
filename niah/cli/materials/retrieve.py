"""``niah retrieve``: what a strategy would send, and how well strategies retrieve, without any reader."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from niah.api.retrieve import (
    ROUTER,
    SWEEPS,
    TIME,
    evaluate_retrieval,
    save_mixpr_figure,
    save_router_figure,
)
from niah.cases.case import AccidentRule, Case, parse_case_id
from niah.cases.left_out import LeftOut, SkipRule, nothing_left
from niah.cases.sample import Sample
from niah.cases.samples import avoided_by, sample_of, samples_of
from niah.cases.suite import InsteadOfSuite, Reserve, Suite, load_suite, suite_folders, suite_names
from niah.cli.numbers import COUNT
from niah.cli.suite_options import print_left_out, suite_options
from niah.errors import UnknownName, UserError, did_you_mean
from niah.files import find
from niah.plots.figures.retrieval import save_retrieval
from niah.plots.terminal.retrieval_text import print_retrieval, print_retrieval_tables, show_progress
from niah.readers.resolve import resolve_reader
from niah.runs.retrieval import retrieve
from niah.strategies.strategy import Strategy, parse

_PLOTS = Path("plots", "mixpr")


@click.command()
@click.argument("target", metavar="CASE_ID|SUITE", required=False)
@click.option("--strategy", help="Strategy to look at, for one case; see: niah list strategies.")
@click.option("--strategies", help="Strategies to compare over a suite, with commas between them.")
@click.option("--haystack", help="Haystack in place of the suite's: a name, or the path of a folder or file.")
@suite_options
@click.option("--limit", type=COUNT, help="Take the suite's first cases only, so many.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for a JSON line per case and strategy.",
)
@click.option("--plots", type=click.Path(path_type=Path, file_okay=False), help="Folder for the figure.")
@click.option(
    "--figure",
    type=click.Choice([*SWEEPS, TIME, ROUTER]),
    help="One of MixPR's figures in place of the tables: recall over alpha or over k, time over length, or, "
    "with no suite, how often the router is right.",
)
@click.option("--reader", help="Model that routes beside the rules, for --figure router.")
@click.option("--api-base", help="Address of an OpenAI-compatible server that has the --reader.")
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
) -> None:
    """Retrieve without asking any reader.

    For a case: what --strategy would send, its chunks by rank with the needles they hold. For a suite: how
    much of the needles each of --strategies retrieves, by context length and number of needles. With --figure
    one of MixPR's figures is drawn from a suite's retrievals; it brings its own strategies.
    """
    if figure != ROUTER and (reader or api_base):
        raise UserError("--reader and --api-base are for --figure router.", "No other asks a model.")
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
    case = _as_case(target)
    if case is None:
        suite = _suite(target, InsteadOfSuite(haystack, skip=skip, accidents=accidents, reserve=reserve))
        if strategy is not None:
            raise UserError(f"{target} is a suite; --strategy is for one case.", "Use --strategies a,b,c.")
        compared = [] if figure and strategies is None else _strategies(target, strategies)
        samples, left_out = _samples(suite, limit)
        if figure:
            folder = plots or _PLOTS
            for path in save_mixpr_figure(
                figure, samples, compared, folder, out=out, follow=show_progress, say=_say
            ):
                click.echo(f"figure: {path}", err=True)
            print_left_out(left_out, avoided_by(samples))
            return
        records = evaluate_retrieval(samples, compared, out=out, follow=show_progress, say=_say)
        print_retrieval_tables(records)
        print_left_out(left_out, avoided_by(samples))
        if out:
            click.echo(f"{len(records)} lines: {out}", err=True)
        if plots:
            for path in save_retrieval(records, plots):
                click.echo(f"figure: {path}", err=True)
        return
    for option, value in for_suites.items():
        if value is not None:
            raise UserError(f"{target} is a case; {option} is for suites.", "A case takes --strategy alone.")
    if strategy is None:
        raise UserError(f"the case {target} needs a --strategy.", "For example --strategy dos.")
    print_retrieval(retrieve(sample_of(case), parse(strategy), _say))


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
    asked = resolve_reader(reader, api_base) if reader else None
    for path in save_router_figure(folder, asked):
        click.echo(f"figure: {path}", err=True)


def _as_case(target: str) -> Case | None:
    try:
        return parse_case_id(target)
    except UserError:
        return None


def _suite(target: str, instead: InsteadOfSuite) -> Suite:
    try:
        find("suite", target, suite_folders())
    except UnknownName:
        if target and Path(target).is_dir():
            raise
        hint = f"{did_you_mean(target, suite_names())} A case looks like ferry-lanterns_essays_2048_d25_s1."
        raise UserError(f"no suite or case called {target!r}.", hint) from None
    return load_suite(target, instead)


def _samples(suite: Suite, limit: int | None) -> tuple[list[Sample], list[LeftOut]]:
    """The samples of the suite's first cases, so many, then of its questions; and the cases left out."""
    samples, left_out = samples_of(suite.cases[:limit], suite.skip)
    if limit is None or len(samples) < limit:
        samples += suite.question_sets.samples()
    if not samples:
        raise nothing_left(left_out)
    return samples[:limit], left_out


def _strategies(target: str, text: str | None) -> list[Strategy]:
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if not names:
        raise UserError(f"the suite {target} needs --strategies.", "For example --strategies dos,mixpr.")
    for position, name in enumerate(names):
        if name in names[:position]:
            raise UserError(f"--strategies names {name} twice.", "Take one out.")
    return [parse(name) for name in names]


def _say(line: str) -> None:
    click.echo(line, err=True)
