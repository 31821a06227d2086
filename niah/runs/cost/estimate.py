"""What the rest of a run will take, before anything is asked: expected calls, tokens and money, and bounds.

Tokens are those of the samples' tokenizer; what finished trials showed of a provider's is taken into account.
A reader's bounds hold whatever it answers. Of judges, embedders and rerankers only the expected is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from math import ceil
from statistics import fmean
from typing import TYPE_CHECKING, Any, Literal

from niah.cases.sample import AnswerKey, Sample
from niah.cases.samples import LeftOut, context_of
from niah.judges import llm as llm_prompt
from niah.judges.llm import THINKING_ROOM
from niah.judges.registry import Judge
from niah.retrieval.names import RERANKED, parse_name
from niah.runs.config import Preparer
from niah.runs.cost.prices import (
    Budget,
    Price,
    Spending,
    prices_of,
    retrieval_price,
    total_usd,
)
from niah.runs.trial import PreparationCall, Trial, TrialRecord, asked_question
from niah.strategies.chunkers import SLACK_TOKENS, Chunker
from niah.strategies.facts import Selection
from niah.strategies.prepared.steps import CallBound, PreparedDocument
from niah.strategies.strategy import Strategy, strategy_of
from niah.text.tokenizer import count, get_tokenizer

if TYPE_CHECKING:
    from niah.runs.config import RunConfig
    from niah.runs.file.read import RunContents

_RECENT = 200
"""So many of the latest trials or verdicts tell how a model is now."""
_VERDICT_TOKENS = 200
_PROMPT_SLACK = 32
"""Tokens of joints between prompt and context, and of the roles of a chat."""
_ORACLE_PASSAGE = 100
_NOTHING = Spending(0, Decimal(0))
_REPLY_SHARE = 3
"""Gists and summaries fill a third of their room (0.2 of ReadAgent's 600 tokens, 0.5 of RAPTOR's 200)."""

Role = Literal["preparing", "reader", "system", "judge", "embedder", "reranker"]


@dataclass
class Use:
    """What one model is expected to take for the rest of a run, and at most, summed call by call."""

    role: Role
    name: str
    price: Price | None = None  # None where it is unknown
    calls: int = 0  # without retries
    prompt_tokens: int = 0
    answer_tokens: int = 0
    thinking_tokens: int = 0  # no part of answers
    usd: Decimal | None = Decimal(0)  # without any discount for cached tokens; None where it is unknown
    most: Spending = _NOTHING  # what a budget has to hold for it
    prompt_at_most: int = 0  # of ``most``, the tokens of prompts

    def add(
        self,
        prompt: int,
        answer: int = 0,
        thinking: int = 0,
        most: tuple[int, int] | None = None,
        times: int = 1,
    ) -> None:
        """Add calls of so many tokens each, and with ``most`` of so many in prompt and reply at most."""
        read, written = most or (prompt, answer + thinking)
        self.calls += times
        self.prompt_tokens += times * prompt
        self.answer_tokens += times * answer
        self.thinking_tokens += times * thinking
        self.prompt_at_most += times * read
        tokens, usd = (self.most.tokens or 0) + times * (read + written), None
        if times and self.price is None:
            self.usd = None
        if self.price and self.usd is not None and self.most.usd is not None:
            self.usd += times * self.price.of(prompt, answer + thinking)
            usd = self.most.usd + times * self.price.of(read, written)
        self.most = Spending(tokens, usd)

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
    """What the rest of a run will take."""

    parts: tuple[Use, ...]  # every model that is asked, readers in the config's order
    trials: int = 0  # of the run
    finished: int = 0  # of them, not asked again
    asked_first: int = 0  # questions asked without context; what readers know is left out of all else
    left_out: tuple[LeftOut, ...] = ()  # cases that cannot be built, where the suite skips them
    warnings: tuple[str, ...] = ()  # of what will run, and may not mean what one thinks; one line each
    budget: Budget | None = None
    refusal: str = ""  # why ``niah run`` would not start; "" where it would

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
        parts = [part.most for part in self.parts if part.role != "system" or part.usd is not None]
        return Spending(sum(most.tokens or 0 for most in parts), total_usd(most.usd for most in parts))


def estimate(
    config: RunConfig, todo: Sequence[Trial], trials: Sequence[Trial], run: RunContents | None = None
) -> Plan:
    """What the trials ``todo`` will take; of those that only lack a verdict, the verdict.

    Args:
        trials: all of the run; what finished ones had embedded and reranked is on disk.
        run: what the run file holds.
    """
    records = run.latest_first if run else ()
    answered = {record.trial_id for record in records if record.outcome == "judge_error"}
    prices = prices_of([*config.readers, *config.preparing], config.prices)
    systems = {str(strategy.plan) for strategy in config.strategies if strategy.system}
    read = [trial for trial in todo if not trial.strategy.system]
    readers = []
    for reader in config.readers:
        own = [trial for trial in read if trial.reader == reader.name and trial.trial_id not in answered]
        seen = [each for each in records if each.reader == reader.name and each.definition not in systems]
        readers.append(_reader_use(reader.name, own, prices[reader.name], seen[:_RECENT]))
    asked = {trial.trial_id for trial in todo}
    ended = {record.trial_id for record in records}
    done = [trial for trial in trials if trial.trial_id in ended and trial.trial_id not in asked]
    judge = judge_history(config, run)
    judged = [trial for trial in todo if not trial.asks_first]
    return Plan(
        (
            *_preparing_uses(config, todo, prices, run.preparations if run else ()),
            *readers,
            *_system_uses(todo, records, answered),
            *([judge.use(judged)] if judge else []),
            *retrieval_uses(config, todo, done),
        ),
        trials=len(trials),
        finished=len(trials) - len(asked),
        asked_first=sum(trial.asks_first for trial in todo),
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
    context, most = _context_tokens(trial)
    around = trial.system_tokens + sample.prompt_tokens
    return Tokens(
        prompt=around + context,
        prompt_at_most=around + most + _PROMPT_SLACK,
        answer=min(_count(sample.key.answer, sample.tokenizer), trial.max_tokens),
        answer_at_most=trial.room,
        thinking=trial.options.thinking_room,
    )


def _context_tokens(trial: Trial) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    expected, most = _without_noise(trial)
    strategy, key, room = trial.strategy, trial.sample.key, trial.sample.context_room
    if strategy.noise is None:
        return expected, most
    size = strategy.retrieval.chunker_for(room).tokens if strategy.retrieval else _ORACLE_PASSAGE
    with_noise = round(len(key.needles) * size / (1 - strategy.noise))
    return max(expected, min(room, with_noise)), max(most, room)


def _without_noise(trial: Trial) -> tuple[int, int]:
    strategy, sample, plan = trial.strategy, trial.sample, trial.strategy.retrieval
    room = sample.context_room
    if strategy.sends_context:
        cut = trial.truncation
        left = min(sample.tokens, cut.tokens) if cut else sample.tokens
        return left, left + SLACK_TOKENS if cut and cut.tokenizer == sample.tokenizer else sample.tokens
    if strategy.sends_needles:  # one passage for each needle, two where a border cuts it
        needles = sum(2 + _count(n.text, sample.tokenizer) // _ORACLE_PASSAGE for n in sample.key.needles)
        most = needles * (_ORACLE_PASSAGE + SLACK_TOKENS)
        return min(room, most // 2), min(room + SLACK_TOKENS, most)
    if prepared := strategy.prepared:
        if prepared.reads:
            return _context_tokens(replace(trial, strategy=strategy_of(prepared.reads)))
        return prepared.tokens_read(sample.tokens, room)
    if plan is None:
        return 0, 0
    if (filled := plan.tokens_in(room)) is not None:
        return filled, filled
    chunker = plan.chunker
    expected, size = chunker.read
    k = plan.scope.chunks_for(len(sample.key.needles) if sample.evidence_is_known else None)
    # Windows share tokens, so that all of them may be more than the context; two in a row fill their size.
    all_of_it = (4 + 3 * room // size) * (size + SLACK_TOKENS) if chunker.overlap else room + k * SLACK_TOKENS
    return (
        min(k * expected, room * chunker.size // (chunker.size - chunker.overlap)),
        min(k * (size + SLACK_TOKENS), all_of_it),
    )


def at_most(trial: Trial, price: Price | None, bound: float = 1.0, answer_bound: float = 1.0) -> Spending:
    """The most that a reader may take for a trial.

    Args:
        price: of the reader.
        bound: its greatest ``prompt_bound`` so far.
        answer_bound: the greatest share of its room that an answer of it took so far.
    """
    tokens = tokens_of(trial)
    prompt = ceil(tokens.prompt_at_most * max(1.0, bound))
    room = ceil(tokens.answer_at_most * max(1.0, answer_bound))
    return Spending(prompt + room, price.of(prompt, room) if price else None)


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + _PROMPT_SLACK)


def _reader_use(name: str, asked: Sequence[Trial], price: Price | None, seen: Sequence[TrialRecord]) -> Use:
    """What a reader will take; answers are as long as those ``seen``, else as the reference."""
    counts = [
        (each.own_prompt_tokens, each.prompt_tokens)
        for each in seen
        if each.own_prompt_tokens and each.prompt_tokens
    ]
    ratio = sum(reported for _, reported in counts) / sum(own for own, _ in counts) if counts else 1.0
    bound = max((prompt_bound(*both) for both in counts), default=1.0)
    read = [each for each in seen if each.prompt_tokens != 0]  # others were answered on the way
    written = [each.completion_tokens for each in read if each.completion_tokens is not None]
    thought = [each.thinking_tokens for each in read if each.thinking_tokens is not None]
    use = Use("reader", name, price)
    for trial in asked:
        tokens = tokens_of(trial)
        answer, thoughts = tokens.answer, tokens.thinking
        if written:
            both = min(ceil(fmean(written)), tokens.answer_at_most)
            thoughts = min(round(fmean(thought)) if thought else 0, both)
            answer = both - thoughts
        most = ceil(tokens.prompt_at_most * max(1.0, bound)), tokens.answer_at_most
        use.add(ceil(tokens.prompt * ratio), answer, thoughts, most)
    return use


def _system_uses(
    todo: Sequence[Trial], records: Iterable[TrialRecord], answered: Collection[str]
) -> Iterable[Use]:
    """What each system will take: as it reported of finished trials, else unknown."""
    for name in dict.fromkeys(trial.strategy.name for trial in todo if trial.strategy.system):
        calls = sum(t.strategy.name == name and t.trial_id not in answered for t in todo)
        known = [record for record in records if record.strategy == name and not record.from_cache]
        costs = [record.cost for record in known if record.cost is not None]
        prompts = [record.prompt_tokens for record in known if record.prompt_tokens is not None]
        answers = [record.completion_tokens for record in known if record.completion_tokens is not None]
        prompt, answer = (round(calls * fmean(each)) if each else 0 for each in (prompts, answers))
        usd = Decimal(str(round(fmean(costs) * calls, 8))) if costs else None if calls else Decimal(0)
        most = Spending(prompt + answer, usd)
        yield Use("system", name, None, calls, prompt, answer, 0, usd, most, prompt)


# Judges


@dataclass(frozen=True)
class JudgeHistory:
    """A model that is asked for verdicts, and what recent ones have shown of it."""

    name: str
    price: Price | None
    prompt_ratio: float = 1.0  # reported prompt tokens / what we expect, of recent verdicts together
    reply_tokens: int = _VERDICT_TOKENS  # of one verdict
    share: float = 1.0  # of the answers, 0 to 1, that it is asked about
    votes: int = 1  # so many times for each

    def expected_verdict(self, trial: Trial) -> Spending:
        """What a verdict on the trial's answer is expected to take, if the model is asked for it."""
        prompt = ceil(judge_prompt_tokens(trial.sample) * self.prompt_ratio)
        usd = self.price.of(prompt, self.reply_tokens) * self.votes if self.price else None
        return Spending((prompt + self.reply_tokens) * self.votes, usd)

    def use(self, judged: Sequence[Trial]) -> Use:
        """What verdicts on these are expected to take: its share of them, each of their mean length."""
        use = Use("judge", self.name, self.price)
        if judged:
            prompt = fmean(judge_prompt_tokens(trial.sample) for trial in judged) * self.prompt_ratio
            times = ceil(round(self.share * len(judged), 9)) * self.votes
            use.add(ceil(prompt), self.reply_tokens, times=times)
        return use


def judge_history(config: RunConfig, run: RunContents | None) -> JudgeHistory | None:
    """The judge as estimates need it; None where no model is asked to judge."""
    if not config.judge.needs_model:
        return None
    judge: Judge = config.judge
    votes = int(judge.settings.get("votes", 1))  # the usage of a verdict is that of all its votes
    ratio, replies = 1.0, _VERDICT_TOKENS + int(judge.settings.get(THINKING_ROOM, 0))
    seen = [
        (judge_prompt_tokens(run.samples[record.case_id]) * votes, read, wrote)
        for record in (run.latest_first[:_RECENT] if run else ())
        for verdict in record.verdicts
        if run and verdict.judge == judge.name
        if (read := verdict.usage.prompt_tokens) and (wrote := verdict.usage.completion_tokens) is not None
    ]  # where rules decide, the model is not asked, and reads 0
    if seen:
        ratio = sum(read for _, read, _ in seen) / sum(own for own, _, _ in seen)
        replies = ceil(fmean(wrote for _, _, wrote in seen) / votes)
    price = prices_of([judge], config.prices)[judge.name]
    return JudgeHistory(judge.name, price, ratio, replies, judge.share_asked, votes)


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
    names = (parse_name(strategy.retriever).reranker for strategy in strategies if strategy.retriever)
    return tuple(sorted({name.text for name in names if name and name.kind == "litellm"}))


def retrieval_uses(config: RunConfig, todo: Sequence[Trial], done: Sequence[Trial]) -> list[Use]:
    """What embedders and rerankers will take for ``todo``; results for the trials ``done`` are on disk."""
    strategies = list(dict.fromkeys(trial.strategy for trial in todo))
    models: list[tuple[Role, str, Price | None, Callable[[str, Iterable[Trial]], dict[Any, int]]]] = [
        *(
            ("embedder", name, retrieval_price("embedding", name), _embedded)
            for name in embedders_of(strategies)
        ),
        *(
            ("reranker", name, retrieval_price("rerank", name), _reranked)
            for name in rerankers_of(strategies)
        ),
    ]
    uses = []
    for role, name, listed, requests_of in models:
        finished, use = requests_of(name, done), Use(role, name, config.prices.get(name) or listed)
        for key, tokens in requests_of(name, [*done, *todo]).items():
            if key not in finished:
                use.add(tokens)
        uses.append(use)
    return uses


def _embedded(name: str, trials: Iterable[Trial]) -> dict[Any, int]:
    """Tokens of every context's chunks, and of every question.

    Samples of one haystack and seed share their background: of all but the longest only the chunks at
    needles are new.
    """
    cuts: dict[tuple[str, Chunker], Sample] = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and parse_name(plan.retriever).embedder == name:
            cuts[sample.sample_id, plan.chunker_for(sample.context_room)] = sample
    requests: dict[Any, int] = {}
    backgrounds = set[tuple[object, ...]]()
    for (sample_id, chunker), sample in sorted(cuts.items(), key=lambda cut: -cut[1].tokens):
        tokens = ceil(sample.tokens * chunker.size / (chunker.size - chunker.overlap))
        background = (sample.haystack, sample.seed, sample.document_id, sample.tokenizer, chunker)
        if background in backgrounds:  # a needle makes two chunks new; of a document all are known
            inserts = len(sample.key.needles) + sample.case.distractors if sample.case else 0
            tokens = min(tokens, 2 * inserts * chunker.size)
        backgrounds.add(background)
        requests[sample_id, chunker] = tokens
        requests[sample.key.question, sample.tokenizer] = _count(sample.key.question, sample.tokenizer)
    return requests


def _reranked(name: str, trials: Iterable[Trial]) -> dict[Any, int]:
    """Tokens of the best 100 chunks next to the question: once a sample, retriever and way to cut."""
    requests: dict[Any, int] = {}
    for trial in trials:
        plan, sample = trial.strategy.retrieval, trial.sample
        if plan and name in rerankers_of([trial.strategy]):
            chunker = plan.chunker_for(sample.context_room)
            chunks = min(RERANKED, ceil(sample.tokens / (chunker.size - chunker.overlap)))
            question = _count(sample.key.question, sample.tokenizer)
            requests[sample.sample_id, plan.retriever, chunker] = chunks * (chunker.size + question)
    return requests


# Models that prepare


def _preparing_uses(
    config: RunConfig,
    todo: Sequence[Trial],
    prices: Mapping[str, Price | None],
    made: Iterable[PreparationCall],
) -> list[Use]:
    """What each model takes that prepares, by formula: no model is asked, and nothing is embedded.

    Each document and each question is counted once, without the calls that the run file has of them.
    """
    begun: defaultdict[tuple[str, str, str], list[PreparationCall]] = defaultdict(list)
    for call in made:
        begun[call.definition, call.document, call.trial_id].append(call)
    questioned = {(definition, document) for definition, document, trial_id in begun if trial_id}
    readers = {reader.name: reader for reader in config.readers}
    uses: dict[str, Use] = {}
    counted = dict[tuple[object, ...], bool]()
    digest, document = "", PreparedDocument("", get_tokenizer("cl100k"))

    def add(model: Preparer, bound: CallBound, *, holds_replies: bool = False) -> None:
        """The bound, and what is expected where replies fill a third of their room."""
        name, thoughts, n = model.reader.name, model.options.thinking_room, bound.calls
        use = uses.setdefault(name, Use("preparing", name, prices.get(name)))
        if n:
            read, written = ceil(bound.prompt_tokens / n), ceil(bound.reply_tokens / n)
            usual = ceil(read / _REPLY_SHARE) if holds_replies else read
            reply = written if bound.is_answer else ceil(written / _REPLY_SHARE)
            use.add(usual, reply, thoughts, (read, written + thoughts), n)

    for trial in todo:
        if (strategy := trial.strategy.prepared) is None:
            continue
        own, sample = Preparer(readers[trial.reader], trial.options), trial.sample
        asked = config.preparer or own
        key = trial.strategy.definition, sample.sha256
        if digest != sample.sha256:  # a document's trials follow each other
            digest = sample.sha256
            document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
        prepared = (asked.reader.name, *key)
        if prepared not in counted:
            bounds = strategy.document_bounds(document)
            counted[prepared] = bool(bounds)
            if bounds and key not in questioned:
                add(asked, _left(bounds, begun[(*key, "")]))
        question = asked_question(trial, partial(_most_selected, trial))
        for bound in strategy.question_bounds(document, question):
            model = own if bound.by_reader else asked
            turn = (*key, model.reader.name, sample.sample_id, trial.repeat if bound.is_answer else 0, bound)
            if turn not in counted:
                counted[turn] = True
                left = _left([bound], begun[(*key, trial.trial_id)])
                add(model, left, holds_replies=counted[prepared])
    return list(uses.values())


def _left(bounds: Sequence[CallBound], made: Sequence[PreparationCall]) -> CallBound:
    """The bounds together, without the calls that were made."""
    read = sum(call.usage.prompt_tokens or 0 for call in made)
    written = sum(call.usage.completion_tokens or 0 for call in made)
    return CallBound(
        max(0, sum(bound.calls for bound in bounds) - len(made)),
        max(0, sum(bound.prompt_tokens for bound in bounds) - read),
        max(0, sum(bound.reply_tokens for bound in bounds) - written),
        is_answer=bounds[0].is_answer,
    )


def _most_selected(trial: Trial, definition: str) -> Selection:
    """Of a strategy that asks no model, the most tokens; no text."""
    return Selection("", _context_tokens(replace(trial, strategy=strategy_of(definition)))[1])


@lru_cache(maxsize=4096)
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)
