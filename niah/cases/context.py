"""The rendered text of a case, with the span of every needle and distractor."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Literal, NamedTuple

from niah.cases.case import BuiltMode
from niah.needles.needle_set import Hardness


class Placed(NamedTuple):
    """Where one needle, passage or distractor is.

    Attributes:
        id, text, elements: as in the needle set; ``text`` is ``context.text[start:end]``.
        start, end: character offsets in the context, end exclusive.
        token_start: tokens of the context before the first that holds the character at ``start`` or the
            space before it. (Most tokenizers make that space part of a sentence's first token.)
        asked_token: where the placement rule wants it; equals ``token_start`` in exact mode. A distractor is
            asked for where it is.
        hardness: of a distractor; "" for a needle.
    """

    id: str
    text: str
    elements: tuple[str, ...]
    start: int
    end: int
    token_start: int
    asked_token: int
    hardness: Hardness | Literal[""] = ""


@dataclass(frozen=True)
class Context:
    """A context.

    Attributes:
        text: what a reader gets between instructions and question.
        needles, distractors, passages: in the order of the text; passages hold nested needles.
        tokens: of ``text`` alone.
        prompt_tokens: P, of instructions and question.
        repeats: how often the haystack begins again.
        mode: "exact", or "contiguous": one unbroken passage.
    """

    text: str
    needles: tuple[Placed, ...]
    distractors: tuple[Placed, ...]
    tokens: int
    prompt_tokens: int
    passages: tuple[Placed, ...] = ()
    repeats: int = 0
    mode: BuiltMode = "exact"

    @property
    def sha256(self) -> str:
        """Digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()
