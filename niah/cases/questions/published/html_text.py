"""The text of a document that is published as HTML."""

from __future__ import annotations

import re
from functools import lru_cache
from html.parser import HTMLParser

_MARKUP = re.compile(r"</?(?:html|body|head|p|br|div|pre|h[1-6])\b[^<>]*>", re.IGNORECASE)
_UNSEEN = frozenset({"head", "script", "style", "title"})
_BLOCKS = frozenset(
    {"p", "div", "br", "hr", "li", "ul", "ol", "tr", "table", "blockquote", "pre", "section", "article"}
    | {f"h{level}" for level in range(1, 7)}
)


@lru_cache(maxsize=4)  # the rows of one document follow each other
def html_as_text(published: str) -> str:
    """The words of an HTML page, a block a line; a text that is no HTML stays as it is."""
    if not _MARKUP.search(published):
        return published
    page = _Page()
    page.feed(published)
    page.close()
    lines = (re.sub(r"[ \t\xa0]+", " ", line).strip() for line in "".join(page.parts).splitlines())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unseen = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNSEEN:
            self._unseen = self._unseen or tag
        elif tag in _BLOCKS:
            self._unseen = ""  # of a head that is never closed
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag == self._unseen:
            self._unseen = ""
        elif tag in _BLOCKS and tag != "br":
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.parts.append(data)
