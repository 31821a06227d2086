"""Whether two runs measured the same thing, and what differs if they did not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from niah.analysis.compare.pairs import Pairs
from niah.runs.file.comparable import RunFingerprint, TrialFingerprint
from niah.runs.seeds import is_anchor_seed
from niah.runs.trial import TrialRecord

_SHOWN = 4


@dataclass(frozen=True)
class Compatibility:
    """What two runs have in common.

    Attributes:
        differences: why their scores do not compare as they are; one line each, none if they do.
        notes: what else differs, and may be why scores changed; one line each.
        common: the pairs that were asked and judged alike.
    """

    differences: tuple[str, ...]
    notes: tuple[str, ...]
    common: Pairs


def compatibility(baseline: RunFingerprint, candidate: RunFingerprint, pairs: Pairs) -> Compatibility:
    """What differs between two runs, or between two readers of one.

    Case recipes, texts, strategies and judges must agree. Seeds that rotate need not: they never do. Suites'
    names, readers' settings and versions of niah are told.
    """
    reasons: Counter[str] = Counter()
    alike = []
    for at, (first, second) in enumerate(zip(pairs.baseline, pairs.candidate, strict=True)):
        a, b = baseline.asked[first.trial_id], candidate.asked[second.trial_id]
        if reason := _differing(first, second, a, b):
            reasons[reason] += 1
        else:
            alike.append(at)
    other_cases = _other_recipes(baseline, candidate, pairs)
    common = Pairs(
        baseline=tuple(pairs.baseline[at] for at in alike),
        candidate=tuple(pairs.candidate[at] for at in alike),
        only_baseline=() if other_cases else pairs.only_baseline,
        only_candidate=() if other_cases else pairs.only_candidate,
    )
    counted = (
        f"{reason} ({number:,} of {len(pairs.baseline):,} pairs)"
        for reason, number in sorted(reasons.items())
    )
    return Compatibility((*counted, *other_cases), tuple(_notes(baseline, candidate, pairs)), common)


def apart(baseline: RunFingerprint, candidate: RunFingerprint, pairs: Pairs) -> str:
    """Why two runs have no pair at all: "readers a / b"."""
    rest = pairs.only_baseline, pairs.only_candidate
    told = [
        f"{name}s {_shown(ours)} / {_shown(theirs)}"
        for name in ("reader", "strategy")
        for ours, theirs in [[{str(getattr(record, name)) for record in side} for side in rest]]
        if not ours & theirs
    ]
    return "; ".join([*told, *_other_recipes(baseline, candidate, pairs)]).replace("strategys", "strategies")


def _differing(first: TrialRecord, second: TrialRecord, a: TrialFingerprint, b: TrialFingerprint) -> str:
    """What parts a pair; "" if nothing does."""
    if a.recipe != b.recipe:
        return f"case recipes: {_fields([a.recipe], [b.recipe])}"
    if a.definition != b.definition:
        return f"strategy {first.strategy}: {a.definition} / {b.definition}"
    if _other_text(first, second, a, b):
        return (
            "texts: the files of needle set, haystack or prompt are others, or room or temperature of answers"
        )
    if a.judged_by and b.judged_by and a.judged_by != b.judged_by:
        return f"judge: {a.judged_by} / {b.judged_by}"
    return ""


def _other_text(first: TrialRecord, second: TrialRecord, a: TrialFingerprint, b: TrialFingerprint) -> bool:
    """A trial's id is a digest of all that it is asked, and of its reader's name."""
    if first.reader == second.reader:
        return first.trial_id != second.trial_id
    return bool(a.sha256 and b.sha256 and a.sha256 != b.sha256)


def _other_recipes(baseline: RunFingerprint, candidate: RunFingerprint, pairs: Pairs) -> tuple[str, ...]:
    """How the cases that only one run has differ from the other's, rotating seeds apart."""
    first, second = (
        _alone(baseline, candidate, pairs.only_baseline),
        _alone(candidate, baseline, pairs.only_candidate),
    )
    if not first and not second:
        return ()
    fields = _fields(*([asked.recipe for asked in run.asked.values()] for run in (baseline, candidate)))
    return (
        f"case recipes: {fields or 'other combinations'} ({first:,} cases only in the baseline,"
        f" {second:,} only in the candidate)",
    )


def _alone(grounds: RunFingerprint, other: RunFingerprint, rest: Sequence[TrialRecord]) -> int:
    """How many cases the other run lacks altogether; one that it has for another reader is not meant."""
    there = {tuple(sorted(asked.recipe.items())) for asked in other.asked.values()}
    recipes = {
        tuple(sorted(grounds.asked[record.trial_id].recipe.items()))
        for record in rest
        if is_anchor_seed(record.seed)
    }
    return len(recipes - there)


def _fields(first: Iterable[Any], second: Iterable[Any]) -> str:
    """The fields whose values differ: "tokenizer cl100k / o200k, context_length - / 8192"."""
    ours, theirs = _values(first), _values(second)
    differing = []
    for name in sorted(ours.keys() | theirs.keys()):
        only = [
            _shown(side.get(name, set()) - other.get(name, set()))
            for side, other in ((ours, theirs), (theirs, ours))
        ]
        if only != ["-", "-"]:
            differing.append(f"{name} {' / '.join(only)}")
    return ", ".join(differing)


def _values(recipes: Iterable[Any]) -> dict[str, set[Any]]:
    values: dict[str, set[Any]] = {}
    for recipe in recipes:
        for name, value in recipe.items():
            if name != "seed" or is_anchor_seed(value):
                values.setdefault(name, set()).add(value)
    return values


def _shown(values: set[Any]) -> str:
    words = [str(value) for value in sorted(values, key=lambda value: (isinstance(value, str), value))]
    return "+".join(words[:_SHOWN]) + ("+..." if len(words) > _SHOWN else "") or "-"


def _notes(baseline: RunFingerprint, candidate: RunFingerprint, pairs: Pairs) -> Iterator[str]:
    for what, a, b in (
        ("suite", baseline.suite, candidate.suite),
        ("niah", baseline.niah, candidate.niah),
    ):
        if a != b:
            yield f"{what}: {a or '-'} / {b or '-'}"
    readers = dict.fromkeys(
        (first.reader, second.reader) for first, second in zip(pairs.baseline, pairs.candidate, strict=True)
    )
    for reader, other in readers:
        ours, theirs = baseline.readers.get(reader, {}), candidate.readers.get(other, {})
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                name = reader if reader == other else f"{reader} / {other}"
                yield f"reader {name}: {key} {ours.get(key, '-')} / {theirs.get(key, '-')}"
