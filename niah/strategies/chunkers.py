"""How a context is cut into chunks, and what is read in place of the chunks that were retrieved.

A package's entry point (``niah.chunkers``) names a ``ChunkerKind``; users write ``@NAME``, or ``@NAME-N``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from operator import index
from typing import TYPE_CHECKING, Literal, TypeVar

from niah.errors import OutsideError, UnknownName, UserError
from niah.registry import Registry, error_line
from niah.text.chunks import Chunk, as_chunks, passages, sentences, windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Starts = NDArray[np.int64]

_Kind = TypeVar("_Kind")

Cut = Callable[[str, "Starts", int, int], Iterable[tuple[int, int]] | Iterable[Chunk]]
"""From a text, the characters at which its tokens start, a size and an overlap to the chunks, in the text's
order, or to where they start and end."""

ChunkRange = tuple[int, int]  # the numbers of a first chunk and of the one behind the last

Expand = Callable[[Sequence[Chunk], Sequence[int], int], list[ChunkRange]]
"""From all chunks, the numbers of those retrieved, and the chunker's size to what is read instead, all best
first. No two ranges share a chunk."""

Side = Literal["back", "middle"]

SLACK_TOKENS = 8  # a chunk counted on its own may take a few tokens more than where it stands

_SENTENCE, _LONGEST_SENTENCE = 20, 128  # tokens, as expected; words, behind which a sentence is cut
_NUMBER = re.compile(r"0*[1-9][0-9]{0,11}")
_EQUAL_STEPS = re.compile(r"([0-9]{1,12})-([0-9]{1,12})")


@dataclass(frozen=True)
class ChunkerKind:
    """A way to cut contexts."""

    description: str
    cut: Cut
    size: int  # tokens of its largest chunks, unless users write a size behind its name (``sized``)
    overlap: int = 0  # tokens that each chunk shares with the one before
    sized: bool = False
    form: str = ""  # as users write it, N for a size and M for an overlap; by default the name, and -N
    shrinks: bool = True  # whether it takes smaller chunks for little room; of a package's, the sized ones
    expand: Expand | None = None  # what is read in place of the chunks retrieved; None: they are read
    read: Callable[[int], tuple[int, int]] = lambda size: (size, size)  # tokens of one, expected and at most


def sentence_windows(chunks: Sequence[Chunk], ranking: Sequence[int], size: int) -> list[ChunkRange]:
    """The retrieved sentences with ``size`` more to either side, best first (long-context-vs-rag, 4.2);
    windows that share sentences are read as one, in the better one's place."""
    place = {i: rank for rank, i in enumerate(ranking)}
    joined: list[tuple[int, ChunkRange]] = []  # each with the rank of its best sentence
    for i in sorted(place):
        first, stop = max(0, i - size), min(len(chunks), i + size + 1)
        if joined and first < joined[-1][1][1]:
            rank, before = joined[-1]
            joined[-1] = min(rank, place[i]), (before[0], stop)
        else:
            joined.append((place[i], (first, stop)))
    return [window for _, window in sorted(joined)]


def merge_leaves(chunks: Sequence[Chunk], ranking: Sequence[int], size: int) -> list[ChunkRange]:
    """The retrieved leaves, or what they were merged into, best first (auto-merging retrieval). A parent has
    four times a leaf's tokens, a grandparent sixteen; one is read whole where over half of it is found."""
    nodes = [(i, i + 1) for i in range(len(chunks))]
    read = {nodes[i]: {nodes[i]: rank} for rank, i in enumerate(ranking)}  # under each node, with ranks
    for most in (4 * size, 16 * size):
        packed: list[list[ChunkRange]] = []
        for node in nodes:
            first = chunks[packed[-1][0][0]].token_start if packed else 0
            if packed and chunks[node[1] - 1].token_end - first <= most:
                packed[-1].append(node)
            else:
                packed.append([node])
        under: dict[ChunkRange, dict[ChunkRange, int]] = {}
        for children in packed:
            parent = children[0][0], children[-1][1]
            held = {each: rank for child in children for each, rank in read.get(child, {}).items()}
            whole = sum(child in read.get(child, {}) for child in children)
            under[parent] = {parent: min(held.values())} if whole * 2 > len(children) else held
        nodes, read = list(under), under
    ranks = {each: rank for held in read.values() for each, rank in held.items()}
    return sorted(ranks, key=lambda each: ranks[each])


def checked(name: str, made: object, kind: type[_Kind]) -> _Kind:
    """What a registry was given for a name. Raises TypeError or ValueError where it is none of its kind."""
    if not isinstance(made, kind):
        raise TypeError(f"it is no niah.plugins.{kind.__name__}")
    if not re.fullmatch(r"[a-z][a-z0-9]*([-.][a-z0-9]+)*", name):  # behind @ a digit begins a size
        raise ValueError(f"{name!r} is not made of lower-case letters, then digits too, with hyphens between")
    return made


def _adapted(name: str, given: object) -> ChunkerKind:
    made = checked(name, given, ChunkerKind)
    made = replace(made, form=made.form or f"{name}{'-N' * made.sized}")
    if name in CHUNKERS.own:
        return made
    if made.size < 1 or not 0 <= made.overlap < made.size:
        raise ValueError(f"its size is {made.size} and its overlap {made.overlap}")
    return replace(made, shrinks=made.sized)


def _passages(text: str, starts: Starts, size: int, overlap: int) -> list[Chunk]:
    return passages(text, starts, size)


CHUNKERS: Registry[ChunkerKind] = Registry(
    "chunkers",
    {
        "passages": ChunkerKind(
            "passages of whole sentences, at most N tokens", _passages, 100, sized=True, form="N"
        ),
        "windows": ChunkerKind(
            "600 tokens, 100 or more shared, from a paragraph's start on; without @, for all but mixpr",
            windows,
            size=600,
            overlap=100,
        ),
        "equal-windows": ChunkerKind(
            "N tokens, M shared with the one before, at equal steps: 600-100 as u-niah prints it",
            lambda text, starts, size, overlap: windows(text, starts, size, overlap, equal_steps=True),
            size=600,
            overlap=100,
            sized=True,
            form="N-M",
        ),
        "sentences": ChunkerKind(
            "sentences of at most 32 words; without @, for mixpr",
            lambda text, starts, size, overlap: sentences(text, starts, size),
            size=32,
            shrinks=False,
            read=lambda size: (2 * size, 2 * size),
        ),
        "sentence-window": ChunkerKind(
            "single sentences, read with N more to either side",
            lambda text, starts, size, overlap: sentences(text, starts, _LONGEST_SENTENCE),
            size=3,
            sized=True,
            shrinks=False,
            expand=sentence_windows,
            read=lambda size: ((2 * size + 1) * _SENTENCE, (2 * size + 1) * 2 * _LONGEST_SENTENCE),
        ),
        "auto-merging": ChunkerKind(
            "passages of N tokens; 4N or 16N are read where over half of them is retrieved",
            _passages,
            size=128,
            sized=True,
            expand=merge_leaves,
            # At most: of two parents one is merged, each of one leaf; and of three grandparents' worth.
            read=lambda size: (max(1, size * 4 // 5), 8 * size),
        ),
    },
    _adapted,
)


@dataclass(frozen=True)
class Chunker:
    """A way to cut, a name of ``CHUNKERS``, with its sizes in tokens; of sentences in words."""

    kind: str
    size: int
    overlap: int = 0

    def __str__(self) -> str:
        return self.known.form.replace("N", str(self.size)).replace("M", str(self.overlap))

    @property
    def known(self) -> ChunkerKind:
        """What it is."""
        return CHUNKERS.find(self.kind, "chunker")

    @property
    def read(self) -> tuple[int, int]:
        """Tokens that are read for a retrieved chunk, expected and at most, but for ``SLACK_TOKENS``. Raises
        OutsideError of a package's."""
        with self._naming_faults():
            expected, most = map(index, self.known.read(self.size))
        return expected, most

    def for_room(self, filled: int) -> Chunker:
        """The same with chunks that are small enough where so many tokens are filled."""
        size = max(1, filled - SLACK_TOKENS)
        if not self.known.shrinks or self.size <= size:
            return self
        return replace(self, size=size, overlap=self.overlap * size // self.size)

    def chunks(self, text: str, starts: Starts) -> list[Chunk]:
        """The chunks of a text whose tokens start at ``starts``. Raises OutsideError of a package's."""
        if self.kind in CHUNKERS.own:
            return list(self.known.cut(text, starts, self.size, self.overlap))  # type: ignore[arg-type]
        with self._naming_faults():
            cut = self.known.cut(text, starts, self.size, self.overlap)
            spans = [(c.start, c.end) if isinstance(c, Chunk) else (int(c[0]), int(c[1])) for c in cut]
        if wrong := next((span for span in spans if not 0 <= span[0] < span[1] <= len(text)), None):
            raise self._failed(f"it gave a chunk {wrong} of a text of {len(text)} characters")
        if spans != sorted(spans):
            raise self._failed("its chunks do not stand in the order of the text")
        chunks = as_chunks(spans, starts)
        largest = max((chunk.token_end - chunk.token_start for chunk in chunks), default=0)
        if largest > (most := self.read[1]) + SLACK_TOKENS:
            raise self._failed(f"it gave a chunk of {largest} tokens, where {most} are the most")
        return chunks

    def expanded(self, chunks: Sequence[Chunk], ranking: Sequence[int]) -> list[Chunk]:
        """What is read where these are retrieved, best first: the chunks, or what they are grown to. Raises
        OutsideError of a package's."""
        if self.known.expand is None:
            return [chunks[i] for i in ranking]
        with self._naming_faults():
            ranges = self.known.expand(chunks, ranking, self.size)
            ends = [(chunks[i], chunks[stop - 1], stop - i) for i, stop in ranges]
        return [replace(c, end=last.end, token_end=last.token_end, covers=n) for c, last, n in ends]

    @contextmanager
    def _naming_faults(self) -> Iterator[None]:
        """Raise OutsideError in place of what a package's chunker raises; ours keeps its traceback."""
        try:
            yield
        except Exception as error:  # whatever a stranger's function does
            if self.kind in CHUNKERS.own:
                raise
            raise self._failed(error_line(error)) from error

    def _failed(self, problem: str) -> OutsideError:
        return OutsideError(f"the chunker {self.kind} failed: {problem}.", "Mend the package that has it.")


EQUAL_WINDOWS = Chunker("equal-windows", 600, 100)
SENTENCES = Chunker("sentences", 32)
PASSAGES = Chunker("passages", 100)


def default_chunker(retriever: str) -> Chunker:
    """Windows as large as u-niah's (section 4.2), but for MixPR the sentences of its paper (section 4)."""
    return SENTENCES if retriever.startswith("mixpr") else Chunker("windows", 600, 100)


def parse_chunker(whole: str, text: str) -> Chunker:
    """The chunker that stands behind the @ of the strategy ``whole``. Raises UnknownName or UserError."""
    if sized := _EQUAL_STEPS.fullmatch(text):
        size, overlap = int(sized[1]), int(sized[2])
        if overlap >= size:
            problem = f"{whole!r} asks for windows of {size} tokens that share {overlap}."
            raise UserError(problem, "They must share fewer than they have: 600-100.")
        return Chunker(EQUAL_WINDOWS.kind, size, overlap)
    if not text[:1].isalpha():
        return Chunker(PASSAGES.kind, positive_number(whole, text))
    name, _, number = text.rpartition("-")
    if number.isdigit() and (kind := CHUNKERS.get(name)) and kind.sized and name in kind.form:
        size = positive_number(whole, number)
        return Chunker(name, size, min(kind.overlap, size - 1))
    if (kind := CHUNKERS.get(text)) and text in kind.form:
        return Chunker(text, kind.size, kind.overlap)
    forms = [kind.form for kind in CHUNKERS.values()]
    raise CHUNKERS.failure(text, "chunker") or UnknownName("chunks", text, forms)


def positive_number(whole: str, text: str, most: int = 10**12 - 1) -> int:
    """A number of a strategy. Raises UserError for what is none from 1 to ``most``."""
    if not _NUMBER.fullmatch(text) or int(text) > most:
        problem = f"{whole!r} needs a whole number, not {text!r}."
        raise UserError(problem, f"Write one from 1 to {most:,}.")
    return int(text)


@dataclass(frozen=True)
class Truncation:
    """What is left of a context that is longer than a reader's window: so many ``tokens``, without its end,
    as in long-context-vs-rag (section 4.1), or its middle."""

    side: Side
    tokens: int
    tokenizer: str

    def apply(self, text: str) -> str:
        """The text without its end or middle; as it is where it has no more than ``tokens``."""
        from niah.text.tokenizer import get_tokenizer

        starts = get_tokenizer(self.tokenizer).starts(text)
        if len(starts) <= self.tokens:
            return text
        tail = self.tokens // 2 if self.side == "middle" else 0
        head = text[: int(starts[self.tokens - tail])]
        return f"{head}\n\n{text[int(starts[len(starts) - tail]) :]}" if tail else head
