"""What the rest of a run will take, by formula; a reader's upper bounds hold whatever it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial
from math import ceil
from statistics import fmean
from typing import Literal

from niah.cases.prompts import load_prompt
from niah.cases.sample import AnswerKey
from niah.cases.samples import LeftOut, context_of
from niah.judges import llm as llm_prompt
from niah.judges.llm import THINKING_ROOM
from niah.readers.retry import Reader
from niah.runs.config import Preparer, RunConfig
from niah.runs.cost.prices import Budget, Price, Spending, caches_from, prices_of, total_usd
from niah.runs.file.read import RunContents
from niah.runs.trial import PreparationCall, Trial, asked_question
from niah.strategies.chunkers import SLACK_TOKENS
from niah.strategies.facts import Selection
from niah.strategies.prepared.steps import PreparedDocument
from niah.strategies.strategy import strategy_of
from niah.text.tokenizer import count, get_tokenizer

_RECENT = 200  # so many of the latest trials tell how long answers are
_VERDICT_TOKENS = 200
PROMPT_SLACK = 32  # tokens of joints between prompt and context, and of the roles of a chat
_ORACLE_PASSAGE = 100
_NOTHING, _UNKNOWN = Spending(0, Decimal(0)), Spending(0, None)

Prefixes = dict[str, tuple[tuple[object, ...], int]]
Role = Literal["preparing", "reader", "system", "judge"]


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
    cached_tokens: int = 0  # of prompts, from the provider's cache, where we say what it keeps
    usd: Decimal | None = Decimal(0)  # with that discount and no other; None where it is unknown
    most: Spending = _NOTHING  # what a budget has to hold for it
    prompt_at_most: int = 0  # of ``most``, the tokens of prompts

    def add(self, each: Tokens, times: int = 1) -> None:
        """Add so many calls of these tokens each."""
        written = each.answer + each.thinking
        self.calls += times
        self.prompt_tokens += times * each.prompt
        self.answer_tokens += times * each.answer
        self.thinking_tokens += times * each.thinking
        self.cached_tokens += times * each.cached
        self.prompt_at_most += times * each.prompt_at_most
        tokens, usd = self.most.tokens + times * (each.prompt_at_most + each.answer_at_most), None
        if times and self.price is None:
            self.usd = None
        if self.price and self.usd is not None and self.most.usd is not None:
            self.usd += times * self.price.of(each.prompt, written, each.cached, each.stored)
            stored = each.prompt_at_most * bool(each.cached or each.stored)
            usd = self.most.usd + times * self.price.of(each.prompt_at_most, each.answer_at_most, 0, stored)
        self.most = Spending(tokens, usd)


@dataclass(frozen=True)
class Plan:
    """What the rest of a run will take."""

    parts: tuple[Use, ...]  # every model that is asked, readers in the config's order
    judge: str = ""  # its name, also of one that asks no model
    trials: int = 0  # of the run
    finished: int = 0  # of them, not asked again
    stored: Collection[str] = ()  # ids of trials whose prompts may be written into a provider's cache
    asked_first: int = 0  # questions asked without context; what readers know is left out of all else
    left_out: tuple[LeftOut, ...] = ()  # cases that cannot be built, where the suite skips them
    warnings: tuple[str, ...] = ()  # of what will run, and may not mean what one thinks; one line each
    budget: Budget | None = None
    refusal: str = ""  # why ``niah run`` would not start; "" where it would

    @property
    def calls(self) -> int:
        """Expected, of all models."""
        return sum(part.calls for part in self.parts)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all models; None where one price is unknown."""
        return total_usd(part.usd for part in self.parts)

    @property
    def most(self) -> Spending:
        """At most, of all models; dollars are None where one price is unknown, as a system's is."""
        parts = [part.most for part in self.parts]
        return Spending(sum(most.tokens for most in parts), total_usd(most.usd for most in parts))


def estimate(
    config: RunConfig, todo: Sequence[Trial], trials: Sequence[Trial], run: RunContents | None = None
) -> Plan:
    """What ``todo``, of all ``trials``, will take; of trials that only lack a verdict, the verdict."""
    records = run.latest_first if run else ()
    answered = {record.trial_id for record in records if record.outcome == "judge_error"}
    unanswered = [trial for trial in todo if trial.trial_id not in answered]
    prices = prices_of([*config.readers, *config.preparing], config.prices)
    prefixes, readers, stored = shared_prefixes(unanswered, config.readers), list[Use](), set[object]()
    for name in (reader.name for reader in config.readers):
        # Answers are as long as those of now, else as the reference. Of others no prompt was counted.
        seen = [each for each in records if each.reader == name and each.own_prompt_tokens][:_RECENT]
        written = [each.completion_tokens for each in seen if each.completion_tokens is not None]
        thought = [each.thinking_tokens for each in seen if each.thinking_tokens is not None]
        usual = ceil(fmean(written)) if written else 0
        use, price = Use("reader", name, prices[name]), prices[name]
        for trial in (each for each in unanswered if each.reader == name and not each.strategy.system):
            tokens = tokens_of(trial)
            answer, thoughts = tokens.answer, trial.options.thinking_room
            if written:
                both = min(usual, tokens.answer_at_most)
                thoughts = min(round(fmean(thought)) if thought else 0, both)
                answer = both - thoughts
            text, size = prefixes.get(trial.trial_id, ((), 0))
            cached = size if text in stored else 0
            stored.add(text)
            use.price = price.in_batches if price and trial.batched else price
            shared = {"cached": cached, "stored": size - cached}
            use.add(replace(tokens, answer=answer, thinking=thoughts, **shared))
        readers.append(use)
    # What systems take is unknown until they report it.
    asked = Counter(trial.strategy.name for trial in unanswered if trial.strategy.system)
    judge = judge_of(config)
    return Plan(
        (
            *_preparing_uses(config, todo, trials, prices, run.preparations if run else ()),
            *readers,
            *(Use("system", name, calls=n, usd=None, most=_UNKNOWN) for name, n in asked.items()),
            *([judge.use([trial for trial in todo if not trial.asks_first])] if judge else []),
        ),
        judge=config.judge.name,
        trials=len(trials),
        finished=len(trials) - len(todo),
        asked_first=sum(trial.asks_first for trial in todo),
        stored=prefixes.keys(),
    )


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call by our own count: expected, and bounds; thoughts take room of the answer's."""

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int
    thinking: int = 0  # no part of ``answer``
    cached: int = 0  # of ``prompt``, from the provider's cache, and written into it
    stored: int = 0


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    sample = trial.sample
    context, most = _context_tokens(trial)
    around = trial.system_tokens + trial.prompt_tokens
    answer = min(_count(sample.key.answer, sample.tokenizer), trial.max_tokens)
    return Tokens(around + context, around + most + PROMPT_SLACK, answer, trial.room)


def _context_tokens(trial: Trial) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    strategy, sample, plan = trial.strategy, trial.sample, trial.strategy.retrieval
    room, cut, prepared = sample.context_room, trial.truncation, strategy.prepared
    expected = most = 0
    if strategy.sends_context:
        expected = min(sample.tokens, cut.tokens) if cut else sample.tokens
        most = expected + SLACK_TOKENS if cut and cut.tokenizer == sample.tokenizer else sample.tokens
    elif strategy.sends_needles:  # one passage for each needle, two where a border cuts it
        needles = sum(2 + _count(n.text, sample.tokenizer) // _ORACLE_PASSAGE for n in sample.key.needles)
        most = needles * (_ORACLE_PASSAGE + SLACK_TOKENS)
        expected, most = min(room, most // 2), min(room + SLACK_TOKENS, most)
    elif prepared and prepared.reads:
        return _context_tokens(replace(trial, strategy=strategy_of(prepared.reads)))
    elif prepared:
        expected, most = prepared.tokens_read(sample.tokens, room)
    elif plan and (filled := plan.tokens_in(room)) is not None:
        expected = most = filled
    elif plan:
        usual, size = plan.chunker.read
        step = plan.chunker.size - plan.chunker.overlap
        k = min(room, plan.scope.chunks_for(len(sample.key.needles) if sample.evidence_is_known else None))
        # Windows share tokens, so that all may be more than the context; two in a row fill their size.
        windows = (4 + 3 * room // size) * (size + SLACK_TOKENS)
        all_of_it = windows if plan.chunker.overlap else room + k * SLACK_TOKENS
        expected = min(k * usual, room * plan.chunker.size // step)
        most = min(k * (size + SLACK_TOKENS), all_of_it)
    if strategy.noise is None:
        return expected, most
    passage = plan.chunker_for(room).read[1] if plan else _ORACLE_PASSAGE
    with_noise = round(len(sample.key.needles) * passage / (1 - strategy.noise))
    return max(expected, min(room, with_noise)), max(most, room)


def most_of(
    prompt: int, room: int, price: Price | None, bound: float, room_bound: float, *, stored: bool = False
) -> Spending:
    """The most that a call may take; ``bound`` is how many times the model passed our counts so far."""
    read, written = ceil((prompt + PROMPT_SLACK) * max(1.0, bound)), ceil(room * max(1.0, room_bound))
    return Spending(read + written, price.of(read, written, 0, read * stored) if price else None)


def shared_prefixes(trials: Iterable[Trial], readers: Iterable[Reader]) -> Prefixes:
    """By trial id its prompt up to the context's end, and its tokens, where it is shared and cached."""
    found, fewest = Prefixes(), caches_from(readers)
    for trial in trials:
        sample, strategy = trial.sample, trial.strategy
        asked, chooses = trial.options, strategy.prepared or strategy.system or trial.batched
        if trial.reader not in fewest or asked.mode != "chat" or asked.cache == "cold" or chooses:
            continue
        before, after = load_prompt(trial.prompt).frame(sample.key.question, sample.key.options)
        tokens = tokens_of(trial).prompt - _count(after, sample.tokenizer)
        own = () if strategy.sends_context else (sample.sample_id,)  # else the question selects
        if tokens >= fewest[trial.reader]:
            text = trial.reader, strategy.definition, sample.sha256, before, trial.truncation, *own
            found[trial.trial_id] = text, tokens
    together = Counter(text for text, _ in found.values())
    return {trial_id: prefix for trial_id, prefix in found.items() if together[prefix[0]] > 1}


@dataclass(frozen=True)
class AskedJudge:
    """A model that is asked for verdicts."""

    name: str
    price: Price | None
    reply_tokens: int = _VERDICT_TOKENS  # of one verdict
    share: float = 1.0  # of the answers, 0 to 1, that it is asked about
    votes: int = 1  # so many times for each

    def use(self, judged: Sequence[Trial]) -> Use:
        """What verdicts on these are expected to take: its share of them, each of their mean length."""
        use = Use("judge", self.name, self.price)
        if judged:
            samples = [trial.sample for trial in judged]
            prompt = ceil(fmean(judge_prompt_tokens(each.key, each.tokenizer) for each in samples))
            times = ceil(round(self.share * len(judged), 9)) * self.votes
            use.add(Tokens(prompt, prompt, self.reply_tokens, self.reply_tokens), times)
        return use


def judge_of(config: RunConfig) -> AskedJudge | None:
    """The judge of a run; None where no model is asked to judge."""
    judge = config.judge
    if not judge.needs_model:
        return None
    price = prices_of([judge], config.prices)[judge.name]
    reply = _VERDICT_TOKENS + int(judge.settings.get(THINKING_ROOM, 0))
    return AskedJudge(judge.name, price, reply, judge.share_asked, int(judge.settings.get("votes", 1)))


@lru_cache(maxsize=4096)
def judge_prompt_tokens(key: AnswerKey, tokenizer: str) -> int:
    """What a judge is expected to read for one verdict, the reference in the answer's place."""
    return _count(llm_prompt.INSTRUCTIONS, tokenizer) + _count(llm_prompt.data(key.answer, key), tokenizer)


def _preparing_uses(
    config: RunConfig,
    todo: Sequence[Trial],
    trials: Sequence[Trial],
    prices: Mapping[str, Price | None],
    made: Iterable[PreparationCall],
) -> list[Use]:
    """The most that each model takes that prepares: each document and question once, and no call again."""
    begun = Counter((call.model, call.definition, call.document, call.trial_id) for call in made)
    readers = {reader.name: reader for reader in config.readers}
    # Documents that questions were asked about are prepared whole, often with fewer calls than bounded.
    preparer = config.preparer.reader.name if config.preparer else ""
    left = {trial.trial_id for trial in todo}
    done = [trial for trial in trials if trial.strategy.prepared and trial.trial_id not in left]
    whole = {(preparer or trial.reader, trial.strategy.definition, trial.sample.sha256) for trial in done}
    whole |= {key[:3] for key in begun if key[3]}
    uses, counted = dict[str, Use](), set[tuple[object, ...]]()
    document = PreparedDocument("", get_tokenizer("cl100k"))
    digest = ""
    for trial in todo:
        if (strategy := trial.strategy.prepared) is None:
            continue
        own, sample = Preparer(readers[trial.reader], trial.options), trial.sample
        asked = config.preparer or own
        if digest != sample.sha256:  # a document's trials follow each other
            digest = sample.sha256
            document = PreparedDocument(context_of(sample).text, get_tokenizer(sample.tokenizer))
        question = asked_question(trial, document, partial(_most_selected, trial))
        key = (trial.strategy.definition, digest)
        for place, bound in enumerate(strategy.bounds(question)):
            trial_id = "" if bound.of_document else trial.trial_id
            own_turn = sample.sample_id, trial.repeat * bound.is_answer, bound
            turn = place if bound.of_document else own_turn
            model = own if bound.by_reader else asked
            name, n = model.reader.name, bound.calls
            use = uses.setdefault(name, Use("preparing", name, prices.get(name)))
            if (name, *key, turn) in counted or (bound.of_document and (name, *key) in whole):
                continue
            counted.add((name, *key, turn))
            already = min(n, begun[name, *key, trial_id])  # steps of a document follow each other
            begun[name, *key, trial_id] -= already
            if already < n:
                prompt, reply = ceil(bound.prompt_tokens / n), ceil(bound.reply_tokens / n)
                thoughts = model.options.thinking_room
                use.add(Tokens(prompt, prompt, reply, reply + thoughts, thoughts), n - already)
    return list(uses.values())


def _most_selected(trial: Trial, definition: str) -> Selection:
    """Of a strategy that asks no model, the most tokens; no text."""
    return Selection("", _context_tokens(replace(trial, strategy=strategy_of(definition)))[1])


@lru_cache(maxsize=4096)
def _count(text: str, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), text)
