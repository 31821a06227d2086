"""Corners of filled areas, without matplotlib: ``areas`` draws them."""

from __future__ import annotations

from typing import TypeAlias

Corners: TypeAlias = list[tuple[float, float]]
"""Of one area, in order."""


def rectangle(left: float, top: float, right: float, bottom: float) -> Corners:
    """The corners of a rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]
