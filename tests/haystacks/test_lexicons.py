from __future__ import annotations

import os
import subprocess
import sys

import pytest

from niah.errors import HaystackError, UnknownName
from niah.haystacks.documents import haystack_names
from niah.haystacks.lexicons import Draw, NameShare, lexicon, lexicon_kinds
from niah.paths import shipped

KINDS = [kind for kind in lexicon_kinds() if kind != "person"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_lexicon_is_names_each_once(kind: str) -> None:
    names = lexicon(kind)
    assert len(names) >= 20
    assert len(set(names)) == len(names)
    assert all(name == " ".join(name.split()) and not name.startswith("#") for name in names)


@pytest.mark.parametrize("kind", KINDS)
def test_a_lexicon_begins_with_the_canary(kind: str) -> None:
    path = shipped("haystacks") / "starlight" / "lexicons" / f"{kind}.txt"
    assert path.read_text(encoding="utf-8").startswith("# niah:canary:")


def test_a_folder_of_lexicons_alone_is_no_haystack() -> None:
    assert "essays" in haystack_names()
    folder = shipped("haystacks") / "starlight"
    has_document = any(path.suffix in {".md", ".txt"} for path in folder.iterdir())
    assert ("starlight" in haystack_names()) == has_document


def test_an_unknown_lexicon_gets_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'potion'"):
        lexicon("potions")


@pytest.mark.parametrize("kind", ["town", "person"])
def test_no_name_is_drawn_twice(kind: str) -> None:
    draw = Draw(3, "test")
    names = draw.many(kind, 60)
    assert len(set(names)) == 60


def test_a_lexicon_that_is_used_up_says_so() -> None:
    draw = Draw(3, "test")
    draw.many("lake", len(lexicon("lake")) - round(len(lexicon("lake")) / 4))
    with pytest.raises(HaystackError, match="'lake' is used up"):
        draw.one("lake")


def everything(kind: str, seed: int, part: NameShare) -> set[str]:
    draw, names = Draw(seed, "test", part), set[str]()
    while True:
        try:
            names.add(draw.one(kind))
        except HaystackError:
            return names


@pytest.mark.parametrize("kind", ["town", "artefact", "course", "given", "family"])
def test_needles_never_have_a_name_of_the_world_they_hide_in(kind: str) -> None:
    for seed in (1, 2, 3):
        world, needles = everything(kind, seed, "world"), everything(kind, seed, "needles")
        assert world
        assert world | needles == set(lexicon(kind))
        assert not world & needles


def test_draws_of_one_kind_change_no_other() -> None:
    plain, mixed = Draw(5, "test"), Draw(5, "test")
    mixed.many("inn", 7)
    mixed.random("anything").random()
    assert plain.many("town", 9) == mixed.many("town", 9)


def test_seed_and_salt_both_matter() -> None:
    drawn = {Draw(seed, salt).many("town", 5) for seed in (1, 2) for salt in ("a", "b")}
    assert len(drawn) == 4


def test_persons_share_no_name_at_first() -> None:
    persons = Draw(1, "test").many("person", 40)
    assert len({person.rpartition(" ")[2] for person in persons}) == 40


def test_draws_are_the_same_in_every_process() -> None:
    script = (
        "from niah.haystacks.lexicons import Draw; d = Draw(7, 's'); print(d.many('person', 9), d.one('inn'))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(printed) == 1
