"""The order of trials in which one prompt begins like the one before it, for the readers' prompt caches.

Contexts of one haystack, tokenizer and seed have the same background until something is put in or the text
ends. So they form a tree: the background is its trunk, and at each insert a branch leaves it that holds the
contexts with that insert there, and has branches of its own. In an order that walks this tree branch by
branch, a cache that holds only the last prompt lets every piece of the tree be read once, and no cache needs
less. The order of the prompts' texts would be such a walk. This one needs no texts: samples know
what stands where. In exact mode a branch leaves a little earlier, at the seam before its insert, so that
branches close together may be swapped.

Early branches come first, and short contexts before long ones. Late ones first would share as much, but leave
short rests of prompts to be read, and the embedded reader's cache may not be used before a short rest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from itertools import groupby

from niah.cases.sample import Sample
from niah.runs.trial import Trial


def in_prefix_order(trials: Iterable[Trial]) -> list[Trial]:
    """Sort so that neighbours share their prompts' beginnings: group by group, early inserts first.

    The given order matters only to strategies: they come in the order in which they are first met. The same
    prompts, repeats of one trial, stand side by side.
    """
    ordered = list(trials)
    met = dict.fromkeys(trial.strategy.definition for trial in ordered)
    strategies = {definition: place for place, definition in enumerate(met)}
    places = _places_of({id(trial.sample): trial.sample for trial in ordered})

    def place_of(trial: Trial) -> tuple[object, ...]:
        background, branch = places[id(trial.sample)]
        return trial.reader, background, strategies[trial.strategy.definition], branch, trial.repeat

    return sorted(ordered, key=place_of)


def _places_of(samples: Mapping[int, Sample]) -> dict[int, tuple[int, int]]:
    """Of each sample the place of its background among all, and its own: most trials share their samples."""
    keys = {own: (_background(sample), _path(sample), sample.sample_id) for own, sample in samples.items()}
    backgrounds = {key: place for place, key in enumerate(sorted({key[0] for key in keys.values()}))}
    ranked = sorted(keys, key=keys.__getitem__)
    return {own: (backgrounds[keys[own][0]], place) for place, own in enumerate(ranked)}


def groups(trials: Iterable[Trial]) -> list[list[Trial]]:
    """Ordered trials, cut where the prompts of neighbours begin differently by their samples."""
    return [list(group) for _, group in groupby(trials, _group)]


def prefix_key(trial: Trial) -> str:
    """A short name of the trial's group, the same in every run: for a provider's ``prompt_cache_key``."""
    return hashlib.sha256(repr(_group(trial)).encode()).hexdigest()[:16]


def _background(sample: Sample) -> tuple[str, str, int, str]:
    """What whole-context prompts of one reader must have in common to begin alike."""
    case = sample.case
    if case is None:
        return sample.document_id or "", sample.tokenizer, 0, sample.prompt
    return case.haystack, sample.tokenizer, case.seed, sample.prompt


def _group(trial: Trial) -> tuple[object, ...]:
    return trial.reader, *_background(trial.sample), trial.strategy.definition


def _path(sample: Sample) -> tuple[tuple[int, str], ...]:
    """From the trunk to a context's end, one step for each insert; sorting these walks the tree.

    A step is how many tokens of the context are before it, and what stands there.
    Only a generated context has inserts: questions about one given document share all of it.
    """
    case = sample.case
    if case is None:
        return ()
    inserts = (*sample.needles, *sample.distractors, *sample.passages)
    needle_set = case.needle_set
    steps = ((insert.token_start, f"{needle_set} {insert.id}") for insert in inserts)
    return *sorted(steps), (sample.tokens, "")
