"""Texts with slots, filled in by Jinja2 within bounds; and small words around them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from niah.text.sandbox import BoundedEnvironment

# Most lines are text and slots, as in "{{ town | capital }}"; to parse all else takes 1 ms.
_SLOT = re.compile(r"\{\{ ([a-z_]+)(?: \| (?:a|capital))? \}\}")
_PLAIN = re.compile(rf"(?:[^{{}}]|{_SLOT.pattern}){{0,2000}}+")


@lru_cache(maxsize=8192)
def slots_in(source: str) -> frozenset[str]:
    """The slots that a template uses. Raises jinja2.TemplateSyntaxError."""
    if _PLAIN.fullmatch(source):
        return frozenset(_SLOT.findall(source))
    from jinja2.meta import find_undeclared_variables

    return frozenset(find_undeclared_variables(_environment().parse(source)))


def fill_slots(source: str, values: Mapping[str, Any]) -> str:
    """The template with its slots filled in. Raises jinja2.TemplateError, also beyond the bounds."""
    return _environment().render(source, values)


def render_line(source: str, values: Mapping[str, str]) -> str:
    """The template with its slots filled in, on one line. Raises jinja2.TemplateError."""
    return " ".join(fill_slots(source, values).split())


@cache
def _environment() -> BoundedEnvironment:
    # Jinja2 is slow to import, and most commands fill in nothing.
    from niah.text.sandbox import BoundedEnvironment

    return BoundedEnvironment()


def listed(text: str) -> list[str]:
    """The entries of a list with commas, but for those in brackets."""
    return [word.strip() for word in re.split(r",(?![^(]*\))", text) if word.strip()]


def join_names(names: tuple[str, ...]) -> str:
    """ "A", "A and B", "A, B and C"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)
