"""The formats of needles that can be imported, in one place: by name, how and on what terms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah.cases.needle_files.drafts import WrittenNeedleSets
from niah.cases.needle_files.gkamradt import import_gkamradt
from niah.cases.needle_files.needlebench import import_needlebench
from niah.cases.needle_files.nolima import NOLIMA_LICENCE, import_nolima
from niah.cases.needle_files.u_niah import import_u_niah


@dataclass(frozen=True)
class NeedleFormat:
    """One format.

    Attributes:
        description: of the file, for people.
        write: makes needle sets of files, in a folder; mistakes are told of the name given last.
        licence: of what its authors published.
        citation: whom to cite.
    """

    description: str
    write: Callable[[Sequence[Path], Path, Path], WrittenNeedleSets]
    licence: str
    citation: str


NEEDLE_FORMATS = {
    "u-niah": NeedleFormat(
        "U-NIAH's needle_cases.yaml",
        import_u_niah,
        "as its repository says",
        "Gao et al. (2025), U-NIAH: Unified RAG and LLM Evaluation for Long Context Needle-In-A-Haystack. "
        "arXiv:2503.00353",
    ),
    "gkamradt": NeedleFormat(
        "the command of LLMTest_NeedleInAHaystack, in a file; makes a suite too",
        import_gkamradt,
        "MIT",
        "Kamradt (2023), LLMTest_NeedleInAHaystack",
    ),
    "needlebench": NeedleFormat(
        "NeedleBench's needles.jsonl and multi_needle_reasoning JSON",
        import_needlebench,
        "as its dataset's card says",
        "Li et al. (2024), NeedleBench. arXiv:2407.11963",
    ),
    "nolima": NeedleFormat(
        "NoLiMa's needle_set.json",
        import_nolima,
        NOLIMA_LICENCE,
        "Modarressi et al. (2025), NoLiMa: Long-Context Evaluation Beyond Literal Matching, ICML. "
        "arXiv:2502.05167",
    ),
}
