"""What a run will take, before anything is asked: no retrieval, no embedding, no language model.

All prompt tokens here are tokens of the case's tokenizer. The provider counts with its own, and adds the
tokens of its chat template; what finished trials showed of that is taken into account where there are any.

The room of a context is L - P. Whole contexts fill it exactly; a fill (half, full, budget-N) never exceeds
its share; top-K takes K chunks, each of its chunker's size at most. Sentences are limited by words, at two
tokens each. Oracle sends the passages that hold needles: one each is expected, two where a border cuts them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from math import ceil

from niah.cases.case import Case
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import UserError
from niah.needles.load import load_needle_set
from niah.readers.reader import Usage
from niah.retrieval.names import parse_name
from niah.runs.prices import Price
from niah.runs.trial import Trial
from niah.strategies.select import top_k
from niah.strategies.strategy import Chunker, Retrieve
from niah.text.tokenizer import count, get_tokenizer
from niah.text.tokenizers.source import find_source

# A chunk counted alone, and the blank line that joins it to the next.
_CHUNK_SLACK = 8
# Joints between prompt and context, and the roles of a chat.
_PROMPT_SLACK = 32
_TOKENS_PER_WORD = 2
# So many of the latest trials tell how a reader is now.
_RECENT = 200
_ORACLE_PASSAGE = 100
_PLAIN = "It ends here."


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call.

    Attributes:
        prompt: of the whole prompt, as our own tokenizer counts it.
        prompt_at_most: what it cannot exceed by that count.
        answer: of the reference answer.
        answer_at_most: the room that the answer has.
    """

    prompt: int
    prompt_at_most: int
    answer: int
    answer_at_most: int


@dataclass(frozen=True)
class Finished:
    """What one finished trial took, as far as it is known.

    Attributes:
        reader: whose trial.
        usage: as reported.
        own_prompt_tokens: our own count of its prompt.
        cost: US dollars.
        latency_s: wall seconds of the call.
        from_cache: whether all this was so in an earlier run, and nothing was asked in this one.
    """

    reader: str
    usage: Usage
    own_prompt_tokens: int | None = None
    cost: Decimal | None = None
    latency_s: float | None = None
    from_cache: bool = False


@dataclass(frozen=True)
class Seen:
    """What finished trials of a reader have shown; None where none of them tells.

    Attributes:
        prompt_ratio: reported prompt tokens / our own count, of all prompts together.
        bound: the greatest ``prompt_bound`` of one prompt; at least 1.
        answer_tokens: mean reported length of an answer.
        seconds_per_token: latency / prompt tokens, of all prompts together.
    """

    prompt_ratio: float | None = None
    bound: float = 1.0
    answer_tokens: float | None = None
    seconds_per_token: float | None = None


@dataclass(frozen=True)
class ReaderPlan:
    """What one reader will take for the trials that are left to ask.

    Attributes:
        trials: of the run.
        kept: of them, those not finished whose answers are kept from earlier runs. All that follows leaves
            them out, bounds too: an answer may be dropped before the run asks for it, but what a run takes is
            kept within its budget by its accounts, trial by trial.
        calls: the others not finished: one call each, retries not counted.
        prompt_tokens: as our own tokenizer counts them.
        prompt_tokens_at_most, answer_tokens_at_most: bounds; as the reader counts, where trials showed it.
        answer_tokens: expected.
        usd, usd_at_most: expected and bound, without any discount for cached tokens; None where the price is
            unknown.
        free: whether nothing is paid by nature.
        seconds: at the pace of recent trials, all workers busy; None before any.
        tokenizers: whose tokens these are.
        counts_own: whether those are the reader's own.
    """

    reader: str
    trials: int
    kept: int
    calls: int
    prompt_tokens: int
    prompt_tokens_at_most: int
    answer_tokens: int
    answer_tokens_at_most: int
    usd: Decimal | None
    usd_at_most: Decimal | None
    free: bool
    seconds: float | None
    tokenizers: tuple[str, ...]
    counts_own: bool

    @property
    def tokens_at_most(self) -> int:
        """Prompts and answers together."""
        return self.prompt_tokens_at_most + self.answer_tokens_at_most


@dataclass(frozen=True)
class Plan:
    """What a run will take.

    Attributes:
        readers: in the config's order.
        paid_embedders: retrievers that ask an endpoint, whose tokens and money are not estimated.
    """

    readers: tuple[ReaderPlan, ...]
    paid_embedders: tuple[str, ...]

    @property
    def kept(self) -> int:
        """Of all readers."""
        return sum(reader.kept for reader in self.readers)

    @property
    def calls(self) -> int:
        """Of all readers."""
        return sum(reader.calls for reader in self.readers)

    @property
    def tokens_at_most(self) -> int:
        """Prompts and answers of all readers."""
        return sum(reader.tokens_at_most for reader in self.readers)

    @property
    def usd(self) -> Decimal | None:
        """Expected, of all readers; None where one price is unknown."""
        return _sum(reader.usd for reader in self.readers)

    @property
    def usd_at_most(self) -> Decimal | None:
        """Bound, of all readers; None where one price is unknown."""
        return _sum(reader.usd_at_most for reader in self.readers)

    @property
    def seconds(self) -> float | None:
        """One reader after another; None where one pace is unknown."""
        known = [reader.seconds for reader in self.readers]
        return sum(seconds for seconds in known if seconds is not None) if None not in known else None


def make_plan(
    trials: Sequence[Trial],
    finished: Collection[str],
    concurrency: Mapping[str, int],
    prices: Mapping[str, Price | None],
    seen: Mapping[str, Seen],
    kept: Collection[str] = (),
) -> Plan:
    """The plan of a run.

    Args:
        trials: all of them.
        finished: ids of those that are not asked again.
        concurrency: of each reader, by name, in the order of the config.
        prices: of each reader.
        seen: of each reader that has finished trials.
        kept: ids of trials whose answers are kept from earlier runs.
    """
    left = [trial for trial in trials if trial.trial_id not in finished]
    asked = [trial for trial in left if trial.trial_id not in kept]
    readers = tuple(
        _reader_plan(
            name,
            sum(trial.reader == name for trial in trials),
            sum(trial.reader == name for trial in left),
            [trial for trial in asked if trial.reader == name],
            at_once,
            prices[name],
            seen.get(name, Seen()),
        )
        for name, at_once in concurrency.items()
    )
    # A kept answer is found by its prompt, which retrieval has to build all the same.
    return Plan(readers, _paid_embedders(left))


def tokens_of(trial: Trial) -> Tokens:
    """The tokens of a trial, without building its context."""
    case = trial.case
    prompt = _prompt_tokens(case.prompt, case.needle_set, case.seed, case.tokenizer)
    room = max(0, case.context_length - prompt)
    context, at_most = _context_tokens(trial, room)
    answer = _answer_tokens(case.needle_set, case.seed, case.tokenizer)
    return Tokens(
        prompt + context, prompt + at_most + _PROMPT_SLACK, min(answer, trial.max_tokens), trial.max_tokens
    )


def own_prompt_tokens(trial: Trial, context_tokens: int) -> int:
    """Our own count of a prompt, from that of what stood in the context's place; joints may cost a few."""
    case = trial.case
    if trial.strategy.definition == "lc" and case.mode == "exact":
        return case.context_length
    return context_tokens + _prompt_tokens(case.prompt, case.needle_set, case.seed, case.tokenizer)


def seen_in(finished: Iterable[Finished]) -> dict[str, Seen]:
    """What finished trials, the latest first, show of each reader."""
    latest: dict[str, list[Finished]] = {}
    for trial in finished:
        latest.setdefault(trial.reader, []).append(trial)
    return {reader: _seen(trials[:_RECENT]) for reader, trials in latest.items()}


def prompt_bound(own: int, reported: int) -> float:
    """Reported prompt tokens / the most that our own count allows: above 1, our bounds are too low."""
    return reported / (own + _PROMPT_SLACK)


def differences(trials: Iterable[Trial], finished: Mapping[str, Finished]) -> dict[str, float]:
    """How many more prompt tokens each reader reports than we count with its own tokenizer: 0.05 is 5 %.

    Readers whose cases are counted by another tokenizer are left out, as are those that report nothing.

    Args:
        trials: of the run.
        finished: by trial id.
    """
    both: dict[str, list[tuple[int, int]]] = {}
    for trial in trials:
        done = finished.get(trial.trial_id)
        if done and counts_own(trial.reader, trial.case.tokenizer):
            both.setdefault(trial.reader, []).extend(_both_counts([done]))
    ratios = {reader: _ratio(counts) for reader, counts in both.items()}
    return {reader: ratio - 1 for reader, ratio in ratios.items() if ratio is not None}


def _seen(trials: Sequence[Finished]) -> Seen:
    both = _both_counts(trials)
    answers = [t.usage.completion_tokens for t in trials if t.usage.completion_tokens is not None]
    paced = [
        (t.latency_s, tokens)
        for t in trials
        if t.latency_s and (tokens := t.own_prompt_tokens or t.usage.prompt_tokens)
    ]
    return Seen(
        _ratio(both),
        max([1.0, *(prompt_bound(own, reported) for own, reported in both)]),
        sum(answers) / len(answers) if answers else None,
        sum(latency for latency, _ in paced) / sum(tokens for _, tokens in paced) if paced else None,
    )


def _both_counts(trials: Iterable[Finished]) -> list[tuple[int, int]]:
    """Our own count and the reported one, of the prompts that have both."""
    counts = ((t.own_prompt_tokens, t.usage.prompt_tokens) for t in trials)
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


def _reader_plan(
    name: str,
    planned: int,
    left: int,
    asked: Sequence[Trial],
    concurrency: int,
    price: Price | None,
    seen: Seen,
) -> ReaderPlan:
    tokens = [tokens_of(trial) for trial in asked]
    answers = [_expected_answer(t, seen) for t in tokens]
    prompts_at_most = [reported_at_most(t, seen.bound) for t in tokens]
    tokenizers = tuple(sorted({trial.case.tokenizer for trial in asked}))
    prompt_tokens = sum(t.prompt for t in tokens)
    pace = seen.seconds_per_token
    return ReaderPlan(
        reader=name,
        trials=planned,
        kept=left - len(asked),
        calls=len(asked),
        prompt_tokens=prompt_tokens,
        prompt_tokens_at_most=sum(prompts_at_most),
        answer_tokens=sum(answers),
        answer_tokens_at_most=sum(t.answer_at_most for t in tokens),
        usd=_sum(
            price.of(ceil(t.prompt * (seen.prompt_ratio or 1)), answer) if price else None
            for t, answer in zip(tokens, answers, strict=True)
        ),
        usd_at_most=_sum(
            price.of(prompt, t.answer_at_most) if price else None
            for t, prompt in zip(tokens, prompts_at_most, strict=True)
        ),
        free=price is not None and price.free,
        seconds=0.0 if not asked else None if pace is None else pace * prompt_tokens / concurrency,
        tokenizers=tokenizers,
        counts_own=all(counts_own(name, tokenizer) for tokenizer in tokenizers),
    )


def reported_at_most(tokens: Tokens, bound: float) -> int:
    """The most prompt tokens that a provider may report, given its greatest ``prompt_bound`` so far."""
    return ceil(tokens.prompt_at_most * max(1.0, bound))


def _expected_answer(tokens: Tokens, seen: Seen) -> int:
    expected = tokens.answer if seen.answer_tokens is None else ceil(seen.answer_tokens)
    return min(expected, tokens.answer_at_most)


def _context_tokens(trial: Trial, room: int) -> tuple[int, int]:
    """Tokens that stand in the context's place: expected, and at most."""
    plan, case = trial.strategy.plan, trial.case
    if not isinstance(plan, Retrieve):
        match plan.kind:
            case "lc":
                return room, room
            case "closed-book":
                return 0, 0
            case "oracle":
                most = _oracle_tokens(case)
                return min(room, most // 2), min(room + _CHUNK_SLACK, most)
    match plan.scope.kind:
        case "half":
            return room // 2, room // 2
        case "full":
            return room, room
        case "budget":
            return min(plan.scope.size, room), min(plan.scope.size, room)
        case "top" | "top-auto":
            return _top_tokens(top_k(plan.scope, _needles(case)), plan.chunker, room)


def _top_tokens(k: int, chunker: Chunker, room: int) -> tuple[int, int]:
    """K chunks, or all of the context's. Windows share tokens, so that all of them may be more than it."""
    size = chunker.size * _TOKENS_PER_WORD if chunker.kind == "sentences" else chunker.size
    covered = room * chunker.size // (chunker.size - chunker.overlap)
    at_most = k * (size + _CHUNK_SLACK)
    if not chunker.overlap:
        at_most = min(at_most, room + k * _CHUNK_SLACK)
    return min(k * size, covered), at_most


def _oracle_tokens(case: Case) -> int:
    """Two passages for each needle, and as many more as a long one fills."""
    tokenizer = get_tokenizer(case.tokenizer)
    needles = load_needle_set(case.needle_set, case.seed).needles
    return sum(
        (2 + count(tokenizer, needle.text) // _ORACLE_PASSAGE) * (_ORACLE_PASSAGE + _CHUNK_SLACK)
        for needle in needles
    )


def _needles(case: Case) -> int:
    return len(load_needle_set(case.needle_set, case.seed).needles)


@lru_cache(maxsize=4096)
def _prompt_tokens(prompt: str, needle_set: str, seed: int, tokenizer: str) -> int:
    """P, up to the few tokens that depend on the context's edges."""
    question = load_needle_set(needle_set, seed).question
    return prompt_tokens(load_prompt(prompt), question, _PLAIN, _PLAIN, get_tokenizer(tokenizer))


@lru_cache(maxsize=4096)
def _answer_tokens(needle_set: str, seed: int, tokenizer: str) -> int:
    return count(get_tokenizer(tokenizer), load_needle_set(needle_set, seed).answer)


def _paid_embedders(trials: Iterable[Trial]) -> tuple[str, ...]:
    names = {t.strategy.plan.retriever for t in trials if isinstance(t.strategy.plan, Retrieve)}
    return tuple(sorted(name for name in names if parse_name(name).kind == "litellm"))


def _sum(amounts: Iterable[Decimal | None]) -> Decimal | None:
    total = Decimal(0)
    for amount in amounts:
        if amount is None:
            return None
        total += amount
    return total
