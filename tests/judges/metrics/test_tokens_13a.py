from __future__ import annotations

import pytest

from niah.judges.metrics.tokens_13a import tokens_13a


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # as sacrebleu 2.6.0 cuts them
        ("It cost $3,500.75 (about 10-12% more).", "It cost $ 3,500.75 ( about 10 - 12 % more ) ."),
        ("x-y don't [a]/b c_d", "x-y don't [ a ] / b c _ d"),
        ("end.\nNext, 5.", "end . Next , 5 ."),
        ("hyphen-\nated", "hyphenated"),
        ("", ""),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    assert tokens_13a(text) == expected.split()
