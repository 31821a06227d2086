"""``niah.cases``: the cases and questions of a suite, each with its context; and cases as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import orjson

from niah.cases.case import Case, id_part, parse_case_id
from niah.cases.left_out import LeftOut, attempt_cases
from niah.cases.prompts import load_prompt
from niah.cases.records import WrittenRecords, write_records
from niah.cases.sample import Sample
from niah.cases.samples import context_of, sample_of
from niah.cases.suite import Suite, load_suite
from niah.errors import UserError
from niah.files import YAML, atomic_write, is_out_of_space
from niah.haystacks.documents import haystack_names, is_entries
from niah.needles.load import needle_set_names, split_name


@dataclass(frozen=True)
class OpenedCase:
    """A case, or a question over a given document, which has no needle set, depth and seed.

    Attributes:
        sample: all that is known of it: where needles and distractors stand, elements, tokens.
    """

    sample: Sample

    @property
    def case_id(self) -> str:
        """Readable and stable."""
        return self.sample.sample_id

    @property
    def question(self) -> str:
        """Asked after the context."""
        return self.sample.key.question

    @property
    def answer(self) -> str:
        """The reference answer; "" where the text does not answer."""
        return self.sample.key.answer

    @property
    def context(self) -> str:
        """The text that it is about, the same byte for byte every time."""
        return context_of(self.sample).text

    @property
    def prompt(self) -> str:
        """What a model gets that reads everything: instructions, context and question."""
        key = self.sample.key
        return load_prompt(self.sample.prompt).render(self.context, key.question, key.options)

    @property
    def needle_set(self) -> str | None:
        """The needle set's name."""
        return self.sample.needle_set

    @property
    def context_length(self) -> int:
        """Tokens of the whole prompt."""
        return self.sample.context_length

    @property
    def depth(self) -> float | None:
        """Where the first needle stands, in %."""
        return self.sample.depth

    @property
    def seed(self) -> int | None:
        """What drew the facts and the background."""
        return self.sample.seed


def case_of_id(case_id: str) -> Case:
    """The case that an id spells out. Raises UserError for what is no case id.

    An id has but the last part of the path of a haystack or needle set: that is looked for here, then in the
    folders here.
    """
    case = parse_case_id(case_id)
    if case.haystack not in haystack_names() and not is_entries(case.haystack):
        found = _path_of(case.haystack, lambda path: path.is_dir() or path.suffix not in (*YAML, ".sqlite"))
        case = replace(case, haystack=found)
    if split_name(case.needle_set) is None and case.needle_set not in needle_set_names():
        case = replace(case, needle_set=_path_of(case.needle_set, lambda path: path.suffix in YAML))
    return case


def _path_of(part: str, fits: Callable[[Path], bool]) -> str:
    """The path whose last part a case id has as ``part``; ``part`` itself where there is none."""
    for pattern in ("*", "*/*"):
        found = [str(path) for path in Path().glob(pattern) if id_part(str(path)) == part and fits(path)]
        if len(found) > 1:
            raise UserError(f"{part} of the case id may be {' or '.join(sorted(found))}.", "Move one away.")
        if found:
            return found[0]
    return part


def open_cases(suite: str | Path) -> Iterator[OpenedCase]:
    """The cases and questions of a suite, by name or path, built one after another as they are asked for.

    Cases that cannot be built are left out where the suite says so. Raises UserError.
    """
    return _opened(load_suite(str(suite)))


def _opened(suite: Suite) -> Iterator[OpenedCase]:
    for made in attempt_cases(suite.cases, sample_of, suite.skip):
        if not isinstance(made, LeftOut):
            yield OpenedCase(made)
    for sample in suite.question_sets.samples():
        yield OpenedCase(sample)


def write_cases(
    suite: Suite, out: Path | None, *, with_context: bool = False, audited: bool = False
) -> WrittenRecords:
    """Write the cases of a suite to ``out``, one JSON object per line; to standard output without it.

    Cases left out stand in OUT.left-out.jsonl, which is there only where there are some. Where the disk is
    full, the lines that were finished stay in OUT.partial.jsonl (partial2, where that is there), and what
    stood in ``out`` before stays. Raises UserError, and Defect where the audit finds something.
    """
    if out is None or (out.exists() and not out.is_file()):  # a device or pipe is written to as it is
        descriptor = sys.stdout.fileno() if out is None else os.open(out, os.O_WRONLY)
        with _full_disk(lines := _Lines(descriptor), str(out or "standard output")):
            return write_records(suite, lines.write, with_context=with_context, audited=audited)
    with atomic_write(out) as file, _full_disk(lines := _Lines(file.fileno()), str(out), Path(file.name)):
        written = write_records(suite, lines.write, with_context=with_context, audited=audited)
    left_out = left_out_path(out)
    if written.left_out:
        with atomic_write(left_out) as file:
            file.writelines(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in written.left_out)
    else:
        left_out.unlink(missing_ok=True)
    return written


def left_out_path(out: Path) -> Path:
    """Where the cases stand that were left out of ``out``."""
    return out.with_name(f"{out.stem}.left-out.jsonl")


class _Lines:
    """Writes whole lines, past every buffer, and knows how many bytes of the file they are."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.count, self.size = descriptor, 0, 0

    def write(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]
        self.count += 1
        self.size += len(line)


@contextmanager
def _full_disk(lines: _Lines, name: str, draft: Path | None = None) -> Iterator[None]:
    """Where the disk is full, raise UserError; whole lines of a draft get a name that nothing else has."""
    try:
        yield
    except OSError as error:
        if not is_out_of_space(error):
            raise
        problem = f"{name}: no space left after {lines.count:,} {'case' if lines.count == 1 else 'cases'}"
        if draft and lines.count:
            os.ftruncate(lines.descriptor, lines.size)
            out = Path(name)
            names = (f"{out.stem}.partial{number if number > 1 else ''}{out.suffix}" for number in count(1))
            partial = next(path for each in names if not (path := out.with_name(each)).exists())
            draft.replace(partial)
            problem += f", which are in {partial}"
        raise UserError(f"{problem}.", "Make room, and generate again.") from None
