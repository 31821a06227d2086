"""Mixture of PageRanks, from text to ranking, with its kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from niah.retrieval.mixpr.mixpr import MixPR

__all__ = ["MixPR"]


def __getattr__(name: str) -> object:
    """Import ``MixPR`` when it is first asked for: strategies read the router at every start."""
    if name != "MixPR":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from niah.retrieval.mixpr.mixpr import MixPR

    return MixPR
