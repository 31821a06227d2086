"""The only door to LLMs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from niah.readers.reader import Answer, Failure, Reader, Request, Response, Traffic, Usage

if TYPE_CHECKING:
    from niah.readers.resolve import resolve_reader

__all__ = ["Answer", "Failure", "Reader", "Request", "Response", "Traffic", "Usage", "resolve_reader"]


def __getattr__(name: str) -> Any:
    """How a model's name is read, when it is asked for: judges need only what readers give."""
    if name == "resolve_reader":
        from niah.readers.resolve import resolve_reader

        return resolve_reader
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
