"""The behaviours that the u-niah paper describes (3.1.3 and 5.2), in our own words, over our own sets.

The paper gives a scale in words and error types with an example or two; an answer's score follows from the
first and its type from the second. "Complete and accurate" answers that doubt themselves are the fourth type
whatever they score; those that withdraw are not "aligned with the reference" and lose the 10.
"""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges.error_types import paper_error_type
from niah.judges.rubric import judge_by_rubric

PIZZA, POTION, COURSES = "pizza-ingredients", "rainbow-potion", "academy-courses"
SEVEN = (
    "crimson essence, emerald liquid, sapphire drops, golden mist,"
    " silver sparkles, amethyst vapor and amber glow"
)
FIFTEEN = key_of(COURSES, 1).answer


@pytest.mark.parametrize(
    ("section", "name", "answer", "score", "kind"),
    [
        ("3.1.3: unrelated", PIZZA, "A good oven matters most of all.", 1, "other"),
        ("3.1.3: totally wrong", PIZZA, "Anchovies, spinach and ricotta.", 1, "missing_and_wrong"),
        ("3.1.3: minor relevance", POTION, "It is made of golden mist.", 3, "missing_only"),
        ("3.1.3: minor relevance", COURSES, "Wand Maintenance.", 3, "missing_only"),
        ("3.1.3: inaccuracies", PIZZA, "Figs, prosciutto and anchovies.", 5, "missing_and_wrong"),
        ("3.1.3: moderate relevance", POTION, "Emerald liquid, golden mist, amber glow.", 5, "missing_only"),
        ("3.1.3: minor omissions", PIZZA, "Goat cheese and figs.", 7, "missing_only"),
        (
            "3.1.3: minor omissions",
            POTION,
            SEVEN.replace("crimson essence, ", ""),
            7,
            "missing_only",
        ),
        ("3.1.3: aligned", PIZZA, "Figs, prosciutto and goat cheese.", 10, "correct"),
        ("3.1.3: order is free", PIZZA, "Prosciutto, goat cheese, and figs.", 10, "correct"),
        (
            "3.1.3: wording is free",
            PIZZA,
            "Start with figs, add goats' cheese, and lay prosciutto on top.",
            10,
            "correct",
        ),
        ("3.1.3: aligned, fifteen", COURSES, FIFTEEN, 10, "correct"),
        ("5.2.2 (1): only missing", COURSES, FIFTEEN.replace("Wand Maintenance, ", ""), 7, "missing_only"),
        (
            "5.2.2 (2): a needle that does not exist",
            PIZZA,
            "Figs, prosciutto, goat cheese, basil.",
            7,
            "wrong_only",
        ),
        ("5.2.2 (2): from the noise", POTION, f"{SEVEN}, and also pearl dust", 7, "wrong_only"),
        (
            "5.2.2 (3): missing and wrong, from background knowledge",
            PIZZA,
            "The three are figs, prosciutto and mozzarella.",
            5,
            "missing_and_wrong",
        ),
        (
            "5.2.2 (4): thought irrelevant to the text",
            PIZZA,
            "Figs, prosciutto and goat cheese come up, but they are not related to the text.",
            1,
            "self_doubt_complete",
        ),
        (
            "5.2.2 (4): contradicted from background knowledge",
            PIZZA,
            "Prosciutto, goat cheese and figs - but this is actually a mistake, nobody bakes with those.",
            1,
            "self_doubt_complete",
        ),
        (
            "5.2.2 (4): denied first, complete after",
            POTION,
            f"The seven colours of the potion are not explicitly mentioned. What the text has is {SEVEN}.",
            10,
            "self_doubt_complete",
        ),
        (
            "5.2.2 (4): complete and accurate, but hedged",
            PIZZA,
            "I am not certain, but it should be figs, prosciutto and goat cheese.",
            10,
            "self_doubt_complete",
        ),
        (
            "5.2.2 (5): incomplete and hedged",
            PIZZA,
            "Maybe figs and prosciutto? I am not sure.",
            7,
            "self_doubt_incomplete",
        ),
        (
            "5.2.2 (5): no answer in the text",
            PIZZA,
            "There is no answer in the text.",
            1,
            "self_doubt_incomplete",
        ),
        (
            "5.2.2 (5): a negative answer",
            POTION,
            "The text does not mention which colour components make up the potion.",
            1,
            "self_doubt_incomplete",
        ),
        ("5.2.2 (6): nonsense", COURSES, "yes yes yes yes yes yes yes", 1, "other"),
        ("5.2.2 (6): nothing", COURSES, "", 1, "other"),
    ],
)
def test_a_behaviour_gets_the_papers_score_and_type(
    section: str, name: str, answer: str, score: int, kind: str
) -> None:
    verdict = judge_by_rubric(answer, key_of(name, 1))
    assert (verdict.score, paper_error_type(verdict)) == (score, kind), (section, verdict.reason)
