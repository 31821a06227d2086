"""Who is named for having said so is not claimed: "as the judge X read out"."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

HEIRS = ("Greta Lund", "Oskar Fehr", "Hanna Pohl")
WILL = AnswerKey(
    "will",
    "Which three people did the late Baroness Holm remember in her testament?",
    references=("Greta Lund, Oskar Fehr and Hanna Pohl.",),
    elements=tuple(map(Element, HEIRS)),
    needles=(Needle("n", "The Baroness remembered Greta Lund, Oskar Fehr and Hanna Pohl.", HEIRS),),
    distractors=(Distractor("d", "It was opened by the judge Anselm Reuter.", (Element("Anselm Reuter"),)),),
)
WITNESS = AnswerKey(
    "witness",
    "Who said that the bridge would fall?",
    references=("Nils Oder said so.",),
    elements=(Element("Nils Oder"),),
    needles=(Needle("n", "Nils Oder said that the bridge would fall.", ("Nils Oder",)),),
    distractors=(Distractor("d", "Ulf Brack said that it would hold.", (Element("Ulf Brack"),)),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("As the judge Anselm Reuter read out, it was Greta Lund, Oskar Fehr and Hanna Pohl.", 10),
        ("According to the judge Anselm Reuter, the three are Greta Lund, Oskar Fehr and Hanna Pohl.", 10),
        ("The judge Anselm Reuter announced that Greta Lund, Oskar Fehr and Hanna Pohl got something.", 10),
        ("As Anselm Reuter, Greta Lund, Oskar Fehr and Hanna Pohl were remembered, all were glad.", 7),
        ("According to the text, Anselm Reuter, Greta Lund and Oskar Fehr.", 5),
        ("Greta Lund, Oskar Fehr, Hanna Pohl and Anselm Reuter, as the text says.", 7),
    ],
)
def test_a_named_source_is_not_claimed(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, WILL).score == score


def test_where_sources_are_asked_for_they_are_claimed() -> None:
    assert judge_by_rubric("Nils Oder, and Ulf Brack said that it would fall too.", WITNESS).score == 5
