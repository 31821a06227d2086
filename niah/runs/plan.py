"""Which trials a config asks for, and in which order."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product

from niah.cases.prompts import load_prompt
from niah.cases.sample import Sample
from niah.cases.samples import LeftOut, context_of, nothing_left, samples_of
from niah.errors import ConfigError, UserError
from niah.judges.registry import check_suited, rules_and_model
from niah.readers.reader import PLAIN
from niah.readers.retry import Reader
from niah.retrieval.names import parse_name
from niah.runs.closed_book import BareQuestion, bare_question_of, without_context
from niah.runs.config import RunConfig, at_key, identity
from niah.runs.retrieval import check_evidence, evidence_lines, knows_what_to_send
from niah.runs.trial import SHARED_LINE, Trial
from niah.strategies.chunkers import Truncation
from niah.strategies.strategy import Strategy, parse, strategy_of
from niah.text.tokenizer import count, get_tokenizer

_SHARD = re.compile(r"(\d{1,6})/(\d{1,6})", re.ASCII)
_MOST_TRIALS = 1_000_000  # of one run: some GB of memory
_CHAT_TOKENS = 64  # room for what chat templates add to a prompt, and for what merges at the joints


@dataclass(frozen=True)
class Shard:
    """One part of a run, for one of several machines: ``index`` from 1 to ``of``."""

    index: int
    of: int

    def __str__(self) -> str:
        return f"{self.index}/{self.of}"

    def part(self, trials: Sequence[Trial]) -> list[Trial]:
        """This shard's trials of a run's: of each reader one block of the planned order. Raises UserError."""
        readers = [list(own) for _, own in groupby(trials, lambda trial: trial.reader)]
        before = self.index - 1
        parts = (own[before * len(own) // self.of : self.index * len(own) // self.of] for own in readers)
        if part := [trial for own in parts for trial in own]:
            return part
        raise UserError(f"shard {self} has no trial.", "Cut the run into fewer shards.")


def parse_shard(text: str) -> Shard:
    """The shard that ``text`` writes down: "2/8" is the second of eight. Raises UserError."""
    found = _SHARD.fullmatch(text)
    if found and 1 <= int(found[1]) <= int(found[2]):
        return Shard(int(found[1]), int(found[2]))
    raise UserError(f"{text!r} is no shard.", "Write 2/8 for the second of eight.")


@dataclass(frozen=True)
class PlannedTrials:
    """What a config asks for."""

    trials: list[Trial]  # readers one after another, neighbours sharing long prompt prefixes
    left_out: tuple[LeftOut, ...] = ()  # cases that cannot be built, where the suite skips them
    asked_first: tuple[Trial, ...] = ()  # without context, where the config filters by that
    notes: tuple[str, ...] = ()  # what a strategy is not asked, and what no plan counts, one line each

    def part(self, shard: Shard | None) -> list[Trial]:
        """The trials of one part of the run, or of all of it: first what is asked without context."""
        own = shard.part(self.trials) if shard else self.trials
        asked = {(trial.reader, bare_question_of(trial.sample)) for trial in own}
        first = [each for each in self.asked_first if (each.reader, bare_question_of(each.sample)) in asked]
        return [*first, *own]


def plan_trials(config: RunConfig) -> PlannedTrials:
    """Every trial of the config. What cannot be built is met here, before any work. Raises UserError."""
    most = len(config.suite.cases) * len(config.strategies) * len(config.readers) * config.file.repeats
    if most > _MOST_TRIALS:
        problem = f"asks {most:,} trials; at most {_MOST_TRIALS:,} make one run."
        raise ConfigError(config.path, "", problem, "Repeat less, or split it over several run configs.")
    built, left_out = samples_of(config.suite.cases, config.suite.skip)
    samples = [*built, *config.suite.question_sets.samples()]
    if not samples:
        raise nothing_left(left_out)
    for place, strategy in enumerate(config.strategies):
        at_key(config.path, f"strategies.{place}", check_evidence, strategy, samples)
    at_key(config.path, "judge", check_suited, config.judge, {sample.key: None for sample in samples})
    ordered = sorted(samples, key=lambda sample: (_background(sample), _path(sample), sample.sample_id))
    trials = [trial for reader in config.readers for trial in _trials_of(config, reader, ordered)]
    notes = [*evidence_lines(config.strategies, samples)]
    names = [parse_name(strategy.retriever) for strategy in config.strategies if strategy.retriever]
    parts = (part for name in names for part in (name, name.reranker) if part)
    if paid := sorted({part.model for part in parts if part.kind == "litellm"}):
        notes.append(f"What {', '.join(paid)} takes for retrieval is in no plan and no budget.")
    _, judge = rules_and_model(config.judge.name)
    asked = {judge, *(each.name for each in (*config.readers, *config.preparing))}
    asked |= {each.model for each in config.file.readers}
    if idle := sorted(config.prices.keys() - asked):
        known = ", ".join(sorted(asked - {""}))
        notes.append(f"{config.path}: prices: {', '.join(idle)}: no model of this run. Its models: {known}.")
    prepared = [strategy.name for strategy in config.strategies if strategy.prepared]
    batched = [reader.name for reader in config.readers if reader.settings.get("mode") == "batch"]
    if prepared and batched:
        notes.append(f"{', '.join(batched)}: {', '.join(prepared)} stays on chat mode, at its price.")
    first: list[Trial] = []
    if config.file.filter:  # each question once, however many contexts and repeats there are
        questions = dict[BareQuestion, Sample]()
        for sample in samples:
            questions.setdefault(bare_question_of(sample), sample)
        alone = list(filter(None, map(without_context, questions.values())))
        first = [t for each in config.readers for t in _trials_of(config, each, alone, asks_first=True)]
    return PlannedTrials(trials, tuple(left_out), tuple(first), tuple(notes))


def _trials_of(
    config: RunConfig, reader: Reader, samples: Sequence[Sample], *, asks_first: bool = False
) -> Iterator[Trial]:
    """What one reader is asked, so that neighbours share their prompts' beginnings; ``asks_first``: once,
    without context. Neighbours of the samples have the same background."""
    strategies, repeats = config.strategies, config.file.repeats
    if asks_first:
        strategies, repeats = (parse("closed-book"),), 1
    options = config.options.get(reader.name, PLAIN)
    other, in_batches = config.preparer, reader.settings.get("mode") == "batch" and not asks_first
    stated = sorted(other.options.stated.items()) if other else []
    preparer = f"{identity(other.reader)}{f' {stated}' if stated else ''}" if other else ""
    asked = [(one, _packages([one], [reader]), preparer if one.prepared else "") for one in strategies]
    for _, alike in groupby(samples, _background):
        together = list(alike)
        for (strategy, packages, prepared_by), sample in product(asked, together):
            if not knows_what_to_send(strategy, sample):
                continue
            max_tokens = options.max_tokens or sample.key.answer_tokens
            reads, truncation = strategy.prepared.reads if strategy.prepared else None, None
            if reader.name in config.windows and (strategy_of(reads) if reads else strategy).sends_context:
                truncation = _truncation(config, reader.name, sample)
            for repeat in range(repeats):
                yield Trial(
                    *(sample, strategy, reader.name, repeat, max_tokens, options, truncation, packages),
                    asks_first=asks_first,
                    preparer=prepared_by,
                    batched=in_batches and not (strategy.prepared or strategy.system),
                )


def _packages(strategies: Iterable[Strategy], readers: Iterable[Reader]) -> tuple[str, ...]:
    """Installed packages and packaged models that strategies and readers go by, with their versions."""
    of_readers = {str(reader.settings.get("package", "")) for reader in readers}
    of_strategies = {package for strategy in strategies for package in strategy.packages}
    return tuple(sorted((of_readers | of_strategies) - {""}))


def _truncation(config: RunConfig, reader: str, sample: Sample) -> Truncation | None:
    """What is cut of a context that full context cannot send whole, where the config asks for it."""
    window = config.windows[reader]
    tokenizer = window.tokenizer or sample.tokenizer
    prompt = load_prompt(sample.prompt).render("", sample.key.question, sample.key.options)
    options = config.options.get(reader, PLAIN)
    answer = (options.max_tokens or sample.key.answer_tokens) + options.thinking_room
    system = (SHARED_LINE if options.cache else "") + options.system
    asked = sum(count(get_tokenizer(tokenizer), text) for text in (system, prompt))
    room = window.tokens - asked - answer - _CHAT_TOKENS
    if room < 1:
        problem = f"{sample.sample_id} leaves no room for a context in {reader}'s {window.tokens} tokens."
        remedy = "Take a reader with a larger window, or fewer thinking_tokens."
        raise ConfigError(config.path, "truncate", problem, remedy)
    own = tokenizer == sample.tokenizer
    tokens = sample.tokens if own else _count(context_of(sample).text, tokenizer)
    return Truncation(window.side, room, tokenizer) if tokens > room else None


@lru_cache(maxsize=8)  # many questions are about one document
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)


def run_facts(config: RunConfig, planned: PlannedTrials) -> dict[str, object]:
    """What two invocations must have in common to be the same run, JSON-ready."""
    trials, first = planned.trials, planned.asked_first
    asked_first = {"trials": len(first), "texts": sorted({trial.sample.fingerprint for trial in first})}
    stated = {
        "reader_options": {name: each.stated for name, each in config.options.items() if each.stated},
        "packages": list(_packages(config.strategies, config.readers)),
        "filter": asked_first if config.file.filter else None,
        "preparation": identity(config.preparing[0]) if config.preparing else None,
    }
    return {
        "suite": config.file.suite,
        "cases": sorted({trial.sample.sample_id for trial in trials}),
        "texts": sorted({trial.sample.fingerprint for trial in trials}),
        "readers": [identity(reader) for reader in config.readers],
        "strategies": {strategy.name: strategy.definition for strategy in config.strategies},
        "judge": config.judge.name,
        "repeats": config.file.repeats,
        **{name: value for name, value in stated.items() if value},
    }


# The order of trials
#
# Contexts of one haystack, tokenizer and seed form a tree: the background is its trunk, and at each insert a
# branch leaves it. Walked branch by branch, a prompt cache of the last prompt lets every piece be read once.


def groups(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Ordered trials, cut where the prompts of neighbours begin differently by their samples."""
    return [list(group) for _, group in groupby(trials, _group)]


def prefix_key(trial: Trial) -> str:
    """A short name of the trial's group, the same in every run: for a provider's ``prompt_cache_key``."""
    return hashlib.sha256(repr(_group(trial)).encode()).hexdigest()[:16]


def _background(sample: Sample) -> tuple[str, str, int, str]:
    """What whole-context prompts of one reader must have in common to begin alike."""
    case = sample.case
    if case is None:
        return sample.document_id or "", sample.tokenizer, 0, sample.prompt
    shuffled = f" shuffled {case.context_length}" if case.haystack_order == "shuffled" else ""
    return f"{case.haystack}{shuffled}", sample.tokenizer, case.seed, sample.prompt


def _group(trial: Trial) -> tuple[object, ...]:
    return trial.reader, *_background(trial.sample), trial.strategy.definition


def _path(sample: Sample) -> tuple[tuple[int, str], ...]:
    """From the trunk to a context's end, a step for each insert: its first token, and what is there."""
    if (case := sample.case) is None:
        return ()
    inserts = (*sample.needles, *sample.distractors, *sample.passages)
    steps = ((insert.token_start, f"{case.needle_set} {insert.id}") for insert in inserts)
    return *sorted(steps), (sample.tokens, "")
