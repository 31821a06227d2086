"""Every kind of text x tokenizer x length x depth x mode: what can be built, and is every count true?

Each case that is built is rendered into its whole prompt and tokenised again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path

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
MODES: tuple[Mode, ...] = ("exact", "contiguous")
_OFFLINE = {
    "cl100k": "cl100k",
    "o200k": "o200k",
    "smollm2": "smollm2",
    "claude-2": "anthropic/claude-2",
    "wordpiece": "minilm",
}


@dataclass
class Tally:
    """What came of the cases of one text and tokenizer."""

    tried: int = 0
    built: int = 0
    wrong: list[str] = field(default_factory=list)


def tokenizer_paths(folder: Path) -> dict[str, str]:
    """All tokenizers of the matrix: what the table calls them, and what niah does.

    Two are learned from all kinds of text: a Unigram with a space in front, and a byte-level BPE.
    """
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    texts = [compose_text(kind, CHARACTERS, seed=2) for kind in KINDS]
    unigram, bpe = Tokenizer(models.Unigram()), Tokenizer(models.BPE())
    unigram.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    unigram.train_from_iterator(
        texts, trainers.UnigramTrainer(vocab_size=4000, special_tokens=["<unk>"], unk_token="<unk>")
    )
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    bpe.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=4000, initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    )
    paths = {name: folder / name / "tokenizer.json" for name in ("unigram", "byte-bpe")}
    for path, tokenizer in zip(paths.values(), (unigram, bpe), strict=True):
        path.parent.mkdir()
        tokenizer.save(str(path))
    return _OFFLINE | {name: str(path) for name, path in paths.items()}


def write_text(folder: Path, kind: str) -> Path:
    """The text of a kind, as a haystack."""
    path = folder / f"{kind}.{'md' if kind == 'markdown' else 'txt'}"
    path.write_text(compose_text(kind, CHARACTERS), encoding="utf-8")
    return path


def mistakes_in(case: Case) -> Iterator[str]:
    """Every figure of the case's context that is not true of its whole prompt, tokenised again.

    Raises UserError where the case cannot be built.
    """
    context, tokenizer = build_context(case), get_tokenizer(case.tokenizer)
    question = load_needle_set(case.needle_set, case.seed).question
    total = count(tokenizer, load_prompt(case.prompt).render(context.text, question))
    if total != context.tokens + context.prompt_tokens:
        yield f"{total} tokens, recorded {context.tokens + context.prompt_tokens}"
    room = longest_piece(case.haystack, case.tokenizer) if case.mode == "contiguous" else 0
    if not 0 <= case.context_length - total <= room:
        yield f"{total} tokens, asked {case.context_length}, room {room}"
    starts = tokenizer.starts(context.text)
    for needle in context.needles:
        if context.text[needle.start : needle.end] != needle.text:
            yield f"{needle.id} is not at {needle.start}"
        begins = int(starts.searchsorted(needle.start, side="right")) - 1
        # The space or line end before a needle may be its first token, or a token of its own.
        if abs(needle.token_start - begins) > 1:
            yield f"{needle.id} starts at token {begins}, recorded {needle.token_start}"
        if not 0 <= needle.asked_token - needle.token_start <= room:
            yield f"{needle.id} is at {needle.token_start}, asked at {needle.asked_token}"


@lru_cache(maxsize=32)
def longest_piece(haystack: str, tokenizer: str) -> int:
    """Tokens of the longest sentence or line, with what a joint may add."""
    tokens = load_corpus(haystack, tokenizer).tokens
    return max(after - before for before, after in pairwise(tokens)) + 16


def check(
    path: Path, tokenizer: str, lengths: Sequence[int], depths: Sequence[int], modes: Sequence[Mode]
) -> Tally:
    """Try every case of one text and tokenizer."""
    tally = Tally()
    for length, depth, mode in product(lengths, depths, modes):
        case = Case(NEEDLE_SET, str(path), length, depth, tokenizer=tokenizer, mode=mode, repeat=True)
        tally.tried += 1
        try:
            found = list(mistakes_in(case))
        except UserError:
            continue
        except Defect as defect:
            found = [str(defect)]
        tally.built += 1
        tally.wrong += [f"{path.stem}, {length}, {depth} %, {mode}: {what}" for what in found]
    return tally
