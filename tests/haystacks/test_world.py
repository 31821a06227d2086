"""One seed, one universe: the same names in all its documents, others for another seed and for needles."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.errors import ConfigError, HaystackError, UnknownName
from niah.files import shipped
from niah.haystacks.documents import load_documents
from niah.haystacks.world import Draw, NameShare, Person, lexicon, lexicon_kinds, load_world, slot_values

WORLD = """
slots:
  head: {kind: person, note: "she; 63"}
  school: {kind: academy, first: Starlight Academy}
  founding: {kind: year, low: 180, high: 260}
  charter: {kind: year, after: founding, low: 12, high: 30}
  flood: {kind: year, before: charter, low: 3, high: 3}
  tonic: {kind: potion}
  boats: {kind: number, low: 14, high: 38}
"""
LETTER = """---
title: A Letter
---
{{ head }} came to {{ school }} in {{ charter }}. Nobody calls her {{ head.given }}.

{{ tonic | capital }} is no cure. She had {{ tonic | a }} on each of her {{ boats }} boats.
"""
NOTE = "The flood of {{ flood }} came before the charter of {{ charter }}. {{ head.family }} was there."


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "little"
    folder.mkdir()
    (folder / "world.yaml").write_text(WORLD)
    (folder / "letter.md").write_text(LETTER)
    (folder / "note.md").write_text(NOTE)
    return folder


def text_of(folder: Path, seed: int, instance: int = 0) -> dict[str, str]:
    return {d.name: " ".join(d.paragraphs) for d in load_documents(str(folder), seed, instance)}


def test_slots_have_the_same_values_in_all_documents(world: Path) -> None:
    values, texts = slot_values(load_world(world), 7), text_of(world, 7)
    head, tonic = values["head"], values["tonic"]
    assert isinstance(head, Person)
    assert texts["letter"].startswith(f"{head} came to Starlight Academy in {values['charter']}.")
    assert texts["note"].endswith(f"{head.family} was there.")
    assert f"{head.given} {head.family}" == head
    assert f"{tonic[0].upper()}{tonic[1:]} is no cure." in texts["letter"]
    assert re.search(rf"She had an? {re.escape(tonic)} on each", texts["letter"])


def test_years_keep_their_distances_and_numbers_their_range(world: Path) -> None:
    for seed in range(40):
        values = slot_values(load_world(world), seed)
        founding, charter, flood = (int(values[name]) for name in ("founding", "charter", "flood"))
        assert 180 <= founding <= 260
        assert 12 <= charter - founding <= 30
        assert charter - flood == 3
        assert 14 <= int(values["boats"]) <= 38


def test_another_seed_and_another_instance_are_other_places(world: Path) -> None:
    first, other, further = text_of(world, 1), text_of(world, 2), text_of(world, 1, instance=1)
    assert first != other != further != first
    assert "Starlight Academy" in other["letter"]
    assert "Starlight Academy" not in further["letter"]
    assert text_of(world, 1) == first
    orders = {tuple(d.name for d in load_documents(str(world), seed)) for seed in range(12)}
    assert orders == {("letter", "note"), ("note", "letter")}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("letter.md", "{{ tonic | a }}", "{{ tonik | a }}", r"letter\.md: unknown slot 'tonik'"),
        ("letter.md", "{{ boats }}", "{{ boats", r"letter\.md: cannot be filled in"),
        ("letter.md", "{{ head.given }}", "{{ head.nick }}", r"letter\.md: cannot be filled in: .*nick"),
        ("note.md", "{{ flood }}", "{{ flood + 1 }}", r"note\.md: cannot be filled in"),
        ("note.md", "{{ flood }}", "{{ head.__class__.__mro__ }}", r"note\.md: cannot be filled in"),
        ("note.md", "{{ flood }}", "{% include 'x' %}", r"note\.md: cannot be filled in"),
        ("world.yaml", "kind: potion", "kind: poton", r"slots\.tonic\.kind: no kind.*Did you mean 'potion'"),
        ("world.yaml", "after: founding", "after: found", r"slots\.charter\.after: no year.*'founding'"),
        ("world.yaml", "before: charter", "before: flood", r"slots\.flood\.before: is circular"),
        ("world.yaml", "low: 14, high: 38", "low: 38, high: 14", r"slots\.boats.*low is 38 and high is 14"),
        ("world.yaml", "kind: potion", "kind: potion, low: 3", r"slots\.tonic.*no low, high"),
        ("world.yaml", "low: 180,", "first: long ago, low: 180,", r"slots\.founding: first is 'long ago'"),
        ("world.yaml", "  boats:", "  Boats:", r"slots.*'Boats' is no slot name"),
    ],
)
def test_mistakes_name_file_and_place(world: Path, file: str, old: str, new: str, message: str) -> None:
    load_documents(str(world))
    path = world / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ConfigError, match=message):
        load_documents(str(world))


def test_a_longer_context_goes_on_in_another_place(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "world.yaml").write_text(WORLD)
    for document in load_documents("essays")[:12]:
        told = "\n\n".join(f"{{{{ head }}}} wrote this. {part}" for part in document.paragraphs)
        (folder / f"{document.name}.md").write_text(told)
    short, long = (Case("ferry-lanterns", str(folder), length, 50) for length in (3000, 60_000))
    context = build_context(long)
    audit_context(long, context)
    heads = [str(slot_values(load_world(folder), 1, instance)["head"]) for instance in (0, 1)]
    assert all(head in context.text for head in heads)
    assert context.text.startswith(build_context(short).text[:2000])
    assert context.repeats == 0


@pytest.mark.parametrize("kind", [kind for kind in lexicon_kinds() if kind != "person"])
def test_a_lexicon_is_names_each_once(kind: str) -> None:
    names = lexicon(kind)
    assert len(set(names)) == len(names) >= 20
    assert all(name == " ".join(name.split()) and not name.startswith("#") for name in names)
    path = shipped("haystacks") / "starlight" / "lexicons" / f"{kind}.txt"
    assert path.read_text(encoding="utf-8").startswith("# niah:canary:")


def everything(kind: str, seed: int, part: NameShare) -> list[str]:
    draw, names = Draw(seed, "test", part), list[str]()
    with suppress(HaystackError):
        names += iter(lambda: draw.one(kind), "")
    with pytest.raises(HaystackError, match=f"{kind!r} is used up"):
        draw.one(kind)
    return names


@pytest.mark.parametrize("kind", ["town", "artefact", "given"])
def test_needles_never_have_a_name_of_the_world_they_hide_in(kind: str) -> None:
    for seed in (1, 2, 3):
        world, needles = everything(kind, seed, "world"), everything(kind, seed, "needles")
        assert world
        assert sorted(world + needles) == sorted(lexicon(kind))


def some(kind: str, count: int, draw: Draw) -> list[str]:
    return [draw.one(kind) for _ in range(count)]


def test_draws_depend_on_seed_salt_and_kind_alone() -> None:
    plain, mixed = Draw(5, "test"), Draw(5, "test")
    some("inn", 7, mixed)
    mixed.random("anything").random()
    assert some("town", 9, plain) == some("town", 9, mixed)
    assert len({tuple(some("town", 5, Draw(seed, salt))) for seed in (1, 2) for salt in ("a", "b")}) == 4
    persons = some("person", 40, Draw(1, "test"))
    assert len({person.rpartition(" ")[2] for person in persons}) == 40
    with pytest.raises(UnknownName, match="Did you mean 'potion'"):
        lexicon("potions")
