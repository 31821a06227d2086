"""A case: the recipe that rebuilds its context byte for byte; and that context."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from niah.errors import ConfigError, HaystackError, UserError
from niah.needles.needle_set import Hardness

BuiltMode = Literal["exact", "contiguous"]
Mode = Literal["auto", "exact", "contiguous"]
NeedleOrder = Literal["listed", "shuffled"]
HaystackOrder = Literal["original", "shuffled"]
DistractorDepth = Literal["spread", "near", "before", "after"]
AnyHardness = Literal["any", "easy", "medium", "hard"]
AccidentRule = Literal["stop", "avoid"]
SkipRule = Literal["nothing", "impossible"]  # whether a case that cannot be built is an error, or is left out
LEAST_LENGTH = 16  # tokens of the shortest context
_LENGTH_PATTERN = r"^(\d{1,9})([kKmM]?)$"
MOST_CASES = 100_000  # of one file: they take some minutes to plan
_FILES = {".yaml", ".yml", ".jinja", ".txt", ".md", ".jsonl"}
_WORD_PATTERN = re.compile(r"[a-z0-9@-]+")
_EXTRA = re.compile(
    r"t-(?P<tokenizer>.+)|p-(?P<prompt>.+)|h-(?P<haystack_order>shuffled)|x(?P<distractors>[0-9]{1,18})|r(?P<reserve>[0-9]{1,18})"
    r"|(?P<mode>contiguous)|(?P<order>shuffled)|(?P<distractor_depth>near|before|after)"
    r"|(?P<distractor_hardness>easy|medium|hard)|(?P<repeat>repeat)|(?P<accidents>avoid)"
)
"""Words of a case id behind its seed, by the case's field."""
_USUAL = {"", "auto", "exact", "listed", "spread", "any", "stop"}  # values that an id leaves out
_ID = re.compile(
    r"(?P<needle_set>[^_]+)_(?P<haystack>[^_]+)_(?P<length>[0-9]{1,18})_d(?P<depth>[0-9]{1,9}(?:\.[0-9]{1,18})?)"
    r"_s(?P<seed>[0-9]{1,18})(?P<rest>(?:_[^_]+)*)"
)


@dataclass(frozen=True)
class Case:
    """Needle set x haystack x context length x depth x seed x distractors x tokenizer."""

    needle_set: str  # a name or path, as are haystack and prompt
    haystack: str
    context_length: int  # L: tokens of the whole prompt text, with those that are reserved
    depth: float  # 0-100 %, where the first needle is
    seed: int = 1  # draws the facts, the haystack's starting sentence, the order of shuffled needles
    tokenizer: str = "cl100k"
    mode: Mode = "auto"  # exact: to the token; contiguous: one passage; auto: exact where sentences add up
    order: NeedleOrder = "listed"
    distractors: int = 0  # how many of the set's of ``distractor_hardness`` go in
    prompt: str = "u-niah"  # its tokens are part of L
    distractor_depth: DistractorDepth = "spread"  # or near the needles, before the first, after the last
    distractor_hardness: AnyHardness = "any"
    repeat: bool = False
    accidents: AccidentRule = "stop"  # a sentence that answers by accident is an error, or left out ("avoid")
    reserve: int = 0  # tokens of L that are kept for a reader's chat template
    haystack_order: HaystackOrder = "original"  # or its sentences shuffled by the seed

    @property
    def prompt_length(self) -> int:
        """Tokens of the whole prompt text: L without what is kept for the reader's chat template."""
        return self.context_length - self.reserve

    @property
    def case_id(self) -> str:
        """Readable and stable; says everything but what is as usual."""
        first = [id_part(self.needle_set), id_part(self.haystack), str(self.context_length)]
        placed = [self.distractor_depth, self.distractor_hardness] if self.distractors else []
        more = [
            f"t-{id_part(self.tokenizer)}" if self.tokenizer != "cl100k" else "",
            self.mode,
            self.order,
            f"x{self.distractors}" if self.distractors else "",
            *placed,
            "repeat" if self.repeat else "",
            self.accidents,
            f"r{self.reserve}" if self.reserve else "",
            f"h-{self.haystack_order}" if self.haystack_order != "original" else "",
            f"p-{id_part(self.prompt)}" if self.prompt != "u-niah" else "",
        ]
        first += [f"d{self.depth:g}", f"s{self.seed}"]
        return "_".join([*first, *(word for word in more if word not in _USUAL)])


def id_part(name: str) -> str:
    """A name or path as one word of a case id: the last part of the path, without underscores or spaces."""
    if _WORD_PATTERN.fullmatch(name):
        return name
    path = Path(name)
    if path.name in ("", ".."):
        path = path.resolve()
    stem = path.stem if path.suffix.lower() in _FILES else path.name
    return re.sub(r"[_\s]", "-", stem) or "root"


def parse_case_id(case_id: str) -> Case:
    """The case that an id spells out. Raises UserError for what is no case id."""
    match = _ID.fullmatch(case_id)
    extras = [_EXTRA.fullmatch(word) for word in match["rest"].split("_")[1:]] if match else []
    if match is None or not all(extras) or not 0 <= float(match["depth"]) <= 100:
        remedy = "One looks like ferry-lanterns_essays_2048_d25_s1; niah generate lists them."
        raise UserError(f"{case_id!r} is not a case id.", remedy)
    words = (pair for each in extras if each for pair in each.groupdict().items())
    more: dict[str, Any] = {key: word for key, word in words if word}
    more |= {key: int(more[key]) for key in ("distractors", "reserve") if key in more}
    more |= {"repeat": "repeat" in more}
    needle_set, haystack, length, depth, seed, _ = match.groups()
    return Case(needle_set, haystack, int(length), float(depth), int(seed), **more)


def _as_length(value: object) -> object:
    """The tokens that "4096", "4k" (4,096) or "1M" mean; a number as it is. Raises ValueError."""
    if not isinstance(value, str) or value.isdecimal():
        return value
    found = re.fullmatch(_LENGTH_PATTERN, value, re.ASCII)
    tokens = int(found[1]) * {"k": 1024, "m": 1024**2}[found[2].lower()] if found else 0
    if tokens < LEAST_LENGTH:
        raise ValueError(f"should be {LEAST_LENGTH} tokens or more, such as 4096 or 4k (given: {value!r}).")
    return tokens


_LengthText = Annotated[str, Field(pattern=_LENGTH_PATTERN)]
WRITTEN_LENGTH = BeforeValidator(_as_length, json_schema_input_type=int | _LengthText)
"""Reads "4k" as 4,096 where a file gives tokens."""
Length = Annotated[int, Field(ge=LEAST_LENGTH), WRITTEN_LENGTH]


@contextmanager
def in_key(path: Path, key: str) -> Iterator[None]:
    """Raise ConfigError about ``key`` for an unknown name, or another mistake that names no file."""
    try:
        yield
    except (ConfigError, HaystackError):
        raise
    except UserError as error:
        raise ConfigError(path, key, error.message, error.remedy) from None


def check_case_count(path: Path, key: str, cases: int) -> None:
    """Raise ConfigError for a file that makes more cases than can be planned, before hours of work."""
    if cases > MOST_CASES:
        problem = f"makes {cases:,} cases; at most {MOST_CASES:,} can be planned at once."
        raise ConfigError(path, key, problem, "Shorten its lists, or split them over several files.")


class Placed(NamedTuple):
    """Where one needle, passage or distractor is; id, text and elements are the needle set's."""

    id: str
    text: str
    elements: tuple[str, ...]
    start: int  # characters of the context, ``context.text[start:end]``
    end: int
    token_start: int  # tokens before the first that holds the character at ``start`` or the space before it
    asked_token: int  # where the placement rule wants it: in exact mode, and of a distractor, ``token_start``
    hardness: Hardness | Literal[""] = ""  # of a distractor


@dataclass(frozen=True)
class Context:
    """What a reader gets between instructions and question."""

    text: str
    needles: tuple[Placed, ...]  # in the order of the text, as are the others
    distractors: tuple[Placed, ...]
    tokens: int  # of ``text`` alone
    prompt_tokens: int  # P, of instructions and question
    passages: tuple[Placed, ...] = ()  # that hold nested needles
    mode: BuiltMode = "exact"

    @property
    def sha256(self) -> str:
        """Digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()
