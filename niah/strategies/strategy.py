"""What a strategy is, and how users write one.

    RETRIEVER/SCOPE/ORDER[@CHUNKS]  minilm/top-5/norm   mixpr/half/document@100
    RETRIEVER                       bm25   arctic   BAAI/bge-m3   openai/text-embedding-3-small   ./my-model
    SCOPE                           top-K | top-auto | half | full | budget-N
    ORDER                           norm | reverse | document | sides
    CHUNKS                          N | windows | sentences
    PRESET[@CHUNKS]                 topk   dos   topk@100
    lc | oracle | closed-book

Every retriever goes with every scope, order and way to cut. Retrievers may have slashes in their names (see
``niah.retrieval.names``), so a strategy is read from its right end.

``@N`` asks for passages of whole sentences, at most N tokens; ``@windows`` for windows of 600 tokens sharing
100; ``@sentences`` for sentences of at most 32 words. Without it the chunks are windows, but for mixpr
sentences, each as in its paper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from niah.errors import StrategyError, UnknownName, UserError, did_you_mean
from niah.retrieval.names import describe_retrievers, parse_name
from niah.strategies.presets import PRESETS, WHOLE

Order = Literal["norm", "reverse", "document", "sides"]

WholeKind = Literal["lc", "oracle", "closed-book"]

_ORDERS: dict[Order, str] = {
    "norm": "best first",
    "reverse": "best last, next to the question",
    "document": "as they stand in the context",
    "sides": "best at both ends, worst in the middle",
}
_WHOLE_KINDS: tuple[WholeKind, ...] = get_args(WholeKind)
_SCOPES = {
    "top-K": "the K best chunks, or all where there are fewer",
    "top-auto": "5, 10 or 20 chunks for 3, 7 or 15 needles, round(4k/3) + 1 for k needles",
    "half": "the best whole chunks that fit into half the room that a context has",
    "full": "the best whole chunks that fit into all of it",
    "budget-N": "the best whole chunks that fit into N tokens, and into the room",
}
_CHUNKS = {
    "N": "passages of whole sentences, at most N tokens",
    "windows": "600 tokens, sharing 100 with the one before; without @, for all but mixpr",
    "sentences": "sentences of at most 32 words; without @, for mixpr",
}
_NAMED_CHUNKS = ("windows", "sentences")
_SIZED_SCOPE = re.compile(r"(top|budget)-([0-9]+)")


@dataclass(frozen=True)
class Scope:
    """How much is retrieved.

    Attributes:
        kind: "top" K chunks; "top-auto" as many as the number of needles suggests; "half" or "full" of the
            room a context has (L - P); "budget" of N tokens.
        size: K or N; 0 for the others.
    """

    kind: Literal["top", "top-auto", "half", "full", "budget"]
    size: int = 0

    def __str__(self) -> str:
        return f"{self.kind}-{self.size}" if self.size else self.kind


@dataclass(frozen=True)
class Chunker:
    """How a context is cut: windows and passages of ``size`` tokens, sentences of ``size`` words."""

    kind: Literal["windows", "passages", "sentences"]
    size: int
    overlap: int = 0

    def __str__(self) -> str:
        return str(self.size) if self.kind == "passages" else self.kind


WINDOWS = Chunker("windows", 600, 100)
SENTENCES = Chunker("sentences", 32)


@dataclass(frozen=True)
class Retrieve:
    """Retriever x scope x order, over chunks; the retriever by its canonical name."""

    retriever: str
    scope: Scope
    order: Order
    chunker: Chunker

    def __str__(self) -> str:
        suffix = "" if self.chunker == default_chunker(self.retriever) else f"@{self.chunker}"
        return f"{self.retriever}/{self.scope}/{self.order}{suffix}"


@dataclass(frozen=True)
class Whole:
    """A strategy without a retriever."""

    kind: WholeKind

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True)
class Strategy:
    """How a prompt is made from a context; ``name`` is what the user wrote."""

    name: str
    plan: Retrieve | Whole

    @property
    def definition(self) -> str:
        """The canonical text: the same for every way to write the same strategy."""
        return str(self.plan)


def parse(text: str) -> Strategy:
    """The strategy that ``text`` writes down, by the grammar at the top of this module.

    Cheap: whether a retriever's model can be had is asked by ``get_retriever``.

    Raises UnknownName or StrategyError, naming the part that is wrong.
    """
    name = text.strip()
    body, at, chunks = _before_chunks(name)
    plan = _plan(body)
    if not at:
        return Strategy(name, plan)
    if isinstance(plan, Whole):
        raise StrategyError(f"{body} takes no chunk size, but {name!r} has one.", f"Write {body}.")
    return Strategy(name, replace(plan, chunker=_chunker(name, chunks)))


def known_plan(name: str) -> Retrieve | Whole | None:
    """What the name that a run file holds stands for; None where this version cannot read it."""
    try:
        return parse(name).plan
    except UserError:
        return None


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and one line about it."""
    presets = [(name, f"{preset.says}: {preset.definition}") for name, preset in PRESETS.items()]
    return [*WHOLE.items(), *presets]


def describe_axes() -> list[tuple[str, str]]:
    """Every part that a strategy can be made of, and one line about it."""
    return [
        (
            "RETRIEVER/SCOPE/ORDER[@CHUNKS]",
            "any combination of these: bm25/top-5/norm, mixpr/half/document@100",
        ),
        *((f"RETRIEVER {name}", says) for name, says in describe_retrievers()),
        *((f"SCOPE {name}", says) for name, says in _SCOPES.items()),
        *((f"ORDER {name}", says) for name, says in _ORDERS.items()),
        *((f"@CHUNKS {name}", says) for name, says in _CHUNKS.items()),
    ]


def default_chunker(retriever: str) -> Chunker:
    """u-niah's windows (section 4.2), but MixPR's own sentences (mixture-of-pageranks, section 4)."""
    return SENTENCES if retriever.startswith("mixpr") else WINDOWS


def _before_chunks(name: str) -> tuple[str, str, str]:
    """The parts before, at and after an ``@`` in the last of the axes; a model's name may hold one too."""
    axes, slash, last = name.rpartition("/")
    order, at, chunks = last.partition("@")
    return axes + slash + order, at, chunks


def _plan(body: str) -> Retrieve | Whole:
    for kind in _WHOLE_KINDS:
        if body == kind:
            return Whole(kind)
    return parse(PRESETS[body].definition).plan if body in PRESETS else _axes(body)


def _axes(body: str) -> Retrieve:
    parts = body.rsplit("/", 2)
    if len(parts) == 1:
        raise UnknownName("strategy", body, [*WHOLE, *PRESETS])
    if len(parts) == 2:
        raise StrategyError(
            f"strategy {body!r} has two parts.",
            "It needs three, RETRIEVER/SCOPE/ORDER: for example minilm/top-5/norm.",
        )
    first, middle, last = parts
    order, scope = _order(last), _scope(middle)
    retriever = parse_name(first).text
    return Retrieve(retriever, scope, order, default_chunker(retriever))


def _scope(text: str) -> Scope:
    match text:
        case "top-auto" | "half" | "full":
            return Scope(text)
    sized = _SIZED_SCOPE.fullmatch(text)
    if sized is None:
        raise UnknownName("scope", text, _SCOPES)
    return Scope("top" if sized[1] == "top" else "budget", _positive(text, sized[2]))


def _order(text: str) -> Order:
    for order in _ORDERS:
        if text == order:
            return order
    raise UnknownName("order", text, _ORDERS)


def _chunker(whole: str, text: str) -> Chunker:
    match text:
        case "windows":
            return WINDOWS
        case "sentences":
            return SENTENCES
    if text.isalpha() and did_you_mean(text, _NAMED_CHUNKS).startswith("Did"):
        raise UnknownName("chunks", text, _NAMED_CHUNKS)
    return Chunker("passages", _positive(whole, text))


def _positive(whole: str, number: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,11}", number):
        raise StrategyError(f"{whole!r} needs a whole number above 0, not {number!r}.")
    return int(number)
