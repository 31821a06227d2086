from __future__ import annotations

import re

import pytest

from niah.judges.rubric.lazy_pattern import lazy_pattern


def test_a_lazy_pattern_is_compiled_once_and_not_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_now = re.compile

    def compile_and_tell(pattern: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(pattern)
        return compile_now(pattern, flags)

    monkeypatch.setattr(re, "compile", compile_and_tell)
    word = lazy_pattern(r"(\w)(\w+)", re.IGNORECASE)
    assert word.pattern == r"(\w)(\w+)"
    assert not compiled
    found = word.search("-- goat")
    assert found is not None
    assert found.span(2) == (4, 7)
    assert word.sub(r"\2\1", "ab cd") == "ba dc"
    assert word.groups == 2
    assert compiled == [r"(\w)(\w+)"]
