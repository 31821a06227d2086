"""How a reader is asked, next to its prompt: all that changes its answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal

PromptMode = Literal["chat", "completion", "turns"]

DEFAULT_ROOM = 8192
"""Tokens for thoughts where the user sets none: several times what a question about a text takes."""
_COMPLETION_STOP = ("\n\n",)
"""What a base model writes after a blank line is no answer any more."""
_NO_EFFORT = frozenset({"none", "minimal", "disable"})
# Models that think unless asked not to, as their makers document; matched from a name's start.
_THINKING = re.compile(
    "|".join(
        (
            r"o[1-9](-|$)",  # OpenAI's o-series
            r"gpt-[5-9](?!.*chat)(?!\.1($|-(?!codex|pro)))|gpt-oss",  # GPT-5.1 thinks on request alone
            r"deepseek-(r[1-9]|reasoner|v[4-9])",
            r"qwq|qwen[3-9](\.\d+)?([-:]|$)(?!.*(instruct|coder|max|plus|flash|turbo|omni|base))",
            r"gemini-(2\.5-(pro|flash)|[3-9])(?!.*(lite|image|tts|live|audio))",
            r"grok-(3-mini|[4-9])(?!.*non-reasoning)",
            r"magistral|minimax-m[1-9]|exaone-deep|smollm3(?!.*base)|(nvidia-)?nemotron-3",
            r"glm-(4\.[5-9]|[5-9])",
            r"kimi-k(2\.[5-9]|[3-9])",
            r".*[-_](thinking|reasoner|reasoning)\b(?<!non-reasoning)",
        )
    )
)


@dataclass(frozen=True)
class ReaderOptions:
    """What a user says of how a reader is asked; the defaults ask for the greedy answer of a chat.

    Attributes:
        top_p: share of the likeliest tokens that are drawn from; the endpoint's own where it is None.
        seed: in place of the sample's.
        max_tokens: room for an answer, in place of the sample's; thoughts do not count.
        thinking_tokens: how long it may think, on top of the answer's room; 0 asks it not to think, None
            sends nothing about it.
        reasoning_effort: as the endpoint names it ("low", "high").
        system: instructions before the prompt.
        stop: texts at which an answer ends.
        mode: "completion" sends the prompt as plain text to be continued, for base models; "turns" sends a
            conversation in the context as messages of user and assistant.
        extra_body: fields of the request that only this endpoint knows.
        default_room: room for thoughts where ``thinking_tokens`` is None: of models known to think.
    """

    temperature: float = 0.0
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    thinking_tokens: int | None = None
    reasoning_effort: str | None = None
    system: str = ""
    stop: tuple[str, ...] = ()
    mode: PromptMode = "chat"
    extra_body: Mapping[str, Any] = field(default_factory=dict, hash=False)
    default_room: int = 0

    @property
    def thinking_room(self) -> int:
        """Tokens that it may think, on top of the room for its answer."""
        return self.default_room if self.thinking_tokens is None else self.thinking_tokens

    @property
    def stops(self) -> tuple[str, ...]:
        """Where an answer ends; of completions at a blank line by default."""
        return self.stop or (_COMPLETION_STOP if self.mode == "completion" else ())

    @property
    def stated(self) -> dict[str, Any]:
        """What differs from the defaults, JSON-ready: part of every trial's identity, and recorded."""
        values = ((each.name, getattr(self, each.name)) for each in fields(self))
        said = {name: value for name, value in values if value != getattr(PLAIN, name)}
        if self.thinking_tokens is not None:
            said.pop("default_room", None)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}


PLAIN = ReaderOptions()


@lru_cache(maxsize=256)
def thinks_by_default(model: str) -> bool:
    """Whether a model, named as users name it, is known to think before it answers."""
    name = model.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".gguf")
    return bool(_THINKING.match(name))


def with_default_room(options: ReaderOptions, model: str) -> ReaderOptions:
    """The options, with room for thoughts where the model thinks by default or is asked for an effort."""
    effort = options.reasoning_effort
    thinks = effort not in _NO_EFFORT if effort else thinks_by_default(model)
    return replace(options, default_room=DEFAULT_ROOM if thinks and options.mode == "chat" else 0)
