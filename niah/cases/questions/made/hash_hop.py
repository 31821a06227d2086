"""Hash-Hop as one document of any size: shuffled lines ``hash -> hash``, written in blocks, and questions.

After Magic's HashHop (2024): chains of so many hops between strings of 16 letters, all lines shuffled, and
nothing else. The document has exactly as many tokens as asked for.
"""

from __future__ import annotations

import os
import random
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO

import numpy as np
import orjson

from niah.cases.questions.made.hash_chains import ARROW, HashChains
from niah.cases.questions.question_lines import DOCUMENTS
from niah.errors import UserError
from niah.files import atomic_write
from niah.needles.families.load import load_family
from niah.text.templates import join_names, render_line
from niah.text.tokenizer import Tokenizer, get_tokenizer

LEAST_TOKENS = 1_000
MOST_HOPS = 6
_BLOCK = 50_000
"""Lines of a block: 1.85 MB."""
_SAMPLED = 5_000
_SPREADS = 8
"""Standard deviations by which the lines in one order stay below what is asked for."""
_ENDING = 400
"""Tokens at the end that single lines are chosen for, so that the count comes out."""


@dataclass(frozen=True)
class HashHop:
    """What is to be written.

    Attributes:
        tokens: of the document, exactly.
        hops: of every chain.
        questions: how many chains are asked for.
        steps: whether every hash on the way is asked for, not the last alone.
        seed: whose hashes they are.
        tokenizer: whose tokens count.
    """

    tokens: int
    hops: int
    questions: int = 1
    steps: bool = False
    seed: int = 1
    tokenizer: str = "cl100k"


def write_hash_hop(out: Path, asked: HashHop) -> int:
    """Write the question set ``out`` and the document beside it; returns the lines of the document.

    Memory does not grow with ``tokens``. Raises UserError for what cannot be made.
    """
    tokenizer = get_tokenizer(asked.tokenizer)
    _check(asked, tokenizer)
    chains = _chains(asked, tokenizer)
    name, beside = out.stem, out.with_name(out.stem + DOCUMENTS)
    with atomic_write(beside) as file:
        file.write(b'{"id":' + orjson.dumps(name) + b',"text":"')
        lines = _write_lines(file, chains, asked, tokenizer)
        file.write(b'"}\n')
    with atomic_write(out) as file:
        file.writelines(_questions(chains, asked, name))
    return lines


def _check(asked: HashHop, tokenizer: Tokenizer) -> None:
    if not tokenizer.additive:
        problem = f"tokens of {tokenizer.name} do not add up line by line."
        raise UserError(problem, "Use cl100k or o200k.")
    if not 1 <= asked.hops <= MOST_HOPS:
        raise UserError(f"{asked.hops} hops: there are 1 to {MOST_HOPS}.", "Ask for as many.")
    if asked.tokens < LEAST_TOKENS:
        raise UserError(f"{asked.tokens} tokens are too few.", f"Ask for {LEAST_TOKENS:,} at least.")


def _chains(asked: HashHop, tokenizer: Tokenizer) -> HashChains:
    """As many chains as surely have fewer tokens than asked for, and nearly as many."""
    sample = HashChains(asked.seed, _SAMPLED, asked.hops)
    counts = tokenizer.counts(_texts(sample, 0, _SAMPLED))
    mean, spread = float(counts.mean()), float(counts.std())
    room = asked.tokens - _ENDING
    lines = room / mean - _SPREADS * spread * np.sqrt(room / mean) / mean
    chains = int(lines * (1 - _SPREADS * spread / mean / np.sqrt(len(counts))) / asked.hops)
    if chains < asked.questions:
        problem = f"{asked.tokens:,} tokens hold {max(0, chains)} chains of {asked.hops} hops."
        raise UserError(problem, f"Ask for more tokens, or for fewer than {asked.questions} questions.")
    return HashChains(asked.seed, chains, asked.hops)


def _line_counts(
    chains: HashChains, number: int, tokenizer: Tokenizer
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    rows = chains.lines(0, number)
    return tokenizer.counts([row.tobytes().decode() for row in rows])


def _write_lines(file: IO[bytes], chains: HashChains, asked: HashHop, tokenizer: Tokenizer) -> int:
    """Write exactly the tokens asked for; the last line has no end. Returns how many lines there are."""
    left = asked.tokens + tokenizer.counts(["\n"]).item()
    for block, tokens in _counted_blocks(chains, tokenizer):
        file.write(_escaped(block))
        left -= tokens
    written = chains.size
    for lines in _rest(chains, left, tokenizer):
        written += len(lines)
        file.write(_escaped("".join(lines)))
    file.seek(-len(_escaped("\n")), os.SEEK_END)
    return written


def _escaped(text: str) -> bytes:
    """Lines of letters as they stand in a JSON string."""
    return text.replace("\n", "\\n").encode()


def _counted_blocks(chains: HashChains, tokenizer: Tokenizer) -> Iterator[tuple[str, int]]:
    """The list in blocks, each with its tokens; some are counted ahead, one a core."""
    workers = os.cpu_count() or 1

    def counted(start: int) -> tuple[str, int]:
        text = chains.lines(start, min(start + _BLOCK, chains.size)).tobytes().decode()
        return text, len(tokenizer.encode(text))

    with ThreadPoolExecutor(workers) as pool:
        ahead: deque[Future[tuple[str, int]]] = deque()
        for start in range(0, chains.size, _BLOCK):
            ahead.append(pool.submit(counted, start))
            if len(ahead) > workers:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


def _rest(chains: HashChains, left: int, tokenizer: Tokenizer) -> Iterator[list[str]]:
    """Lines of further chains with ``left`` tokens in all, exactly."""
    further = HashChains(chains.seed, max(_SAMPLED, left // 10), chains.hops, first=chains.chains)
    # Lines that nobody has used stand at the list's far end: the last ones are for the ending.
    spare = _by_count(_texts(further, further.size - 2 * _SAMPLED // 5, further.size), tokenizer)
    at = 0
    while left > _ENDING:
        block = _texts(further, at, at + _SAMPLED // 5)
        taken = list[str]()
        for line, tokens in zip(block, tokenizer.counts(block).tolist(), strict=True):
            if left <= _ENDING:
                break
            taken.append(line)
            left -= tokens
        at += len(taken)
        yield taken
    yield [spare[tokens].pop() for tokens in _adding_up(left, list(spare))]


def _texts(chains: HashChains, start: int, stop: int) -> list[str]:
    return [row.tobytes().decode() for row in chains.lines(start, stop)]


def _by_count(lines: Iterable[str], tokenizer: Tokenizer) -> dict[int, list[str]]:
    lines = list(lines)
    found: dict[int, list[str]] = {}
    for line, tokens in zip(lines, tokenizer.counts(lines).tolist(), strict=True):
        found.setdefault(tokens, []).append(line)
    return {tokens: held for tokens, held in found.items() if len(held) > _ENDING // 15}


def _adding_up(total: int, counts: list[int]) -> list[int]:
    """Some of the counts, each as often as need be, that add up to ``total``."""
    last = {0: 0}
    for reached in range(1, total + 1):
        step = next((count for count in counts if reached - count in last), None)
        if step is not None:
            last[reached] = step
    chosen = list[int]()
    while total:
        chosen.append(last[total])
        total -= last[total]
    return chosen


def _questions(chains: HashChains, asked: HashHop, name: str) -> Iterator[bytes]:
    """A question for each chain asked for; chains are drawn by the seed, none twice."""
    family = load_family("hash-hop-steps" if asked.steps else "hash-hop")[1]
    drawn = random.Random(f"hash-hop|{asked.seed}|{asked.hops}").sample(range(chains.chains), asked.questions)
    for number, chain in enumerate(drawn, 1):
        hashes = chains.chain(chain)
        told = {"start": hashes[0], "k": str(asked.hops)}
        answer = join_names(tuple(hashes[1:])) if asked.steps else hashes[-1]
        yield (
            orjson.dumps(
                {
                    "id": f"{name}-{number}",
                    "document_id": name,
                    "question": render_line(family.question, told),
                    "answers": [answer],
                    "evidence": [f"{this}{ARROW}{after}" for this, after in pairwise(hashes)],
                    "kind": f"{asked.hops} hops",
                }
            )
            + b"\n"
        )
