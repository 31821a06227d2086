"""Every kind of thing that packages can add, with its registry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from niah.plugins.registry import Registry, load_reference

_REGISTRIES = (
    "niah.retrieval.names:RETRIEVERS",
    "niah.retrieval.names:RERANKERS",
    "niah.strategies.presets:STRATEGIES",
    "niah.strategies.chunkers:CHUNKERS",
    "niah.strategies.parts:ORDERS",
    "niah.strategies.parts:SCOPES",
    "niah.readers.resolve:READERS",
    "niah.judges.registry:JUDGES",
    "niah.judges.metrics:METRICS",
    "niah.cases.questions.question_set:FORMATS",
    "niah.plots.figures:ADDED",
    "niah.analysis.tables:ADDED",
)


def registries() -> Iterator[Registry[Any]]:
    """Each of them, imported as it is asked for."""
    for reference in _REGISTRIES:
        yield load_reference(reference)
