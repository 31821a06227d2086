"""Run configs as people write them: what the YAML may hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from niah.cases.case import WRITTEN_LENGTH
from niah.errors import UserError
from niah.file_mistakes import as_yaml
from niah.files import FileModel, NonEmptyText, check_each_once
from niah.readers.patience import parse_duration
from niah.readers.reader import ReaderTraits
from niah.readers.resolve import reader_name
from niah.runs.reader_options import OptionsFile, ThinkingFile
from niah.runs.seeds import FIRST_ROTATING, MOST_ROTATING
from niah.strategies.truncate import Side

Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]
_MOST_REPEATS = 1000
AtOnce = Annotated[int, Field(ge=1)]


def _as_seconds(value: object) -> object:
    """A duration as seconds; what is none as it is, for pydantic to refuse."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("is no duration. Write 30s, 10m or 2h.")
    try:
        return parse_duration(str(value))
    except UserError as error:
        raise ValueError(str(error)) from None


Duration = Annotated[float, BeforeValidator(_as_seconds, json_schema_input_type=str | float)]
ReplyTokens = Annotated[int, Field(ge=16)]


class ReaderFile(OptionsFile):
    """A reader of a run config: its model's name alone, or a mapping with more.

    ``api_base`` is the address of an OpenAI-compatible endpoint, ``concurrency`` how many requests it may
    get at once, ``name`` what the reader is called in place of the model's name, ``key_variable`` the
    environment variable that holds the endpoint's key. ``truncate`` says what goes of a context that full
    context cannot send whole, and ``window`` how many tokens the reader takes, prompt and answer together.
    ``size`` is the model's, in billions of parameters, and ``reasoning`` says that it thinks before it
    answers: by them tables and figures compare readers, and no answer changes. The other keys, of
    ``OptionsFile``, say how it is asked.
    """

    model: NonEmptyText
    api_base: NonEmptyText | None = None
    key_variable: NonEmptyText | None = None
    concurrency: AtOnce | None = None
    name: NonEmptyText | None = None
    window: Annotated[int, Field(ge=1024), WRITTEN_LENGTH] | None = None
    truncate: Side | None = None
    size: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    reasoning: bool = False

    @property
    def traits(self) -> ReaderTraits:
        """What is said of the model."""
        return ReaderTraits(self.size, self.reasoning)

    @property
    def called(self) -> str:
        """The name of the reader."""
        return self.name or reader_name(self.model, self.api_base)


class JudgeFile(ThinkingFile):
    """The judge of a run config: its name alone ("rubric", a model's), or a mapping with more.

    As of a reader; ``max_tokens`` is the room for a verdict without thoughts. ``votes`` verdicts of
    a model make one, by the majority of each element.
    """

    model: NonEmptyText
    api_base: NonEmptyText | None = None
    key_variable: NonEmptyText | None = None
    concurrency: AtOnce | None = None
    max_tokens: ReplyTokens | None = None
    votes: Annotated[int, Field(ge=1, le=9)] = 1


class PreparerFile(ThinkingFile):
    """The model that prepares, for strategies that ask one first: its name alone, or a mapping with more."""

    model: NonEmptyText
    api_base: NonEmptyText | None = None
    key_variable: NonEmptyText | None = None
    concurrency: AtOnce | None = None


class SeedsFile(FileModel):
    """In place of the suite's seeds: ``anchor`` stays, ``rotating`` is how many the date draws anew.

    With ``spread`` each seed goes with one needle set, in turn, in place of all. A list is ``anchor``.
    """

    anchor: tuple[Annotated[int, Field(ge=0, lt=FIRST_ROTATING)], ...] = ()
    rotating: int = Field(default=0, ge=0, le=MOST_ROTATING)
    spread: bool = False

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, seeds: Any) -> Any:
        said = {"anchor": seeds} if isinstance(seeds, list | tuple) else seeds
        if isinstance(said, dict) and isinstance(said.get("anchor"), list):
            return {**said, "anchor": tuple(said["anchor"])}
        return said

    @field_validator("anchor")
    @classmethod
    def _each_once(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        check_each_once(seeds)
        return seeds

    @model_validator(mode="after")
    def _at_least_one(self) -> Self:
        if not self.anchor and not self.rotating:
            raise ValueError("holds no seed. Write anchor: [1], rotating: 1, or both.")
        return self


class PriceFile(FileModel):
    """What a model costs, in US dollars for a million tokens; cached input as other input by default.

    ``output`` may be left out for embedders, which have none; ``thinking`` is what thoughts cost, where
    that is not what other output does.
    """

    input: Money
    output: Money | None = None
    cached_input: Money | None = None
    thinking: Money | None = None


class StrategyFile(FileModel):
    """A strategy of a run config: written as everywhere, or a mapping with the user's own.

    ``retrieve`` is MODULE:FUNCTION, FILE.py:FUNCTION or the address of a service; ``name`` is what the
    strategy is then called, without one as it is written elsewhere; ``scope``, ``order`` and ``chunks`` are
    those of any strategy; ``rerank`` is the model that ranks its best chunks anew. ``system``, in the same
    forms, answers in the reader's place. ``concurrency`` is how many questions that may be asked at once.
    ``version`` is that of the user's code: with another one, answers are other answers.
    """

    name: NonEmptyText = ""
    retrieve: NonEmptyText | None = None
    system: NonEmptyText | None = None
    rerank: NonEmptyText | None = None
    concurrency: AtOnce | None = None
    version: Annotated[NonEmptyText | None, BeforeValidator(lambda value: _as_text(value))] = None
    scope: NonEmptyText = "top-auto"
    order: NonEmptyText = "norm"
    chunks: Annotated[NonEmptyText, BeforeValidator(lambda value: _as_text(value))] = "windows"


def _as_text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_OF_RETRIEVERS = {"retrieve", "rerank", "scope", "order", "chunks"}


def _with_name(value: object) -> object:
    """A strategy's text alone as the mapping that it stands for."""
    if isinstance(value, str):
        return {"name": value}
    if not isinstance(value, dict) or not (value.get("retrieve") or value.get("system")):
        told = "has no key retrieve or system" if isinstance(value, dict) else "is no strategy"
        problem = f"{as_yaml(value)} {told}."
        raise ValueError(f"{problem} Write such as lc, or {{name: mine, retrieve: 'my_rag:retrieve'}}.")
    if value.get("retrieve") and "concurrency" in value:
        raise ValueError(
            "has retrieve and concurrency. A retriever is asked one question at a time: take it out."
        )
    if value.get("system") and (others := sorted(_OF_RETRIEVERS & value.keys())):
        raise ValueError(f"has system and {', '.join(others)}. A system retrieves by itself: take these out.")
    return value


def _with_model(value: object) -> object:
    """A model's name alone as the mapping that it stands for."""
    if isinstance(value, str):
        return {"model": value}
    if not isinstance(value, dict):
        raise ValueError(f"{as_yaml(value)} names no model. Write its name, or a mapping with the key model.")
    if "api_key" in value:
        raise ValueError("keys have no place in a config. Write key_variable: NAME, and set NAME to the key.")
    return value


def _each_once(names: tuple[str, ...]) -> tuple[str, ...]:
    check_each_once(names)
    return names


class FilterFile(FileModel):
    """Which questions a reader is not asked with their contexts: its name alone, or a mapping with more.

    ``closed-book`` asks each without context first, and leaves out what the reader knows. ``match`` says by
    which exact match a free answer counts as known.
    """

    name: Literal["closed-book"]
    match: Literal["contained-match", "exact-match"] = "contained-match"


def _with_filter_name(value: object) -> object:
    """A filter's name alone as the mapping that it stands for."""
    if isinstance(value, str):
        return {"name": value}
    if not isinstance(value, dict):
        raise ValueError(f"{as_yaml(value)} is no filter. Write closed-book.")
    return value


class RunFile(FileModel):
    """A run config as people write it; in place of ``suite`` it may hold the keys of one.

    ``concurrency`` is for all readers over HTTP that have none of their own, ``truncate`` for all readers;
    ``wait``, ``timeout`` ("30s", "10m") and ``attempts`` say how patiently all over HTTP are asked;
    ``filter`` leaves out what readers know without a context; ``prices`` are by reader, judge or embedder.
    Without a ``judge`` it is the rubric, or ``auto`` where there are question sets. ``preparation`` is the
    model that strategies such as raptor ask first; without it, the reader itself. ``metrics`` are judges by
    rules whose verdicts the run file holds beside the judge's.
    """

    description: str = ""
    suite: str = Field(min_length=1)
    readers: tuple[
        Annotated[ReaderFile, BeforeValidator(_with_model, json_schema_input_type=ReaderFile | NonEmptyText)],
        ...,
    ] = Field(min_length=1)
    strategies: tuple[
        Annotated[StrategyFile, BeforeValidator(_with_name, json_schema_input_type=StrategyFile | str)], ...
    ] = Field(min_length=1)
    judge: (
        Annotated[JudgeFile, BeforeValidator(_with_model, json_schema_input_type=JudgeFile | NonEmptyText)]
        | None
    ) = None
    metrics: Annotated[tuple[NonEmptyText, ...], AfterValidator(_each_once)] = ()
    preparation: (
        Annotated[
            PreparerFile, BeforeValidator(_with_model, json_schema_input_type=PreparerFile | NonEmptyText)
        ]
        | None
    ) = None
    repeats: int = Field(default=1, ge=1, le=_MOST_REPEATS)
    seeds: SeedsFile | None = None
    budget: Annotated[str | None, BeforeValidator(_as_text, json_schema_input_type=str | None)] = None
    concurrency: AtOnce | None = None
    wait: Duration | None = None
    timeout: Duration | None = None
    attempts: Annotated[int, Field(ge=1, le=100)] | None = None
    truncate: Side | None = None
    filter: (
        Annotated[
            FilterFile,
            BeforeValidator(_with_filter_name, json_schema_input_type=FilterFile | Literal["closed-book"]),
        ]
        | None
    ) = None
    prices: dict[str, PriceFile] = Field(default_factory=dict)
