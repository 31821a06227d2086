"""From the text of a file to its paragraphs, each on one line; the words stay as they are.

* Every kind of line end is a line end; tabs, form feeds, non-breaking and other spaces, and control
  characters are spaces, and a run of spaces is one. A byte order mark is nothing.
* Blank lines part paragraphs; a lone line break inside one is a space, or nothing between two characters of a
  script without spaces. So headings and stanzas that stand between blank lines are paragraphs of their own.
* Where lines are not wrapped but hold paragraphs (long ones, or of several sentences), each is a paragraph.
* Of a Project Gutenberg book only what stands between its START and END lines is read.
* A paragraph that begins with a slash joins the one before it, because o200k reads the slash together
  with the line break and counts would not add up; a document that begins so loses the slashes.
* A paragraph that ends with two hyphens is joined by the next: after such an end a blank line costs a
  token of its own, so no needle could go in between, and in Sterne that would be pages.
"""

from __future__ import annotations

import re

from niah.haystacks.structure import hold_paragraphs, is_wrapped, line_breaks

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")
_START = re.compile(
    r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*?\*\*\*\s*$", re.DOTALL | re.MULTILINE
)
_END = re.compile(r"^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK", re.MULTILINE)
# Searched for, and not translated letter by letter: text is long, and they are rare.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_CONTROLS_BUT_TABS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_LINE_END = re.compile(r"\n")
# A line of zero-width and bidirectional marks alone is as blank as it looks.
_HIDDEN_LINE = re.compile(r"^[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f]+[^\S\n]*$", re.MULTILINE)
_WIDE = "[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uff65]"
_WIDE_BREAK = re.compile(rf"(?<={_WIDE})[^\S\n]*\n[^\S\n]*(?={_WIDE})")
_EXCERPT = 20_000
"""Characters of a document that tell whether its lines are wrapped."""


def without_front_matter(text: str) -> str:
    """Markdown without the YAML between two lines of dashes that it may begin with."""
    return _FRONT_MATTER.sub("", plain_lines(text), count=1)


def plain_lines(text: str) -> str:
    """The text with ``\\n`` as its only line end and its only control character."""
    return _CONTROLS.sub(" ", _unix_lines(text))


def _unix_lines(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return text if text.isascii() else _HIDDEN_LINE.sub("", text)


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text in order; none is empty."""
    inside = _inside_gutenberg(plain_lines(text))
    breaks = line_breaks(inside[:_EXCERPT])
    border = _BLANK_LINES if is_wrapped(breaks) or not hold_paragraphs(breaks) else _LINE_END
    if not inside.isascii() and re.search(_WIDE, inside):
        inside = _WIDE_BREAK.sub("", inside) if border is _BLANK_LINES else inside
    parts = (" ".join(part.split()) for part in border.split(inside))
    return _joined([part for part in parts if part])


def kept_paragraphs(text: str) -> tuple[str, ...]:
    """The stretches between blank lines in order, their lines as they are but for white space at the ends."""
    inside = _inside_gutenberg(_CONTROLS_BUT_TABS.sub(" ", _unix_lines(text)))
    blocks = _BLANK_LINES.split("\n".join(line.rstrip() for line in inside.split("\n")).strip("\n"))
    return tuple(block.strip("\n") for block in blocks if block.strip())


def _inside_gutenberg(text: str) -> str:
    start = _START.search(text)
    if start is None:
        return text
    end = _END.search(text, start.end())
    return text[start.end() : end.start() if end else None]


def _joined(parts: list[str]) -> tuple[str, ...]:
    joined: list[str] = []
    for part in parts:
        if joined and (part.startswith("/") or joined[-1].endswith("--")):
            joined[-1] = f"{joined[-1]} {part}"
        elif not part.startswith("/"):
            joined.append(part)
        elif rest := part.lstrip("/ "):
            joined.append(rest)
    return tuple(joined)
