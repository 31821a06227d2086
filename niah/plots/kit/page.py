"""What figures are drawn for: how wide a page is, and whether titles stand on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Page:
    """What figures are drawn for.

    Attributes:
        width: inches of a whole figure; each is as wide as it likes without it.
        titled: whether title and subtitle are drawn; without, a caption has to say it.
    """

    width: float | None = None
    titled: bool = True


_AS_IT_LIKES = Page()
_PAGE: ContextVar[Page] = ContextVar("page", default=_AS_IT_LIKES)  # frozen: no context can change it


def page() -> Page:
    """The page that is drawn for."""
    return _PAGE.get()


@contextmanager
def drawn_for(wanted: Page) -> Iterator[None]:
    """What is drawn inside is laid out for that page."""
    token = _PAGE.set(wanted)
    try:
        yield
    finally:
        _PAGE.reset(token)
