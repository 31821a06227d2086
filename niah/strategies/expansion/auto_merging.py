"""Auto-merging: leaves are compared; where more than half of a parent's are retrieved, the parent is read.

A leaf is a passage of whole sentences. A parent is as many neighbouring leaves as make four times a leaf's
tokens, a grandparent as many neighbouring parents as make sixteen times. Parents merge into a grandparent by
the same rule: more than half of its parents have to be read whole. What is merged stands in the place of its
best leaf.
"""

from __future__ import annotations

from collections.abc import Sequence

from niah.strategies.expansion.chunk_range import ChunkRange
from niah.text.chunks import Chunk

LEVELS = (4, 16)
"""Tokens of a parent and of a grandparent, in those of a leaf."""


def merge_leaves(chunks: Sequence[Chunk], ranking: Sequence[int], size: int) -> list[ChunkRange]:
    """The retrieved leaves, or what they were merged into, best first."""
    nodes = [(i, i + 1) for i in range(len(chunks))]
    read = {nodes[i]: {nodes[i]: rank} for rank, i in enumerate(ranking)}  # under each node, with ranks
    for times in LEVELS:
        parents = _packed(chunks, nodes, times * size)
        under: dict[ChunkRange, dict[ChunkRange, int]] = {}
        for parent, children in parents.items():
            held = {run: rank for child in children for run, rank in read.get(child, {}).items()}
            whole = sum(child in read.get(child, {}) for child in children)
            under[parent] = {parent: min(held.values())} if whole * 2 > len(children) else held
        nodes, read = list(parents), under
    ranks = {run: rank for held in read.values() for run, rank in held.items()}
    return sorted(ranks, key=lambda run: ranks[run])


def _packed(
    chunks: Sequence[Chunk], nodes: Sequence[ChunkRange], size: int
) -> dict[ChunkRange, list[ChunkRange]]:
    """Neighbours together while they have at most ``size`` tokens: each parent with its children."""
    packed: list[list[ChunkRange]] = []
    for node in nodes:
        opened = packed[-1] if packed else None
        if opened and chunks[node[1] - 1].token_end - chunks[opened[0][0]].token_start <= size:
            opened.append(node)
        else:
            packed.append([node])
    return {(children[0][0], children[-1][1]): children for children in packed}
