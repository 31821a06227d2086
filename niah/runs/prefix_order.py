"""The order of trials in which one prompt begins like the one before it, for the readers' prompt caches.

Contexts of one haystack, tokenizer and seed have the same background until something is put in or the text
ends. So they form a tree: the background is its trunk, and at each insert a branch leaves it that holds the
contexts with that insert there, and has branches of its own. In an order that walks this tree branch by
branch, a cache that holds only the last prompt lets every piece of the tree be read once, and no cache needs
less. The order of the prompts' texts would be such a walk. This one needs no texts: positions come from the
recipes. In exact mode a branch leaves a little earlier, at the seam before its insert, so that branches close
together may be swapped.

Early branches come first, and short contexts before long ones. Late ones first would share as much, but leave
short rests of prompts to be read, and the embedded reader's cache may not be used before a short rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby

from niah.cases.assembly.insertion_points import insertion_points
from niah.cases.assembly.inserts import chosen_distractors, counted_inserts
from niah.cases.assembly.placement import needle_positions
from niah.cases.case import Case
from niah.cases.prompts import load_prompt, prompt_tokens
from niah.errors import CaseError
from niah.runs.trial import Trial
from niah.text.tokenizer import get_tokenizer

Branch = tuple[int, str]
"""Haystack tokens before it leaves, and what stands there."""

_TAIL = "It ends here."


def in_prefix_order(trials: Iterable[Trial]) -> list[Trial]:
    """Sort so that neighbours share their prompts' beginnings: group by group, early inserts first.

    The given order matters only to strategies: they come in the order in which they are first met. The same
    prompts, repeats of one trial, stand side by side.
    """
    ordered = list(trials)
    strategies = {trial.strategy.definition: place for place, trial in reversed(list(enumerate(ordered)))}
    return sorted(
        ordered,
        key=lambda trial: (
            _background(trial),
            strategies[trial.strategy.definition],
            _path(trial.case),
            trial.case.case_id,
            trial.repeat,
        ),
    )


def groups(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Ordered trials, cut where the prompts of neighbours begin differently by their recipes."""
    return [list(group) for _, group in groupby(trials, _group)]


def prefix_key(trial: Trial) -> str:
    """A short name of the trial's group, the same in every run: for a provider's ``prompt_cache_key``."""
    return hashlib.sha256(repr(_group(trial)).encode()).hexdigest()[:16]


def _background(trial: Trial) -> tuple[str, str, str, int, str]:
    """What whole-context prompts of one reader must have in common to begin alike."""
    case = trial.case
    return trial.reader, case.haystack, case.tokenizer, case.seed, case.prompt


def _group(trial: Trial) -> tuple[object, ...]:
    return *_background(trial), trial.strategy.definition


@lru_cache(maxsize=1 << 16)
def _path(case: Case) -> tuple[Branch, ...]:
    """From the trunk to a context's end, one step for each insert; sorting these walks the tree.

    A case without room has no prompt, and no path.
    """
    inserts = counted_inserts(case.needle_set, case.seed, case.tokenizer)
    template, tokenizer = load_prompt(case.prompt), get_tokenizer(case.tokenizer)
    prompt = prompt_tokens(template, inserts.needle_set.question, _TAIL, _TAIL, tokenizer)
    room = case.context_length - prompt - sum(unit.tokens for unit in inserts.units)
    positions = needle_positions(max(0, room), len(inserts.units), case.depth)
    try:
        distractors = chosen_distractors(inserts, case.distractors, case.distractor_hardness)
        stops = insertion_points(inserts.units, positions, distractors, case.distractor_depth, max(0, room))
    except CaseError:
        return ()
    whose = f"{case.needle_set} {case.order}"
    in_text = sorted(stops, key=lambda stop: stop.position)
    steps = ((stop.position, " ".join((whose, *(item.id for item in stop.inserts)))) for stop in in_text)
    return *steps, (room, "")
