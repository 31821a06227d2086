"""Answers that mend or take back a part of what they have said, and words with forms of their own."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from tests.judges.rubric.test_siblings import key

TOOLS = key("Which three tools hung in the shed?", "sickle", "billhook", "pruning knife", other="scythe")
BRIDGE = key("On what date was the bridge opened?", "3 October 1894", other="9 May 1890")
SACK = key("What does a sack cost?", "3.60 crowns", other="4.15 crowns")
SPAN = key("How long is the span?", "212 feet", other="121 feet")
LOAVES = key("How many loaves come of it?", "6 loaves", other="9 loaves")
SHARE = key("What share of the tiles cracks in the kiln?", "25 %", other="a third")
GIFT = key("What did the miller's son want?", "a workshop of his own", other="a new coat")
REPAIRS = key(
    "Which two repairs did the tenants carry out?",
    *("whitewashed the scullery", "rehung the garden gate"),
    other="mended the chimney",
)


@pytest.mark.parametrize(
    ("asked", "answer", "score"),
    [
        (TOOLS, "Sickle, billhook, pruning knife and scythe. I take the scythe back; that was the barn.", 10),
        (TOOLS, "Sickle, billhook, pruning knife and scythe. Scratch the scythe.", 10),
        (TOOLS, "Sickle, billhook, pruning knife. On reflection I withdraw the sickle.", 7),
        (TOOLS, "Sickle, billhook, pruning knife. Take the sickle and the billhook back out, please.", 5),
        (TOOLS, "Sickle, billhook, pruning knife. I'd rather not answer after all.", 1),
        (TOOLS, "Sickle, billhook, pruning knife. I must decline to answer, come to think of it.", 1),
        (TOOLS, "Sickle, billhook, pruning knife. He took the sickle back to the shed later.", 10),
        (TOOLS, "Sickle, billhook, pruning knife. Tools of the barn's owner were not included.", 10),
        (TOOLS, "Sickles, billhooks and pruning knives.", 10),
        (BRIDGE, "9 May 1890 - sorry, that's the cornerstone; it opened on 3 October 1894.", 10),
        (BRIDGE, "3 October 1894 - sorry, that's the cornerstone; it opened on 9 May 1890.", 1),
        (BRIDGE, "9 May 1890. Oops, wrong bridge: 3 October 1894.", 10),
        (BRIDGE, "9 May 1890. My apologies, I mixed the two up. 3 October 1894 is when it opened.", 10),
        (BRIDGE, "9 May 1890. Hmm, my bad: 3 October 1894.", 10),
        (BRIDGE, '{"opened": "1894-10-03T09:30:00Z"}', 10),
        (BRIDGE, '{"opened": "1890-05-09T09:30:00Z"}', 1),
        (SACK, "Three crowns sixty.", 10),
        (SACK, "Three crowns sixteen.", 1),
        (SPAN, "212\N{PRIME}", 10),
        (SPAN, "212'6''", 1),
        (LOAVES, "Half a dozen loaves.", 10),
        (LOAVES, "Two and a half dozen loaves.", 1),
        (SHARE, "One tile in four.", 10),
        (SHARE, "One out of every four tiles.", 10),
        (SHARE, "Eine von vier.", 10),
        (SHARE, "Une sur quatre.", 10),
        (SHARE, "Una de cada cuatro.", 10),
        (SHARE, "One in five.", 1),
        (
            GIFT,
            "A workshop of his own. No, wait, a new coat. Actually my original answer was correct: a workshop"
            " of his own.",
            10,
        ),
        (REPAIRS, "Whitewashing the scullery and rehanging the garden gate.", 10),
        (REPAIRS, "Whitewashing the scullery and painting the garden gate.", 5),
    ],
)
def test_what_stands_in_the_end_counts(asked: AnswerKey, answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, asked)
    assert verdict.score == score, verdict.reason
