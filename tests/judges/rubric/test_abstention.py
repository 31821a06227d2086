"""Which words take an answer back, and which leave it as it is."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges.rubric.abstention import ABSTENTIONS, takes_back

KEY = key_of("pizza-ingredients", 1)


def taken_back(text: str, *, complete: bool) -> bool:
    return any(takes_back(cue, KEY, complete=complete) for cue in ABSTENTIONS.finditer(text))


@pytest.mark.parametrize(
    "text", ["the text does not say.", "no passage mentions the ingredients.", "answer: null", "unknown"]
)
def test_a_refusal_takes_back(text: str) -> None:
    assert taken_back(text, complete=False)
    assert taken_back(text, complete=True)


@pytest.mark.parametrize(
    "text",
    [
        "the text does not say why.",
        "it does not answer to that.",
        "the text mentions no other ingredients.",
        "no passage says otherwise.",
        "figs (source: unknown)",
        "it gives no reason.",
    ],
)
def test_what_else_is_not_told_takes_nothing_back(text: str) -> None:
    assert not taken_back(text, complete=False)
    assert not taken_back(text, complete=True)


@pytest.mark.parametrize("text", ["the quantities are not stated.", "the other bakers are not mentioned."])
def test_beside_a_complete_answer_what_nobody_asked_for_may_be_untold(text: str) -> None:
    assert taken_back(text, complete=False)
    assert not taken_back(text, complete=True)


@pytest.mark.parametrize(
    "text",
    [
        "you have not mentioned the ingredients.",
        "that has not been stated.",
        "no ingredients given.",
        "the name of the baker goes unmentioned.",
        "this is absent from the text.",
        "the passage makes no reference to that.",
        "it's not possible to say what he needs.",
        "the context does not include that information.",
    ],
)
def test_a_refusal_in_other_structures(text: str) -> None:
    assert taken_back(text, complete=False)


@pytest.mark.parametrize(
    "text",
    [
        "i have no other information.",
        "i have no additional information about this.",
        "there is no information beyond this.",
        "no quantities given.",
        "no oven temperature has been stated.",
        "no further ingredients have been mentioned.",
    ],
)
def test_no_more_information_takes_nothing_back(text: str) -> None:
    assert not taken_back(text, complete=True)
