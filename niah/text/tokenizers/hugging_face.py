"""Any tokenizer of Hugging Face, from the text of its tokenizer.json."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from niah.errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

_REMEDY = (
    "Give the tokenizer.json that comes with the model; "
    "`AutoTokenizer.from_pretrained(MODEL).save_pretrained(FOLDER)` of transformers writes one."
)

# What would make a text's tokens more, fewer or different from one time to the next: a window to fit, special
# tokens around the text, and a random share of merges left out. The post-processor of byte-level tokenizers
# would also take the space before a word from the word's token.
_SWITCHED_OFF = ("truncation", "padding", "post_processor")

_KINDS = "aZǅʰßا中ก\u0301ि\u20dd7Ⅷ²_-()«»!'\"/+$^°\u200b\ue000\u00ad😀।。"
"""Characters of every category of Unicode that stand in words."""


class HuggingFaceTokenizer:
    """A tokenizer as its tokenizer.json defines it, without special tokens, truncation and padding.

    Text that such a tokenizer drops (white space, for WordPiece) belongs to the token before it, or to the
    first. Normalizers may change the text; offsets are those of the text as it was.

    Args:
        name: as users call it.
        definition: the text of a tokenizer.json.
        source: where that comes from, for messages.

    Raises:
        ConfigError: it is no tokenizer.json.
    """

    # Byte-level ones that split as GPT-2 did read a blank line otherwise where a text ends.
    additive = False

    def __init__(self, name: str, definition: bytes, source: Path) -> None:
        self.name = name
        self.identity = f"{name}@{hashlib.sha256(definition).hexdigest()}"
        self._tokenizer = load_definition(definition, source)
        self._tokenizer.encode_special_tokens = True

    @cached_property
    def cuts_at_spaces(self) -> bool:
        """Whether its pre-tokenizer cuts at the space between any two of many kinds of characters.

        False where there is no pre-tokenizer, where a token that was added holds a space, and where a word
        may vanish whole (marks that are stripped) between spaces that count: then only the text itself can
        tell.
        """
        cutter, normalizer = self._tokenizer.pre_tokenizer, self._tokenizer.normalizer
        if cutter is None or self._has_added(" "):
            return False
        drops_spaces = [piece for piece, _ in cutter.pre_tokenize_str("a b")] == ["a", "b"]
        if not drops_spaces and normalizer and not all(map(normalizer.normalize_str, _KINDS)):
            return False
        return self._cuts_at(" ", _KINDS)

    @cached_property
    def cuts_at_lines(self) -> bool:
        """Whether it cuts between a line end and many kinds of letters and digits; see ``cuts_at_spaces``."""
        if self._tokenizer.pre_tokenizer is None or self._has_added("\n"):
            return False
        return self._cuts_at("\n", "".join(filter(str.isalnum, _KINDS)))

    def _has_added(self, joint: str) -> bool:
        """Whether a token that was added holds the joint."""
        added = self._tokenizer.get_added_tokens_decoder().values()
        return any(joint in token.content.strip() for token in added if not token.special)

    def _cuts_at(self, joint: str, kinds: str) -> bool:
        """Whether its pre-tokenizer cuts before these kinds: at either side of a space, behind a line end.

        What stands before the border must be cut in the same way, whatever follows.
        """
        cutter, normalizer = self._tokenizer.pre_tokenizer, self._tokenizer.normalizer
        normal = normalizer.normalize_str if normalizer else str
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
        # One by one: a batch starts threads, and a later fork would then be warned of on stderr.
        encode = self._tokenizer.encode
        lengths = [len(encode(text, add_special_tokens=False)) for text in texts]
        return np.array(lengths, dtype=np.int64)

    def starts(self, text: str) -> NDArray[np.int64]:
        """Shape (tokens,): the character offset at which each token starts; the first is 0."""
        offsets = self._tokenizer.encode(text, add_special_tokens=False).offsets
        starts = np.array([start for start, _ in offsets], dtype=np.int64)
        starts[:1] = 0
        # A normalizer may put a character's parts into another order.
        return np.maximum.accumulate(starts)


def load_definition(definition: bytes, source: Path) -> Tokenizer:
    """The tokenizer that a tokenizer.json defines, which reads a text whole and the same every time.

    Raises ConfigError, naming ``source``, where it is no tokenizer.json.
    """
    from tokenizers import Tokenizer

    plain = orjson.dumps(_plain(definition, source)).decode()
    try:
        return Tokenizer.from_str(plain)
    except Exception as error:  # tokenizers raises nothing narrower
        raise _refused(source, str(error)) from None


def _plain(definition: bytes, source: Path) -> dict[str, Any]:
    """The definition with all that is not the vocabulary's switched off."""
    try:
        parts = orjson.loads(definition)
    except orjson.JSONDecodeError as error:
        raise _refused(source, f"not JSON: {error}") from None
    if not isinstance(parts, dict) or not isinstance(parts.get("model"), dict):
        raise _refused(source, 'no "model" in it')
    if "dropout" in parts["model"]:
        parts["model"]["dropout"] = None
    return parts | dict.fromkeys(_SWITCHED_OFF)


def _refused(source: Path, why: str) -> ConfigError:
    return ConfigError(source, "", f"is no tokenizer of Hugging Face ({why}).", _REMEDY)
