"""From a file's text to the pieces of a haystack: prose, lines, or text to keep as it is.

``haystack.yaml`` next to the text says which, or the lines do: breaks that only wrap prose are where the next
word would not have fitted. Blank lines part paragraphs of prose, and so do line ends where lines hold
paragraphs; other breaks are a space. A paragraph that begins with a slash or follows two hyphens joins the
one before it: tokenizers read these together with the blank line between.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Literal

import orjson
from pydantic import Field

from niah.errors import ConfigError
from niah.files import FileModel, check_each_once, load_yaml
from niah.text.sentences import sentence_spans, short_sentences, split_sentences

Structure = Literal["prose", "lines", "keep"]
STRUCTURES: dict[Structure, str] = {
    "prose": "line breaks inside paragraphs are spaces; sentences end pieces",
    "lines": "every line stays as it is; line breaks end pieces",
    "keep": "the text stays as it is; sentences end pieces, and lines of tables, lists, code and headings",
}

HAYSTACK_FILE = "haystack.yaml"
PARAGRAPH_BREAK = "\n\n"

# What comes before a piece ("" or a space), the piece, and the line ends after it.
Piece = tuple[str, str, str]

FileState = tuple[str, int, int]

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_MARKED = re.compile(r"\s*(?:#{1,6}\s|\||[-*+•]\s|\d+[.)]\s|>|```|~~~|\t|    )")
_FENCE = re.compile(r"(?:```|~~~)", re.MULTILINE)
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_GUTENBERG = re.compile(
    r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*?\*\*\*\s*$(?P<book>.*?)"
    r"(?:^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK|\Z)",
    re.DOTALL | re.MULTILINE,
)
# Searched for, and not translated letter by letter: text is long, and they are rare.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_CONTROLS_BUT_TABS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# A line of zero-width and bidirectional marks alone is as blank as it looks.
_HIDDEN_LINE = re.compile(r"^[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f]+[^\S\n]*$", re.MULTILINE)
_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff65]"
_WIDE_BREAK = re.compile(rf"(?<={_WIDE})[^\S\n]*\n[^\S\n]*(?={_WIDE})")
_LONG_LINE = 160  # columns from which on a line is no line of verse, code or chat but a paragraph
_RUNS_ON = 5_000  # characters: what is longer is no sentence; in six novels the longest has below 3,000
_LEAST_MARKED = 7  # Markdown is kept where one character in so many is in tables, lists, code, headings
_MOST_MARKED = 0.9  # where more than that is marked, the text is a list or code itself
_RAGGED = 8  # columns by which lines that were wrapped by hand differ
_NARROW = 45  # columns below which lines may be verse: there almost all must be full
_ENOUGH = 200_000  # characters that are looked at
_EXCERPT = 20_000  # characters of a document that show whether its lines are wrapped


def state_of(path: Path) -> FileState:
    """What tells a file from others, and from itself before an edit: path, time, size. Raises ConfigError."""
    try:
        found = path.stat()
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.", "Check the path.") from None
    return str(path.absolute()), found.st_mtime_ns, found.st_size


def json_lines(path: Path, lines: Iterable[bytes]) -> Iterator[tuple[int, object]]:
    """Number and content of each line of JSON that is not empty; of what is none a ConfigError."""
    for number, raw in enumerate(lines, start=1):
        line = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        try:
            if line.strip():
                line.decode()
                row = orjson.loads(line)
                names = row if isinstance(row, dict) else ()
                if any(line.count(orjson.dumps(name)) > 1 for name in names):  # a text may be a name too
                    json.loads(
                        line, object_pairs_hook=lambda pairs: check_each_once([key for key, _ in pairs])
                    )
                yield number, row
        except UnicodeDecodeError:
            yield number, ConfigError(path, f"line {number}", "is not UTF-8 text.", "Save the file as UTF-8.")
        except orjson.JSONDecodeError as error:
            remedy = "Write one JSON object a line."
            yield number, ConfigError(path, f"line {number}", f"is not JSON: {error.msg}.", remedy)
        except ValueError as error:
            yield number, ConfigError(path, f"line {number}", f"the key {error}")


class HaystackFile(FileModel):
    """``haystack.yaml``, in the folder of the texts: how they are built, and how often each begins again."""

    structure: Structure | None = None
    times: int = Field(default=1, ge=1, le=100_000)


def haystack_file(path: Path) -> HaystackFile:
    """What ``haystack.yaml`` next to the texts at ``path`` says, if it is there. Raises ConfigError."""
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
    lines, breaks = [line for block in blocks for line in block], _line_breaks(text)
    headings = sum(line.startswith(("#", "```", "|")) for line in lines)
    marked = sum(len(line) for block in blocks if _is_marked(block) for line in block)
    total, indented = sum(map(len, lines)), sum(line.startswith(("    ", "\t")) for line in lines)
    if headings > 1 and indented * 5 < len(lines) and total / _LEAST_MARKED < marked < total * _MOST_MARKED:
        return "keep"
    if len(breaks) * 5 < len(lines) or _is_wrapped(breaks) or _hold_paragraphs(breaks):
        return "prose"
    return "lines"


def _line_breaks(text: str) -> list[tuple[str, str]]:
    """Each line before a single line break, and the line after it."""
    return [pair for block in _BLANK_LINES.split(text.strip("\n")) for pair in pairwise(block.split("\n"))]


def _is_wrapped(breaks: Sequence[tuple[str, str]]) -> bool:
    """Whether most lines end because the next word would not have fitted."""
    sentences = len(split_sentences(" ".join(line for line, _ in breaks)))
    if not breaks or sentences * 12 < len(breaks):
        return False
    widths = sorted(len(line) for line, _ in breaks)
    width, least = widths[len(widths) * 7 // 10] - _RAGGED, 0.6
    if width < _NARROW:
        width, least = widths[len(widths) * 19 // 20] - 1, 0.85
    words = [(after.split(maxsplit=1) or [""])[0] for _, after in breaks]
    needed = [len(word) if word.isascii() or len(word) < 20 else 1 for word in words]
    full = [after for (line, after), more in zip(breaks, needed, strict=True) if len(line) + 1 + more > width]
    # Records of one width are full too, but no line of theirs goes on with a small letter.
    first = [line.lstrip()[:1] for line in full]
    goes_on = sum(letter.isalpha() and not letter.isupper() for letter in first)
    return len(full) >= least * len(breaks) and goes_on * 3 >= len(full)


def _hold_paragraphs(breaks: Sequence[tuple[str, str]]) -> bool:
    """Whether lines are paragraphs: most characters are in long lines, or in lines of several sentences."""
    total = sum(len(line) for line, _ in breaks)
    long = sum(len(line) for line, _ in breaks if len(line) > _LONG_LINE or len(split_sentences(line)) > 1)
    return long * 3 > total * 2


def _is_marked(block: Sequence[str]) -> bool:
    """Whether a stretch between blank lines is a table, a list, code or a heading."""
    return sum(_MARKED.match(line) is not None for line in block) * 2 >= len(block)


def without_front_matter(text: str) -> str:
    """Markdown without the YAML between two lines of dashes that it may begin with, in plain lines."""
    return _FRONT_MATTER.sub("", _CONTROLS.sub(" ", _unix_lines(text)), count=1)


def _unix_lines(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return text if text.isascii() else _HIDDEN_LINE.sub("", text)


def _book(text: str) -> str:
    """What a Project Gutenberg file holds of the book itself; any other text as it is."""
    found = _GUTENBERG.search(text)
    return found["book"] if found else text


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text in order, each on one line; none is empty."""
    inside = _book(_CONTROLS.sub(" ", _unix_lines(text)))
    breaks = _line_breaks(inside[:_EXCERPT])
    if _is_wrapped(breaks) or not _hold_paragraphs(breaks):
        parts = re.split(r"\n\s*\n", inside if inside.isascii() else _WIDE_BREAK.sub("", inside))
    else:
        parts = inside.split("\n")
    joined: list[str] = []
    for part in filter(None, (" ".join(part.split()) for part in parts)):
        if joined and (part.startswith("/") or joined[-1].endswith("--")):
            joined[-1] = f"{joined[-1]} {part}"
        elif rest := part.lstrip("/ ") if part.startswith("/") else part:
            joined.append(rest)
    return tuple(joined)


def kept_paragraphs(text: str) -> tuple[str, ...]:
    """The stretches between blank lines in order, their lines as they are but for white space at the ends."""
    inside = _book(_CONTROLS_BUT_TABS.sub(" ", _unix_lines(text)))
    blocks = re.split(r"\n\s*\n", "\n".join(line.rstrip() for line in inside.split("\n")).strip("\n"))
    return tuple(block.strip("\n") for block in blocks if block.strip())


def pieces_of(paragraphs: Sequence[str], structure: Structure) -> Iterator[Piece]:
    """The pieces of a document's paragraphs in order; each paragraph's last ends with a blank line."""
    fenced = False
    for paragraph in paragraphs:
        has_lines = structure == "lines"
        if structure == "keep":
            fences = len(_FENCE.findall(paragraph))
            has_lines = fenced or fences > 0 or _is_marked(paragraph.split("\n"))
            fenced ^= fences % 2 == 1
        pieces = [("", line, "\n") for line in paragraph.split("\n")] if has_lines else _sentences(paragraph)
        before, last, _ = pieces.pop()
        yield from pieces
        yield before, last, PARAGRAPH_BREAK


def _sentences(paragraph: str) -> list[Piece]:
    """Sentences, each with what parts it from the one before, or with its line's end.

    Text that runs on without a full stop, such as a transcript, is cut between words.
    """
    spans = list[tuple[int, int]]()
    for start, end in sentence_spans(paragraph, 0, len(paragraph)):
        if end - start <= _RUNS_ON:
            spans.append((start, end))
        else:
            spans += ((start + first, start + last) for first, last in short_sentences(paragraph[start:end]))
    gaps = [paragraph[stop:start] for (_, stop), (start, _) in pairwise(spans)]
    return [
        ("" if "\n" in before else before, paragraph[start:end], after if "\n" in after else "")
        for (start, end), before, after in zip(spans, ["", *gaps], [*gaps, ""], strict=True)
    ]
