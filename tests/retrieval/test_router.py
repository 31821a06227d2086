from __future__ import annotations

import pytest

from niah.retrieval.mixpr.router import route


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this book.",
        "What are the three most common words in the text above?",
        "Which coded words appear most often?",
        "What is the overall message?",
        "Overall, how did the family fare?",
        "Describe the whole document.",
        "How does the king change throughout the story?",
        "Could you put together an outline of the report for me?",
        "Count all the tickets, then say which station has the fewest.",
    ],
)
def test_questions_about_the_whole_are_global(question: str) -> None:
    assert route(question) == "global"


@pytest.mark.parametrize(
    "question",
    [
        "What was the overall cost of the trip?",
        "Who is the main character's uncle?",
        "Where is the key to the most beautiful room?",
        "What was the letter about?",
        "Who wrote the summary of the inquest?",
        "Which of the two sisters was the more common guest?",
        "",
    ],
)
def test_questions_about_one_place_are_local(question: str) -> None:
    assert route(question) == "local"


def test_a_long_question_is_routed_at_once() -> None:
    assert route("count all words, most of them " * 3_000) == "global"
    assert route("give the most, count the top " * 3_000 + "Summarise it.") == "global"
    assert route("give a list of the more usual things " * 3_000) == "local"
