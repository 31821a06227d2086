"""What the filter that asks without context left out, a line for each reader."""

from __future__ import annotations

from collections.abc import Iterator

from niah.runs.closed_book.known import ClosedBookFilter, FilterCount


def closed_book_lines(closed_book: ClosedBookFilter | None) -> Iterator[str]:
    """How many questions each reader knows without their context, by which rule; none without the filter."""
    for count in closed_book.counts() if closed_book else ():
        yield f"{count.reader} {_known(count, closed_book.match if closed_book else '')}"


def _known(count: FilterCount, match: str) -> str:
    if not count.answered and count.not_run:
        return f"is still to be asked {count.not_run:,} questions without their context."
    by_match = ", ".join(f"{number:,} by {name}" for name, number in count.by_match.items())
    counted = f"knows {count.known:,} of {count.answered:,} questions without their context ({by_match})"
    left_out = f"{counted}: by {match} they are left out" if count.known else counted
    failed = f"; {count.failed:,} got no answer and stay" if count.failed else ""
    not_run = f"; {count.not_run:,} are still to be asked" if count.not_run else ""
    return f"{left_out}{failed}{not_run}."
