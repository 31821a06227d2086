"""What an answer puts in the place of another ("statt X ist es Y"), and who is named twice in a list."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

MUSHROOMS = AnswerKey(
    "mushrooms",
    "Welche drei Pilze trocknet die Köchin Reni Talhofer auf dem Dachboden?",
    references=("Reni Talhofer trocknet Steinpilze, Pfifferlinge und Maronen auf dem Dachboden.",),
    elements=(Element("Steinpilz"), Element("Pfifferling"), Element("Marone")),
    needles=(
        Needle("a", "Auf dem Dachboden trocknet die Köchin Reni Talhofer Steinpilze.", ()),
        Needle("b", "Pfifferlinge trocknet Reni Talhofer auf Fäden.", ()),
        Needle("c", "Auch Maronen legt die Köchin Reni Talhofer auf dem Dachboden aus.", ()),
    ),
    distractors=(Distractor("d", "Der Wirt trocknet auf dem Dachboden Morcheln.", (Element("Morchel"),)),),
)
CLOCK = AnswerKey(
    "clock",
    "Wer hat die Turmuhr von Grell repariert?",
    references=("Die Turmuhr von Grell hat Sophie Anders repariert.",),
    elements=(Element("Sophie Anders", ("Anders",)),),
    needles=(Needle("n", "Die Turmuhr von Grell hat Sophie Anders repariert.", ()),),
    distractors=(
        Distractor("d", "Die Turmuhr von Murr hat Karl Weck repariert.", (Element("Karl Weck", ("Weck",)),)),
    ),
)
WILL = AnswerKey(
    "will",
    "To which three people did the widow Ingram leave something?",
    references=("The widow Ingram left something to Tom Farrow, Mrs Bell and the sexton.",),
    elements=(Element("Tom Farrow"), Element("Mrs Bell"), Element("the sexton", ("sexton",))),
    needles=(
        Needle("a", "Widow Ingram left her clock to Tom Farrow.", ()),
        Needle("b", "To Mrs Bell the widow Ingram left her linen.", ()),
        Needle("c", "The sexton got widow Ingram's spade.", ()),
    ),
    distractors=(
        Distractor("d", "The rector had hoped for a house in vain.", (Element("the rector", ("rector",)),)),
    ),
)


@pytest.mark.parametrize(
    ("key", "answer", "score"),
    [
        (MUSHROOMS, "Steinpilze, Pfifferlinge, Morcheln. Nein, statt Morcheln sind es Maronen.", 10),
        (MUSHROOMS, "Steinpilze, Pfifferlinge und Maronen. Nein, statt Maronen sind es Morcheln.", 5),
        (MUSHROOMS, "Steinpilze, Pfifferlinge und statt der Morcheln Maronen.", 10),
        (MUSHROOMS, "Sie trocknet Steinpilze, Pfifferlinge und Maronen, und zwar auf dem Dachboden.", 10),
        (
            WILL,
            "Tom Farrow, the rector and Mrs Bell. Correction: instead of the rector it was the sexton.",
            10,
        ),
        (CLOCK, "Karl Weck. Nein, statt Karl Weck war es Sophie Anders.", 10),
        (CLOCK, "Sophie Anders. Nein, statt Sophie Anders war es Karl Weck.", 1),
        (CLOCK, "Anstelle von Karl Weck ist Sophie Anders zu nennen.", 10),
        (WILL, "Tom Farrow, Mrs Bell and the rector. No, instead of the rector it is the sexton.", 10),
        (WILL, "Tom Farrow, Mrs Bell and the sexton. No, instead of the sexton it is the rector.", 5),
    ],
)
def test_what_is_put_in_the_place_of_another_takes_it(key: AnswerKey, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("Tom Farrow, her housekeeper, Mrs Bell, and the sexton.", 10),
        ("Her nephew, Tom Farrow, the sexton and her housekeeper, Mrs Bell.", 10),
        ("Tom Farrow, the widow Ansgar and her housekeeper, Mrs Bell.", 5),
        ("Tom Farrow, the schoolmaster and his sister, Mrs Bell.", 5),
        ("Tom Farrow, Mrs Bell, the sexton and his wife, Anna Cole.", 7),
    ],
)
def test_who_is_named_twice_in_a_list_is_one_item(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, WILL).score == score
