"""Which faults other requests would meet as well."""

from __future__ import annotations

import pytest

from niah.readers.http.lasting import lasting_fault
from niah.readers.http.outcomes import Fault


@pytest.mark.parametrize(
    ("fault", "in_a_row"),
    [
        (Fault("Incorrect API key provided", 401), 3),
        (Fault("no access", 403), 3),
        (Fault("pay first", 402), 3),
        (Fault("you exceeded your quota", 429, frozenset({"insufficient_quota"})), 3),
        (Fault("not found", 404), 3),
        (Fault("The model `gpt-9` does not exist", 400), 3),
        (Fault("it points elsewhere", 307), 3),
        (Fault("no such parameter", 400), 10),
        (Fault("maximum context length is 9 tokens", 400), None),
        (Fault("filtered", 400, frozenset({"content_filter"})), None),
        (Fault("oops", 500), None),
    ],
)
def test_what_others_would_meet_as_well(fault: Fault, in_a_row: int | None) -> None:
    lasting = lasting_fault(fault)
    assert (lasting and lasting.in_a_row) == in_a_row
