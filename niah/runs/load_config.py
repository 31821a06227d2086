"""Reads run configs: suite + readers + strategies + judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from shlex import quote
from typing import Any

from niah.cases.case import Case, check_case_count, in_key
from niah.errors import ConfigError, UnknownName, UserError, did_you_mean
from niah.files import checked_model, find, load_mapping, locate, places
from niah.judges.registry import find_rule_judge, resolve_judge, rules_and_model
from niah.readers.reader import EMBEDDED_WINDOWS, ReaderOptions, Transport
from niah.readers.resolve import ReaderSpec, is_embedded, resolve_reader
from niah.readers.retry import Reader
from niah.retrieval.names import as_reference
from niah.runs.config import (
    JudgeFile,
    ModelFile,
    Preparer,
    RunConfig,
    RunFile,
    StrategyFile,
    at_key,
    options_of,
)
from niah.strategies.chunkers import Truncation
from niah.strategies.grammar import SYSTEM_PREFIX
from niah.strategies.strategy import Strategy, parse, parse_own

SUITE_OF_NEEDLES = "single"  # whose grid a needle of a user's own has, where no suite is named
_OF_SUITES = {"needle_sets", "questions"}  # of which every suite has one
_OF_OPTIONS = {"needle_sets", "lengths", "depths"}
_OF_RUNS = {"readers", "strategies", "suite"}  # tell a run config that holds its suite from a suite


def load_config(
    name: str,
    keys: Mapping[str, Any] = {},
    *,
    by_hand: bool = False,
    concurrency: int | None = None,
    night: date | None = None,
    of_suite: Mapping[str, Any] = {},
    options: Mapping[str, Any] = {},
) -> RunConfig:
    """The run config of that name or path, with what the command line says in its place. Raises UserError.
    ``keys`` take the place of the config's own: with "suite" there need not be a file. ``by_hand``: the
    reader is the command line's. ``night`` is the date whose rotating seeds are drawn, else today (UTC)."""
    path, file = _read(name, keys, by_hand=by_hand)
    said = {"gone_s": file.wait, "limited_s": file.wait, "timeout_s": file.timeout, "attempts": file.attempts}
    transport = {name: value for name, value in said.items() if value}
    strategies = _strategies(path, file.strategies)
    readers, asked_with, windows = _readers(path, file, transport, concurrency, options, by_hand=by_hand)
    # What a missing key or a misspelt strategy need not wait for is imported where it is used.
    from niah.cases.suite import load_suite

    try:
        suite = load_suite(file.suite, of_suite)
    except UnknownName as error:
        raise ConfigError(path, "suite", error.message, error.remedy) from None
    night = (night or datetime.now(UTC).date()) if file.seeds and file.seeds.rotating else None
    anchors, rotating = tuple(dict.fromkeys(case.seed for case in suite.cases)), tuple[int, ...]()
    cases = suite.cases
    if file.seeds is not None:
        if not cases:
            problem = "the suite has question sets alone, of which a seed draws nothing."
            raise ConfigError(path, "seeds", problem, "Take it out.")
        anchors, spread = file.seeds.anchor, file.seeds.spread
        rotating = rotating_seeds(night, file.seeds.rotating) if night else ()
        once = sum(case.seed == cases[0].seed for case in cases)
        check_case_count(path, "seeds", 0 if spread else len((*anchors, *rotating)) * once)
        cases = at_key(path, "seeds", with_seeds, cases, anchors, rotating, spread=spread)
    preparer, spec = None, file.preparation
    if spec is not None:
        reader = at_key(path, "preparation", resolve_reader, _spec(spec, transport))
        preparer = Preparer(reader, options_of(spec, spec.model))
    judge = file.judge or JudgeFile(model="auto" if suite.question_sets.paths else "rubric")
    _, model = rules_and_model(judge.model)
    if not model and (idle := sorted(judge.model_fields_set - {"model"})):
        problem = f"the judge {judge.model} asks no model."
        raise ConfigError(path, f"judge.{idle[0]}", problem, "Leave it out, or name a model.")
    asked = {name: getattr(judge, name) for name in ("api_base", "concurrency", "key_variable", "votes")}
    how = {**asked, "options": options_of(judge, model), "transport": transport}
    metrics = (at_key(path, f"metrics.{n}", find_rule_judge, metric) for n, metric in enumerate(file.metrics))
    prices = {name: price.as_price() for name, price in file.prices.items()}
    priced = {model, *([spec.model] if spec else []), *readers, *(each.model for each in file.readers)}
    if keys.keys().isdisjoint({"readers", "judge"}):  # else the prices may be of the file's own
        for unknown in (name for name in prices if name not in priced):
            with in_key(path, "prices"):
                raise UnknownName("model of this run", unknown, priced - {""})
    prices |= {each.called: prices[each.model] for each in file.readers if each.model in prices} | prices
    from niah.runs.cost.prices import parse_budget

    return RunConfig(
        path=path,
        file=file,
        suite=replace(suite, cases=cases),
        anchors=anchors,
        rotating=rotating,
        date=night,
        readers=tuple(readers.values()),
        options=asked_with,
        strategies=strategies,
        judge=at_key(path, "judge", resolve_judge, judge.model, **how),
        metrics=tuple(metrics),
        preparer=preparer,
        budget=at_key(path, "budget", parse_budget, file.budget) if file.budget is not None else None,
        prices=prices,
        windows=windows,
        transport=transport,
    )


def check_offline(config: RunConfig) -> None:
    """Raise UserError for models that do not exist or have no key, and functions that cannot be imported."""
    from niah.retrieval.names import parse_name
    from niah.retrieval.registry import check_model_folder
    from niah.retrieval.remote import RemoteEncoder
    from niah.retrieval.user import check_importable

    for model in (*config.readers, *config.preparing, config.judge):
        if model.settings.get("provider") != "openai-compatible":  # whose check is to connect
            model.check()
    for strategy in config.strategies:
        name = parse_name(strategy.retriever) if strategy.retriever else None
        if reference := strategy.system or (name.first if name and name.kind == "user" else None):
            check_importable(reference)
        for part in (name, name.reranker) if name else ():
            if part and part.kind == "sentence-transformers":
                check_model_folder(part.model)
            elif part and part.kind == "litellm":
                RemoteEncoder(part.model)  # or a reranker: the same key


def _read(name: str, keys: Mapping[str, Any], *, by_hand: bool) -> tuple[Path, RunFile]:
    """The file of that name with ``keys`` in place of its own; these alone where they name a suite."""
    if "suite" in keys:
        return Path(name), checked_model(Path(name), keys, RunFile)
    if means_suite(name):
        problem = f"{name} is a suite, which says nothing of readers and strategies, and no run config."
        remedy = f"niah run --suite {quote(name)} --model MODEL --strategies lc,dos asks it."
        raise UserError(problem, remedy)
    path = find("run config", name, [*places("runs"), *places("cases")])
    data = load_mapping(path, RunFile)
    if others := data.keys() - RunFile.model_fields.keys():
        from niah.cases.suite import SuiteFile, suite_keys

        own = suite_keys(data).keys() - {"description"}
        wrong = own - {"seeds"}
        if "suite" in data and wrong:
            options = " ".join(f"--{key.replace('_', '-')}" for key in data if key in _OF_OPTIONS & wrong)
            use = f", or use niah run {options}" if options else ""
            problem, where = "cannot be next to suite:, which has its own.", ", ".join(sorted(wrong))
            raise ConfigError(path, where, problem, f"Leave one of the two out{use}.")
        if wrong:  # it is its own suite
            if unknown := [str(key) for key in data if key in others - own]:
                known = [*RunFile.model_fields, *SuiteFile.model_fields]
                raise ConfigError(path, unknown[0], "unknown key.", did_you_mean(unknown[0], known))
            data = {key: value for key, value in data.items() if key not in own} | {"suite": str(path)}
    readers, keys = data.get("readers"), dict(keys)
    if by_hand and isinstance(readers, list):  # it is asked in each way that the file asks its own engine
        ways = [each for each in readers if isinstance(each, dict) and "cache" in each]
        keys["readers"] = [each | keys["readers"][0] for each in ways] or keys["readers"]
    return path, checked_model(path, data | keys, RunFile)


def means_suite(name: str) -> bool:
    """Whether a name or path that a run config is looked for under is a suite's."""
    if (path := locate(name, places("runs"))) is None:
        return locate(name, places("cases")) is not None
    data = load_mapping(path, RunFile)
    return _OF_RUNS.isdisjoint(data) and not _OF_SUITES.isdisjoint(data)


def _strategies(path: Path, specs: Sequence[StrategyFile]) -> tuple[Strategy, ...]:
    """The strategies, each once, however it is written: the same trials would be paid for twice."""
    made: dict[str, Strategy] = {}
    for place, spec in enumerate(specs):
        with in_key(path, f"strategies.{place}"):
            if spec.system is not None:
                definition = f"{SYSTEM_PREFIX}{spec.system}"
                strategy = parse_own(spec.name, definition, spec.version or "", spec.concurrency or 1)
            elif spec.retrieve is not None:
                retriever = as_reference(spec.retrieve) + (f"+{spec.rerank}" if spec.rerank else "")
                definition = f"{retriever}/{spec.scope}/{spec.order}@{spec.chunks}"
                strategy = parse_own(spec.name, definition, spec.version or "")
            else:
                strategy = parse(spec.name)
        if other := made.get(strategy.definition):
            problem = f"{strategy.name!r} is the same strategy as {other.name!r}."
            raise ConfigError(path, f"strategies.{place}", problem, "Take one out.")
        made[strategy.definition] = strategy
    return tuple(made.values())


def _spec(model: ModelFile, transport: Transport, **more: Any) -> ReaderSpec:
    given = {"concurrency": model.concurrency, "key_variable": model.key_variable, **more}
    return ReaderSpec(model.model, model.api_base, transport=transport, **given)


def _readers(
    path: Path,
    file: RunFile,
    transport: Transport,
    concurrency: int | None,
    options: Mapping[str, Any],
    *,
    by_hand: bool,
) -> tuple[dict[str, Reader], dict[str, ReaderOptions], dict[str, Truncation]]:
    """By name: readers, how they are asked, and of those that contexts are cut for the windows."""
    readers, asked_with, windows = dict[str, Reader](), dict[str, ReaderOptions](), dict[str, Truncation]()
    for place, each in enumerate(file.readers):
        key, name, side = "" if by_hand else f"readers.{place}", each.called, each.truncate or file.truncate
        if name in readers:
            problem = f"there are two readers called {name!r}."
            raise ConfigError(path, key, problem, "Give one another name, as {model: ..., name: ...}.")
        embedded = is_embedded(each.model, each.api_base)
        at_once = each.concurrency if embedded else concurrency or each.concurrency or file.concurrency
        asked_with[name] = options_of(each, each.model, options)
        mode = options.get("mode") or each.mode or "chat"
        more = {"name": each.name or "", "by_hand": by_hand, "mode": mode}
        spec = _spec(each, transport, concurrency=at_once, **more)
        readers[name] = resolve_reader(spec) if by_hand else at_key(path, key, resolve_reader, spec)
        tokens = each.window or (EMBEDDED_WINDOWS.get(each.model) if embedded else None)
        if side and tokens:
            windows[name] = Truncation(side, tokens, each.model if embedded else "")
        elif side:
            problem = f"cuts what is longer than the window of {name}, which is not known."
            where = f"{key}.truncate" if each.truncate else "truncate"
            raise ConfigError(path, where, problem, "Write window: and its tokens for that reader.")
    return readers, asked_with, windows


def rotating_seeds(night: date, number: int) -> tuple[int, ...]:
    """The first seeds of a night: the k-th of 2026-11-22 is 2026112200 + k, below 2**31 until 2147."""
    first = int(f"{night:%Y%m%d}") * 100
    return tuple(range(first + 1, first + number + 1))


def with_seeds(
    cases: Sequence[Case], anchors: Sequence[int], rotating: Sequence[int], *, spread: bool
) -> tuple[Case, ...]:
    """The cases, once for each seed; spread ones with one needle set each. Raises UserError."""
    once = [case for case in cases if case.seed == cases[0].seed]
    if not spread:
        return tuple(replace(case, seed=seed) for seed in (*anchors, *rotating) for case in once)
    names = tuple(dict.fromkeys(case.needle_set for case in once))
    made: list[Case] = []
    for key, group in (("anchor", anchors), ("rotating", rotating)):
        if 0 < len(group) < len(names):
            problem = f"{key}: {len(group)} cannot be spread over {len(names)} needle sets."
            remedy = f"Give each needle set one seed at least, {len(names)} in all, or take spread out."
            raise UserError(problem, remedy)
        for place, seed in enumerate(group):
            own = names[place % len(names)]
            made += [replace(case, seed=seed) for case in once if case.needle_set == own]
    return tuple(made)
