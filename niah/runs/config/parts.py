"""Who else a run config names: its preparer, judge, metrics and strategies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from niah.errors import ConfigError, UnknownName, UserError
from niah.judges.registry import asked_model, find_rule_judge, resolve_judge
from niah.judges.verdict import Judge, RuleJudge
from niah.readers.patience import Transport
from niah.readers.resolve import ReaderSpec, resolve_reader
from niah.runs.config.file import (
    JudgeFile,
    PreparerFile,
    StrategyFile,
)
from niah.runs.reader_options import judge_options
from niah.strategies.strategy import Strategy, parse, parse_brought, parse_system

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.runs.config.run_config import Preparer


def configured_preparer(path: Path, spec: PreparerFile | None, transport: Transport) -> Preparer | None:
    """The model that prepares; None where the readers do. Raises ConfigError."""
    if spec is None:
        return None
    from niah.runs.config.run_config import Preparer

    try:
        asked = ReaderSpec(
            spec.model,
            spec.api_base,
            concurrency=spec.concurrency,
            key_variable=spec.key_variable,
            transport=transport,
        )
        return Preparer(resolve_reader(asked), judge_options(spec, spec.model, None))
    except UserError as error:
        raise ConfigError(path, "preparation", error.message, error.remedy) from None


def configured_judge(path: Path, spec: JudgeFile, instead: str | None, transport: Transport) -> Judge:
    """The judge whose score counts: the command line's or the file's. Raises UnknownName or ConfigError."""
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
            votes=spec.votes,
        )
    except UserError as error:
        raise ConfigError(path, "judge", error.message, error.remedy) from None


def configured_metric(path: Path, position: int, name: str) -> RuleJudge:
    """A judge by rules that stands at ``position`` under metrics. Raises ConfigError."""
    try:
        return find_rule_judge(name)
    except UnknownName as error:
        raise ConfigError(path, f"metrics.{position}", error.message, error.remedy) from None


def configured_strategy(path: Path, position: int, spec: StrategyFile) -> Strategy:
    """The strategy that stands at ``position``, with what the file says of it. Raises ConfigError."""
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
