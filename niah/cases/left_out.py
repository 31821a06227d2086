"""Cases that a suite asks for and that cannot be built as asked: which they are, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeVar

from niah.cases.case import Case
from niah.cases.context import Context
from niah.cases.sample import Sample
from niah.errors import CaseError, ConfigError, HaystackError, NeedleError

SkipRule = Literal["nothing", "impossible"]
"""Whether a case that cannot be built is an error, or is left out."""

_Built = TypeVar("_Built")


@dataclass(frozen=True)
class LeftOut:
    """A case that cannot be built.

    ``reason`` is the kind of hindrance, in the same words for all cases that it hinders; ``message`` has this
    one's numbers, and what would help.
    """

    case_id: str
    needle_set: str
    haystack: str
    context_length: int
    depth: float
    seed: int
    reason: str
    message: str


class Avoided(NamedTuple):
    """What was left out of one case's background: sentences that answer by accident."""

    needle_set: str
    haystack: str
    sentences: tuple[str, ...]


def attempt_cases(
    cases: Iterable[Case], build: Callable[[Case], _Built], skip: SkipRule
) -> Iterator[_Built | LeftOut]:
    """What ``build`` makes of each case, in order, or why it makes nothing of it.

    What hinders a case may be its haystack too, or what its seed draws for the needle set. Where nothing is
    to be skipped, the first hindrance is raised, and whatever else ``build`` raises always is.
    """
    for case in cases:
        try:
            yield build(case)
        except (CaseError, HaystackError, ConfigError, NeedleError) as error:
            is_of_case = isinstance(error, CaseError | HaystackError)
            if skip == "nothing" and is_of_case:
                remedy = f"{error.remedy} Or leave out what cannot be built: skip: impossible in the suite."
                raise CaseError(error.message, remedy.strip()) from None
            if skip == "nothing":  # what the seed draws: the files were read before
                raise
            reason = error.reason if isinstance(error, CaseError) else error.message
            message = str(error).removeprefix(f"{case.case_id}: ")
            grid = (case.needle_set, case.haystack, case.context_length, case.depth, case.seed)
            yield LeftOut(case.case_id, *grid, reason, message)


def nothing_left(left_out: Sequence[LeftOut]) -> CaseError:
    """The error of a suite of which every case is left out."""
    first = left_out[0]
    return CaseError(
        f"none of the {len(left_out):,} cases can be built. The first, {first.case_id}: {first.message}"
    )


def avoided_by(samples: Iterable[Sample]) -> list[Avoided]:
    """What was left out of the samples' backgrounds, where something was."""
    cases = ((sample.case, sample.avoided) for sample in samples)
    return [Avoided(case.needle_set, case.haystack, avoided) for case, avoided in cases if case and avoided]


def contiguous_notes(built: Iterable[tuple[Case, Context | Sample]]) -> tuple[str, ...]:
    """One line that counts the cases that are contiguous since no whole sentences add up, if any are."""
    shorts, cases = list[int](), 0
    for case, made in built:
        cases += 1
        short = case.prompt_length - made.tokens - made.prompt_tokens
        placed = (*made.needles, *made.passages)
        if case.mode == "auto" and (short or any(each.token_start != each.asked_token for each in placed)):
            shorts.append(short)
    if not shorts:
        return ()
    are = "is" if len(shorts) == 1 else "are"
    return (
        f"{len(shorts):,} of {cases:,} cases {are} contiguous, up to {max(shorts):,} tokens short: no whole "
        "sentences of the haystack add up to what is asked.",
    )
