"""``niah.cases``: the cases and questions of a suite, each with its context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from niah.api.python.argument_kinds import PATH, takes
from niah.cases.left_out import LeftOut, attempt_cases
from niah.cases.prompts import load_prompt
from niah.cases.sample import Sample
from niah.cases.samples import context_of, sample_of
from niah.cases.suite import Suite, load_suite


@dataclass(frozen=True)
class OpenedCase:
    """A case, or a question over a given document.

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
        """What a reader gets that reads everything: instructions, context and question."""
        key = self.sample.key
        return load_prompt(self.sample.prompt).render(self.context, key.question, key.options)

    @property
    def needle_set(self) -> str | None:
        """The needle set's name; None for a given question."""
        return self.sample.needle_set

    @property
    def context_length(self) -> int:
        """Tokens of the whole prompt."""
        return self.sample.context_length

    @property
    def depth(self) -> float | None:
        """Where the first needle stands, in %; None for a given question."""
        return self.sample.depth

    @property
    def seed(self) -> int | None:
        """What drew the facts and the background; None for a given question."""
        return self.sample.seed


@takes(suite=PATH)
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
