"""The page of commands says what the commands' own help says."""

from __future__ import annotations

from pathlib import Path

from docs.make_cli import page

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    written = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert written == page(), "python docs/make_cli.py writes it anew"
