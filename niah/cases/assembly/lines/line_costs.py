"""What an insert costs on a line of its own, where no token reaches over a line's end."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from niah.cases.assembly.joins import LINE_END
from niah.cases.assembly.token_merges import tokens_within
from niah.text.costs import AFTER, BEFORE
from niah.text.tokenizer import Tokenizer


class LineCosts(NamedTuple):
    """Tokens of an insert as a line, next to what it costs behind a space.

    Attributes:
        tokens: of the line with its end.
        opening: how many more its beginning has behind a line's end than behind a space.
        closing: how many more its end has before a line's end than before a space.
    """

    tokens: int
    opening: int
    closing: int


@lru_cache(maxsize=32_768)
def line_costs(tokenizer: Tokenizer, text: str) -> LineCosts | None:
    """The costs of a text; None where it cannot be told apart from the lines around it."""
    if not text[:1].isalnum() or text[-1:].isspace():
        return None
    spaced = tokens_within(tokenizer, BEFORE, f" {text}", AFTER)
    opening = tokens_within(tokenizer, BEFORE + LINE_END, text, AFTER) - spaced
    closing = tokens_within(tokenizer, BEFORE, f" {text}{LINE_END}", AFTER.lstrip()) - spaced
    tokens = tokens_within(tokenizer, BEFORE + LINE_END, text + LINE_END, AFTER.lstrip())
    return LineCosts(tokens, opening, closing) if tokens == spaced + opening + closing else None
