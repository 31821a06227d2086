"""What an insert costs on a line of its own, where no token reaches over a line's end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.inserts import Insert
from niah.cases.assembly.joints.joins import LINE_END
from niah.cases.assembly.joints.token_merges import tokens_within
from niah.cases.assembly.layout.search_limits import EXTRAS
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


class LineUnits(NamedTuple):
    """Needles that stand on lines of their own.

    Attributes:
        texts: each with its line's end.
        own: tokens of each line.
        extras: what the joints before each cost more than between sentences.
        closing: what the last line's end costs more, in the same way.
    """

    texts: tuple[str, ...]
    own: tuple[int, ...]
    extras: tuple[int, ...]
    closing: int


def has_known_lines(background: Background, tokenizer: Tokenizer) -> bool:
    """Whether counts of the haystack's lines are known to add up, and its text may stop at lines alone."""
    corpus = background.corpus
    return (
        corpus.structure == "lines"
        and tokenizer.additive
        and tokenizer.cuts_at_lines
        and not corpus.opens
        and corpus.text[:1].isalnum()
        and not background.joint_costs.start(0)
    )


def line_units(tokenizer: Tokenizer, units: Sequence[Insert]) -> LineUnits | None:
    """Needles as lines; None where one of them is none, or its joints cost something unusual."""
    texts, own, extras, closing = list[str](), list[int](), list[int](), 0
    for unit in units:
        costs = line_costs(tokenizer, unit.text) if unit.role == "needle" else None
        if costs is None or costs.opening + closing not in EXTRAS:
            return None
        texts.append(unit.text + LINE_END)
        own.append(costs.tokens)
        extras.append(costs.opening + closing)
        closing = costs.closing
    return LineUnits(tuple(texts), tuple(own), tuple(extras), closing)


def line_costs(tokenizer: Tokenizer, text: str) -> LineCosts | None:
    """The costs of a text; None where it cannot be told apart from the lines around it."""
    if not text[:1].isalnum() or text[-1:].isspace():
        return None
    spaced = tokens_within(tokenizer, BEFORE, f" {text}", AFTER)
    opening = tokens_within(tokenizer, BEFORE + LINE_END, text, AFTER) - spaced
    closing = tokens_within(tokenizer, BEFORE, f" {text}{LINE_END}", AFTER.lstrip()) - spaced
    tokens = tokens_within(tokenizer, BEFORE + LINE_END, text + LINE_END, AFTER.lstrip())
    return LineCosts(tokens, opening, closing) if tokens == spaced + opening + closing else None
