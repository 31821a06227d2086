"""What users may write as a strategy, with one line about each name and each part."""

from __future__ import annotations

import re

from niah.errors import UserError
from niah.retrieval.names import describe_retrievers
from niah.strategies.chunkers import CHUNKERS
from niah.strategies.named import STRATEGIES, PreparedPreset, Preset
from niah.strategies.orders import ORDERS
from niah.strategies.prepared.names import FORMS
from niah.strategies.scopes import SCOPES
from niah.strategies.strategy import SYSTEM_PREFIX, parse

_EMBEDS = frozenset({"minilm", "hybrid", "dos"})
"""What stands in the definitions of ours that embed on this machine."""


def describe() -> list[tuple[str, str]]:
    """Every strategy with a name, and one line about it."""
    ours = ((name, f"{parse(name).description}{_extra_of(name)}") for name in STRATEGIES.own)
    return [*ours, *map(_described, STRATEGIES.added)]


def _extra_of(name: str) -> str:
    """What of ours has to be installed besides the core."""
    named = STRATEGIES[name]
    definition = named.definition if isinstance(named, Preset | PreparedPreset) else ""
    return "; needs niah[local]" if _EMBEDS.intersection(re.split(r"[/:(,]", definition)) else ""


def _described(name: str) -> tuple[str, str]:
    """Of a package's, whose definition may be wrong."""
    try:
        return name, parse(name).description
    except UserError as error:
        return name, str(error)


def describe_axes() -> list[tuple[str, str]]:
    """Every part that a strategy can be made of, and one line about it."""
    return [
        (
            "RETRIEVER/SCOPE/ORDER[@CHUNKS]",
            "any combination of these: bm25/top-5/norm, mixpr/half/document@100",
        ),
        (f"{SYSTEM_PREFIX}REFERENCE", "an application of your own: py:MODULE:FUNCTION, or http://HOST/PATH"),
        *FORMS.items(),
        ("...+sentences-N", "at the end of any that retrieves: the best sentences of it, at most N tokens"),
        *((f"RETRIEVER {name}", says) for name, says in describe_retrievers()),
        *((f"SCOPE {kind.form}", kind.description) for _, kind in SCOPES.items()),
        *((f"ORDER {name}", order.description) for name, order in ORDERS.items()),
        *((f"@CHUNKS {kind.form}", kind.description) for kind in CHUNKERS.values()),
        (
            "+noise-R",
            "at the end of any but lc and closed-book: random chunks without a needle make a share R of all",
        ),
    ]
