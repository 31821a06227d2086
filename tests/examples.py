"""How much is tried: properties in full under ``make test-all``, in part under ``make test``; mistakes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml

_Item = TypeVar("_Item")
_ALL = bool(os.environ.get("NIAH_ALL_EXAMPLES"))


def of_all(examples: int) -> int:
    """A fifth, and at least 20: ``@settings(max_examples=of_all(300))``.

    A property without settings has ``of_all(100)``.
    """
    return examples if _ALL else max(examples // 5, 20)


def repeats(few: int, all_of_them: int) -> int:
    """How often something random is drawn anew: few times under ``make test``."""
    return all_of_them if _ALL else few


def some_of(items: Sequence[_Item], number: int) -> Sequence[_Item]:
    """About so many of the items, evenly, the first and the last among them; all under ``make test-all``."""
    if _ALL or len(items) <= number:
        return items
    places = dict.fromkeys(round(i * (len(items) - 1) / (number - 1)) for i in range(number))
    return [items[place] for place in places]


def mistake_rows(part: str) -> list[Any]:
    """Rows of data/mistakes.yaml: what is changed in a good file, and what is said about it."""
    file = Path(__file__).parent / "data" / "mistakes.yaml"
    return list(yaml.safe_load(file.read_text(encoding="utf-8"))[part])
