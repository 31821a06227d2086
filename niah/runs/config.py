"""Run configs: suite + readers + strategies + judge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.cases.case import Case, check_case_count
from niah.cases.left_out import SkipRule
from niah.errors import ConfigError, UnknownName, UserError, did_you_mean
from niah.files import checked_model, find, load_mapping, yaml_names
from niah.judges.judge import Judge, RuleJudge
from niah.judges.registry import asked_model, default_judge, find_rule_judge, resolve_judge
from niah.paths import places
from niah.readers.options import ReaderOptions
from niah.readers.reader import EMBEDDED, EMBEDDED_WINDOW, Reader, ReaderTraits
from niah.readers.redaction import without_credentials
from niah.readers.resolve import check_mode, is_embedded, reader_name, resolve_reader
from niah.readers.transport import Transport
from niah.runs.config_file import (
    JudgeFile,
    PreparerFile,
    PriceFile,
    ReaderFile,
    RunFile,
    SeedsFile,
    StrategyFile,
)
from niah.runs.reader_options import OPTION_NAMES, judge_options, options_of
from niah.runs.seeds import Seeds, rotating_seeds, seeds_of, with_seeds
from niah.strategies.strategy import Strategy, parse, parse_brought, parse_system
from niah.strategies.truncate import Side

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.cases.question_sets import QuestionSets
    from niah.cases.suite import InsteadOfSuite, Suite
    from niah.readers.endpoint.window import ServedWindow
    from niah.runs.closed_book.asking import ClosedBookRule
    from niah.runs.cost.budget import Budget
    from niah.runs.cost.prices import Price
    from niah.runs.preparation.preparer import Preparer

SUITE_OF_NEEDLES = "single"
"""Whose haystack, lengths and depths a needle of a user's own has, where no suite is named."""
_OF_SUITES = {"needle_sets", "questions"}
"""Keys that tell a suite from a run config without ``suite``."""
_KEYS_OF_SUITE = {"skip", "accidents", "reserve"}
"""Keys of the suite that the settings of a run name."""


@dataclass(frozen=True)
class Instead:
    """What a command line says in place of the run config.

    Attributes:
        model: the only reader, in place of all.
        api_base: the endpoint that has ``model``.
        concurrency: of every reader over HTTP.
        date: whose rotating seeds; today in UTC without it.
        of_suite: in place of the suite's own keys; None where they all count.
        judge: whose score counts, without an address of its own.
        keys: of the run config, in place of its own, as YAML would hold them. With the key suite nothing else
            counts, and there need not be a file.
        options: of every reader, as ``OptionsFile`` has them.
        transport: how patiently whatever is reached over HTTP is asked.
    """

    model: str | None = None
    api_base: str | None = None
    concurrency: int | None = None
    date: date | None = None
    of_suite: InsteadOfSuite | None = None
    judge: str | None = None
    keys: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    transport: Transport = field(default_factory=Transport)


@dataclass(frozen=True)
class ReaderWindow:
    """What a reader takes, where contexts that are longer are to be cut.

    Attributes:
        tokens: of prompt and answer together.
        truncate: what goes of a context.
        tokenizer: whose tokens; None where the reader's is not known, and those of the sample must do.
    """

    tokens: int
    truncate: Side
    tokenizer: str | None = None


def _no_question_sets() -> QuestionSets:
    from niah.cases.question_sets import QuestionSets

    return QuestionSets()


@dataclass(frozen=True)
class RunConfig:
    """A run config with every name resolved; nothing has been asked or loaded yet.

    Attributes:
        metrics: judges by rules whose verdicts stand beside the judge's.
        preparer: the model that prepares, for strategies that ask one; None where the reader does itself.
        cases, question_sets: of the suite, the cases with the run's seeds.
        date: the night, where there are rotating seeds: then every night is a run of its own.
        api_bases: addresses that the file gives its readers, by reader, without what may be secret.
        prices: the user's own, by reader, judge or embedder.
        keys: the keys of the file that count, and those of its readers and of its suite.
        windows: by reader, of those for which contexts are cut.
        transport: how patiently whatever is reached over HTTP is asked.
        told: of these, the windows that no user named, with who says them.
        traits: by reader, what the file says of the model.
        options: by reader, how it is asked.
        skip: what becomes of cases that cannot be built.
        closed_book: how readers are asked without context first; None where they are not.
    """

    name: str
    path: Path
    suite: str
    cases: tuple[Case, ...]
    readers: tuple[Reader, ...]
    strategies: tuple[Strategy, ...]
    judge: Judge
    repeats: int
    seeds: Seeds
    date: date | None = None
    budget: Budget | None = None
    api_bases: Mapping[str, str] = field(default_factory=dict)
    prices: Mapping[str, Price] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    question_sets: QuestionSets = field(default_factory=_no_question_sets)
    windows: Mapping[str, ReaderWindow] = field(default_factory=dict)
    told: Mapping[str, ServedWindow] = field(default_factory=dict)
    transport: Transport = field(default_factory=Transport)
    traits: Mapping[str, ReaderTraits] = field(default_factory=dict)
    skip: SkipRule = "nothing"
    options: Mapping[str, ReaderOptions] = field(default_factory=dict)
    metrics: tuple[RuleJudge, ...] = ()
    closed_book: ClosedBookRule | None = None
    preparer: Preparer | None = None

    @property
    def preparing(self) -> tuple[Reader, ...]:
        """The other model that prepares, where a strategy asks for it."""
        wanted = any(strategy.prepared for strategy in self.strategies)
        return (self.preparer.reader,) if self.preparer and wanted else ()

    @property
    def llm_judge(self) -> Judge | None:
        """The judge, if it is a model, which has to be asked and paid."""
        return self.judge if self.judge.needs_model else None


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
    path, file = _run_file(name, instead.keys)
    _check_names(path, file)
    strategies = tuple(_strategy(path, i, spec) for i, spec in enumerate(file.strategies))
    _check_strategies(path, strategies)
    _check_prices(path, file, instead, strategies)
    own = file.readers if instead.model is None else ()
    readers = _readers(path, file, instead)
    told = _told_windows(file, instead, readers)
    night = _night(file, instead)
    suite = _suite(path, file.suite, instead.of_suite)
    if file.seeds and not suite.cases:
        problem = "the suite has question sets alone, of which a seed draws nothing."
        raise ConfigError(path, "seeds", problem, "Take it out.")
    seeds = _seeds(file.seeds, night) or seeds_of(suite.cases)
    default = default_judge(given=bool(suite.question_sets.paths))
    return RunConfig(
        name=path.stem,
        path=path,
        suite=file.suite,
        cases=_seeded(path, suite.cases, seeds) if file.seeds else suite.cases,
        readers=readers,
        strategies=strategies,
        judge=_judge(path, file.judge or JudgeFile(model=default), instead.judge, _transport(file, instead)),
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
        windows=_windows(path, file, instead, told),
        told=told,
        transport=_transport(file, instead),
        traits={reader.called: reader.traits for reader in own},
        skip=suite.skip,
        options=_options(path, file, instead),
        metrics=tuple(_metric(path, i, name) for i, name in enumerate(file.metrics)),
        closed_book=_closed_book(file),
        preparer=_preparer(path, file.preparation, _transport(file, instead)),
    )


def identity(reader: Reader) -> str:
    """The reader's name, with the model where the name does not say it: "fast = openai/gpt-4o-mini"."""
    model = reader.settings.get("model")
    return f"{reader.name} = {model}" if model else reader.name


def _run_file(name: str, keys: Mapping[str, Any]) -> tuple[Path, RunFile]:
    """The file of that name with ``keys`` in place of its own; these alone where they name a suite."""
    if "suite" in keys:
        return Path(name), checked_model(Path(name), keys, RunFile)
    if means_suite(name):
        problem = f"{name} is a suite, which says nothing of readers and strategies, and no run config."
        remedy = f"niah run --suite {name} --model MODEL --strategies lc,dos asks it."
        raise UserError(problem, remedy)
    path = find("run config", name, config_folders())
    data = load_mapping(path, RunFile)
    if "readers" in keys and isinstance(prices := data.get("prices"), dict):
        gone = {reader.called for reader in checked_model(path, data, RunFile).readers}
        data["prices"] = {name: price for name, price in prices.items() if name not in gone}
    return path, checked_model(path, data | dict(keys), RunFile)


def means_suite(name: str) -> bool:
    """Whether a name or path that a run config is looked for under is a suite's."""
    try:
        path = find("run config", name, config_folders())
    except UnknownName:
        try:
            find("suite", name, places("cases"))
        except UnknownName:
            return False
        return True
    data = load_mapping(path, RunFile)
    return "suite" not in data and not _OF_SUITES.isdisjoint(data)


def _suite(path: Path, name: str, instead: InsteadOfSuite | None) -> Suite:
    from niah.cases.suite import load_suite

    try:
        return load_suite(name, instead)
    except UnknownName as error:
        raise ConfigError(path, "suite", error.message, error.remedy) from None


def _told_windows(file: RunFile, instead: Instead, readers: Iterable[Reader]) -> dict[str, ServedWindow]:
    """The windows of readers for which contexts are to be cut, and which no user names."""
    from niah.runs.windows.known import known_windows

    asked = [each for _, each in _asked_readers(file, instead) if each.truncate or file.truncate]
    unnamed = {each.called for each in asked if not (each.window or is_embedded(each.model, each.api_base))}
    return known_windows(reader for reader in readers if reader.name in unnamed)


def _windows(
    path: Path, file: RunFile, instead: Instead, told: Mapping[str, ServedWindow]
) -> dict[str, ReaderWindow]:
    """The windows of readers for which contexts are to be cut."""
    windows: dict[str, ReaderWindow] = {}
    for key, reader in _asked_readers(file, instead):
        side = reader.truncate or file.truncate
        embedded = reader.model == EMBEDDED and reader.api_base is None
        tokens = reader.window or (EMBEDDED_WINDOW if embedded else None)
        if reader.called in told:
            tokens = told[reader.called].tokens
        if side is None:
            if reader.window:
                problem = "is of use only where contexts are cut."
                raise ConfigError(
                    path, f"{key}window", problem, "Write truncate: back or middle, or take it out."
                )
            continue
        if tokens is None:
            where = f"{key}truncate" if reader.truncate else "truncate"
            problem = f"cuts what is longer than the window of {reader.called}, which nobody knows."
            raise ConfigError(path, where, problem, "Write window: and its tokens for that reader.")
        tokenizer = reader.model if is_embedded(reader.model, reader.api_base) else None
        windows[reader.called] = ReaderWindow(tokens, side, tokenizer)
    return windows


def _options(path: Path, file: RunFile, instead: Instead) -> dict[str, ReaderOptions]:
    """How each reader is asked."""
    options: dict[str, ReaderOptions] = {}
    for key, reader in _asked_readers(file, instead):
        try:
            own = options_of(reader, reader.model, instead.options)
            check_mode(reader.model, reader.api_base, own.mode)
        except UserError as error:
            raise ConfigError(path, key.rstrip("."), error.message, error.remedy) from None
        options[reader.called] = own
    return options


def _asked_readers(file: RunFile, instead: Instead) -> list[tuple[str, ReaderFile]]:
    """The readers that are asked, each with what begins its keys in the file."""
    if instead.model:
        return [("", ReaderFile(model=instead.model, api_base=instead.api_base))]
    return [(f"readers.{position}.", reader) for position, reader in enumerate(file.readers)]


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
    from niah.runs.cost.budget import parse_budget

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


def _check_names(path: Path, file: RunFile) -> None:
    """No two readers of one name."""
    names: list[str] = []
    for position, reader in enumerate(file.readers):
        if reader.called in names:
            problem = f"there are two readers called {reader.called!r}."
            remedy = "Give this one another name, as {model: ..., name: ...}."
            raise ConfigError(path, f"readers.{position}", problem, remedy)
        names.append(reader.called)


def _check_strategies(path: Path, strategies: Iterable[Strategy]) -> None:
    """Each once, however it is written: the same trials would be asked, and paid for, twice."""
    names: dict[str, str] = {}
    for position, strategy in enumerate(strategies):
        if strategy.definition in names:
            problem = f"{strategy.name!r} is the same strategy as {names[strategy.definition]!r}."
            raise ConfigError(path, f"strategies.{position}", problem, "Take one out.")
        names[strategy.definition] = strategy.name


def _check_prices(path: Path, file: RunFile, instead: Instead, strategies: Sequence[Strategy]) -> None:
    """No price of a model that is not there, and none without output of a model that has some."""
    if not file.prices:
        return
    from niah.runs.cost.embedding import embedders_of
    from niah.runs.cost.reranking import rerankers_of

    readers = [reader.called for reader in file.readers]
    if instead.model:
        readers.append(reader_name(instead.model, instead.api_base))
    judge = instead.judge or (file.judge.model if file.judge else "")
    asked = asked_model(judge) if judge else ""
    answering = [*readers, *([asked] if asked else [])]
    if file.preparation:
        answering.append(reader_name(file.preparation.model, file.preparation.api_base))
    known = [*answering, *embedders_of(strategies), *rerankers_of(strategies)]
    for name, price in file.prices.items():
        if name not in known:
            problem = "no reader, judge, embedder or reranker of that name."
            raise ConfigError(path, f"prices.{name}", problem, did_you_mean(name, known))
        if name in answering and price.output is None:
            raise ConfigError(path, f"prices.{name}.output", "is missing.", "Write its price.")


def _readers(path: Path, file: RunFile, instead: Instead) -> tuple[Reader, ...]:
    at_once = instead.concurrency or file.concurrency
    transport = _transport(file, instead)
    if instead.model is not None:
        at_once = None if is_embedded(instead.model, instead.api_base) else at_once
        return (
            resolve_reader(
                instead.model, instead.api_base, concurrency=at_once, transport=transport, by_hand=True
            ),
        )
    return tuple(
        _reader(path, i, spec, instead.concurrency, at_once, transport) for i, spec in enumerate(file.readers)
    )


def _transport(file: RunFile, instead: Instead) -> Transport:
    return instead.transport.over(Transport(file.wait, file.timeout, file.attempts))


def _reader(
    path: Path,
    position: int,
    spec: ReaderFile,
    flag: int | None,
    all_over_http: int | None,
    transport: Transport,
) -> Reader:
    at_once = spec.concurrency
    if not is_embedded(spec.model, spec.api_base):
        at_once = flag or spec.concurrency or all_over_http
    try:
        return resolve_reader(
            spec.model,
            spec.api_base,
            name=spec.name or "",
            concurrency=at_once,
            key_variable=spec.key_variable,
            transport=transport,
        )
    except UserError as error:
        raise ConfigError(path, f"readers.{position}", error.message, error.remedy) from None


def _preparer(path: Path, spec: PreparerFile | None, transport: Transport) -> Preparer | None:
    if spec is None:
        return None
    from niah.runs.preparation.preparer import Preparer

    try:
        reader = resolve_reader(
            spec.model,
            spec.api_base,
            concurrency=spec.concurrency,
            key_variable=spec.key_variable,
            transport=transport,
        )
        return Preparer(reader, judge_options(spec, spec.model, None))
    except UserError as error:
        raise ConfigError(path, "preparation", error.message, error.remedy) from None


def _judge(path: Path, spec: JudgeFile, instead: str | None, transport: Transport) -> Judge:
    if instead is not None:
        try:
            return resolve_judge(instead, transport=transport)
        except UnknownName as error:
            error.remedy += " In a run, an address is the config's: judge: {model: NAME, api_base: URL}."
            raise
    try:
        return resolve_judge(
            spec.model,
            spec.api_base,
            spec.concurrency,
            spec.key_variable,
            options=judge_options(spec, asked_model(spec.model), spec.max_tokens),
            transport=transport,
        )
    except UserError as error:
        raise ConfigError(path, "judge", error.message, error.remedy) from None


def _metric(path: Path, position: int, name: str) -> RuleJudge:
    try:
        return find_rule_judge(name)
    except UnknownName as error:
        raise ConfigError(path, f"metrics.{position}", error.message, error.remedy) from None


def _strategy(path: Path, position: int, spec: StrategyFile) -> Strategy:
    try:
        if spec.system is not None:
            return parse_system(spec.name, spec.system, spec.version or "", spec.concurrency or 1)
        if spec.retrieve is None:
            return parse(spec.name)
        return parse_brought(
            *(spec.name, spec.retrieve, spec.scope, spec.order, spec.chunks),
            *(spec.rerank or "", spec.version or ""),
        )
    except UserError as error:
        raise ConfigError(path, f"strategies.{position}", error.message, error.remedy) from None
