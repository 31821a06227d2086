"""The families that ship: every size, many seeds, and what holds of all that is drawn."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from itertools import combinations, pairwise

import pytest

from niah.needles.families.draw import distractor_count
from niah.needles.families.load import family_folders, family_names, load_family
from niah.needles.kinds import content_words
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet
from niah.text.mentions import mentions
from niah.text.sentences import split_sentences
from niah.text.tokenizer import get_tokenizer
from tests.examples import some_of

FAMILIES = family_names()
STORIES = [name for name in FAMILIES if load_family(name)[1].story]
STATED = [name for name in FAMILIES if load_family(name)[1].needles]


def overlaps(question: str, needle: str) -> tuple[float, float, int]:
    """Shares of the question's words and of its pairs in the needle (NoLiMa: ROUGE-1, -2); shared stems."""
    # A slot is no word: "{{ who }}" is filled in with a name.
    texts = (re.sub(r"\{\{.*?\}\}", "", text).lower() for text in (question, needle))
    asked, said = (re.findall(r"\w+", text) for text in texts)
    pairs = [set(pairwise(words)) for words in (asked, said)]
    shared = len(content_words(question).keys() & content_words(needle).keys())
    words = len(set(asked) & set(said)) / len(set(asked))
    return words, len(pairs[0] & pairs[1]) / len(pairs[0]), shared


def most(family: str) -> int:
    return min(60, load_family(family)[1].most)


def fewest(family: str) -> int:
    return load_family(family)[1].fewest


def tokens(texts: list[str]) -> list[int]:
    return [int(count) for count in get_tokenizer("cl100k").counts(texts)]


@cache
def by_size(family: str) -> dict[int, NeedleSet]:
    """The family's set of every k, or of some, each with a seed of its own."""
    sizes = some_of(range(fewest(family), most(family) + 1), 8)
    return {k: load_needle_set(f"{family}@{k}", 3 * k + 1) for k in sizes}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_size_can_be_drawn_and_passes_the_checks(family: str) -> None:
    for k, needle_set in by_size(family).items():
        assert needle_set.name == f"{family}@{k}"
        assert needle_set.kind == load_family(family)[1].kind
        assert len(needle_set.distractors) >= (max(k, 6) if k <= 30 else 12)
        is_ordered = family in ("in-order", "babilong-qa19") or (family == "hash-hop-steps" and k > 1)
        assert needle_set.ordered == is_ordered
        texts = [needle.text for needle in needle_set.needles]
        texts += [passage.text for passage in needle_set.passages]
        texts += [distractor.text for distractor in needle_set.distractors]
        assert all("{" not in text and text == " ".join(text.split()) for text in texts)
        # Somebody may go to the same place twice, and go by two directions or carry several things.
        assert len(set(texts)) == len(texts) or family in STORIES


@pytest.mark.parametrize("family", FAMILIES)
def test_many_seeds_pass_the_checks(family: str) -> None:
    for seed in some_of(range(100, 130), 5):
        load_needle_set(f"{family}@{min(15, most(family))}", seed)


@pytest.mark.parametrize("family", FAMILIES)
def test_needles_are_as_many_as_asked(family: str) -> None:
    made = load_family(family)[1]
    k = max(min(5, most(family)), fewest(family))
    needles = len(load_needle_set(f"{family}@{k}", 1).needles)
    if made.graph:
        assert needles >= k
        return
    expected = {"multi-key": 1, "unanswerable": 0}.get(made.kind, k)
    assert needles == expected + bool(made.chain and made.chain.ends)


RIVALS = {"multi-key": 4, "multi-query": 5, "conflicting": 5}


@pytest.mark.parametrize("family", FAMILIES)
def test_distractors_that_the_kind_lives_by_stand_first_and_the_others_are_mixed(family: str) -> None:
    k = max(min(5, most(family)), fewest(family))
    distractors = load_needle_set(f"{family}@{k}", 2).distractors
    rivals = RIVALS.get(load_family(family)[1].kind, 0)
    assert all(distractor.hardness == "hard" for distractor in distractors[:rivals])
    first = distractors[rivals : rivals + (2 if rivals else 3)]
    if rivals:
        assert {distractor.hardness for distractor in first} == {"medium", "easy"}
        return
    assert {distractor.hardness for distractor in first} == {"hard", "medium", "easy"}


@pytest.mark.parametrize(
    "family", [name for name in STATED if name not in ("starlight-long", "ruler-qa-1", "unanswerable")]
)
def test_short_needles_are_short(family: str) -> None:
    assert max(max(tokens([n.text for n in each.needles])) for each in by_size(family).values()) <= 100


@pytest.mark.parametrize("family", ["common-words", "frequent-words", "common-list", "frequent-list"])
def test_tally_entries_are_short(family: str) -> None:
    assert max(max(tokens([n.text for n in each.needles])) for each in by_size(family).values()) <= 100


def test_long_needles_are_long() -> None:
    for seed in some_of(range(40, 70), 6):
        needle_set = load_needle_set("starlight-long@9", seed)
        assert all(400 <= count <= 500 for count in tokens([needle.text for needle in needle_set.needles]))
    for needle_set in by_size("starlight-long").values():
        hard = [item.text for item in needle_set.distractors if item.hardness == "hard"]
        assert all(400 <= n <= 500 for n in tokens([*(needle.text for needle in needle_set.needles), *hard]))


def test_long_needles_are_not_alike() -> None:
    for seed in (1, 2, 3):
        needles = load_needle_set("starlight-long@60", seed).needles
        sentences = [set(split_sentences(needle.text)) for needle in needles]
        assert max(len(one & other) for one, other in combinations(sentences, 2)) <= 2


def test_nested_passages_outrun_a_chunk_and_hold_needles_unevenly() -> None:
    for k, needle_set in by_size("starlight-nested").items():
        assert min(tokens([passage.text for passage in needle_set.passages])) > 600
        assert abs(len(needle_set.passages) - max(2, round(2 * k / 3))) <= 1
        homes = [needle.inside for needle in needle_set.needles]
        held = [homes.count(passage.id) for passage in needle_set.passages]
        assert 0 in held
        assert k < 4 or max(held) > 1


@pytest.mark.parametrize("family", FAMILIES)
def test_an_element_is_mentioned_by_nothing_but_its_needles(family: str) -> None:
    needle_set = load_needle_set(f"{family}@{min(20, most(family))}", 11)
    for element in needle_set.stated:
        told = {needle.id for needle in needle_set.needles if mentions(needle.text, element.names)}
        assert told == {needle.id for needle in needle_set.needles if element.name in needle.elements}
        assert not any(mentions(item.text, element.names) for item in needle_set.distractors)


FEW_ANSWERS = ("how-many", "ledger-commonest", "ledger-count", *STORIES)


@pytest.mark.parametrize("family", [n for n in FAMILIES if most(n) >= 15 and n not in FEW_ANSWERS])
def test_two_seeds_share_few_elements(family: str) -> None:
    sets = [load_needle_set(f"{family}@15", seed) for seed in some_of(range(1, 21), 8)]
    drawn = [{element.name for element in each.elements} for each in sets]
    shares = [len(one & other) / max(1, len(one)) for one, other in combinations(drawn, 2)]
    assert sum(shares) / len(shares) < 0.10


@pytest.mark.parametrize("family", ["starlight-short", "starlight-long", "multi-value", "multi-query"])
def test_a_larger_set_begins_with_the_smaller(family: str) -> None:
    small, large = (load_needle_set(f"{family}@{k}", 4).needles for k in (3, 9))
    assert large[:3] == small


def test_draws_are_the_same_in_every_process() -> None:
    script = (
        "from niah.needles.load import load_needle_set;"
        "print([load_needle_set(n, 7) for n in ('starlight-nested@5', 'chain@3', 'frequent-words@4')])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1


@pytest.mark.parametrize("family", FAMILIES)
def test_family_files_begin_with_the_canary(family: str) -> None:
    path = family_folders()[-1] / f"{family}.yaml"
    assert path.read_text(encoding="utf-8").startswith("# niah:canary:")


def test_the_number_of_distractors_follows_k() -> None:
    short, none = (load_family(name)[1] for name in ("starlight-short", "unanswerable"))
    assert [distractor_count(short, k) for k in (1, 6, 7, 30, 60)] == [6, 6, 7, 30, 30]
    assert [distractor_count(none, k) for k in (1, 7, 60)] == [6, 7, 60]


def test_riddles_share_no_content_word_and_hardly_any_other_with_their_questions() -> None:
    riddles = load_family("latent")[1].riddles
    assert len(riddles) >= 60
    found = [overlaps(riddle.question, riddle.needle) for riddle in riddles]
    ones, twos, stems = zip(*found, strict=True)
    assert set(stems) == {0}
    assert sum(ones) / len(ones) <= 0.15
    assert max(ones) <= 0.5
    assert max(twos) <= 0.25
    for riddle in riddles:
        assert len({riddle.needle, *riddle.hard}) == 3
        assert len({riddle.question for riddle in riddles}) == len(riddles)
