"""The only door to LLMs."""

from __future__ import annotations

from niah.readers.reader import Answer, Failure, Reader, Reading, Request, Traffic, Usage
from niah.readers.resolve import resolve_reader

__all__ = ["Answer", "Failure", "Reader", "Reading", "Request", "Traffic", "Usage", "resolve_reader"]
