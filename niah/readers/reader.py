"""What every reader takes and gives: a Request in; an Answer, or a Failure with the trial's outcome, out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal, Protocol

from niah.readers.options import PromptMode

EMBEDDED, EMBEDDED_WINDOW = "smollm2", 8192
"""The embedded model that is read where none is named, and the tokens of its prompt and answer together."""
EMBEDDED_WINDOWS = {EMBEDDED: EMBEDDED_WINDOW, "qwen": 32768}

FailureOutcome = Literal[
    "refused", "truncated", "overflow", "reader_error", "preparation_error", "judge_error"
]


@dataclass(frozen=True)
class Request:
    """One question to a reader. Fields that are not described here are those of ``ReaderOptions``.

    Attributes:
        prompt: the whole prompt text, sent as a single user message.
        max_tokens: room for all that it writes, thoughts included, in the reader's tokens.
        schema: JSON schema that the answer should follow; an endpoint may take a weaker form of it, or none.
        prefix_key: names the prompts that begin alike, for a provider's prompt cache. It changes no answer.
        turns: messages in place of the one, user and assistant by turns; empty for the prompt alone.
    """

    prompt: str
    max_tokens: int
    temperature: float = 0.0
    seed: int = 0
    system: str = ""
    schema: Mapping[str, Any] | None = None
    prefix_key: str = ""
    top_p: float | None = None
    stop: tuple[str, ...] = ()
    thinking_tokens: int | None = None
    reasoning_effort: str = ""
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    mode: PromptMode = "chat"
    turns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Everything that is read, in order."""
        return self.system + self.prompt

    @property
    def thinks(self) -> bool:
        """Whether the model may think before it answers: False where any option asks it not to."""
        template = self.extra_body.get("chat_template_kwargs")
        switches = {**self.extra_body, **(template if isinstance(template, Mapping) else {})}
        return not (
            self.thinking_tokens == 0
            or self.reasoning_effort in ("none", "disable")
            or switches.get("enable_thinking") is False
            or switches.get("thinking") in (False, {"type": "disabled"})
        )


@dataclass(frozen=True)
class Usage:
    """Tokens as the endpoint reports them, None where it does not; thoughts are part of the completion."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    thinking_tokens: int | None = None

    def __add__(self, other: Usage) -> Usage:
        """Both together; unknown where one of them is."""
        return Usage(*map(sum_if_known, vars(self).values(), vars(other).values()))


def sum_if_known(one: int | None, other: int | None) -> int | None:
    """Both together; None where one of them is unknown."""
    return None if one is None or other is None else one + other


@dataclass(frozen=True)
class Answer:
    """A complete answer.

    Attributes:
        latency_s: wall seconds from sending to the last byte, retries not included.
        cached: whether it was taken from the cache, with usage and latency of then.
        sources: texts that it was found in, the best first; None where they are unknown, as for every reader.
        cost: US dollars, as reported; None where they are not.
        reused_from: when an earlier run got it, UTC; "" for this run's own.
    """

    text: str
    usage: Usage
    latency_s: float
    cached: bool = False
    sources: tuple[str, ...] | None = None
    cost: Decimal | None = None
    reused_from: str = ""


@dataclass(frozen=True)
class Lasting:
    """Marks a failure that other requests would meet too: ``in_a_row`` of them stop the reader.

    ``is_mistake`` says that the model's name or the address is wrong.
    """

    in_a_row: int
    remedy: str
    is_mistake: bool = False


@dataclass(frozen=True)
class Failure:
    """No answer that may be judged.

    Attributes:
        reason: one line for people, without secrets.
        text: what came before the failure, if anything (a truncated answer).
        latency_s: wall seconds of the last attempt.
        lasting: None where the fault may be this request's own.
    """

    outcome: FailureOutcome
    reason: str
    text: str = ""
    usage: Usage = Usage()
    latency_s: float = 0.0
    lasting: Lasting | None = None


Response = Answer | Failure


@dataclass(frozen=True)
class ReaderTraits:
    """What the user says of a model: billions of parameters, and whether it thinks before it answers."""

    size: float | None = None
    reasoning: bool = False


@dataclass(frozen=True)
class Traffic:
    """For progress displays: requests under way, those that wait, attempts repeated, and work on prompts."""

    running: int = 0
    waiting: int = 0
    retries: int = 0
    preparing: str = ""


class Reader(Protocol):
    """The LLM that answers. Opened with ``async with``; ``read`` may be called concurrently."""

    @property
    def name(self) -> str:
        """Stable name, part of every trial's identity ("smollm2", "openai/gpt-4o-mini")."""

    @property
    def concurrency(self) -> int:
        """Requests under way at once, at most."""

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""

    @property
    def settings(self) -> dict[str, str | int]:
        """What the run file records of how it was asked; no secrets."""

    def check(self) -> None:
        """Raise ReaderConfigError for what is known to be wrong before any work. Starts nothing."""

    async def __aenter__(self) -> Reader: ...

    async def __aexit__(self, *exc: object) -> None: ...

    async def read(self, request: Request) -> Response:
        """Ask. Never raises for what an endpoint does: that comes back as a Failure."""
