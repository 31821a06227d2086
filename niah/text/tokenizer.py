"""Tokenizers that count exactly: OpenAI's, the packaged models' own, and any that a file or the hub has."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from niah import hub, weights
from niah.errors import ConfigError, UnknownName, UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer as Definition

TokenizerKind = Literal["encoding", "packaged", "json", "hub"]

_FILE = "tokenizer.json"
ENCODINGS = {"cl100k": "cl100k_base", "o200k": "o200k_base"}
"""niah's names and tiktoken's."""
SHORT_NAMES: dict[str, tuple[TokenizerKind, str]] = {
    "cl100k": ("encoding", "OpenAI: GPT-4, GPT-3.5, embeddings"),
    "minilm": ("packaged", "the default embedder's own, out of its packaged weights"),
    "o200k": ("encoding", "OpenAI: GPT-4o and all since"),
    "qwen": ("packaged", "the embedded model qwen's own, out of its packaged weights"),
    "smollm2": ("packaged", "the embedded model smollm2's own, out of its packaged weights"),
}
_FORMS = {
    "PROVIDER/MODEL": "openai/... and azure/... by tiktoken's table; anthropic/claude-... by Claude 2's, the"
    " last that Anthropic published: newer models count otherwise",
    "PATH": "a tokenizer.json of Hugging Face's, a folder that holds one, or a .gguf file",
    "OWNER/NAME": "the tokenizer.json of that name on the Hugging Face hub, fetched once",
}
_OPENAI = frozenset({"openai", "azure", "text-completion-openai"})
# litellm's providers. A name whose first part is one of them is a provider's; any other "owner/name" is the
# hub's. Not here: those that are also owners of tokenizers on the hub ("databricks", "cerebras").
_PROVIDERS = _OPENAI.union(
    ("ai21", "anthropic", "azure_ai", "bedrock", "cloudflare", "codestral", "cohere", "cohere_chat"),
    ("dashscope", "deepinfra", "deepseek", "fireworks_ai", "gemini", "github", "groq", "hosted_vllm"),
    ("litellm_proxy", "llamafile", "lm_studio", "mistral", "moonshot", "nvidia_nim", "ollama"),
    ("ollama_chat", "openrouter", "perplexity", "replicate", "sagemaker", "sambanova", "together_ai"),
    ("vertex_ai", "vllm", "volcengine", "watsonx", "xai"),
)
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*")
_LARGEST = 400_000_000
"""Bytes of a tokenizer.json; those of the largest vocabularies have 40 million."""
# What would make a text's tokens more, fewer or different from one time to the next: a window to fit, special
# tokens around the text. The post-processor of byte-level tokenizers would also take the space before a word
# from the word's token.
_SWITCHED_OFF = ("truncation", "padding", "post_processor")
_KINDS = "aZǅʰßا中ก\u0301ि\u20dd7Ⅷ²_-()«»!'\"/+$^°\u200b\ue000\u00ad😀।。"
"""Characters of every category of Unicode that are parts of words."""


Tokenizer: TypeAlias = "TiktokenTokenizer | HuggingFaceTokenizer"
"""Turns text into tokens and says where each one starts.

Attributes:
    name: as users call it ("cl100k"); a model of OpenAI's has its encoding's name.
    identity: equal only where all counts are: changes when the vocabulary does.
    additive: whether cutting text before a space that precedes a word, or after a blank line, keeps all
        counts; true only where that is proven.
    cuts_at_spaces: whether a token border is at every space between two words, whatever they are, and the
        tokens on one side of it do not depend on the text on the other.
    cuts_at_lines: the same between a word's line end and a letter or digit.
"""


@dataclass(frozen=True)
class TokenizerSource:
    """Where a tokenizer comes from.

    Attributes:
        name: what it is called: one of ``SHORT_NAMES`` where it is that tokenizer, else as the user wrote.
        kind: how it is found.
        where: absolute path of a file, a name on the hub, or one of ``SHORT_NAMES``.
        written: when a file was last written, in nanoseconds: one that changed is read again.
    """

    name: str
    kind: TokenizerKind
    where: str
    written: int = 0


def describe_tokenizers() -> list[tuple[str, str]]:
    """What ``get_tokenizer`` takes: each name or form, and one line about it."""
    return [*((name, line) for name, (_, line) in SHORT_NAMES.items()), *_FORMS.items()]


def find_source(name: str) -> TokenizerSource:
    """What the name is of: a short name wins over a path, a path over a provider, a provider over the hub.

    Asks no network and loads nothing; what a hub name or a file holds shows when it is opened.

    Raises:
        UnknownName: it has none of the forms.
        UserError: a path without a tokenizer, or a provider without one.
    """
    if name in SHORT_NAMES:
        return TokenizerSource(name, SHORT_NAMES[name][0], name)
    path = Path(os.path.expanduser(name))  # noqa: PTH111 - Path's own raises for an unknown ~user
    if name and path.exists():
        return _in_file(name, path / _FILE if path.is_dir() else path)
    if path.suffix in {".json", ".gguf"} or name.startswith(("/", "./", "../", "~")):
        raise UserError(f"no tokenizer at {name!r}: no such file or folder.", "Check the path.")
    provider, _, model = name.partition("/")
    if provider == "openrouter" and model.partition("/")[0] in _OPENAI | {"anthropic"}:
        provider, _, model = model.partition("/")
    if provider in _OPENAI and model:
        return find_source(_encoding_of(name, model.rpartition("/")[2]))  # azure puts a region in front
    if provider == "anthropic" and model.startswith("claude"):
        return TokenizerSource(name, "json", str(_vocabularies() / "anthropic_tokenizer.json"))
    if provider in _PROVIDERS and model:
        raise UserError(
            f"no tokenizer for {name!r}: niah knows of none that {provider} has published.",
            "Give the model's tokenizer.json by its path, or its name on the Hugging Face hub (owner/name).",
        )
    on_hub = name.removeprefix("huggingface/")
    if _HUB_NAME.fullmatch(on_hub):
        return TokenizerSource(name, "hub", on_hub)
    raise UnknownName("tokenizer", name, [*SHORT_NAMES, *_FORMS])


check_tokenizer = find_source


def _in_file(name: str, path: Path) -> TokenizerSource:
    if not path.is_file():
        raise UserError(f"the tokenizer {name!r} is no file and holds no {_FILE}.", "Give the path of one.")
    if path.suffix != ".gguf" and path.stat().st_size > _LARGEST:
        raise UserError(f"the tokenizer {name!r} has more than {_LARGEST // 10**6} MB.", f"Is it a {_FILE}?")
    return TokenizerSource(name, "json", str(path.absolute()), path.stat().st_mtime_ns)


def _encoding_of(name: str, model: str) -> str:
    """One of ``ENCODINGS``: that of a model of OpenAI's."""
    from tiktoken.model import encoding_name_for_model

    try:
        encoding = encoding_name_for_model(model)
    except KeyError:
        encoding = ""
    # o200k_harmony is o200k_base with more special tokens: plain text is the same.
    short = {theirs: ours for ours, theirs in ENCODINGS.items()} | {"o200k_harmony": "o200k"}
    if encoding not in short:
        why = f"its encoding {encoding} is not at hand" if encoding else "tiktoken does not know this model"
        remedy = "Use 'o200k' (GPT-4o and all since) or 'cl100k' (GPT-4, GPT-3.5, embeddings)."
        raise UserError(f"no tokenizer for {name!r}: {why}.", remedy)
    return short[encoding]


def _vocabularies() -> Path:
    """The folder of OpenAI's and Claude 2's vocabularies: litellm's, or files fetched out of its wheel."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return weights.ensure_weights("vocabularies")
    return Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"


def get_tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name: see ``describe_tokenizers``.

    Raises:
        UnknownName: it has none of the forms.
        UserError: a path, provider or hub without that tokenizer, or a file that is none.
        WeightsError: the packaged weights that hold it cannot be fetched.
    """
    return _opened(find_source(name))


@lru_cache(maxsize=8)
def _opened(source: TokenizerSource) -> Tokenizer:
    if source.kind == "encoding":
        return TiktokenTokenizer(source.name)
    return HuggingFaceTokenizer(source.name, tokenizer_file(source))


def tokenizer_file(source: TokenizerSource) -> Path:
    """The tokenizer.json or GGUF file, on this machine by now. Raises UserError or WeightsError."""
    if source.kind == "packaged":
        path = weights.ensure_weights(source.where)
        return path / _FILE if path.is_dir() else path
    return hub.cached_or_fetched(source.where, _FILE) if source.kind == "hub" else Path(source.where)


def count(tokenizer: Tokenizer, text: str) -> int:
    """Tokens of one text."""
    tokens: int = tokenizer.counts([text]).item()
    return tokens


def token_at(starts: Sequence[int], text: str, offset: int) -> int:
    """How many tokens come before the first that holds the character at ``offset`` or the space before it.

    Args:
        starts: character offsets at which the tokens of ``text`` start, as ``Tokenizer.starts`` gives them.
        text: what was tokenised.
        offset: of a sentence's first character: at 0, or behind one space or line end.
    """
    for at in (offset - 1, offset) if text[max(0, offset - 1) : offset] == " " else (offset,):
        token = bisect_left(starts, at)
        if token < len(starts) and starts[token] == at:
            return token
    return max(0, bisect_right(starts, offset) - 1)


class TiktokenTokenizer:
    """One of OpenAI's encodings, whose vocabulary is read at the first text (a quarter of a second).

    Args:
        name: a key of ``ENCODINGS``. tiktoken checks the vocabulary against its own digest.

    Raises:
        WeightsError: its vocabulary is not there and cannot be fetched.
    """

    # The pattern of both begins a new piece at a space before a word and after a line break.
    additive = cuts_at_spaces = cuts_at_lines = True

    def __init__(self, name: str) -> None:
        self.name = self.identity = name
        self._folder = _vocabularies()

    @cached_property
    def _encoding(self) -> Any:
        """From our folder also where the environment names another, which may lack the file."""
        import tiktoken

        previous = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = str(self._folder)
        try:
            return tiktoken.get_encoding(ENCODINGS[self.name])
        finally:
            if previous is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            else:
                os.environ["TIKTOKEN_CACHE_DIR"] = previous

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        """Bytes of each token; 0 of those that no text has had yet."""
        import numpy as np

        return np.zeros(self._encoding.n_vocab, dtype=np.int64)

    def encode(self, text: str) -> list[int]:
        """Token ids; special tokens are read as plain text."""
        ids: list[int] = self._encoding.encode_ordinary(text)
        return ids

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        import numpy as np

        encode = self._encoding.encode_ordinary  # its batches start a thread for each text
        return np.fromiter((len(encode(text)) for text in texts), dtype=np.int64, count=len(texts))

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts; from 0, never falling.

        A token that starts inside a character (bytes of one emoji) gets that character's offset.
        """
        import numpy as np

        ids = np.array(self.encode(text), dtype=np.int64)
        new = np.unique(ids[self._lengths[ids] == 0])
        if len(new):
            self._lengths[new] = [len(token) for token in self._encoding.decode_tokens_bytes(new.tolist())]
        starts = np.cumsum(self._lengths[ids]) - self._lengths[ids]
        if text.isascii():
            return starts
        raw = np.frombuffer(text.encode(), dtype=np.uint8)
        characters = np.cumsum((raw & 0xC0) != 0x80, dtype=np.int64)  # that begin up to each byte
        held: NDArray[np.int64] = characters[starts] - 1
        return held


class HuggingFaceTokenizer:
    """A tokenizer as its tokenizer.json defines it, without special tokens, truncation and padding.

    Text that such a tokenizer drops (white space, for WordPiece) belongs to the token before it, or to the
    first. Normalizers may change the text; offsets are those of the text as it was.

    Args:
        name: as users call it.
        path: of a tokenizer.json or GGUF file.

    Raises:
        ConfigError: it is none.
    """

    # Byte-level ones that split as GPT-2 did read a blank line otherwise where a text ends.
    additive = False

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.identity = f"{name}@{hashlib.sha256(_definition(path)).hexdigest()}"
        self._tokenizer = load_definition(path)
        self._tokenizer.encode_special_tokens = True

    @cached_property
    def cuts_at_spaces(self) -> bool:
        """Whether its pre-tokenizer cuts at the space between any two of many kinds of characters.

        False where there is no pre-tokenizer, where a token that was added holds a space, and where a word
        may vanish whole (marks that are stripped) between spaces that count: then only the text itself can
        tell.
        """
        return self._cuts_at(" ", _KINDS)

    @cached_property
    def cuts_at_lines(self) -> bool:
        """Whether it cuts between a line end and many kinds of letters and digits; see ``cuts_at_spaces``."""
        return self._cuts_at("\n", "".join(filter(str.isalnum, _KINDS)))

    def _cuts_at(self, joint: str, kinds: str) -> bool:
        """Whether its pre-tokenizer cuts before these kinds: at either side of a space, behind a line end.

        What comes before the border must be cut in the same way, whatever follows.
        """
        cutter, normalizer = self._tokenizer.pre_tokenizer, self._tokenizer.normalizer
        normal = normalizer.normalize_str if normalizer else str
        added = self._tokenizer.get_added_tokens_decoder().values()
        if cutter is None or any(joint in token.content.strip() for token in added if not token.special):
            return False
        drops_spaces = [piece for piece, _ in cutter.pre_tokenize_str("a b")] == ["a", "b"]
        if joint == " " and not drops_spaces and not all(map(normal, _KINDS)):
            return False
        for number, left in enumerate(_KINDS):
            word, before_border = "a" * (1 + number % 7), set[frozenset[int]]()
            for right in kinds:  # behind words of any length: some cut every so many characters
                before, after = normal(f"{word}{left}"), normal(f"{joint}{right}b")
                text = normal(f"{word}{left}{joint}{right}b")
                borders = {start for _, (start, _) in cutter.pre_tokenize_str(text)}
                places = {len(before) + len(after) - len(after.lstrip(joint))}
                if joint == " ":
                    places.add(len(before))
                if text != before + after or borders.isdisjoint(places):
                    return False
                before_border.add(frozenset(start for start in borders if start < min(places)))
            if len(before_border) > 1:
                return False
        return True

    def encode(self, text: str) -> list[int]:
        """Token ids; special tokens are read as plain text."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def counts(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """Shape (len(texts),): the number of tokens of each text on its own."""
        import numpy as np

        # One by one: a batch starts threads, and a later fork would then be warned of on stderr.
        lengths = [len(self._tokenizer.encode(text, add_special_tokens=False)) for text in texts]
        return np.array(lengths, dtype=np.int64)

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts; the first is 0."""
        import numpy as np

        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        starts = np.array([start for start, _ in offsets], dtype=np.int64)
        starts[:1] = 0
        # A normalizer may put a character's parts into another order.
        return np.maximum.accumulate(starts)


def _definition(path: Path) -> bytes:
    """The text of a tokenizer.json, or that of a GGUF file's vocabulary. Raises ConfigError."""
    if path.suffix != ".gguf":
        return path.read_bytes()
    from niah.text.gguf import tokenizer_json

    return tokenizer_json(path)


def load_definition(path: Path) -> Definition:
    """The tokenizer that a tokenizer.json or GGUF file defines: it reads a text whole, the same every time.

    Raises ConfigError where the file is no tokenizer.
    """
    import orjson
    from tokenizers import Tokenizer

    definition = _definition(path)
    try:
        parts = orjson.loads(definition)
        if not isinstance(parts, dict) or not isinstance(parts.get("model"), dict):
            raise ValueError('no "model" in it')
        if "dropout" in parts["model"]:
            parts["model"]["dropout"] = None  # a random share of merges would be left out
        return Tokenizer.from_str(orjson.dumps(parts | dict.fromkeys(_SWITCHED_OFF)).decode())
    except Exception as error:  # tokenizers raises nothing narrower
        problem = f"is no tokenizer of Hugging Face ({' '.join(str(error).split())})."
        remedy = f"Give the model's {_FILE}; AutoTokenizer's save_pretrained(FOLDER) writes one."
        raise ConfigError(path, "", problem, remedy) from None
