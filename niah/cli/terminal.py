"""Standard output and error without what a text could do to a terminal, and Ctrl-C.

Answers, names and reasons come from models, endpoints and files of other people. An escape sequence in them
could clear the screen, set the clipboard or fake a line.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import IO, Any

import click

# Strings to the terminal (OSC, DCS, APC, PM, SOS), whole; then all CSI but those that are let through; then
# any other escape and control character, and the two marks that turn letters round, which no script needs.
_PATTERN = (
    r"\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b\[(?!%s)[0-?]*[ -/]*[@-~]?"
    r"|\x1b(?!\[)."
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202d\u202e]"
)
_COLOURS = r"[0-9;]*m"
_HARMFUL = re.compile(_PATTERN % _COLOURS + r"|\r(?!\n)", re.DOTALL)
# A progress bar goes up a line, erases it, and hides the cursor.
_HARMFUL_TO_A_BAR = re.compile(_PATTERN % rf"(?:{_COLOURS}|\?25[lh]|[0-2]?K|1A)", re.DOTALL)


class CleanStream:
    """A text stream that writes text and colours, and nothing else; the rest is the stream's own. Where its
    reader has gone (``| head``), the command does its work to the end and says no more. Where the disk is
    full, an OSError names standard output; with ``redraws``, of a progress bar, nothing is raised."""

    def __init__(self, stream: IO[str], *, redraws: bool = False) -> None:
        self._stream, self._redraws = stream, redraws
        self._harmful = _HARMFUL_TO_A_BAR if redraws else _HARMFUL

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write; how many characters were given. Raises OSError."""
        self._attempt(self._stream.write, text if text.isprintable() else self._harmful.sub("", text))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write one after another."""
        self.write("".join(lines))

    def flush(self) -> None:
        """Write what is held back. Raises OSError."""
        self._attempt(self._stream.flush)

    def _attempt(self, work: Callable[..., object], *given: str) -> None:
        try:
            work(*given)
        except BrokenPipeError:
            discard(self._stream.fileno())
            with suppress(BrokenPipeError):  # what still waited
                self._stream.flush()
        except OSError as error:
            from niah.files import is_out_of_space  # no command that is well needs it

            if not is_out_of_space(error):
                raise
            if not self._redraws:
                raise OSError(error.errno, error.strerror, "standard output") from None


def discard(descriptor: int) -> None:
    """Have what is written to a file descriptor vanish."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere != descriptor:
        os.dup2(nowhere, descriptor)
        os.close(nowhere)


def at_hand(stream: IO[str] | None, descriptor: int) -> IO[str]:
    """The stream; one into nowhere, with its descriptor, if whoever started us has closed it (``>&-``)."""
    if stream is not None:
        return stream
    discard(descriptor)
    return os.fdopen(descriptor, "w", encoding="utf-8", closefd=False)


@contextmanager
def written_to(out: Path | None) -> Iterator[IO[bytes]]:
    """A file that appears whole or not at all, or standard output. Raises OSError that names either."""
    from niah.files import atomic_write, naming_what_is_full

    opened: Any = atomic_write(out) if out and out != Path("-") else nullcontext(sys.stdout.buffer)
    with naming_what_is_full("standard output"), opened as file:
        yield file


def print_json(document: object) -> None:
    """Print a document for machines, which people can read too."""
    import orjson

    option = orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS
    click.echo(orjson.dumps(document, option=option).decode())


def say(line: str) -> None:
    """Print a line to standard error."""
    click.echo(line, err=True)


def complain(message: str, colour: str = "red") -> None:
    """Say what is wrong, in one line."""
    click.secho(message, err=True, fg=colour)


_heard: list[float] = []


def handle_interrupts() -> None:
    """Handle SIGINT, and SIGTERM and SIGHUP like it; what is ignored, as under nohup, stays ignored."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def _interrupt(*_: object) -> None:
    """The first ends a command in order, by KeyboardInterrupt in this thread; the next ends all at once."""
    _heard.append(time.monotonic())
    if len(_heard) == 1:
        raise KeyboardInterrupt
    if _heard[-1] - _heard[0] > 0.3:  # a terminal that goes away, or a supervisor, may say it twice in a row
        # Nothing that locks, and no stream: this may have come in the middle of anything.
        os.write(2, (b"\x1b[?25h" if os.isatty(2) else b"") + b"\nniah: stopped at once.\n")
        os._exit(130)
