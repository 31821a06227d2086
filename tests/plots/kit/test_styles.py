"""Colours and marks."""

from __future__ import annotations

import pytest

from niah.plots.kit.styles import CATEGORIES, length_styles, plan_of, strategy_styles

ALL = ("lc", "oracle", "dos", "full", "full-rev", "half", "half-rev", "topk", "topk-rev")


def test_every_strategy_looks_different() -> None:
    styles = strategy_styles(ALL)
    assert len(set(styles.values())) == len(ALL)
    many = [f"bm25/top-{k}/{order}" for k in range(1, 30) for order in ("norm", "reverse")]
    assert len(set(strategy_styles(many).values())) == len(many)


def test_two_names_of_one_strategy_look_different_and_stay_what_they_were() -> None:
    one, both = (
        strategy_styles(ALL),
        strategy_styles([*ALL, "minilm/top-auto/norm", "minilm/half/reverse", "mine"]),
    )
    assert len(set(both.values())) == len(both)
    assert one == {name: both[name] for name in ALL}
    assert (both["minilm/top-auto/norm"].filled, both["minilm/half/reverse"].filled) == (True, False)


@pytest.mark.parametrize("scope", ["topk", "half", "full"])
def test_reverse_order_has_its_twins_colour_and_hollow_marks(scope: str) -> None:
    styles = strategy_styles(ALL)
    twin, reverse = styles[scope], styles[f"{scope}-rev"]
    assert twin.colour == reverse.colour
    assert (twin.filled, reverse.filled) == (True, False)
    assert twin.dash != reverse.dash


def test_other_orders_have_colours_of_their_own() -> None:
    styles = strategy_styles(["bm25/top-5/norm", "bm25/top-5/document", "bm25/top-5/sides"])
    assert [style.colour for style in styles.values()] == list(CATEGORIES[:3])


def test_a_name_that_cannot_be_read_still_has_a_style() -> None:
    assert plan_of("written by a later version") is None
    assert (
        strategy_styles(["written by a later version"])["written by a later version"].colour == CATEGORIES[0]
    )


def test_longer_contexts_are_darker() -> None:
    def lightness(colour: str) -> int:
        return sum(int(colour[i : i + 2], 16) * weight for i, weight in ((1, 2), (3, 7), (5, 1)))

    shades = [lightness(style.colour) for style in length_styles([8000, 1000, 2000, 4000]).values()]
    assert shades == sorted(shades, reverse=True)
