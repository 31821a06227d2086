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

_ORDERS: tuple[Order, ...] = get_args(Order)
_PLAIN_SCOPES = ("top-auto", "half", "full")
_SIZED_SCOPE = re.compile(r"(top|budget)-(.*)", re.DOTALL)


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

    kind: Literal["lc", "oracle", "closed-book"]

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
    body, at, suffix = name.partition("@")
    for kind in get_args(Literal["lc", "oracle", "closed-book"]):
        if body == kind:
            if at:
                raise StrategyError(f"{kind} takes no chunk size, but {name!r} has one.", f"Write {kind}.")
            return Strategy(name, Whole(kind))
    plan = parse(PRESETS[body].definition).plan if body in PRESETS else _axes(body)
    if at:
        assert isinstance(plan, Retrieve)
        plan = replace(plan, chunker=Chunker("passages", _size(name, f"@{suffix}", suffix)))
    return Strategy(name, plan)


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and one line about it."""
    presets = [(name, f"{preset.says}: {preset.definition}") for name, preset in PRESETS.items()]
    return [*WHOLE.items(), *presets]


def default_chunker(retriever: str) -> Chunker:
    """u-niah's windows (section 4.2), but MixPR's own sentences (mixture-of-pageranks, section 4)."""
    return Chunker("sentences", 32) if retriever == "mixpr" else Chunker("windows", 600, 100)


def _axes(body: str) -> Retrieve:
    parts = body.rsplit("/", 2)
    if len(parts) == 1:
        raise UnknownName("strategy", body, [*WHOLE, *PRESETS])
    if len(parts) == 2:
        raise StrategyError(
            f"strategy {body!r} has two parts, not three.",
            "Write RETRIEVER/SCOPE/ORDER, for example minilm/top-5/norm.",
        )
    retriever, scope, order = parts
    if retriever not in retriever_names():
        raise UnknownName("retriever", retriever, retriever_names())
    return Retrieve(retriever, _scope(scope), _order(order), default_chunker(retriever))


def _scope(text: str) -> Scope:
    sized = _SIZED_SCOPE.fullmatch(text)
    match text:
        case "top-auto" | "half" | "full":
            return Scope(text)
        case _ if sized and sized[1] == "top" and not sized[2].startswith("a"):
            return Scope("top", _size("scope", text, sized[2]))
        case _ if sized and sized[1] == "budget":
            return Scope("budget", _size("scope", text, sized[2]))
    raise UnknownName("scope", text, [*_PLAIN_SCOPES, "top-K", "budget-N"])


def _order(text: str) -> Order:
    for order in _ORDERS:
        if text == order:
            return order
    raise UnknownName("order", text, _ORDERS)


def _size(where: str, part: str, number: str) -> int:
    if not re.fullmatch(r"0*[1-9][0-9]{0,11}", number):
        raise StrategyError(f"{where}: {part!r} needs a whole number above 0, not {number!r}.", "")
    return int(number)
