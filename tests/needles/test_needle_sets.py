"""Written needle sets: defaults, one clear message for each mistake, files that change, and what ships."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import niah
from niah.cases.case import Case
from niah.cases.samples import fingerprint_of, key_of
from niah.errors import ConfigError
from niah.needles.load import load_needle_set, needle_set_names
from niah.text.tokenizer import get_tokenizer

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
kind: multi-query
question: What are the codes of the ash gate and the elm gate?
answer: Ash 50317, elm 82946.
elements:
  - {name: "50317", key: ash gate}
  - {name: "82946", key: elm gate}
needles:
  - {id: ash, text: The code of the ash gate is 50317., elements: ["50317"]}
  - {id: elm, text: The code of the Elm-Gate is 82946., elements: ["82946"]}
distractors:
  - id: oak
    from: ash
    change: {ash gate: oak gate, "50317": "63529"}
    elements: [{name: "63529"}]
"""
NESTED = """
question: Which two?
answer: Red moss and blue sand.
elements: [{name: red moss}, {name: blue sand}]
needles:
  - {id: one, inside: long, text: The first is red moss.}
  - {id: two, inside: long, text: The second is blue sand.}
passages:
  - id: long
    text: It rained. The first is red moss. "So it is." The second is blue
      sand. Nobody said green slate.
    elements: [{name: green slate}]
  - id: empty
    text: Nothing happened here.
"""
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
needles: [{text: Osrin Tandell ties a bowline in the dark., elements: [Osrin Tandell was]}]
elements: [{name: Osrin Tandell was, aliases: [Osrin Tandell]}]
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
FERRY = """
question: Did the Perrow ferry run on the day of the fair?
options: ["yes", "no"]
answer: No, it did not.
elements: [{name: "no", aliases: [did not run], derived: true}]
needles:
  - {text: On the day of the fair the rope of the Perrow ferry lay in Hask., elements: ["no"]}
  - {text: Without its rope the Perrow ferry stays where it is., elements: ["no"]}
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_distractors_made_of_needles_and_nested_needles(tmp_path: Path) -> None:
    (made,) = load_needle_set(write(tmp_path, KEYED), 1).distractors
    assert (made.text, made.hardness) == ("The code of the oak gate is 63529.", "hard")
    at_once = '{code: gate, ash gate: code, "50317": "1"}'
    text = KEYED.replace('{ash gate: oak gate, "50317": "63529"}', at_once)
    assert load_needle_set(write(tmp_path, text), 1).distractors[0].text == "The gate of the code is 1."
    nested = load_needle_set(write(tmp_path, NESTED), 1)
    assert [needle.elements for needle in nested.needles] == [("red moss",), ("blue sand",)]
    assert [trap.name for trap in nested.traps] == ["green slate"]
    assert all(needle.text in nested.passages[0].text for needle in nested.needles)


def test_what_a_file_leaves_out_follows_from_the_rest(tmp_path: Path) -> None:
    fact = 'question: Which code?\nanswer: "7316."\nneedles: [{text: "The code is 7316."}]\nform: number\n'
    found = load_needle_set(write(tmp_path, fact), 1)
    assert [(needle.id, needle.elements) for needle in found.needles] == [("needle-1", ("7316",))]
    assert ([each.name for each in found.elements], found.kind) == (["7316"], "single")
    assert key_of(str(tmp_path / "mine.yaml"), 1).form == "number"
    assert niah.judge("It is 7316.", tmp_path / "mine.yaml").score == 10
    bare = GOOD.replace("    elements: [red moss]\n", "").replace("    elements: [blue sand]\n", "")
    found = load_needle_set(write(tmp_path, bare), 1)
    assert [needle.elements for needle in found.needles] == [("red moss",), ("blue sand",)]


def test_options_follow_a_question_that_does_not_name_them(tmp_path: Path) -> None:
    asked = load_needle_set(write(tmp_path, FERRY), 1).question
    assert asked.endswith("day of the fair? Answer with one of these: yes, no.")
    lettered = load_needle_set(write(tmp_path, f"letters: true{FERRY}"), 1).question
    assert lettered.endswith("Answer with one of these: (A) yes, (B) no.")
    named = FERRY.replace("of the fair?", "of the fair, yes or no?")
    assert load_needle_set(write(tmp_path, named), 1).question.endswith("of the fair, yes or no?")


@pytest.mark.parametrize(
    ("text", "old", "new", "key", "says"),
    [
        (GOOD, "[blue sand]", "[blue snad]", "needles.1.elements", "not under elements"),
        (GOOD, "is blue sand.", "is white sand.", "needles.1.text", "neither it nor an alias"),
        (GOOD, "The second", "Not red moss; the second", "needles.1.elements", "not listed"),
        (GOOD, "is green slate.", "is Red-Moss.", "distractors.0.text", "must never help"),
        (GOOD, "elements: [blue sand]", "elements: []", "needles.1.elements", "mentions 'blue sand'"),
        (KEYED, ", key: elm gate", "", "elements.1.key", "asks for its elements by key"),
        (KEYED, "key: elm gate", "key: yew gate", "elements.1.key", "does not mention 'yew gate'"),
        (KEYED, "of the Elm-Gate is", "of one is", "needles.1.text", "does not mention its key"),
        (KEYED, '    elements: [{name: "63529"}]', "", "distractors", "a key that nobody asked for"),
        (NESTED, "It rained.", "The first is red moss.", "needles.0.text", "occurs 2 times"),
        (NESTED, "It rained. The", "It rained, and The", "needles.0.text", "not made of whole sentences"),
        (NESTED, "It rained.", "It rained red moss.", "passages.0.text", "mentions 'red moss' outside"),
        (NESTED, "name: green slate", "name: red slate", "traps.0", "no needle or passage mentions"),
        (UNANSWERABLE, UNANSWERABLE.partition("dis")[2], "tractors: []", "distractors", "at least one"),
        (LATENT, "a bowline", "a sailors' bowline", "needles.0.text", "shares 'sailors' with the question"),
        (CONFLICT, "from: new", "hardness: hard", "distractors.0", "Give `text`, or `from`"),
        (FERRY, 'options: ["yes", "no"]', "letters: true", "", "`letters` are those of up to 26 `options`"),
        (FERRY, '["yes", "no"]', '["no", "Y"]\nletters: true', "", "none of which is a letter itself"),
        (CONFLICT, ", the Ox: the Bell", "", "distractors.0.text", "must never help"),
        (FERRY, ", derived: true", "", "needles.0.text", "derived: true"),
        (FERRY, '["yes", "no"]', '["yes", "never"]', "elements", "options is the answer: yes, never"),
    ],
)
def test_one_clear_message(tmp_path: Path, text: str, old: str, new: str, key: str, says: str) -> None:
    load_needle_set(write(tmp_path, text), 1)
    assert old in text
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, text.replace(old, new, 1)), 1)
    assert caught.value.key == key


def test_an_edited_file_and_another_folder_are_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("mine.yaml", "text", 512, 50)
    for number, folder in enumerate([tmp_path / "one", tmp_path / "two"]):
        (folder / "text").mkdir(parents=True)
        monkeypatch.chdir(folder)
        write(folder, GOOD)
        rain = Path("text/rain.txt")
        rain.write_text("Rain fell. " * (200 + number))
        assert key_of("mine.yaml", 1).question == "Which two?"
        prints = [fingerprint_of(case)]
        write(folder, GOOD.replace("Which two?", "Which ones?"))
        assert key_of("mine.yaml", 1).question == "Which ones?"
        prints.append(fingerprint_of(case))
        rain.write_text("Rain feel. " * (200 + number))
        os.utime(rain, ns=(1, 1))  # of the same size
        prints.append(fingerprint_of(case))
        assert len({*prints, fingerprint_of(case)}) == 3


SHORT = {"pizza-ingredients": 3, "rainbow-potion": 7, "academy-courses": 15, "needle-in-needle": 15}
LONG = {"teaching-methods": 3, "graduation-trials": 7, "library-revolution": 15}
KINDS = {
    "ferry-lanterns": "single",
    "lock-house-cat": "multi-value",
    "skerry-steps": "multi-key",
    "mailbag-seals": "multi-query",
    "three-gates": "multi-query",
    "school-bell": "multi-hop",
    "tern-lane-boarder": "latent",
    "stairs-portrait": "unanswerable",
    "coach-timetable": "conflicting",
}


@pytest.mark.parametrize("name", needle_set_names())
def test_kind_size_length_and_distractors(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    assert needle_set.kind == KINDS.get(name, "multi-needle")
    assert len(needle_set.distractors) >= min(8, len(needle_set.needles))
    assert {"hard", "easy"} <= {distractor.hardness for distractor in needle_set.distractors}
    told = [needle.text for needle in needle_set.needles] + [each.text for each in needle_set.distractors]
    lengths = get_tokenizer("cl100k").counts(told).tolist()
    if name in LONG:
        assert all(400 <= length <= 500 for length in lengths)
    elif name in SHORT:
        assert all(50 <= length <= 100 for length in lengths)
    else:
        assert max(lengths[: len(needle_set.needles)], default=0) <= 100
    if size := (SHORT | LONG).get(name):
        assert len(needle_set.needles) == size
