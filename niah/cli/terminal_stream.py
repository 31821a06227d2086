"""Standard output and error, without what a text could do to a terminal.

Answers, names and reasons come from models, endpoints and files of other people. An escape sequence in them
could clear the screen, set the clipboard or fake a line.
"""

from __future__ import annotations

import re
import sys
from typing import IO, Any

import click

# Strings to the terminal (OSC, DCS, APC, PM, SOS), whole; then all CSI but those that are let through; then
# any other escape and control character.
_PATTERN = (
    r"\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b\[(?!%s)[0-?]*[ -/]*[@-~]?"
    r"|\x1b(?!\[)."
    # ... and the two marks that turn letters round whatever they are, which no script needs.
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202d\u202e]"
)
_COLOURS = r"[0-9;]*m"
_HARMFUL = re.compile(_PATTERN % _COLOURS + r"|\r(?!\n)", re.DOTALL)
# A progress bar goes up a line, erases it, and hides the cursor.
_HARMFUL_TO_A_BAR = re.compile(_PATTERN % rf"(?:{_COLOURS}|\?25[lh]|[0-2]?K|1A)", re.DOTALL)


class CleanStream:
    """A text stream that writes text and colours, and nothing else; the rest is the stream's own.

    Args:
        stream: to be written to.
        redraws: whether a progress bar is drawn there, and what goes on beside it: of that, what the disk has
            no room for is left out. Anywhere else it is raised as OSError that names standard output.
    """

    def __init__(self, stream: IO[str], *, redraws: bool = False) -> None:
        self._stream = stream
        self._redraws = redraws
        self._harmful = _HARMFUL_TO_A_BAR if redraws else _HARMFUL

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write; how many characters were given. Raises OSError."""
        try:
            self._stream.write(text if text.isprintable() else self._harmful.sub("", text))
        except OSError as error:
            self._told(error)
        return len(text)

    def flush(self) -> None:
        """Write what is held back. Raises OSError."""
        try:
            self._stream.flush()
        except OSError as error:
            self._told(error)

    def _told(self, error: OSError) -> None:
        """Raise an error of the stream, but for words that no work waits for."""
        from niah.files import is_out_of_space  # no command that is well needs it

        if not is_out_of_space(error):
            raise error
        if not self._redraws:
            raise OSError(error.errno, error.strerror, "standard output") from None

    def writelines(self, lines: list[str]) -> None:
        """Write one after another."""
        for line in lines:
            self.write(line)


def complain(message: str, colour: str = "red") -> None:
    """Say what is wrong: to programs in the lines that it has, to a terminal broken between words."""
    if sys.stderr.isatty():
        from shutil import get_terminal_size
        from textwrap import fill

        columns = max(20, get_terminal_size().columns)
        message = "\n".join(
            fill(line, columns, break_long_words=False, break_on_hyphens=False, replace_whitespace=False)
            for line in message.split("\n")
        )
    click.secho(message, err=True, fg=colour)
