"""What every reader takes and gives: a Request in; an Answer, or a Failure with the trial's outcome, out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from math import inf
from types import MappingProxyType
from typing import Any, Literal

EMBEDDED = "smollm2"  # where no model is named
EMBEDDED_WINDOWS = {EMBEDDED: 8192, "qwen": 32768}  # tokens of prompt and answer together

FailureOutcome = Literal[
    "refused", "truncated", "overflow", "reader_error", "preparation_error", "judge_error"
]
PromptMode = Literal["chat", "completion", "turns"]
Cache = Literal["", "cold", "shared"]  # whether prompts begin with a line of their own, or all with one


@dataclass(frozen=True, kw_only=True)
class Asking:
    """How a model is asked, whatever the question: by default for the greedy answer of a chat."""

    temperature: float = 0.0
    top_p: float | None = None  # share of the likeliest tokens that are drawn from
    thinking_tokens: int | None = None  # room for thoughts; 0 asks it not to think, None sends nothing
    reasoning_effort: str = ""  # as the endpoint names it ("low", "high")
    system: str = ""  # instructions before the prompt
    stop: tuple[str, ...] = ()  # texts at which an answer ends
    # "completion" sends plain text to be continued, "turns" a conversation in the context as messages.
    mode: PromptMode = "chat"
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)  # what only this endpoint knows


@dataclass(frozen=True)
class Request(Asking):
    """One question to a reader."""

    prompt: str  # the whole text, sent as a single user message
    max_tokens: int  # room for all that it writes, thoughts included, in the reader's tokens
    seed: int = 0
    schema: Mapping[str, Any] | None = None  # that the answer should follow, or a weaker form of it
    breakpoint: int = 0  # characters of the prompt that others share, for Anthropic's cache; 0 for none
    prefix_key: str = ""  # names prompts that begin alike, for a provider's prompt cache; changes no answer
    turns: tuple[str, ...] = ()  # messages in place of the prompt's one, user and assistant by turns
    # Tools that may be called, and the messages that are sent with them; the prompt where none are taken.
    tools: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)
    messages: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)

    @property
    def text(self) -> str:
        """Everything that is read, in order."""
        return self.system + self.prompt

    @property
    def thinks(self) -> bool:
        """Whether the model may think before it answers: False where any option asks it not to."""
        template = self.extra_body.get("chat_template_kwargs")
        switches = {**self.extra_body, **(template if isinstance(template, Mapping) else {})}
        is_off = self.thinking_tokens == 0 or self.reasoning_effort in ("none", "disable")
        is_switched_off = switches.get("thinking") in (False, {"type": "disabled"})
        return not (is_off or is_switched_off or switches.get("enable_thinking") is False)


@dataclass(frozen=True)
class Usage:
    """Tokens as the endpoint reports them, None where it does not; thoughts are part of the completion."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    thinking_tokens: int | None = None
    stored_tokens: int | None = 0  # of the prompt, those that were written into the provider's cache

    def __add__(self, other: Usage) -> Usage:
        """Both together; unknown where one of them is."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return Usage(*(None if None in pair else sum(pair) for pair in pairs))


@dataclass(frozen=True)
class Answer:
    """A complete answer."""

    text: str
    usage: Usage
    latency_s: float  # wall seconds from sending to the last byte, retries not included
    cached: bool = False  # taken from the cache, with usage and latency of then
    sources: tuple[str, ...] | None = None  # texts that it was found in, the best first; a system's alone
    cost: Decimal | None = None  # US dollars, as reported
    reused_from: str = ""  # when an earlier run got it, UTC
    by_tools: bool = False  # its text is calls of tools, a JSON object a line with name and arguments


@dataclass(frozen=True)
class Lasting:
    """Marks a failure that other requests would meet too: ``in_a_row`` of them stop the reader."""

    in_a_row: int
    remedy: str
    is_mistake: bool = False  # the model's name or the address is wrong
    reason: str = ""  # of the last of them, once the reader is stopped


@dataclass(frozen=True)
class Failure:
    """No answer that may be judged."""

    outcome: FailureOutcome
    reason: str  # one line for people, without secrets
    text: str = ""  # what came before the failure (a truncated answer)
    usage: Usage = Usage()
    latency_s: float = 0.0  # of the last attempt
    lasting: Lasting | None = None  # None where the fault may be this request's own


Response = Answer | Failure


@dataclass(frozen=True)
class ReaderTraits:
    """How a model with a stated ``cache`` is served."""

    cache: Cache
    engine: str  # model and address
    at_once: int  # requests


@dataclass(frozen=True)
class Traffic:
    """For progress displays: requests under way, those that wait, attempts repeated, and work on prompts."""

    running: int = 0
    waiting: int = 0
    retries: int = 0
    preparing: str = ""


@dataclass(frozen=True)
class Batch:
    """Requests that a provider answers together, within a day, as the run file records them."""

    batch_id: str  # ours, which the provider has too
    reader: str
    requests: int
    intended_at: float  # seconds since the epoch, before anything was sent
    file_id: str = ""  # the provider's, of its file of requests
    provider_id: str = ""  # "" where it may not have been submitted


@dataclass(frozen=True)
class ReaderOptions(Asking):
    """What a user says of how a reader is asked."""

    seed: int | None = None  # in place of the sample's
    max_tokens: int | None = None  # room for an answer, in place of the sample's; thoughts do not count
    default_room: int = 0  # for thoughts of models known to think, where ``thinking_tokens`` is None
    cache: Cache = ""

    @property
    def thinking_room(self) -> int:
        """Tokens that it may think, on top of the room for its answer."""
        return self.default_room if self.thinking_tokens is None else self.thinking_tokens

    def request(self, prompt: str, max_tokens: int) -> Request:
        """The request that asks so, with that much room; a base model's answer ends at a blank line."""
        how = {each.name: getattr(self, each.name) for each in fields(Asking)}
        stop = self.stop or (("\n\n",) if self.mode == "completion" else ())
        return Request(prompt, max_tokens, **(how | {"stop": stop}))

    @property
    def stated(self) -> dict[str, Any]:
        """What differs from the defaults, JSON-ready: part of every trial's identity, and recorded."""
        said = {name: value for name, value in vars(self).items() if value != getattr(PLAIN, name)}
        if self.thinking_tokens is not None:
            said.pop("default_room", None)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}


PLAIN = ReaderOptions()
_DEFAULT_ROOM = 8192  # tokens for thoughts: several times what a question about a text takes
# Models that think unless asked not to, as their makers document; matched from a name's start.
_THINKING = re.compile(
    r"o[1-9](-|$)"  # OpenAI's o-series
    r"|gpt-[5-9](?!.*chat)(?!\.1($|-(?!codex|pro)))|gpt-oss"  # GPT-5.1 thinks on request alone
    r"|deepseek-(r[1-9]|reasoner|v[4-9])"
    r"|qwq|qwen[3-9](\.\d+)?([-:]|$)(?!.*(instruct|coder|max|plus|flash|turbo|omni|base))"
    r"|gemini-(2\.5-(pro|flash)|[3-9])(?!.*(lite|image|tts|live|audio))"
    r"|grok-(3-mini|[4-9])(?!.*non-reasoning)"
    r"|magistral|minimax-m[1-9]|exaone-deep|smollm3(?!.*base)|(nvidia-)?nemotron-3"
    r"|glm-(4\.[5-9]|[5-9])|kimi-k(2\.[5-9]|[3-9])"
    r"|.*[-_](thinking|reasoner|reasoning)\b(?<!non-reasoning)"
)


def with_default_room(options: ReaderOptions, model: str) -> ReaderOptions:
    """The options, with room for thoughts where the model thinks by default or is asked for an effort."""
    name = model.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".gguf")
    effort = options.reasoning_effort
    thinks = effort not in ("none", "minimal", "disable") if effort else bool(_THINKING.match(name))
    return replace(options, default_room=_DEFAULT_ROOM if thinks and options.mode == "chat" else 0)


@dataclass(frozen=True)
class Patience:
    """How often and how long an endpoint is asked, which changes no answer."""

    attempts: int = 4  # of one reading; those that met a limit do not count
    timeout_s: float = 600.0  # of one attempt, from sending to the last byte
    first_wait_s: float = 2.0  # before the second attempt; it doubles from there, plus up to a half at random
    gone_s: float = 15.0  # for an endpoint that answers nothing; 0 leaves it to the attempts
    limited_s: float = 300.0  # waits of one reading for an endpoint that limits it: limits of a minute, often


PATIENT, ONCE = Patience(), Patience(attempts=1, timeout_s=inf, gone_s=0)


Transport = Mapping[str, Any]  # what a user set of ``Patience``, by its fields
# How embedders, rerankers and services are asked.
asked_with: ContextVar[Transport] = ContextVar("asked_with", default=MappingProxyType({}))
