"""How a haystack's text is built, and so where its pieces end: prose, lines, or text to keep as it is.

``haystack.yaml`` beside the text may say it; otherwise it is found out from the lines themselves. Line breaks
that only wrap prose stand where the next word would not have fitted any more; those of logs, tables, code,
verse and chat stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

from pydantic import Field

from niah.files import FileModel, load_yaml
from niah.text.sentences import sentence_spans, split_sentences

Structure = Literal["prose", "lines", "keep"]
STRUCTURES: dict[Structure, str] = {
    "prose": "line breaks inside paragraphs are spaces; sentences end pieces",
    "lines": "every line stays as it is; line breaks end pieces",
    "keep": "the text stays as it is; sentences end pieces, and lines of tables, lists, code and headings",
}

HAYSTACK_FILE = "haystack.yaml"

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_MARKED = re.compile(r"\s*(?:#{1,6}\s|\||[-*+•]\s|\d+[.)]\s|>|```|~~~|\t|    )")
_LONG_LINE = 160
"""Columns from which on a line is no line of verse, code or chat but a paragraph."""
_LEAST_MARKED = 7
"""Markdown is kept where at least one character in so many stands in tables, lists, code and headings."""
_MOST_MARKED = 0.9
"""Where more than that is marked, the text is a list or code itself."""
_RAGGED = 8
"""Columns by which lines that were wrapped by hand differ."""
_NARROW = 45
"""Columns below which lines may be verse: there almost all must be full."""
_ENOUGH = 200_000
"""Characters that are looked at."""


FileState = tuple[str, int, int]


def state_of(path: Path) -> FileState:
    """What tells a file from any other, and from itself before an edit: its whole path, its time, its size.

    Raises OSError.
    """
    found = path.stat()
    return str(path.absolute()), found.st_mtime_ns, found.st_size


class HaystackFile(FileModel):
    """``haystack.yaml``, in the folder of the texts: how they are built, and how often each begins again."""

    structure: Structure | None = None
    times: int = Field(default=1, ge=1, le=100_000)


def told_structure(path: Path) -> Structure | None:
    """What ``haystack.yaml`` beside the texts at ``path`` says, if it is there. Raises ConfigError."""
    return _told(path).structure


def told_times(path: Path) -> int:
    """How many paragraphs are made of each text at ``path``. Raises ConfigError."""
    return _told(path).times


def _told(path: Path) -> HaystackFile:
    file = (path if path.is_dir() else path.parent) / HAYSTACK_FILE
    return load_yaml(file, HaystackFile) if file.is_file() else HaystackFile()


def find_structure(texts: Iterable[str]) -> Structure:
    """What most of the texts' characters are."""
    sizes: dict[Structure, int] = dict.fromkeys(STRUCTURES, 0)
    for text in texts:
        excerpt = text[: _ENOUGH // 4]
        sizes[_structure_of_text(excerpt)] += len(excerpt)
        if sum(sizes.values()) > _ENOUGH:
            break
    return max(sizes, key=lambda structure: sizes[structure])


def _structure_of_text(text: str) -> Structure:
    blocks = [block.split("\n") for block in _BLANK_LINES.split(text.strip("\n"))]
    lines, breaks = [line for block in blocks for line in block], line_breaks(text)
    headings = sum(line.startswith(("#", "```", "|")) for line in lines)
    marked = sum(len(line) for block in blocks if _is_marked(block) for line in block)
    total, indented = sum(map(len, lines)), sum(line.startswith(("    ", "\t")) for line in lines)
    if headings > 1 and indented * 5 < len(lines) and total / _LEAST_MARKED < marked < total * _MOST_MARKED:
        return "keep"
    if len(breaks) * 5 < len(lines) or is_wrapped(breaks) or hold_paragraphs(breaks):
        return "prose"
    return "lines"


def line_breaks(text: str) -> list[tuple[str, str]]:
    """Each line before a single line break, and the line after it."""
    return [pair for block in _BLANK_LINES.split(text.strip("\n")) for pair in pairwise(block.split("\n"))]


def is_wrapped(breaks: Sequence[tuple[str, str]]) -> bool:
    """Whether most lines end because the next word would not have fitted.

    Args:
        breaks: each line before a single line break, and the line after it.
    """
    if not breaks:
        return False
    sentences = len(split_sentences(" ".join(line for line, _ in breaks)))
    if sentences * 12 < len(breaks):
        return False
    widths = sorted(len(line) for line, _ in breaks)
    width, least = widths[len(widths) * 7 // 10] - _RAGGED, 0.6
    if width < _NARROW:
        width, least = widths[len(widths) * 19 // 20] - 1, 0.85
    full = [after for line, after in breaks if len(line) + 1 + len(_first_word(after)) > width]
    # Records of one width are full too, but no line of theirs goes on with a small letter.
    return len(full) >= least * len(breaks) and sum(map(_goes_on, full)) * 3 >= len(full)


def _first_word(line: str) -> str:
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    return word if word.isascii() or len(word) < 20 else word[:1]


def _goes_on(line: str) -> bool:
    """Whether a line may well begin inside a sentence: with a letter that is no capital."""
    first = line.lstrip()[:1]
    return first.isalpha() and not first.isupper()


def hold_paragraphs(breaks: Sequence[tuple[str, str]]) -> bool:
    """Whether lines are paragraphs: most characters stand in long lines, or in lines of several sentences."""
    total = sum(len(line) for line, _ in breaks)
    long = sum(len(line) for line, _ in breaks if len(line) > _LONG_LINE or len(split_sentences(line)) > 1)
    return long * 3 > total * 2


def _is_marked(block: Sequence[str]) -> bool:
    """Whether a stretch between blank lines is a table, a list, code or a heading."""
    return sum(_MARKED.match(line) is not None for line in block) * 2 >= len(block)


Piece = tuple[str, str, str]
"""What stands before a piece ("" or a space), the piece, and the line ends after it."""

PARAGRAPH_BREAK = "\n\n"
_FENCE = re.compile(r"(?:```|~~~)", re.MULTILINE)


def pieces_of(paragraphs: Sequence[str], structure: Structure) -> Iterator[Piece]:
    """The pieces of a document's paragraphs in order; each paragraph's last ends with a blank line."""
    fenced = False
    for paragraph in paragraphs:
        has_lines = structure == "lines"
        if structure == "keep":
            fences = len(_FENCE.findall(paragraph))
            has_lines = fenced or fences > 0 or _is_marked(paragraph.split("\n"))
            fenced ^= fences % 2 == 1
        pieces = _lines(paragraph) if has_lines else _sentences(paragraph)
        before, last, _ = pieces.pop()
        yield from pieces
        yield before, last, PARAGRAPH_BREAK


def _lines(paragraph: str) -> list[Piece]:
    return [("", line, "\n") for line in paragraph.split("\n")]


def _sentences(paragraph: str) -> list[Piece]:
    """Sentences, each with what parts it from the one before, or with its line's end."""
    spans = sentence_spans(paragraph, 0, len(paragraph))
    gaps = [paragraph[stop:start] for (_, stop), (start, _) in pairwise(spans)]
    return [
        ("" if "\n" in before else before, paragraph[start:end], after if "\n" in after else "")
        for (start, end), before, after in zip(spans, ["", *gaps], [*gaps, ""], strict=True)
    ]
