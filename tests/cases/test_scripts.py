"""Exactness for texts of any script and kind, those that nobody would write, and random tokenizers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Mode
from niah.cases.prompts import load_prompt
from niah.errors import CaseError
from niah.needles.load import load_needle_set
from niah.text.chunks import passages
from niah.text.sentences import short_sentences
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import repeats, some_of
from tests.random_tokenizers import WORLDS_SHARE, try_random_case
from tests.script_texts import KINDS, LANGUAGES, compose_text

CHARACTERS = 25_000
MODES: tuple[Mode, ...] = ("exact", "contiguous")


def write_text(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.{'md' if kind == 'markdown' else 'txt'}"
    path.write_text(compose_text(kind, CHARACTERS), encoding="utf-8")
    return path


TOKENIZERS = ("cl100k", "o200k", "smollm2", "anthropic/claude-2", "minilm")


@pytest.mark.parametrize(("kind", "tokenizer"), list(zip(KINDS, cycle(TOKENIZERS), strict=False)))
def test_cases_of_any_text_are_built_and_true(kind: str, tokenizer: str, tmp_path: Path) -> None:
    haystack, failed = str(write_text(tmp_path, kind)), 0
    base = Case("ferry-lanterns", haystack, 1000, 0, tokenizer=tokenizer, repeat=True)
    question = load_needle_set(base.needle_set, 1).question
    for length, depth, mode in some_of(list(product((1000, 6000), (0, 50, 100), MODES)), 6):
        case = replace(base, context_length=length, depth=depth, mode=mode)
        try:
            context = build_context(case)
        except CaseError:
            failed += 1
            continue
        audit_context(case, context)
        prompt = load_prompt(case.prompt).render(context.text, question)
        assert count(get_tokenizer(tokenizer), prompt) == context.tokens + context.prompt_tokens
    assert failed <= 1


@pytest.mark.parametrize("kind", KINDS)
def test_needles_are_found_whole_in_chunks(kind: str, tmp_path: Path) -> None:
    path, tokenizer = write_text(tmp_path, kind), get_tokenizer("cl100k")
    for depth in (0, 40, 100):
        context = build_context(Case("three-gates", str(path), 4000, depth, repeat=True))
        chunks = passages(context.text, tokenizer.starts(context.text))
        spans = short_sentences(context.text)
        for needle in context.needles:
            assert any(chunk.start <= needle.start and needle.end <= chunk.end for chunk in chunks)
            if kind in LANGUAGES:
                assert needle.start in {start for start, _ in spans}
                assert needle.end in {end for _, end in spans}
    if kind not in LANGUAGES:  # needles at one place share a line, where its end is a token
        build_context(Case("three-gates", str(path), 900, 100, 1, "smollm2", "exact", repeat=True))


@pytest.mark.parametrize("length", [250, 900, 5000])
@pytest.mark.parametrize("depth", [0, 99, 100])
def test_a_text_without_any_border_gives_true_counts(length: int, depth: int, tmp_path: Path) -> None:
    """Its one piece has no full stop either, so that P depends on what ends a context."""
    text = tmp_path / "low.txt"
    text.write_text("a wet rope lay under the slow garden and nobody came to carry it home " * 60)
    case = Case("three-gates", str(text), length, depth, mode="contiguous", repeat=True)
    audit_context(case, build_context(case))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where the texts and tokenizers are kept, with a cache of their own."""
    place = tmp_path_factory.mktemp("random")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIAH_CACHE", str(place / "cache"))
        yield place


@settings(max_examples=repeats(4, 40), deadline=None, suppress_health_check=list(HealthCheck))
@given(world=st.integers(0, 1_249))
def test_no_count_is_wrong_and_no_error_is_without_words(world: int, folder: Path) -> None:
    """Three cases of a text and its tokenizer; ``make test-all`` tries more texts."""
    for number in range(0, WORLDS_SHARE, 3):
        trial = try_random_case(world * WORLDS_SHARE + number, folder)
        assert trial.faults == ()
        assert "\n" not in trial.error


@pytest.mark.parametrize(
    "number",
    [
        *(1131, 1525, 5138),  # a context begins with what costs more there
        21534,  # a normalizer takes a word of stripped marks away, between spaces that are tokens
        *(1396, 2192, 2590),  # the tokenizer drops plain English whole, beside whose text it leaves no trace
    ],
)
def test_no_count_is_wrong_where_one_was(number: int, folder: Path) -> None:
    # What the tokenizer learned decides whether it can be built; most often it can.
    assert try_random_case(number, folder).faults == ()


def test_what_no_layout_can_count_out_is_an_error_that_says_so(folder: Path) -> None:
    """Its tokenizer cuts every four characters: each joint moves all tokens behind it."""
    trial = try_random_case(165, folder)
    assert "merges tokens across the joints of this case" in trial.error


def test_a_tokenizer_that_finds_no_token_in_a_haystack_is_an_error_that_says_so(folder: Path) -> None:
    assert "finds no tokens at all in the haystack" in try_random_case(1090, folder).error
