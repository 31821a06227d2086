"""The numbers that a paper prints, as facts with their source: ``niah/reference/PAPER.yaml``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Literal

from niah.files import FileModel, find, load_yaml, yaml_names

_FOLDER = Path(__file__).parents[1] / "reference"


class ReferenceNumber(FileModel):
    """One printed number; what a file says of a table holds for each of its numbers."""

    value: float
    sd: float | None = None  # the standard deviation printed next to it
    reader: str | None = None  # the model as the paper writes it; None for numbers over several
    strategy: str | None = None  # our name where we have the same (lc, topk, dos), else the paper's
    dataset: str | None = None  # our needle set, or the paper's benchmark; None for numbers over several
    haystack: str | None = None
    band: Literal["1-16k", "16-32k", "32-64k", "64-128k"] | None = None
    length: int | None = None  # of contexts; the paper's k as thousands of tokens
    budget: int | None = None  # at most so many tokens are retrieved
    spent: int | None = None  # tokens of a prompt, on average
    paper: str = ""
    source: str = ""  # the place in the paper ("table 1", "section 5.1")
    metric: str = ""  # with its unit ("score", "accuracy %")
    note: str = ""


class _Printed(FileModel):
    source: str
    metric: str
    note: str = ""
    numbers: tuple[ReferenceNumber, ...]


class _Paper(FileModel):
    paper: str
    title: str
    tables: tuple[_Printed, ...]


def published(paper: str | None) -> list[ReferenceNumber]:
    """Every number of ``paper``, or of all papers that ship; raises as ``reference`` does."""
    papers = [paper] if paper else yaml_names([_FOLDER])
    return [number for name in papers for number in reference(name)]


@lru_cache(maxsize=16)
def reference(name: str) -> tuple[ReferenceNumber, ...]:
    """Every number of a paper, or of a file of that form, as printed. Raises UnknownName or ConfigError."""
    paper = load_yaml(find("paper", name, [_FOLDER]), _Paper)
    return tuple(
        number.model_copy(update={"paper": paper.paper, **table.model_dump(exclude={"numbers"})})
        for table in paper.tables
        for number in table.numbers
    )
