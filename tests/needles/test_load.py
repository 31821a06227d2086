from pathlib import Path

import pytest

from niah.errors import ConfigError, UnknownName
from niah.needles.load import load_needle_set

GOOD = """
question: Which two?
answer: Red moss and blue sand.
elements:
  - name: red moss
    aliases: [crimson moss]
  - name: blue sand
needles:
  - id: one
    text: The first is crimson
      moss.
    elements: [red moss]
  - id: two
    text: The second is blue sand.
    elements: [blue sand]
distractors:
  - id: far
    text: Elsewhere it is green slate.
    elements: [{name: green slate}]
"""


KEYED = """
question: What are the codes of the copper gate and the willow gate?
answer: Copper 50317, willow 82946.
elements:
  - name: "50317"
    key: copper gate
  - name: "82946"
    key: willow gate
needles:
  - id: one
    text: The code of the copper gate is 50317.
    elements: ["50317"]
  - id: two
    text: The code of the Willow-Gate is 82946.
    elements: ["82946"]
distractors:
  - id: far
    text: The code of the marble gate is 63529.
    elements: [{name: "63529"}]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_a_good_set(tmp_path: Path) -> None:
    needle_set = load_needle_set(write(tmp_path, GOOD), 1)
    assert needle_set.name == "mine"
    assert needle_set.needles[0].text == "The first is crimson moss."
    assert needle_set.elements[0].names == ("red moss", "crimson moss")
    assert needle_set.distractors[0].elements[0].name == "green slate"


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (("question:", "questions:"), "questions", "Did you mean 'question'"),
        (("    aliases:", "    alias:"), "elements.0.alias", "Did you mean 'aliases'"),
        (("elements: [blue sand]", "elements: [blue snad]"), "needles.1.elements", "not under elements"),
        (("is blue sand.", "is white sand."), "needles.1.text", "neither it nor an alias"),
        (("The second is", "Not red moss; the second is"), "needles.1.elements", "not listed"),
        (("is green slate.", "is Red-Moss."), "distractors.0.text", "must never help"),
        (("id: two", "id: one"), "needles.1", "stands twice"),
        (("name: blue sand", "name: red moss"), "elements.1", "stands twice"),
        (
            ("elements: [blue sand]", "elements: []"),
            "needles.1.elements",
            "mentions 'blue sand', which is not",
        ),
        (("id: two", "id: Two Words"), "needles.1.id", "'Two Words' is no name"),
        (("answer: Red moss and blue sand.", "answer: 7"), "answer", "should be text"),
    ],
)
def test_one_clear_message(tmp_path: Path, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, GOOD.replace(*change)), 1)
    assert caught.value.key == key


def test_a_good_set_with_keys(tmp_path: Path) -> None:
    needle_set = load_needle_set(write(tmp_path, KEYED), 1)
    assert [element.key for element in needle_set.elements] == ["copper gate", "willow gate"]
    assert [element.key for element in needle_set.distractors[0].elements] == [""]


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (("    key: willow gate\n", ""), "elements.1.key", "Give every element a key, or none"),
        (("key: willow gate", "key: Copper Gate"), "elements.1.key", "'Copper Gate' stands twice"),
        (("key: willow gate", "key: oak gate"), "elements.1.key", "question does not mention 'oak gate'"),
        (("of the Willow-Gate is", "of one is"), "needles.1.text", "does not mention its key, 'willow gate'"),
        (("key: willow gate", "key: ' '"), "elements.1.key", "no letter and no digit"),
        (("key: willow gate", "key: 7"), "elements.1.key", "should be text"),
        (("key: willow gate", "keys: willow gate"), "elements.1.keys", "Did you mean 'key'"),
        (('{name: "63529"}', '{name: "63529", key: x}'), "distractors.0.elements.0.key", "unknown key"),
    ],
)
def test_one_clear_message_on_keys(tmp_path: Path, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, KEYED.replace(*change)), 1)
    assert caught.value.key == key


def test_ids_and_elements_of_a_single_fact_follow_from_it(tmp_path: Path) -> None:
    fact = 'question: Which code?\nanswer: "7316."\nneedles: [{text: "The code is 7316."}]\n'
    found = load_needle_set(write(tmp_path, fact), 1)
    assert [(needle.id, needle.elements) for needle in found.needles] == [("needle-1", ("7316",))]
    assert ([each.name for each in found.elements], found.kind) == (["7316"], "single")
    (tmp_path / "other").mkdir()
    elsewhere = write(tmp_path / "other", fact.replace("is 7316", "is 7317"))
    with pytest.raises(ConfigError, match="no needle carries '7316'"):
        load_needle_set(elsewhere, 1)


def test_a_needle_that_says_nothing_of_elements_carries_those_that_it_mentions(tmp_path: Path) -> None:
    bare = GOOD.replace("    elements: [red moss]\n", "").replace("    elements: [blue sand]\n", "")
    found = load_needle_set(write(tmp_path, bare), 1)
    assert [needle.elements for needle in found.needles] == [("red moss",), ("blue sand",)]
    (tmp_path / "other").mkdir()
    none = write(tmp_path / "other", bare.replace("The second is blue sand.", "The second is red sand."))
    with pytest.raises(ConfigError, match="no needle carries 'blue sand'"):
        load_needle_set(none, 1)


def test_an_element_that_no_needle_carries_is_refused(tmp_path: Path) -> None:
    text = GOOD.replace("needles:\n", "  - name: grey ash\nneedles:\n")
    with pytest.raises(ConfigError, match="no needle carries 'grey ash'"):
        load_needle_set(write(tmp_path, text), 1)


def test_no_needles_at_all_is_refused(tmp_path: Path) -> None:
    head, _, _ = GOOD.partition("needles:")
    with pytest.raises(ConfigError, match="needles"):
        load_needle_set(write(tmp_path, head + "needles: []\n"), 1)


def test_an_unknown_set_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'pizza-ingredients'"):
        load_needle_set("pizza-ingredient", 1)
