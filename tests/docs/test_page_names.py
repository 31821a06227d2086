"""What niah says names pages of the docs as their readers find them: by the names beside each page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from niah.cli.running.init import EXAMPLE_FILES

ROOT = Path(__file__).parents[2]
SHIPPED = ("cases", "haystacks", "needles", "plots", "runs")


def titles(nav: Any) -> Iterator[str]:
    for title, inside in ((title, inside) for each in nav for title, inside in each.items()):
        if isinstance(inside, str):
            yield title
        else:
            yield from titles(inside)


@pytest.fixture(scope="module")
def pages() -> set[str]:
    return set(titles(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]))


def said() -> Iterator[tuple[str, str]]:
    """All that says "the docs' page", with its file; texts that are broken over lines put together."""
    files = [*(ROOT / "niah").rglob("*.py"), *(ROOT / "docs").glob("*.md")]
    files += [file for folder in SHIPPED for file in (ROOT / folder).rglob("*.yaml")]
    for file in files:
        text = re.sub(r'\n\s*#\s*|"\s*\n\s*f?"|\s*\n\s*', " ", file.read_text(encoding="utf-8"))
        for match in re.finditer(r"[Tt]he docs' page +([^\n]{1,60})", text):
            yield str(file.relative_to(ROOT)), match[1]


def test_pages_that_are_named_are_there(pages: set[str]) -> None:
    named = list(said())
    assert len(named) > 10
    known = re.compile(rf"(?:{'|'.join(map(re.escape, pages))})\b")
    unknown = [each for each in named if not known.match(each[1])]
    assert unknown == []


def test_no_file_of_a_user_points_into_the_source() -> None:
    shipped = {str(path): path.read_text() for folder in SHIPPED for path in (ROOT / folder).rglob("*.yaml")}
    written = {str(path): text for path, text in EXAMPLE_FILES.items()}
    assert [name for name, text in {**shipped, **written}.items() if "docs/" in text and ".md" in text] == []
