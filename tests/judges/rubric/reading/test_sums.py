from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.normalise import tidy
from niah.judges.rubric.reading.sums import terms_of_sums
from niah.needles.needle_set import Distractor, Element, Needle


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


LANDED = AnswerKey(
    "landed",
    "How many bales of hemp and casks of tallow did the Corisande land at Orvik?",
    references=("She landed 412 bales of hemp and 65 casks of tallow.",),
    elements=(
        Element("412 bales of hemp", ("412 bales", "412")),
        Element("65 casks of tallow", ("65 casks",)),
    ),
    needles=(
        Needle("a", "The Corisande landed 412 bales of hemp at Orvik.", ()),
        Needle("b", "The Corisande landed 65 casks of tallow at Orvik.", ()),
    ),
    distractors=(Distractor("d", "At Tofta the Corisande landed 88 bales of wool.", (Element("88 bales"),)),),
)
LETTERS = AnswerKey(
    "letters",
    "How many letters did the post office at Harrow Bridge sort before noon?",
    references=("Before noon it sorted 412 letters.",),
    elements=(Element("412", ("412 letters",)),),
    needles=(Needle("a", "Before noon the post office at Harrow Bridge sorted 412 letters.", ()),),
    distractors=(Distractor("b", "In the evening it had 175 letters to sort.", (Element("175"),)),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("500 bales of hemp (412 + 88) and 65 casks of tallow", 5),
        ("407 bales of hemp (412 minus five spoilt ones), 65 casks of tallow", 5),
        ("412 + 88 = 500 bales of hemp, 65 casks of tallow.", 5),
        ("412 bales of hemp (500 minus 88) and 65 casks of tallow", 10),
        ("477 pieces in all (412 bales + 65 casks)", 10),
        ("412 bales and 65 casks. With those of Tofta it was 500 bales (412 + 88).", 10),
        ("412 bales of hemp (206 + 206), 65 casks of tallow (60 + 5)", 10),
    ],
)
def test_what_another_number_is_reckoned_from_is_not_said(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, LANDED).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("The office sorted 412 letters before noon and 175 in the evening, a total of **587**.", 5),
        ("It sorted 412, then 175. The office at Harrow Bridge sorted **587** before noon in total.", 1),
        ("The office sorted 412 letters before noon and 175 later. Answer: 587 in total.", 1),
        ("412 + 175 = 587", 1),
        ("In all 587, 412 of them before noon.", 5),
    ],
)
def test_a_total_does_not_overrule_the_part_that_was_asked_for(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, LETTERS).score == score


_FARM = AnswerKey(
    "farm",
    "How many goats, hens and bees does the farm of Holm have? Give each number.",
    elements=(Element("214", key="goats"), Element("331", key="hens"), Element("900", key="bees")),
)


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ("Goats and hens together: 545.", ()),
        ("Without the bees that is 545 in all.", ()),
        ("Without the bees that is 546 in all.", ("546",)),
    ],
)
def test_the_total_of_several_that_were_asked_for_is_no_wrong_one(told: str, wrong: tuple[str, ...]) -> None:
    verdict = judge_by_rubric(f"Goats: 214. Hens: 331. Bees: 900. {told}", _FARM)
    assert (len(verdict.found), verdict.wrong) == (3, wrong)
