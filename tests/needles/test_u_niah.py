"""The needle sets of the u-niah suites against what the paper says of its own (sections 3.2, 4.1 and 5.3)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.cases.suite import load_suite, suite_names
from niah.needles.load import load_needle_set
from niah.text.tokenizer import count, get_tokenizer

SUITES = [name for name in suite_names() if name.startswith("u-niah")]
SHORT = ["pizza-ingredients", "rainbow-potion", "academy-courses"]
LONG = ["teaching-methods", "graduation-trials", "library-revolution"]
NESTED = "needle-in-needle"
ELSEWHERE = ("Lunaris", "Vannoreth", "Tern Lane", "Quill Row")
"""Whoever is not the one that the questions ask about; distractors without them stay at the same place."""


def tokens(text: str) -> int:
    return count(get_tokenizer("cl100k"), text)


def texts(name: str) -> Iterator[str]:
    needle_set = load_needle_set(name, 1)
    yield from (needle.text for needle in needle_set.needles)
    yield from (distractor.text for distractor in needle_set.distractors)


def cases_of(*suites: str) -> Iterator[Case]:
    return (case for suite in suites for case in load_suite(suite).cases)


def test_the_full_suite_asks_all_sets() -> None:
    assert set(SUITES) == {"u-niah", "u-niah-full"}
    assert {case.case_id for case in cases_of("u-niah")} < {case.case_id for case in cases_of("u-niah-full")}
    assert {case.needle_set for case in cases_of("u-niah-full")} == {*SHORT, *LONG, NESTED}


@pytest.mark.parametrize("name", [*SHORT, NESTED])
def test_short_needles_have_50_to_100_tokens_and_so_has_what_looks_like_them(name: str) -> None:
    assert {text: tokens(text) for text in texts(name) if not 50 <= tokens(text) <= 100} == {}


@pytest.mark.parametrize("name", LONG)
def test_long_needles_have_400_to_500_tokens_and_so_has_what_looks_like_them(name: str) -> None:
    assert {text: tokens(text) for text in texts(name) if not 400 <= tokens(text) <= 500} == {}


@pytest.mark.parametrize("name", SHORT)
def test_brief_needles_are_the_same_facts_in_fewer_than_50_tokens(name: str) -> None:
    usual, brief = load_needle_set(name, 1), load_needle_set(f"{name}-brief", 1)
    assert all(tokens(text) < 50 for text in texts(brief.name))
    assert (brief.question, brief.answer, brief.elements) == (usual.question, usual.answer, usual.elements)
    assert [needle.elements for needle in brief.needles] == [needle.elements for needle in usual.needles]
    assert {item.id: (item.elements, item.hardness) for item in brief.distractors} == {
        item.id: (item.elements, item.hardness) for item in usual.distractors
    }


@pytest.mark.parametrize("suite", SUITES)
def test_every_case_is_asked_on_both_backgrounds_with_distractors_of_both_kinds(suite: str) -> None:
    on = {haystack: set[tuple[str, int, float]]() for haystack in ("essays", "starlight")}
    for case in cases_of(suite):
        on[case.haystack].add((case.needle_set, case.context_length, case.depth))
        chosen = load_needle_set(case.needle_set, case.seed).distractors[: case.distractors]
        elsewhere = [any(name in item.text for name in ELSEWHERE) for item in chosen]
        assert {True, False} == set(elsewhere), case.case_id
    assert on["essays"] == on["starlight"] != set()


def test_courses_of_upper_years_and_of_another_academy_stand_beside_those_of_the_first_year() -> None:
    chosen = load_needle_set("academy-courses", 1).distractors[:4]
    said = ("the second year", "Third-year", "the fourth year", "Lunaris Academy")
    assert all(words in item.text for words, item in zip(said, chosen, strict=True))


@pytest.mark.parametrize("haystack", ["essays", "starlight"])
@pytest.mark.parametrize("name", [*SHORT, *(f"{name}-brief" for name in SHORT), *LONG, NESTED])
def test_every_needle_stands_to_the_token_where_the_paper_puts_it(name: str, haystack: str) -> None:
    lengths = [1000, 2000]
    if not name.endswith("-brief"):
        lengths = sorted({each.context_length for each in cases_of("u-niah-full") if each.needle_set == name})
    for length, depth in ((lengths[0], 70), (lengths[1], 20), (lengths[1], 80), (lengths[0], 100)):
        case = Case(name, haystack, length, depth, distractors=4)
        context = build_context(case)
        audit_context(case, context)
        whole = context.passages or context.needles
        sizes = [tokens(f" {item.text}") for item in whole]
        room, k = length - context.prompt_tokens - sum(sizes), len(whole)
        first = room * depth // 100
        asked = [first + place * (room - first) // k for place in range(k)]
        assert [item.token_start for item in whole] == [d + sum(sizes[:i]) for i, d in enumerate(asked)]
        assert len(context.distractors) == 4
