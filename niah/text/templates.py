"""Templates: bounded Jinja2 in which a slot that nobody declared is an error."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from niah.text.bounded_templates import BoundedEnvironment

# Most lines are text and slots, as in "{{ town | capital }}"; for all else Jinja2 is asked: 1 ms.
_SLOT = re.compile(r"\{\{ ([a-z_]+)(?: \| (?:a|capital))? \}\}")
_PLAIN = re.compile(rf"(?:[^{{}}]|{_SLOT.pattern}){{0,2000}}+")
_VOWELS = tuple("aeiou")
# Spelled with a vowel and spoken with a consonant, and the other way round.
_CONSONANT_SOUND = ("uni", "use", "usu", "eu", "ewe", "one", "once")
_SILENT_H = ("hour", "honest", "honour", "heir")


@lru_cache(maxsize=8192)
def slots_in(source: str) -> frozenset[str]:
    """The slots that a template uses. Raises jinja2.TemplateSyntaxError."""
    return frozenset(_SLOT.findall(source)) if _PLAIN.fullmatch(source) else _environment().slots(source)


def render_line(source: str, values: Mapping[str, str]) -> str:
    """The template with its slots filled in, on one line. Raises jinja2.TemplateError."""
    return " ".join(fill_slots(source, values).split())


def fill_slots(source: str, values: Mapping[str, str]) -> str:
    """The template with its slots filled in. Raises jinja2.TemplateError."""
    return _environment().render(source, values)


def with_article(name: str) -> str:
    """``name`` after "a" or "an": "an opal ring", "a unicorn horn"."""
    word = name.casefold()
    vowel = word.startswith(_VOWELS + _SILENT_H) and not word.startswith(_CONSONANT_SOUND)
    return f"{'an' if vowel else 'a'} {name}"


def capital(text: str) -> str:
    """``text`` with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def join_names(names: tuple[str, ...]) -> str:
    """ "A", "A and B", "A, B and C"."""
    return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)


@cache
def _environment() -> BoundedEnvironment:
    from niah.text.bounded_templates import BoundedEnvironment

    return BoundedEnvironment({"a": with_article, "capital": capital})
