"""The tasks by name: what makes a story of each."""

from __future__ import annotations

from niah.needles.stories import moves, relations, things, tracking
from niah.needles.stories.story import Task

TASKS: dict[str, Task] = {
    "whereabouts": moves.whereabouts,
    "carried": things.carried,
    "carried-before": things.carried_before,
    "neighbours": relations.neighbours,
    "gifts": relations.gifts,
    "is-there": moves.is_there,
    "count-carried": things.count_carried,
    "list-carried": things.list_carried,
    "negation": moves.negation,
    "indefinite": moves.indefinite,
    "then": moves.then,
    "together": moves.in_pairs,
    "together-then": moves.in_pairs_then,
    "times": moves.times,
    "deduction": relations.deduction,
    "induction": relations.induction,
    "grid": relations.grid,
    "sizes": relations.sizes,
    "path": relations.path,
    "motives": relations.motives,
    "inventory": tracking.inventory,
    "positions": tracking.positions,
}
"""One for each of ``SHAPES``."""
