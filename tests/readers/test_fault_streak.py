"""Which failures in a row stop a reader."""

from __future__ import annotations

import pytest

from niah.readers.fault_streak import FaultStreak
from niah.readers.reader import Answer, Failure, Lasting, Response, Usage

KEY, MODEL = Lasting(3, "Set a key."), Lasting(3, "Correct the model's name.")
REFUSED = Failure("reader_error", "HTTP 401: no", lasting=KEY)
UNKNOWN = Failure("reader_error", "HTTP 404: no", lasting=MODEL)
GONE = Failure("reader_error", "connection refused", lasting=Lasting(1, "Start it."))
OWN = Failure("reader_error", "after 4 attempts: HTTP 500: oops")
GOOD, KEPT = Answer("Paris", Usage(), 0.1), Answer("Paris", Usage(), 0.1, cached=True)


def disliked(words: str) -> Failure:
    return Failure("reader_error", words, lasting=Lasting(10, "Look."))


def stopped_by(*responses: Response) -> bool:
    streak = FaultStreak()
    assert not any(streak.note(response) for response in responses), "each of them is told"
    return streak.stopped is not None


@pytest.mark.parametrize(
    ("responses", "stops"),
    [
        ([REFUSED] * 2, False),
        ([REFUSED] * 3, True),
        ([GOOD, REFUSED, REFUSED, REFUSED], True),
        ([REFUSED, REFUSED, GOOD, REFUSED], False),
        ([REFUSED, REFUSED, KEPT, REFUSED], True),
        ([REFUSED, REFUSED, OWN, REFUSED], False),
        ([REFUSED, UNKNOWN, REFUSED, UNKNOWN], False),
        ([OWN] * 50, False),
        ([GONE], True),
        ([disliked(f"value {n} is not allowed") for n in range(9)], False),
        ([disliked(f"value {n} is not allowed") for n in range(10)], True),
        ([disliked(f"value {'x' * n} is not allowed") for n in range(20)], False),
    ],
)
def test_a_row(responses: list[Response], stops: bool) -> None:
    assert stopped_by(*responses) == stops


def test_what_comes_later_tells_nothing_new() -> None:
    streak = FaultStreak()
    assert [streak.note(REFUSED) for _ in range(5)] == [False, False, False, True, True]
    assert not streak.note(GOOD)
    assert not streak.note(OWN)
    assert streak.stopped
    assert (streak.stopped.failures, streak.stopped.reason, streak.stopped.remedy) == (
        *(3, "HTTP 401: no", "Set a key."),
    )
