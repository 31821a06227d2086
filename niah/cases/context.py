"""The rendered text of a case, with the span of every needle and distractor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Placed:
    """Where one needle or distractor stands.

    Attributes:
        id: as in the needle set.
        text: verbatim, ``context.text[start:end]``.
        elements: names of the elements it carries.
        start, end: character offsets in the context, end exclusive.
        token_start: tokens of the context before the token that holds ``start``. (The space before
            a sentence belongs to the sentence's first token.)
        asked_token: where the placement rule wants it; equals ``token_start`` in exact mode.
    """

    id: str
    text: str
    elements: tuple[str, ...]
    start: int
    end: int
    token_start: int
    asked_token: int


@dataclass(frozen=True)
class Context:
    """A context. ``tokens`` counts ``text`` alone, ``prompt_tokens`` (P) instructions and question."""

    text: str
    needles: tuple[Placed, ...]
    distractors: tuple[Placed, ...]
    tokens: int
    prompt_tokens: int
