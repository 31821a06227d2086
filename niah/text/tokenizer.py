"""Tokenizers that count exactly, what a text costs inside a longer one, and where its tokens are."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from niah import weights
from niah.errors import ConfigError, UnknownName, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer as Definition

_FILE = "tokenizer.json"
ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}  # niah's names and tiktoken's
_PACKAGED = ("minilm", "qwen", "smollm2")
TOKENIZERS = {
    "cl100k": "OpenAI: GPT-4, GPT-3.5, embeddings",
    "minilm": "the default embedder's own, out of its packaged weights",
    "o200k": "OpenAI: GPT-4o and all since",
    "qwen": "the embedded model qwen's own, out of its packaged weights",
    "smollm2": "the embedded model smollm2's own, out of its packaged weights",
    "PROVIDER/MODEL": "openai/... and azure/... by tiktoken's table; anthropic/claude-... by Claude 2's, the"
    " last that Anthropic published: newer models count otherwise",
    "PATH": "a tokenizer.json of Hugging Face's, a folder that holds one, or a .gguf file",
    "OWNER/NAME": "the tokenizer.json of that name on the Hugging Face hub, fetched once",
}
"""What ``get_tokenizer`` takes: each name or form, and one line about it."""
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_LARGEST = 400_000_000  # bytes of a tokenizer.json; those of the largest vocabularies have 40 million
# What would make a text's tokens more, fewer, or without the space before a word.
_SWITCHED_OFF = ("truncation", "padding", "post_processor")
# Characters of every category of Unicode that are parts of words.
_KINDS = "aZǅʰßا中ก\u0301ि\u20dd7Ⅷ²_-()«»!'\"/+$^°\u200b\ue000\u00ad😀।。"
BEFORE, AFTER = "It ends here.", " The end."
_LONGEST_WORD = 4_000  # characters of a word that is counted as a whole
_LONGEST = 2_000  # characters of a stretch that other texts may have
# Before a common word inside a sentence, where additive tokenizers begin a token.
_CUT = re.compile(r" the (?<=[a-z] the )(?=[a-z])")
_PROMPT = "quartz"


@dataclass(frozen=True)
class TokenizerSource:
    """Where a tokenizer comes from: a file, a name on the hub, or a short name."""

    name: str  # as users call it; a model of OpenAI's has its encoding's
    kind: Literal["encoding", "packaged", "json", "hub"]
    where: str
    written: int = 0  # when a file was last written, in nanoseconds: one that changed is read again


def find_source(name: str) -> TokenizerSource:
    """What the name is of: a short name first, then a path, a provider, the hub. Raises UserError."""
    if name in ENCODINGS or name in _PACKAGED:
        return TokenizerSource(name, "encoding" if name in ENCODINGS else "packaged", name)
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - Path's own raises for an unknown ~user
    if name and path.exists():
        path = path / _FILE if path.is_dir() else path
        if not path.is_file() or (path.suffix != ".gguf" and path.stat().st_size > _LARGEST):
            raise UserError(f"the tokenizer {name!r} is no {_FILE} and holds none.", "Give the path of one.")
        return TokenizerSource(name, "json", str(path.absolute()), path.stat().st_mtime_ns)
    if path.suffix in {".json", ".gguf"} or name.startswith(("/", "./", "../", "~")):
        raise UserError(f"no tokenizer at {name!r}: no such file or folder.", "Check the path.")
    model = name.removeprefix("openrouter/").removeprefix("huggingface/")
    if model.startswith(("openai/", "azure/")):
        from tiktoken.model import encoding_name_for_model

        # o200k_harmony is o200k_base with more special tokens: plain text is the same.
        short = {theirs: ours for ours, theirs in ENCODINGS.items()} | {"o200k_harmony": "o200k"}
        try:
            return find_source(short[encoding_name_for_model(model.rpartition("/")[2])])  # azure: a region
        except KeyError:
            problem = f"no tokenizer for {name!r}: tiktoken does not know this model."
            remedy = "Use 'o200k' (GPT-4o and all since) or 'cl100k' (GPT-4, GPT-3.5, embeddings)."
            raise UserError(problem, remedy) from None
    if model.startswith("anthropic/claude"):
        return TokenizerSource(name, "json", str(_vocabularies() / "anthropic_tokenizer.json"))
    if _HUB_NAME.fullmatch(model):
        return TokenizerSource(name, "hub", model)
    raise UnknownName("tokenizer", name, TOKENIZERS)


def _vocabularies() -> Path:
    """The folder of OpenAI's and Claude 2's vocabularies: litellm's, or files fetched out of its wheel."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return weights.ensure_weights("vocabularies")
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name (see ``TOKENIZERS``). Raises UserError."""
    return _opened(find_source(name))


@lru_cache(maxsize=8)
def _opened(source: TokenizerSource) -> Tokenizer:
    if source.kind == "encoding":
        return _Tiktoken(source.name)
    return _HuggingFace(source.name, tokenizer_file(source))


def tokenizer_file(source: TokenizerSource) -> Path:
    """The tokenizer.json or GGUF file, on this machine by now. Raises UserError."""
    if source.kind == "packaged":
        path = weights.ensure_weights(source.where)
        return path / _FILE if path.is_dir() else path
    return weights.cached_or_fetched(source.where, _FILE) if source.kind == "hub" else Path(source.where)


class Tokenizer(ABC):
    """Turns text into tokens and says where each one starts; ``identity`` changes with the vocabulary.

    ``additive``: text cut before a space that precedes a word, or behind a blank line, keeps all counts.
    """

    name: str
    identity: str
    additive = False

    @property
    @abstractmethod
    def cuts_at_spaces(self) -> bool:
        """Whether a token border, that neither side changes, is at every space between two words."""

    @abstractmethod
    def encode(self, text: str) -> list[int]:
        """Token ids; special tokens are read as plain text."""

    @abstractmethod
    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the offset of the character in which each token starts; from 0, never falling."""

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        import numpy as np

        # One by one: the libraries' batches start threads.
        return np.fromiter((len(self.encode(text)) for text in texts), dtype=np.int64, count=len(texts))


def count(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of one text."""
    return len(tokenizer.encode(text))


def token_at(starts: Sequence[int] | NDArray[np.int64], text: str, offset: int) -> int:
    """Tokens, which begin at ``starts``, before that of the sentence which begins at ``offset``."""
    for at in (offset - 1, offset) if text[max(0, offset - 1) : offset] == " " else (offset,):
        token = bisect_left(starts, at)
        if token < len(starts) and starts[token] == at:
            return token
    return max(0, bisect_right(starts, offset) - 1)


class _Tiktoken(Tokenizer):
    """One of ``ENCODINGS``, read at the first text. Raises UserError where it cannot be fetched."""

    # The pattern of both begins a piece at a space before a word, and behind a line break.
    additive = cuts_at_spaces = True

    def __init__(self, name: str) -> None:
        self.name = self.identity = name
        self._folder = _vocabularies()
        self._bytes_of = cache(lambda token: len(self._encoding.decode_single_token_bytes(token)))

    @cached_property
    def _encoding(self) -> Any:
        """From our folder, also where the environment names another."""
        import tiktoken

        previous = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(self._folder)
        try:
            return tiktoken.get_encoding(ENCODINGS[self.name])
        finally:
            del os.environ["TIKTOKEN_CACHE_DIR"]
            if previous is not None:
                os.environ["TIKTOKEN_CACHE_DIR"] = previous

    def encode(self, text: str) -> list[int]:
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def starts(self, text: str) -> NDArray[np.int64]:
        import numpy as np

        lengths = np.array([*map(self._bytes_of, self.encode(text))], dtype=np.int64)
        starts = np.cumsum(lengths) - lengths
        if text.isascii():
            return starts
        begins = (np.frombuffer(text.encode(), dtype=np.uint8) & 0xC0) != 0x80
        found: NDArray[np.int64] = np.cumsum(begins, dtype=np.int64)[starts] - 1
        return found


class _HuggingFace(Tokenizer):
    """A tokenizer as its tokenizer.json or GGUF file defines it, without special tokens and truncation."""

    # Not additive: byte-level ones that split as GPT-2 did read a blank line otherwise where a text ends.
    def __init__(self, name: str, path: Path) -> None:
        definition, self._tokenizer = load_definition(path)
        self._tokenizer.encode_special_tokens = True
        self.name, self.identity = name, f"{name}@{hashlib.sha256(definition).hexdigest()}"

    @cached_property
    def cuts_at_spaces(self) -> bool:
        """Tried with many characters; false where a word may vanish whole between spaces that count."""
        cutter, normalizer = self._tokenizer.pre_tokenizer, self._tokenizer.normalizer
        normal = normalizer.normalize_str if normalizer else str
        added = self._tokenizer.get_added_tokens_decoder().values()
        if cutter is None or any(" " in token.content.strip() for token in added if not token.special):
            return False
        drops_spaces = [piece for piece, _ in cutter.pre_tokenize_str("a b")] == ["a", "b"]
        if not drops_spaces and not all(map(normal, _KINDS)):
            return False
        for number, left in enumerate(_KINDS):
            # Behind words of any length: some cut every so many characters.
            word, before_border = "a" * (1 + number % 7) + left, set[frozenset[int]]()
            for right in _KINDS:
                before, after, text = map(normal, (word, f" {right}b", f"{word} {right}b"))
                borders = {start for _, (start, _) in cutter.pre_tokenize_str(text)}
                places = {len(before), len(text) - len(after.lstrip(" "))}
                if text != before + after or borders.isdisjoint(places):
                    return False
                before_border.add(frozenset(start for start in borders if start < len(before)))
            if len(before_border) > 1:
                return False
        return True

    def encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def starts(self, text: str) -> NDArray[np.int64]:
        import numpy as np

        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        starts = np.array([start for start, _ in offsets], dtype=np.int64)
        starts[:1] = 0
        return np.maximum.accumulate(starts)  # a normalizer may change the order of a character's parts


def load_definition(path: Path) -> tuple[bytes, Definition]:
    """A tokenizer.json, or a GGUF file's, and the tokenizer that it defines. Raises ConfigError."""
    import orjson
    from tokenizers import Tokenizer

    if path.suffix == ".gguf":  # it takes a second to make
        from niah.cache import Cache
        from niah.text.gguf import tokenizer_json

        found, cache = path.stat(), Cache("tokenizers")
        key = f"1 {path.absolute()} {found.st_mtime_ns} {found.st_size}".encode()  # 1: as it is made today
        if not (definition := cache.get([key]).get(key)):
            cache.put({key: (definition := tokenizer_json(path))})
    else:
        definition = path.read_bytes()
    try:
        parts = orjson.loads(definition)
        if "dropout" in parts["model"]:
            parts["model"]["dropout"] = None  # a random share of merges would be left out
        made = Tokenizer.from_str(orjson.dumps(parts | dict.fromkeys(_SWITCHED_OFF)).decode())
        return definition, made
    except Exception as error:  # tokenizers raises nothing narrower
        problem = f"is no tokenizer of Hugging Face ({' '.join(str(error).split())})."
        remedy = f"Give the model's {_FILE}; AutoTokenizer's save_pretrained(FOLDER) writes one."
        raise ConfigError(path, "", problem, remedy) from None


@lru_cache(maxsize=16)
def chat_template_tokens(name: str) -> int | None:
    """Tokens that the chat template of a tokenizer's model adds; None if unknown. Raises UserError."""
    path = tokenizer_file(find_source(name))
    if path.suffix != ".gguf":
        return None
    from tokenizers import AddedToken

    from niah.text.gguf import CONTROL, chat_prompt, gguf_vocabulary

    model = gguf_vocabulary(path)
    text = chat_prompt(model, _PROMPT) or ""
    if text.count(_PROMPT) != 1:
        return None
    _, tokenizer = load_definition(path)
    tokenizer.add_special_tokens([AddedToken(token, special=True) for _, token in model.of_kind(CONTROL)])
    whole, alone = (tokenizer.encode(part, add_special_tokens=False).ids for part in (text, _PROMPT))
    return len(whole) - len(alone)


def costs_inside(tokenizer: Tokenizer, texts: Sequence[str]) -> NDArray[np.int64]:
    """Shape (len(texts),): tokens that each text and the space before it add between two sentences."""
    return tokenizer.counts([f"{BEFORE} {text}{AFTER}" for text in texts]) - count(tokenizer, BEFORE + AFTER)


def costs_at_start(tokenizer: Tokenizer, texts: Sequence[str]) -> NDArray[np.int64]:
    """Shape (len(texts),): tokens that each text adds when a longer text begins with it."""
    after = count(tokenizer, BEFORE + AFTER) - count(tokenizer, BEFORE)
    return tokenizer.counts([f"{text}{AFTER}" for text in texts]) - after


def are_start_neutral(tokenizer: Tokenizer, texts: Sequence[str]) -> NDArray[np.bool_]:
    """Shape (len(texts),): whether each, by its first word, costs as much behind a space as alone."""
    import numpy as np

    heads = [text.partition(" ")[0] for text in texts]
    words = [word for word in dict.fromkeys(heads) if len(word) <= _LONGEST_WORD]
    is_neutral = costs_inside(tokenizer, words) == costs_at_start(tokenizer, words)
    neutral = dict(zip(words, is_neutral.tolist(), strict=True))
    return np.array([neutral.get(head, False) for head in heads], dtype=bool)


class TokenPlaces:
    """Where the tokens of one text are; stretches inside sentences, which many share, are counted once."""

    def __init__(self, tokenizer: Tokenizer, text: str) -> None:
        first, *others = _CUT.split(text) if tokenizer.additive else [text]
        stretches = [first, *(f" the {other}" for other in others)]
        self._tokenizer, self._text = tokenizer, text
        self._starts = [0, *accumulate(map(len, stretches))]
        counts = ((_remembered if len(each) <= _LONGEST else count)(tokenizer, each) for each in stretches)
        self._before = [0, *accumulate(counts)]
        self.tokens = self._before[-1]

    def token_at(self, offset: int) -> int:
        """``token_at`` of the text."""
        first = max(0, bisect_right(self._starts, offset - 1) - 1)
        start, behind = self._starts[first], bisect_right(self._starts, offset)
        near = self._text[start : self._starts[min(behind, len(self._starts) - 1)]]
        return self._before[first] + token_at(self._tokenizer.starts(near).tolist(), near, offset - start)


_remembered = lru_cache(maxsize=100_000)(count)
