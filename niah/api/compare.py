"""Compare two runs, or two readers of one: did anything get significantly worse?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import quote

from niah.analysis.comparability import apart, compatibility
from niah.analysis.compare import Comparison, Limits, compare_models, compare_pairs
from niah.analysis.pairs import DEFAULT_AXES, Pairs, check_axes, pair
from niah.errors import RunFileError, UnknownName, UserError
from niah.runs.file.night_record import accepted_nights
from niah.runs.file.nights import Night, night_of
from niah.runs.file.read_model import RunContents, read_run
from niah.runs.trial import TrialRecord


@dataclass(frozen=True)
class ComparingWords:
    """How a remedy names what its reader writes: options of the command, or arguments in Python.

    Attributes:
        readers: what names two readers.
        common: what takes of two runs what they have in common.
    """

    readers: str = "--readers X,Y"
    common: str = "--common"


OF_COMMAND = ComparingWords()
MOST_NIGHTS = 20
"""So many earlier nights say how a row's mean varies from night to night: of 20, Student's 98 % quantile is
2.2, and more hardly lower it."""


def compare_runs(
    baseline: Path,
    candidate: Path | None = None,
    *,
    readers: tuple[str, str] | None = None,
    by: Sequence[str] = DEFAULT_AXES,
    limits: Limits | None = None,
    history: Sequence[Path] = (),
    common: bool = False,
    seed: int = 0,
    words: ComparingWords = OF_COMMAND,
) -> Comparison:
    """Compare a run file with an earlier one, or two readers.

    Args:
        baseline: the earlier run file.
        candidate: the later one; may be left out where ``readers`` are compared within one run.
        readers: compare the second reader with the first, each in its run, both ways: each at half of the
            level.
        by: what cuts the table, the coarsest first; see ``niah.analysis.pairs.AXES``.
        limits: the level, and when there is too little to say.
        history: run files of earlier nights; without any, those of the candidate's folder and name.
        common: where the runs differ, compare what they have in common.
        seed: of the random flips.
        words: for what may be wrong with these.

    Raises UserError for arguments that name no comparison, and RunFileError where the runs do not compare.
    """
    axes = check_axes(by)
    if readers and len(readers) != 2:
        raise UserError(f"{len(readers)} readers are no pair.", "Name two different readers.")
    if readers and readers[0] == readers[1]:
        raise UserError(f"{readers[0]!r} would be compared with itself.", "Name two different readers.")
    if candidate is None and readers is None:
        raise UserError(
            "one run alone is no comparison.", f"Name a second one, or two of its readers: {words.readers}."
        )
    second = candidate or baseline
    if candidate and readers is None and baseline.resolve() == candidate.resolve():
        raise RunFileError(
            f"{baseline} is named twice.", f"Name another run, or two of its readers: {words.readers}."
        )
    sides = [read_run(path) for path in (baseline, second)]
    names = str(baseline), str(second)
    if readers:
        sides = [_only_reader(*each) for each in zip(sides, readers, names, strict=True)]
        axes = tuple(axis for axis in axes if axis != "reader")
    pairs, notes = comparable_pairs(*sides, common=common, other_reader=readers is not None, words=words)
    if readers:
        return compare_models(
            *(pairs, readers),
            names=readers if names[0] == names[1] else names,
            by=axes,
            limits=limits,
            seed=seed,
            notes=notes,
        )
    night = _night(second)
    nights: list[Sequence[TrialRecord]] = [read_run(path).records for path in history]
    if night and not history:
        nights = nights_to_learn_from(second.parent, night.name, night.date)
    return compare_pairs(
        pairs,
        names=names,
        by=axes,
        limits=limits,
        seed=seed,
        notes=notes,
        history=nights,
    )


def nights_to_learn_from(folder: Path, name: str, night: date) -> list[Sequence[TrialRecord]]:
    """The records of the last usual nights of the run called ``name`` before ``night``, the latest first.

    Raises ConfigError where the record of nights is not as it should be.
    """
    return [run.records for run in accepted_nights(folder, name, night, MOST_NIGHTS)]


def _night(path: Path) -> Night | None:
    """The night that a file is called like; None where it is none of the calendar's."""
    try:
        return night_of(path)
    except ValueError:
        return None


def comparable_pairs(
    baseline: RunContents,
    candidate: RunContents,
    *,
    common: bool,
    other_reader: bool = False,
    words: ComparingWords = OF_COMMAND,
) -> tuple[Pairs, tuple[str, ...]]:
    """The pairs of trials that may be compared, and notes on the others.

    Args:
        baseline, candidate: of two runs, or of two readers of one.
        common: where they differ, take what they have in common.
        other_reader: readers are what is compared, so that their names need not agree.
        words: for what keeps them from being compared.

    Raises RunFileError where the two do not compare.
    """
    pairs = pair(baseline.records, candidate.records, other_reader=other_reader)
    names = f"{baseline.path} and {candidate.path}"
    if not pairs.baseline:
        why = apart(baseline, candidate, pairs)
        raise RunFileError(
            f"{names} have no trial in common{f' ({why})' if why else ''}.",
            f"Compare runs of one suite, or name two readers with {words.readers}.",
        )
    found = compatibility(baseline, candidate, pairs)
    missing = sum(record.outcome == "not_run" for record in pairs.baseline)
    notes = found.notes
    if missing:
        partial = f"has not run {missing:,} of the {len(pairs.baseline):,} pairs' trials"
        notes = (f"{baseline.path} {partial}", *notes)
    if not found.differences:
        return pairs, notes
    why = "; ".join(found.differences)
    judge_alike = (
        f"niah judge {quote(str(candidate.path))} --judge {baseline.judge} --primary judges both alike."
    )
    if not common:
        in_common = f"Compare what they have in common with {words.common}."
        remedy = in_common if baseline.judge == candidate.judge else judge_alike
        raise RunFileError(f"{names} do not compare: {why}.", remedy)
    if not found.common.baseline or (_both_scored(pairs) and not _both_scored(found.common)):
        raise RunFileError(f"{names} have nothing in common: {why}.", judge_alike)
    return found.common, (*(f"left out: {line}" for line in found.differences), *notes)


def _only_reader(run: RunContents, reader: str, name: str) -> RunContents:
    if reader not in run.columns["reader"]:
        raise UnknownName(f"reader in {name}", reader, set(run.columns["reader"]))
    return run.of_reader(reader)


def _both_scored(pairs: Pairs) -> bool:
    """Whether any pair has a score on both sides."""
    both = zip(pairs.baseline, pairs.candidate, strict=True)
    return any(one.score is not None and other.score is not None for one, other in both)
