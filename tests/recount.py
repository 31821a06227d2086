"""Cases counted again by tiktoken, tokenizers and llama.cpp, with no code of niah's."""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_right
from collections.abc import Callable, Collection
from fractions import Fraction
from functools import cache
from importlib.metadata import distribution
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any
from unittest.mock import patch

import tiktoken
from tokenizers import Tokenizer

from tests.contract.conftest import run_niah, write

Row = dict[str, Any]
_WEIGHTS = Path(os.environ.get("NIAH_CACHE") or Path.home() / ".cache" / "niah") / "weights"
_VOCABULARIES = Path(str(distribution("litellm").locate_file("litellm/litellm_core_utils/tokenizers")))
_CLAUDE = _VOCABULARIES / "anthropic_tokenizer.json"


@cache
def _encoding(name: str) -> Any:
    """OpenAI's encoding of niah's name ``name``, or the Hugging Face tokenizer of that name or file."""
    if name in ("cl100k", "o200k"):
        with patch.dict(os.environ, TIKTOKEN_CACHE_DIR=str(_VOCABULARIES)):
            return tiktoken.get_encoding(f"{name}_base")
    files = {"minilm": next(_WEIGHTS.rglob("minilm/tokenizer.json"), ""), "anthropic/claude-2": _CLAUDE}
    tokenizer = Tokenizer.from_file(str(files.get(name, name)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Tokens:
    """The tokens of one text, by their places in it."""

    place: Callable[[int], int]

    def __init__(self, name: str, text: str) -> None:
        self.text, encoding = text, _encoding(name)
        if name in ("cl100k", "o200k"):
            ids = encoding.encode(text, disallowed_special=())
            self.ends = list(accumulate(len(encoding.decode_single_token_bytes(each)) for each in ids))
            self.place = lambda at: len(text[:at].encode())
        else:
            self.ends = [end for _, end in encoding.encode(text, add_special_tokens=False).offsets]
            self.place = lambda at: at

    def __len__(self) -> int:
        return len(self.ends)

    def before(self, start: int) -> int:
        """How many tokens end before the character ``start``, and before the space in front of it."""
        return bisect_right(self.ends, self.place(start - (self.text[start - 1 : start] == " ")))


def size(name: str, text: str, *, behind: str = "So. ") -> int:
    """How many tokens an inserted text has: those that it adds behind a sentence, or to an empty text."""
    return len(Tokens(name, behind + text)) - len(Tokens(name, behind.rstrip()))


def smollm2_counts(*texts: str) -> list[int]:
    """How many tokens llama.cpp reads each text as, with SmolLM2's weights."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(next(_WEIGHTS.rglob("smollm2/*.gguf")))
    params.n_ctx, params.n_parallel, params.verbosity = 1024, 1, -1
    asked = [{"prompt": text, "max_tokens": 1, "cache_prompt": False} for text in texts]
    said = map(xllamacpp.Server(params).handle_completions, asked)
    return [each["usage"]["prompt_tokens"] for each in said]


def generate(folder: Path, suite: Row) -> list[Row]:
    """The suite's cases, each with its context and, as ``input``, with its whole prompt."""
    write(folder / "suite.yaml", json.dumps(suite, ensure_ascii=False))
    made = run_niah("generate", "suite.yaml", "--with-context", "--audit", cwd=folder)
    assert made.code == 0, made.err
    done = run_niah("generate", "suite.yaml", "--to", "jsonl", "--out", "prompts.jsonl", cwd=folder)
    assert done.code == 0, done.err
    prompts = [json.loads(line) for line in (folder / "prompts.jsonl").read_text("utf-8").splitlines()]
    assert [each["id"] for each in prompts] == [row["case_id"] for row in made.rows]
    return [row | {"input": each["input"]} for row, each in zip(made.rows, prompts, strict=True)]


def insertions(row: Row) -> list[Row]:
    """What was put into the haystack, in the order of the text: nested needles come with their passages."""
    return sorted([*(row["passages"] or row["needles"]), *row["distractors"]], key=lambda each: each["start"])


def places(row: Row) -> list[tuple[int, int]]:
    """(found, asked) token of each needle or passage by the formula; also checks all counts of the row.

    d_1 = alpha H, d_i = d_1 + floor((i - 1)(H - d_1) / k), with H = L - P - N.
    """
    text, name = row["context"], row["tokenizer"]
    whole, tokens = Tokens(name, row["input"]), Tokens(name, text)
    assert text in row["input"]
    assert row["question"] in row["input"]
    assert hashlib.sha256(text.encode()).hexdigest() == row["sha256"]
    assert (len(tokens), len(whole) - len(tokens)) == (row["tokens"], row["prompt_tokens"])
    for each in [*row["needles"], *row["distractors"], *row["passages"]]:
        span = text[each["start"] : each["end"]]
        assert span == each.get("text", span)
        assert tokens.before(each["start"]) == each["token_start"]
    assert all(one["end"] <= two["start"] for one, two in pairwise(insertions(row)))
    placed = [each for each in insertions(row) if each not in row["distractors"]]
    parts = [(text[each["start"] : each["end"]], "So. " if each["start"] else "") for each in placed]
    sizes = [size(name, part, behind=behind) for part, behind in parts]
    haystack = row["context_length"] - row["prompt_tokens"] - sum(sizes)
    first = int(Fraction(str(row["depth"])) * haystack / 100)
    depths = [first + index * (haystack - first) // len(placed) for index in range(len(placed))]
    asked = [depth + sum(sizes[:index]) for index, depth in enumerate(depths)]
    assert [each["asked_token"] for each in placed] == asked
    return [(each["token_start"], at) for each, at in zip(placed, asked, strict=True)]


def background(row: Row) -> list[str]:
    """What stands between needles, passages and distractors."""
    ends = [0, *(each["end"] for each in insertions(row))]
    starts = [*(each["start"] for each in insertions(row)), None]
    return [row["context"][end:start] for end, start in zip(ends, starts, strict=True)]


def left_over(row: Row, known: Collection[str]) -> str:
    """What of the background is no whole sentence of ``known``."""
    text = "\0".join(background(row))
    for piece in sorted(known, key=len, reverse=True):
        text = text.replace(piece, "\0")
    return text.replace("\0", "").strip()
