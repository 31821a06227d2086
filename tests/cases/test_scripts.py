"""A sample of ``tests.cases.matrix_scripts``: texts of any script and kind give cases with true counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.errors import CaseError
from niah.text.chunks import passages
from niah.text.sentences import short_sentences
from niah.text.tokenizer import get_tokenizer
from tests.cases.matrix_scripts import MODES, check, tokenizer_paths, write_text
from tests.script_texts import KINDS, LANGUAGES


@pytest.fixture(scope="module")
def tokenizers(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    return tokenizer_paths(tmp_path_factory.mktemp("tokenizers"))


PAIRS = list(product(KINDS, ("cl100k", "o200k", "smollm2", "claude-2", "wordpiece", "unigram", "byte-bpe")))
ONE_EACH = [PAIRS[number * 7 + number % 7] for number in range(len(KINDS))]


@pytest.mark.parametrize(("kind", "tokenizer"), ONE_EACH)
def test_cases_of_any_text_are_built_and_true(
    kind: str, tokenizer: str, tokenizers: Mapping[str, str], tmp_path: Path
) -> None:
    tally = check(write_text(tmp_path, kind), tokenizers[tokenizer], [1000, 6000], [0, 50, 100], MODES)
    assert tally.wrong == []
    assert tally.built >= tally.tried - 1


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


def test_where_no_whole_sentences_add_up_a_case_is_contiguous_unless_exact_is_asked_for(
    tmp_path: Path,
) -> None:
    path = tmp_path / "one.txt"
    path.write_text("On and on it went " * 900, encoding="utf-8")
    case = Case("ferry-lanterns", str(path), 2000, 50)
    with pytest.raises(CaseError, match=r"another haystack. Sentences of this one have 4,501 tokens"):
        build_context(replace(case, mode="exact"))
    context = build_context(case)
    audit_context(case, context)
    assert (context.mode, context.text) == ("contiguous", context.needles[0].text)
    path = tmp_path / "alike.txt"
    path.write_text("so it went on for us\n" * 900)
    case = Case("ferry-lanterns", str(path), 502, 50)
    with pytest.raises(CaseError, match="Leave out mode: exact, or use another"):
        build_context(replace(case, mode="exact"))
    context = build_context(case)
    audit_context(case, context)
    assert 502 - 7 < context.tokens + context.prompt_tokens < 502


@pytest.mark.parametrize("length", [250, 900, 5000])
@pytest.mark.parametrize("depth", [0, 99, 100])
def test_a_text_without_any_border_gives_true_counts(length: int, depth: int, tmp_path: Path) -> None:
    """Its one piece has no full stop either, so that P depends on what ends a context."""
    text = tmp_path / "low.txt"
    text.write_text("a wet rope lay under the slow garden and nobody came to carry it home " * 60)
    case = Case("three-gates", str(text), length, depth, mode="contiguous", repeat=True)
    audit_context(case, build_context(case))
