"""Mistakes between the keys of a run config."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from niah.errors import ConfigError, did_you_mean
from niah.judges.registry import asked_model
from niah.readers.resolve import reader_name
from niah.runs.config.file import (
    RunFile,
)
from niah.runs.config.run_config import Instead
from niah.strategies.strategy import Strategy


def check_reader_names(path: Path, file: RunFile) -> None:
    """No two readers of one name."""
    names: list[str] = []
    for position, reader in enumerate(file.readers):
        if reader.called in names:
            problem = f"there are two readers called {reader.called!r}."
            remedy = "Give this one another name, as {model: ..., name: ...}."
            raise ConfigError(path, f"readers.{position}", problem, remedy)
        names.append(reader.called)


def check_strategies_differ(path: Path, strategies: Iterable[Strategy]) -> None:
    """Each once, however it is written: the same trials would be asked, and paid for, twice."""
    names: dict[str, str] = {}
    for position, strategy in enumerate(strategies):
        if strategy.definition in names:
            problem = f"{strategy.name!r} is the same strategy as {names[strategy.definition]!r}."
            raise ConfigError(path, f"strategies.{position}", problem, "Take one out.")
        names[strategy.definition] = strategy.name


def check_price_names(path: Path, file: RunFile, instead: Instead, strategies: Sequence[Strategy]) -> None:
    """No price of a model that is not there, and none without output of a model that has some."""
    if not file.prices:
        return
    from niah.runs.cost.estimate import embedders_of, rerankers_of

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
