"""Puts retrieved chunks into a prompt: how many fit, in what order, joined how."""

from __future__ import annotations

from collections.abc import Sequence

from niah.strategies.strategy import Order
from niah.text.chunks import Chunk
from niah.text.tokenizer import Tokenizer, count


def arranged(chunks: Sequence[Chunk], ranking: Sequence[int], order: Order) -> list[Chunk]:
    """The chunks of a ranking (indices, best first) in prompt order."""
    match order:
        case "norm":
            indices = list(ranking)
        case "reverse":
            indices = list(ranking[::-1])
        case "document":
            indices = sorted(ranking)
        case "sides":  # ranks 1 3 5 ... 6 4 2
            indices = [*ranking[::2], *ranking[1::2][::-1]]
    return [chunks[i] for i in indices]


def joined(text: str, chunks: Sequence[Chunk], order: Order) -> str:
    """What stands in the prompt: chunks, in prompt order, joined by blank lines.

    In document order those that follow each other are joined as they stand in ``text``.
    """
    spans = runs(chunks) if order == "document" else [(chunk.start, chunk.end) for chunk in chunks]
    return "\n\n".join(text[start:end] for start, end in spans)


def runs(chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Character spans of chunks in document order; those that follow each other make one."""
    spans: list[tuple[int, int]] = []
    before = -2
    for chunk in chunks:
        if chunk.index == before + 1:
            spans[-1] = (spans[-1][0], chunk.end)
        else:
            spans.append((chunk.start, chunk.end))
        before = chunk.index
    return spans


def filled(
    text: str, chunks: Sequence[Chunk], ranking: Sequence[int], order: Order, tokenizer: Tokenizer, room: int
) -> list[int]:
    """The longest head of the ranking that fits: with one chunk more, the joined text is over ``room``."""

    def tokens(k: int) -> int:
        return count(tokenizer, joined(text, arranged(chunks, ranking[:k], order), order))

    # Counting is exact but slow, so guess k from the chunks' mean size, and again from each count's error.
    sizes = [chunk.token_end - chunk.token_start for chunk in chunks]
    mean = max(1.0, sum(sizes) / max(1, len(sizes)))
    fits, over, guess = 0, len(ranking) + 1, int(room / mean)
    while over - fits > 1:
        guess = min(max(guess, fits + 1), over - 1)
        spare = room - tokens(guess)
        fits, over = (guess, over) if spare >= 0 else (fits, guess)
        guess += int(spare / mean)
    return list(ranking[:fits])
