"""The text that ships: long, varied, marked, and what its front matter says."""

import re

import pytest

from niah.files import shipped
from niah.haystacks.documents import load_documents, measure_haystack
from niah.haystacks.world import load_world, slot_values

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


@pytest.mark.parametrize(("haystack", "seed"), [("essays", 1), ("starlight", 2)])
def test_shipped_text_is_as_varied_as_natural_text(haystack: str, seed: int) -> None:
    # Paul Graham's essays: zlib 0.372, distinct-4 0.964, distinct-8 0.998, duplicate sentences 0.33 %.
    stats = measure_haystack(load_documents(haystack, seed))
    assert stats["words"] >= 100_000
    assert stats["zlib ratio"] >= 0.34
    assert stats["distinct 4"] >= 0.94
    assert stats["distinct 8"] >= 0.99
    assert stats["duplicate sentences"] <= 0.005


def test_every_slot_has_a_value_of_its_own_in_every_instance() -> None:
    world = load_world(shipped("haystacks") / "starlight")
    named = [name for name, slot in world.slots.items() if slot.kind not in ("year", "number")]
    for seed, instance in ((1, 0), (2, 0), (1, 3)):
        values = slot_values(world, seed, instance)
        assert len({(world.slots[name].kind, values[name]) for name in named}) == len(named)
