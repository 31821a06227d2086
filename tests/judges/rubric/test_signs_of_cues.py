"""Signs that are looked for before a long pattern: each way to match the pattern has one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from niah.judges.rubric import abstention, doubt
from niah.judges.rubric.forms import text_words
from niah.judges.rubric.reading import asides, set_apart
from niah.judges.rubric.reading.mended import withdrawn_part

GUARDED: dict[str, tuple[re.Pattern[str], Callable[[str], object]]] = {
    "withdraws": (withdrawn_part._WITHDRAWS, withdrawn_part._may_withdraw),
    "unsure": (doubt._UNSURE, doubt._may_be_unsure),
    "open": (doubt._OPEN, doubt._may_be_unsure),
    "abstains": (abstention.ABSTENTIONS, abstention._SIGN_OF_ABSTENTION.search),
    "unlike": (asides._UNLIKE, asides._may_compare),
    "from": (asides._FROM, asides._FROM_SIGN.search),
    "replacing": (asides._REPLACING, asides._REPLACING_SIGN.search),
    "ticks": (set_apart._TICK, set_apart._ANY_TICK.search),
    "either": (text_words._EITHER, text_words._MAY_BE_EITHER.search),
}


def texts_of(pattern: re.Pattern[str]) -> list[str]:
    """The shortest texts that a pattern matches: of every choice in it each branch, at least once."""
    parts = parser.parse(pattern.pattern, pattern.flags)
    return [text for other in ("x", " ") for text in _ways(parts, other) if pattern.search(text)]


def _ways(parts: Sequence[tuple[Any, Any]], other: str) -> list[str]:
    """``other`` stands for any sign that a part does not exclude."""
    texts = [""]
    for op, argument in parts:
        ways = list(dict.fromkeys(_ways_of(op, argument, other)))
        kept = max(len(texts), len(ways))
        texts = [texts[at % len(texts)] + ways[at % len(ways)] for at in range(kept)]
    return texts


def _ways_of(op: Any, argument: Any, other: str) -> Iterator[str]:
    match op:
        case ops.LITERAL:
            yield chr(argument)
        case ops.IN:
            yield from _signs_in(argument, other)
        case ops.ANY | ops.NOT_LITERAL:
            yield other
        case ops.BRANCH:
            for branch in argument[1]:
                yield from _ways(branch, other)
        case ops.SUBPATTERN:
            yield from _ways(argument[3], other)
        case ops.MAX_REPEAT | ops.MIN_REPEAT | ops.POSSESSIVE_REPEAT:
            least, _, repeated = argument
            yield from (way * least for way in (_ways(repeated, other) if least else [""]))
        case ops.ATOMIC_GROUP:
            yield from _ways(argument, other)
        case _:  # a border, or what stands beside
            yield ""


def _signs_in(members: Sequence[tuple[Any, Any]], other: str) -> Iterator[str]:
    if members[0][0] is ops.NEGATE:
        yield other
        return
    for op, argument in members:
        match op:
            case ops.LITERAL:
                yield chr(argument)
            case ops.RANGE:
                yield chr(argument[0])
            case ops.CATEGORY:
                yield _SIGN_OF.get(argument, ",")


_SIGN_OF = {ops.CATEGORY_SPACE: " ", ops.CATEGORY_DIGIT: "5", ops.CATEGORY_WORD: "x"}


@pytest.mark.parametrize("name", GUARDED)
def test_every_way_to_match_a_pattern_has_one_of_its_signs(name: str) -> None:
    pattern, may_match = GUARDED[name]
    texts = texts_of(pattern)
    assert texts
    assert [text for text in texts if not may_match(text)] == []
