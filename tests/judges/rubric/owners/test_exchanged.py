"""Values and names of two facts that an answer exchanges, in sets without keys, or does not."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

LIGHT = AnswerKey(
    "light",
    "In which year was the lighthouse of Skarn lit for the first time?",
    references=("The lighthouse of Skarn was lit for the first time in 1847.",),
    elements=(Element("1847"),),
    needles=(
        Needle("n", "The lighthouse of Skarn was lit for the first time in 1847, on a windless night.", ()),
    ),
    distractors=(
        Distractor("d", "The lighthouse of Skarn was electrified in 1926.", (Element("1926"),)),
        Distractor("e", "The masons of Skarn laid the foundation in 1841.", (Element("1841"),)),
    ),
)
COMET = AnswerKey(
    "comet",
    "In which year was the comet Aldous sighted, and who sighted it?",
    references=("The comet Aldous was sighted in 1803 by Petra Lindqvist.",),
    elements=(Element("1803"), Element("Petra Lindqvist", ("Lindqvist",))),
    needles=(
        Needle("n", "In 1803 the comet Aldous was sighted over the marsh.", ()),
        Needle("m", "It was Petra Lindqvist who sighted the comet Aldous.", ()),
    ),
    distractors=(
        Distractor(
            "d",
            "The orbit of the comet Aldous was computed in 1811 by Abel Torrance.",
            (Element("1811"), Element("Abel Torrance", ("Torrance",))),
        ),
        Distractor("e", "Aldous was painted by Hanna Quist.", (Element("Hanna Quist", ("Quist",)),)),
    ),
)
TREATY = AnswerKey(
    "treaty",
    "On which date was the treaty of Vellmark signed?",
    references=("The treaty of Vellmark was signed on 4 May 1911.",),
    elements=(Element("4 May 1911"),),
    needles=(Needle("n", "In the long hall the treaty of Vellmark was signed on 4 May 1911.", ()),),
    distractors=(
        Distractor("d", "The treaty of Vellmark was announced on 9 June 1911.", (Element("9 June 1911"),)),
        Distractor("e", "The diet ratified the treaty on 2 August 1912.", (Element("2 August 1912"),)),
    ),
)
EXPRESS = AnswerKey(
    "express",
    "What is the platform and what is the departure time of the express to Luneville?",
    references=("The express to Luneville departs from platform 6 at 14:25.",),
    elements=(Element("platform 6", key="platform"), Element("14:25", key="departure time")),
    needles=(
        Needle("n", "The express to Luneville leaves from platform 6.", ()),
        Needle("m", "The express to Luneville departs at 14:25.", ()),
    ),
    distractors=(
        Distractor(
            "d",
            "The local train to Marsac leaves from platform 2 at 14:40.",
            (Element("platform 2"), Element("14:40")),
        ),
    ),
)
MILL = AnswerKey(
    "mill",
    "Wer hat das Wasserrad von Murnach gebaut?",
    references=("Das Wasserrad von Murnach hat Jost Ambacher gebaut.",),
    elements=(Element("Jost Ambacher", ("Ambacher",)),),
    needles=(Needle("n", "Das Wasserrad von Murnach hat Jost Ambacher gebaut, nach der Flut.", ()),),
    distractors=(
        Distractor("d", "Das Wasserrad hat Veit Lorenz bezahlt.", (Element("Veit Lorenz", ("Lorenz",)),)),
    ),
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (LIGHT, "The foundation was laid in 1847 and the lamp was lit in 1926.", 1),
        (LIGHT, "It was lit in 1926, long after the foundation had been laid in 1847.", 1),
        (LIGHT, "- Foundation laid: 1847\n- First lit: 1841\n- Electrified: 1926", 1),
        (LIGHT, "1841: first lit\n1847: foundation laid\n1926: electrified", 1),
        (EXPRESS, "The express: platform 2 at 14:40; the local to Marsac: platform 6 at 14:25.", 1),
        (EXPRESS, "The express goes from platform 6 at 14:40, the local to Marsac at 14:25.", 5),
        (TREATY, "It was announced on 4 May 1911 and signed on 9 June 1911.", 1),
        (TREATY, "The diet ratified it on 4 May 1911, but it had been signed on 9 June 1911.", 1),
        (TREATY, "It was signed on 9 June 1911 after being announced on 4 May 1911.", 1),
        (TREATY, "The signing took place on 2 August 1912; the ratification followed on 4 May 1911.", 1),
        (MILL, "Veit Lorenz hat es gebaut und Jost Ambacher hat es bezahlt.", 1),
        (
            COMET,
            "Sighted in 1811 by Abel Torrance; its orbit was computed in 1803 by Petra Lindqvist.",
            1,
        ),
        (COMET, "It was sighted in 1811 by Petra Lindqvist and its orbit was computed in 1803.", 5),
        (COMET, "In 1803 Hanna Quist sighted it, and Petra Lindqvist painted it.", 5),
    ],
)
def test_a_right_value_told_as_an_owners_is_not_found(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (LIGHT, "The foundation was laid in 1841 and the lamp was first lit in 1847."),
        (LIGHT, "It was lit in 1847, six years after the foundation had been laid in 1841."),
        (LIGHT, "- Foundation laid: 1841\n- First lit: 1847\n- Electrified: 1926"),
        (LIGHT, "1841: foundation laid\n1847: first lit\n1926: electrified"),
        (LIGHT, "Although the foundation dates from 1841, the lighthouse was not lit until 1847."),
        (TREATY, "It was signed on 4 May 1911, announced on 9 June 1911 and ratified on 2 August 1912."),
        (TREATY, "The signing took place on 4 May 1911; the ratification followed on 2 August 1912."),
        (MILL, "Bezahlt hat es Veit Lorenz, gebaut hat es Jost Ambacher."),
        (
            COMET,
            "Sighted in 1803 by Petra Lindqvist; its orbit was computed in 1811 by Abel Torrance.",
        ),
        (COMET, "In 1803 Petra Lindqvist sighted it, and Hanna Quist painted it."),
        (EXPRESS, "The express: platform 6, 14:25; the local train to Marsac: platform 2, 14:40."),
        (LIGHT, "1847, against 1926 for its being electrified."),
        (COMET, "Sighted in 1803 by Petra Lindqvist, painted by Hanna Quist."),
    ],
)
def test_values_told_each_as_its_own_stand(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 10


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (LIGHT, "It was first lit in 1847 or 1841.", 5),
        (LIGHT, "It was not lit until 1926.", 1),
        (TREATY, "It was signed on 4 May 1911 and on 9 June 1911.", 5),
        (COMET, "It was sighted in 1803 by Petra Lindqvist and Hanna Quist.", 7),
        (COMET, "It was sighted in 1803 and in 1811 by Petra Lindqvist.", 7),
    ],
)
def test_what_is_claimed_beside_it_counts(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score
