"""Run configs: suite + readers + strategies + judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from niah.cases.case import Case
from niah.cases.suite import load_suite
from niah.errors import ConfigError, UnknownName, UserError
from niah.files import FileModel, find, load_yaml, names_in
from niah.paths import shipped
from niah.readers.reader import Reader
from niah.readers.resolve import resolve
from niah.runs.budget import Budget, parse_budget
from niah.strategies.strategy import Strategy, parse


class RunFile(FileModel):
    """A run config as people write it."""

    description: str = ""
    suite: str = Field(min_length=1)
    readers: tuple[str, ...] = Field(min_length=1)
    strategies: tuple[str, ...] = Field(min_length=1)
    judge: Literal["rubric"] = "rubric"
    repeats: int = Field(default=1, ge=1)
    budget: str | None = None


@dataclass(frozen=True)
class RunConfig:
    """A run config with every name resolved; nothing has been asked or loaded yet."""

    name: str
    suite: str
    cases: tuple[Case, ...]
    readers: tuple[Reader, ...]
    strategies: tuple[Strategy, ...]
    judge: str
    repeats: int
    budget: Budget | None = None


def config_folders() -> list[Path]:
    """Where run configs are looked for: the working folder's ``runs/``, then what ships."""
    return [Path("runs"), shipped("runs")]


def config_names() -> list[str]:
    """The run configs that a bare name can mean."""
    return names_in(config_folders())


def load_config(name: str, model: str | None = None, api_base: str | None = None) -> RunConfig:
    """The run config of that name or path; ``model`` (at ``api_base``) takes the place of its readers.

    Raises UnknownName, ConfigError, StrategyError or ReaderConfigError before any work.
    """
    path = find("run config", name, config_folders())
    file = load_yaml(path, RunFile)
    readers = (
        (resolve(model, api_base),)
        if model
        else tuple(_reader(path, i, n) for i, n in enumerate(file.readers))
    )
    return RunConfig(
        name=path.stem,
        suite=file.suite,
        cases=tuple(_cases(path, file.suite)),
        readers=readers,
        strategies=tuple(_strategy(path, i, text) for i, text in enumerate(file.strategies)),
        judge=file.judge,
        repeats=file.repeats,
        budget=_budget(path, file.budget),
    )


def _cases(path: Path, suite: str) -> list[Case]:
    try:
        return load_suite(suite)
    except UnknownName as error:
        raise ConfigError(path, "suite", error.message, error.remedy) from None


def _budget(path: Path, text: str | None) -> Budget | None:
    try:
        return parse_budget(text) if text is not None else None
    except UserError as error:
        raise ConfigError(path, "budget", error.message, error.remedy) from None


def _reader(path: Path, position: int, name: str) -> Reader:
    try:
        return resolve(name)
    except UnknownName as error:
        raise ConfigError(path, f"readers.{position}", error.message, error.remedy) from None


def _strategy(path: Path, position: int, text: str) -> Strategy:
    try:
        return parse(text)
    except UserError as error:
        raise ConfigError(path, f"strategies.{position}", error.message, error.remedy) from None
