"""The graph of similar chunks, S = E E^T, by what walks over it: from chunks to terms and back.

E = diag(1 / norm) counts diag(idf) are the L2-normalised TF-IDF rows; S is never formed. A walk goes from
chunks to terms (counts^T) and on to chunks (counts). ``StreamGraph`` does so for millions of tokens, by
compiled loops; ``niah.retrieval.mixpr.plain_graph`` holds the readable form of the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol

import numpy as np

from niah.text.scanning.threads import together

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from niah.retrieval.mixpr.term_stream import TermStream

    Floats = NDArray[np.float64]


class Graph(Protocol):
    """n chunks, and steps of a walk over them."""

    @property
    def sums(self) -> Floats:
        """Shape (n,): D, the column sums of S; 0 for chunks without terms."""
        ...

    @property
    def inverse_sums(self) -> Floats:
        """Shape (n,): 1 / D; 0 for chunks without terms."""
        ...

    def scattered(self, values: Floats, first: int = 0) -> Floats:
        """Shape (distinct terms,): values of the chunks from ``first`` on, carried to their terms.

        ``gathered`` carries them on: both together are S.
        """
        ...

    def gathered(self, by_term: Floats) -> Floats:
        """Shape (n,): what ``scattered`` gave, carried to chunks."""
        ...

    def step(
        self, by_term: Floats, total: float, before: Floats, change: Floats
    ) -> tuple[Floats, float, float]:
        """One step of the walk, from terms to chunks and on to terms.

        q = gathered(by_term) are the walkers at each chunk, w = sums / total those of a walk without end.
        Writes q - w into ``change``; ``before`` is that of the step before.

        Returns:
            scattered(q / sums), the sum of change^2 / sums and that of change before / sums.
        """
        ...

    def components(self) -> NDArray[np.int32]:
        """Shape (n,): the number of each chunk's component, from 0. What it is without terms is no matter."""
        ...

    def alike(self, one: int, other: int) -> bool:
        """Whether swapping two chunks, and terms that only they have, leaves the graph as it is."""
        ...


def smoothed_idf(chunks: int, chunks_with: NDArray[np.integer]) -> Floats:
    """scikit-learn's: ln((1 + n) / (1 + df)) + 1."""
    found: Floats = np.log((1 + chunks) / (1 + chunks_with)) + 1
    return found


def walked(graph: Graph, x: Floats) -> Floats:
    """A x, shape (n,); what x has on chunks without terms is lost."""
    return graph.gathered(graph.scattered(x * graph.inverse_sums))


def inverse_of(sums: Floats) -> Floats:
    """1 / each, 0 of 0."""
    return np.divide(1, sums, out=np.zeros_like(sums), where=sums > 0)


def _sum(arrays: Sequence[Floats]) -> Floats:
    """Of all, in the first."""
    for other in arrays[1:]:
        arrays[0].__iadd__(other)
    return arrays[0]


@dataclass(frozen=True)
class StreamGraph:
    """A graph as the stream of term ids and what scales it (``Graph``).

    Attributes:
        stream: the counts.
        squared_idf: shape (distinct terms,).
        inverse_norms: shape (n,), 1 / Euclidean length of each TF-IDF row, 0 for an empty one.
        sums, inverse_sums: shape (n,), D and 1 / D, 0 for an empty row.
        ranges: of chunks, first and behind the last, each for a thread.
    """

    stream: TermStream
    squared_idf: Floats
    inverse_norms: Floats
    sums: Floats
    inverse_sums: Floats
    ranges: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, stream: TermStream) -> StreamGraph:
        """The graph of the chunks of a stream."""
        from niah.retrieval.mixpr.kernels.walk_kernel import norms_into

        n = stream.chunks
        squared_idf = smoothed_idf(n, stream.chunks_with) ** 2
        inverse_norms, sums = np.empty(n), np.empty(n)

        def normed(first: int, last: int) -> Floats:
            by_term, own = np.zeros(len(squared_idf)), inverse_norms[first:last]
            borders, repeats = stream.borders[first : last + 1], stream.repeats_of(first, last)
            norms_into(stream.ids, borders, repeats, first, squared_idf, own, by_term)
            return by_term

        ranges = stream.ranges()
        by_term = _sum(together([partial(normed, *each) for each in ranges]))
        by_term *= squared_idf
        _gather(stream, inverse_norms, ranges, by_term, sums)
        return cls(stream, squared_idf, inverse_norms, sums, inverse_of(sums), ranges)

    def scattered(self, values: Floats, first: int = 0) -> Floats:
        """See ``Graph``."""
        from niah.retrieval.mixpr.kernels.walk_kernel import scatter_into

        by_term = np.zeros(len(self.squared_idf))
        scatter_into(
            self.stream.ids, self.stream.borders[first:], values * self.inverse_norms[first:], by_term
        )
        by_term *= self.squared_idf
        return by_term

    def gathered(self, by_term: Floats) -> Floats:
        """See ``Graph``."""
        found = np.empty(self.stream.chunks)
        _gather(self.stream, self.inverse_norms, self.ranges, by_term, found)
        return found

    def step(
        self, by_term: Floats, total: float, before: Floats, change: Floats
    ) -> tuple[Floats, float, float]:
        """See ``Graph``."""
        from niah.retrieval.mixpr.kernels.walk_kernel import step_into

        def stepped(first: int, last: int) -> tuple[Floats, float, float]:
            onward = np.zeros_like(by_term)
            own = slice(first, last)
            squared, crossed = step_into(
                self.stream.ids,
                self.stream.borders[first : last + 1],
                self.inverse_norms[own],
                self.sums[own],
                self.inverse_sums[own],
                1 / total,
                by_term,
                before[own],
                change[own],
                onward,
            )
            return onward, squared, crossed

        onward, squared, crossed = zip(
            *together([partial(stepped, *each) for each in self.ranges]), strict=True
        )
        by_term = _sum(onward)
        by_term *= self.squared_idf
        return by_term, sum(squared), sum(crossed)

    def components(self) -> NDArray[np.int32]:
        """See ``Graph``."""
        from niah.retrieval.mixpr.kernels.walk_kernel import components_into

        stream = self.stream
        found = np.empty(stream.chunks, dtype=np.int32)
        parents = np.arange(len(stream.chunks_with), dtype=np.int32)
        components_into(stream.terms, stream.borders, parents, found)
        return found + 1  # -1: chunks without terms

    def alike(self, one: int, other: int) -> bool:
        """See ``Graph``."""
        from niah.retrieval.mixpr.kernels.walk_kernel import alike

        stream = self.stream
        room = np.empty((2, stream.borders[one + 1] - stream.borders[one]), dtype=np.int64)
        return alike(stream.terms, stream.borders, stream.chunks_with, one, other, room[0], room[1])


def _gather(
    stream: TermStream,
    inverse_norms: Floats,
    ranges: Sequence[tuple[int, int]],
    by_term: Floats,
    found: Floats,
) -> None:
    from niah.retrieval.mixpr.kernels.walk_kernel import gather_into

    def gather(first: int, last: int) -> None:
        borders = stream.borders[first : last + 1]
        gather_into(stream.ids, borders, inverse_norms[first:last], by_term, found[first:last])

    together([partial(gather, *each) for each in ranges])
