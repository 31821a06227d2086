"""How many tokens the haystack gets, and where that puts the needles."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import inf

from niah.cases.assembly.backgrounds.background import Background
from niah.cases.assembly.series import CaseSeries
from niah.cases.case import Case
from niah.errors import CaseError


def needle_positions(haystack_tokens: int, needles: int, depth: float) -> list[int]:
    """Haystack tokens that stand before each needle.

    d_1 = alpha H;  d_i = d_1 + floor((i - 1)(H - d_1) / k) for i = 2..k.  With alpha = 1 all stand at H.

    Args:
        haystack_tokens: H.
        needles: k, at least 1.
        depth: 100 alpha, from 0 to 100.
    """
    # Fraction(str()) keeps 12.3 % of 1000 at 123; floats would put it at 122.
    share = int(depth) if depth == int(depth) else Fraction(str(depth))
    first = int(share * haystack_tokens // 100)
    return [first + i * (haystack_tokens - first) // needles for i in range(needles)]


_EDGES = tuple(product((False, True), repeat=2))
_TOO_SHORT = "too short for prompt and needles"


@dataclass(frozen=True)
class TokenAllocation:
    """L, shared out.

    Attributes:
        prompt_tokens: P.
        haystack_tokens: H = L - P - N.
        tokens: of the context: L - P.
        positions: haystack tokens before each unit.
        head, tail: the context's first sentence, and its last or one that costs the same.
    """

    prompt_tokens: int
    haystack_tokens: int
    tokens: int
    positions: list[int]
    head: str
    tail: str


def allocate_tokens(case: Case, series: CaseSeries, background: Background, end: str) -> TokenAllocation:
    """Room for a case whose units and background are known. Raises CaseError where there is too little.

    P and N depend a little on whether units stand at the context's very edges. ``end`` is the sentence that
    the background ends with, or one that costs the same.
    """
    units, start = series.units, background.corpus.slice(0, 1).strip()
    for leads, trails in _EDGES:
        head = units[0].text if leads else start
        tail = units[-1].text if trails else end
        prompt = series.prompt_tokens(head, tail)
        tokens = case.prompt_length - prompt
        room = tokens - series.unit_tokens(leads=leads).total
        _check(case, room, background)
        positions = needle_positions(room, len(units), case.depth)
        if leads == (positions[0] == 0) and trails == (positions[-1] == room):
            return TokenAllocation(prompt, room, tokens, positions, head, tail)
    raise CaseError(
        "the context length leaves no room to place the needles.", "Use a greater one.", _TOO_SHORT
    )


def _check(case: Case, room: int, background: Background) -> None:
    once = background.corpus.tokens[-1]
    if room < 0:
        least = case.context_length - room
        raise CaseError(
            f"prompt and needles alone need {least} tokens{_with_reserve(case)}, more than the context "
            f"length of {case.context_length}.",
            f"Use a length of at least {_round_up(least)}.",
            _TOO_SHORT,
        )
    if room > once and not (case.repeat or background.goes_on):
        raise CaseError(
            f"needs {room} haystack tokens; {case.haystack} holds {once}{_with_avoided(case)}.",
            "Use a shorter length or a longer haystack, or let it repeat itself, by a suite file of your own "
            "with repeat: true.",
            "longer than the haystack",
        )
    if room > once:
        _check_memory(room)


_BYTES_A_TOKEN = 30
"""A long context takes at least so many while it is built: 33, measured on English prose of 60M tokens."""


def _check_memory(tokens: int) -> None:
    needed, memory = tokens * _BYTES_A_TOKEN, _memory()
    if needed > memory:
        raise CaseError(
            f"{tokens} tokens take {needed / 1e9:.0f} GB of memory to build; there are {memory / 1e9:.0f}.",
            "Use a shorter length, or a machine with more memory.",
            "longer than memory allows",
        )


def _memory() -> float:
    """Bytes of this machine's memory, or as many as this process may have; endless where nobody says."""
    if sys.platform == "win32":
        return inf
    import resource

    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    return whole if allowed == resource.RLIM_INFINITY else min(whole, allowed)


def _with_reserve(case: Case) -> str:
    return f" with the {case.reserve} that are reserved" if case.reserve else ""


def _with_avoided(case: Case) -> str:
    return " without the sentences that answer by accident" if case.accidents == "avoid" else ""


def _round_up(tokens: int) -> int:
    return -(-tokens // 64) * 64
