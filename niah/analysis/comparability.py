"""Whether two runs measured the same thing, and what differs if they did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from niah.analysis.pairs import Pairs
from niah.cases.sample import Sample
from niah.runs.file.read_model import RunContents
from niah.runs.seeds import is_anchor_seed
from niah.runs.trial import TrialRecord

_SHOWN = 4

Recipe = Mapping[str, Any]
"""Of a sample: every field of its case by name, or its question set and document."""


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


def compatibility(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> Compatibility:
    """What differs between two runs, or between two readers of one.

    Case recipes, texts, strategies and judges must agree. Seeds that rotate need not: they never do. Suites'
    names, readers' settings and versions of niah are told.
    """
    reasons: dict[str, list[int]] = {}
    alike = []
    ours, theirs = _recipes(baseline), _recipes(candidate)
    for at, (first, second) in enumerate(zip(pairs.baseline, pairs.candidate, strict=True)):
        if ours[first.case_id] != theirs[second.case_id]:
            fields = _fields([ours[first.case_id]], [theirs[second.case_id]])
            reasons.setdefault(f"other cases: {fields}", []).append(at)
        elif reason := _differing(first, second, baseline.judge, candidate.judge):
            reasons.setdefault(reason, []).append(at)
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
        f"{reason} ({len(at):,} of {len(pairs.baseline):,} pairs{_sets_of(at, pairs)})"
        for reason, at in sorted(reasons.items())
    )
    return Compatibility((*counted, *other_cases), tuple(_notes(baseline, candidate, pairs)), common)


def _sets_of(places: Sequence[int], pairs: Pairs) -> str:
    """Which needle or question sets these pairs are of, where not every one is among them."""
    names = [record.needle_set or record.question_set for record in pairs.baseline]
    struck = {names[at] for at in places}
    return "" if struck == {*names} else f", all with {_shown(struck)}"


def apart(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> str:
    """Why two runs have no pair at all: "readers a / b"."""
    rest = pairs.only_baseline, pairs.only_candidate
    told = [
        f"{name}s {_shown(ours)} / {_shown(theirs)}"
        for name in ("reader", "strategy")
        for ours, theirs in [[{str(getattr(record, name)) for record in side} for side in rest]]
        if not ours & theirs
    ]
    return "; ".join([*told, *_other_recipes(baseline, candidate, pairs)]).replace("strategys", "strategies")


def _differing(first: TrialRecord, second: TrialRecord, judge: str, other_judge: str) -> str:
    """What parts the trials of a pair; "" if nothing does."""
    if first.definition != second.definition:
        return f"strategy {first.strategy}: {first.definition} / {second.definition}"
    if _other_text(first, second):
        return "texts: the files of needle set, haystack or prompt are others, or how the reader is asked"
    versions = f"{judge} {first.judge_version}", f"{other_judge} {second.judge_version}"
    if first.judge_version and second.judge_version and versions[0] != versions[1]:
        return f"judge: {versions[0]} / {versions[1]}"
    return ""


def _other_text(first: TrialRecord, second: TrialRecord) -> bool:
    """A trial's id is a digest of all that it is asked, and of its reader's name."""
    if first.reader == second.reader:
        return first.trial_id != second.trial_id
    texts = first.context_sha256, second.context_sha256
    return all(texts) and texts[0] != texts[1]


def _recipes(run: RunContents) -> dict[str, Recipe]:
    return {sample_id: _recipe(sample) for sample_id, sample in run.samples.items()}


def _recipe(sample: Sample) -> Recipe:
    if sample.case is not None:
        return asdict(sample.case)
    return {
        "question_set": sample.question_set,
        "document_id": sample.document_id,
        "question": sample.sample_id,
        "tokenizer": sample.tokenizer,
        "prompt": sample.prompt,
    }


def _other_recipes(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> tuple[str, ...]:
    """How the cases that only one run has differ from the other's, rotating seeds apart."""
    ours, theirs = _recipes(baseline), _recipes(candidate)
    first, second = _alone(ours, theirs, pairs.only_baseline), _alone(theirs, ours, pairs.only_candidate)
    if not first and not second:
        return ()
    fields = _fields(ours.values(), theirs.values()) or "the same values, combined otherwise"
    alone = f"{first:,} cases only in the baseline, {second:,} only in the candidate"
    return (f"other cases: {fields} ({alone})",)


def _alone(ours: Mapping[str, Recipe], theirs: Mapping[str, Recipe], rest: Sequence[TrialRecord]) -> int:
    """How many cases the other run lacks altogether; one that it has for another reader is not meant."""
    there = {tuple(sorted(recipe.items())) for recipe in theirs.values()}
    own = {tuple(sorted(ours[each.case_id].items())) for each in rest if is_anchor_seed(each.seed)}
    return len(own - there)


def _fields(first: Iterable[Recipe], second: Iterable[Recipe]) -> str:
    """The fields whose values differ: "tokenizer cl100k against o200k, depth 50 in the candidate alone"."""
    ours, theirs = _values(first), _values(second)
    differing = []
    for name in sorted(ours.keys() | theirs.keys()):
        only = [
            _shown(side.get(name, set()) - other.get(name, set()))
            for side, other in ((ours, theirs), (theirs, ours))
        ]
        if only != ["-", "-"]:
            differing.append(f"{name.replace('_', ' ')} {_against(*only)}")
    return ", ".join(differing)


def _against(ours: str, theirs: str) -> str:
    if "-" in (ours, theirs):
        return f"{theirs} in the candidate alone" if ours == "-" else f"{ours} in the baseline alone"
    return f"{ours} against {theirs}"


def _values(recipes: Iterable[Recipe]) -> dict[str, set[Any]]:
    values: dict[str, set[Any]] = {}
    for recipe in recipes:
        for name, value in recipe.items():
            if name != "seed" or is_anchor_seed(value):
                values.setdefault(name, set()).add(value)
    return values


def _shown(values: set[Any]) -> str:
    words = [str(value) for value in sorted(values, key=lambda value: (isinstance(value, str), value))]
    return "+".join(words[:_SHOWN]) + ("+..." if len(words) > _SHOWN else "") or "-"


def _notes(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> Iterator[str]:
    for what, a, b in (
        ("suite", baseline.config.get("suite"), candidate.config.get("suite")),
        ("niah", baseline.version, candidate.version),
        ("reader options", baseline.config.get("reader_options"), candidate.config.get("reader_options")),
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
