"""Noise at a chosen ratio (u-niah, section 3.3): how many random chunks stand beside what was retrieved.

The noise ratio is that of the retrieval facts: chunks without any part of a needle / all chunks. Rules that
the paper leaves open, decided here:

* What was retrieved stays: with and without noise the same needles are sent.
* Chunks are added until the ratio is reached or just passed; none where it is reached without.
* All that is sent fits into the room of a context (L - P): half, budget-N and top-K leave room for noise,
  full leaves none. Where room or chunks end, the ratio stays below.
* They are drawn from all chunks without a needle that were not retrieved, distractors among them, by the
  sample's id: those of a smaller ratio are among those of a greater one.
* Their ranks are those that the retriever gives them, so an order holds for all chunks together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from niah.retrieval.retriever import lots

if TYPE_CHECKING:
    from numpy.typing import NDArray


def noise_to_add(retrieved: int, with_needles: int, ratio: float) -> int:
    """The fewest chunks without a needle that make their share ``ratio`` or more.

    Args:
        retrieved: chunks.
        with_needles: of these, those that hold some of a needle.
        ratio: above 0, below 1; taken as it is written, so that 0.7 is seven tenths.
    """
    return max(0, ceil(with_needles / (1 - Fraction(str(ratio)))) - retrieved)


def with_noise(
    ranking: Sequence[int],
    retrieved: Sequence[int],
    holds_needle: NDArray[np.bool_],
    ratio: float,
    seed: str,
    fits: Callable[[Sequence[int]], bool],
) -> list[int]:
    """What was retrieved and the noise beside it, best first.

    Args:
        ranking: all chunks, best first.
        retrieved: those retrieved.
        holds_needle: shape (chunks,), whether each holds some of a needle.
        ratio: that is asked for.
        seed: of the draw.
        fits: whether chunks, best first, fit into the room.
    """
    taken = set(retrieved)
    wanted = noise_to_add(len(taken), int(holds_needle[list(retrieved)].sum()), ratio)
    drawn = np.argsort(lots(f"{seed}|noise", len(ranking)), kind="stable").tolist()
    noise = [i for i in drawn if not holds_needle[i] and i not in taken][:wanted]

    def mixed(count: int) -> list[int]:
        chosen = taken.union(noise[:count])
        return [i for i in ranking if i in chosen]

    fitting, over, guess = 0, len(noise) + 1, len(noise)
    while over - fitting > 1:
        fitting, over = (guess, over) if fits(mixed(guess)) else (fitting, guess)
        guess = (fitting + over) // 2
    return mixed(fitting)
