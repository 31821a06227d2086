"""Reads run configs: suite + readers + strategies + judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from niah.cases.case import Case, check_case_count
from niah.errors import ConfigError, UnknownName, UserError, did_you_mean
from niah.files import checked_model, find, load_mapping, yaml_names
from niah.judges.registry import default_judge
from niah.paths import places
from niah.readers.redaction import without_credentials
from niah.runs.config.checks import check_price_names, check_reader_names, check_strategies_differ
from niah.runs.config.file import (
    JudgeFile,
    PriceFile,
    RunFile,
    SeedsFile,
)
from niah.runs.config.parts import (
    configured_judge,
    configured_metric,
    configured_preparer,
    configured_strategy,
)
from niah.runs.config.readers import (
    configured_options,
    configured_readers,
    configured_transport,
    configured_windows,
    told_windows,
)
from niah.runs.config.run_config import Instead, RunConfig
from niah.runs.reader_options import OPTION_NAMES
from niah.runs.seeds import Seeds, rotating_seeds, seeds_of, with_seeds

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.cases.suite import InsteadOfSuite, Suite
    from niah.runs.closed_book.asking import ClosedBookRule
    from niah.runs.cost.prices import Budget, Price

SUITE_OF_NEEDLES = "single"
"""Whose haystack, lengths and depths a needle of a user's own has, where no suite is named."""
_OF_SUITES = {"needle_sets", "questions"}
"""Keys of which every suite has one."""
_OF_RUNS = {"readers", "strategies"}
"""Keys that tell a run config that holds its suite from a suite."""
_OF_NEEDLES = {"needles", "question"}
"""Keys that every needle set has."""
_KEYS_OF_SUITE = {"skip", "accidents", "reserve"}
"""Keys of the suite that the settings of a run name."""


def config_folders() -> list[Path]:
    """Where run configs are looked for: the working folder's ``runs/``, then what ships."""
    return places("runs")


def config_names() -> list[str]:
    """The run configs that a bare name can mean."""
    return yaml_names(config_folders())


def load_config(name: str, instead: Instead | None = None) -> RunConfig:
    """The run config of that name or path, with what the command line says in its place.

    Raises UnknownName, ConfigError, StrategyError or ReaderConfigError before any work.
    """
    instead = instead or Instead()
    path, file = read_run_file(name, instead.keys)
    check_reader_names(path, file)
    strategies = tuple(configured_strategy(path, i, spec) for i, spec in enumerate(file.strategies))
    check_strategies_differ(path, strategies)
    check_price_names(path, file, instead, strategies)
    own = file.readers if instead.model is None else ()
    readers = configured_readers(path, file, instead)
    told = told_windows(file, instead, readers)
    night = _night(file, instead)
    suite = _suite(path, file.suite, instead.of_suite)
    if file.seeds and not suite.cases:
        problem = "the suite has question sets alone, of which a seed draws nothing."
        raise ConfigError(path, "seeds", problem, "Take it out.")
    seeds = _seeds(file.seeds, night) or seeds_of(suite.cases)
    transport = configured_transport(file, instead)
    default = default_judge(given=bool(suite.question_sets.paths))
    return RunConfig(
        name=path.stem,
        path=path,
        suite=file.suite,
        cases=_seeded(path, suite.cases, seeds) if file.seeds else suite.cases,
        readers=readers,
        strategies=strategies,
        judge=configured_judge(path, file.judge or JudgeFile(model=default), instead.judge, transport),
        repeats=file.repeats,
        seeds=seeds,
        date=night,
        budget=_budget(path, file.budget),
        api_bases={reader.called: without_credentials(reader.api_base) for reader in own if reader.api_base},
        prices={name: _price(price) for name, price in file.prices.items()},
        keys=frozenset(
            file.model_fields_set.union(
                *(reader.model_fields_set for reader in own),
                *({"reader_options"} for reader in own if reader.model_fields_set.intersection(OPTION_NAMES)),
                suite.keys & _KEYS_OF_SUITE,
            )
        ),
        question_sets=suite.question_sets,
        windows=configured_windows(path, file, instead, told),
        told=told,
        transport=transport,
        traits={reader.called: reader.traits for reader in own},
        skip=suite.skip,
        options=configured_options(path, file, instead),
        metrics=tuple(configured_metric(path, i, name) for i, name in enumerate(file.metrics)),
        closed_book=_closed_book(file),
        preparer=configured_preparer(path, file.preparation, transport),
    )


def read_run_file(name: str, keys: Mapping[str, Any]) -> tuple[Path, RunFile]:
    """The file of that name with ``keys`` in place of its own; these alone where they name a suite."""
    if "suite" in keys:
        return Path(name), checked_model(Path(name), keys, RunFile)
    try:
        path = find("run config", name, config_folders())
    except UnknownName:
        if _names_suite(name):
            raise _no_run_config(name) from None
        raise
    data = load_mapping(path, RunFile)
    if _holds_suite(data):
        raise _no_run_config(name)
    if "suite" not in data and data.keys() >= _OF_NEEDLES:
        problem = f"{name} is a needle set, and no run config."
        remedy = f"niah run --needle-sets {quote(name)} --model MODEL --strategies lc,dos hides it."
        raise UserError(problem, remedy)
    if not _OF_SUITES.isdisjoint(data):
        data = _without_own_suite(path, data)
    if "readers" in keys and isinstance(prices := data.get("prices"), dict):
        gone = {reader.called for reader in checked_model(path, data, RunFile).readers}
        data["prices"] = {name: price for name, price in prices.items() if name not in gone}
    return path, checked_model(path, data | dict(keys), RunFile)


def _without_own_suite(path: Path, data: Mapping[Any, Any]) -> dict[Any, Any]:
    """The keys of a run config without those of a suite, and itself as its suite. Raises ConfigError."""
    from niah.cases.suite import SuiteFile, suite_keys

    own = {key for key in suite_keys(data) if key != "description"}
    if "suite" in data:
        raise ConfigError(
            path, min(own), "is a key of a suite, and suite names one.", "Take one of them out."
        )
    left = {key: value for key, value in data.items() if key not in own}
    for key in left:
        if key not in RunFile.model_fields:
            known = [*RunFile.model_fields, *SuiteFile.model_fields]
            raise ConfigError(path, str(key), "unknown key.", did_you_mean(str(key), known))
    return left | {"suite": str(path)}


def means_suite(name: str) -> bool:
    """Whether a name or path that a run config is looked for under is a suite's."""
    try:
        path = find("run config", name, config_folders())
    except UnknownName:
        return _names_suite(name)
    return _holds_suite(load_mapping(path, RunFile))


def _names_suite(name: str) -> bool:
    try:
        find("suite", name, places("cases"))
    except UnknownName:
        return False
    return True


def _holds_suite(data: Mapping[Any, Any]) -> bool:
    return _OF_RUNS.union({"suite"}).isdisjoint(data) and not _OF_SUITES.isdisjoint(data)


def _no_run_config(name: str) -> UserError:
    problem = f"{name} is a suite, which says nothing of readers and strategies, and no run config."
    remedy = f"niah run --suite {quote(name)} --model MODEL --strategies lc,dos asks it."
    return UserError(problem, remedy)


def _suite(path: Path, name: str, instead: InsteadOfSuite | None) -> Suite:
    from niah.cases.suite import load_suite

    try:
        return load_suite(name, instead)
    except UnknownName as error:
        raise ConfigError(path, "suite", error.message, error.remedy) from None


def _night(file: RunFile, instead: Instead) -> date | None:
    if file.seeds is None or not file.seeds.rotating:
        return None
    return instead.date or datetime.now(UTC).date()


def _seeds(file: SeedsFile | None, night: date | None) -> Seeds | None:
    if file is None:
        return None
    return Seeds(file.anchor, rotating_seeds(night, file.rotating) if night else (), file.spread)


def _seeded(path: Path, cases: Sequence[Case], seeds: Seeds) -> tuple[Case, ...]:
    once = sum(case.seed == cases[0].seed for case in cases)
    count = len((*seeds.anchor, *seeds.rotating)) * once
    check_case_count(path, "seeds", 0 if seeds.spread else count)
    try:
        return with_seeds(cases, seeds)
    except UserError as error:
        raise ConfigError(path, "seeds", error.message, error.remedy) from None


def _closed_book(file: RunFile) -> ClosedBookRule | None:
    if file.filter is None:
        return None
    from niah.runs.closed_book.asking import ClosedBookRule

    return ClosedBookRule(file.filter.match)


def _budget(path: Path, text: str | None) -> Budget | None:
    if text is None:
        return None
    from niah.runs.cost.prices import parse_budget

    try:
        return parse_budget(text)
    except UserError as error:
        raise ConfigError(path, "budget", error.message, error.remedy) from None


def _price(price: PriceFile) -> Price:
    from niah.runs.cost.prices import own_price

    cached = price.input if price.cached_input is None else price.cached_input
    thinking = None if price.thinking is None else _decimal(price.thinking)
    return own_price(_decimal(price.input), _decimal(cached), _decimal(price.output or 0), thinking)


def _decimal(amount: float) -> Decimal:
    """0.15 as it was written, not the binary fraction next to it."""
    return Decimal(str(amount))
