"""Codes of which a list writes the shared beginning once."""

from __future__ import annotations

import pytest

from niah.judges.rubric.forms.codes.shared_heads import SharedHeads
from niah.judges.rubric.normalise import normalise

_TREES = ("MB-4107", "MB-4118", "MB-4125", "MB-4190")


def listed(text: str, names: tuple[str, ...]) -> list[str]:
    """The names whose codes a text lists behind their head."""
    heads = SharedHeads((normalise(name), (name, True)) for name in names)
    return sorted({code.element[0] for code in heads.find(normalise(text))})


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("MB-4107, -4118, -4125 and -4190", _TREES, _TREES),
        ("MB-4107/4118/4125/4190", _TREES, _TREES),
        ("MB-4107, 4118 und 4190", _TREES, ("MB-4107", "MB-4118", "MB-4190")),
        ("MB-4107 (frost), -4118 (rust), -4190", _TREES, ("MB-4107", "MB-4118", "MB-4190")),
        ("MB-4107、4118和4190", _TREES, ("MB-4107", "MB-4118", "MB-4190")),
        ("MB-4107, -4119 and -4125", _TREES, ("MB-4107", "MB-4125")),
        ("Rooms 31, 32B and 40", ("Room 31", "Room 32B", "Room 40"), ("Room 31", "Room 32B", "Room 40")),
        ("Bahnsteige 4 und 7.", ("Bahnsteig 4", "Bahnsteig 7"), ("Bahnsteig 4", "Bahnsteig 7")),
        ("палаты 12, 14 и 15", ("палата 12", "палата 14"), ("палата 12", "палата 14")),
        ("las salas 12, 14 y 15", ("sala 12", "sala 15"), ("sala 12", "sala 15")),
        ("PX-7731-K and -7804-D", ("PX-7731-K", "PX-7804-D"), ("PX-7731-K", "PX-7804-D")),
        ("AX4821, 4822", ("AX4821", "AX4822"), ("AX4821", "AX4822")),
    ],
)
def test_codes_behind_their_head(text: str, names: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert listed(text, names) == list(expected)


@pytest.mark.parametrize(
    ("text", "names", "expected"),
    [
        ("MB-4107. Tree 4118 is an oak.", _TREES, ["MB-4107"]),
        ("Room 31 and 40 pupils came", ("Room 31", "Room 40"), ["Room 31"]),
        ("MB-41070, 4118", _TREES, ["MB-4118"]),
        ("the number is 4118", _TREES, []),
    ],
)
def test_numbers_that_stand_elsewhere_are_no_codes(
    text: str, names: tuple[str, ...], expected: list[str]
) -> None:
    assert listed(text, names) == expected


def test_a_head_of_one_code_alone_is_none() -> None:
    assert listed("MB-4107, 4118", ("MB-4118", "KL-9")) == []
