"""Retrieval in tables: means over cases, by strategy, context length and number of needles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from niah.runs.retrieval import RetrievalRecord


@dataclass(frozen=True)
class RetrievalRow:
    """What one strategy retrieved, over the cases of one length, one number of needles, or both.

    Attributes:
        strategy: as the user wrote it.
        context_length: in tokens; None where all lengths are taken together.
        needles: their number; None where all numbers are taken together.
        n: how many cases.
        completeness: mean share, 0 to 1, of needles wholly retrieved.
        every_needle: share of the cases with all their needles wholly retrieved.
        in_part: mean share of needles of which some was retrieved, but not all.
        noise_ratio: mean of retrieved chunks without any part of a needle / retrieved chunks; None for lc and
            closed-book.
        context_tokens: mean number of tokens sent, in the cases' tokenizer.
    """

    strategy: str
    context_length: int | None
    needles: int | None
    n: int
    completeness: float
    every_needle: float
    in_part: float
    noise_ratio: float | None
    context_tokens: float


def retrieval_rows(
    records: Iterable[RetrievalRecord], *, per_length: bool = False, per_needles: bool = False
) -> tuple[RetrievalRow, ...]:
    """One row per number of needles, length and strategy, or fewer of these.

    Lengths of generated contexts are a grid; those of given documents go together up to each power of two.
    Lengths and numbers of needles rise; strategies stand in the order in which the records first name them.
    Records without needles are left out: there is nothing to retrieve.
    """
    groups: dict[tuple[int | None, int | None, str], list[RetrievalRecord]] = {}
    strategies: dict[str, int] = {}
    for record in records:
        strategies.setdefault(record.strategy, len(strategies))
        if record.needles:
            needles = record.needles if per_needles else None
            length = _length(record) if per_length else None
            groups.setdefault((needles, length, record.strategy), []).append(record)

    def place(key: tuple[int | None, int | None, str]) -> tuple[int, int, int]:
        needles, length, strategy = key
        return needles or 0, length or 0, strategies[strategy]

    return tuple(_row(*key, groups[key]) for key in sorted(groups, key=place))


def _length(record: RetrievalRecord) -> int:
    given = record.question_set is not None
    return 1 << (record.context_length - 1).bit_length() if given else record.context_length


def without_needles(records: Iterable[RetrievalRecord]) -> int:
    """How many cases have no needles."""
    return len({record.case_id for record in records if not record.needles})


def _row(
    needles: int | None, length: int | None, strategy: str, records: Sequence[RetrievalRecord]
) -> RetrievalRow:
    noise = [record.noise_ratio for record in records if record.noise_ratio is not None]
    shares = [record.completeness or 0.0 for record in records]
    return RetrievalRow(
        strategy,
        length,
        needles,
        n=len(records),
        completeness=fmean(shares),
        every_needle=fmean(share == 1 for share in shares),
        in_part=fmean(record.in_part or 0.0 for record in records),
        noise_ratio=fmean(noise) if noise else None,
        context_tokens=fmean(record.context_tokens for record in records),
    )
