"""Patterns that are compiled at their first use: most answers need few of the rubric's hundreds."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, cast


class _LazyPattern:
    """Stands for a pattern, whose methods it has as its own from their first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, self.flags)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, for what few answers are searched for: compiling takes a millisecond or so."""
    return cast("re.Pattern[str]", _LazyPattern(pattern, flags))
