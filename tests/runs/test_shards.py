"""Shards: every trial in exactly one, in blocks."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from niah.cases.case import Case
from niah.errors import UserError
from niah.runs.shards import Shard, parse_shard
from niah.runs.trial import Trial
from niah.strategies.strategy import parse
from tests.samples import unbuilt

LC = parse("lc")
SAMPLE = unbuilt(Case("three-gates", "essays", 600, 50))


def trial(reader: str, repeat: int) -> Trial:
    return Trial(SAMPLE, LC, reader, repeat, 64)


@pytest.mark.parametrize("text", ["0/8", "9/8", "2/0", "0/0"])
def test_a_shard_that_there_is_not(text: str) -> None:
    with pytest.raises(UserError, match=f"there is no shard {text}"):
        parse_shard(text)


@pytest.mark.parametrize(
    "text", ["a", "", "2", "2/", "/8", "-1/8", "2/8/3", "1.5/8", "2 of 8", "²/8", "9" * 5000]
)
def test_what_is_no_shard(text: str) -> None:
    with pytest.raises(UserError, match="is no shard"):
        parse_shard(text)


def test_blocks_by_hand() -> None:
    trials = [*(trial("a", repeat) for repeat in range(5)), *(trial("b", repeat) for repeat in range(2))]
    parts = [Shard(index, 3).part(trials) for index in (1, 2, 3)]
    # Five of a are cut at 5/3 and 10/3, rounded down: 1, 3; two of b at 2/3 and 4/3: 0, 1.
    assert [[(t.reader, t.repeat) for t in part] for part in parts] == [
        [("a", 0)],
        [("a", 1), ("a", 2), ("b", 0)],
        [("a", 3), ("a", 4), ("b", 1)],
    ]


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 30)), st.integers(1, 12))
def test_the_shards_are_the_run(numbers: dict[str, int], of: int) -> None:
    assume(max(numbers.values(), default=0) >= of)
    trials = [trial(reader, repeat) for reader, number in numbers.items() for repeat in range(number)]
    parts = [Shard(index, of).part(trials) for index in range(1, of + 1)]
    for reader in numbers:
        own = [[t for t in part if t.reader == reader] for part in parts]
        # One after another they are the planned order, so each is a block of it and none shares a trial.
        assert [t for part in own for t in part] == [t for t in trials if t.reader == reader]
        assert max(map(len, own)) - min(map(len, own)) <= 1
    assert sum(map(len, parts)) == len(trials)
