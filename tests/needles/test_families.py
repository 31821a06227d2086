"""The families that ship: sizes and seeds, and what holds of all that is drawn."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations

import pytest

from niah.errors import HaystackError
from niah.needles.checks import content_words
from niah.needles.families.load import family_names, load_family
from niah.needles.families.schema import FamilySlot
from niah.needles.families.writer import SlotValues
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mention_spans, mentions
from niah.text.sentences import split_sentences
from niah.text.tokenizer import get_tokenizer
from tests.examples import some_of

FAMILIES = family_names()
STORIES = [name for name in FAMILIES if load_family(name)[1].story]
FEW_ANSWERS = ("how-many", "ledger-commonest", "ledger-count", *STORIES)
TALLIES = ("common-words", "frequent-words", "common-list", "frequent-list")


def most(family: str) -> int:
    return min(60, load_family(family)[1].most)


def tokens(texts: list[str]) -> list[int]:
    return [int(count) for count in get_tokenizer("cl100k").counts(texts)]


@cache
def by_size(family: str) -> dict[int, NeedleSet]:
    """The family's set of some k, each with a seed of its own."""
    sizes = some_of(range(load_family(family)[1].fewest, most(family) + 1), 3)
    return {k: load_needle_set(f"{family}@{k}", 3 * k + 1) for k in sizes}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_size_can_be_drawn_and_passes_the_checks(family: str) -> None:
    made = load_family(family)[1]
    for k, needle_set in by_size(family).items():
        assert (needle_set.name, needle_set.kind) == (f"{family}@{k}", made.kind)
        assert len(needle_set.distractors) >= (max(k, 6) if k <= 30 else 12)
        texts = [item.text for item in needle_set.needles]
        texts += [passage.text for passage in needle_set.passages]
        texts += [distractor.text for distractor in needle_set.distractors]
        assert all("{" not in text and text == " ".join(text.split()) for text in texts)
        # Somebody may go to the same place twice, and go by two directions or carry several things.
        assert len(set(texts)) == len(texts) or family in STORIES
        expected = {"multi-key": 1, "unanswerable": 0, "copy": 1}.get(made.kind, k) + bool(
            made.chain and made.chain.ends
        )
        assert len(needle_set.needles) >= k if made.graph else len(needle_set.needles) == expected
    assert load_family(family)[0].read_text(encoding="utf-8").startswith("# niah:canary:")


@pytest.mark.parametrize("family", FAMILIES)
def test_an_element_is_mentioned_by_nothing_but_its_needles_and_seeds_share_few(family: str) -> None:
    needle_set = load_needle_set(f"{family}@{min(20, most(family))}", 11)
    for element in needle_set.stated:
        found = {needle.id for needle in needle_set.needles if mentions(needle.text, element.names)}
        assert found == {needle.id for needle in needle_set.needles if element.name in needle.elements}
        assert not any(mentions(item.text, element.names) for item in needle_set.distractors)
    if most(family) >= 15 and family not in FEW_ANSWERS:
        sets = [load_needle_set(f"{family}@15", seed) for seed in some_of(range(1, 21), 5)]
        drawn = [{element.name for element in each.elements} for each in sets]
        shares = [len(one & other) / max(1, len(one)) for one, other in combinations(drawn, 2)]
        assert sum(shares) / len(shares) < 0.10


def test_lengths_of_short_long_and_nested_needles() -> None:
    for family in FAMILIES:
        stated = load_family(family)[1].needles and family not in ("starlight-long", "ruler-qa-1")
        if (stated or family in TALLIES) and family != "unanswerable":
            for each in by_size(family).values():
                assert max(tokens([needle.text for needle in each.needles])) <= 100
    for each in by_size("starlight-long").values():
        hard = [item.text for item in each.distractors if item.hardness == "hard"]
        assert all(400 <= n <= 500 for n in tokens([*(needle.text for needle in each.needles), *hard]))
    sentences = [set(split_sentences(item.text)) for item in load_needle_set("starlight-long@60", 2).needles]
    assert max(len(one & other) for one, other in combinations(sentences, 2)) <= 2
    for k, each in by_size("starlight-nested").items():
        assert min(tokens([passage.text for passage in each.passages])) > 600
        assert abs(len(each.passages) - max(2, round(2 * k / 3))) <= 1
        assert [passage.id for passage in each.passages][:2] == ["passage-1", "passage-2"]
        homes = [needle.inside for needle in each.needles]
        held = [homes.count(passage.id) for passage in each.passages]
        assert 0 in held
        assert k < 4 or max(held) > 1


def test_chains_are_followed_by_reading() -> None:
    for seed in (1, 2, 3):
        needle_set = load_needle_set("hash-chain@6", seed)
        true, decoys = (
            dict(
                re.findall(r"^(\w+) leads to (\w+)\.$", "\n".join(item.text for item in items), re.MULTILINE)
            )
            for items in (needle_set.needles, needle_set.distractors)
        )
        (mark,) = re.findall(r"Start from (\w+)", needle_set.question)
        for _ in range(6):
            mark = true[mark]
        assert mark == needle_set.elements[0].name
        assert {*true, *true.values()}.isdisjoint({*decoys, *decoys.values()})
        assert len(decoys) == 2 * 6


@pytest.mark.parametrize("family", TALLIES)
@pytest.mark.parametrize("k", [1, 7, 40])
def test_counting_the_entries_gives_the_elements(family: str, k: int) -> None:
    needle_set = load_needle_set(f"{family}@{k}", 5)
    text = "\n".join(needle.text for needle in needle_set.needles)
    counts = {one.name: len(mention_spans(text, one.names)) for one in needle_set.elements + needle_set.traps}
    ranked = sorted(counts, key=lambda name: -counts[name])
    assert set(ranked[:3]) == {element.name for element in needle_set.elements}
    assert counts[ranked[2]] > counts[ranked[3]]


def test_riddles_share_no_content_word_and_hardly_any_other_with_their_questions() -> None:
    riddles = load_family("latent")[1].riddles
    shares = list[float]()
    for riddle in riddles:
        assert not content_words(riddle.question).keys() & content_words(riddle.needle).keys()
        # A slot is no word: "{{ who }}" is filled in with a name.
        texts = (re.sub(r"\{\{.*?\}\}", "", text).lower() for text in (riddle.question, riddle.needle))
        asked, said = (set(re.findall(r"\w+", text)) for text in texts)
        shares.append(len(asked & said) / len(asked))
    assert len({riddle.question for riddle in riddles}) == len(riddles) >= 60
    assert sum(shares) / len(shares) <= 0.15
    assert max(shares) <= 0.5


def test_a_fresh_value_is_no_part_of_another() -> None:
    """Not of one that was drawn before it: a judge could not tell whose it is."""
    values = SlotValues(1, "family", "")
    assert values.value("long", FamilySlot(one_of=("red door key",)), fresh=False) == "red door key"
    with pytest.raises(HaystackError, match="nothing is left to draw"):
        values.value("short", FamilySlot(one_of=("door key",)), fresh=True)
