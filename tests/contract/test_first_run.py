"""One fact, one question, one answer: the smallest run there is."""

from __future__ import annotations

from tests.contract.conftest import Endpoint, Niah

_LAMP = (
    "--needle",
    "The code of the lamp room is 48213.",
    "--question",
    "What is the code of the lamp room?",
)


def test_a_fact_of_one_s_own_is_asked_and_found(niah: Niah, endpoint: Endpoint) -> None:
    small = ("--expect", "48213", "--lengths", "512", "--depths", "50")
    ran = niah("run", *_LAMP, *small, "--model", "m", "--api-base", endpoint.base, "--out", "x.sqlite")
    assert ran.code == 0, ran.err
    (row,) = niah("export", "x.sqlite").rows
    assert (row["outcome"], row["score"]) == ("scored", 10)
    assert "48213" in endpoint.bodies("m")[0]["messages"][0]["content"]
