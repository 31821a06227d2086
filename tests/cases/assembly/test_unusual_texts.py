"""Haystacks of very long sentences, of questions alone, and those that begin again."""

from __future__ import annotations

from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case, Mode
from niah.haystacks.documents import load_documents
from tests.examples import some_of


@pytest.mark.parametrize("tokenizer", ["smollm2", "minilm", "anthropic/claude-2", "cl100k"])
@pytest.mark.parametrize("mode", ["exact", "contiguous"])
def test_counts_are_true_where_a_context_goes_on_past_the_haystacks_end(
    tokenizer: str, mode: Mode, tmp_path: Path
) -> None:
    """A haystack of some 5,000 tokens, begun in its middle and read nearly twice."""
    path = tmp_path / "short.txt"
    paragraphs = [paragraph for document in load_documents("essays") for paragraph in document.paragraphs]
    path.write_text("\n\n".join(paragraphs[:40]))
    for seed, length, depth in ((1, 3000, 90), (2, 3000, 50), (3, 3000, 100), (4, 9000, 70)):
        case = Case(
            "ferry-lanterns", str(path), length, depth, seed=seed, tokenizer=tokenizer, mode=mode, repeat=True
        )
        context = build_context(case)
        audit_context(case, context)
        wrap = f"{paragraphs[39].rsplit(' ', 1)[1]}\n\n{paragraphs[0].split(' ', 1)[0]} "
        assert wrap in context.text or length == 3000


def test_a_sentence_longer_than_any_run_stays_whole(tmp_path: Path) -> None:
    """Sterne writes sentences of 700 tokens; here every second needle is due inside one of 900."""
    giant = "It went on, " + ", ".join(f"and on for the {n}th time" for n in range(100)) + "."
    ordinary = [paragraph for document in load_documents("essays") for paragraph in document.paragraphs]
    path = tmp_path / "sterne.txt"
    mixed = [f"{text} {giant} So be it." if at % 8 == 0 else text for at, text in enumerate(ordinary)]
    path.write_text("\n\n".join(mixed))
    for depth in some_of(range(0, 101, 10), 4):
        case = Case("ferry-lanterns", str(path), 6000, depth)
        context = build_context(case)
        audit_context(case, context)
        assert context.text.count("It went on,") == context.text.count("for the 99th time.") > 0
