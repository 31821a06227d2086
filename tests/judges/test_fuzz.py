"""What must never change a verdict, and what must never break the judge."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.cases.samples import key_of
from niah.judges import Verdict, judge_by_rubric
from tests.examples import of_all, some_of

NAMES = ("pizza-ingredients", "rainbow-potion", "lock-house-cat", "common-words@3", "starlight-short@7")
SETS = [key_of(name, 1) for name in NAMES]
ALL = [*SETS, *(key_of(name, 1) for name in ("three-gates", "stairs-portrait", "mailbag-seals"))]
INVENTED = ("basil", "quartz lantern", "obsidian foam")
BEFORE = (
    "",
    "Sure! Here is the answer:\n\n",
    "Based on the passages:\n\n",
    "<think>Hm, olives?</think>\n",
    "**Answer:**\n",
)
AFTER = (
    "",
    "\n\nLet me know if you need anything else!",
    "\n\nI hope this helps.",
    "\n\nThank you for asking.",
)


@st.composite
def chosen_items(draw: st.DrawFn) -> tuple[int, list[str]]:
    index = draw(st.integers(0, len(SETS) - 1))
    key = SETS[index]
    right = [element.name for element in key.elements]
    wrong = [element.name for distractor in key.distractors for element in distractor.elements]
    items = draw(st.lists(st.sampled_from(right), min_size=2, unique=True))
    items += draw(st.lists(st.sampled_from(wrong), max_size=2, unique=True))
    items += draw(st.lists(st.sampled_from(INVENTED), max_size=2, unique=True))
    return index, draw(st.permutations(items))


def bullets(items: list[str], mark: str = "- ") -> str:
    return "\n".join(f"{mark}{item}" for item in items)


@settings(max_examples=of_all(150), deadline=None)
@given(chosen_items(), st.sampled_from(BEFORE), st.sampled_from(AFTER), st.randoms(use_true_random=False))
def test_case_order_markdown_and_chatter_change_nothing(
    drawn: tuple[int, list[str]], before: str, after: str, chance: random.Random
) -> None:
    index, items = drawn
    judged = judge_by_rubric(bullets(items), SETS[index])
    shuffled = list(items)
    chance.shuffle(shuffled)
    numbered = "\n".join(f"{place}. {item}" for place, item in enumerate(items, start=1))
    for other in (
        bullets(shuffled),
        bullets(items).upper(),
        bullets(items, "* **").replace("\n", "**\n") + "**",
        numbered,
        f"{before}{bullets(items)}{after}",
    ):
        assert judge_by_rubric(other, SETS[index]) == judged, other


@settings(max_examples=of_all(100), deadline=None)
@given(chosen_items())
def test_an_invention_counts_in_bullets_and_in_json_alike(drawn: tuple[int, list[str]]) -> None:
    index, items = drawn
    array = "[" + ", ".join(f'"{item}"' for item in items) + "]"
    assert judge_by_rubric(array, SETS[index]) == judge_by_rubric(bullets(items), SETS[index])


PIECES = st.sampled_from(
    [
        "figs", "goat cheese", "50317", "copper gate", "- ", "* ", "1. ", "\n", ", ", " and ", ": ",
        "(", ")", "[", "]", "{", "}", '"', "'", "|", "**", "~~", "<think>", "</think>", "not ", "no ",
        "neither ", "without ", "is not ", "n't", "three hundred ", "the ", "does not say", "maybe ",
        "\u0130", "\u00df", "\ufb01", "e\u0301", "\U0001f355", "\u2588", "\x00", "\u2028", "&amp;",
        "basil", "&", "~", "`", "$", "\\boxed{", "_",
    ],
)  # fmt: skip


@settings(max_examples=of_all(300), deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)), st.sampled_from(ALL))
def test_any_string_is_judged(answer: str, key: object) -> None:
    verdict = judge_by_rubric(answer, key)  # type: ignore[arg-type]
    assert isinstance(verdict, Verdict)
    assert verdict.score in (1, 3, 5, 7, 10)


UNITS = [
    "x", " ", "\n", "-", "_", "~", "'", "(", "[", "{", "|", "*", "0", ",", "a, ", "1,234 ",
    "is not ", "no ", "not ", "the ", "and ", "none of the ", "nothing in the ", "without ",
    "not x without ", "three hundred ", "five ", "<think>", "</think>", "[a](", "~~a ", "\\text{",
    "&amp;", "- figs\n", "- basil\n", "1. a\n", "figs, ", "goat ", "50317 ", "50317, ",
    "1999, 50317 ", "is the ", "copper gate ", "copper gate, ", "50317 (copper gate) ",
    "| a | b |\n", "Odro Venable, ", " - figs\n", "previously figs, ", "instead of figs ", "instead of x ",
    "answer:\n", "answer:\nfigs\n", "therefore figs. ", "final answer: 1\n\n", "((a) ", "**figs** ",
    "\\boxed{figs} ", "| figs | yes |\n", "| a | b | c |\n", "figs? ", "no, wait ", "figs, no wait, ",
    "question: figs\n", "not included:\n", "# figs\n", "a:\n", "- figs\n  - figs\n", "1,456 + 542 = 1998. ",
    "subtract 50317 is ", "from figs to olives ", "i thought figs ", "旧figs罐 ",
    "figs. That is what ", "note: figs. ",
    "copper gate: 50317\n", "figs;\n", "according to figs, ", "nicht figs, sondern ", "不是figs", "答案是",
    "i take the figs back, ", "figs. strike figs. ", "sorry, not figs but olives. ", "only figs stand. ",
    "figs: olives, ", "i withdraw the first two. ", "figs, wait, 50317. ", "i take ", "nehme figs ",
    "the second applies. ", "| until | figs |\n| since | 50317 |\n", "his or her ", "not, but the ",
    "until: figs\n", "either figs or ", "figs or 5 or ", "all but figs ", "everyone did not ",
    "per user: 5\n", "final answer: ", "$5 ", "zwanzig", "feigen", "vijgen ", "figs rejected it, ",
    "second was figs, ", "은", "ами", "ア・",
]  # fmt: skip


@pytest.mark.parametrize("unit", some_of(UNITS, 20))
@pytest.mark.parametrize("key", some_of([ALL[0], *ALL[-3:]], 2), ids=lambda key: key.name)
def test_time_grows_in_proportion_to_length(unit: str, key: object) -> None:
    def seconds(length: int) -> float:
        answer = unit * (length // len(unit))
        start = time.process_time()
        judge_by_rubric(answer, key)  # type: ignore[arg-type]
        return time.process_time() - start

    seconds(100)
    # Eight times the text: 8 where time is linear, 64 where quadratic. Once in three: others compute too.
    # Each time other lengths, since words are remembered.
    lengths = ((2_000 + more, 16_000 + 8 * more) for more in (0, 100, 200))
    assert any(seconds(long) < 24 * max(seconds(short), 2e-3) for short, long in lengths)
