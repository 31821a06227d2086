"""Every kind of text x tokenizer x length x depth x mode: what can be built, and is every count true?

Run: python -m tests.cases.matrix_scripts [RESULTS [LENGTH ...]]

Each case that is built is rendered into its whole prompt and tokenised again. A context that goes past a
text's end repeats it, so lengths beyond some 10,000 tokens show the joint of its end and its beginning too.
Prints built of tried, and every count that was wrong. Each text, tokenizer and length is written to RESULTS,
JSON lines, as it is done, and not done again: the same command goes on after a stop.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from niah.cases.assembly.render import build_context
from niah.cases.case import Case, Mode
from niah.cases.prompts import load_prompt
from niah.errors import Defect, UserError
from niah.haystacks.load import load_corpus
from niah.needles.load import load_needle_set
from niah.text.tokenizer import count, get_tokenizer
from tests.script_texts import KINDS, compose_text

NEEDLE_SET = "ferry-lanterns"
CHARACTERS = 40_000
LENGTHS = (1_000, 4_000, 16_000, 64_000, 128_000)
DEPTHS = tuple(range(0, 101, 10))
MODES: tuple[Mode, ...] = ("exact", "contiguous")
_WHOLE = 2_000
"""Characters above which a text is likely to be a context."""
_FILES = {"code": "txt", "markdown": "md"}


@dataclass
class Tally:
    """What came of the cases of one text and tokenizer."""

    tried: int = 0
    built: int = 0
    wrong: list[str] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)


def trained_tokenizers(folder: Path) -> dict[str, str]:
    """A Unigram with a space in front, and a byte-level BPE, learned from all kinds of text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    texts = [compose_text(kind, CHARACTERS, seed=2) for kind in KINDS]
    unigram = Tokenizer(models.Unigram())
    unigram.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    unigram.train_from_iterator(
        texts, trainers.UnigramTrainer(vocab_size=4000, special_tokens=["<unk>"], unk_token="<unk>")
    )
    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=4000, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    )
    paths = {}
    for name, tokenizer in (("unigram", unigram), ("byte-bpe", bpe)):
        (folder / name).mkdir()
        tokenizer.save(str(folder / name / "tokenizer.json"))
        paths[name] = str(folder / name / "tokenizer.json")
    return paths


def tokenizer_paths(folder: Path) -> dict[str, str]:
    """All tokenizers of the matrix: what the table calls them, and what niah does."""
    offline = {"cl100k": "cl100k", "o200k": "o200k", "smollm2": "smollm2", "claude-2": "anthropic/claude-2"}
    return offline | {"wordpiece": "minilm"} | trained_tokenizers(folder)


def write_text(folder: Path, kind: str) -> Path:
    """The text of a kind, as a haystack."""
    path = folder / f"{kind}.{_FILES.get(kind, 'txt')}"
    path.write_text(compose_text(kind, CHARACTERS), encoding="utf-8")
    return path


def mistakes_in(case: Case) -> Iterator[str]:
    """Every figure of the case's context that is not true of its whole prompt, tokenised again.

    Raises UserError where the case cannot be built.
    """
    context = build_context(case)
    tokenizer = get_tokenizer(case.tokenizer)
    question = load_needle_set(case.needle_set, case.seed).question
    total = count(tokenizer, load_prompt(case.prompt).render(context.text, question))
    if total != context.tokens + context.prompt_tokens:
        yield f"{total} tokens, recorded {context.tokens + context.prompt_tokens}"
    longest = longest_piece(case.haystack, case.tokenizer)
    if case.mode == "exact" and total != case.context_length:
        yield f"{total} tokens, asked {case.context_length}"
    if case.mode == "contiguous" and not case.context_length - longest <= total <= case.context_length:
        yield f"{total} tokens, asked {case.context_length}, longest piece {longest}"
    starts = tokenizer.starts(context.text)
    for needle in context.needles:
        if context.text[needle.start : needle.end] != needle.text:
            yield f"{needle.id} is not at {needle.start}"
        begins = int(starts.searchsorted(needle.start, side="right")) - 1
        # The space or line end before a needle may be its first token, or a token of its own.
        if needle.token_start not in (begins, begins - 1, begins + 1):
            yield f"{needle.id} starts at token {begins}, recorded {needle.token_start}"
        off = needle.asked_token - needle.token_start
        if off and (case.mode == "exact" or not 0 <= off <= longest):
            yield f"{needle.id} is {off} tokens before where it is asked"


def remember_whole_texts(name: str) -> None:
    """Have a tokenizer of this process remember its last few whole texts.

    A text that niah itself has tokenised whole, letter for letter the same, need not be tokenised again.
    """
    tokenizer: Any = get_tokenizer(name)
    for method in ("starts", "encode"):
        fresh = getattr(tokenizer, method)
        setattr(tokenizer, method, partial(_or_remembered, fresh, lru_cache(maxsize=6)(fresh)))


def _or_remembered(fresh: Callable[[str], Any], remembered: Callable[[str], Any], text: str) -> Any:
    return remembered(text) if len(text) > _WHOLE else fresh(text)


@lru_cache(maxsize=32)
def longest_piece(haystack: str, tokenizer: str) -> int:
    """Tokens of the longest sentence or line, with what a joint may add."""
    tokens = load_corpus(haystack, tokenizer).tokens
    return max(after - before for before, after in itertools.pairwise(tokens)) + 16


def check(
    path: Path, tokenizer: str, lengths: Sequence[int], depths: Sequence[int], modes: Sequence[Mode]
) -> Tally:
    """Try every case of one text and tokenizer."""
    tally = Tally()
    for length in lengths:
        for depth in depths:
            for mode in modes:
                case = Case(NEEDLE_SET, str(path), length, depth, tokenizer=tokenizer, mode=mode, repeat=True)
                tally.tried += 1
                try:
                    found = list(mistakes_in(case))
                except UserError as error:
                    tally.refused[f"{length}, {depth} %, {mode}: {error.message[-90:]}"] += 1
                    continue
                except Defect as defect:
                    found = [str(defect)]
                tally.built += 1
                tally.wrong += [f"{path.stem}, {length}, {depth} %, {mode}: {what}" for what in found]
    return tally


def main() -> None:
    """Print what was built, wrong and refused."""
    results = Path(sys.argv[1] if sys.argv[1:] else "matrix.jsonl")
    lengths = list(map(int, sys.argv[2:])) or LENGTHS
    rows = [json.loads(line) for line in results.read_text("utf-8").splitlines()] if results.exists() else []
    done = {(row["kind"], row["tokenizer"], row["length"]): row for row in rows}
    with tempfile.TemporaryDirectory() as scratch:
        paths = tokenizer_paths(Path(scratch))
        for path in paths.values():
            remember_whole_texts(path)
        for length, kind, name in itertools.product(sorted(lengths), KINDS, paths):
            if (kind, name, length) not in done:
                tally = check(write_text(Path(scratch), kind), paths[name], [length], DEPTHS, MODES)
                row = {"kind": kind, "tokenizer": name, "length": length, **vars(tally)}
                done[kind, name, length] = row
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
    for length in sorted(lengths):
        of_length = [row for row in done.values() if row["length"] == length]
        built, tried = (sum(row[key] for row in of_length) for key in ("built", "tried"))
        print(f"{length:,} tokens: {built:,} of {tried:,} built")
    wrong = [what for row in done.values() for what in row["wrong"]]
    refused = sum((Counter(row["refused"]) for row in done.values()), Counter[str]())
    print(*(f"refused {times} x {what}" for what, times in refused.most_common(30)), sep="\n")
    print(*(f"WRONG {what}" for what in wrong[:40]), f"{len(wrong)} wrong", sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
