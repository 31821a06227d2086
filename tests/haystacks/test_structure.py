from __future__ import annotations

from pathlib import Path
from textwrap import fill

import pytest

from niah.errors import ConfigError
from niah.haystacks.corpus import build_corpus
from niah.haystacks.documents import Document, load_documents
from niah.haystacks.prose import kept_paragraphs, paragraphs
from niah.haystacks.structure import find_structure, pieces_of
from niah.text.tokenizer import get_tokenizer
from tests.script_texts import KINDS, LANGUAGES, compose, compose_text

FOUND = (
    dict.fromkeys(LANGUAGES, "prose") | dict.fromkeys(KINDS[len(LANGUAGES) :], "lines") | {"markdown": "keep"}
)
CHAT = (
    "ines: is the gate shut\ntobias: no\ntobias: i thought you had it\nines: i'll go then. wait there\n" * 40
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_text_is_shows_in_its_lines(kind: str, seed: int) -> None:
    assert find_structure([compose_text(kind, 8000, seed)]) == FOUND[kind]


@pytest.mark.parametrize("width", [40, 72, 100])
@pytest.mark.parametrize("kind", ["english", "german", "russian"])
def test_wrapped_prose_is_prose(kind: str, width: int) -> None:
    text = compose_text(kind, 8000)
    wrapped = "\n\n".join(fill(paragraph, width, break_on_hyphens=False) for paragraph in text.split("\n\n"))
    assert find_structure([wrapped]) == "prose"
    assert paragraphs(wrapped) == paragraphs(text)


def test_lines_that_hold_paragraphs_are_paragraphs() -> None:
    text = compose_text("chinese", 8000)
    assert paragraphs(text.replace("\n\n", "\n")) == paragraphs(text)


def test_a_wrapped_line_of_chinese_goes_on_without_a_space() -> None:
    assert paragraphs("天还没亮，他就把铜\n水壶背到了渡口。\n\nIt was\nlate.") == (
        "天还没亮，他就把铜水壶背到了渡口。",
        "It was late.",
    )


def test_lower_case_chat_has_lines() -> None:
    assert find_structure([CHAT]) == "lines"


def test_most_of_the_text_decides() -> None:
    assert find_structure([compose_text("logs", 9000), compose_text("english", 4000)]) == "lines"
    assert find_structure([compose_text("logs", 4000), compose_text("english", 9000)]) == "prose"


def test_the_file_beside_the_text_has_the_last_word(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("One. Two.\nThree.\n\nFour.", encoding="utf-8")
    assert load_documents(str(tmp_path))[0].structure == "prose"
    (tmp_path / "haystack.yaml").write_text("structure: lines\n")
    for path in (tmp_path, tmp_path / "a.txt"):
        (document,) = load_documents(str(path))
        assert document == Document("a", ("One. Two.\nThree.", "Four."), "lines")
    (tmp_path / "haystack.yaml").write_text("structure: line\n")
    with pytest.raises(ConfigError, match=r"haystack.yaml.*structure"):
        load_documents(str(tmp_path))


def test_pieces_of_lines_by_hand() -> None:
    assert list(pieces_of(("a: 1. B\n  c\td", "e"), "lines")) == [
        ("", "a: 1. B", "\n"),
        ("", "  c\td", "\n\n"),
        ("", "e", "\n\n"),
    ]


def test_pieces_of_kept_markdown_by_hand() -> None:
    text = "# Tide. Two\n\nOne. Two goes\non. Three.\nFour.\n\n| a. B |\n| c |\n\n```\nX. Y\n\nZ. Q\n```"
    assert ["".join(piece) for piece in pieces_of(kept_paragraphs(text), "keep")] == [
        "# Tide. Two\n\n",
        "One.",
        " Two goes\non.",
        " Three.\n",
        "Four.\n\n",
        "| a. B |\n",
        "| c |\n\n",
        "```\n",
        "X. Y\n\n",
        "Z. Q\n",
        "```\n\n",
    ]


@pytest.mark.parametrize("kind", ["code", "markdown", "verse", "chinese", "thai"])
def test_a_corpus_holds_the_text_as_it_is(kind: str) -> None:
    text = compose_text(kind, 4000)
    structure = find_structure([text])
    kept = paragraphs(text) if structure == "prose" else kept_paragraphs(text)
    corpus = build_corpus("own", [Document("own", kept, structure)], get_tokenizer("cl100k"))
    assert corpus.text.strip("\n") == text.strip("\n")


@pytest.mark.parametrize("kind", ["csv", "logs", "verse"])
def test_every_line_is_a_piece(kind: str) -> None:
    lines = [line for block in compose(kind, 3) for line in block]
    blocks = tuple("\n".join(block) for block in compose(kind, 3))
    assert [piece for _, piece, _ in pieces_of(blocks, "lines")] == lines
