"""An order that is told out of sequence, and one with a gap that the answer says it has."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Element, Needle

RIDERS = AnswerKey(
    "riders",
    "In which order did the four riders reach Sollen, the first one first?",
    references=("Anna Keel, Bo Tarn, Cyril Voss, Dee Lang.",),
    elements=tuple(map(Element, ("Anna Keel", "Bo Tarn", "Cyril Voss", "Dee Lang"))),
    needles=(
        Needle("n", "Anna Keel came at ten, Bo Tarn at noon, Cyril Voss at three, Dee Lang at dusk.", ()),
    ),
    ordered=True,
)


@pytest.mark.parametrize(
    "answer",
    [
        "Last: Dee Lang. First: Anna Keel. Second: Bo Tarn. Third: Cyril Voss.",
        "Fourth was Dee Lang, first was Anna Keel, third was Cyril Voss and second was Bo Tarn.",
        "Dee Lang came last, Anna Keel first, Bo Tarn second and Cyril Voss third.",
        "Dee Lang (4th), Cyril Voss (3rd), Bo Tarn (2nd), Anna Keel (1st).",
        "The last to arrive was Dee Lang; the first was Anna Keel, followed by Bo Tarn and then Cyril Voss.",
        "Dee Lang was last. Before her was Cyril Voss, before him Bo Tarn, and the very first Anna Keel.",
        "In reverse order: Dee Lang, Cyril Voss, Bo Tarn, Anna Keel.",
        "The first, Anna Keel, came at ten, the second, Bo Tarn, at noon; then Cyril Voss, last Dee Lang.",
        "Fourth place went to Dee Lang, third to Cyril Voss, second to Bo Tarn, the winner was Anna Keel.",
        "The runner-up was Bo Tarn, the winner Anna Keel, third Cyril Voss, fourth Dee Lang.",
        "Second was Bo Tarn, third Cyril Voss, fourth Dee Lang; the ride was won by Anna Keel.",
        "4. Dee Lang\n3. Cyril Voss\n2. Bo Tarn\n1. Anna Keel",
        "The first was Anna Keel and the last was Dee Lang; between them came Bo Tarn and Cyril Voss.",
    ],
)
def test_the_order_told_counts(answer: str) -> None:
    assert judge_by_rubric(answer, RIDERS).score == 10


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Last: Anna Keel. First: Dee Lang. Second: Bo Tarn. Third: Cyril Voss.", 5),
        ("The second was Anna Keel, the first Bo Tarn, the third Cyril Voss, the last Dee Lang.", 5),
        ("Before Anna Keel came Bo Tarn, then Cyril Voss, then Dee Lang.", 5),
        ("First Dee Lang, then Cyril Voss, then Bo Tarn, and last Anna Keel.", 3),
        ("Not in reverse order: Dee Lang, Cyril Voss, Bo Tarn, Anna Keel.", 3),
        ("In reverse order: Anna Keel, Bo Tarn, Cyril Voss, Dee Lang.", 3),
    ],
)
def test_a_wrong_order_told_out_of_sequence_is_wrong(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, RIDERS).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("1. Anna Keel\n2. Bo Tarn\n3. Dee Lang\n\nI found no time for Cyril Voss.", 7),
        ("Bo Tarn, Cyril Voss, Dee Lang. I found nothing on when Anna Keel came.", 7),
        ("Anna Keel, Bo Tarn, Dee Lang. Cyril Voss's arrival is not mentioned.", 7),
        ("Anna Keel, Bo Tarn, Dee Lang. As for Cyril Voss, I could not find his arrival.", 7),
        ("Anna Keel, Bo Tarn, Dee Lang. Then came Cyril Voss.", 5),
        ("Anna Keel, Bo Tarn, Cyril Voss, Dee Lang. No exact time is given for Cyril Voss.", 10),
        ("Anna Keel, then Bo Tarn, then Cyril Voss. Dee Lang, whose time isn't given, was last.", 10),
    ],
)
def test_what_is_said_to_be_untold_has_no_place(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, RIDERS).score == score


@pytest.mark.parametrize(
    "answer",
    [
        "Fourth place went to Anna Keel, third to Bo Tarn, second to Cyril Voss, the winner was Dee Lang.",
        "4. Anna Keel\n3. Bo Tarn\n2. Cyril Voss\n1. Dee Lang",
        "The first was Dee Lang and the last was Anna Keel; between them came Bo Tarn and Cyril Voss.",
        "The winner was Dee Lang, then Cyril Voss, Bo Tarn, Anna Keel.",
    ],
)
def test_the_other_way_about_it_is_wrong(answer: str) -> None:
    assert judge_by_rubric(answer, RIDERS).score <= 5
