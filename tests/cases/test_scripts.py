"""Texts of any script and kind, whatever the tokenizer, give cases with true counts."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, product
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Mode
from niah.cases.prompts import load_prompt
from niah.errors import CaseError
from niah.needles.load import load_needle_set
from niah.text.chunks import passages
from niah.text.sentences import short_sentences
from niah.text.tokenizer import count, get_tokenizer
from tests.examples import some_of
from tests.script_texts import KINDS, LANGUAGES, compose_text

CHARACTERS = 40_000
MODES: tuple[Mode, ...] = ("exact", "contiguous")


def write_text(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.{'md' if kind == 'markdown' else 'txt'}"
    path.write_text(compose_text(kind, CHARACTERS), encoding="utf-8")
    return path


# Tokenizers that are learned on the spot are in test_random_tokenizers.py.
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


@pytest.mark.parametrize("length", [250, 900, 5000])
@pytest.mark.parametrize("depth", [0, 99, 100])
def test_a_text_without_any_border_gives_true_counts(length: int, depth: int, tmp_path: Path) -> None:
    """Its one piece has no full stop either, so that P depends on what ends a context."""
    text = tmp_path / "low.txt"
    text.write_text("a wet rope lay under the slow garden and nobody came to carry it home " * 60)
    case = Case("three-gates", str(text), length, depth, mode="contiguous", repeat=True)
    audit_context(case, build_context(case))
