"""Lines of a verdict in a terminal: what does not fit goes on below its beginning, not at the left edge."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

_DEEPER = 2


def print_lines(lines: Iterable[str], console: Console, indent: int = 2) -> None:
    """Print lines set in by so much more than they are; what goes on in a next line is set in deeper."""
    from rich.text import Text

    for line in lines:
        own = indent + len(line) - len(line.lstrip())
        first, *rest = Text(line.strip()).wrap(console, max(1, console.width - own - _DEEPER))
        console.print(Text(" " * own + first.plain.rstrip()))
        for part in rest:
            console.print(Text(" " * (own + _DEEPER) + part.plain.rstrip()))
