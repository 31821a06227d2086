"""An order told from its end, and clues that are put together behind."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

ROUND = AnswerKey(
    "round",
    "In which order does the postman of Orm call at the four farms?",
    references=("Holm, then Vik, then Sund and last Berg.",),
    elements=tuple(map(Element, ("Holm", "Vik", "Sund", "Berg"))),
    needles=(Needle("n", "The postman calls at Holm, then Vik, then Sund and last Berg.", ()),),
    ordered=True,
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("He ends at Berg. Before that come, in order, Holm, Vik and Sund.", 10),
        ("The last farm is Berg. The three before it are Holm, Vik and Sund.", 10),
        ("His round ends at Berg and starts with Holm; Vik is second, Sund third.", 10),
        ("Berg comes last; Sund comes just before it, Vik before that, and Holm is the first.", 10),
        ("- He ends at Berg.\n- Vik comes before Sund.\n\nPutting this together: Holm, Vik, Sund, Berg.", 10),
        ("He ends at Berg. Before that come, in order, Vik, Holm and Sund.", 5),
        ("He ends at Holm. Before that come, in order, Vik, Sund and Berg.", 5),
        ("Holm comes last; Vik comes just before it, Sund before that, and Berg is the first.", 3),
        ("Berg comes last but one. Before it come Holm and Vik; Sund is the end.", 5),
        ("- He ends at Berg.\n- Vik comes before Sund.\n\nPutting this together: Vik, Holm, Sund, Berg.", 5),
    ],
)
def test_an_order_told_from_its_end(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, ROUND).score == score
