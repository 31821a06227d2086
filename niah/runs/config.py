"""Run configs: what their YAML may hold, and a config with every name resolved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar

import orjson
from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from niah.cases.case import WRITTEN_LENGTH, in_key
from niah.errors import ConfigError, UserError, as_yaml
from niah.files import FileModel, NonEmptyText, check_each_once, checked_model
from niah.judges.registry import Judge
from niah.judges.verdict import RuleJudge
from niah.readers.reader import PLAIN, PromptMode, ReaderOptions, ReaderTraits, Transport, with_default_room
from niah.readers.resolve import is_embedded
from niah.runs.trial import FIRST_ROTATING
from niah.strategies.chunkers import Side, Truncation
from niah.strategies.strategy import Strategy

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.cases.suite import Suite
    from niah.readers.retry import Reader
    from niah.runs.cost.prices import Budget, Price

_Made = TypeVar("_Made")
_SECRET = re.compile(r"(^|[_-])(api_?key|authorization|password|secret|token|credentials?)$", re.IGNORECASE)
MOST_ROTATING = 99
_NO_KEYS = "keys have no place in a config. Write key_variable: NAME, and set NAME to the key."


def _as_list(value: object) -> object:
    """One text alone as a list of one."""
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _as_seconds(value: object) -> object:
    """The seconds of "30s", "10m", "1.5h" or 45."""
    if not isinstance(value, str | int | float):
        return value
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*(s|m|h|min)?", str(value).strip().lower())
    seconds = float(found[1]) * {"m": 60, "min": 60, "h": 3600}.get(found[2], 1) if found else 0.0
    if not 0 < seconds <= 7 * 24 * 3600:
        raise ValueError(f"{str(value)!r} is no duration. Write 30s, 10m or 2h, up to 168h.")
    return seconds


def _or_text(model: type[FileModel], key: str) -> BeforeValidator:
    """Lets a mapping be written as one text alone, which is its ``key``."""

    def read(value: object) -> object:
        if not isinstance(value, str | dict):
            raise ValueError(f"should be text or a mapping of keys to values (given: {as_yaml(value)}).")
        return {key: value} if isinstance(value, str) else value

    return BeforeValidator(read, json_schema_input_type=model | NonEmptyText)


Anchor = Annotated[int, Field(ge=0, lt=FIRST_ROTATING)]
AtOnce = Annotated[int, Field(ge=1)]
Duration = Annotated[float, BeforeValidator(_as_seconds, json_schema_input_type=str | float)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Number = Annotated[NonEmptyText, BeforeValidator(_as_text)]
Texts = Annotated[
    tuple[NonEmptyText, ...], BeforeValidator(_as_list, json_schema_input_type=str | tuple[NonEmptyText, ...])
]


class ThinkingFile(FileModel):
    """How a model that is a reader or a judge is asked."""

    thinking_tokens: Annotated[int, Field(ge=0)] | None = None
    reasoning_effort: NonEmptyText | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    extra_body: dict[str, Any] | None = None

    @field_validator("extra_body")
    @classmethod
    def _no_secret_and_nothing_twice(cls, body: dict[str, Any] | None) -> dict[str, Any] | None:
        for name in body or {}:
            if _SECRET.search(name):
                raise ValueError(f"{name}: {_NO_KEYS}")
            if name in {*OPTION_NAMES, "model", "messages", "stream", "n"} - {"cache"}:  # a gateway's field
                raise ValueError(f"{name} is a key of the reader, or written by niah. Take it out.")
        return body


class OptionsFile(ThinkingFile):
    """How a reader is asked; each key changes answers, and is part of what a trial is."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    seed: Annotated[int, Field(ge=0)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    system: NonEmptyText | None = None
    stop: Texts = ()
    mode: Literal[PromptMode, "batch"] | None = None
    cache: Literal["cold", "shared"] | None = None


OPTION_NAMES = tuple(OptionsFile.model_fields)
"""What ``--reader-option`` knows, and the keys of a reader that change its answers."""


class ModelFile(FileModel):
    """A model: its name alone, or a mapping with more.

    ``api_base`` is the address of an OpenAI-compatible endpoint, ``concurrency`` how many requests it may
    get at once, ``key_variable`` the environment variable that holds the endpoint's key.
    """

    model: NonEmptyText
    api_base: NonEmptyText | None = None
    key_variable: NonEmptyText | None = None
    concurrency: AtOnce | None = None

    @model_validator(mode="before")
    @classmethod
    def _without_keys(cls, given: Any) -> Any:
        if isinstance(given, dict) and "api_key" in given:
            raise ValueError(_NO_KEYS)
        return given


class ReaderFile(OptionsFile, ModelFile):
    """A reader of a run config.

    ``name`` is what the reader is called in place of the model's name. ``truncate`` says what goes of a
    context that full context cannot send whole, and ``window`` how many tokens the reader takes, prompt and
    answer together.
    """

    name: NonEmptyText | None = None
    window: Annotated[int, Field(ge=1024), WRITTEN_LENGTH] | None = None
    truncate: Side | None = None

    @property
    def called(self) -> str:
        """The name of the reader: its own, or what ``resolve_reader`` calls one that has none."""
        embedded = is_embedded(self.model, self.api_base)
        return self.name or (Path(self.model).name if embedded else self.model)


class JudgeFile(ThinkingFile, ModelFile):
    """The judge: "rubric", a metric, or a model.

    ``max_tokens`` is the room for a verdict without thoughts. ``votes`` verdicts of a model make one, by the
    majority of each element.
    """

    max_tokens: Annotated[int, Field(ge=16)] | None = None
    votes: Annotated[int, Field(ge=1, le=9)] = 1


class PreparerFile(ThinkingFile, ModelFile):
    """The model that prepares, for strategies that ask one first."""


class SeedsFile(FileModel):
    """In place of the suite's seeds: ``anchor`` stays, ``rotating`` is how many the date draws anew.

    With ``spread`` each seed goes with one needle set, in turn, in place of all. A list is ``anchor``.
    """

    anchor: Annotated[tuple[Anchor, ...], BeforeValidator(_as_list), AfterValidator(check_each_once)] = ()
    rotating: int = Field(default=0, ge=0, le=MOST_ROTATING)
    spread: bool = False

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, seeds: Any) -> Any:
        if isinstance(seeds, str | int):
            raise ValueError(f"is {seeds!r}. Write a list: [1, 2, 3].")
        return {"anchor": seeds} if isinstance(seeds, list | tuple) else seeds

    @model_validator(mode="after")
    def _at_least_one(self) -> Self:
        if not self.anchor and not self.rotating:
            raise ValueError("holds no seed. Write anchor: [1], rotating: 1, or both.")
        return self


class PriceFile(FileModel):
    """What a model costs, in US dollars for a million tokens; thoughts are output."""

    input: Money
    output: Money
    cached_input: Money | None = None

    def as_price(self) -> Price:
        """The price in decimals: 0.15 as it was written, not the binary fraction next to it."""
        from niah.runs.cost.prices import Price, Rates

        cached = self.input if self.cached_input is None else self.cached_input
        usd = (Decimal(str(each)) / 1_000_000 for each in (self.input, cached, self.output))
        return Price((Rates(0, *usd),))


class StrategyFile(FileModel):
    """A strategy: written as everywhere, or a mapping with the user's own.

    ``retrieve`` is MODULE:FUNCTION, FILE.py:FUNCTION or the address of a service; ``name`` is what the
    strategy is then called; ``scope``, ``order`` and ``chunks`` are those of any strategy; ``rerank`` is the
    model that ranks its best chunks anew. ``system``, in the same forms, answers in the reader's place, to
    ``concurrency`` questions at once. ``version`` is that of the user's code: another one, other answers.
    """

    name: NonEmptyText = ""
    retrieve: NonEmptyText | None = None
    system: NonEmptyText | None = None
    rerank: NonEmptyText | None = None
    concurrency: AtOnce | None = None
    version: Number | None = None
    scope: NonEmptyText = "top-auto"
    order: NonEmptyText = "norm"
    chunks: Number = "windows"

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = self.model_fields_set
        if not (self.retrieve or self.system) and given != {"name"}:
            raise ValueError(
                "has no key retrieve or system. Write lc, or {name: mine, retrieve: 'my_rag:retrieve'}."
            )
        # A retriever is asked one question at a time, and a system retrieves by itself.
        kind = "system" if self.system else "retrieve"
        others = ("rerank", "scope", "order", "chunks", "retrieve") if self.system else ("concurrency",)
        if needless := sorted(given & set(others)):
            raise ValueError(f"has {kind} and {', '.join(needless)}. Take one of them out.")
        return self


class RunFile(FileModel):
    """A run config as people write it; in place of ``suite`` it may hold the keys of one.

    ``concurrency`` is for all readers over HTTP that have none of their own, ``truncate`` for all readers;
    ``wait``, ``timeout`` ("30s", "10m") and ``attempts`` say how patiently all over HTTP are asked;
    ``filter: closed-book`` asks each question without its context first, and leaves out what a reader knows;
    ``prices`` are by reader, model or judge. Without a ``judge`` it is the rubric, or ``auto`` with question
    sets. ``preparation`` is the model that strategies such as raptor ask first; without it, the
    reader itself. ``metrics`` are judges by rules whose verdicts the run file holds next to the judge's.
    """

    description: str = ""
    suite: str = Field(min_length=1)
    readers: tuple[Annotated[ReaderFile, _or_text(ReaderFile, "model")], ...] = Field(min_length=1)
    strategies: tuple[Annotated[StrategyFile, _or_text(StrategyFile, "name")], ...] = Field(min_length=1)
    judge: Annotated[JudgeFile, _or_text(JudgeFile, "model")] | None = None
    metrics: Annotated[tuple[NonEmptyText, ...], AfterValidator(check_each_once)] = ()
    preparation: Annotated[PreparerFile, _or_text(PreparerFile, "model")] | None = None
    repeats: int = Field(default=1, ge=1, le=1000)
    seeds: SeedsFile | None = None
    budget: Annotated[str | None, BeforeValidator(_as_text, json_schema_input_type=str | None)] = None
    concurrency: AtOnce | None = None
    wait: Duration | None = None
    timeout: Duration | None = None
    attempts: Annotated[int, Field(ge=1, le=100)] | None = None
    truncate: Side | None = None
    filter: Literal["closed-book"] | None = None
    prices: dict[str, PriceFile] = Field(default_factory=dict)


def parse_options(said: Iterable[str] | Mapping[str, Any]) -> dict[str, Any]:
    """Options by name: of a mapping, or of NAME=VALUE and extra_body.NAME=VALUE. Raises UserError."""
    given: dict[str, Any] = {**said} if isinstance(said, Mapping) else {}
    for text in () if given else [said] if isinstance(said, str) else said:
        name, sign, value = text.partition("=")
        option, dot, key = name.partition(".")
        if not sign or (dot and (option != "extra_body" or not key)):
            remedy = "Write NAME=VALUE, such as temperature=0.7 or extra_body.top_k=20."
            raise UserError(f"{text!r} is no option of a reader.", remedy)
        read: Any = value
        if option not in ("system", "stop", "reasoning_effort", "mode"):
            with suppress(orjson.JSONDecodeError):  # a number, true, a list
                read = orjson.loads(value)
        body = given.get("extra_body")
        given[option] = {**(body if isinstance(body, dict) else {}), key: read} if dot else read
    try:
        checked = checked_model(Path(), given, OptionsFile)
    except ConfigError as error:  # there is no file, and who asks names the option
        raise UserError(error.message.removeprefix(f"{error.path}: "), error.remedy) from None
    return {name: getattr(checked, name) for name in given}


def options_of(file: ThinkingFile, model: str, instead: Mapping[str, Any] | None = None) -> ReaderOptions:
    """How a model, as the user names it, is asked: as its entry says, ``instead`` in its place."""
    said = {name: getattr(file, name, None) for name in OPTION_NAMES} | dict(instead or {})
    stated: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
    if said["mode"] == "batch":  # by which way a request goes changes no answer
        del stated["mode"]
    return with_default_room(ReaderOptions(**stated), model)


@dataclass(frozen=True)
class Preparer:
    """A model that prepares, closed, and how it is asked."""

    reader: Reader
    options: ReaderOptions = PLAIN


@dataclass(frozen=True)
class RunConfig:
    """A run config with every name resolved; nothing has been asked or loaded yet."""

    path: Path
    file: RunFile  # with what a command line says in its place
    suite: Suite  # with the run's seeds
    anchors: tuple[int, ...]  # seeds of every night
    rotating: tuple[int, ...]  # seeds of one
    date: date | None  # the night, where there are rotating seeds: then every night is a run of its own
    readers: tuple[Reader, ...]
    options: Mapping[str, ReaderOptions]  # by reader
    strategies: tuple[Strategy, ...]
    judge: Judge
    metrics: tuple[RuleJudge, ...]  # whose verdicts stand next to the judge's
    preparer: Preparer | None  # of strategies that ask one; None where the reader prepares itself
    budget: Budget | None
    prices: Mapping[str, Price]  # the user's own, by reader or judge
    windows: Mapping[str, Truncation]  # by reader for which contexts are cut; tokenizer "" is the sample's
    transport: Transport

    @property
    def traits(self) -> dict[str, ReaderTraits]:
        """By reader with a stated ``cache``, how its model is served."""
        return {
            each.name: ReaderTraits(cache, f"{file.model} {each.settings.get('api_base')}", each.concurrency)
            for file, each in zip(self.file.readers, self.readers, strict=True)
            if (cache := self.options[each.name].cache)
        }

    @property
    def preparing(self) -> tuple[Reader, ...]:
        """The other model that prepares, where a strategy asks for it."""
        wanted = any(strategy.prepared for strategy in self.strategies)
        return (self.preparer.reader,) if self.preparer and wanted else ()


def at_key(path: Path, key: str, make: Callable[..., _Made], *about: Any, **more: Any) -> _Made:
    """What ``make`` makes of these; a UserError of its own is said of that key of the file."""
    with in_key(path, key):
        return make(*about, **more)


def identity(reader: Reader) -> str:
    """The reader's name, with the model where the name does not say it: "fast = openai/gpt-4o-mini"."""
    model = reader.settings.get("model")
    return f"{reader.name} = {model}" if model else reader.name
