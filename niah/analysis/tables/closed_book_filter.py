"""Questions that readers were asked without context first, and those left out since they know them."""

from __future__ import annotations

from niah.analysis.tables.table import Table
from niah.judges.metrics import KNOWLEDGE_MATCHES
from niah.runs.closed_book.known import ClosedBookFilter


def closed_book_filter(closed_book: ClosedBookFilter) -> Table:
    """A row a reader, as long-context-vs-rag's tables 2 and 3 have a row a dataset."""
    matches = tuple(f"known_by_{match.replace('-', '_')}" for match in KNOWLEDGE_MATCHES)
    return Table(
        name="closed-book-filter",
        title="Questions asked without context first",
        columns=("reader", "asked", "answered", *matches, "left_out", "share_kept"),
        rows=tuple(
            (
                count.reader,
                count.asked,
                count.answered,
                *(count.by_match[match] for match in KNOWLEDGE_MATCHES),
                count.known,
                1 - count.known / count.asked,
            )
            for count in closed_book.counts()
        ),
        note=(
            f"By {closed_book.match}, and by the right option where there are options, a question is left "
            "out of all other trials of its reader. Those without an answer stay."
        ),
    )
