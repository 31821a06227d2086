"""Options that say which questions a run asks, in place of a run config or of its keys."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import reduce
from typing import Any, TypeVar

import click

from niah.cli.name_completion import completes
from niah.errors import UserError

_Value = TypeVar("_Value")

_SEEDS = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_MOST_SEEDS = 1000


def _words(context: click.Context, option: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    """The entries of a list with commas; None where there is none. Raises UserError."""
    if text is None:
        return None
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if not words:
        raise UserError(f"{option.opts[0]} names nothing.", "Write one or more, with commas between them.")
    for place, word in enumerate(words):
        if word in words[:place]:
            raise UserError(f"{option.opts[0]}: {word} stands twice.", "Take one out.")
    return words


def _each_once(
    words: tuple[str, ...], values: tuple[_Value, ...], option: click.Parameter
) -> tuple[_Value, ...]:
    """The values that the words stand for. Raises UserError where two of them stand for the same."""
    first: dict[_Value, str] = {}
    for word, value in zip(words, values, strict=True):
        if value in first:
            problem = f"{option.opts[0]}: {value} stands twice, in {first[value]} and {word}."
            raise UserError(problem, "Take one out.")
        first[value] = word
    return values


def _lengths(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    words = _words(context, option, text)
    if words is None:
        return None
    return _each_once(words, tuple(_length(word, option) for word in words), option)


def _length(word: str, option: click.Parameter) -> int:
    """Tokens: 4k are 4,096. Raises UserError."""
    from niah.cases.case import LEAST_LENGTH, length_of

    tokens = length_of(word)
    if tokens is None:
        problem = f"{option.opts[0]}: {word!r} is no context length."
        raise UserError(problem, f"Write {LEAST_LENGTH} tokens or more, such as 4k,32k.")
    return tokens


def _depths(context: click.Context, option: click.Parameter, text: str | None) -> tuple[float, ...] | None:
    words = _words(context, option, text)
    if words is None:
        return None
    from niah.cases.case import depth_part

    depths = tuple(_depth(word, option) for word in words)
    _each_once(words, tuple(map(depth_part, depths)), option)
    return depths


def _depth(word: str, option: click.Parameter) -> float:
    try:
        depth = float(word.removesuffix("%"))
    except ValueError:
        depth = -1
    if not 0 <= depth <= 100:
        problem = f"{option.opts[0]}: {word!r} is no depth."
        raise UserError(problem, "Write percentages from 0 to 100, such as 0,50,100.")
    return abs(depth)  # -0 is 0


def _seeds(context: click.Context, option: click.Parameter, text: str | None) -> tuple[int, ...] | None:
    """Seeds, and ranges of them: 1-8 are eight."""
    words = _words(context, option, text)
    if words is None:
        return None
    seeds = [(word, seed) for word in words for seed in _seed_range(word, option)]
    return _each_once(tuple(word for word, _ in seeds), tuple(seed for _, seed in seeds), option)


def _seed_range(word: str, option: click.Parameter) -> range:
    found = _SEEDS.fullmatch(word)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, -1)
    if not first <= last < first + _MOST_SEEDS:
        problem = f"{option.opts[0]}: {word!r} is no seed, and no range of at most {_MOST_SEEDS:,}."
        raise UserError(problem, "Write whole numbers from 0 on, such as 1,2,3 or 1-8.")
    return range(first, last + 1)


_OPTIONS: tuple[Callable[[Any], Any], ...] = (
    click.option(
        "--suite",
        metavar="SUITE",
        help="Ask this suite, with no run config: a name of niah list suites, or a file.",
        shell_complete=completes("suites"),
    ),
    click.option(
        "--strategies",
        metavar="LIST",
        callback=_words,
        help="Strategies in place of the config's: lc,dos. Without a config, lc.",
        shell_complete=completes("strategies", listed=True),
    ),
    click.option(
        "--needle-sets",
        metavar="LIST",
        callback=_words,
        help="Needle sets in place of the suite's, with commas.",
        shell_complete=completes("needle-sets", listed=True),
    ),
    click.option(
        "--lengths",
        metavar="LIST",
        callback=_lengths,
        help="Context lengths in place of the suite's: 4k,32k.",
    ),
    click.option(
        "--depths", metavar="LIST", callback=_depths, help="Depths in place of the suite's: 0,50,100."
    ),
    click.option(
        "--seeds",
        metavar="LIST",
        callback=_seeds,
        help="Seeds in place of the config's or suite's: 1,2,3 or 1-8. More seeds give narrower intervals.",
    ),
    click.option(
        "--haystack",
        help="Haystack in place of the suite's: a name, or the path of a folder or file of text.",
        shell_complete=completes("haystacks"),
    ),
    click.option(
        "--needle",
        "needles",
        metavar="TEXT",
        multiple=True,
        help="A fact of your own to hide; with --question and --expect. May be given several times.",
    ),
    click.option("--question", metavar="TEXT", help="What is asked about --needle."),
    click.option(
        "--expect",
        "expected",
        metavar="WORD",
        multiple=True,
        help="What an answer has to name, as --needle has it.",
    ),
)

GRID_PARAMETERS = (
    *("suite", "strategies", "needle_sets", "lengths", "depths", "seeds", "haystack"),
    *("needles", "question", "expected"),
)
"""What the options of ``grid_options`` are called in a command's context."""


def grid_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say which questions it asks."""
    return reduce(lambda decorated, option: option(decorated), reversed(_OPTIONS), function)
