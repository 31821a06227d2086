"""What the rules say that they cannot decide, and what they are sure of."""

from __future__ import annotations

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.judges.verdict import Unsure
from niah.needles.needle_set import Distractor, Element, Needle

ORCHARD = AnswerKey(
    "orchard",
    "What did the warden of Lethby orchard promise her sister, and when does the cider press open?",
    ("She promised to prune the old pear trees, and the press opens on 14 October.",),
    elements=(Element("prune the old pear trees"), Element("14 October")),
    needles=(Needle("n", "She promised to prune the old pear trees.", ("prune the old pear trees",)),),
)
KILN = AnswerKey(
    "kiln",
    "Who lit the kiln at Marrowgate?",
    ("Osbert Thane lit it.",),
    elements=(Element("Osbert Thane"),),
    needles=(Needle("n", "Osbert Thane lit the kiln at Marrowgate.", ("Osbert Thane",)),),
    distractors=(Distractor("d", "Wilma Crake lit the kiln at Dunholt.", (Element("Wilma Crake"),)),),
)
SHELF = AnswerKey(
    "shelf",
    "Which two spices stand on the upper shelf of the galley?",
    ("Nutmeg and star anise.",),
    elements=(Element("nutmeg"), Element("star anise")),
    needles=(Needle("n", "On the upper shelf stand nutmeg and star anise.", ("nutmeg", "star anise")),),
)
GATE = AnswerKey(
    "gate",
    "May the drovers use the north gate after dark, yes or no?",
    ("Yes, they may.",),
    elements=(Element("yes", derived=True),),
    needles=(Needle("n", "Drovers are let through the north gate at every hour.", ("yes",)),),
    traps=(Element("no", derived=True),),
)
BRIDGE = AnswerKey("bridge", "What did the bridge at Ollen cost?", kind="unanswerable")


def unsure(answer: str, key: AnswerKey) -> Unsure | None:
    return judge_by_rubric(answer, key).unsure


@pytest.mark.parametrize(
    ("answer", "key", "bounds"),
    [
        ("She would look after the old pear trees; the press opens on 14 October.", ORCHARD, (5, 10)),
        ("She'd look after those old trees.", ORCHARD, (1, 5)),
        ("Osbart Thayne", KILN, (1, 10)),
        ("Osbert Thane lit the kiln at Marrowgate. Wilma Crake lit the kiln at Marrowgate.", KILN, (1, 10)),
        ("They are let through at every hour of the night.", GATE, (1, 10)),
        (
            "Two kilns burned in those days, and the parish books name whoever lit them: Wilma Crake on the"
            " hill, Osbert Thane in the town, which is the one that you want to hear about, as I take it.",
            KILN,
            (1, 10),
        ),
        ("It isn't said when, but a pruning is what those old trees would get.", ORCHARD, (1, 5)),
        ("Muskatnuss und Sternanis stehen dort auf dem oberen Brett.", SHELF, (5, 10)),
        ("На верхней полке лежат мускатный орех и бадьян.", SHELF, (5, 10)),
        ("Op de bovenste plank van de kombuis staan de specerijen die je zoekt.", SHELF, (1, 10)),
        ("Most podle mě není drahý, ale text to neříká, je to jako vždy.", BRIDGE, (1, 10)),
        (
            "On the upper shelf of the galley, the one above the stove that the cook polishes on Sundays,"
            " there stand two spices in small jars of blue glass, both brought home by the boatswain.",
            SHELF,
            (1, 10),
        ),
    ],
)
def test_what_can_be_read_in_two_ways(answer: str, key: AnswerKey, bounds: tuple[float, float]) -> None:
    verdict = judge_by_rubric(answer, key)
    if bounds[0] == bounds[1]:  # no reading would change the score: there is nothing to be unsure of
        assert (verdict.unsure, verdict.score) == (None, bounds[0])
        return
    assert verdict.unsure is not None
    assert (verdict.unsure.lowest, verdict.unsure.highest) == bounds
    assert verdict.unsure.lowest <= verdict.score <= verdict.unsure.highest


@pytest.mark.parametrize(
    ("answer", "key"),
    [
        ("She promised to prune the old pear trees; the press opens on 14 October.", ORCHARD),
        ("I am not sure, but 14 October, and she would prune the old pear trees.", ORCHARD),
        ("14 October.", ORCHARD),
        ("The text does not say who lit it.", KILN),
        ("Wilma Crake", KILN),
        ("Osbert Thane and Wilma Crake.", KILN),
        ("She promised to prune the old pear trees, and the press opens on 14 November.", ORCHARD),
        ("Osbert Thane. Also Wilma Crake.", KILN),
        (
            "Those who lit the kiln at Marrowgate in that year of frost:\n- Osbert Thane\n- Wilma Crake",
            KILN,
        ),
        ("Joss Pemberley lit the kiln at Marrowgate.", KILN),
        ("Nutmeg and cinnamon.", SHELF),
        ("- nutmeg\n- star anise\n- cinnamon", SHELF),
        ("No.", GATE),
        ("", GATE),
        ("The text does not tell what it cost.", BRIDGE),
        ("It cost 400 crowns.", BRIDGE),
        ("Good morning! How can I help?", SHELF),
    ],
)
def test_what_the_rules_are_sure_of(answer: str, key: AnswerKey) -> None:
    assert unsure(answer, key) is None


def test_the_reason_names_what_is_open() -> None:
    found = unsure("She'd look after those old trees.", ORCHARD)
    assert found is not None
    assert "prune the old pear trees" in found.reason
    other = unsure("Osbert Thane lit the kiln at Marrowgate. Wilma Crake lit the kiln at Marrowgate.", KILN)
    assert other is not None
    assert "Wilma Crake" in other.reason


def test_another_number_beside_the_unit_is_wrong() -> None:
    key = AnswerKey(
        "well",
        "How deep is the well at Sorrel, who dug it, and with what?",
        ("38 metres, Tilda Marsh, a spade.",),
        elements=(Element("38 metres"), Element("Tilda Marsh"), Element("spade")),
        needles=(Needle("n", "She dug 38 metres with a spade.", ("38 metres", "spade")),),
    )
    verdict = judge_by_rubric("Tilda Marsh dug it with a spade, down to 83 metres.", key)
    assert (verdict.score, verdict.wrong, verdict.unsure) == (5, ("83 metres",), None)
