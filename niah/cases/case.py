"""A case: the recipe that rebuilds its context byte for byte; and that context."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BeforeValidator, Field

from niah.errors import ConfigError, UserError
from niah.needles.needle_set import Hardness

BuiltMode = Literal["exact", "contiguous"]
Mode = Literal["auto", "exact", "contiguous"]
NeedleOrder = Literal["listed", "shuffled"]
DistractorDepth = Literal["spread", "near", "before", "after"]
AnyHardness = Literal["any", "easy", "medium", "hard"]
AccidentRule = Literal["stop", "avoid"]
SkipRule = Literal["nothing", "impossible"]
"""Whether a case that cannot be built is an error, or is left out."""

LEAST_LENGTH = 16
"""Tokens of the shortest context."""
_LENGTH_PATTERN = r"^(\d{1,9})([kKmM]?)$"

MOST_CASES = 100_000
"""Of one file: they take some minutes to plan."""

_FILES = {".yaml", ".yml", ".jinja", ".txt", ".md", ".jsonl"}
_WORD_PATTERN = re.compile(r"[a-z0-9@-]+")
_EXTRA = re.compile(
    r"t-(?P<tokenizer>.+)|p-(?P<prompt>.+)|x(?P<distractors>[0-9]{1,18})|r(?P<reserve>[0-9]{1,18})"
    r"|(?P<mode>contiguous)|(?P<order>shuffled)|(?P<distractor_depth>near|before|after)"
    r"|(?P<distractor_hardness>easy|medium|hard)|(?P<repeat>repeat)|(?P<accidents>avoid)"
)
"""Words of a case id behind its seed, by the case's field."""
_USUAL = {"", "auto", "exact", "listed", "spread", "any", "stop"}
"""Values that an id leaves out."""
_ID = re.compile(
    r"(?P<needle_set>[^_]+)_(?P<haystack>[^_]+)_(?P<length>[0-9]{1,18})_d(?P<depth>[0-9]{1,9}(?:\.[0-9]{1,18})?)"
    r"_s(?P<seed>[0-9]{1,18})(?P<rest>(?:_[^_]+)*)"
)


@dataclass(frozen=True)
class Case:
    """Needle set x haystack x context length x depth x seed x distractors x tokenizer.

    Attributes:
        needle_set, haystack, prompt: names or paths; the prompt's tokens are part of L.
        context_length: L, tokens of the whole prompt text, with those that are reserved.
        depth: 0-100 %, where the first needle stands.
        seed: chooses the haystack's starting sentence, and the order of shuffled needles.
        mode: "exact" (0 tokens of error), "contiguous" (one unbroken passage), or "auto": exact where whole
            sentences add up, else contiguous.
        distractors: how many of the set's distractors go in, of ``distractor_hardness``: spread evenly, or
            next to the needles, before the first or after the last (``distractor_depth``).
        accidents: of a haystack sentence that answers by accident: an error ("stop"), or left out ("avoid").
        reserve: tokens of L that are kept for the chat template that a reader puts around the prompt.
    """

    needle_set: str
    haystack: str
    context_length: int
    depth: float
    seed: int = 1
    tokenizer: str = "cl100k"
    mode: Mode = "auto"
    order: NeedleOrder = "listed"
    distractors: int = 0
    prompt: str = "u-niah"
    distractor_depth: DistractorDepth = "spread"
    distractor_hardness: AnyHardness = "any"
    repeat: bool = False
    accidents: AccidentRule = "stop"
    reserve: int = 0

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
            f"p-{id_part(self.prompt)}" if self.prompt != "u-niah" else "",
        ]
        first += [f"d{depth_part(self.depth)}", f"s{self.seed}"]
        return "_".join([*first, *(word for word in more if word not in _USUAL)])


def depth_part(depth: float) -> str:
    """A depth as case ids have it; -0 is 0."""
    return f"{abs(depth):g}"


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
        raise UserError(
            f"{case_id!r} is not a case id.",
            "One looks like ferry-lanterns_essays_2048_d25_s1; niah generate lists them.",
        )
    more: dict[str, Any] = {
        key: word for each in extras if each for key, word in each.groupdict().items() if word
    }
    more |= {key: int(more[key]) for key in ("distractors", "reserve") if key in more}
    more |= {"repeat": "repeat" in more}
    return Case(
        needle_set=match["needle_set"],
        haystack=match["haystack"],
        context_length=int(match["length"]),
        depth=float(match["depth"]),
        seed=int(match["seed"]),
        **more,
    )


def _as_length(value: object) -> object:
    """The tokens that "4096", "4k" (4,096) or "1M" mean; a number as it is. Raises ValueError."""
    if not isinstance(value, str) or value.isdecimal():
        return value
    found = re.fullmatch(_LENGTH_PATTERN, value, re.ASCII)
    tokens = int(found[1]) * {"": 1, "k": 1024, "m": 1024**2}[found[2].lower()] if found else 0
    if tokens < LEAST_LENGTH:
        raise ValueError(f"should be {LEAST_LENGTH} tokens or more, such as 4096 or 4k (given: {value!r}).")
    return tokens


_LengthText = Annotated[str, Field(pattern=_LENGTH_PATTERN)]
WRITTEN_LENGTH = BeforeValidator(_as_length, json_schema_input_type=int | _LengthText)
"""Reads "4k" as 4,096 where a file gives tokens."""


def check_case_count(path: Path, key: str, cases: int) -> None:
    """Raise ConfigError for a file that makes more cases than can be planned, before hours of work."""
    if cases > MOST_CASES:
        problem = f"makes {cases:,} cases; at most {MOST_CASES:,} can be planned at once."
        raise ConfigError(path, key, problem, "Shorten its lists, or split them over several files.")


class Placed(NamedTuple):
    """Where one needle, passage or distractor is.

    Attributes:
        id, text, elements: as in the needle set; ``text`` is ``context.text[start:end]``.
        start, end: character offsets in the context, end exclusive.
        token_start: tokens of the context before the first that holds the character at ``start`` or the
            space before it. (Most tokenizers make that space part of a sentence's first token.)
        asked_token: where the placement rule wants it; equals ``token_start`` in exact mode. A distractor is
            asked for where it is.
        hardness: of a distractor; "" for a needle.
    """

    id: str
    text: str
    elements: tuple[str, ...]
    start: int
    end: int
    token_start: int
    asked_token: int
    hardness: Hardness | Literal[""] = ""


@dataclass(frozen=True)
class Context:
    """A context.

    Attributes:
        text: what a reader gets between instructions and question.
        needles, distractors, passages: in the order of the text; passages hold nested needles.
        tokens: of ``text`` alone.
        prompt_tokens: P, of instructions and question.
        repeats: how often the haystack begins again.
        mode: "exact", or "contiguous": one unbroken passage.
    """

    text: str
    needles: tuple[Placed, ...]
    distractors: tuple[Placed, ...]
    tokens: int
    prompt_tokens: int
    passages: tuple[Placed, ...] = ()
    repeats: int = 0
    mode: BuiltMode = "exact"

    @property
    def sha256(self) -> str:
        """Digest of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()
