"""The published numbers of a paper: ``niah/reference/PAPER.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from niah.files import FileModel, find, load_yaml, yaml_names

Band = Literal["1-16k", "16-32k", "32-64k", "64-128k"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class ReferenceNumber:
    """One printed number.

    Attributes:
        paper: name of its file ("u-niah").
        source: where it stands ("table 1", "section 5.1").
        metric: what it measures, with its unit ("score", "accuracy %").
        value: as printed.
        sd: the standard deviation printed beside it; None where there is none.
        reader: the model as the paper writes it; None for numbers over several, or of no model.
        strategy: by our name where we have the same (lc, topk, dos), otherwise by the paper's (raptor); None
            where it has none.
        dataset: our needle set, or the paper's benchmark; None for numbers over several.
        haystack: ours; None where the paper names none.
        band: of context lengths.
        length: context tokens, the paper's k as thousands.
        budget: at most so many tokens are retrieved.
        spent: tokens of a prompt, on average.
        note: what must be known to read it; the same for the whole table.
    """

    paper: str
    source: str
    metric: str
    value: float
    sd: float | None
    reader: str | None
    strategy: str | None
    dataset: str | None
    haystack: str | None
    band: Band | None
    length: int | None
    budget: int | None
    spent: int | None
    note: str


class _Number(FileModel):
    value: float
    sd: float | None = None
    reader: str | None = None
    strategy: str | None = None
    dataset: str | None = None
    haystack: str | None = None
    band: Band | None = None
    length: int | None = None
    budget: int | None = None
    spent: int | None = None


class _Printed(FileModel):
    source: str
    metric: str
    note: str = ""
    numbers: tuple[_Number, ...]


class _Paper(FileModel):
    paper: str
    title: str
    tables: tuple[_Printed, ...]


def papers() -> list[str]:
    """The papers whose numbers ship, by name."""
    return yaml_names([_FOLDER])


def check_paper(name: str) -> None:
    """Raise UnknownName for what is neither a paper whose numbers ship nor a file; nothing is read."""
    find("paper", name, [_FOLDER])


def published(paper: str | None) -> list[ReferenceNumber]:
    """Every number of ``paper``, or of all papers that ship; raises as ``reference`` does."""
    return [number for name in ([paper] if paper else papers()) for number in reference(name)]


@lru_cache(maxsize=16)
def reference(name: str) -> tuple[ReferenceNumber, ...]:
    """Every number of a paper, or of a file of the same form, in the order printed.

    Raises UnknownName or ConfigError.
    """
    paper = load_yaml(find("paper", name, [_FOLDER]), _Paper)
    return tuple(
        ReferenceNumber(
            paper=paper.paper,
            source=table.source,
            metric=table.metric,
            note=table.note,
            **number.model_dump(),
        )
        for table in paper.tables
        for number in table.numbers
    )
