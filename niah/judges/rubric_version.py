"""The version of the rubric's rules, which every verdict names."""

from __future__ import annotations

RUBRIC_VERSION = "23"
"""Raised whenever a verdict may change."""
