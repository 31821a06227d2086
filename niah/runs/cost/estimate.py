"""What a run will take, before anything is asked: no retrieval, no embedding, no language model.

Tokens are those of the samples' tokenizer, where nothing else is said. A provider counts with its own, and
adds the tokens of its chat template; what finished trials showed of that is taken into account where there
are any.

Of readers, bounds are known as well: of prompts, since whole contexts are counted, a fill (half, full,
budget-N) never exceeds its share, and top-K takes K chunks, each of its chunker's size at most (sentences
are limited by words, at two tokens each); of answers, by their room. Oracle sends the passages that hold
needles: one each is expected, two where a border cuts them. Noise fills at most the room; expected is what it
takes where each needle is retrieved in a chunk of its own.

Of judges only the expected is known: one call for every answer (of a cascade, for the share of them that its
rules are expected to be unsure of), in which the judge reads its instructions,
question, elements and reference, and, in the answer's place, the reference once more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from math import ceil
from statistics import fmean

from niah.cases.left_out import Avoided, LeftOut
from niah.cases.sample import AnswerKey, Sample
from niah.errors import UserError
from niah.haystacks.structure import Structure
from niah.judges.judge import Judge
from niah.judges.llm import llm_prompt
from niah.judges.llm.llm import THINKING_ROOM
from niah.judges.verdict import Verdict
from niah.runs.cost.prices import Price, Spending, prices_of, total_usd
from niah.runs.cost.routed import (
    EXPECTED_SHARE,
    RoutedTrials,
    may_be_answered_first,
    share_reading_on,
    was_read,
)
from niah.runs.trial import Trial, TrialRecord
from niah.strategies.chunkers import SLACK_TOKENS, Chunker
from niah.strategies.noise import noise_to_add
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer
from niah.text.tokenizers.source import find_source

_RECENT = 200
"""So many of the latest tell how a reader or a judge is now."""
_FEWEST_LATEST = 50
"""Of verdicts: fewer do not tell about how many answers a model is asked."""
_PROMPT_SLACK = 32
"""Joints between prompt and context, and the roles of a chat."""
_ORACLE_PASSAGE = 100
_VERDICT_TOKENS = 200


@dataclass(frozen=True)
class PlannedUse:
    """What one model will take for what is left of a run.

    Attributes:
        name: the reader's, the judge's, or the retriever's whose embedder it is.
        calls: one for each trial, or requests of an embedder; retries are not counted.
        prompt_tokens, answer_tokens: expected; an embedder answers nothing.
        thinking_tokens: expected, before answers and not of them.
        usd: expected, without any discount for cached tokens; None where the price is unknown.
        free: whether nothing is paid by nature.
        seconds: None where no pace is known.
        tokenizers: whose tokens these are.
    """

    name: str
    calls: int
    prompt_tokens: int
    answer_tokens: int
    usd: Decimal | None
    free: bool
    seconds: float | None
    tokenizers: tuple[str, ...]
    thinking_tokens: int = field(default=0, kw_only=True)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold for it: what is expected."""
        return Spending(self.prompt_tokens + self.answer_tokens + self.thinking_tokens, self.usd)


@dataclass(frozen=True)
class ReaderPlan(PlannedUse):
    """What one reader will take for the trials that are left to ask.

    Attributes:
        trials: of the run.
        kept: of them, those not finished whose answers are kept from earlier runs. All else leaves them out,
            bounds too: an answer may be dropped before the run asks for it, but what a run takes is kept
            within its budget trial by trial.
        prompt_tokens_at_most, answer_tokens_at_most: bounds, the latter with thoughts; as the reader counts,
            where trials showed it.
        thinking_room: the most tokens that it may think before an answer.
        thinking_is_known: whether trials showed how long it thinks; otherwise it is to fill its room.
        usd_at_most: bound; None where the price is unknown.
        counts_own: whether the tokens are the reader's own.
        routed: the trials that may be answered before it reads; None where there are none. ``calls`` and
            what is expected leave out those that are expected to be, bounds do not.
    """

    trials: int
    kept: int
    prompt_tokens_at_most: int
    answer_tokens_at_most: int
    usd_at_most: Decimal | None
    counts_own: bool
    thinking_room: int = 0
    thinking_is_known: bool = False
    routed: RoutedTrials | None = None

    @property
    def left(self) -> int:
        """Trials to ask, also those that are expected to be answered before."""
        return self.calls + (self.routed.trials - self.routed.read_on if self.routed else 0)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold for it: all that it may take."""
        return Spending(self.prompt_tokens_at_most + self.answer_tokens_at_most, self.usd_at_most)


@dataclass(frozen=True)
class LocalEmbedding:
    """What the packaged embedder will take on this machine.

    Attributes:
        tokens: expected, where nothing of it was embedded here before.
        seconds: as fast as it was here the last time; None where it has embedded too little to tell.
    """

    embedder: str
    tokens: int
    seconds: float | None


@dataclass(frozen=True)
class Plan:
    """What a run will take.

    Attributes:
        readers: in the config's order.
        judge: None where no model is asked to judge.
        embedders, rerankers: those that are asked for money or over a network, by name.
        systems: applications of the user's own, by the names of their strategies.
        preparing: models that prepare, by name.
        left_out: cases that cannot be built, where the suite skips them.
        structures: how each haystack's text is built, by its name or path.
        warnings: of what will run, and may not mean what one thinks; one line each.
        avoided: what was left out of the backgrounds of the others.
        reserve: tokens of each context length that are kept for a chat template.
        local_embedding: by the packaged model, which costs time alone; None where no strategy asks for it.
        chat_templates: tokens that readers put around a prompt, by reader, where that may matter.
        asked_first: questions that are asked without context; what readers know is left out of all else.
    """

    readers: tuple[ReaderPlan, ...]
    judge: PlannedUse | None = None
    embedders: tuple[PlannedUse, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    structures: Mapping[str, Structure] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    avoided: tuple[Avoided, ...] = ()
    reserve: int = 0
    local_embedding: LocalEmbedding | None = None
    chat_templates: Mapping[str, int] = field(default_factory=dict)
    rerankers: tuple[PlannedUse, ...] = ()
    systems: tuple[PlannedUse, ...] = ()
    asked_first: int = 0
    preparing: tuple[PlannedUse, ...] = ()

    @property
    def retrieving(self) -> tuple[PlannedUse, ...]:
        """Who is asked for retrieval: nobody meters that, nor estimates its time."""
        return (*self.embedders, *self.rerankers)

    @property
    def parts(self) -> tuple[PlannedUse, ...]:
        """All that is asked."""
        judge = (self.judge,) if self.judge else ()
        return (*self.preparing, *self.readers, *self.systems, *judge, *self.retrieving)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all that is asked; None where one price is unknown."""
        return total_usd(part.usd for part in self.parts)

    @property
    def to_budget(self) -> Spending:
        """What a budget has to hold: readers at most, all others as expected; no system that does not say."""
        amounts = [part.to_budget for part in self.parts if part.usd is not None or part not in self.systems]
        return Spending(sum(each.tokens or 0 for each in amounts), total_usd(each.usd for each in amounts))

    @property
    def seconds(self) -> float | None:
        """One reader after another, each answer judged in its turn; None where a pace is unknown.

        Retrieval and preparation are left out.
        """
        untimed = (*self.retrieving, *self.preparing)
        known = [part.seconds for part in self.parts if part not in untimed]
        return None if None in known else sum(seconds for seconds in known if seconds is not None)


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call.

    Attributes:
        prompt: of the whole prompt, as our own tokenizer counts it.
        prompt_at_most: what it cannot exceed by that count.
        answer: of the reference answer.
        answer_at_most: the room that answer and thoughts have together.
        thinking: of it, the room of thoughts.
    """

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int
    thinking: int = 0


@dataclass(frozen=True)
class ReaderHistory:
    """What finished trials of a reader have shown; None where none of them tells.

    Attributes:
        prompt_ratio: reported prompt tokens / our own count, of all prompts together.
        bound: the greatest ``prompt_bound`` of one prompt; at least 1.
        answer_tokens: mean reported length of all that was written for an answer.
        thinking_tokens: of it, thoughts.
        seconds_per_token: latency / prompt tokens, of all prompts together.
        reading_on: of the trials that may be answered before it reads, the share that was read.
    """

    prompt_ratio: float | None = None
    bound: float = 1.0
    answer_tokens: float | None = None
    seconds_per_token: float | None = None
    thinking_tokens: float | None = None
    reading_on: Decimal | None = None


@dataclass(frozen=True)
class JudgeHistory:
    """A model that is asked for verdicts, and what recent ones have shown of it.

    Attributes:
        name: the judge's.
        price: None where it is unknown.
        prompt_ratio: reported prompt tokens / what we expect, of recent verdicts together.
        reply_tokens: of one verdict.
        latency_s: mean of recent verdicts; None where there are none.
        share: of the answers, 0 to 1, it is asked about so many.
    """

    name: str
    price: Price | None
    prompt_ratio: float = 1.0
    reply_tokens: int = _VERDICT_TOKENS
    latency_s: float | None = None
    share: float = 1.0

    def expected_verdict(self, trial: Trial) -> Spending:
        """What a verdict on the trial's answer is expected to take, if the model is asked for it."""
        prompt = ceil(judge_prompt_tokens(trial.sample) * self.prompt_ratio)
        usd = self.price.of(prompt, self.reply_tokens) if self.price else None
        return Spending(prompt + self.reply_tokens, usd)


def make_plan(
    trials: Sequence[Trial],
    finished: Collection[str],
    concurrency: Mapping[str, int],
    prices: Mapping[str, Price | None],
    histories: Mapping[str, ReaderHistory],
    kept: Collection[str] = (),
    judge: JudgeHistory | None = None,
    embedders: Sequence[PlannedUse] = (),
    rerankers: Sequence[PlannedUse] = (),
    systems: Sequence[PlannedUse] = (),
    preparing: Sequence[PlannedUse] = (),
) -> Plan:
    """The plan of a run.

    Args:
        trials: all of them.
        finished: ids of those that are not asked again.
        concurrency: of each reader, by name, in the order of the config.
        prices: of each reader.
        histories: of each reader that has finished trials.
        kept: ids of trials whose answers are kept from earlier runs; they are judged all the same.
        judge: who is asked for verdicts.
        embedders, rerankers, systems, preparing: what they will take.
    """
    left = [trial for trial in trials if trial.trial_id not in finished]
    readers, turns = [], 0.0
    for name, at_once in concurrency.items():
        own = [trial for trial in left if trial.reader == name and not trial.strategy.system]
        asked = [trial for trial in own if trial.trial_id not in kept]
        planned = sum(trial.reader == name and not trial.strategy.system for trial in trials)
        history = histories.get(name, ReaderHistory())
        readers.append(_reader_plan(name, planned, len(own), asked, at_once, prices[name], history))
        turns += len(own) / at_once
    turns += sum(bool(trial.strategy.system) for trial in left)
    judging = _judge_plan(judge, [trial for trial in left if not trial.asks_first], turns) if judge else None
    return Plan(
        tuple(readers),
        judging,
        tuple(embedders),
        rerankers=tuple(rerankers),
        systems=tuple(systems),
        asked_first=sum(trial.asks_first for trial in left),
        preparing=tuple(preparing),
    )


def _reader_plan(
    name: str,
    planned: int,
    left: int,
    asked: Sequence[Trial],
    concurrency: int,
    price: Price | None,
    history: ReaderHistory,
) -> ReaderPlan:
    tokens = [tokens_of(trial) for trial in asked]
    reading_on = EXPECTED_SHARE if history.reading_on is None else history.reading_on
    shares = [reading_on if may_be_answered_first(trial) else Decimal(1) for trial in asked]
    pace = history.seconds_per_token
    written = [_expected_writing(t, history) for t in tokens]
    bounds = [_most(t, price, history.bound) for t in tokens]
    tokenizers = tuple(sorted({trial.sample.tokenizer for trial in asked}))
    prompt_tokens = _shared(shares, [t.prompt for t in tokens])
    return ReaderPlan(
        name=name,
        calls=_shared(shares, [1] * len(asked)),
        prompt_tokens=prompt_tokens,
        answer_tokens=_shared(shares, [answer for answer, _ in written]),
        thinking_tokens=_shared(shares, [thoughts for _, thoughts in written]),
        usd=total_usd(
            price.of(ceil(t.prompt * (history.prompt_ratio or 1)), answer + thoughts, 0, thoughts) * share
            if price
            else None
            for t, (answer, thoughts), share in zip(tokens, written, shares, strict=True)
        ),
        free=price is not None and price.free,
        seconds=0.0 if not asked else None if pace is None else pace * prompt_tokens / concurrency,
        tokenizers=tokenizers,
        trials=planned,
        kept=left - len(asked),
        prompt_tokens_at_most=sum(_reported_at_most(t, history.bound) for t in tokens),
        answer_tokens_at_most=sum(t.answer_at_most for t in tokens),
        usd_at_most=total_usd(bound.usd for bound in bounds),
        counts_own=all(counts_own(name, tokenizer) for tokenizer in tokenizers),
        thinking_room=max((t.thinking for t in tokens), default=0),
        thinking_is_known=history.thinking_tokens is not None,
        routed=_routed(asked, tokens, history.reading_on),
    )


def _shared(shares: Sequence[Decimal], amounts: Sequence[int]) -> int:
    """The amounts together, of each so much as is expected of it."""
    return round(sum(share * amount for share, amount in zip(shares, amounts, strict=True)))


def _routed(
    asked: Sequence[Trial], tokens: Sequence[Tokens], reading_on: Decimal | None
) -> RoutedTrials | None:
    sure = [t.prompt for trial, t in zip(asked, tokens, strict=True) if not may_be_answered_first(trial)]
    if not (trials := len(asked) - len(sure)):
        return None
    share = EXPECTED_SHARE if reading_on is None else reading_on
    return RoutedTrials(trials, round(trials * share), reading_on is not None, sum(sure))


def _expected_writing(tokens: Tokens, history: ReaderHistory) -> tuple[int, int]:
    """Tokens of an answer, and of the thoughts before it: as finished trials have them, or the reference's
    length after thoughts that fill their room.
    """
    if history.answer_tokens is None:
        return tokens.answer, tokens.thinking
    written = min(ceil(history.answer_tokens), tokens.answer_at_most)
    thoughts = min(round(history.thinking_tokens or 0), written)
    return written - thoughts, thoughts


def _judge_plan(judge: JudgeHistory, left: Sequence[Trial], turns: float) -> PlannedUse:
    """``turns``: how many verdicts one after another, since as many are asked for at once as readers are."""
    price, latency, share = judge.price, judge.latency_s, Decimal(str(judge.share))
    calls = ceil(share * len(left))
    usd = total_usd(judge.expected_verdict(trial).usd for trial in left)
    return PlannedUse(
        name=judge.name,
        calls=calls,
        prompt_tokens=ceil(share * sum(judge_prompt_tokens(trial.sample) for trial in left)),
        answer_tokens=judge.reply_tokens * calls,
        usd=None if usd is None else usd * share,
        free=price is not None and price.free,
        seconds=0.0 if not left else None if latency is None else latency * turns * judge.share,
        tokenizers=tuple(sorted({trial.sample.tokenizer for trial in left})),
    )


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    sample = trial.sample
    context, most = expected_context_tokens(trial)
    answer = _count(sample.key.answer, sample.tokenizer)
    return Tokens(
        prompt=trial.system_tokens + sample.prompt_tokens + context,
        prompt_at_most=trial.system_tokens + sample.prompt_tokens + most + _PROMPT_SLACK,
        answer=min(answer, trial.max_tokens),
        answer_at_most=trial.room,
        thinking=trial.options.thinking_room,
    )


def at_most(trial: Trial, price: Price | None, bound: float = 1.0, answer_bound: float = 1.0) -> Spending:
    """The most that a reader may take for a trial.

    Args:
        trial: to be asked.
        price: of the reader.
        bound: its greatest ``prompt_bound`` so far.
        answer_bound: the greatest share of its room that an answer of it took so far.
    """
    tokens = tokens_of(trial)
    room = ceil(tokens.answer_at_most * max(1.0, answer_bound))
    return _most(replace(tokens, answer_at_most=room), price, bound)


def _most(tokens: Tokens, price: Price | None, bound: float) -> Spending:
    prompt = _reported_at_most(tokens, bound)
    usd = price.at_most(prompt, tokens.answer_at_most) if price else None
    return Spending(prompt + tokens.answer_at_most, usd)


def _reported_at_most(tokens: Tokens, bound: float) -> int:
    return ceil(tokens.prompt_at_most * max(1.0, bound))


def expected_context_tokens(trial: Trial) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    expected, most = _without_noise(trial)
    strategy, sample, room = trial.strategy, trial.sample, trial.sample.context_room
    if strategy.noise is None:
        return expected, most
    if plan := strategy.retrieval:
        size = plan.chunker_for(room).tokens
        held = min(len(sample.key.needles), max(1, expected // size))
    else:
        size, held = _ORACLE_PASSAGE, len(sample.key.needles)
    with_noise = (held + noise_to_add(held, held, strategy.noise)) * size
    return max(expected, min(room, with_noise)), max(most, room)


def _without_noise(trial: Trial) -> tuple[int, int]:
    sample, plan, room = trial.sample, trial.strategy.retrieval, trial.sample.context_room
    if trial.strategy.sends_context:
        cut = trial.truncation
        if cut is None:
            return sample.tokens, sample.tokens
        left = min(sample.tokens, cut.tokens)
        return left, left + SLACK_TOKENS if cut.tokenizer == sample.tokenizer else sample.tokens
    if trial.strategy.sends_needles:
        needles = sum(2 + _count(n.text, sample.tokenizer) // _ORACLE_PASSAGE for n in sample.key.needles)
        most = needles * (_ORACLE_PASSAGE + SLACK_TOKENS)
        return min(room, most // 2), min(room + SLACK_TOKENS, most)
    if trial.strategy.added:
        return room, room
    if prepared := trial.strategy.prepared:
        if prepared.reads:
            return expected_context_tokens(replace(trial, strategy=strategy_of(prepared.reads)))
        return prepared.tokens_read(sample.tokens, room)
    if plan is None:
        return 0, 0
    filled = plan.tokens_in(room)
    if filled is not None:
        return filled, filled
    known = len(sample.key.needles) if sample.evidence_is_known else None
    return _top_tokens(plan.scope.chunks_for(known), plan.chunker, room)


def _top_tokens(k: int, chunker: Chunker, room: int) -> tuple[int, int]:
    """K chunks, or all of the context's. Windows share tokens, so that all of them may be more than it."""
    expected, size = chunker.read
    k = min(k, chunker.known.most(room, chunker.size))
    covered = room * chunker.size // (chunker.size - chunker.overlap)
    most = k * (size + SLACK_TOKENS)
    if not chunker.overlap:
        most = min(most, room + k * SLACK_TOKENS)
    return min(k * expected, covered), most


def judge_prompt_tokens(sample: Sample) -> int:
    """What a judge is expected to read for one verdict."""
    return _judge_prompt_tokens(sample.key, sample.tokenizer)


@lru_cache(maxsize=4096)
def _judge_prompt_tokens(key: AnswerKey, tokenizer: str) -> int:
    return _count(llm_prompt.instructions(), tokenizer) + _count(llm_prompt.data(key.answer, key), tokenizer)


@lru_cache(maxsize=4096)
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)


def judge_history(
    judge: Judge | None,
    prices: Mapping[str, Price],
    samples: Mapping[str, Sample] | None = None,
    records: Iterable[TrialRecord] = (),
) -> JudgeHistory | None:
    """The judge as estimates need it; None for judges that need no model.

    Args:
        judge: one that is a model.
        prices: the user's own, by name.
        samples: of the run file, by id.
        records: of its finished trials, the latest first.
    """
    if judge is None:
        return None
    price = prices_of([judge], prices)[judge.name]
    latest: list[tuple[Verdict, TrialRecord]] = []
    failed = 0
    for record in records:
        own = [(each, record) for each in record.verdicts if each.judge == judge.name]
        latest += own
        failed += record.outcome == "judge_error" and not own
        if len(latest) >= _RECENT:
            break
    # Where rules decide, the model is not asked.
    recent = [(verdict, record) for verdict, record in latest if verdict.usage.prompt_tokens != 0]
    ratio = _ratio(
        [
            (judge_prompt_tokens(samples[record.case_id]), verdict.usage.prompt_tokens)
            for verdict, record in recent
            if verdict.usage.prompt_tokens and samples
        ]
    )
    seen = len(latest) + failed  # the answers that the model gave no verdict on it was asked about
    replies = [n for verdict, _ in recent if (n := verdict.usage.completion_tokens) is not None]
    return JudgeHistory(
        judge.name,
        price,
        ratio or 1.0,
        ceil(fmean(replies)) if replies else _VERDICT_TOKENS + int(judge.settings.get(THINKING_ROOM, 0)),
        fmean(verdict.latency_s for verdict, _ in recent) if recent else None,
        round((len(recent) + failed) / seen, 3) if seen >= _FEWEST_LATEST else judge.share_asked,
    )


def reader_histories(
    records: Iterable[TrialRecord], routes: Collection[str] = ()
) -> dict[str, ReaderHistory]:
    """What finished trials, the latest first, show of each reader.

    Args:
        records: of the run file.
        routes: definitions of strategies by which readers may answer before they read.
    """
    latest: dict[str, list[TrialRecord]] = {}
    for record in records:
        latest.setdefault(record.reader, []).append(record)
    return {reader: _history(own[:_RECENT], routes) for reader, own in latest.items()}


def _history(latest: Sequence[TrialRecord], routes: Collection[str]) -> ReaderHistory:
    records = list(filter(was_read, latest))
    both = _both_counts(records)
    answers = [each.completion_tokens for each in records if each.completion_tokens is not None]
    thoughts = [each.thinking_tokens for each in records if each.thinking_tokens is not None]
    paced = [
        (each.latency_s, tokens)
        for each in records
        if each.latency_s and (tokens := each.own_prompt_tokens or each.prompt_tokens)
    ]
    return ReaderHistory(
        _ratio(both),
        max([1.0, *(prompt_bound(own, reported) for own, reported in both)]),
        fmean(answers) if answers else None,
        sum(latency for latency, _ in paced) / sum(tokens for _, tokens in paced) if paced else None,
        fmean(thoughts) if thoughts else None,
        share_reading_on(latest, routes),
    )


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + _PROMPT_SLACK)


def count_differences(samples: Mapping[str, Sample], records: Iterable[TrialRecord]) -> dict[str, float]:
    """How many more prompt tokens each reader reports than we count with its own tokenizer: 0.05 is 5 %.

    Readers whose samples are counted by another tokenizer are left out, as are those that report nothing.

    Args:
        samples: of the run file, by id.
        records: of its trials.
    """
    own: dict[str, list[TrialRecord]] = {}
    for record in records:
        if counts_own(record.reader, samples[record.case_id].tokenizer):
            own.setdefault(record.reader, []).append(record)
    ratios = {reader: _ratio(_both_counts(each)) for reader, each in own.items()}
    return {reader: ratio - 1 for reader, ratio in ratios.items() if ratio is not None}


def _both_counts(records: Iterable[TrialRecord]) -> list[tuple[int, int]]:
    """Our own count and the reported one, of the prompts that have both."""
    counts = ((each.own_prompt_tokens, each.prompt_tokens) for each in records)
    return [(own, reported) for own, reported in counts if own and reported]


def _ratio(both: Sequence[tuple[int, int]]) -> float | None:
    return sum(reported for _, reported in both) / sum(own for own, _ in both) if both else None


@lru_cache(maxsize=256)
def counts_own(reader: str, tokenizer: str) -> bool:
    """Whether a tokenizer is the reader's own, so that both should count the same."""
    if tokenizer.endswith(".gguf"):
        return tokenizer.replace("\\", "/").rpartition("/")[2] == reader
    # Of Anthropic's models, only the tokenizer of an old one is known.
    if reader.startswith("anthropic/"):
        return False
    try:
        one, other = find_source(reader), find_source(tokenizer)
    except (UserError, OSError):
        return False
    return (one.kind, one.where) == (other.kind, other.where)
