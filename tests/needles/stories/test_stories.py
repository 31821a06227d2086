"""Stories: what follows from the context is worked out again by another parser, from its text alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.cases.samples import key_of
from niah.errors import CaseError, ConfigError, NeedleError
from niah.judges.rubric import judge_by_rubric
from niah.needles.families.load import load_family
from niah.needles.load import load_needle_set
from niah.needles.stories.shapes import SHAPES
from niah.needles.stories.tasks import TASKS
from niah.text.mentions import mentions
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import repeats
from tests.needles.stories.solvers import SOLVERS

SIZES = (3, 7, 12, 40)


def elements(name: str, seed: int) -> tuple[str, ...]:
    return tuple(element.name for element in load_needle_set(name, seed).elements)


@pytest.mark.parametrize("family", SOLVERS)
def test_another_parser_finds_the_answer_in_the_context_alone(family: str) -> None:
    """All of 200 cases of a kind under ``make test-all``, 12 otherwise."""
    fewest = load_family(family)[1].fewest
    for seed in range(1, repeats(3, 50) + 1):
        for size in SIZES:
            name = f"{family}@{max(size, fewest)}"
            case = Case(name, "essays", 8000, 0, seed, distractors=6, accidents="avoid")
            context, needle_set = build_context(case), load_needle_set(name, seed)
            found = SOLVERS[family](context.text, needle_set.question)
            answer = elements(name, seed)
            assert found == (answer if isinstance(found, tuple) else frozenset(answer)), (name, seed)
            prompt = load_prompt("u-niah").render(context.text, needle_set.question)
            assert count(get_tokenizer("cl100k"), prompt) == 8000
            assert all(placed.token_start == placed.asked_token for placed in context.needles)


@pytest.mark.parametrize("family", SOLVERS)
def test_facts_stand_in_their_order_and_nothing_else_names_the_cast(family: str) -> None:
    name = f"{family}@12"
    needle_set = load_needle_set(name, 5)
    context = build_context(Case(name, "essays", 8000, 10, 5, distractors=4))
    assert [placed.text for placed in context.needles] == [needle.text for needle in needle_set.needles]
    others = context.text
    for placed in reversed(context.needles):
        others = f"{others[: placed.start]} . {others[placed.end :]}"
    assert needle_set.cast
    assert not mentions(others, needle_set.cast)


@pytest.mark.parametrize("family", SOLVERS)
def test_the_rubric_takes_the_right_answer_and_no_other(family: str) -> None:
    for seed in (1, 2, 3, 4):
        key = key_of(f"{family}@9", seed)
        assert judge_by_rubric(key.answer, key).score == 10
        assert judge_by_rubric(", ".join(element.name for element in key.elements), key).score == 10
        for trap in key.traps[:3]:
            assert judge_by_rubric(f"It is {trap.name}.", key).score <= 3, (trap, key.question)


def test_every_task_has_its_shape_and_a_family() -> None:
    stories = [load_family(family)[1].story for family in SOLVERS]
    assert [story.task for story in stories if story] == list(SHAPES) == list(TASKS)


def test_answers_are_spread() -> None:
    """Who guesses the commonest answer is hardly ever right where there is much to choose from."""
    for family, most in (("babilong-qa1", 0.3), ("babilong-qa6", 0.75), ("positions", 0.4)):
        drawn = [elements(f"{family}@10", seed) for seed in range(1, 41)]
        assert max(map(drawn.count, drawn)) <= most * len(drawn)


def test_only_facts_that_matter_carry_the_answer() -> None:
    needle_set = load_needle_set("babilong-qa1@20", 3)
    (support,) = [needle for needle in needle_set.needles if needle.elements]
    who = re.search(r"Where is (\S+) now", needle_set.question)
    assert who
    about = [needle for needle in needle_set.needles if needle.text.startswith(f"{who[1]} ")]
    assert support == about[-1]


def test_a_story_is_told_in_its_order() -> None:
    with pytest.raises(CaseError, match="the order of its needles") as caught:
        build_context(Case("babilong-qa1@5", "essays", 4000, 0, order="shuffled"))
    assert "order: shuffled" in caught.value.remedy


STORY = """\
kind: story
each:
  who: given
  place: {one_of: [hall, yard, loft]}
story:
  task: whereabouts
  tell: {move: ["{{ who }} went to the {{ place }}."]}
  asks: {where: {question: "Where is {{ who }}?", answer: "In the {{ elements }}."}}
"""


def test_a_story_of_ones_own_and_a_size_that_it_cannot_have(tmp_path: Path) -> None:
    path = tmp_path / "families" / "hall.yaml"
    path.parent.mkdir()
    path.write_text(STORY)
    drawn = load_needle_set(f"{path}@5", 1)
    assert drawn.elements[0].name in ("hall", "yard", "loft")
    with pytest.raises(NeedleError, match="sets of 2 to"):
        load_needle_set(f"{path}@1", 1)


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("whereabouts", "somewhere", "story.task", "'somewhere' is no task. Tasks: whereabouts, "),
        ("{move:", "{walk:", "story.tell.walk", "has no 'walk'"),
        ("asks: {where:", "asks: {why:", "story.asks.why", "has no 'why'"),
        ("tell: {move: [", "tell: {move: ['x', ", "story.tell.move.0", "does not use the slot 'place'"),
        ("to the {{ place }}", "to {{ town }}", "story.tell.move.0", "unknown slot 'town'"),
        (
            "[hall, yard, loft]",
            "[hall, yard]",
            "each.place",
            "has 2 choices, and the task",
        ),
        ("  who: given\n", "", "each.who", "is missing"),
        ("who: given", "who: {one_of: [Ann, Ben]}", "each.who", "is a choice"),
        ("kind: story", "kind: single", "", "`story` and `kind: story` go together"),
        ("kind: story", "kind: story\nelement: place", "", "a story or conversation has no `element`"),
    ],
)
def test_mistakes_in_a_story_name_key_and_remedy(
    tmp_path: Path, old: str, new: str, key: str, says: str
) -> None:
    path = tmp_path / "families" / "hall.yaml"
    path.parent.mkdir()
    assert old in STORY
    path.write_text(STORY.replace(old, new))
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load_needle_set(f"{path}@5", 1)
    assert key in str(caught.value)
    assert caught.value.remedy or key in ("", "story.task")
