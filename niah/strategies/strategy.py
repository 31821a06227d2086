"""What a strategy is, and how users write one.

    RETRIEVER/SCOPE/ORDER[@N]     minilm/top-5/norm   mixpr/half/document@100
    SCOPE                         top-K | top-auto | half | full | budget-N
    ORDER                         norm | reverse | document | sides
    PRESET[@N]                    topk   dos   topk@100
    lc | oracle | closed-book

``@N`` asks for passages of whole sentences, at most N tokens. Without it the chunks are windows of 600 tokens
sharing 100, but for mixpr sentences of at most 32 words, each as in its paper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from niah.errors import StrategyError, UnknownName
from niah.retrieval.registry import retriever_names
from niah.strategies.presets import PRESETS, WHOLE

Order = Literal["norm", "reverse", "document", "sides"]

WholeKind = Literal["lc", "oracle", "closed-book"]

_ORDERS: tuple[Order, ...] = get_args(Order)
_WHOLE_KINDS: tuple[WholeKind, ...] = get_args(WholeKind)
_SCOPES = ("top-K", "top-auto", "half", "full", "budget-N")
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


@dataclass(frozen=True)
class Retrieve:
    """Retriever x scope x order, over chunks."""

    retriever: str
    scope: Scope
    order: Order
    chunker: Chunker

    def __str__(self) -> str:
        suffix = f"@{self.chunker.size}" if self.chunker.kind == "passages" else ""
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

    Raises UnknownName or StrategyError, naming the part that is wrong.
    """
    name = text.strip()
    body, at, size = name.partition("@")
    plan = _plan(body)
    if not at:
        return Strategy(name, plan)
    if isinstance(plan, Whole):
        raise StrategyError(f"{body} takes no chunk size, but {name!r} has one.", f"Write {body}.")
    return Strategy(name, replace(plan, chunker=Chunker("passages", _positive(name, size))))


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and one line about it."""
    presets = [(name, f"{preset.says}: {preset.definition}") for name, preset in PRESETS.items()]
    return [*WHOLE.items(), *presets]


def default_chunker(retriever: str) -> Chunker:
    """u-niah's windows (section 4.2), but MixPR's own sentences (mixture-of-pageranks, section 4)."""
    return Chunker("sentences", 32) if retriever == "mixpr" else Chunker("windows", 600, 100)


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
    retriever, scope, order = parts
    if retriever not in retriever_names():
        raise UnknownName("retriever", retriever, retriever_names())
    return Retrieve(retriever, _scope(scope), _order(order), default_chunker(retriever))


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


def _positive(whole: str, number: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,11}", number):
        raise StrategyError(f"{whole!r} needs a whole number above 0, not {number!r}.")
    return int(number)
