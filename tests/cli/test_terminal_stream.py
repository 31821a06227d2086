"""What a text of somebody else's may do to a terminal: nothing."""

from __future__ import annotations

import io

import pytest

from niah.cli.terminal import CleanStream


def written(text: str, *, redraws: bool = False) -> str:
    stream = io.StringIO()
    assert CleanStream(stream, redraws=redraws).write(text) == len(text)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("three gates\n\tand a tab\r\n", "three gates\n\tand a tab\r\n"),
        ("日本語 – ß 🚪", "日本語 – ß 🚪"),
        ("\x1b[1;31mred\x1b[0m", "\x1b[1;31mred\x1b[0m"),
        ("a\x1b[2Jb", "ab"),
        ("a\x1b[1A\x1b[2Kb", "ab"),
        ("a\rb", "ab"),
        ("a\x08\x08b", "ab"),
        ("\x1b]0;title\x07a", "a"),
        ("\x1b]52;c;c2VjcmV0\x1b\\a", "a"),
        ("\x1bP+q544e\x1b\\a", "a"),
        ("\x9b2Ja\x85", "2Ja"),
        ("\x1bca\x1b[?1049h", "a"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("\x1b]0;never ended", ""),
    ],
)
def test_text_and_colours_alone(text: str, left: str) -> None:
    assert written(text) == left


def test_a_progress_bar_may_redraw_its_line() -> None:
    bar = "\x1b[?25l\r\x1b[2K\x1b[1A\x1b[2K1/2\x1b[?25h"
    assert written(bar, redraws=True) == bar
    assert written("\x1b[2J\x1b]0;t\x07\x1b[9A", redraws=True) == ""


def test_all_else_is_the_streams_own() -> None:
    stream = io.StringIO()
    clean = CleanStream(stream)
    clean.writelines(["a\x1b[2J", "b"])
    assert clean.getvalue() == "ab"
    assert not clean.isatty()
