"""What the rest of a run will take, before anything is asked: expected tokens and money, and bounds.

Tokens are those of the samples' tokenizer; a provider counts with its own, and what finished trials showed of
that is taken into account. Bounds of prompts are known: whole contexts are counted, a fill (half, full,
budget-N) never exceeds its share, top-K takes K chunks of its chunker's size at most. Bounds of answers are
their room. Of judges, embedders, rerankers and models that prepare only the expected is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache, partial
from math import ceil
from statistics import fmean
from typing import TYPE_CHECKING, Literal

from niah.cases.left_out import Avoided, LeftOut
from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import context_of
from niah.errors import UserError
from niah.haystacks.structure import Structure
from niah.judges import llm as llm_prompt
from niah.judges.llm import THINKING_ROOM
from niah.judges.registry import Judge
from niah.retrieval.names import RERANKED, parse_name
from niah.runs.config import Preparer
from niah.runs.cost.prices import (
    Budget,
    Price,
    Spending,
    embedder_prices,
    prices_of,
    reranker_prices,
    total_usd,
)
from niah.runs.trial import PreparationCall, Trial, TrialRecord, asked_question
from niah.strategies.chunkers import SENTENCES, SLACK_TOKENS, Chunker
from niah.strategies.noise import noise_to_add
from niah.strategies.prepared.steps import CallBound, PreparedDocument
from niah.strategies.select import Selection
from niah.strategies.strategy import Strategy, strategy_of
from niah.text.tokenizer import count, find_source, get_tokenizer

if TYPE_CHECKING:
    from niah.runs.config import RunConfig
    from niah.runs.file.read import RunContents

_RECENT = 200
"""So many of the latest trials or verdicts tell how a model is now."""
_FEWEST_VERDICTS = 50
"""Fewer do not tell which share of answers a cascade asks its model about."""
_FEWEST_ROUTED = 10
"""Fewer do not tell which share of trials is read on."""
_VERDICT_TOKENS = 200
_PROMPT_SLACK = 32
"""Tokens of joints between prompt and context, and of the roles of a chat."""
_ORACLE_PASSAGE = 100
_EMBEDDED_TOKENS, _EMBEDDED_TEXTS = 26_000, 96
"""What one request to an embedder holds."""
PACKAGED = "minilm"
"""The embedder that runs on this machine and comes with niah."""

Role = Literal["preparing", "reader", "system", "judge", "embedder", "reranker"]


@dataclass(frozen=True)
class Use:
    """What one model will take for the rest of a run.

    Attributes:
        calls: expected; retries are not counted.
        prompt_tokens, answer_tokens, thinking_tokens: expected; thoughts are not part of answers.
        usd: expected, without any discount for cached tokens; None where the price is unknown.
        most: what a budget has to hold for it: a reader's bound, of others what is expected.
        prompt_at_most: of ``most``, the tokens of prompts.
        tokenizers: whose tokens these are.
    """

    role: Role
    name: str
    calls: int
    prompt_tokens: int
    answer_tokens: int
    usd: Decimal | None
    most: Spending
    prompt_at_most: int
    price: Price | None = None
    tokenizers: tuple[str, ...] = ()
    thinking_tokens: int = 0

    @property
    def free(self) -> bool:
        """Whether nothing is paid."""
        return self.price is not None and self.price.free

    @property
    def unpriced(self) -> bool:
        """Whether it is free only because no price of a server of one's own is set."""
        return self.price is not None and self.price.assumed


@dataclass(frozen=True)
class Plan:
    """What the rest of a run will take.

    Attributes:
        parts: every model that is asked, readers in the config's order.
        trials: of the run; of them, ``finished`` ones are not asked again, ``reused`` ones have answers that
            are taken from earlier runs.
        asked_first: questions that are asked without context; what readers know is left out of all else.
        local_embedding: tokens that the packaged embedder embeds on this machine.
        left_out: cases that cannot be built, where the suite skips them.
        avoided: what was left out of the backgrounds of the others.
        structures: how each haystack's text is built, by its name or path.
        warnings: of what will run, and may not mean what one thinks; one line each.
        reserve: tokens of each context length that are left for a chat template.
        chat_templates: tokens that readers put around a prompt, by reader, where that may matter.
        budget: of the run; None where it has none.
        refusal: why ``niah run`` would not start; "" where it would.
    """

    parts: tuple[Use, ...]
    trials: int = 0
    finished: int = 0
    reused: int = 0
    asked_first: int = 0
    local_embedding: int = 0
    left_out: tuple[LeftOut, ...] = ()
    avoided: tuple[Avoided, ...] = ()
    structures: Mapping[str, Structure] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    reserve: int = 0
    chat_templates: Mapping[str, int] = field(default_factory=dict)
    budget: Budget | None = None
    refusal: str = ""

    def of(self, *roles: Role) -> tuple[Use, ...]:
        """The parts with one of these roles."""
        return tuple(part for part in self.parts if part.role in roles)

    @property
    def calls(self) -> int:
        """Expected, of all models."""
        return sum(part.calls for part in self.parts)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all models; None where one price is unknown."""
        return total_usd(part.usd for part in self.parts)

    @property
    def known_usd(self) -> Decimal:
        """Expected, of the models whose price is known."""
        return sum((part.usd for part in self.parts if part.usd is not None), Decimal(0))

    @property
    def most(self) -> Spending:
        """What a budget has to hold; a system that reports nothing is left out."""
        parts = [part for part in self.parts if part.role != "system" or part.usd is not None]
        return Spending(sum(part.most.tokens or 0 for part in parts), total_usd(p.most.usd for p in parts))


def estimate(
    config: RunConfig,
    todo: Sequence[Trial],
    trials: Sequence[Trial],
    run: RunContents | None = None,
    *,
    reused: Collection[str] = (),
) -> Plan:
    """What the trials ``todo`` will take.

    Args:
        trials: all of the run; what finished ones had embedded and reranked is on disk.
        run: what the run file holds.
        reused: ids of trials that have an answer already; they are judged all the same.
    """
    records = run.latest_first if run else ()
    systems = {str(strategy.plan) for strategy in config.strategies if strategy.system}
    histories = _reader_histories([record for record in records if record.definition not in systems], config)
    prices = prices_of([*config.readers, *config.preparing], config.prices)
    read = [trial for trial in todo if not trial.strategy.system]
    readers = [
        _reader_use(
            reader.name,
            [trial for trial in read if trial.reader == reader.name and trial.trial_id not in reused],
            prices[reader.name],
            histories.get(reader.name, ReaderHistory()),
        )
        for reader in config.readers
    ]
    asked = {trial.trial_id for trial in todo}
    ended = {record.trial_id for record in records}
    done = [trial for trial in trials if trial.trial_id in ended and trial.trial_id not in asked]
    judge = judge_history(config, run)
    judged = [trial for trial in todo if not trial.asks_first]
    return Plan(
        (
            *_preparing_uses(config, todo, prices, run.preparations if run else ()),
            *readers,
            *_system_uses(todo, records, reused),
            *([_judge_use(judge, judged)] if judge else []),
            *retrieval_uses(config, todo, done),
        ),
        trials=len(trials),
        finished=len(trials) - len(asked),
        reused=sum(trial.trial_id in reused for trial in read),
        asked_first=sum(trial.asks_first for trial in todo),
        local_embedding=_embedded(PACKAGED, [*done, *todo])[0] - _embedded(PACKAGED, done)[0],
    )


# Readers


@dataclass(frozen=True)
class Tokens:
    """Tokens of one trial by our own count: expected, and bounds; thoughts take room of the answer's."""

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int
    thinking: int = 0


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    sample = trial.sample
    context, most = expected_context_tokens(trial)
    around = trial.system_tokens + sample.prompt_tokens
    return Tokens(
        prompt=around + context,
        prompt_at_most=around + most + _PROMPT_SLACK,
        answer=min(_count(sample.key.answer, sample.tokenizer), trial.max_tokens),
        answer_at_most=trial.room,
        thinking=trial.options.thinking_room,
    )


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
    strategy, sample, plan = trial.strategy, trial.sample, trial.strategy.retrieval
    room = sample.context_room
    if strategy.sends_context:
        cut = trial.truncation
        if cut is None:
            return sample.tokens, sample.tokens
        left = min(sample.tokens, cut.tokens)
        return left, left + SLACK_TOKENS if cut.tokenizer == sample.tokenizer else sample.tokens
    if strategy.sends_needles:  # one passage for each needle, two where a border cuts it
        needles = sum(2 + _count(n.text, sample.tokenizer) // _ORACLE_PASSAGE for n in sample.key.needles)
        most = needles * (_ORACLE_PASSAGE + SLACK_TOKENS)
        return min(room, most // 2), min(room + SLACK_TOKENS, most)
    if strategy.added:
        return room, room
    if prepared := strategy.prepared:
        if prepared.reads:
            return expected_context_tokens(replace(trial, strategy=strategy_of(prepared.reads)))
        return prepared.tokens_read(sample.tokens, room)
    if plan is None:
        return 0, 0
    if (filled := plan.tokens_in(room)) is not None:
        return filled, filled
    chunker = plan.chunker
    expected, size = chunker.read
    known = len(sample.key.needles) if sample.evidence_is_known else None
    k = min(plan.scope.chunks_for(known), chunker.known.most(room, chunker.size))
    most = k * (size + SLACK_TOKENS)
    if not chunker.overlap:
        most = min(most, room + k * SLACK_TOKENS)
    # Windows share tokens, so that all of them may be more than the context.
    return min(k * expected, room * chunker.size // (chunker.size - chunker.overlap)), most


def at_most(trial: Trial, price: Price | None, bound: float = 1.0, answer_bound: float = 1.0) -> Spending:
    """The most that a reader may take for a trial.

    Args:
        trial: to be asked.
        price: of the reader.
        bound: its greatest ``prompt_bound`` so far.
        answer_bound: the greatest share of its room that an answer of it took so far.
    """
    tokens = tokens_of(trial)
    prompt = ceil(tokens.prompt_at_most * max(1.0, bound))
    room = ceil(tokens.answer_at_most * max(1.0, answer_bound))
    return Spending(prompt + room, price.at_most(prompt, room) if price else None)


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + _PROMPT_SLACK)


@dataclass(frozen=True)
class ReaderHistory:
    """What finished trials of a reader have shown.

    Attributes:
        prompt_ratio: reported prompt tokens / our own count, of all prompts together.
        bound: the greatest ``prompt_bound`` of one prompt; at least 1.
        answer_tokens: mean length of all that was written for an answer; None before the first.
        thinking_tokens: of it, thoughts.
        reading_on: of the trials that may be answered before the reader reads, the share that was read.
    """

    prompt_ratio: float = 1.0
    bound: float = 1.0
    answer_tokens: float | None = None
    thinking_tokens: float = 0.0
    reading_on: Decimal = Decimal("0.5")

    def writing(self, tokens: Tokens) -> tuple[int, int]:
        """Tokens of an answer, and of the thoughts before it: the reference's, after thoughts that fill their
        room, until trials have shown it.
        """
        if self.answer_tokens is None:
            return tokens.answer, tokens.thinking
        written = min(ceil(self.answer_tokens), tokens.answer_at_most)
        thoughts = min(round(self.thinking_tokens), written)
        return written - thoughts, thoughts


def _reader_histories(records: Iterable[TrialRecord], config: RunConfig) -> dict[str, ReaderHistory]:
    """What finished trials, the latest first, show of each reader."""
    routes = {each.definition for each in config.strategies if each.prepared and each.prepared.may_answer}
    latest: dict[str, list[TrialRecord]] = {}
    for record in records:
        if len(own := latest.setdefault(record.reader, [])) < _RECENT:
            own.append(record)
    histories = {}
    for reader, own in latest.items():
        read = [record for record in own if record.prompt_tokens != 0]  # others were answered on the way
        both = _both_counts(read)
        answers = [each.completion_tokens for each in read if each.completion_tokens is not None]
        thoughts = [each.thinking_tokens for each in read if each.thinking_tokens is not None]
        routed = [each for each in own if each.outcome == "scored" and each.definition in routes]
        reading_on = Decimal(sum(each.prompt_tokens != 0 for each in routed)) / max(1, len(routed))
        histories[reader] = ReaderHistory(
            _ratio(both) or 1.0,
            max([1.0, *(prompt_bound(ours, reported) for ours, reported in both)]),
            fmean(answers) if answers else None,
            fmean(thoughts) if thoughts else 0.0,
            reading_on if len(routed) >= _FEWEST_ROUTED else Decimal("0.5"),
        )
    return histories


def _reader_use(name: str, asked: Sequence[Trial], price: Price | None, history: ReaderHistory) -> Use:
    calls = prompt = answers = thinking = Decimal(0)
    prompt_at_most = 0
    usd, bounds = [], []
    for trial in asked:
        tokens = tokens_of(trial)
        routed = trial.strategy.prepared is not None and trial.strategy.prepared.may_answer
        share = history.reading_on if routed else Decimal(1)
        answer, thoughts = history.writing(tokens)
        calls += share
        prompt += share * tokens.prompt
        answers += share * answer
        thinking += share * thoughts
        expected = ceil(tokens.prompt * history.prompt_ratio)
        usd.append(price.of(expected, answer + thoughts, 0, thoughts) * share if price else None)
        bounds.append(at_most(trial, price, history.bound))
        prompt_at_most += ceil(tokens.prompt_at_most * history.bound)
    return Use(
        "reader",
        name,
        round(calls),
        round(prompt),
        round(answers),
        total_usd(usd),
        Spending(sum(each.tokens or 0 for each in bounds), total_usd(each.usd for each in bounds)),
        prompt_at_most,
        price,
        _tokenizers(asked),
        round(thinking),
    )


def _tokenizers(trials: Iterable[Trial]) -> tuple[str, ...]:
    return tuple(sorted({trial.sample.tokenizer for trial in trials}))


def count_differences(samples: Mapping[str, Sample], records: Iterable[TrialRecord]) -> dict[str, float]:
    """How many more prompt tokens each reader reports than we count with its own tokenizer: 0.05 is 5 %."""
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
    if reader.startswith("anthropic/"):  # only the tokenizer of an old model is known
        return False
    try:
        one, other = find_source(reader), find_source(tokenizer)
    except (UserError, OSError):
        return False
    return (one.kind, one.where) == (other.kind, other.where)


# Systems that answer in a reader's place


def _system_uses(
    todo: Sequence[Trial], records: Iterable[TrialRecord], reused: Collection[str]
) -> Iterable[Use]:
    """What each system will take: as it reported of finished trials, else unknown."""
    for name in dict.fromkeys(trial.strategy.name for trial in todo if trial.strategy.system):
        calls = sum(t.strategy.name == name and t.trial_id not in reused for t in todo)
        known = [record for record in records if record.strategy == name and not record.from_cache]
        costs = [record.cost for record in known if record.cost is not None]
        prompts = [record.prompt_tokens for record in known if record.prompt_tokens is not None]
        answers = [record.completion_tokens for record in known if record.completion_tokens is not None]
        prompt, answer = (round(calls * fmean(each)) if each else 0 for each in (prompts, answers))
        usd = Decimal(str(round(fmean(costs) * calls, 8))) if costs else None if calls else Decimal(0)
        yield Use("system", name, calls, prompt, answer, usd, Spending(prompt + answer, usd), prompt)


# Judges


@dataclass(frozen=True)
class JudgeHistory:
    """A model that is asked for verdicts, and what recent ones have shown of it.

    Attributes:
        prompt_ratio: reported prompt tokens / what we expect, of recent verdicts together.
        reply_tokens: of one verdict.
        share: of the answers, 0 to 1, it is asked about so many.
        votes: so many times for each.
    """

    name: str
    price: Price | None
    prompt_ratio: float = 1.0
    reply_tokens: int = _VERDICT_TOKENS
    share: float = 1.0
    votes: int = 1

    def expected_verdict(self, trial: Trial) -> Spending:
        """What a verdict on the trial's answer is expected to take, if the model is asked for it."""
        prompt = ceil(judge_prompt_tokens(trial.sample) * self.prompt_ratio)
        usd = self.price.of(prompt, self.reply_tokens) * self.votes if self.price else None
        return Spending((prompt + self.reply_tokens) * self.votes, usd)


def judge_history(config: RunConfig, run: RunContents | None) -> JudgeHistory | None:
    """The judge as estimates need it; None where no model is asked to judge."""
    if not config.judge.needs_model:
        return None
    judge: Judge = config.judge
    latest, failed = [], 0
    for record in run.latest_first if run else ():
        own = [(each, record) for each in record.verdicts if each.judge == judge.name]
        latest += own
        failed += record.outcome == "judge_error" and not own
        if len(latest) >= _RECENT:
            break
    # Where rules decide, the model is not asked.
    asked = [(verdict, record) for verdict, record in latest if verdict.usage.prompt_tokens != 0]
    counts = [
        (judge_prompt_tokens(run.samples[record.case_id]), verdict.usage.prompt_tokens)
        for verdict, record in asked
        if run and verdict.usage.prompt_tokens
    ]
    replies = [n for verdict, _ in asked if (n := verdict.usage.completion_tokens) is not None]
    votes = int(judge.settings.get("votes", 1))  # the usage of a verdict is that of all its votes
    seen = len(latest) + failed  # the model was asked about the answers that it gave no verdict on
    return JudgeHistory(
        judge.name,
        prices_of([judge], config.prices)[judge.name],
        (_ratio(counts) or votes) / votes,
        ceil(fmean(replies) / votes)
        if replies
        else _VERDICT_TOKENS + int(judge.settings.get(THINKING_ROOM, 0)),
        round((len(asked) + failed) / seen, 3) if seen >= _FEWEST_VERDICTS else judge.share_asked,
        votes,
    )


def _judge_use(judge: JudgeHistory, judged: Sequence[Trial]) -> Use:
    share = Decimal(str(judge.share))
    calls = ceil(share * len(judged)) * judge.votes
    prompt = ceil(share * judge.votes * sum(judge_prompt_tokens(trial.sample) for trial in judged))
    usd = total_usd(judge.expected_verdict(trial).usd for trial in judged)
    usd = None if usd is None else usd * share
    answers = judge.reply_tokens * calls
    most = Spending(prompt + answers, usd)
    tokenizers = _tokenizers(judged)
    return Use("judge", judge.name, calls, prompt, answers, usd, most, prompt, judge.price, tokenizers)


def judge_prompt_tokens(sample: Sample) -> int:
    """What a judge is expected to read for one verdict, the reference in the answer's place."""
    return _judge_prompt_tokens(sample.key, sample.tokenizer)


@lru_cache(maxsize=4096)
def _judge_prompt_tokens(key: AnswerKey, tokenizer: str) -> int:
    return _count(llm_prompt.instructions(), tokenizer) + _count(llm_prompt.data(key.answer, key), tokenizer)


# Embedders and rerankers


def embedders_of(strategies: Iterable[Strategy]) -> tuple[str, ...]:
    """The models that embed at an endpoint, alone or in a hybrid, as retrievers are called."""
    names = {parse_name(strategy.retriever) for strategy in strategies if strategy.retriever}
    return tuple(sorted({name.embedder for name in names if name.kind == "litellm" and name.embedder}))


def rerankers_of(strategies: Iterable[Strategy]) -> tuple[str, ...]:
    """The rerankers at an endpoint, by name."""
    return tuple(sorted({name for strategy in strategies if (name := _reranker_of(strategy))}))


def retrieval_uses(config: RunConfig, todo: Sequence[Trial], done: Sequence[Trial]) -> list[Use]:
    """What embedders and rerankers will take for ``todo``; results for the trials ``done`` are on disk.

    An embedder embeds every chunk of a context and every question, each text once. Samples of one haystack
    and seed share their background, so that of all but the longest only the chunks at needles are new. A
    reranker reads the best 100 chunks next to the question, once a sample, retriever and way to cut.
    """
    uses = []
    strategies = [trial.strategy for trial in todo]
    for name, price in embedder_prices(embedders_of(strategies), config.prices).items():
        before, calls_before = _embedded(name, done)
        every, calls = _embedded(name, [*done, *todo])
        usd = price.of(every - before, 0) if price else None
        uses.append(_retrieval_use("embedder", name, calls - calls_before, every - before, usd, price, todo))
    for name, price in reranker_prices(rerankers_of(strategies), config.prices).items():
        finished = _reranked(name, done)
        tokens = [each for key, each in _reranked(name, todo).items() if key not in finished]
        usd = total_usd(price.of(each, 0) if price else None for each in tokens)
        uses.append(_retrieval_use("reranker", name, len(tokens), sum(tokens), usd, price, todo))
    return uses


def _retrieval_use(
    role: Role,
    name: str,
    calls: int,
    tokens: int,
    usd: Decimal | None,
    price: Price | None,
    todo: Sequence[Trial],
) -> Use:
    return Use(role, name, calls, tokens, 0, usd, Spending(tokens, usd), tokens, price, _tokenizers(todo))


def _embedded(name: str, trials: Iterable[Trial]) -> tuple[int, int]:
    """Tokens and requests of all chunks and questions of some trials, each text once.

    The packaged model embeds sentences, whatever the chunks.
    """
    cuts: dict[tuple[str, Chunker], Sample] = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and parse_name(plan.retriever).embedder == name:
            chunker = plan.chunker_for(sample.context_room)
            cuts[sample.sample_id, SENTENCES if name == PACKAGED else chunker] = sample
    tokens = calls = 0
    whole: set[tuple[object, ...]] = set()
    # The longest first; of these the one whose needles leave most of the background as it is.
    longest = sorted(cuts.items(), key=lambda cut: (-cut[1].tokens, -(cut[1].depth or 0)))
    for (_, chunker), sample in longest:
        background = (sample.haystack, sample.seed, sample.document_id, sample.tokenizer, chunker)
        new = _chunk_tokens(sample, chunker)
        if background in whole:
            new = min(new, _tokens_at_needles(sample, chunker))
        whole.add(background)
        tokens += new
        calls += ceil(new / min(_EMBEDDED_TOKENS, _EMBEDDED_TEXTS * chunker.known.usual(chunker.size)))
    questions = {(sample.key.question, sample.tokenizer) for sample in cuts.values()}
    tokens += sum(_count(question, tokenizer) for question, tokenizer in questions)
    return tokens, calls + len(questions)


def _chunk_tokens(sample: Sample, chunker: Chunker) -> int:
    """Tokens of all chunks of a sample's context."""
    if not chunker.overlap or sample.tokens <= chunker.size:
        return sample.tokens
    return ceil(sample.tokens * chunker.size / ((chunker.size - chunker.overlap) * chunker.known.step))


def _tokens_at_needles(sample: Sample, chunker: Chunker) -> int:
    """Tokens of the chunks that a longer context of the same background has not; a document has none."""
    if sample.case is None:
        return 0
    if chunker.known.moves:
        return ceil(_chunk_tokens(sample, chunker) * (1 - sample.case.depth / 100)) + chunker.size
    return (len(sample.key.needles) + sample.case.distractors) * chunker.known.at_needle(chunker.size)


def _reranker_of(strategy: Strategy) -> str | None:
    reranker = parse_name(strategy.retriever).reranker if strategy.retriever else None
    return reranker.text if reranker and reranker.kind == "litellm" else None


def _reranked(name: str, trials: Iterable[Trial]) -> dict[tuple[str, str, Chunker], int]:
    """Tokens of each request."""
    requests = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and _reranker_of(trial.strategy) == name:
            chunker = plan.chunker_for(sample.context_room)
            usual, whole = chunker.known.usual(chunker.size), _chunk_tokens(sample, chunker)
            chunks = min(RERANKED, ceil(whole / usual))
            question = _count(sample.key.question, sample.tokenizer)
            tokens = min(chunks * usual, whole) + chunks * question
            requests[sample.sample_id, plan.retriever, chunker] = tokens
    return requests


# Models that prepare


@dataclass
class _Preparing:
    """What a model is asked, by document and by question."""

    preparer: Preparer
    tokenizers: set[str] = field(default_factory=set)
    documents: dict[tuple[str, str], CallBound] = field(default_factory=dict)
    questions: dict[tuple[object, ...], CallBound] = field(default_factory=dict)

    def use(self, price: Price | None) -> Use:
        """All of it together."""
        bounds = [bound for bound in (*self.documents.values(), *self.questions.values()) if bound.calls]
        calls = sum(bound.calls for bound in bounds)
        prompt = sum(bound.prompt_tokens for bound in bounds)
        replies = sum(bound.reply_tokens for bound in bounds)
        thoughts = self.preparer.options.thinking_room
        usd = total_usd(
            price.at_most(bound.prompt_tokens // bound.calls, bound.reply_tokens // bound.calls + thoughts)
            * bound.calls
            if price
            else None
            for bound in bounds
        )
        most, name = Spending(prompt + replies + thoughts * calls, usd), self.preparer.reader.name
        tokenizers = tuple(sorted(self.tokenizers))
        return Use(
            "preparing", name, calls, prompt, replies, usd, most, prompt, price, tokenizers, thoughts * calls
        )


def _preparing_uses(
    config: RunConfig,
    todo: Sequence[Trial],
    prices: Mapping[str, Price | None],
    made: Iterable[PreparationCall],
) -> list[Use]:
    """What each model takes at most that prepares, by formula: no model is asked, and nothing is embedded.

    Each document and each question is counted once; what the run file has of them is subtracted.
    """
    begun: defaultdict[tuple[str, str, str], list[PreparationCall]] = defaultdict(list)
    for call in made:
        begun[call.definition, call.document, call.trial_id].append(call)
    questioned = {(definition, document) for definition, document, trial_id in begun if trial_id}
    readers = {reader.name: reader for reader in config.readers}
    models: dict[str, _Preparing] = {}
    digest, document = "", PreparedDocument("", get_tokenizer("cl100k"))
    for trial in todo:
        if (strategy := trial.strategy.prepared) is None:
            continue
        own = Preparer(readers[trial.reader], trial.options)
        asked, by_reader = (
            models.setdefault(each.reader.name, _Preparing(each)) for each in (config.preparer or own, own)
        )
        sample = trial.sample
        key = trial.strategy.definition, sample.sha256
        if digest != sample.sha256:  # a document's trials follow each other
            digest = sample.sha256
            document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
        if key not in asked.documents and (bounds := strategy.document_bounds(document)):
            asked.documents[key] = _left(bounds, begun[(*key, "")], is_done=key in questioned)
            asked.tokenizers.add(sample.tokenizer)
        question = asked_question(trial, partial(_most_selected, trial))
        for bound in strategy.question_bounds(document, question):
            model = by_reader if bound.by_reader else asked
            model.tokenizers.add(sample.tokenizer)
            turn = (*key, sample.sample_id, trial.repeat if bound.is_answer else 0, bound)
            model.questions[turn] = _left([bound], begun[(*key, trial.trial_id)])
    return [
        asked.use(prices.get(name)) for name, asked in models.items() if asked.documents or asked.questions
    ]


def _left(
    bounds: Sequence[CallBound], made: Sequence[PreparationCall], *, is_done: bool = False
) -> CallBound:
    """The bounds together, without the calls that were made."""
    if is_done:
        return CallBound(0, 0, 0)
    read = sum(call.usage.prompt_tokens or 0 for call in made)
    written = sum(call.usage.completion_tokens or 0 for call in made)
    return CallBound(
        max(0, sum(bound.calls for bound in bounds) - len(made)),
        max(0, sum(bound.prompt_tokens for bound in bounds) - read),
        max(0, sum(bound.reply_tokens for bound in bounds) - written),
    )


def _most_selected(trial: Trial, definition: str) -> Selection:
    """Of a strategy that asks no model, the most tokens; no text."""
    return Selection("", expected_context_tokens(replace(trial, strategy=strategy_of(definition)))[1])


@lru_cache(maxsize=4096)
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)
