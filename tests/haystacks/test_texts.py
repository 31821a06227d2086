"""From files to pieces: what can be read, what is prose, lines or kept; worlds: one seed, one universe."""

from __future__ import annotations

import json
import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from textwrap import fill

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case
from niah.errors import ConfigError, HaystackError, UnknownName
from niah.haystacks.documents import Document, load_documents, read_source
from niah.haystacks.structure import find_structure, paragraphs
from niah.haystacks.world import Draw, NameShare, Person, lexicon, load_world, slot_values
from tests.examples import mistake_rows
from tests.script_texts import compose_text

CHAT = (
    "ines: is the gate shut\ntobias: no\ntobias: i thought you had it\nines: i'll go then. wait there\n" * 40
)


def put(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_folders_files_and_rows(tmp_path: Path) -> None:
    for name in ("b/two.md", "b.txt", "a.TXT", "c.csv", ".git/x.txt", ".hidden.md"):
        put(tmp_path / "folder" / name, name)
    assert read_source(tmp_path / "folder") == [("a", "a.TXT"), ("b/two", "b/two.md"), ("b", "b.txt")]
    (document,) = load_documents(str(put(tmp_path / "one.text", "A line\nand another.\n\nNext.")))
    assert document == Document("one", ("A line and another.", "Next."))
    rows = [json.dumps({"text": "One.", "id": 7}), "", json.dumps({"text": "Two\u2028é."})]
    path = put(tmp_path / "rows.jsonl", "\ufeff" + "\r\n".join(rows))
    assert read_source(path) == [("rows:1", "One."), ("rows:3", "Two\u2028é.")]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("x.txt", b"text \0 text", "x.txt: a binary file.*byte 5 is NUL.*UTF-8"),
        ("x.txt", "text".encode("utf-16-be"), "UTF-16: byte 0 is"),
        ("x.md", b"\nOne.\n\nTwo \x93quoted\x94.", "x.md, line 4: not UTF-8: byte 11 is 0x93.*Save it as"),
        ("x.txt", b" \n \n", "no text in it"),
        ("x.jsonl", b'{"text": "a"}\n{"text": 3}', 'x.jsonl: line 2: no key "text"'),
        ("x.jsonl", b"[1]", 'line 1: no key "text"'),
        ("x.jsonl", b'\n{"text": ', "line 2: is not JSON"),
        ("x.jsonl", b'{"text": "\xff"}', "not UTF-8"),
    ],
)
def test_one_clear_error_with_file_and_place(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    with pytest.raises((HaystackError, ConfigError), match=says) as caught:
        load_documents(str(put(tmp_path / name, content)))
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_read(in_folder: Path) -> None:
    for name, says in (
        ("my-own-txts", r"Known: entries, essays.*path"),
        ("none/x", r"at 'none/x': .* path"),
    ):
        with pytest.raises(UnknownName, match=says):
            load_documents(name)
    (in_folder / "my-own-texts").mkdir()
    with pytest.raises(UnknownName, match="Did you mean 'my-own-texts'"):
        load_documents("my-own-txts")
    with pytest.raises(HaystackError, match=r"no \.txt or \.md file"):
        load_documents(str(in_folder))
    with pytest.raises(UnknownName, match="no such file or folder"):
        load_documents(str(in_folder / "nothing"))
    put(in_folder / "deep" / "bad.txt", b"\xff")
    with pytest.raises(HaystackError, match=r"deep/bad\.txt, line 1"):
        load_documents(str(in_folder))
    (in_folder / "deep" / "bad.txt").unlink()
    (in_folder / "gone.txt").symlink_to(in_folder / "nowhere")
    with pytest.raises(HaystackError, match=r"gone\.txt: cannot be read: No such file"):
        load_documents(str(in_folder))
    os.mkfifo(in_folder / "pipe")
    with pytest.raises(HaystackError, match="neither a file nor a folder"):
        load_documents(str(in_folder / "pipe"))


def test_wrapped_prose_and_lines_that_hold_paragraphs_are_prose_and_chat_is_lines() -> None:
    for kind, width in (("english", 40), ("german", 72), ("russian", 100)):
        text = compose_text(kind, 8000)
        wrapped = "\n\n".join(fill(part, width, break_on_hyphens=False) for part in text.split("\n\n"))
        assert find_structure([wrapped]) == "prose"
        assert paragraphs(wrapped) == paragraphs(text)
    chinese = compose_text("chinese", 8000)
    assert paragraphs(chinese.replace("\n\n", "\n")) == paragraphs(chinese)
    assert find_structure([CHAT]) == "lines"


def test_the_file_next_to_the_text_has_the_last_word(tmp_path: Path) -> None:
    put(tmp_path / "a.txt", "One. Two.\nThree.\n\nFour.")
    assert load_documents(str(tmp_path))[0].structure == "prose"
    put(tmp_path / "haystack.yaml", "structure: lines\n")
    for path in (tmp_path, tmp_path / "a.txt"):
        (document,) = load_documents(str(path))
        assert document == Document("a", ("One. Two.\nThree.", "Four."), "lines")
    put(tmp_path / "haystack.yaml", "times: 3\n")
    put(tmp_path / "empty.txt", "")
    assert [len(document.paragraphs) for document in load_documents(str(tmp_path))] == [3, 0]
    put(tmp_path / "haystack.yaml", "structure: line\n")
    with pytest.raises(ConfigError, match=r"haystack.yaml.*structure"):
        load_documents(str(tmp_path))


WORLD = Path(__file__).parents[1] / "data" / "world"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return shutil.copytree(WORLD, tmp_path / "little")


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


def test_another_seed_and_another_instance_are_other_places(world: Path) -> None:
    first, other, further = text_of(world, 1), text_of(world, 2), text_of(world, 1, instance=1)
    assert first != other != further != first
    assert "Starlight Academy" in other["letter"]
    assert "Starlight Academy" not in further["letter"]
    assert text_of(world, 1) == first
    orders = {tuple(d.name for d in load_documents(str(world), seed)) for seed in range(12)}
    assert orders == {("letter", "note"), ("note", "letter")}
    slots = (world / "world.yaml").read_text()
    (world / "world.yaml").write_text(slots.replace("person,", "person, first: Ann Mary Reed,"))
    assert "Nobody calls her Ann Mary." in text_of(world, 1)["letter"]


@pytest.mark.parametrize(("file", "old", "new", "message"), mistake_rows("worlds"))
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
    shutil.copy(WORLD / "world.yaml", folder)
    for document in load_documents("essays")[:12]:
        told = "\n\n".join(f"{{{{ head }}}} wrote this. {part}" for part in document.paragraphs)
        (folder / f"{document.name}.md").write_text(told)
    short, long = (Case("ferry-lanterns", str(folder), length, 50) for length in (3000, 60_000))
    context = build_context(long)
    audit_context(long, context)
    heads = [str(slot_values(load_world(folder), 1, instance)["head"]) for instance in (0, 1)]
    assert all(head in context.text for head in heads)
    assert context.text.startswith(build_context(short).text[:2000])


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
