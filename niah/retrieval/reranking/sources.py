"""Rerankers by name: how each is made. Nothing heavy is imported before one is asked for.

Niah's two run any model of their kind, st:MODEL and litellm:MODEL. A package adds one with an entry point of
the group ``niah.rerankers`` that names a class or function without arguments; what it returns has
``score(query, texts)``, one number a text, the higher the better.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from niah.plugins.registry import Registry, described, naming_package

if TYPE_CHECKING:
    from niah.retrieval.reranking.reranker import Reranker
    from niah.weights import ReportProgress


@dataclass(frozen=True)
class RerankerSource:
    """How a reranker is made.

    Attributes:
        make: makes it, of a model's name ("" for a package's) and what gets a line when weights are fetched.
        description: one line for people.
    """

    make: Callable[[str, ReportProgress], Reranker]
    description: str


def _source(name: str, made: object) -> RerankerSource:
    if not callable(made):
        raise TypeError("it is no class or function that makes a reranker")
    if name in RERANKERS.own:
        return RerankerSource(made, described(made))
    if not name.replace("-", "").isalnum() or name == "noise":
        raise ValueError(f"{name!r} is not made of letters, digits and hyphens, or means noise")
    make: Callable[[], Any] = made

    def made_here(model: str, progress: ReportProgress) -> Reranker:
        from niah.retrieval.reranking.added_reranker import AddedReranker

        with naming_package(f"reranker {name}"):
            return AddedReranker(name, make(), RERANKERS.package(name))

    return RerankerSource(made_here, described(made))


RERANKERS: Registry[RerankerSource] = Registry(
    "rerankers",
    {
        "st": "niah.retrieval.registry:make_cross_encoder",
        "litellm": "niah.retrieval.registry:make_litellm_reranker",
    },
    _source,
)
