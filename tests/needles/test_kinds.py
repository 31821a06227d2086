"""What each kind demands, and derived distractors: one clear message for each mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.needles.kinds import content_words, stem
from niah.needles.load import load_needle_set

UNANSWERABLE = """
kind: unanswerable
question: Who dug the well?
answer: The text does not say who dug the well.
distractors:
  - id: pond
    text: Sela Marrin dug the pond.
    elements: [{name: Sela Marrin}]
"""
LATENT = """
kind: latent
question: Which of the lodgers was a sailor?
answer: Osrin Tandell was.
elements: [{name: Osrin Tandell}]
needles:
  - id: one
    text: Osrin Tandell ties a bowline in the dark.
    elements: [Osrin Tandell]
"""
HOPS = """
kind: multi-hop
question: What is in the red box?
answer: Salt is.
elements: [{name: salt}]
needles:
  - id: link
    text: The red box holds what the blue box holds.
    elements: []
  - id: end
    text: The blue box holds salt.
    elements: [salt]
"""
QUERY = """
kind: multi-query
question: What are the codes of the ash gate and the elm gate?
answer: Ash 50317, elm 82946.
elements:
  - {name: "50317", key: ash gate}
  - {name: "82946", key: elm gate}
needles:
  - {id: ash, text: The code of the ash gate is 50317., elements: ["50317"]}
  - {id: elm, text: The code of the elm gate is 82946., elements: ["82946"]}
distractors:
  - id: oak
    from: ash
    change: {ash gate: oak gate, "50317": "63529"}
    elements: [{name: "63529"}]
"""
CONFLICT = """
kind: conflicting
question: Where does the coach leave? The later list counts.
answer: From the Ox.
elements: [{name: the Ox}]
needles:
  - {id: new, text: In the list of 1887 it leaves from the Ox., elements: [the Ox]}
distractors:
  - id: old
    from: new
    change: {"1887": "1879", the Ox: the Bell}
    elements: [{name: the Bell}]
"""
ALL = {
    "unanswerable": UNANSWERABLE,
    "latent": LATENT,
    "multi-hop": HOPS,
    "multi-query": QUERY,
    "conflicting": CONFLICT,
}


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("kind", ALL)
def test_good_sets_load(tmp_path: Path, kind: str) -> None:
    assert load_needle_set(write(tmp_path, ALL[kind]), 1).kind == kind


@pytest.mark.parametrize(
    ("text", "change", "key", "says"),
    [
        (
            UNANSWERABLE,
            ("distractors:", "elements: [{name: x}]\ndistractors:"),
            "elements",
            "there can be none",
        ),
        (UNANSWERABLE.partition("distractors:")[0], ("", ""), "distractors", "at least one"),
        (UNANSWERABLE, ("unanswerable", "multi-needle"), "needles", "there are none"),
        (LATENT, ("a bowline", "a sailors' bowline"), "needles.0.text", "shares 'sailors' with the question"),
        (
            QUERY.replace('["82946"]}', '["82946"]}\n  - {id: any, text: Both are new., elements: []}'),
            ("multi-query", "single"),
            "kind",
            "2 needles carry elements",
        ),
        (HOPS, ("elements: [salt]", "elements: []"), "needles.1.elements", "mentions 'salt'"),
        (QUERY, (", key: ash gate", ""), "elements.0.key", "asks for its elements by key"),
        (QUERY, ('    elements: [{name: "63529"}]', ""), "distractors", "a key that nobody asked for"),
        (CONFLICT, ("    elements: [{name: the Bell}]", ""), "distractors", "the older statement"),
        (CONFLICT, ("conflicting", "conflict"), "kind", r"should be single, .* or recall \(given"),
        (CONFLICT, ("from: new", "from: newer"), "distractors.0.from", "no needle is called 'newer'"),
        (CONFLICT, ('"1887": "1879"', '"1886": "1879"'), "distractors.0.change", "'1886' does not occur"),
        (CONFLICT, (", the Ox: the Bell", ""), "distractors.0.text", "must never help"),
        (CONFLICT, ("from: new", "text: x"), "distractors.0", "go together"),
        (CONFLICT, ("from: new", "hardness: hard"), "distractors.0", "Give `text`, or `from`"),
        (
            CONFLICT,
            ("from: new", "from: new\n    hardness: harder"),
            "distractors.0.hardness",
            "should be easy, medium or hard",
        ),
    ],
)
def test_one_clear_message(tmp_path: Path, text: str, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, text.replace(*change)), 1)
    assert caught.value.key == key


def test_supporting_text_carries_nothing(tmp_path: Path) -> None:
    support = "  - {id: keys, text: The sailors on the bench had whistled for it., elements: []}\n"
    for text in (QUERY, LATENT, CONFLICT):
        needle_set = load_needle_set(write(tmp_path, text.replace("needles:\n", f"needles:\n{support}")), 1)
        load_needle_set.cache_clear()
        assert needle_set.needles[0].elements == ()


def test_one_carrier_and_its_supporting_text_are_a_single_set(tmp_path: Path) -> None:
    text = HOPS.replace("kind: multi-hop\n", "").replace("holds what the blue box holds", "is not empty")
    assert load_needle_set(write(tmp_path, text), 1).kind == "single"


def test_a_derived_distractor_is_the_needle_with_phrases_changed(tmp_path: Path) -> None:
    (distractor,) = load_needle_set(write(tmp_path, QUERY), 1).distractors
    assert (distractor.text, distractor.hardness) == ("The code of the oak gate is 63529.", "hard")


def test_changes_are_made_at_once(tmp_path: Path) -> None:
    text = QUERY.replace(
        '{ash gate: oak gate, "50317": "63529"}', '{code: gate, ash gate: code, "50317": "1"}'
    )
    assert load_needle_set(write(tmp_path, text), 1).distractors[0].text == "The gate of the code is 1."


@pytest.mark.parametrize(
    "words", ["sailor sailors sailor's", "bake baked bakes baking", "city cities", "vegetarian vegetarians"]
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len({stem(word.removesuffix("'s")) for word in words.split()}) == 1


def test_stop_words_carry_no_content() -> None:
    assert list(content_words("Which of the lodgers was it that she had seen?").values()) == ["lodgers"]
