"""The forms of MixPR, and how they are written.

mixpr[-0.27|-auto][-alpha-A|-aA][-p1|-p2], or mixpr-naive
"""

from __future__ import annotations

import re
from dataclasses import dataclass

LOCAL_ALPHA = 0.6
"""Of questions about single facts (mixture-of-pageranks, appendix A.2)."""

PAPER_THRESHOLD = 0.27
"""Similarities below it are dropped where the paper drops some (appendix A.2)."""
NAIVE = "mixpr-naive"

_WRITTEN = re.compile(
    r"mixpr(?:-(?P<threshold>0\.27|auto))?(?:-(?P<which>alpha-|a)(?P<alpha>[^-]*))?(?:-p(?P<last>[12]))?"
)
_ALPHA = re.compile(r"0|1|0?\.[0-9]{1,4}")


@dataclass(frozen=True)
class MixPRForm:
    """One of them.

    Attributes:
        threshold: similarities below it are dropped, and the matrix of the others is formed: 0 forms the
            whole one; None forms none.
        is_automatic: whether they are, below 0.27, in graphs of more than 50 million edges alone.
        alpha: of every question; None where a router decides.
        local_alpha: what a router gives questions about single facts.
        last: p lies on so many of the last chunks of context and question; None for the question's own.
    """

    threshold: float | None = None
    is_automatic: bool = False
    alpha: float | None = None
    local_alpha: float = LOCAL_ALPHA
    last: int | None = None

    @property
    def text(self) -> str:
        """The canonical way to write it."""
        if self.threshold == 0:
            return NAIVE
        parts = (
            "" if self.threshold is None else f"-{self.threshold:g}",
            "-auto" if self.is_automatic else "",
            "" if self.alpha is None else f"-alpha-{self.alpha:g}",
            f"-a{self.local_alpha:g}" if self.alpha is None and self.local_alpha != LOCAL_ALPHA else "",
            "" if self.last is None else f"-p{self.last}",
        )
        return f"mixpr{''.join(parts)}"


def parse_form(text: str) -> MixPRForm | None:
    """The form of that name; None where it is none. Raises ValueError for an alpha that is not 0 to 1."""
    if text == NAIVE:
        return MixPRForm(threshold=0)
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    alpha = found["alpha"]
    if alpha is not None and not _ALPHA.fullmatch(alpha):
        raise ValueError(f"{alpha!r} is no alpha from 0 to 1")
    return MixPRForm(
        threshold=PAPER_THRESHOLD if found["threshold"] == "0.27" else None,
        is_automatic=found["threshold"] == "auto",
        alpha=float(alpha) if found["which"] == "alpha-" else None,
        local_alpha=float(alpha) if found["which"] == "a" else LOCAL_ALPHA,
        last=int(found["last"]) if found["last"] else None,
    )
