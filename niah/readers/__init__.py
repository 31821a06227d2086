"""The only door to LLMs."""

from __future__ import annotations

from niah.readers.reader import Answer, Failure, Reader, Reading, Request, Traffic, Usage
from niah.readers.resolve import resolve

__all__ = ["Answer", "Failure", "Reader", "Reading", "Request", "Traffic", "Usage", "resolve"]
