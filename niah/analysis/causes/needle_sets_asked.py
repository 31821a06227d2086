"""The needle sets that a run asked, as far as they can still be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from niah.errors import UserError
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.runs.trial import TrialRecord

Asked = Mapping[tuple[str, int], NeedleSet]
"""Needle sets by name and seed; those that are no longer there are left out."""


def needle_sets_asked(records: Iterable[TrialRecord]) -> Asked:
    """Every needle set of the records: a run file outlives the user's own files."""
    found = {key: _load(*key) for key in sorted({(record.needle_set, record.seed) for record in records})}
    return {key: needle_set for key, needle_set in found.items() if needle_set is not None}


def _load(name: str, seed: int) -> NeedleSet | None:
    try:
        return load_needle_set(name, seed)
    except UserError:
        return None
