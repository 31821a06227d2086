"""What is asked in the tests of several rules."""

from __future__ import annotations

from niah.cases.sample import AnswerKey
from niah.needles.needle_set import Distractor, Element, Needle

HUT = AnswerKey(
    "hut",
    "Which four things belong to the rescue hut of Dorval?",
    references=("A pickaxe, a lantern, an ice saw and a rope ladder.",),
    elements=tuple(map(Element, ("pickaxe", "lantern", "ice saw", "rope ladder"))),
    needles=(Needle("n", "The rescue hut has a pickaxe, a lantern, an ice saw and a rope ladder.", ()),),
    distractors=(
        Distractor("d", "The sledge in the hut is only borrowed from the school.", (Element("sledge"),)),
        Distractor("e", "The rescue hut of Ferran owns a stove.", (Element("stove"),)),
    ),
)
MAP = AnswerKey(
    "map",
    "Who drew the map that hangs in the keeper's cabin at Ostrel?",
    references=("The map in the keeper's cabin at Ostrel was drawn by Ida Brandt.",),
    elements=(Element("Ida Brandt"),),
    needles=(Needle("n", "The map at Ostrel is from the Quill workshop, where Ida Brandt draws.", ()),),
    distractors=(
        Distractor("d", "The map at Ostrel was framed by Marta Vogel.", (Element("Marta Vogel"),)),
        Distractor("e", "The maps of the Reed workshop are by Paul Kessler.", (Element("Paul Kessler"),)),
    ),
)
