"""A part that is put right after a complete list, or taken out of it: "Edit: Brask is 17:50"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

TIMES = AnswerKey(
    "ferries",
    "At what times do the ferries to Lund, to Ystad and to Brask leave?",
    references=("To Lund at 06:40, to Ystad at 11:15, to Brask at 17:50.",),
    elements=(
        Element("06:40", key="Lund"),
        Element("11:15", key="Ystad"),
        Element("17:50", key="Brask"),
    ),
    needles=(Needle("n", "To Lund at 06:40, to Ystad at 11:15, to Brask at 17:50.", ()),),
    distractors=(Distractor("d", "The coach to Dorn leaves at 08:25.", (Element("08:25"),)),),
)
TOOLS = AnswerKey(
    "tools",
    "Which three tools did the cooper of Hask lend out?",
    references=("An adze, a croze and a mallet.",),
    elements=(Element("adze"), Element("croze"), Element("mallet")),
    needles=(Needle("n", "The cooper of Hask lent out an adze, a croze and a mallet.", ()),),
    distractors=(Distractor("d", "The cooper of Dorn lent out an auger.", (Element("auger"),)),),
)
BIRDS = AnswerKey(
    "vögel",
    "Welche drei Vögel malte Klara Wendel für den Kalender?",
    references=("Sie malte Elstern, Reiher und Wachteln.",),
    elements=(Element("Elstern"), Element("Reiher"), Element("Wachteln")),
    needles=(Needle("n", "Für den Kalender malte Klara Wendel Elstern, Reiher und Wachteln.", ()),),
    distractors=(Distractor("d", "Ihr Onkel malte Dohlen.", (Element("Dohlen"),)),),
)


@pytest.mark.parametrize(
    "last", ["Edit: Brask should be {}.", "Actually, Brask is {}.", "UPDATE: {} for Brask."]
)
def test_the_later_value_of_a_key_counts(last: str) -> None:
    right, wrong = "Lund 06:40, Ystad 11:15, Brask 17:50. ", "Lund 06:40, Ystad 11:15, Brask 08:25. "
    assert judge_by_rubric(right + last.format("08:25"), TIMES).score == 5
    assert judge_by_rubric(wrong + last.format("17:50"), TIMES).score == 10
    assert judge_by_rubric(right + last.format("17:50"), TIMES).score == 10


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Adze, croze, mallet. Please disregard the mallet.", 7),
        ("Adze, croze, mallet. Correction: remove the croze from the list.", 7),
        ("Adze, croze, auger, mallet. Please ignore the auger.", 10),
        ("Please ignore the auger: adze, croze, mallet.", 10),
        ("Adze, croze and mallet. Some lists omit the mallet.", 10),
        ("Adze, croze, mallet. Please ignore any spelling mistakes.", 10),
        ("Adze, croze, mallet. Please disregard my answer.", 1),
        ("Adze, croze, mallet. Sorry, please disregard that: the text gives no answer.", 1),
        ("Adze, croze, auger. Sorry, please disregard that: the text gives no answer.", 1),
    ],
)
def test_what_is_to_be_disregarded_is_gone(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, TOOLS).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Elstern, Reiher und Dohlen, nein, Wachteln.", 10),
        ("Elstern, Reiher und Dohlen – nein, die Dohlen malte ihr Onkel; der dritte sind Wachteln.", 10),
        ("Elstern, Reiher und Wachteln, nein, Dohlen.", 5),
    ],
)
def test_a_mere_no_takes_back_the_last(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, BIRDS).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("11,700 crowns... no, that was what he asked for; 9,400 crowns were paid.", 10),
        ("9,400 crowns... no, that was what he asked for; 11,700 crowns were paid.", 1),
        ("9,400 crowns, and no, that was no bargain.", 10),
    ],
)
def test_no_that_was_something_else(answer: str, score: int) -> None:
    key = AnswerKey(
        "clock",
        "What did the town of Ruhm pay for its tower clock?",
        references=("9,400 crowns.",),
        elements=(Element("9,400 crowns"),),
        needles=(Needle("n", "Ruhm paid 9,400 crowns for its tower clock.", ("9,400 crowns",)),),
        distractors=(Distractor("d", "The maker had asked for 11,700 crowns.", (Element("11,700 crowns"),)),),
    )
    assert judge_by_rubric(answer, key).score == score
