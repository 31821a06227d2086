from __future__ import annotations

import pytest

from niah.judges.metrics import contained_match


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("It is called gold mist.", "gold mist", 1.0),
        ("mist", "the gold mist", 1.0),
        # in any order, repeats or not
        ("mist, mist of gold", "gold mist", 1.0),
        ("figs and ham", "figs or a ham", 1.0),
        ("About 42", "42", 1.0),
        ("to be", "be or", 1.0),
        ("gold dust", "gold mist", 0.0),
        # a part of a word is no word
        ("goldmist", "gold", 0.0),
        ("to", "figs", 0.0),
        ("", "figs", 0.0),
        ("figs", "", 0.0),
        ("", " ", 1.0),
    ],
)
def test_contained_match(answer: str, reference: str, expected: float) -> None:
    assert contained_match(answer, reference) == expected
    assert contained_match(reference, answer) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("起重机0最多可以吊起2吨货物。", "2吨", 1.0),
        ("起重机0最多可以吊起 2 吨货物。", "2吨", 1.0),
        ("起重机0的钥匙由港务长保管。", "港务长", 1.0),
        ("签字的是Ilse Brandt。", "Ilse Brandt", 1.0),
        ("東京のスカイツリーです。", "スカイツリー", 1.0),
        ("答えは金色の霧です。", "金色の霧", 1.0),
        ("คำตอบคือดอกบัวครับ", "ดอกบัว", 1.0),
        # another number, the same characters in other places
        ("起重机0最多可以吊起12吨货物。", "2吨", 0.0),
        ("吨位为2。", "2吨", 0.0),
        ("霧の金色", "金色の霧", 0.0),
        # an answer that is a part of the reference ends where the script changes
        ("2", "2吨", 1.0),
        ("务", "港务长", 0.0),
        ("", "港务长", 0.0),
    ],
)
def test_a_reference_without_spaces_stands_in_a_row(answer: str, reference: str, expected: float) -> None:
    assert contained_match(answer, reference) == expected


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("크레인은 최대 2톤입니다.", "2톤", 1.0),
        ("열쇠는 항만장에게서 받습니다.", "항만장", 1.0),
        ("서명자는 Brandt입니다.", "Brandt", 1.0),
        ("정답은 5입니다.", "5", 1.0),
        ("크레인은 최대 12톤입니다.", "2톤", 0.0),
        # ten thousand times as many, and another word that begins alike
        ("정답은 5만입니다.", "5", 0.0),
        ("사과입니다", "사", 0.0),
        ("항만장실", "항만장", 0.0),
    ],
)
def test_particles_behind_a_korean_word_do_not_count(answer: str, reference: str, expected: float) -> None:
    assert contained_match(answer, reference) == expected
