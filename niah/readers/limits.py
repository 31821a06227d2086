"""Rate limits, as the headers of replies tell them: all readers of one key keep to them together."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import NamedTuple
from weakref import WeakValueDictionary

from niah.readers.outcomes import Fault
from niah.readers.reader import Usage

heard: ContextVar[Mapping[str, str]] = ContextVar("heard")
"""The headers of the latest reply to this task."""

_Key = tuple[str, float]  # kind ("requests", "tokens") and size, which tells models apart
_LIMIT = re.compile(
    r"(?:llm_provider-)?(?:x-ratelimit-(limit|remaining|reset)-(requests|tokens)(?:-minute)?"
    r"|anthropic-ratelimit-(requests|(?:input-|output-)?tokens)-(limit|remaining|reset))"
)
_UNITS = {"d": 86_400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_TOKENS_A_CHARACTER, _FEW_CHARACTERS = 0.4, 1000  # until replies say it, and of fewer they do not
_SPARE = 0.02  # of a limit, for what was counted too low
_FIRST_REPLY_S, _LOOK_AGAIN_S = 15.0, 0.05
_GIVEN_UP, _TAKEN_BACK, _LEAST_OURS = 0.1, 0.003, 0.1  # at a refusal, at a reply: as networks share a line


def limits_in(headers: Mapping[str, str], now: float) -> dict[_Key, tuple[float, float]]:
    """Of each limit in a reply's headers, by kind and size: what is left, and seconds until all of it is."""
    found, limits = defaultdict[str, dict[str, str]](dict), {}
    for name, value in headers.items():
        if match := _LIMIT.fullmatch(name.lower()):
            found[match[2] or match[3]][match[1] or match[4]] = str(value)
    for kind, said in found.items():
        with suppress(ValueError, KeyError):
            size, left = float(said["limit"]), float(said["remaining"])
            if 1 <= size < 1e15 and left >= 0:
                limits[kind, size] = min(left, size), _seconds(said.get("reset", ""), now)
    return limits


def _seconds(reset: str, now: float) -> float:
    """Seconds until a reset that is told as "1m2.5s", "17" or a date; 0 where it is none of them."""
    with suppress(ValueError):
        if parts := re.findall(r"([\d.]+)(ms|us|µs|ns|d|h|m|s)", reset):
            return min(_UNITS["d"], sum(float(number) * _UNITS[unit] for number, unit in parts))
        return float(reset) if 0 <= float(reset) < _UNITS["d"] else 0.0
    with suppress(ValueError, OverflowError):
        return max(0.0, datetime.fromisoformat(reset).timestamp() - now)
    return 0.0


@dataclass
class _Limit:
    """What is left of a limit, by the endpoint's count and by what was sent since."""

    size: float
    left: float
    at: float  # when so much was left
    replied: float = 0.0  # what all requests with a reply took, since the limit is known
    period_s: float = 60.0  # in which all of it comes back, evenly (a token bucket)
    ours: float = 1.0  # of what comes back: others may take from it too
    not_before: float = -inf  # nothing is sent, as a refusal asks

    def wait_s(self, need: float = 0.0) -> float:
        """Seconds until there is room for a request; for one above the limit, until it is full."""
        now, a_second = now_s(), self.ours * self.size / self.period_s
        self.left, self.at = min(self.size, self.left + (now - self.at) * a_second), now
        missing = min(need, self.size * (1 - 2 * _SPARE)) + self.size * _SPARE - self.left
        return max(self.not_before - now, missing / a_second, 0.0)

    def hear(self, left: float, full_s: float, age_s: float, uncounted: float, later: float) -> None:
        """Correct our count by a reply's, whose request was sent ``age_s`` ago.

        The endpoint may have counted none of the ``uncounted``, which had no reply when this one was sent; it
        had not counted what was sent ``later`` and has no reply yet.
        """
        self.wait_s()
        self.ours = min(1.0, self.ours + _TAKEN_BACK)
        if full_s and self.size - left > self.size / 10:  # of less, a rounded time says little
            self.period_s = max(full_s * self.size / (self.size - left), 1e-3)
        high = left + age_s * self.size / self.period_s - later
        self.left = max(min(self.left, high), left - uncounted)


@dataclass
class _Account:
    """The limits of one key, in one event loop."""

    limits: dict[_Key, _Limit] = field(default_factory=dict)
    latest: Collection[_Key] = ()
    replied: asyncio.Event = field(default_factory=asyncio.Event)  # to the first request
    waiting: int = 0  # for that, so far
    tokens_a_character: float = _TOKENS_A_CHARACTER
    under_way: list[Sent] = field(default_factory=list)  # without a reply yet


_accounts: WeakValueDictionary[tuple[object, str], _Account] = WeakValueDictionary()


class Sent(NamedTuple):
    """A request on its way: when it was sent, its text, what it may take, and what had a reply by then."""

    at: float
    characters: int
    room: int
    takes: Counter[str]
    replied: dict[_Key, float]


class Share:
    """One reader's part in the limits of its key."""

    def __init__(self, account: str) -> None:
        self._name, self._account, self._limits = account, _Account(), tuple[_Key, ...]()

    async def enter(self, characters: int, room: int, longest_s: float) -> Sent:
        """Wait for room; not where that takes longer than ``longest_s``: then the endpoint may say so.

        The first reply tells the limits, and is waited for.
        """
        self._account = here = _accounts.setdefault((asyncio.get_running_loop(), self._name), _Account())
        if here.under_way and not here.replied.is_set():
            here.waiting += 1
            with suppress(TimeoutError):
                await asyncio.wait_for(here.replied.wait(), _FIRST_REPLY_S + here.waiting / 4)
        while True:
            prompt = round(characters * here.tokens_a_character)
            takes = _takes(prompt, prompt, room, room)
            own = {key: here.limits[key] for key in self._limits or here.latest}
            wait_s = max((limit.wait_s(takes[kind]) for (kind, _), limit in own.items()), default=0.0)
            if not 0 < wait_s <= longest_s:
                break
            await asyncio.sleep(min(wait_s, max(wait_s / 4, _LOOK_AGAIN_S)))  # replies may make room before
        for (kind, _), limit in own.items():
            limit.left -= takes[kind]
        sent = Sent(now_s(), characters, room, takes, {key: limit.replied for key, limit in own.items()})
        here.under_way.append(sent)
        return sent

    def leave(self, sent: Sent, result: object) -> None:
        """Learn from a reply, or from none, what is left."""
        here, said = self._account, limits_in(heard.get({}), time.time())
        here.replied.set()
        refused = result if isinstance(result, Fault) and result.limited else None
        usage, used = getattr(result, "usage", Usage()), sent.takes  # as far as a reply says it
        if refused:
            used = Counter()
        elif usage.prompt_tokens is not None:
            if sent.characters >= _FEW_CHARACTERS:
                seen, before = usage.prompt_tokens / sent.characters, here.tokens_a_character
                here.tokens_a_character = max(seen, 0.9 * before + 0.1 * seen)
            written = sent.room if usage.completion_tokens is None else usage.completion_tokens
            uncached = usage.prompt_tokens - (usage.cached_tokens or 0)
            used = _takes(usage.prompt_tokens, uncached, sent.room, written)
        here.under_way.remove(sent)
        for key in sent.replied:
            here.limits[key].left += sent.takes[key[0]] - used[key[0]]
        for key, (left, full_s) in said.items():
            kind, limit = key[0], here.limits.setdefault(key, _Limit(key[1], left, now_s()))
            others = [each for each in here.under_way if key in each.replied or not each.replied]
            uncounted = limit.replied - sent.replied.get(key, 0.0) + sum(each.takes[kind] for each in others)
            later = sum(each.takes[kind] for each in others if each.at > sent.at)
            limit.replied += used[kind]
            if refused and left < sent.takes[kind]:
                limit.ours = max(_LEAST_OURS, limit.ours * (1 - _GIVEN_UP))
                limit.not_before = max(limit.not_before, now_s() + (refused.retry_after_s or full_s))
            limit.hear(left, full_s, now_s() - sent.at, uncounted, later)
        self._limits = tuple(said) or self._limits
        here.latest = self._limits or here.latest


def _takes(prompt: int, uncached: int, room: int, written: int) -> Counter[str]:
    """What a request takes of each limit: Anthropic counts no cached and no unwritten tokens, OpenAI all."""
    tokens = {"tokens": prompt + room, "input-tokens": uncached, "output-tokens": written}
    return Counter({"requests": 1, **tokens})


def now_s() -> float:
    """The event loop's time."""
    return asyncio.get_running_loop().time()
