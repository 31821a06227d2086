"""Noise at a chosen ratio (u-niah, section 3.3): random chunks next to what was retrieved.

What was retrieved stays, and ranks are the retriever's. Noise is drawn by the sample's id from all other
chunks without a needle, distractors among them, so that the chunks of a smaller ratio are among those of a
greater one. It is added until the ratio is reached or just passed, or until chunks or the room (L - P) end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

from niah.retrieval.retriever import lots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def noise_to_add(retrieved: int, with_needles: int, ratio: float) -> int:
    """The fewest chunks without a needle that make their share ``ratio`` or more; 0.7 is seven tenths."""
    return max(0, ceil(with_needles / (1 - Fraction(str(ratio)))) - retrieved)


def with_noise(
    ranking: Sequence[int],
    retrieved: Sequence[int],
    holds_needle: NDArray[np.bool_],
    ratio: float,
    seed: str,
    fits: Callable[[Sequence[int]], bool],
) -> list[int]:
    """What was retrieved and as much noise as ``fits``, best first; ``ranking`` has all chunks."""
    taken = set(retrieved)
    wanted = noise_to_add(len(taken), int(holds_needle[list(retrieved)].sum()), ratio)
    drawn = lots(f"{seed}|noise", len(ranking)).argsort(kind="stable").tolist()
    noise = [i for i in drawn if not holds_needle[i] and i not in taken][:wanted]

    def mixed(count: int) -> list[int]:
        chosen = taken.union(noise[:count])
        return [i for i in ranking if i in chosen]

    fitting, over, guess = 0, len(noise) + 1, len(noise)
    while over - fitting > 1:
        fitting, over = (guess, over) if fits(mixed(guess)) else (fitting, guess)
        guess = (fitting + over) // 2
    return mixed(fitting)
