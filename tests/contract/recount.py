"""Cases counted again by tiktoken, tokenizers and llama.cpp, with no code of niah's."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from tests.contract.conftest import run_niah, write

Row = dict[str, Any]
_HOME = Path(os.environ.get("NIAH_CACHE") or Path.home() / ".cache" / "niah")
_VOCABULARIES = Path(
    str(importlib.metadata.distribution("litellm").locate_file("litellm/litellm_core_utils/tokenizers"))
)
_FILES = {
    "minilm": _HOME / "weights" / "minilm" / "tokenizer.json",
    "anthropic/claude-2": _VOCABULARIES / "anthropic_tokenizer.json",
}


@cache
def _encoding(name: str) -> Any:
    """OpenAI's encoding of niah's name ``name``, or the Hugging Face tokenizer of that name or path."""
    if name in ("cl100k", "o200k"):
        import tiktoken

        os.environ["TIKTOKEN_CACHE_DIR"] = str(_VOCABULARIES)
        return tiktoken.get_encoding(f"{name}_base")
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(_FILES.get(name, name)))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


class Tokens:
    """The tokens of one text, by their places in it."""

    def __init__(self, name: str, text: str) -> None:
        self.text, encoding = text, _encoding(name)
        if name in ("cl100k", "o200k"):
            ids = encoding.encode(text, disallowed_special=())
            ends = list(accumulate(len(encoding.decode_single_token_bytes(each)) for each in ids))
            self.starts, self.ends = [0, *ends[:-1]], ends
            self._bytes = True
        else:
            offsets = encoding.encode(text, add_special_tokens=False).offsets
            self.starts, self.ends = [pair[0] for pair in offsets], [pair[1] for pair in offsets]
            self._bytes = False

    def __len__(self) -> int:
        return len(self.ends)

    def _place(self, at: int) -> int:
        return len(self.text[:at].encode()) if self._bytes else at

    def before(self, start: int) -> int:
        """How many tokens end before the character ``start``, and before the space in front of it."""
        return bisect_right(self.ends, self._place(start - (self.text[start - 1 : start] == " ")))

    def begun(self, end: int) -> int:
        """How many tokens begin before the character ``end``."""
        return bisect_left(self.starts, self._place(end))


@cache
def _smollm2() -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(next((_HOME / "weights" / "smollm2").glob("*.gguf")))
    params.n_ctx, params.n_parallel, params.verbosity = 1024, 1, -1
    return xllamacpp.Server(params)


def smollm2_counts(text: str) -> int:
    """How many tokens llama.cpp reads ``text`` as, with SmolLM2's weights."""
    asked = {"prompt": text, "max_tokens": 1, "cache_prompt": False}
    return int(_smollm2().handle_completions(asked)["usage"]["prompt_tokens"])


def generate(folder: Path, suite: Row, *options: str) -> list[Row]:
    """The suite's cases, each with its context and, as ``input``, with its whole prompt."""
    write(folder / "suite.yaml", json.dumps(suite, ensure_ascii=False))
    made = run_niah("generate", "suite.yaml", "--with-context", "--audit", *options, cwd=folder)
    assert made.code == 0, made.err
    done = run_niah("export-cases", "suite.yaml", "--to", "jsonl", "--out", "prompts.jsonl", cwd=folder)
    assert done.code == 0, done.err
    prompts = [json.loads(line) for line in (folder / "prompts.jsonl").read_text("utf-8").splitlines()]
    (folder / "prompts.jsonl").unlink()
    assert [each["id"] for each in prompts] == [row["case_id"] for row in made.rows]
    return [row | {"input": each["input"]} for row, each in zip(made.rows, prompts, strict=True)]


def insertions(row: Row) -> list[Row]:
    """Passages, needles outside passages, and distractors, in the order of the text."""
    passages = row.get("passages") or []
    alone = [
        needle
        for needle in row["needles"]
        if not any(each["start"] <= needle["start"] < each["end"] for each in passages)
    ]
    return sorted([*passages, *alone, *row["distractors"]], key=lambda each: each["start"])


def places(row: Row) -> list[tuple[int, int]]:
    """(found, asked) token of each needle or passage by the formula; also checks all counts of the row.

    d_1 = alpha H, d_i = d_1 + floor((i - 1)(H - d_1) / k), with H = L - P - N in haystack tokens.
    """
    text, name = row["context"], row["tokenizer"]
    whole, tokens = Tokens(name, row["input"]), Tokens(name, text)
    assert text in row["input"]
    assert row["question"] in row["input"]
    assert hashlib.sha256(text.encode()).hexdigest() == row["sha256"]
    assert (len(tokens), len(whole) - len(tokens)) == (row["tokens"], row["prompt_tokens"])
    for each in [*row["needles"], *row["distractors"], *row["passages"]]:
        assert text[each["start"] : each["end"]] == each.get("text", text[each["start"] : each["end"]])
        assert tokens.before(each["start"]) == each["token_start"]
    spans = [(each["start"], each["end"]) for each in insertions(row)]
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    placed = [each for each in insertions(row) if each not in row["distractors"]]
    sizes = [tokens.begun(each["end"]) - each["token_start"] for each in placed]
    haystack = row["context_length"] - row["prompt_tokens"] - sum(sizes)
    first = int(haystack * row["depth"] / 100)
    depths = [first + index * (haystack - first) // len(placed) for index in range(len(placed))]
    asked = [depth + sum(sizes[:index]) for index, depth in enumerate(depths)]
    assert [each["asked_token"] for each in placed] == asked
    return [(each["token_start"], at) for each, at in zip(placed, asked, strict=True)]


def background(row: Row) -> list[str]:
    """What stands between needles, passages and distractors."""
    found, at = [], 0
    for each in insertions(row):
        found.append(row["context"][at : each["start"]])
        at = each["end"]
    return [*found, row["context"][at:]]


def rebuilt(name: str, folder: Path) -> str:
    """The context of one case, rebuilt from its id alone."""
    shown = run_niah("show", name, "--json", cwd=folder)
    assert shown.code == 0, shown.err
    return str(json.loads(shown.out)["context"])
