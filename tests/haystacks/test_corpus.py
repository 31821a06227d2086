"""A haystack tokenised once: counts add up, what is cached is what was made; and what ships."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from niah.errors import HaystackError, UnknownName
from niah.files import shipped
from niah.haystacks import corpus as module
from niah.haystacks.corpus import Corpus, build_corpus, load_corpus
from niah.haystacks.documents import (
    EXCERPT,
    Document,
    haystack_names,
    is_shipped,
    load_documents,
    measure_haystack,
)
from niah.haystacks.structure import paragraphs
from niah.haystacks.world import PERSON, lexicon, lexicon_kinds, load_world, slot_values
from niah.text.tokenizer import get_tokenizer

MESSY = st.text(
    st.sampled_from("aZ0é…'\"/\\.!?-*# \t\n\r\f\v\0\x85\xa0\u2028\u200b\ufeff\u0301猫😀"), max_size=60
)
TEXT = "One sentence here. Another one there.\n\nA second paragraph, with more in it. The end."


@settings(deadline=None)
@given(MESSY, st.sampled_from(["cl100k", "o200k"]))
def test_any_text_keeps_its_words(text: str, tokenizer: str) -> None:
    parts = paragraphs(text) or ("Something.",)
    corpus = build_corpus("any", [Document("any", parts)], get_tokenizer(tokenizer))
    assert corpus.text.split() == " ".join(parts).split()


def test_what_is_not_there() -> None:
    with pytest.raises(HaystackError):
        build_corpus("empty", [Document("none", ())], get_tokenizer("cl100k"))
    with pytest.raises(UnknownName, match="Did you mean 'essays'"):
        load_corpus("essay", "cl100k")
    folders = [path.name for path in shipped("haystacks").iterdir()]
    for name in (*haystack_names(), *folders, "", ".", "noise/"):
        assert is_shipped(name) == (name in haystack_names())


def test_a_corpus_is_read_back_until_its_text_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    first = load_corpus(str(path), "cl100k")
    assert first == build_corpus(str(path), load_documents(str(path)), get_tokenizer("cl100k"))
    built = list[str]()

    def build(name: str, *others: object) -> Corpus:
        built.append(name)
        return build_corpus(name, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "build_corpus", build)
    module._load.cache_clear()  # another process
    assert load_corpus(str(path), "cl100k") == first
    assert built == []
    path.write_text(f"{TEXT} More.")
    assert load_corpus(str(path), "cl100k").text.rstrip().endswith("More.")
    (tmp_path / "cache" / "corpora.sqlite").write_bytes(b"nonsense")
    module._load.cache_clear()
    path.write_text(TEXT)
    assert load_corpus(str(path), "cl100k") == first
    assert built == [str(path)] * 2


def test_measures_by_hand() -> None:
    stats = measure_haystack([Document("a", ("One two. Three four.", "One two.")), Document("b", ("Five.",))])
    assert (stats["documents"], stats["sentences"], stats["words"], stats["vocabulary"]) == (2, 4, 7, 5)
    assert stats["duplicate sentences"] == 1 / 4
    # One two. Three four.|2|One two.|2|Five. = 20 + 2 + 8 + 2 + 5
    assert stats["excerpt"] == 37
    long = measure_haystack([Document("a", ("word " * EXCERPT,))])
    assert (long["excerpt"], long["words"]) == (EXCERPT, EXCERPT)
    assert long["zlib ratio"] < 0.02
    assert (long["distinct 4"], long["distinct 8"]) == (1 / (EXCERPT / 5 - 3), 1 / (EXCERPT / 5 - 7))


DOCUMENTS = sorted(
    path
    for name in ("essays", "essays-de", "essays-es", "essays-fr", "starlight")
    for path in (shipped("haystacks") / name).glob("*.md")
)
FRONT_MATTER = re.compile(
    r"---\ntitle: .+\nkind: .+\nwords: (?P<words>\d+)\nlicence: Apache-2\.0\n"
    r"canary: niah:canary:[0-9a-f-]{36}\n---\n"
)


def test_front_matter_counts_the_words() -> None:
    wrong = []
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        head = FRONT_MATTER.match(text)
        words = len(re.sub(r"\{\{[^}]*\}\}", "slot", text[head.end() :]).split()) if head else None
        wrong += [] if head and int(head["words"]) == words else [(path.stem, words)]
    assert wrong == []


@pytest.mark.slow  # of text that seldom changes
@pytest.mark.parametrize(("haystack", "seed"), [("essays", 1), ("starlight", 2)])
def test_shipped_text_is_as_varied_as_natural_text(haystack: str, seed: int) -> None:
    # Paul Graham's essays: zlib 0.372, distinct-4 0.964, distinct-8 0.998, duplicate sentences 0.33 %.
    stats = measure_haystack(load_documents(haystack, seed))
    assert stats["words"] >= 100_000
    assert stats["zlib ratio"] >= 0.34
    assert stats["distinct 4"] >= 0.94
    assert stats["distinct 8"] >= 0.99
    assert stats["duplicate sentences"] <= 0.005


def test_a_lexicon_is_marked_and_has_names_for_many_draws() -> None:
    for kind in set(lexicon_kinds()) - {PERSON}:
        path = shipped("haystacks") / "starlight" / "lexicons" / f"{kind}.txt"
        assert path.read_text(encoding="utf-8").startswith("# niah:canary:"), kind
        assert len(lexicon(kind)) >= 20, kind
        assert all(name == " ".join(name.split()) for name in lexicon(kind)), kind


def test_every_slot_has_a_value_of_its_own_in_every_instance() -> None:
    world = load_world(shipped("haystacks") / "starlight")
    named = [name for name, slot in world.slots.items() if slot.kind not in ("year", "number")]
    for seed, instance in ((1, 0), (2, 0), (1, 3)):
        values = slot_values(world, seed, instance)
        assert len({(world.slots[name].kind, values[name]) for name in named}) == len(named)
