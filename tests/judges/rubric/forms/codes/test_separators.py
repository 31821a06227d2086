"""Codes in which other signs stand between their parts, or none, and codes that are others."""

from __future__ import annotations

import pytest

from niah.judges.rubric.forms.codes.separators import SeparatedCodes
from niah.judges.rubric.normalise import normalise


def is_written(code: str, text: str) -> bool:
    return any(SeparatedCodes([(normalise(code), (code, True))]).find(normalise(text)))


@pytest.mark.parametrize(
    ("code", "same", "others"),
    [
        (
            "4504.90.20",
            ("45049020", "4504 90 20", "4504-90-20.", "code 4504/90/20, he says"),
            ("45.04.90.20", "4504.902.0", "450490201", "4504.90.2", "45049021", "1.4504.90.20"),
        ),
        (
            "4.11.0-rc7",
            ("v4.11.0 RC7", "4.11.0-rc.7", "4.11.0rc7", "version 4.11.0, RC 7", "V4.11.0_rc7"),
            ("4.11.0-rc4", "4.11.0", "41.1.0-rc7", "4.11.0-rc71", "14.11.0-rc7", "4110-rc7", "4.11.0-rc7.1"),
        ),
        ("v2.0.13", ("2.0.13", "version 2.0.13"), ("20.13", "2.0.1", "2.0.131", "20.1.3")),
        (
            "KV-3308",
            ("KV3308", "kv.3308", "KV/3308", "K V 3 3 0 8"),
            ("KV-3380", "V-3308", "KV-33081", "AKV-3308", "KVA-3308"),
        ),
        ("PX-18064-M", ("PX18064M", "px/18064/m"), ("PX-18064", "PX-18064-N", "PX-18-064-M")),
        ("#D9A441", ("d9a441", "0xD9A441"), ("D9A414", "D9A4411")),
        (
            "+44 20 7946 0018",
            ("+442079460018", "+44 (20) 7946-0018", "44.20.79460018"),
            ("+44 20 7946 0019", "44 20 7946 00189"),
        ),
        ("DE44500105175407324931", ("DE44 5001 0517 5407 3249 31",), ("DE44 5001 0517 5407 3249 32",)),
        ("ISBN 978-3-16-148410-0", ("9783161484100", "978 3 16 148410 0"), ("978-3-16-148410-1",)),
        ("А-17-304", ("а17304", "А/17/304"), ("Б-17-304", "А-173-04")),
        ("QZ-90-12", ("QZ・90・12", "ＱＺ９０１２"), ("QZ-90-13", "QZ-901-2")),
        ("192.0.2.146", ("192.0.2.146:",), ("192.02.146", "192.0.21.46", "192.0.2.14")),
    ],
)
def test_the_same_signs_in_the_same_order(code: str, same: tuple[str, ...], others: tuple[str, ...]) -> None:
    assert [text for text in same if not is_written(code, text)] == []
    assert [text for text in others if is_written(code, text)] == []


@pytest.mark.parametrize(
    ("name", "text"), [("3.14", "314"), ("2,5", "25"), ("12-45", "12.45"), ("room 14", "room14x"), ("7", "7")]
)
def test_numbers_and_words_are_no_codes(name: str, text: str) -> None:
    assert not is_written(name, text)
