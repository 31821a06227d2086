"""A run config with every name resolved, and what a command line says in place of its keys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.cases.case import Case
from niah.cases.left_out import SkipRule
from niah.judges.verdict import Judge, RuleJudge
from niah.readers.options import PLAIN, ReaderOptions
from niah.readers.patience import Transport
from niah.readers.reader import Reader, ReaderTraits
from niah.runs.seeds import Seeds
from niah.strategies.strategy import Strategy
from niah.strategies.truncate import Side

# What a missing key or a misspelt strategy need not wait for is imported where it is used.
if TYPE_CHECKING:
    from niah.cases.questions.question_samples import QuestionSets
    from niah.cases.suite import InsteadOfSuite
    from niah.readers.preflight import ServedWindow
    from niah.runs.closed_book.asking import ClosedBookRule
    from niah.runs.cost.prices import Budget, Price


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
class Preparer:
    """A model that prepares, closed, and how it is asked."""

    reader: Reader
    options: ReaderOptions = PLAIN


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
    from niah.cases.questions.question_samples import QuestionSets

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


def identity(reader: Reader) -> str:
    """The reader's name, with the model where the name does not say it: "fast = openai/gpt-4o-mini"."""
    model = reader.settings.get("model")
    return f"{reader.name} = {model}" if model else reader.name
