"""Stress tests for language models on long contexts, and for retrieval against reading everything."""

from __future__ import annotations

__version__ = "0.1.0"

__all__ = ["__version__"]
