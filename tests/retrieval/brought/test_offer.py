"""What retrievers of users return, in the forms in which libraries have it, and in forms that are none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from niah.retrieval.brought.offer import read_offer

TEXTS = ["The ferry leaves at six.", "Bread is sold until noon.", "The bell is\nrung twice.", "It rains."]


@dataclass
class Document:
    """As LangChain's."""

    page_content: str


@dataclass
class Node:
    """As LlamaIndex's: it says its text when asked."""

    said: str

    def get_content(self) -> str:
        return self.said


@dataclass
class NodeWithScore:
    node: Node
    score: float


@pytest.mark.parametrize(
    ("reply", "best_first", "foreign"),
    [
        ([0.1, 0.9, 0.5, 0.2], [1, 2, 3, 0], 0),
        ({"scores": np.array([3, 1, 2, 0])}, [0, 2, 1, 3], 0),
        ({"order": [2, 0]}, [2, 0], 0),
        ({"order": np.array([3, 1])}, [3, 1], 0),
        ({"order": [2, 9, -1, 2]}, [2], 2),
        ([TEXTS[3], TEXTS[1]], [3, 1], 0),
        ((text for text in (TEXTS[3], TEXTS[1])), [3, 1], 0),
        ([Document("It rains."), Document("The bell is rung twice.")], [3, 2], 0),
        ([NodeWithScore(Node("Bread is sold until noon."), 0.8)], [1], 0),
        ({"chunks": [{"text": "It rains."}, {"index": 0}]}, [3, 0], 0),
        (["sold until noon"], [1], 0),
        ([(Document("It rains."), 0.9), (Document("Nobody said so."), 0.4), (TEXTS[1], 0)], [3, 1], 1),
        ({"chunks": [["It rains.", 0.9], [{"index": 0}, 0.1]]}, [3, 0], 0),
        (["Nobody said so.", "It rains.", "It rains.", ""], [3], 2),
        ([], [], 0),
        ({"order": []}, [], 0),
    ],
)
def test_what_is_offered(reply: object, best_first: list[int], foreign: int) -> None:
    offer = read_offer(reply, TEXTS)
    ranking = np.argsort(-offer.scores, kind="stable").tolist()
    assert ranking[: offer.offered] == best_first
    assert offer.foreign == foreign


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ([0.1, 0.2], "it gave 2 scores for 4 chunks"),
        ([0.1, 0.2, float("nan"), 1], "it gave a score that is not a finite number"),
        ({"scores": [1, 2, 3, "4"]}, "it gave a score that is no number"),
        ({"order": [True]}, "its order holds true, not a chunk's number"),
        ({"order": ["1"]}, "its order holds a text, not a chunk's number"),
        (None, "its reply is nothing, not a list"),
        ("It rains.", "its reply is a text, not a list"),
        ({}, "it returned an empty mapping, and not one of scores, order and chunks"),
        ({"hits": []}, "it returned a mapping with hits, and not one of scores, order and chunks"),
        ({"scores": [1], "order": [0]}, "it returned a mapping with scores, order, and not one of"),
        ({"chunks": [{"id": 4}]}, "a chunk that it returned is a mapping, and holds no text"),
        ([object()], "a chunk that it returned is a object, and holds no text"),
        ([True, True], "a chunk that it returned is true, and holds no text"),
    ],
)
def test_what_is_none(reply: object, says: str) -> None:
    with pytest.raises(ValueError, match=says.replace("(", r"\(")):
        read_offer(reply, TEXTS)
