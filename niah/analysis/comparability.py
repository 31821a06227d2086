"""Whether two runs measured the same thing, and what differs if they did not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from niah.analysis.frame import set_names
from niah.analysis.pairs import Pairs
from niah.cases.sample import Sample
from niah.runs.file.read import RunContents
from niah.runs.seeds import is_anchor_seed

if TYPE_CHECKING:
    from pandas import DataFrame

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
    names, readers' settings and versions of niah are noted.
    """
    ours, theirs = _recipes(baseline), _recipes(candidate)
    why = [
        _differing(first, second, ours, theirs, (baseline.judge, candidate.judge))
        for first, second in zip(pairs.baseline.itertuples(), pairs.candidate.itertuples(), strict=True)
    ]
    sets, differences = set_names(pairs.baseline).tolist(), []
    for reason in sorted({*why} - {""}):
        at = [place for place, each in enumerate(why) if each == reason]
        struck = {sets[place] for place in at}
        which = "" if struck == {*sets} else f", all with {_shown(struck)}"
        differences.append(f"{reason} ({len(at):,} of {len(why):,} pairs{which})")
    other_cases = _other_recipes(ours, theirs, pairs)
    alike = [place for place, each in enumerate(why) if not each]
    rest = [side.iloc[:0] if other_cases else side for side in pairs[2:]]
    common = Pairs(pairs.baseline.iloc[alike], pairs.candidate.iloc[alike], *rest)
    return Compatibility((*differences, *other_cases), tuple(_notes(baseline, candidate, pairs)), common)


def apart(baseline: RunContents, candidate: RunContents, pairs: Pairs) -> str:
    """Why two runs have no pair at all: "readers a / b"."""
    said = []
    for name, plural in (("reader", "readers"), ("strategy", "strategies")):
        ours, theirs = (set(side[name]) for side in pairs[2:])
        if not ours & theirs:
            said.append(f"{plural} {_shown(ours)} / {_shown(theirs)}")
    return "; ".join([*said, *_other_recipes(_recipes(baseline), _recipes(candidate), pairs)])


def _differing(
    first: Any,
    second: Any,
    ours: Mapping[str, Recipe],
    theirs: Mapping[str, Recipe],
    judges: tuple[str, str],
) -> str:
    """What parts the trials of a pair; "" if nothing does."""
    if ours[first.case_id] != theirs[second.case_id]:
        return f"other cases: {_fields([ours[first.case_id]], [theirs[second.case_id]])}"
    if first.definition != second.definition:
        return f"strategy {first.strategy}: {first.definition} / {second.definition}"
    texts = first.context_sha256, second.context_sha256
    # A trial's id is a digest of all that it is asked, and of its reader's name.
    same = first.trial_id == second.trial_id
    if not same and (first.reader == second.reader or (all(texts) and texts[0] != texts[1])):
        return "texts: the files of needle set, haystack or prompt are others, or how the reader is asked"
    versions = f"{judges[0]} {first.judge_version}", f"{judges[1]} {second.judge_version}"
    if first.judge_version and second.judge_version and versions[0] != versions[1]:
        return f"judge: {versions[0]} / {versions[1]}"
    return ""


def _recipes(run: RunContents) -> dict[str, Recipe]:
    return {sample_id: _recipe(sample) for sample_id, sample in run.samples.items()}


def _recipe(sample: Sample) -> Recipe:
    if sample.case is not None:
        return asdict(sample.case)
    names = ("question_set", "document_id", "tokenizer", "prompt")
    return {"question": sample.sample_id} | {name: getattr(sample, name) for name in names}


def _other_recipes(ours: Mapping[str, Recipe], theirs: Mapping[str, Recipe], pairs: Pairs) -> list[str]:
    """How the cases that only one run has differ from the other's, rotating seeds apart."""
    first, second = _alone(ours, theirs, pairs.only_baseline), _alone(theirs, ours, pairs.only_candidate)
    if not first and not second:
        return []
    fields = _fields(ours.values(), theirs.values()) or "the same values, combined otherwise"
    alone = f"{first:,} cases only in the baseline, {second:,} only in the candidate"
    return [f"other cases: {fields} ({alone})"]


def _alone(ours: Mapping[str, Recipe], theirs: Mapping[str, Recipe], rest: DataFrame) -> int:
    """How many cases the other run lacks altogether; one that it has for another reader is not meant."""
    there = {tuple(sorted(recipe.items())) for recipe in theirs.values()}
    own = {tuple(sorted(ours[id].items())) for id in rest["case_id"] if is_anchor_seed(ours[id].get("seed"))}
    return len(own - there)


def _fields(first: Iterable[Recipe], second: Iterable[Recipe]) -> str:
    """The fields whose values differ: "tokenizer cl100k against o200k, depth 50 in the candidate alone"."""
    ours, theirs = _values(first), _values(second)
    differing = []
    for name in sorted(ours.keys() | theirs.keys()):
        one, other = (side.get(name, set()) for side in (ours, theirs))
        left, right = _shown(one - other), _shown(other - one)
        said = f"{left} against {right}"
        if "-" in (left, right):
            said = f"{right} in the candidate alone" if left == "-" else f"{left} in the baseline alone"
        if one != other:
            differing.append(f"{name.replace('_', ' ')} {said}")
    return ", ".join(differing)


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
    for reader, other in dict.fromkeys(zip(pairs.baseline["reader"], pairs.candidate["reader"], strict=True)):
        ours, theirs = baseline.readers.get(reader, {}), candidate.readers.get(other, {})
        for key in sorted(ours.keys() | theirs.keys()):
            if ours.get(key) != theirs.get(key):
                name = reader if reader == other else f"{reader} / {other}"
                yield f"reader {name}: {key} {ours.get(key, '-')} / {theirs.get(key, '-')}"
