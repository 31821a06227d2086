from __future__ import annotations

import pytest

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.sums import terms_of_sums


@pytest.mark.parametrize(
    ("answer", "terms"),
    [
        ("1,456 + 542 = 1,998", {"1456", "542"}),
        ("the 1456 crates plus 542 barrels make 1998", {"1456", "542"}),
        ("If you subtract 542 from 1998, that leaves 1456.", {"542", "1998"}),
        ("They counted 542 crates and 1456 barrels.", set()),
        ("Lamps 542-548 are lit.", set()),
        ("Crates: 542\nBarrels: 1456\n----\nTotal: 1998", {"542", "1456"}),
        ("Kisten 542\nFässer 1456\nZusammen sind es 1998.", {"542", "1456"}),
        ("В ящиках 542, в бочках 1456, всего 1998.", {"542", "1456"}),
        ("木箱542、桶1456，合计1998。", {"542", "1456"}),
        ("542, 1456 or 1998", set()),
        ("Total: 542, 1456, 1998", set()),
    ],
)
def test_what_is_added_up_is_a_term_and_what_comes_out_is_none(answer: str, terms: set[str]) -> None:
    tidied = tidy(answer)
    numbers = [number for number in ("542", "1456", "1998") if number in tidied]
    mentions = [Mention(one, True, tidied.index(one), tidied.index(one) + len(one)) for one in numbers]
    mentions.sort(key=lambda mention: mention.start)
    assert {mention.name for mention in terms_of_sums(tidied, mentions)} == terms
