"""Standard output and error, without what a text could do to a terminal.

Answers, names and reasons come from models, endpoints and files of other people. An escape sequence in them
could clear the screen, set the clipboard or fake a line.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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

    Attributes:
        ends_unread: whether the command ends where nobody reads on (``niah export RUN | head``). Otherwise it
            does its work to the end, says no more, and its exit code is what it came to.
    """

    def __init__(self, stream: IO[str], *, redraws: bool = False) -> None:
        self._stream = stream
        self._redraws = redraws
        self._harmful = _HARMFUL_TO_A_BAR if redraws else _HARMFUL
        self.ends_unread = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write; how many characters were given. Raises OSError."""
        with self._minding():
            self._stream.write(text if text.isprintable() else self._harmful.sub("", text))
        return len(text)

    def flush(self) -> None:
        """Write what is held back. Raises OSError."""
        with self._minding():
            self._stream.flush()

    @contextmanager
    def _minding(self) -> Iterator[None]:
        """Raise OSError of the stream, but where nobody reads on, or for words that no work waits for."""
        try:
            yield
        except BrokenPipeError:
            self._read_no_more()
        except OSError as error:
            from niah.files import is_out_of_space  # no command that is well needs it

            if not is_out_of_space(error):
                raise
            if not self._redraws:
                raise OSError(error.errno, error.strerror, "standard output") from None

    def _read_no_more(self) -> None:
        """Nothing is written from now on, not even at exit."""
        discard(self._stream.fileno())
        with suppress(BrokenPipeError):  # what still waited
            self._stream.flush()
        if self.ends_unread:
            raise BrokenPipeError

    def writelines(self, lines: list[str]) -> None:
        """Write one after another."""
        for line in lines:
            self.write(line)


def discard(*descriptors: int) -> None:
    """Have what is written to these file descriptors vanish."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nowhere, descriptor)
    if nowhere not in descriptors:
        os.close(nowhere)


def at_hand(stream: IO[str] | None, descriptor: int) -> IO[str]:
    """The stream; one into nowhere, if whoever started us has closed it (``>&-``).

    It takes the descriptor, too: the next file to be opened would get it, and then what a library prints.
    """
    if stream is not None:
        return stream
    discard(descriptor)
    return os.fdopen(descriptor, "w", encoding="utf-8", closefd=False)


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
