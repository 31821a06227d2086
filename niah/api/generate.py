"""The cases of a suite as a file of JSON lines; what cannot be built stands in a file beside it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import chain, count
from pathlib import Path

import orjson

from niah.cases.left_out import LeftOut
from niah.cases.records import WrittenRecords, write_records
from niah.cases.suite import Suite
from niah.errors import UserError
from niah.files import atomic_write, is_out_of_space

_MAKE_ROOM = "Make room, and generate again."


def generate(
    suite: Suite, out: Path | None, *, with_context: bool = False, audited: bool = False
) -> WrittenRecords:
    """Write the cases of a suite to ``out``, one JSON object per line; to standard output without it.

    Cases left out stand in OUT.left-out.jsonl, which is there only where there are some. Where the disk is
    full, the lines that were finished are kept in OUT.partial.jsonl (partial2, where that is there), and what
    stood in ``out`` before stays.

    Raises UserError, also where the disk is full, and Defect where the audit finds something.
    """
    if out is None or (out.exists() and not out.is_file()):  # a device or pipe is written to as it is
        with _stream(out) as lines:
            return write_records(suite, lines.write, with_context=with_context, audited=audited)
    with _draft(out) as lines:
        written = write_records(suite, lines.write, with_context=with_context, audited=audited)
    _write_left_out(left_out_path(out), written.left_out)
    return written


def left_out_path(out: Path) -> Path:
    """Where the cases stand that were left out of ``out``."""
    return out.with_name(f"{out.stem}.left-out.jsonl")


def _write_left_out(path: Path, left_out: list[LeftOut]) -> None:
    """A line a case; no file where there is none, nor an older one."""
    if not left_out:
        path.unlink(missing_ok=True)
        return
    with atomic_write(path) as file:
        file.writelines(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in left_out)


class _Lines:
    """Writes whole lines, past every buffer, and knows how much of the file they are.

    Args:
        descriptor: of the open file.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.count = 0
        self.size = 0

    def write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]
        self.count += 1
        self.size += len(line)


@contextmanager
def _stream(out: Path | None) -> Iterator[_Lines]:
    """Lines that go where nothing can be taken back: to a device, a pipe, or standard output."""

    def full(lines: _Lines) -> UserError:
        problem = f"{out or 'standard output'}: no space left after {_cases(lines.count)}."
        return UserError(problem, _MAKE_ROOM)

    with out.open("wb") if out else nullcontext(sys.stdout) as file, _lines(file.fileno(), full) as lines:
        yield lines


@contextmanager
def _draft(out: Path) -> Iterator[_Lines]:
    """Lines of a file that appears when the block ends well. Where the disk is full, whole lines are kept."""

    def full(lines: _Lines) -> UserError:
        problem = f"{out}: no space left after {_cases(lines.count)}"
        if not lines.count:
            return UserError(f"{problem}; nothing is written.", _MAKE_ROOM)
        partial = _keep_partial(Path(file.name), lines, out)
        return UserError(f"{problem}, which {partial} keeps.", _MAKE_ROOM)

    with atomic_write(out) as file, _lines(file.fileno(), full) as lines:
        yield lines


@contextmanager
def _lines(descriptor: int, full: Callable[[_Lines], UserError]) -> Iterator[_Lines]:
    """Lines of an open file; where the disk is full, what ``full`` says of those written so far is raised."""
    lines = _Lines(descriptor)
    try:
        yield lines
    except OSError as error:
        if not is_out_of_space(error):
            raise
        raise full(lines) from None


def _keep_partial(draft: Path, lines: _Lines, out: Path) -> Path:
    """Give the draft, cut after its last whole line, a name of its own that nothing else has."""
    os.ftruncate(lines.descriptor, lines.size)
    names = (f"{out.stem}.partial{number}{out.suffix}" for number in chain([""], count(2)))
    partial = next(path for name in names if not (path := out.with_name(name)).exists())
    draft.replace(partial)
    return partial


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"
