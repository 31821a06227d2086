"""Questions to choose from, and elements that follow from needles without standing in them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.api.needle_sets import check_needle_sets
from niah.cases.assembly.render import build_context
from niah.cases.audit import answer_leaks, audit_context
from niah.cases.case import Case
from niah.cases.samples import key_of
from niah.errors import ConfigError
from niah.haystacks.documents import Document
from niah.judges.rubric import judge_by_rubric
from niah.needles.load import load_needle_set

FERRY = """\
question: Did the Perrow ferry run on the day of the fair?
options: ["yes", "no"]
answer: No, it did not.
elements: [{name: "no", aliases: [did not run], derived: true}]
needles:
  - id: rope
    text: On the day of the fair the rope of the Perrow ferry lay at the rope-maker's in Hask.
    elements: ["no"]
  - id: stays
    text: Without its rope the Perrow ferry stays where it is.
    elements: ["no"]
"""
ROADS = """\
question: By which road did the tinker come, the north road, the mill road or the shore road?
options: [the north road, the mill road, the shore road]
answer: By the mill road.
elements: [{name: the mill road, aliases: [past the mill]}]
needles: [{id: one, text: The tinker came past the mill., elements: [the mill road]}]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_options_stand_after_a_question_that_does_not_name_them(tmp_path: Path) -> None:
    needle_set = load_needle_set(write(tmp_path, FERRY), 1)
    assert needle_set.question.endswith("day of the fair? Answer with one of these: yes, no.")
    assert needle_set.options == ("yes", "no")


def test_a_question_that_names_them_stays_as_it_is(tmp_path: Path) -> None:
    assert load_needle_set(write(tmp_path, ROADS), 1).question.endswith("or the shore road?")


def test_letters_stand_before_options_unless_the_question_has_them(tmp_path: Path) -> None:
    lettered = ROADS.replace("options:", "letters: true\noptions:")
    offered = "(A) the north road, (B) the mill road, (C) the shore road."
    question = load_needle_set(write(tmp_path, lettered), 1).question
    assert question.endswith(f"or the shore road? Answer with one of these: {offered}")
    own = question.removesuffix(f" Answer with one of these: {offered}").replace("the north", "a) the north")
    own = own.replace("the mill", "b) the mill").replace("the shore", "c) the shore")
    folder = tmp_path / "own"
    folder.mkdir()
    asked = re.sub("question: .*", f"question: {own}", lettered)
    assert load_needle_set(write(folder, asked), 1).question == own


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("No.", 10),
        ("no", 10),
        ("**No**, it did not.", 10),
        ("The answer is no.", 10),
        ("No \u2014 the rope was away.", 10),
        ("The ferry did not run that day.", 10),
        ("Yes.", 1),
        ("Yes. There is no doubt.", 1),
        ("There is no information about this in the text.", 1),
        ("I have no idea.", 1),
        ("Yes and no.", 1),
        ("Both yes and no", 1),
        ("No idea.", 1),
        ("We have no way of knowing.", 1),
        ("The rope was away, and no, it did not run.", 10),
    ],
)
def test_a_no_is_an_answer_only_where_it_stands_alone(tmp_path: Path, answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of(write(tmp_path, FERRY), 1)).score == score


def test_another_option_is_wrong_though_the_question_names_it(tmp_path: Path) -> None:
    key = key_of(write(tmp_path, ROADS), 1)
    verdict = judge_by_rubric("By the shore road.", key)
    assert (verdict.score, verdict.wrong) == (1, ("the shore road",))
    assert judge_by_rubric("By the mill road.", key).score == 10


@pytest.mark.parametrize("text", [FERRY, ROADS, f"letters: true\n{FERRY}", f"letters: true\n{ROADS}"])
def test_such_sets_pass_their_own_check(tmp_path: Path, text: str) -> None:
    (checked,) = check_needle_sets(write(tmp_path, text))
    assert checked.mistakes == ()


def test_what_only_follows_may_stand_in_the_haystack(tmp_path: Path) -> None:
    name = write(tmp_path, FERRY)
    case = Case(name, "essays", 4000, 50)  # essays say "no" on every page
    audit_context(case, build_context(case))
    pages = [Document("page", ("There is no ferry.",))]
    assert list(answer_leaks(pages, [load_needle_set(name, 1)])) == []


@pytest.mark.parametrize(
    ("text", "change", "key", "says"),
    [
        (FERRY, (", derived: true", ""), "needles.0.text", "derived: true"),
        (
            FERRY,
            ('["yes", "no"]', '["yes", "never"]'),
            "elements",
            "options is the answer: yes, never",
        ),
        (FERRY, ('["yes", "no"]', '["no", "No"]'), "options.1", "'No' stands twice"),
        (FERRY, ('["yes", "no"]', '["no"]'), "options", "nothing to choose from"),
        (
            FERRY,
            ('["yes", "no"]', "[yes, no]"),
            "options.0",
            r"\(given: true\). Put it in quotes",
        ),
        (FERRY, ("options:", "ordered: true\noptions:"), "ordered", "no order of fewer than two"),
        (FERRY, ('options: ["yes", "no"]', "letters: true"), "", "`letters` are those of `options`"),
        (FERRY, ('["yes", "no"]', '["no", "Y"]\nletters: true'), "", "the option 'Y' is a letter itself"),
    ],
)
def test_one_clear_message(tmp_path: Path, text: str, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, text.replace(*change)), 1)
    assert caught.value.key == key


def test_keys_and_an_order_are_two_ways(tmp_path: Path) -> None:
    text = """\
ordered: true
question: What are the codes of the ash gate and the elm gate?
answer: Ash 50317, elm 82946.
elements: [{name: "50317", key: ash gate}, {name: "82946", key: elm gate}]
needles:
  - {id: ash, text: The code of the ash gate is 50317., elements: ["50317"]}
  - {id: elm, text: The code of the elm gate is 82946., elements: ["82946"]}
"""
    with pytest.raises(ConfigError, match="ordered: elements with keys are told apart"):
        load_needle_set(write(tmp_path, text), 1)
