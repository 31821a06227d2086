"""``niah.cases``: the cases and questions of a suite, each with its context; and cases as files."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from niah.cases.case import Case, id_part, parse_case_id
from niah.cases.export import WrittenRecords, write_records
from niah.cases.prompts import load_prompt
from niah.cases.sample import Sample
from niah.cases.samples import LeftOut, attempt_cases, context_of, sample_of
from niah.cases.suite import Suite, load_suite
from niah.errors import UserError
from niah.files import YAML, atomic_write, naming_what_is_full
from niah.haystacks.documents import haystack_names, is_entries
from niah.needles.load import needle_set_names, split_name


@dataclass(frozen=True)
class OpenedCase:
    """A case, or a question over a given document; ``answer`` is "" where the text does not answer."""

    sample: Sample
    case_id: str
    question: str
    answer: str

    @property
    def context(self) -> str:
        """The text that it is about, the same byte for byte every time."""
        return context_of(self.sample).text

    @property
    def prompt(self) -> str:
        """What a model gets that reads everything: instructions, context and question."""
        return load_prompt(self.sample.prompt).render(self.context, self.question, self.sample.key.options)


def open_cases(suite: str | Path) -> Iterator[OpenedCase]:
    """The cases and questions of a suite, by name or path, built one after another. Raises UserError."""
    loaded = load_suite(str(suite))  # a mistake is raised at once

    def samples() -> Iterator[Sample]:
        made = attempt_cases(loaded.cases, sample_of, loaded.skip)
        yield from (each for each in made if not isinstance(each, LeftOut))
        yield from loaded.question_sets.samples()

    return (OpenedCase(each, each.sample_id, each.key.question, each.key.answer) for each in samples())


def case_of_id(case_id: str) -> Case:
    """The case that an id spells out. Raises UserError for what is no case id.

    Of a path an id has the last part: that is looked for here and one folder deeper.
    """
    case = parse_case_id(case_id)
    near = sorted((*Path().glob("*"), *Path().glob("*/*")))

    def path_of(part: str, paths: Iterable[Path]) -> str:
        found = [str(path) for path in paths if id_part(str(path)) == part]
        if len(found) > 1:
            raise UserError(f"{part} of the case id may be {' or '.join(found)}.", "Move one away.")
        return found[0] if found else part

    if case.haystack not in haystack_names() and not is_entries(case.haystack):
        texts = (path for path in near if path.is_dir() or path.suffix not in (*YAML, ".sqlite"))
        case = replace(case, haystack=path_of(case.haystack, texts))
    if split_name(case.needle_set) is None and case.needle_set not in needle_set_names():
        case = replace(
            case, needle_set=path_of(case.needle_set, (each for each in near if each.suffix in YAML))
        )
    return case


def write_cases(
    suite: Suite, out: Path | None, *, with_context: bool = False, audited: bool = False
) -> WrittenRecords:
    """Write the cases of a suite to ``out``, or standard output, one JSON object per line.

    Cases that were left out are in OUT.left-out.jsonl. Raises UserError, and Defect of the audit.
    """
    if out is None:
        with naming_what_is_full("standard output"), os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stdout:
            return write_records(suite, stdout.write, with_context=with_context, audited=audited)
    with atomic_write(out) as file:
        written = write_records(suite, file.write, with_context=with_context, audited=audited)
    left_out = left_out_path(out)
    if not written.left_out:
        left_out.unlink(missing_ok=True)
    elif out.is_file():
        with atomic_write(left_out) as file:
            file.writelines(orjson.dumps(each, option=orjson.OPT_APPEND_NEWLINE) for each in written.left_out)
    return written


def left_out_path(out: Path) -> Path:
    """Where the cases are that were left out of ``out``."""
    return out.with_name(f"{out.stem}.left-out.jsonl")
