"""What the next words leave to another thing is not claimed: "1888. Wait, that's the rack railway"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

FACT = "The funicular of Hasp opened in 1894, to a brass band."
FUNICULAR = AnswerKey(
    "funicular",
    "In which year did the funicular of Hasp open?",
    references=(FACT,),
    elements=(Element("1894"),),
    needles=(Needle("n", FACT, ()),),
    distractors=(
        Distractor("d", "Work on the funicular of Hasp began in 1883.", (Element("1883"),)),
        Distractor("e", "The rack railway of Lower Hasp opened in 1888.", (Element("1888"),)),
        Distractor("f", "The funicular of Hasp was electrified in 1921.", (Element("1921"),)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("1888. Wait \u2014 that's for the rack railway of Lower Hasp; the funicular opened in 1894.", 10),
        ("1888. Wait. That's the rack railway. The funicular: 1894.", 10),
        ("1888\u2026 wait, that is the rack railway. 1894.", 10),
        ("It opened in 1888. Hmm, no \u2014 that was the rack railway. It opened in 1894.", 10),
        ("1921 (no, sorry, that's when it was electrified). 1894.", 10),
        ("1888. Hmm, that's the rack railway, actually. The funicular opened in 1894.", 10),
        ("1888 and 1894. Sorry, 1888 was the rack railway.", 10),
        ("1888 and 1921. Hold on, those are the rack railway and the electrified line. 1894.", 10),
        ("1894. Wait \u2014 that's when it was electrified. It opened in 1921.", 1),
        ("1894. Wait, no, 1888.", 1),
        ("1894 \u2014 hmm, let me recheck. The funicular opened in 1888.", 1),
        # It is not the value that these leave to another thing.
        ("1894. Wait, it was electrified later, of course.", 10),
        ("1894. Wait, that's not the rack railway, is it? No: 1894.", 10),
        ("1894. No, that's all there is to say.", 10),
        ("1888. Wait, that's right, the funicular.", 1),
        ("1888 and 1894. No, that's all there is to say.", 5),
    ],
)
def test_what_is_disowned_at_once_claims_nothing(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, FUNICULAR).score == score


def test_a_guess_that_is_disowned_spoils_no_refusal() -> None:
    portrait = AnswerKey(
        "portrait",
        "Who painted the portrait of Callis Rennow?",
        distractors=(Distractor("d", "Its frame was made by Odro Venable.", (Element("Odro Venable"),)),),
    )
    refusal = "Odro Venable. Hmm, no: he made the frame. The painter isn't mentioned."
    assert judge_by_rubric(refusal, portrait).score == 10
    assert judge_by_rubric("Odro Venable. Hmm, no: he isn't mentioned.", portrait).score < 10
