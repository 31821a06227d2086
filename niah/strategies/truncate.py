"""Cuts a context that is longer than a reader's window, where a run config asks for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["back", "middle"]

_JOINT = "\n\n"


@dataclass(frozen=True)
class Truncation:
    """What is left of a context.

    Attributes:
        side: what goes: its end, as in long-context-vs-rag (section 4.1), or its middle.
        tokens: of the context that stay.
        tokenizer: whose tokens.
    """

    side: Side
    tokens: int
    tokenizer: str

    def apply(self, text: str) -> str:
        """The text without its end or middle; as it is where it has no more than ``tokens``."""
        from niah.text.tokenizer import get_tokenizer

        starts = get_tokenizer(self.tokenizer).starts(text)
        if len(starts) <= self.tokens:
            return text
        if self.side == "back":
            return text[: int(starts[self.tokens])]
        tail = self.tokens // 2
        head = int(starts[self.tokens - tail])
        return text[:head] + _JOINT + text[int(starts[len(starts) - tail]) :] if tail else text[:head]
