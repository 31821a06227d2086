"""The version of the rubric's rules, which every verdict names."""

from __future__ import annotations

RUBRIC_VERSION = "22"
"""Raised whenever a verdict may change."""
