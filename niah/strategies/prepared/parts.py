"""What a strategy that asked a model first gives the reader, held against the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from niah.cases.context import Placed
from niah.strategies.facts import needles_held, retrieval_facts
from niah.strategies.prepared.steps import Chosen
from niah.strategies.select import RankedChunk, Selection
from niah.text.chunks import Chunk
from niah.text.tokenizer import Tokenizer, count


def made_of_parts(
    chosen: Chosen, context: str, tokenizer: Tokenizer, needles: Sequence[Placed] | None
) -> Selection:
    """The parts joined, and the facts of those that are the context's own words.

    Parts in the order of the context that follow each other are joined as they stand there.
    """
    text, behind = "", -1
    for part in chosen.parts:
        follows = part.place and 0 <= behind <= part.place[0] and not context[behind : part.place[0]].strip()
        gap = context[behind : part.place[0]] if follows and part.place else "\n\n" if text else ""
        text += gap + part.text
        behind = part.place[1] if part.place else -1
    ranking = [*chosen.ranking, *(i for i in range(len(chosen.parts)) if i not in chosen.ranking)]
    placed = [(rank, place) for rank, i in enumerate(ranking, 1) if (place := chosen.parts[i].place)]
    # None stands next to another: what lies between them is not sent.
    chunks = [Chunk(2 * i, start, end, 0, 0) for i, (_, (start, end)) in enumerate(placed)]
    facts = retrieval_facts(needles, chunks, range(len(chunks)))
    facts = replace(facts, available=max(chosen.available, len(chunks)), needle_split=None)
    return Selection(
        text=text,
        context_tokens=count(tokenizer, text),
        chunks=tuple(
            RankedChunk(rank, 0.0, chunk, needles_held(needles or (), chunk))
            for (rank, _), chunk in zip(placed, chunks, strict=True)
        ),
        facts=facts,
    )
