"""How a reader is asked, beside its prompt: all that changes its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

PromptMode = Literal["chat", "completion", "turns"]

_COMPLETION_STOP = ("\n\n",)
"""A base model goes on for ever; what it writes after a blank line is no answer any more."""


@dataclass(frozen=True)
class ReaderOptions:
    """What a user says of how a reader is to be asked; the defaults ask for the greedy answer of a chat.

    Attributes:
        temperature: 0 asks for the greedy answer.
        top_p: share of the likeliest tokens that are drawn from; the endpoint's own where it is None.
        seed: in place of the sample's.
        max_tokens: room for an answer, in place of the sample's; thoughts do not count.
        thinking_tokens: how long it may think, on top of the answer's room; 0 asks it not to think. None says
            nothing of it.
        reasoning_effort: as the endpoint names it ("low", "high").
        system: instructions before the prompt.
        stop: texts at which an answer ends.
        mode: "completion" sends the prompt as plain text to be gone on with, for models that are no chat's;
            "turns" sends a conversation in the context as messages of user and assistant.
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
        """Where an answer ends; of completions at a blank line, where nobody says."""
        return self.stop or (_COMPLETION_STOP if self.mode == "completion" else ())

    @property
    def stated(self) -> dict[str, Any]:
        """What differs from the defaults, JSON-ready: part of every trial's identity, and recorded."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        default = {each.name: getattr(PLAIN, each.name) for each in fields(self)}
        said = {name: value for name, value in values.items() if value != default[name]}
        if self.thinking_tokens is not None:
            said.pop("default_room", None)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}


PLAIN = ReaderOptions()
"""Nothing said."""
