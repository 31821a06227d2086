"""What a metric is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from niah.judges.rubric.normalise import strip_reasoning


@dataclass(frozen=True)
class Metric:
    """A number for an answer, from 0 (nothing of the reference) to 1.

    Attributes:
        name: as users call it.
        description: one line.
        of_pair: the value of an answer, without its reasoning, for one reference.
    """

    name: str
    description: str
    of_pair: Callable[[str, str], float]

    def score(self, answer: str, references: tuple[str, ...] | list[str]) -> float:
        """The best value over ``references``; what the reader thought aloud does not count.

        Each reference is compared for itself, BLEU's too: n-grams of several are never pooled.

        Raises:
            ValueError: no references, so nothing to be the best of.
        """
        if not references:
            raise ValueError(f"{self.name} has no reference to compare with. Give at least one.")
        said = strip_reasoning(answer)
        return max(self.of_pair(said, reference) for reference in references)
