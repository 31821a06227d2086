"""Text that fits."""

from __future__ import annotations

import pytest

from niah.plots.kit.lettering import fitted, width_of, wrapped

LONG = "provider/some-very-long-organisation/reader-name-with-60-characters"


def test_width_grows_with_size_and_weight() -> None:
    assert width_of("reader", 20) == pytest.approx(2 * width_of("reader", 10))
    assert width_of("reader", 10, bold=True) > width_of("reader", 10)


@pytest.mark.parametrize("text", [LONG, "x" * 80, "a few words of a subtitle, one after another", "short"])
@pytest.mark.parametrize("inches", [0.8, 1.6, 3.2])
def test_lines_fit_and_nothing_is_lost(text: str, inches: float) -> None:
    lines = wrapped(text, 10, inches)
    assert all(width_of(line, 10) <= inches for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_names_break_after_their_signs() -> None:
    assert wrapped("organisation/reader", 10, 1.2)[0] == "organisation/"


def test_text_is_set_smaller_before_it_is_cut() -> None:
    text, size = fitted(LONG, 11, 2.6, 2)
    assert text.replace("\n", "") == LONG
    assert 6.5 <= size < 11
    assert text.count("\n") == 1


def test_the_middle_goes_when_nothing_else_helps() -> None:
    text, size = fitted(LONG, 11, 1.0)
    assert size == 6.5
    assert "…" in text
    assert text.startswith("prov")
    assert text.endswith("ers")
    assert width_of(text, size) <= 1.0


def test_no_line_of_a_subtitle_has_a_word_alone() -> None:
    text = "mean score, depth down and context length (tokens) across · 7 needle sets · n = 60 trials"
    room = width_of(text, 10) - 0.2
    first, last = wrapped(text, 10, room)
    assert not first.endswith("·")
    assert not last.startswith("·")
    assert width_of(last, 10) >= 0.2 * room
    assert " ".join((first, last)).replace("·", "").split() == text.replace("·", "").split()


def test_paragraphs_below_one_another_have_one_width() -> None:
    text = "a paragraph of some words that ends in a line with no more than one of them, orphaned"
    wide = wrapped(text, 10, 3.0, orphans=True)
    assert width_of(f"{wide[0]} {wide[1].split()[0]}", 10) > 3.0
    assert " ".join(wide) == text
    assert len(wrapped(text, 10, 3.0)[0]) <= len(wide[0])


def test_a_word_is_set_smaller_before_it_is_torn() -> None:
    text, size = fitted("pizzaiolosingredients", 11.0, 1.3, 2, bold=True)
    assert text == "pizzaiolosingredients"
    assert 6.5 <= size < 11.0
