"""From the text of a file to its paragraphs, each on one line; the words stay as they are.

* Every kind of line end is a line end; tabs, form feeds, non-breaking and other spaces, and control
  characters are spaces, and a run of spaces is one. A byte order mark is nothing.
* Blank lines part paragraphs; a lone line break inside one is a space. So headings and stanzas that
  stand between blank lines are paragraphs of their own.
* Of a Project Gutenberg book only what stands between its START and END lines is read.
* A paragraph that begins with a slash joins the one before it, because o200k reads the slash together
  with the line break and counts would not add up; a document that begins so loses the slashes.
* A paragraph that ends with two hyphens is joined by the next: after such an end a blank line costs a
  token of its own, so no needle could go in between, and in Sterne that would be pages.
"""

from __future__ import annotations

import re

_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_BLANK_LINES = re.compile(r"\n\s*\n")
_START = re.compile(
    r"^\*\*\* ?START OF (?:THE|THIS) PROJECT GUTENBERG EBOOK.*?\*\*\*\s*$", re.DOTALL | re.MULTILINE
)
_END = re.compile(r"^\*\*\* ?END OF (?:THE|THIS) PROJECT GUTENBERG EBOOK", re.MULTILINE)
# Searched for, and not translated letter by letter: text is long, and they are rare.
_CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def without_front_matter(text: str) -> str:
    """Markdown without the YAML between two lines of dashes that it may begin with."""
    return _FRONT_MATTER.sub("", plain_lines(text), count=1)


def plain_lines(text: str) -> str:
    """The text with ``\\n`` as its only line end and its only control character."""
    unix = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "")
    return _CONTROLS.sub(" ", unix)


def paragraphs(text: str) -> tuple[str, ...]:
    """The paragraphs of a text in order; none is empty."""
    parts = (" ".join(part.split()) for part in _BLANK_LINES.split(_inside_gutenberg(plain_lines(text))))
    return _joined([part for part in parts if part])


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
