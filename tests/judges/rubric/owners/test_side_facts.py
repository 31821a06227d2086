"""What only shares a sentence with the answer is a side fact: "launched in 1871 and sold in 1874"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

YEAR = AnswerKey(
    "observatory",
    "In which year did Berta Lindholm found the Skarn observatory?",
    references=("Berta Lindholm founded the Skarn observatory in 1931.",),
    elements=(Element("1931"),),
    needles=(Needle("n", "Berta Lindholm founded the Skarn observatory in 1931.", ("1931",)),),
    distractors=(
        Distractor("d", "Nils, Berta Lindholm's brother, left for Uppsala in 1936.", (Element("1936"),)),
        Distractor("e", "The telescope of the Skarn observatory was replaced in 1954.", (Element("1954"),)),
    ),
)
FOUNDER = AnswerKey(
    "weaving",
    "Who founded the weaving school at Orlow?",
    references=("The weaving school at Orlow was founded by Anna Berg.",),
    elements=(Element("Anna Berg"),),
    needles=(Needle("n", "The weaving school at Orlow was founded by Anna Berg.", ("Anna Berg",)),),
    distractors=(
        Distractor("d", "Her brother Otto Lind founded the hospital at Orlow.", (Element("Otto Lind"),)),
        Distractor("e", "The chapel at Orlow was painted by Emil Storr.", (Element("Emil Storr"),)),
    ),
)
SPICES = AnswerKey(
    "soup",
    "Which three spices go into the summer soup?",
    references=("Cumin, fennel and mace.",),
    elements=tuple(Element(name) for name in ("cumin", "fennel", "mace")),
    needles=(Needle("n", "Cumin, fennel and mace go into the summer soup.", ("cumin", "fennel", "mace")),),
    distractors=(Distractor("d", "The broth takes a pinch of grated nutmeg.", (Element("nutmeg"),)),),
)
BOAT = AnswerKey(
    "boat",
    "At what time does the first boat to Orlow leave?",
    references=("The first boat to Orlow leaves at 05:10.",),
    elements=(Element("05:10"),),
    needles=(Needle("n", "The first boat to Orlow leaves at 05:10, with the milk.", ("05:10",)),),
    distractors=(Distractor("d", "The last boat to Orlow leaves at 23:50.", (Element("23:50"),)),),
)


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (YEAR, "She founded it in 1931 and replaced its telescope in 1954."),
        (YEAR, "Founded in 1931, it got a new telescope in 1954."),
        (YEAR, "Nils went to Uppsala in 1936 and Berta Lindholm founded the observatory in 1931."),
        (YEAR, "In 1931, after which the telescope was replaced in 1954."),
        (FOUNDER, "Anna Berg founded the weaving school and Otto Lind the hospital."),
        (FOUNDER, "Anna Berg founded the weaving school and her brother Otto Lind the hospital."),
        (FOUNDER, "It was founded by Anna Berg and the chapel was painted by Emil Storr."),
        (FOUNDER, "Emil Storr painted the chapel and Anna Berg founded the weaving school at Orlow."),
    ],
)
def test_a_side_fact_claims_nothing(key: AnswerKey, answer: str) -> None:
    verdict = judge_by_rubric(answer, key)
    assert (verdict.score, verdict.wrong) == (10, ())


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        (YEAR, "It was founded in 1931 and 1954."),
        (YEAR, "It was founded in 1931 and also, with a telescope, in 1954."),
        (YEAR, "Berta says 1931 and her brother Nils says 1936."),
        (YEAR, "She left for Uppsala in 1931 and with her brother founded the observatory in 1936."),
        (FOUNDER, "It was founded by Anna Berg and her brother Otto Lind."),
        (FOUNDER, "Anna Berg and Otto Lind, her brother, founded it."),
        (FOUNDER, "Her brother Otto Lind and Anna Berg founded the weaving school."),
        (FOUNDER, "It was founded by Anna Berg and, as her brother, by Otto Lind."),
        (FOUNDER, "The weaving school was founded by Anna Berg of Orlow and Otto Lind of the hospital."),
    ],
)
def test_one_more_of_what_was_asked_for_is_wrong(key: AnswerKey, answer: str) -> None:
    assert judge_by_rubric(answer, key).score == 5


@pytest.mark.parametrize(
    "last", ["and grated nutmeg", "and a pinch of nutmeg", "and finished with grated nutmeg"]
)
def test_a_list_goes_on_behind_its_and(last: str) -> None:
    assert judge_by_rubric(f"Cumin, fennel and mace {last}.", SPICES).wrong == ("nutmeg",)


def test_a_common_word_tells_whose_it_is_with_the_one_behind_it() -> None:
    assert judge_by_rubric("05:10; the last boat leaves at 23:50.", BOAT).score == 10
    assert judge_by_rubric("05:10 or, at the very last, 23:50.", BOAT).score == 5


def test_what_was_also_considered_is_not_claimed() -> None:
    aside = "I also considered 1954, but that is when the telescope was replaced. "
    assert judge_by_rubric(aside + "It was founded in 1931.", YEAR).wrong == ()
