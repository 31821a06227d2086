"""How a context is cut.

A package adds a way with an entry point of the group ``niah.chunkers`` that names a ``ChunkerKind``; users
write ``@NAME`` behind a strategy, or ``@NAME-N`` where it takes a size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from niah.errors import OutsideError, StrategyError, UnknownName, did_you_mean
from niah.plugins.registry import Registry, error_line
from niah.strategies.expansion.auto_merging import merge_leaves
from niah.strategies.expansion.chunk_range import Expand
from niah.strategies.expansion.sentence_window import sentence_windows
from niah.text.chunks import Chunk, as_chunks, passages, sentences, windows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Starts = NDArray[np.int64]

Cut = Callable[[str, "Starts", int, int], Iterable[tuple[int, int]] | Iterable[Chunk]]
"""From a text, the characters at which its tokens start, a size and an overlap to the chunks, in the text's
order, or to where they start and end: ``text[start:end]``."""

_DIGITS = 12
_SIZE = re.compile(rf"0*[1-9][0-9]{{0,{_DIGITS - 1}}}")
_EQUAL_STEPS = re.compile(r"([0-9]{1,12})-([0-9]{1,12})")
_PARAGRAPH, _PASSAGE, _SENTENCE = 150, 70, 20
# A sentence of more words, such as a table's, is cut.
_LONGEST_SENTENCE = 128
_SHORTEST_SENTENCE = 4


@dataclass(frozen=True)
class ChunkerKind:
    """A way to cut contexts.

    Attributes:
        description: one line for people.
        cut: cuts a text.
        size: of its chunks where nobody says: none has more tokens.
        overlap: tokens that each shares with the one before.
        sized: whether users may write another size behind its name, as in paragraphs-200.
        form: as users write it, N in place of a size and M of an overlap; filled in where it is "".
        tokens_per_unit: of its size, where that does not count tokens but words.
        shrinks: whether it is asked for smaller chunks where little room is filled; of a package's, those
            that are sized.
        step: from one chunk's start to the next, as a share of size less overlap.
        moves: whether a needle moves the borders of all chunks behind it.
        usual: tokens of most chunks of some size.
        at_needle: tokens of the chunks that a needle makes new, by size, where it does not move all.
        most: how many chunks a room of some tokens has at most, by room and size.
        expand: what is read in place of the chunks retrieved; None where they are read as they are.
        read: tokens that are read for one retrieved chunk, expected and at most, by size; None without
            ``expand``.
        name: what users write; filled in from the entry point.
    """

    description: str
    cut: Cut
    size: int
    overlap: int = 0
    sized: bool = False
    form: str = ""
    tokens_per_unit: int = 1
    shrinks: bool = True
    step: float = 1.0
    moves: bool = False
    usual: Callable[[int], int] = lambda size: size
    at_needle: Callable[[int], int] = lambda size: 2 * size
    most: Callable[[int, int], int] = lambda room, size: room
    expand: Expand | None = None
    read: Callable[[int], tuple[int, int]] | None = None
    name: str = ""


def _named(name: str, made: object) -> ChunkerKind:
    if not isinstance(made, ChunkerKind):
        raise TypeError("it is no niah.strategies.chunkers.ChunkerKind")
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case words with hyphens between them")
    if made.size < 1 or not 0 <= made.overlap < made.size:
        raise ValueError(f"its size is {made.size} and its overlap {made.overlap}")
    if name in CHUNKERS.own:
        return replace(made, name=name, form=made.form or name)
    return replace(made, name=name, form=f"{name}-N" if made.sized else name, shrinks=made.sized)


def _passages(text: str, starts: Starts, size: int, overlap: int) -> list[Chunk]:
    return passages(text, starts, size)


def _equal_windows(text: str, starts: Starts, size: int, overlap: int) -> list[Chunk]:
    return windows(text, starts, size, overlap, equal_steps=True)


def _sentences(text: str, starts: Starts, size: int, overlap: int) -> list[Chunk]:
    return sentences(text, starts, size)


def _whole_sentences(text: str, starts: Starts, size: int, overlap: int) -> list[Chunk]:
    return sentences(text, starts, _LONGEST_SENTENCE)


def _third_of_size(room: int, size: int) -> int:
    """Two passages in a row fill one, and windows start 0.47 of one apart."""
    return 4 + 3 * room // size


CHUNKERS: Registry[ChunkerKind] = Registry(
    "chunkers",
    {
        "passages": ChunkerKind(
            "passages of whole sentences, at most N tokens",
            _passages,
            size=100,
            sized=True,
            form="N",
            usual=lambda size: min(size, _PASSAGE),
            at_needle=lambda size: min(size, _PARAGRAPH),
            most=_third_of_size,
        ),
        "windows": ChunkerKind(
            "600 tokens, 100 or more shared, from a paragraph's start on; without @, for all but mixpr",
            windows,
            size=600,
            overlap=100,
            # A window starts so much of a step sooner than it might, at a paragraph.
            step=6 / 7,
            most=_third_of_size,
        ),
        "equal-windows": ChunkerKind(
            "N tokens, M shared with the one before, at equal steps: 600-100 as u-niah prints it",
            _equal_windows,
            size=600,
            overlap=100,
            sized=True,
            form="N-M",
            moves=True,
            most=_third_of_size,
        ),
        "sentences": ChunkerKind(
            "sentences of at most 32 words; without @, for mixpr",
            _sentences,
            size=32,
            tokens_per_unit=2,
            shrinks=False,
            usual=lambda size: _SENTENCE,
            at_needle=lambda size: _SENTENCE,
            most=lambda room, size: 4 + room // _SHORTEST_SENTENCE,
        ),
        "sentence-window": ChunkerKind(
            "single sentences, read with N more to either side",
            _whole_sentences,
            size=3,
            sized=True,
            form="sentence-window-N",
            shrinks=False,
            usual=lambda size: _SENTENCE,
            at_needle=lambda size: _SENTENCE,
            most=lambda room, size: 4 + room // _SHORTEST_SENTENCE,
            expand=sentence_windows,
            read=lambda size: ((2 * size + 1) * _SENTENCE, (2 * size + 1) * 2 * _LONGEST_SENTENCE),
        ),
        "auto-merging": ChunkerKind(
            "passages of N tokens; all of 4N or 16N are read where over half of them is retrieved",
            _passages,
            size=128,
            sized=True,
            form="auto-merging-N",
            usual=lambda size: min(size, _PASSAGE),
            at_needle=lambda size: min(size, _PARAGRAPH),
            most=_third_of_size,
            expand=merge_leaves,
            # Passages fill three quarters of it, and few merge: 0.69 to 0.84 over 27 cases each of 2k to 64k,
            # and 0.98 where half of all is retrieved. At most: of two parents one is merged, each of one
            # leaf; and of three grandparents' worth.
            read=lambda size: (max(1, size * 4 // 5), 8 * size),
        ),
    },
    _named,
)


@dataclass(frozen=True)
class Chunker:
    """A way to cut, with its sizes.

    Attributes:
        kind: a name of ``CHUNKERS``.
        size, overlap: of its chunks; tokens, of sentences words.
    """

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
    def tokens(self) -> int:
        """Tokens that no chunk exceeds, but for what counts otherwise on its own."""
        return self.read[1]

    @property
    def read(self) -> tuple[int, int]:
        """Tokens that are read for a retrieved chunk, expected and at most."""
        known = self.known
        return known.read(self.size) if known.read else (self.size * known.tokens_per_unit,) * 2

    def for_room(self, filled: int) -> Chunker:
        """The same with chunks that are small enough where so many tokens are filled."""
        if not self.known.shrinks or self.size <= filled - SLACK_TOKENS:
            return self
        size = max(1, filled - SLACK_TOKENS)
        return replace(self, size=size, overlap=self.overlap * size // self.size)

    def chunks(self, text: str, starts: Starts) -> list[Chunk]:
        """The chunks of a text whose tokens start at ``starts``. Raises OutsideError of a package's."""
        if self.kind in CHUNKERS.own:
            own = self.known.cut(text, starts, self.size, self.overlap)
            assert isinstance(own, list)
            return own
        try:
            spans = [_span(cut) for cut in self.known.cut(text, starts, self.size, self.overlap)]
        except Exception as error:  # whatever a stranger's function does
            raise self._failed(error_line(error)) from error
        if wrong := next((span for span in spans if not 0 <= span[0] < span[1] <= len(text)), None):
            raise self._failed(f"it gave a chunk {wrong} of a text of {len(text)} characters")
        if spans != sorted(spans):
            raise self._failed("its chunks do not stand in the order of the text")
        chunks = as_chunks(spans, starts)
        largest = max((chunk.token_end - chunk.token_start for chunk in chunks), default=0)
        if largest > self.tokens + SLACK_TOKENS:
            raise self._failed(f"it gave a chunk of {largest} tokens, where {self.tokens} are the most")
        return chunks

    def _failed(self, problem: str) -> OutsideError:
        return OutsideError(f"the chunker {self.kind} failed: {problem}.", "Mend the package that has it.")


def _span(cut: Chunk | tuple[int, int]) -> tuple[int, int]:
    if isinstance(cut, Chunk):
        return cut.start, cut.end
    start, end = cut
    return int(start), int(end)


SLACK_TOKENS = 8
"""A chunk counted on its own may take a few tokens more than where it stands."""


def _own(kind: str) -> Chunker:
    return Chunker(kind, CHUNKERS[kind].size, CHUNKERS[kind].overlap)


WINDOWS = _own("windows")
EQUAL_WINDOWS = _own("equal-windows")
SENTENCES = _own("sentences")
PASSAGES = _own("passages")


def default_chunker(retriever: str) -> Chunker:
    """Windows as large as u-niah's (section 4.2), but for MixPR the sentences of its paper (section 4)."""
    return SENTENCES if retriever.startswith("mixpr") else WINDOWS


def parse_chunker(whole: str, text: str) -> Chunker:
    """The chunker that stands behind the @ of a strategy. Raises UnknownName or StrategyError.

    Args:
        whole: the strategy, for messages.
        text: what stands behind its @.
    """
    if sized := _EQUAL_STEPS.fullmatch(text):
        size, overlap = int(sized[1]), int(sized[2])
        if overlap >= size:
            raise StrategyError(
                f"{whole!r} asks for windows of {size} tokens that share {overlap}.",
                "They must share fewer than they have: 600-100.",
            )
        return Chunker(EQUAL_WINDOWS.kind, positive_number(whole, sized[1]), overlap)
    if _SIZE.fullmatch(text) or not text[:1].isalpha():
        return Chunker(PASSAGES.kind, positive_number(whole, text))
    own = {kind.name: kind for kind in map(CHUNKERS.__getitem__, CHUNKERS.own) if kind.name in kind.form}
    if text in own:
        return _own(text)
    name, _, number = text.rpartition("-")
    if (kind := own.get(name) or CHUNKERS.added.get(name)) and kind.sized and number.isdigit():
        return _resized(kind, positive_number(whole, number))
    if kind := CHUNKERS.added.get(text):
        return Chunker(text, kind.size, kind.overlap)
    if failure := CHUNKERS.failure(text, "chunker"):
        raise failure
    known = [*(kind.form for kind in own.values()), *(kind.form for kind in CHUNKERS.added.values())]
    if did_you_mean(text, known).startswith("Did") or CHUNKERS.added:
        raise UnknownName("chunks", text, known)
    return Chunker(PASSAGES.kind, positive_number(whole, text))


def _resized(kind: ChunkerKind, size: int) -> Chunker:
    return Chunker(kind.name, size, min(kind.overlap, size - 1))


def positive_number(whole: str, text: str) -> int:
    """A number of a strategy. Raises StrategyError for what is none above 0."""
    if text.isascii() and text.isdigit() and len(text.lstrip("0")) > _DIGITS:
        raise StrategyError(f"{whole!r} is too large.", f"Write a number of at most {_DIGITS} digits.")
    if not _SIZE.fullmatch(text):
        raise StrategyError(f"{whole!r} needs a whole number above 0, not {text!r}.")
    return int(text)
