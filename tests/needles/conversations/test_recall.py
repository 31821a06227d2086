"""Conversations with several like replies: the one that is asked for is found again from the text alone."""

from __future__ import annotations

import re
from collections import Counter
from difflib import SequenceMatcher
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.cases.samples import key_of
from niah.errors import CaseError, ConfigError
from niah.judges.metrics import METRICS
from niah.judges.rubric import judge_by_rubric
from niah.needles.load import load_needle_set
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import repeats

TURN = re.compile(r"^User: Write a short (?P<ask>.+?)\. Assistant: (?P<piece>.+)$", re.MULTILINE)
ASKED = re.compile(
    r"the (?P<number>\d+)(?:st|nd|rd|th) (?P<form>[a-z ]+?) about (?P<topic>.+), counted"
    r".* Begin with (?P<code>\w{10}) "
)


def found_again(context: str, question: str) -> str:
    asked = ASKED.search(question)
    assert asked
    link = "inspired by" if asked["form"] == "recipe" else "about"
    ask = f"{asked['form']} {link} {asked['topic']}"
    pieces = [turn["piece"] for turn in TURN.finditer(context) if turn["ask"] == ask]
    return f"{asked['code']} {pieces[int(asked['number']) - 1]}"


@pytest.mark.parametrize("k", [2, 4, 8, 16])
def test_another_parser_finds_the_reply_in_the_context_alone(k: int) -> None:
    """All of 200 cases under ``make test-all``, 12 otherwise."""
    name = f"recall@{k}"
    for seed in range(1, repeats(3, 50) + 1):
        case = Case(name, "entries", 8000, 0, seed)
        context, needle_set = build_context(case), load_needle_set(name, seed)
        assert found_again(context.text, needle_set.question) == needle_set.answer
        prompt = load_prompt("u-niah").render(context.text, needle_set.question)
        assert count(get_tokenizer("cl100k"), prompt) == 8000
        assert all(placed.token_start == placed.asked_token for placed in context.needles)
        assert all(line.startswith("User: ") for line in context.text.splitlines() if line)


def test_half_of_the_conversation_is_near_what_is_asked_for() -> None:
    context = build_context(Case("recall@4", "entries", 32000, 0, 3))
    needle = TURN.match(context.needles[0].text)
    assert needle
    form, _, topic = re.split(r" (about|inspired by) ", needle["ask"])
    asks = Counter(turn["ask"] for turn in TURN.finditer(context.text))
    assert asks[needle["ask"]] == 4
    near = sum(n for ask, n in asks.items() if ask.startswith(form) or ask.endswith(topic)) / asks.total()
    assert 0.45 < near < 0.75


def test_like_replies_are_of_the_same_pools() -> None:
    """Nothing but the order tells them apart: two needles are as alike as a needle and a near turn."""
    needle_set = load_needle_set("recall@8", 2)
    texts = [needle.text for needle in needle_set.needles]
    assert len(set(texts)) == 8
    assert len({text.split(" Assistant: ")[0] for text in texts}) == 1


def test_the_rubric_tells_the_right_reply_from_its_likes() -> None:
    for seed in range(1, 6):
        key = key_of("recall@8", seed)
        assert judge_by_rubric(key.answer, key).score == 10
        right = {name for needle in key.needles for name in needle.elements}
        for needle in key.needles:
            if not right.issubset(needle.elements):
                assert judge_by_rubric(needle.text.split(" Assistant: ")[1], key).score <= 3


def test_the_published_ratio() -> None:
    key = key_of("recall@4", 1)
    code, piece = key.answer[:10], key.answer[10:]
    ratio = METRICS["mrcr"]
    assert ratio.score(key.answer, [key.answer]) == 1
    assert ratio.score(piece, [key.answer]) == 0
    other = next(n.text.split(" Assistant:")[1] for n in key.needles if not n.elements)
    expected = SequenceMatcher(None, other, piece).ratio()
    assert ratio.score(code + other, [key.answer]) == pytest.approx(expected)
    assert 0 < expected < 0.95


def test_replies_are_counted_in_their_order() -> None:
    with pytest.raises(CaseError, match="the order of its needles"):
        build_context(Case("recall@4", "entries", 4000, 0, order="shuffled"))


def test_a_turn_is_never_cut_in_other_haystacks_either() -> None:
    context = build_context(Case("recall@4", "essays", 8000, 0, 1, distractors=6))
    assert all(placed.text in context.text for placed in (*context.needles, *context.distractors))


FAMILY = """\
kind: recall
each: {who: person}
conversation:
  marks: [who]
  topics: [rain, hail, snow]
  forms:
    ode: {ask: "An ode on {{ topic }}, please.", openings: ["{{ who }}!", "O {{ who }}!"],
      middles: ["Wet.", "Grey."], closings: ["Alas.", "Adieu."]}
    hymn: {ask: "A hymn on {{ topic }}, please.", openings: ["{{ who }}!", "Ah {{ who }}!"],
      middles: ["Wet.", "Grey."], closings: ["Alas.", "Adieu."]}
question: Give the {{ ordinal }} {{ form }} on {{ topic }}, after {{ code }}.
answer: "{{ code }} {{ piece }}"
"""


@pytest.mark.parametrize(
    ("old", "new", "key", "says"),
    [
        ("", "", "", ""),
        ("marks: [who]", "marks: [town]", "conversation.marks.0", "no slot called 'town'"),
        ("An ode on {{ topic }}", "An ode", "", "does not use the slot 'topic'"),
        ("Alas.", "{{ town }}.", "conversation.forms.ode.closings.0", "unknown slot 'town'"),
        ("O {{ who }}!", "O!", "needles.", "lists the element"),
        ("kind: recall", "kind: single", "", "`conversation` and `kind: recall` go together"),
        ("[rain, hail, snow]", "[rain]", "conversation.topics", "3"),
    ],
)
def test_a_conversation_of_ones_own_and_its_mistakes(
    tmp_path: Path, old: str, new: str, key: str, says: str
) -> None:
    path = tmp_path / "families" / "odes.yaml"
    path.parent.mkdir()
    path.write_text(FAMILY.replace(old, new, 1))
    if not says:
        assert len(load_needle_set(f"{path}@4", 1).needles) == 4
        return
    with pytest.raises(ConfigError, match=re.escape(says)) as caught:
        load_needle_set(f"{path}@4", 1)
    assert key in str(caught.value)
