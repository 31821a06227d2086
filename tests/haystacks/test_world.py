"""One seed, one universe: the same names in all its documents, other names for another seed."""

import re
from pathlib import Path

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.errors import ConfigError
from niah.haystacks.documents import load_documents
from niah.haystacks.world import Person, load_world, slot_values

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


def test_names_are_the_same_in_all_documents(world: Path) -> None:
    values, texts = slot_values(load_world(world), 7), text_of(world, 7)
    head = values["head"]
    assert isinstance(head, Person)
    assert texts["letter"].startswith(f"{head} came to Starlight Academy in {values['charter']}.")
    assert texts["note"].endswith(f"{head.family} was there.")
    assert f"{head.given} {head.family}" == head


def test_years_keep_their_distances_and_numbers_their_range(world: Path) -> None:
    for seed in range(40):
        values = slot_values(load_world(world), seed)
        founding, charter, flood = (int(values[name]) for name in ("founding", "charter", "flood"))
        assert 180 <= founding <= 260
        assert 12 <= charter - founding <= 30
        assert charter - flood == 3
        assert 14 <= int(values["boats"]) <= 38


def test_filters_give_articles_and_capitals(world: Path) -> None:
    tonic = slot_values(load_world(world), 3)["tonic"]
    letter = text_of(world, 3)["letter"]
    assert f"{tonic[0].upper()}{tonic[1:]} is no cure." in letter
    assert re.search(rf"She had an? {re.escape(tonic)} on each", letter)


def test_another_seed_and_another_instance_are_other_places(world: Path) -> None:
    first, other, further = text_of(world, 1), text_of(world, 2), text_of(world, 1, instance=1)
    assert first != other != further != first
    assert "Starlight Academy" in other["letter"]
    assert "Starlight Academy" not in further["letter"]
    assert text_of(world, 1) == first


def test_documents_stand_in_an_order_that_the_seed_settles(world: Path) -> None:
    orders = {tuple(d.name for d in load_documents(str(world), seed)) for seed in range(12)}
    assert orders == {("letter", "note"), ("note", "letter")}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "letter.md",
            "{{ tonic | a }}",
            "{{ tonik | a }}",
            r"letter\.md: line 6: unknown slot 'tonik'.*'tonic'",
        ),
        ("letter.md", "{{ boats }}", "{{ boats", r"letter\.md: line 6: is no template"),
        ("letter.md", "{{ head.given }}", "{{ head.nick }}", r"letter\.md: cannot be filled in: .*nick"),
        ("world.yaml", "kind: potion", "kind: poton", r"slots\.tonic\.kind: no kind.*Did you mean 'potion'"),
        ("world.yaml", "after: founding", "after: found", r"slots\.charter\.after: no year.*'founding'"),
        ("world.yaml", "before: charter", "before: flood", r"slots\.flood\.before: is circular"),
        ("world.yaml", "low: 14, high: 38", "low: 38, high: 14", r"slots\.boats.*low is 38 and high is 14"),
        ("world.yaml", "kind: potion", "kind: potion, low: 3", r"slots\.tonic.*no low, high"),
        (
            "world.yaml",
            "low: 180,",
            "first: long ago, low: 180,",
            r"slots\.founding: first is 'long ago', which is no year",
        ),
        (
            "note.md",
            "{{ flood }}",
            "{{ flood + 1 }}",
            r"note\.md: line 1: is no template: 'add' is noth",
        ),
        (
            "note.md",
            "{{ flood }}",
            "{% include 'x' %}",
            r"note\.md: line 1: is no template: 'include' is noth",
        ),
        (
            "note.md",
            "{{ flood }}",
            "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
            r"note\.md: line 1: is no template: 'macro' is nothing for",
        ),
        ("world.yaml", "  boats:", "  Boats:", r"slots.*'Boats' is no slot name"),
    ],
)
def test_mistakes_name_file_and_place(world: Path, file: str, old: str, new: str, message: str) -> None:
    path = world / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(ConfigError, match=message):
        load_documents(str(world))


def test_templates_are_sandboxed(world: Path) -> None:
    (world / "evil.md").write_text("{{ head.__class__.__mro__ }} is not for reading.")
    with pytest.raises(ConfigError, match="evil"):
        load_documents(str(world))


def test_a_longer_context_goes_on_in_another_place(tmp_path: Path) -> None:
    folder = tmp_path / "long"
    folder.mkdir()
    (folder / "world.yaml").write_text(WORLD)
    essays = load_documents("essays")[:12]
    for document in essays:
        (folder / f"{document.name}.md").write_text(
            "\n\n".join(f"{{{{ head }}}} wrote this. {part}" for part in document.paragraphs)
        )
    short, long = (
        Case("ferry-lanterns", str(folder), 3000, 50),
        Case("ferry-lanterns", str(folder), 60_000, 50),
    )
    context = build_context(long)
    audit_context(long, context)
    heads = [str(slot_values(load_world(folder), 1, instance)["head"]) for instance in (0, 1)]
    assert all(head in context.text for head in heads)
    assert context.text.startswith(build_context(short).text[:2000])
    assert context.repeats == 0
    assert context.reused > 0.2
    assert build_context(short).reused == 0
