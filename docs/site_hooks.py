"""What mkdocs does not do by itself: links to files off the site, and options that no line breaks."""

from __future__ import annotations

import re
from typing import Any

_INTO_THE_SOURCE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")
_COMMANDS = re.compile(r'<div class="language-sh.*?</div>', re.DOTALL)
_OPTION = re.compile(r"<[^>]*>|(?<![\w-])--?[A-Za-z][\w-]*")
"""An option; or a tag, in which there is none."""


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The name alone of a file of the source tree, which the site has not."""
    return _INTO_THE_SOURCE.sub(r"\1", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """The page with each option of a command marked, so that no line breaks within it (extra.css)."""
    return _COMMANDS.sub(lambda block: _OPTION.sub(_marked, block[0]), html)


def _marked(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("<") else f'<span class="option">{found[0]}</span>'
