"""A date in a sentence of its own stands, where the next one answers with a name too many."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

BRIDGE = AnswerKey(
    "bridge",
    "On what day was the Tarrow bridge opened, and who was mayor of Tarrow on that day?",
    elements=(Element("14 May 1902"), Element("Ilse Corbin")),
    needles=(
        Needle("n1", "The Tarrow bridge was opened on 14 May 1902.", ("14 May 1902",)),
        Needle("n2", "On that day Ilse Corbin was mayor of Tarrow.", ("Ilse Corbin",)),
    ),
    distractors=(
        Distractor("d1", "The Tarrow bridge was founded on 3 March 1899.", (Element("3 March 1899"),)),
        Distractor("d2", "Edwin Pask was the mayor of Orrel.", (Element("Edwin Pask"),)),
    ),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("It was opened on 14 May 1902. Ilse Corbin and Edwin Pask were mayor of Tarrow on that day.", 7),
        ("It was opened on 3 March 1899. Ilse Corbin and Edwin Pask were mayor of Tarrow on that day.", 5),
        ("It was founded on 14 May 1902. Ilse Corbin and Edwin Pask were mayor of Tarrow on that day.", 5),
        ("Opened on 14 May 1902. On that day Edwin Pask was mayor of Tarrow and Ilse Corbin of Orrel.", 5),
    ],
)
def test_a_part_of_another_kind_stands(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, BRIDGE)
    assert verdict.score == score, verdict.reason
