"""The only door to LLMs."""

from __future__ import annotations

from niah.readers.reader import Answer, Failure, Reader, Request, Response, Traffic, Usage
from niah.readers.resolve import resolve_reader

__all__ = ["Answer", "Failure", "Reader", "Request", "Response", "Traffic", "Usage", "resolve_reader"]
