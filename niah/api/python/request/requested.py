"""Which run the arguments of ``niah.run`` and ``niah.plan`` mean."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from niah.api.python.argument_kinds import FLAG, PATH, TEXT, check_argument
from niah.api.python.request.arguments import (
    PlanArguments,
    RunArguments,
    as_plain,
    check_count,
    check_plain,
    given_arguments,
    instead_of_suite,
)
from niah.api.run_files import run_file, run_name
from niah.cases.case import depth_part
from niah.cases.suite import InsteadOfSuite, suite_names
from niah.errors import ConfigError, UnknownName, UserError, did_you_mean
from niah.file_mistakes import file_keys
from niah.needles.own_facts import facts_as_needle_set
from niah.readers.reader import EMBEDDED
from niah.runs.config.file import RunFile
from niah.runs.config.load import SUITE_OF_NEEDLES, config_names, load_config, means_suite
from niah.runs.config.run_config import Instead, RunConfig
from niah.runs.reader_options import checked_options
from niah.runs.shards import Shard, parse_shard

_AS_YAML = frozenset(
    {
        *("readers", "strategies", "judge", "repeats", "seeds", "reader_options"),
        *("needle_sets", "needle", "expect", "lengths", "depths", "concurrency"),
        *("metrics", "reserve", "wait", "timeout", "attempts"),
    }
)
"""Arguments that stand for what a file says."""

_OF_CONFIG = (
    *("readers", "strategies", "judge", "repeats", "seeds"),
    *("metrics", "wait", "timeout", "attempts"),
)
"""Arguments that are keys of a run config too."""

_KINDS = {"question": TEXT, "haystack": PATH, "out": PATH, "reuse": FLAG}
"""What other arguments may be that are not checked where they are read."""


@dataclass(frozen=True)
class RequestedRun:
    """The run that arguments mean.

    Attributes:
        config: with every name resolved.
        shard: the part of it; None is all.
        name: what its files are called.
        path: the run file.
        given: the arguments that say which run it is, those left out not among them.
    """

    config: RunConfig
    shard: Shard | None
    name: str
    path: Path
    given: Mapping[str, Any]


@contextmanager
def requested_run(
    config: str | Path | None, arguments: PlanArguments, *, only_planned: bool
) -> Iterator[RequestedRun]:
    """The run that the arguments mean. Raises UserError.

    A fact of the caller's own is written to ``needles/``, and taken back where it is only planned, or what is
    done with the run raises UserError.
    """
    _check_config(config)
    for name, kind in _KINDS.items():
        check_argument(name, arguments.get(name), kind.or_none)
    plain = {name: as_plain(value) if name in _AS_YAML else value for name, value in arguments.items()}
    for name in _AS_YAML & plain.keys():
        check_plain(name, plain[name])
    arguments = cast(PlanArguments, plain)
    for name in ("needle", "expect"):
        check_argument(name, arguments.get(name), TEXT.or_several.or_none)
    needles, expected = _texts(arguments.get("needle")), _texts(arguments.get("expect"))
    with facts_as_needle_set(
        needles, arguments.get("question"), expected, label=_argument, only_planned=only_planned
    ) as own:
        if own and arguments.get("needle_sets") is not None:
            raise UserError("the arguments needle and needle_sets both say what is hidden.", "Leave one out.")
        yield _requested(config, arguments, own.stem if own else None)


def _check_config(config: object) -> None:
    """Raise UserError for what is neither a name nor a path, such as the keys of a run config themselves."""
    if not isinstance(config, Mapping):
        check_argument("config", config, PATH.or_none)
        return
    keys = list(map(str, config))
    known = {*file_keys(RunFile), *RunArguments.__annotations__}
    unknown = next((key for key in keys if key not in known), None)
    at_fault = f", and no run config has the key {unknown!r}" if unknown else ""
    near = did_you_mean(unknown, known) if unknown else ""
    suite = config["suite"] if isinstance(config.get("suite"), str) else "quick"
    expected = "Give the name or path of a run config or suite, and keys as arguments: "
    raise UserError(
        f"the argument config is a mapping ({', '.join(keys) or 'empty'}){at_fault}.",
        f"{f'{near} ' if near.startswith('Did') else ''}{expected}"
        f'niah.run("{suite}", readers=[...], strategies=[...]).',
    )


def _requested(config: str | Path | None, arguments: PlanArguments, needle_set: str | None) -> RequestedRun:
    needle_sets = needle_set or arguments.get("needle_sets")
    of_suite = instead_of_suite(arguments, needle_sets)
    given = given_arguments(**{name: arguments.get(name) for name in _OF_CONFIG})
    resolved = _resolved(config, given, of_suite, arguments)
    given |= {key: value for key, value in vars(of_suite).items() if value is not None}
    shard = _shard(arguments.get("shard"))
    out, name = arguments.get("out"), _name(resolved, given, shard)
    path = Path(out) if out is not None else run_file(name)
    options = arguments.get("reader_options")
    return RequestedRun(resolved, shard, name, path, given | ({"reader_options": options} if options else {}))


def _resolved(
    config: str | Path | None, given: Mapping[str, Any], of_suite: InsteadOfSuite, arguments: PlanArguments
) -> RunConfig:
    concurrency, date = arguments.get("concurrency"), arguments.get("date")
    check_count("concurrency", concurrency)
    if date is not None and not isinstance(date, datetime.date):
        raise UserError(f"the argument date is {date!r}.", "Give a datetime.date.")
    name, keys = _named(config, given, of_suite)
    said = arguments.get("reader_options")
    options = {} if said is None else said
    if not isinstance(options, Mapping):
        raise UserError(f"the argument reader_options is {options!r}.", 'Write such as {"temperature": 0.7}.')
    options = checked_options(options)
    try:
        return load_config(
            name, Instead(concurrency=concurrency, date=date, of_suite=of_suite, keys=keys, options=options)
        )
    except UnknownName as error:
        if error.message != UnknownName("run config", name, []).message:
            raise
        raise UnknownName("run config or suite", name, [*config_names(), *suite_names()]) from None
    except ConfigError as error:
        if error.key.partition(".")[0] not in given:
            raise
        problem = error.message.removeprefix(f"{error.path}: {error.key}: ")
        raise ConfigError("the argument", error.key, problem, error.remedy) from None


def _named(
    config: str | Path | None, given: Mapping[str, Any], of_suite: InsteadOfSuite
) -> tuple[str, dict[str, Any]]:
    """The name that is looked for, and the keys that stand in place of a run config's."""
    if config is None and not of_suite.needle_sets:
        problem = "there is nothing to run yet."
        raise UserError(problem, "Name a run config or a suite, or a fact of your own with needle.")
    if config is None:
        keys = {"suite": SUITE_OF_NEEDLES, "readers": [EMBEDDED], "strategies": ["lc"]}
        return SUITE_OF_NEEDLES, keys | dict(given)
    name = str(config)
    if not means_suite(name):
        return name, dict(given)
    if missing := [key for key in ("readers", "strategies") if key not in given]:
        problem = f"{name} is a suite, which says nothing of {' or '.join(missing)}."
        raise UserError(problem, 'Add readers=["openai/gpt-4o-mini"], strategies=["lc", "dos"], say.')
    return name, {**given, "suite": name}


def _name(config: RunConfig, given: Mapping[str, Any], shard: Shard | None) -> str:
    """What the run's files are called: a run with other readers or strategies is another run."""
    changed = {
        "readers": [reader.name for reader in config.readers],
        "needle_sets": given.get("needle_sets", ()),
        "strategies": [strategy.name for strategy in config.strategies],
        "lengths": [str(length) for length in given.get("lengths", ())],
        "depths": [depth_part(depth) for depth in given.get("depths", ())],
        "haystack": [given.get("haystack", "")],
        "judge": [config.judge.name],
        "repeats": [f"{config.repeats} repeats"],
        "seeds": ["seeds", *map(str, config.seeds.anchor)],
    }
    return run_name(config, shard=shard, instead=[names for key, names in changed.items() if key in given])


def _shard(text: object) -> Shard | None:
    if text is None:
        return None
    if not isinstance(text, str):
        raise UserError(f"the argument shard is {text!r}.", 'Write "2/8" for the second of eight parts.')
    return parse_shard(text)


def _texts(said: Sequence[str] | str | None) -> Sequence[str]:
    return [said] if isinstance(said, str) else list(said or ())


def _argument(name: str) -> str:
    return f"the argument {name}"
