"""An item that is listed in its turn is claimed: "last of all there is the Corncrake"."""

import pytest

from niah.judges import judge_by_rubric
from tests.judges.rubric.test_counted_items import KEY


@pytest.mark.parametrize(
    "answer",
    [
        "The Halcyon, the Bluebell, the Marigold. Last of all there is the Corncrake.",
        "The Halcyon, the Bluebell, the Marigold. Last of them comes Corncrake.",
        "First of all there is Corncrake. Then come the Halcyon, the Bluebell and the Marigold.",
        "Die Fähren heißen Halcyon, Bluebell und Marigold. Als Letztes kommt die Corncrake.",
        "Halcyon, Bluebell, Marigold. Pour finir il y a Corncrake.",
        "Halcyon, Bluebell, Marigold. En último lugar está el Corncrake.",
        "As balsas são Halcyon, Bluebell e Marigold. Em último lugar vem a Corncrake.",
        "Halcyon, Bluebell, Marigold. Per ultimo c'è il Corncrake.",
        "首先有那艘叫Corncrake的渡轮。然后是Halcyon、Bluebell和Marigold。",
        "Halcyon、Bluebell、Marigold。まずはそこにCorncrakeがあります。",
        "Halcyon, Bluebell, Marigold입니다. 끝으로 거기에는 Corncrake 이 있습니다.",
        "Halcyon, Bluebell, Marigold. Напоследок идёт паром Corncrake.",
    ],
)
def test_each_in_its_turn(answer: str) -> None:
    verdict = judge_by_rubric(answer, KEY)
    assert (verdict.score, verdict.wrong) == (7, ("Corncrake",))


def test_what_is_told_after_the_list_is_told_of_something_else() -> None:
    answer = "The Halcyon, the Bluebell, the Marigold. Corncrake carries gravel on the Tamsin."
    assert judge_by_rubric(answer, KEY).score == 10
