"""Options that ``niah run`` and ``niah plan`` share, and the run config that they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from datetime import date
from functools import reduce, wraps
from typing import TYPE_CHECKING, Any

import click

from niah.api.run_files import run_name
from niah.cli.name_completion import completes
from niah.cli.option_types import COUNT, FILLED
from niah.cli.patience import PATIENCE, patience_options, transport_of
from niah.cli.running.grid_options import GRID_PARAMETERS, grid_options
from niah.cli.running.own_needles import own_needles
from niah.cli.suite_options import suite_options
from niah.cli.variables import option_as_given, variable_of
from niah.errors import ConfigError, UnknownName, UserError
from niah.readers.credentials import noting_missing_keys

if TYPE_CHECKING:
    from niah.cases.suite import InsteadOfSuite
    from niah.runs.config.run_config import Instead, RunConfig
    from niah.runs.cost.prices import Budget
    from niah.runs.shards import Shard

DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def parse_date(context: click.Context, option: click.Parameter, text: str | None) -> date | None:
    """The date that an option gives. Raises BadParameter."""
    if text is None:
        return None
    try:
        if DATE.fullmatch(text):
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise click.BadParameter(
        f"{text!r} is no date. Write one of the calendar as 2026-11-22.", context, option
    )


def as_budget(context: click.Context, option: click.Parameter, text: str | None) -> Budget | None:
    """The budget that an option gives. Raises UserError; one of its variable is told of that elsewhere."""
    if text is None:
        return None
    from niah.runs.cost.prices import parse_budget

    try:
        return parse_budget(text)
    except UserError as error:
        if variable_of(context, option):
            raise
        raise UserError(f"{option.opts[0]}: {error.message}", error.remedy) from None


def _as_shard(context: click.Context, option: click.Parameter, text: str | None) -> Shard | None:
    if text is None:
        return None
    from niah.runs.shards import parse_shard

    return parse_shard(text)


def _as_options(context: click.Context, option: click.Parameter, texts: tuple[str, ...]) -> dict[str, Any]:
    if not texts:
        return {}
    from niah.runs.reader_options import parse_options

    return parse_options(texts)


_TO_CONFIG = (
    *("model", "api_base", "judge", "reader_options", "concurrency", "date"),
    *("skip", "accidents", "reserve"),
    *PATIENCE,
)

judge_option = click.option(
    "--judge",
    help="Judge in place of the config's: auto, any model, or rubric+openai/gpt-4o-mini, which asks the "
    "model only about answers that the rubric is unsure of.",
    shell_complete=completes("judges"),
)

reader_option = click.option(
    "--reader-option",
    "reader_options",
    metavar="NAME=VALUE",
    multiple=True,
    callback=_as_options,
    help="Settings of every model: temperature=0.7, thinking_tokens=2000, extra_body.top_k=20 ...; "
    "may be given several times. The config's without it.",
)

_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--model",
        help="Model in place of the config's: openai/gpt-4o-mini, any litellm name, or a .gguf file.",
        shell_complete=completes("readers"),
    ),
    click.option(
        "--api-base",
        type=FILLED,
        help="Address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp) that has --model.",
    ),
    judge_option,
    reader_option,
    click.option(
        "--concurrency",
        type=COUNT,
        help="Requests at once to each model over HTTP. The config's without it, or 8.",
    ),
    click.option(
        "--date",
        metavar="YYYY-MM-DD",
        callback=parse_date,
        help="The night whose rotating seeds the run takes; today (UTC) without it.",
    ),
    click.option(
        "--shard",
        metavar="I/N",
        callback=_as_shard,
        help="Only the I-th of N parts of the run, in a run file of its own.",
    ),
)


def run_options(function: Callable[..., Any], *, asks: bool = True) -> Callable[..., Any]:
    """Give a command the argument CONFIG and the options that say which run is meant.

    ``function`` gets the context, the run config that they mean, the run's name and its shard, then the
    command's own options. ``asks`` is for one that asks models, and needs their keys.
    """

    @wraps(function)
    @click.pass_context
    def command(context: click.Context, /, shard: Shard | None, config: str | None, **own: Any) -> Any:
        for shared in (*_TO_CONFIG, *GRID_PARAMETERS):
            own.pop(shared)
        if config is not None:
            check_known(config)
        with nullcontext() if asks else noting_missing_keys(), own_needles(context) as needle_set:
            resolved = resolve_run(context, config, needle_set)
            in_place = _in_place(context.params, needle_set)
            name = run_name(resolved, context.params["model"], shard, in_place)
            # Within, so that a run that cannot start leaves no needle set either.
            return function(context, resolved, name, shard, **own)

    config = click.argument("config", required=False, metavar="[CONFIG]", shell_complete=completes("runs"))
    options = (config, grid_options, *_OPTIONS, patience_options, suite_options)
    return reduce(lambda decorated, option: option(decorated), reversed(options), command)


def resolve_run(context: click.Context, config: str | None, needle_set: str | None = None) -> RunConfig:
    """The run config that the command line of ``context`` means. Raises UserError.

    Args:
        config: its name or path; None where the options say all.
        needle_set: of the command line, in place of the suite's.
    """
    given = context.params
    from niah.runs.config.run_config import Instead

    instead = Instead(
        given["model"],
        given["api_base"],
        given["concurrency"],
        given["date"],
        _of_suite(given, needle_set),
        given["judge"],
        _keys(given, config),
        given["reader_options"],
        transport=transport_of(given),
    )
    if instead.model and "," in instead.model:
        option = option_as_given(context, "model")
        problem = f"{option} names one model, not several ({instead.model})."
        remedy = "Write them as `readers` of a run config, or run each, and niah compare A B --readers X,Y."
        raise UserError(problem, remedy)
    if instead.api_base and not instead.model:
        option = option_as_given(context, "api_base")
        raise UserError(f"{option} needs --model.", "Say which model the server should use.")
    resolved = _loaded(config, instead)
    _check_concurrency(context, resolved, instead)
    if instead.date and resolved.date is None:
        option = option_as_given(context, "date")
        problem = f"{option} has no part in this run: {resolved.path} has no rotating seeds."
        raise UserError(problem, "Leave it out.")
    return resolved


def _of_suite(given: Mapping[str, Any], needle_set: str | None) -> InsteadOfSuite | None:
    """What stands in place of the suite's own keys; None where nothing does."""
    names = ("haystack", "skip", "accidents", "reserve", "needle_sets", "lengths", "depths")
    said = {name: given[name] for name in names if given[name] is not None}
    if needle_set:
        said["needle_sets"] = (needle_set,)
    if not said:
        return None
    from niah.cases.suite import InsteadOfSuite

    return InsteadOfSuite(**said)


def check_known(config: str) -> None:
    """Raise UnknownName for what names neither run config nor suite, before anything heavy is imported."""
    from niah.files import find
    from niah.paths import places

    try:
        find("run config", config, places("runs"))
    except UnknownName as error:
        try:
            find("suite", config, places("cases"))
        except UnknownName:
            raise error from None


def _loaded(config: str | None, instead: Instead) -> RunConfig:
    """The run config; what is wrong with a list of the command line is told of its option."""
    from niah.runs.config.load import load_config

    try:
        return load_config(config or str(instead.keys["suite"]), instead)
    except ConfigError as error:
        key = error.key.partition(".")[0]
        if key not in instead.keys or key == "readers":
            raise
        problem = error.message.removeprefix(f"{error.path}: {error.key}: ")
        raise UserError(f"--{key}: {problem}", error.remedy) from None


def _keys(given: Mapping[str, Any], config: str | None) -> dict[str, Any]:
    """Keys in place of the run config's; all that must be there, where there is no config."""
    given_keys: dict[str, Any] = {"strategies": list(given["strategies"])} if given["strategies"] else {}
    if given["seeds"]:
        given_keys["seeds"] = {"anchor": list(given["seeds"])}
    if config is not None:
        if given["suite"]:
            problem = f"{config} has a suite of its own."
            raise UserError(problem, "Leave out --suite, or the run config.")
        return given_keys
    from niah.readers.reader import EMBEDDED
    from niah.runs.config.load import SUITE_OF_NEEDLES

    suite = given["suite"] or (SUITE_OF_NEEDLES if given["needles"] or given["needle_sets"] else None)
    if suite is None:
        problem = "there is nothing to run yet."
        remedy = (
            "Name a run config (niah list runs), a suite with --suite, or a fact of your own with --needle."
        )
        raise UserError(problem, remedy)
    readers = given["model"] or EMBEDDED
    return {"suite": suite, "readers": [readers], "strategies": ["lc"], **given_keys}


def _in_place(given: Mapping[str, Any], needle_set: str | None) -> list[list[str]]:
    """What a run's name says of what stands in place of a config's or suite's own."""
    names = [*([needle_set] if needle_set else []), *(given["needle_sets"] or ())]
    seeds = ["seeds", *given["seeds"]] if given["seeds"] else []
    groups = (names, given["strategies"], given["lengths"], given["depths"], seeds, [given["haystack"]])
    said = [
        [f"{each:g}" if isinstance(each, float) else str(each) for each in group or () if each is not None]
        for group in groups
    ]
    return [group for group in said if group]


def _check_concurrency(context: click.Context, config: RunConfig, instead: Instead) -> None:
    if instead.concurrency in (None, 1):
        return
    if all(reader.settings.get("provider") == "embedded" for reader in config.readers):
        raise UserError(
            f"{option_as_given(context, 'concurrency')} has no effect: "
            f"{', '.join(reader.name for reader in config.readers)} is embedded, one prompt at a time.",
            "Leave it out.",
        )
