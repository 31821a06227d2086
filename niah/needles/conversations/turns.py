"""A conversation that is a context's text, as messages of a chat."""

from __future__ import annotations

import re

_LINES = re.compile(r"^User: (?P<user>.+?) Assistant: (?P<reply>.+)$", re.MULTILINE)
"""A turn a line, as `recall` writes them."""
_BLOCKS = re.compile(
    r"^user: (?P<user>.*?)\n\nassistant: (?P<reply>.*?)(?=\n\nuser: |\Z)", re.MULTILINE | re.DOTALL
)
"""Messages one below the other, as the published MRCR is imported."""


def as_turns(before: str, context: str, after: str) -> tuple[str, ...]:
    """What user and assistant say by turns, the user first and last; empty where a context has no turns.

    What stands before the first turn, between two or behind the last goes to the user's next message.

    Args:
        before, after: the prompt around the context.
        context: its text.
    """
    pattern = _LINES if _LINES.search(context) else _BLOCKS
    messages, waiting, at = list[str](), [before.strip()], 0
    for turn in pattern.finditer(context):
        waiting += [context[at : turn.start()].strip(), turn["user"]]
        messages += ["\n\n".join(filter(None, waiting)), turn["reply"]]
        waiting, at = [], turn.end()
    if not messages:
        return ()
    return (*messages, "\n\n".join(filter(None, [context[at:].strip(), after.strip()])))
