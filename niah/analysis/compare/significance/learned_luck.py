"""What tonight and the nights before tell of each reader's luck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from niah.analysis.compare.significance.earlier_nights import EarlierNights
from niah.analysis.compare.significance.luck_estimate import luck_estimate
from niah.analysis.compare.significance.shared_luck import ReaderLuck
from niah.analysis.frame import category_codes, nullable_column
from niah.analysis.stats.clusters import codes
from niah.analysis.trial_columns import Trials
from niah.judges.verdict import HIGHEST, LOWEST

if TYPE_CHECKING:
    from numpy.typing import NDArray


def seed_codes(frame: Trials) -> NDArray[np.int64]:
    """Shape (n,): each trial's seed, over all needle sets; of a given document, the document's own."""
    seeds, clusters = nullable_column(frame, "seed"), np.asarray(frame["cluster"])
    columns = (seeds.values.tolist(), clusters.tolist(), seeds.missing.tolist())
    return codes(
        ("cluster", cluster) if missing else ("seed", seed)
        for seed, cluster, missing in zip(*columns, strict=True)
    )


def readers_luck(
    frame: Trials, tonight: NDArray[np.float64], earlier: EarlierNights, *, is_score: bool
) -> list[ReaderLuck]:
    """Of each reader, what is known of its luck.

    Args:
        frame: of the pairs' trials.
        tonight: shape (n,): scores, or 1 for what failed; NaN where the pair has none.
        earlier: nights before it.
        is_score: which of the two ``tonight`` is.
    """
    history = earlier.scores if is_score else earlier.failed
    nights = np.concatenate([history, tonight[None, :]])
    worth = np.where(np.isnan(tonight), 0.0, block_worth(luck_blocks(frame), nights, is_score=is_score))
    clusters, seeds = np.asarray(frame["cluster"]), seed_codes(frame)
    readers = category_codes(frame, "reader")
    found = []
    for reader in np.unique(readers):
        own = readers == reader
        of_own = (values[own] for values in (worth, clusters, seeds))
        found.append(ReaderLuck(np.where(own, worth, 0.0), luck_estimate(nights[:, own], *of_own)))
    return found


def luck_blocks(frame: Trials) -> NDArray[np.int64]:
    """Shape (n,): trials of one reader, strategy, length band and depth have one number."""
    columns = (category_codes(frame, "reader"), category_codes(frame, "strategy"))
    lengths = category_codes(frame, "length_band")
    depths = np.nan_to_num(np.asarray(frame["depth"]), nan=-1.0)
    return codes(zip(*columns, lengths, depths, strict=True))


def block_worth(
    blocks: NDArray[np.int64], nights: NDArray[np.float64], *, is_score: bool
) -> NDArray[np.float64]:
    """Shape (n,): points a logit, by block (``luck_blocks``): most where half is right."""
    least, most = (float(LOWEST), float(HIGHEST)) if is_score else (0.0, 1.0)
    known = ~np.isnan(nights)
    counts = np.bincount(blocks, known.sum(axis=0))
    sums = np.bincount(blocks, np.where(known, nights, 0.0).sum(axis=0))
    share = (sums / np.maximum(counts, 1) - least) / (most - least)
    return np.asarray(((most - least) * np.clip(share * (1 - share), 0.0, None))[blocks])
