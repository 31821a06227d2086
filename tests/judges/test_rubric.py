"""The rules: behaviours that the u-niah paper describes, questions without an answer, and what ships."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cases.sample import AnswerKey
from niah.cases.samples import key_of
from niah.judges.error_types import paper_error_type
from niah.judges.metrics import listed_answers
from niah.judges.rubric import judge_by_rubric
from niah.needles.families.load import family_names, load_family
from niah.needles.load import needle_set_names
from niah.needles.needle_set import BY_POSITION, Distractor, Element, Needle
from tests.examples import some_of

PAGE = (Path(__file__).parents[1] / "data" / "rubric.md").read_text(encoding="utf-8")
BEHAVIOURS = [
    [cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row.startswith("|")
]


@pytest.mark.parametrize(("section", "name", "answer", "score", "kind"), BEHAVIOURS[2:])
def test_a_behaviour_gets_the_papers_score_and_type(
    section: str, name: str, answer: str, score: str, kind: str
) -> None:
    verdict = judge_by_rubric(answer, key_of(name, 1))
    assert (verdict.score, paper_error_type(verdict)) == (int(score), kind), (section, verdict.reason)


GATES = key_of("three-gates", 1)
RIGHT = "Copper gate: 50317, willow gate: 82946, granite gate: 17685"


@pytest.mark.parametrize(
    ("answer", "score", "unsure"),
    [
        ("The copper gate is 11111.\n\n**Answer:** copper 50317, willow 82946, granite 17685", 10, False),
        ("Copper \x1b[32m50317\x1b[0m, willow \x1b[1m82946\x1b[0m, granite \x1b[32m17685\x1b[0m", 10, False),
        ("| copper gate | willow gate | granite gate |\n|---|---|---|\n| 50317 | 82946 | 17685 |", 10, False),
        ("50317 (copper), 82946 (willow) and 17685 (granite)", 10, False),
        ("Copper gate 50317입니다, willow gate 82946이고 granite gate 17685이다.", 10, False),
        ("The copper, willow and granite gates have 50317, 82946 and 17685, respectively.", 10, False),
        ("Copper gate: 29074. No, wait, copper: 50317, willow gate: 82946, granite gate: 17685", 10, True),
        ("Copper gate: 50317, willow gate: 82946, granite gate: 17686", 5, True),
        ("Copper gate: 50317 and willow gate: 82946. The granite gate is open to all.", 7, True),
        (f"{RIGHT}, and the mill 29074", 7, True),
        (f"{RIGHT}. I take that back.", 1, True),
    ],
)
def test_what_counts_and_what_it_is_unsure_of(answer: str, score: int, unsure: bool) -> None:
    verdict = judge_by_rubric(answer, GATES)
    assert (verdict.score, verdict.unsure is not None) == (score, unsure), verdict


@pytest.mark.parametrize(
    ("answer", "unsure"),
    [
        *((f"It {verb} 347 lanterns.", True) for verb in ("can't be", "is not actually", "is no longer")),
        *((f"347 {rest}", True) for rest in ("is wrong.", "is not the number.", "isn't it.")),
        ("347ではありません", True),
        ("I don't think it's 347.", True),
        ("The keeper lights 347 lanterns. The ferry does not run at night.", False),
    ],
)
def test_what_may_be_denied_is_for_a_model(answer: str, unsure: bool) -> None:
    assert (judge_by_rubric(answer, key_of("ferry-lanterns", 1)).unsure is not None) == unsure


@pytest.mark.parametrize("depth", [3, 600, 5000])
def test_an_answer_of_nested_objects_is_read(depth: int) -> None:
    answer = '{"a": ' * depth + "347" + "}" * depth
    assert judge_by_rubric(answer, key_of("ferry-lanterns", 1)).score == 10


@pytest.mark.parametrize("answer", ["{}, respectively.", "Sure, {}", "Well, {}, of course.", "{}, etc."])
def test_words_next_to_a_list_are_no_items(answer: str) -> None:
    verdict = judge_by_rubric(answer.format("figs, prosciutto, goat cheese"), key_of("pizza-ingredients", 1))
    assert (verdict.score, verdict.wrong) == (10, ())


@pytest.mark.parametrize("answer", ["Answer: {}, Blorptown", "{} or Elm Street"])
@pytest.mark.parametrize("needle_set", ["ferry-lanterns", "three-gates"])
def test_another_name_next_to_numbers_is_for_a_model(answer: str, needle_set: str) -> None:
    key = key_of(needle_set, 1)
    names = ", ".join(element.name for element in key.elements)
    verdict = judge_by_rubric(answer.format(names), key)
    assert getattr(verdict.unsure, "reason", "") == "there is more next to it"
    assert judge_by_rubric(f"{names}, according to the text.", key).unsure is None


WELL = AnswerKey(
    name="well",
    question="Who dug the well behind the Copper Heron?",
    references=("The text does not say who dug the well behind the Copper Heron.",),
    distractors=(
        Distractor("pump", "Sela Marrin dug the pond behind the Copper Heron.", (Element("Sela Marrin"),)),
        Distractor("other", "Odo Fenn dug the well behind the Blue Ladder.", (Element("Odo Fenn"),)),
    ),
    kind="unanswerable",
)


@pytest.mark.parametrize(
    ("answer", "score", "wrong", "doubts", "kind"),
    [
        (WELL.answer, 10, (), False, "correct"),
        ("Not stated.", 10, (), False, "correct"),
        ("I am not sure, but I believe the text does not mention it.", 10, (), False, "correct"),
        ("Not Odo Fenn; the text does not say who it was.", 10, (), False, "correct"),
        ("Sela Marrin.", 1, ("Sela Marrin",), False, "wrong_only"),
        ("Perhaps it was Odo Fenn.", 1, ("Odo Fenn",), True, "wrong_only"),
        ("Odo Fenn. On second thoughts, the text does not say.", 5, ("Odo Fenn",), False, "wrong_only"),
        ("It was dug by Barnaby Cruse.", 1, (), False, "other"),
        ("Brother Odwin, whose name is missing from the roll, dug the well.", 1, (), False, "other"),
    ],
)
def test_questions_that_the_text_does_not_answer(
    answer: str, score: int, wrong: tuple[str, ...], doubts: bool, kind: str
) -> None:
    verdict = judge_by_rubric(answer, WELL)
    assert (verdict.score, verdict.wrong, verdict.self_doubt) == (score, wrong, doubts)
    assert (verdict.found, verdict.missing, paper_error_type(verdict)) == ((), (), kind)


@pytest.mark.usefixtures("bounded")
@pytest.mark.parametrize("text", ["<answer>" * 20_000, "\n" * 100_000])
def test_what_repeats_without_end_takes_no_time(text: str) -> None:
    judge_by_rubric(text, WELL)
    listed_answers(text)


# --- needle sets and families that ship -----------------------------------------------------------


@pytest.mark.parametrize("name", needle_set_names())
def test_a_needle_set_judged_by_what_it_says_itself(name: str) -> None:
    key = key_of(name, 1)
    verdict = judge_by_rubric(key.answer, key)
    assert (verdict.score, verdict.self_doubt) == (10, False)
    quoted = judge_by_rubric("\n".join(needle.text for needle in key.needles), key)
    assert (quoted.missing, quoted.wrong, quoted.self_doubt) == ((), (), False)
    assert quoted.score == (10 if key.needles else 1)
    planted = {element.name for distractor in key.distractors for element in distractor.elements}
    others = judge_by_rubric("\n".join(distractor.text for distractor in key.distractors), key)
    assert others.score <= 3
    assert bool(others.wrong or others.found) == bool(planted)
    assert planted.issuperset(others.wrong)


def _drawn(family: str) -> list[AnswerKey]:
    file = load_family(family)[1]
    every = [(k, seed) for k in (1, 3, 8, 25) if file.fewest <= k <= file.most for seed in range(1, 5)]
    return [key_of(f"{family}@{k}", seed) for k, seed in some_of(every, 3)]


def _states_its_answer(family: str) -> bool:
    """Whether each needle says a part of the answer: not where it follows from all, or is one of them."""
    file = load_family(family)[1]
    follows = file.story or file.conversation or (file.compute and file.entries) or file.kind in BY_POSITION
    # The hashes of the second stand in two lines each, in no order; coded words of fwe read like any others.
    return not follows and family not in ("hash-hop-steps", "ruler-fwe")


@pytest.mark.parametrize("family", family_names())
def test_a_family_s_reference_answer_and_needles_are_right_and_its_distractors_wrong(family: str) -> None:
    for key in _drawn(family):
        verdict = judge_by_rubric(key.answer, key)
        assert (verdict.score, verdict.wrong) == (10, ()), key.answer
        if not _states_its_answer(family):
            continue
        carriers = {name: needle.text for needle in key.needles for name in needle.elements}
        stated = [element.name for element in key.elements if not element.derived]
        texts = [carriers[name] for name in stated] if key.ordered else [n.text for n in key.needles]
        quoted = judge_by_rubric("\n".join(texts), key)
        assert quoted.missing == tuple(e.name for e in key.elements if e.derived), key.name
        assert set(quoted.wrong) <= {trap.name for trap in key.traps}, key.name
        verdict = judge_by_rubric("\n".join(distractor.text for distractor in key.distractors), key)
        assert (verdict.score, verdict.found) == (1, ()), key.name
        assert verdict.wrong or verdict.unsure


@pytest.mark.parametrize(
    ("answer", "score", "missing", "wrong"),
    [
        ("tin tin tan tin tin tin", 10, [], ()),
        ("Here it is:\n\nAnswer: tin, tin, tan, tin, tin, tin.", 10, [], ()),
        ("tin tin tin tin tin tin", 5, [3], ("3: tin",)),  # the changed word is lost
        ("tin tan tin tin tin tin", 5, [2, 3], ("2: tan", "3: tin")),  # it is one place early
        ("tin tin tan tin tin", 7, [6], ()),
        ("tin tin tan tin tin tin tin tin", 7, [], ("2 words too many",)),
        ("tan tin tin", 3, [1, 3, 4, 5, 6], ("1: tan", "3: tin")),
        ("I cannot copy that.", 1, [1, 2, 3, 4, 5, 6], ()),
    ],
)
def test_words_to_be_copied_are_compared_place_by_place(
    answer: str, score: float, missing: list[int], wrong: tuple[str, ...]
) -> None:
    words = ["tin", "tin", "tan", "tin", "tin", "tin"]
    elements = tuple(Element(f"{place}: {word}", derived=True) for place, word in enumerate(words, 1))
    key = AnswerKey("copy@6", "Copy the 6 words.", (" ".join(words),), elements=elements, kind="copy")
    verdict = judge_by_rubric(answer, key)
    assert (verdict.score, verdict.wrong) == (score, wrong)
    assert [int(name.partition(":")[0]) for name in verdict.missing] == missing
    assert len(verdict.found) + len(missing) == 6


def test_all_values_in_their_order_are_compared_place_by_place() -> None:
    key = key_of("recall-all@4", 1)
    first, second, third, fourth = (element.name for element in key.elements)
    assert judge_by_rubric(f"Answer: {first}, {second}, {third} and {fourth}", key).score == 10
    swapped = judge_by_rubric(f"The numbers are {first}, {third}, {second}, {fourth}.", key)
    assert (swapped.score, swapped.missing) == (5, (second, third))


def test_a_plural_of_four_letters_is_the_same_word() -> None:
    needle = Needle("n", "The cook hid figs in the flour.", ("figs",))
    key = AnswerKey("cook", "What did the cook hide?", (), elements=(Element("figs"),), needles=(needle,))
    assert judge_by_rubric("A fig.", key).score == 10


def test_an_equal_key_is_judged_in_the_same_words() -> None:
    """Whichever of two equal keys came first: elements of its own are no reference."""
    keys = [AnswerKey("gates", "Which gate?", ("copper",), elements=(Element("copper"),)) for _ in "ab"]
    assert [judge_by_rubric("copper", key).reason for key in keys] == ["1 of 1 found"] * 2
