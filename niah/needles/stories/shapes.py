"""What each task of a story needs: slots to draw from, events to tell, questions to ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_Slots = frozenset[str]


def _of(words: str) -> _Slots:
    return frozenset(words.split())


@dataclass(frozen=True)
class TaskShape:
    """What a family of this task gives.

    Attributes:
        description: one line.
        fewest: the least number of facts.
        drawn: slots of ``each`` that are drawn from a lexicon, since nobody else may have these names.
        chosen: slots of ``each`` with their least number of choices (`one_of`).
        tell: by event, the slots that its templates must use.
        asks: by question, the slots that it knows.
    """

    description: str
    fewest: int
    drawn: _Slots
    chosen: Mapping[str, int]
    tell: Mapping[str, _Slots]
    asks: Mapping[str, _Slots]


_MOVE = {"move": _of("who place")}
_CARRY = {**_MOVE, "take": _of("who thing"), "drop": _of("who thing")}
_BESIDE = {"beside": _of("this that direction")}
_WHERE = {"where": _of("who")}
_IS_THERE = {"is_there": _of("who place")}

SHAPES: dict[str, TaskShape] = {
    "whereabouts": TaskShape("who is where after moves", 2, _of("who"), {"place": 3}, _MOVE, _WHERE),
    "carried": TaskShape(
        "where a thing is that is carried about",
        3,
        _of("who thing"),
        {"place": 4},
        _CARRY,
        {"where": _of("thing")},
    ),
    "carried-before": TaskShape(
        "where a thing was before it was somewhere else",
        4,
        _of("who thing"),
        {"place": 4},
        _CARRY,
        {"before": _of("thing place")},
    ),
    "neighbours": TaskShape(
        "what lies on one side of a place",
        2,
        _of("place"),
        {"direction": 4},
        _BESIDE,
        {"what": _of("place direction"), "of_what": _of("place direction")},
    ),
    "gifts": TaskShape(
        "who gave what to whom",
        2,
        _of("who thing"),
        {},
        {"give": _of("who to thing")},
        {"receiver": _of("who thing"), "giver": _of("to thing"), "gift": _of("who to")},
    ),
    "is-there": TaskShape(
        "whether somebody is somewhere", 2, _of("who"), {"place": 3, "answer": 2}, _MOVE, _IS_THERE
    ),
    "count-carried": TaskShape(
        "how many things somebody carries",
        3,
        _of("who thing"),
        {},
        {"take": _of("who thing"), "drop": _of("who thing"), "give": _of("who to thing")},
        {"how_many": _of("who")},
    ),
    "list-carried": TaskShape(
        "what somebody carries",
        3,
        _of("who thing"),
        {},
        {"take": _of("who thing"), "drop": _of("who thing"), "give": _of("who to thing")},
        {"what": _of("who")},
    ),
    "negation": TaskShape(
        "whether somebody is somewhere, some facts being denials",
        2,
        _of("who"),
        {"place": 3, "answer": 2},
        {"is": _of("who place"), "is_not": _of("who place")},
        _IS_THERE,
    ),
    "indefinite": TaskShape(
        "whether somebody is somewhere, some facts leaving it open",
        2,
        _of("who"),
        {"place": 3, "answer": 3},
        {"is": _of("who place"), "either": _of("who place other")},
        _IS_THERE,
    ),
    "then": TaskShape(
        "who is where, by way of a pronoun",
        2,
        _of("who"),
        {"place": 4},
        {"move_on": _of("who place next")},
        _WHERE,
    ),
    "together": TaskShape(
        "who is where, two going together",
        2,
        _of("who"),
        {"place": 3},
        {"together": _of("who with place")},
        _WHERE,
    ),
    "together-then": TaskShape(
        "who is where, two going together, by way of a pronoun",
        2,
        _of("who"),
        {"place": 4},
        {"together_on": _of("who with place next")},
        _WHERE,
    ),
    "times": TaskShape(
        "where somebody was before, facts being dated and out of order",
        3,
        _of("who"),
        {"place": 4, "day": 4, "hour": 2},
        {"was": _of("who place day hour")},
        {"before": _of("who place")},
    ),
    "deduction": TaskShape(
        "what follows from a rule about a kind",
        3,
        _of("who"),
        {"kind": 3, "feared": 2},
        {"rule": _of("kind feared"), "is": _of("who kind")},
        {"fears": _of("who")},
    ),
    "induction": TaskShape(
        "what follows from another of the same kind",
        3,
        _of("who"),
        {"kind": 3, "colour": 2},
        {"is": _of("who kind"), "looks": _of("who colour")},
        {"colour": _of("who")},
    ),
    "grid": TaskShape(
        "how two things stand to each other, over several steps",
        2,
        _of("thing"),
        {"direction": 4, "answer": 2},
        _BESIDE,
        {"is_there": _of("this that direction")},
    ),
    "sizes": TaskShape(
        "which of two things is larger, over several comparisons",
        2,
        _of("thing"),
        {"answer": 2},
        {"inside": _of("this that"), "bigger": _of("this that")},
        {"fits": _of("this that")},
    ),
    "path": TaskShape(
        "how to go from one place to another",
        2,
        _of("place"),
        {"direction": 4},
        _BESIDE,
        {"path": _of("this that")},
    ),
    "motives": TaskShape(
        "why somebody went somewhere, or where somebody will go",
        3,
        _of("who"),
        {"state": 2, "place": 2, "thing": 2},
        {"feels": _of("who state"), "goes": _of("who place"), "takes": _of("who thing")},
        {"why": _of("who place"), "why_took": _of("who thing"), "where": _of("who")},
    ),
    "inventory": TaskShape(
        "how many are in a store after deliveries and moves",
        3,
        _of("store"),
        {},
        {
            "start": _of("store number"),
            "put": _of("store number"),
            "took": _of("store number"),
            "moved": _of("store to number"),
        },
        {"how_many": _of("store")},
    ),
    "positions": TaskShape(
        "which place something has after exchanges",
        3,
        _of("thing port"),
        {},
        {
            "line_up": _of("things port"),
            "swap": _of("thing other port"),
            "swap_places": _of("first second port"),
        },
        {"which": _of("thing port")},
    ),
}
"""By task. The first twenty are those of bAbI, in its order."""
