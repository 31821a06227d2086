"""File names for figures: safe everywhere, and never the same for two things."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

# File systems take 255 bytes, of which others put some before and behind.
_LONGEST = 150

_Key = TypeVar("_Key", bound=Hashable)


def slug(name: str) -> str:
    """``name`` in lower-case ASCII letters, digits, full stops and single hyphens; may be empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9.]+", "-", plain).strip("-.")


def unique_stems(names: Mapping[_Key, Iterable[str]]) -> dict[_Key, str]:
    """A file stem for each key: the slugs of its names joined by "--".

    Keys whose stems would be the same or too long, or that have a name without a single letter to keep, get a
    digest of their names as well, all of them, so that a stem does not depend on the others' order.
    """
    parts = {key: tuple(name) for key, name in names.items()}
    stems = {key: "--".join(slug(part) for part in part_names) for key, part_names in parts.items()}
    shared = Counter(stems.values())

    def is_fine(key: _Key, stem: str) -> bool:
        return shared[stem] == 1 and len(stem) <= _LONGEST and all(map(slug, parts[key]))

    return {
        key: stem if is_fine(key, stem) else f"{stem[:_LONGEST]}-{_digest(parts[key])}"
        for key, stem in stems.items()
    }


def _digest(names: tuple[str, ...]) -> str:
    return hashlib.sha256("\0".join(names).encode()).hexdigest()[:8]
