"""Haystacks that answer by accident are found, and done without; what the audit of a context finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.cases.assembly.background import BackgroundSource, load_background
from niah.cases.assembly.render import build_context, recount
from niah.cases.audit import answer_leaks, audit_context
from niah.cases.case import Case
from niah.cases.prompts import load_prompt
from niah.errors import Defect
from niah.haystacks.corpus import Corpus, build_corpus, without_pieces
from niah.haystacks.documents import Document
from niah.haystacks.structure import STRUCTURES, Structure
from niah.needles.load import load_needle_set
from niah.needles.needle_set import Element
from niah.text.tokenizer import get_tokenizer
from tests.examples import of_all

SENTENCES = [
    "The kiln was cold by noon.",
    "Nobody had swept the yard!",
    "Did the copper gate stand open?",
    "Rain came over the marsh (late, as always).",
    "Seven of 12 crates were dry.",
    '"Leave the lamp," said Orrin.',
    "A copper-gate key hung there.",
    "昨日の夜、銅の門が開いた。",
    "雨が降っていた。",
    "Мокрые ворота стояли открытыми.",
    "2026-11-22 10:00:01 WARN gate=7",
    "def close(gate): return Orrin",
    "no end here",
]


def counted(corpus: Corpus) -> list[int]:
    """Cumulative token counts of the corpus, tokenised again as a text that goes round."""
    text = corpus.text + corpus.slice(0, min(2, corpus.size))
    starts = get_tokenizer(corpus.tokenizer).starts(text)
    counts: list[int] = np.searchsorted(starts[starts < len(corpus.text)], corpus.offsets).tolist()
    return counts


@settings(max_examples=of_all(50))
@given(
    paragraphs=st.lists(st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=5), min_size=3, max_size=9),
    structure=st.sampled_from(list(STRUCTURES)),
    tokenizer=st.sampled_from(["cl100k", "smollm2", "minilm"]),
    data=st.data(),
)
def test_what_is_left_without_some_sentences_is_in_order_and_counted(
    paragraphs: list[list[str]], structure: Structure, tokenizer: str, data: st.DataObject
) -> None:
    between = " " if structure == "prose" else "\n"
    document = Document("d", tuple(between.join(paragraph) for paragraph in paragraphs), structure)
    corpus = build_corpus("h", [document], get_tokenizer(tokenizer))
    gone = data.draw(st.sets(st.integers(0, corpus.size - 1), max_size=corpus.size - 1))
    rest = without_pieces(corpus, gone)
    assert rest.tokens == counted(rest)
    assert rest.is_start[0]
    left = [corpus.slice(piece, piece + 1).strip() for piece in range(corpus.size) if piece not in gone]
    assert [rest.slice(piece, piece + 1).strip() for piece in range(rest.size)] == left
    if not gone:
        assert rest == corpus


def test_what_is_left_begins_where_its_tokens_are_those_of_any_place(in_folder: Path) -> None:
    """Orrin is two tokens behind a space and three without."""
    Path("town.txt").write_text("Rain fell. Orrin sang.\n\nSnow fell. It was cold.")
    left = load_background(BackgroundSource("town.txt", "cl100k", 1, ("Rain",))).corpus
    assert " ".join(left.text.split()) == "Snow fell. It was cold. Orrin sang."


@pytest.mark.parametrize(
    ("alias", "leaking", "harmless"),
    [
        ("紫色鸽子", "老人看见紫色鸽子飞过。", "老人看见紫色的鸽子。"),
        ("48213", "门上写着48213号。", "门上写着148213号。"),
        ("はと", "朝、はとが鳴いた。", "朝、からすが鳴いた。"),
        ("パン", "店でパンを買った。", "店でパンダを見た。"),
        ("นกพิราบ", "เขาเห็นนกพิราบบินไป", "เขาเห็นนกกระจอกบินไป"),
        ("비둘기", "아침에 비둘기에게서는 소리가 났다.", "아침에 산비둘기가 울었다."),
        ("चाबी", "मेज़ पर चाबी थी।", "मेज़ पर चाबियाँ थीं।"),
    ],
)
def test_an_answer_by_accident_is_found_in_any_script(alias: str, leaking: str, harmless: str) -> None:
    asked = load_needle_set("ferry-lanterns", 1).model_copy(update={"elements": (Element(alias),)})
    found = answer_leaks([Document("town", (harmless, leaking, harmless))], [asked])
    assert [sentence for *_, sentence in found] == [leaking]


def test_the_audit_finds_a_context_that_was_tampered_with() -> None:
    case = Case("ferry-lanterns", "essays", 1000, 50)
    context = build_context(case)
    needle = context.needles[0]
    for key, changed in (
        (": tokens: ", {"text": context.text + " More."}),
        (r"tokens \+ prompt_tokens", {"prompt_tokens": context.prompt_tokens + 1}),
        (r"at \[start, end\)", {"needles": (needle._replace(text="Another."),)}),
        ("token_start", {"needles": (needle._replace(token_start=needle.token_start + 1),)}),
        ("asked_token", {"needles": (needle._replace(asked_token=needle.asked_token + 1),)}),
    ):
        with pytest.raises(Defect, match=key):
            audit_context(case, replace(context, **changed))
    with pytest.raises(Defect, match="context_length"):
        audit_context(replace(case, context_length=1001), context)


def test_the_audit_finds_a_contiguous_context_that_is_short_or_torn() -> None:
    case = Case("ferry-lanterns", "essays", 3000, 50, mode="contiguous")
    context = build_context(case)
    audit_context(case, context)
    tokenizer, prompt = get_tokenizer("cl100k"), load_prompt("u-niah")
    frame = prompt.frame(load_needle_set("ferry-lanterns", 1).question)
    shortened = replace(context, text=context.text[: context.text.rindex(". ") + 1])
    with pytest.raises(Defect, match=r"the end is .* tokens early, over a sentence"):
        audit_context(case, recount(shortened, tokenizer, *frame))
    first = context.text.index(". ") + 2
    torn = context.text[:first] + context.text[context.text.index(". ", first) + 2 :]
    start = torn.index(context.needles[0].text)
    moved = context.needles[0]._replace(start=start, end=start + len(context.needles[0].text))
    with pytest.raises(Defect, match="not one unbroken passage"):
        audit_context(case, recount(replace(context, text=torn, needles=(moved,)), tokenizer, *frame))
    early = context.needles[0]._replace(asked_token=context.needles[0].asked_token + 200)
    with pytest.raises(Defect, match="tokens early, over a sentence"):
        audit_context(case, replace(context, needles=(early,)))
