"""Refusals of a word or two, and a wrong name beside a refusal that only says what the text has instead."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

_PORTRAIT = key_of("stairs-portrait", 1)


@pytest.mark.parametrize(
    "answer",
    [
        *("Gefunden habe ich dazu nichts.", "Keine Ahnung.", "Der Text schweigt sich aus."),
        *("Geen idee.", "Ingen aning.", "Texten är tyst om det.", "Brak informacji.", "Bilinmiyor."),
        *("Autor portretu pozostaje nieznany.", "Metinden anlaşılmıyor.", "Je ne saurais le dire."),
        *("本文からは分かりかねます。", "お答えしかねます。", "글에 안 나옵니다.", "पाठ इस बारे में मौन है।"),
        "Wer es gemalt hat, verrät der Text leider nicht; nur vom Rahmen (Odro Venable) ist die Rede.",
        "Vem som målade porträttet nämns inte; däremot sägs att ramen gjordes av Odro Venable.",
        "Имя художника не указано; известно лишь, что раму сделал Odro Venable.",
        "Nie podano autora; wiadomo tylko, że ramę zrobił Odro Venable.",
        "文中没有说明画家是谁,只提到画框是Odro Venable做的。",
        "Ressamdan söz edilmiyor; yalnızca çerçeveyi Odro Venable'ın yaptığı belirtiliyor.",
    ],
)
def test_it_refuses(answer: str) -> None:
    assert judge_by_rubric(answer, _PORTRAIT).score == 10


@pytest.mark.parametrize(
    "answer",
    [
        "De schilder wordt niet genoemd; er staat alleen dat Odro Venable het portret schilderde.",
        "De schilder wordt niet genoemd; er staat alleen dat Odro Venable de lijst maakte.",
        "画家については書かれていません。肖像画を描いたのがOdro Venableだとだけあります。",
        "画家については書かれていません。額縁を作ったのがOdro Venableだとだけあります。",
        "화가는 나오지 않습니다. 초상화를 그린 사람이 Odro Venable이라고만 되어 있습니다.",
        "화가는 나오지 않습니다. 액자를 만든 사람이 Odro Venable이라고만 되어 있습니다.",
    ],
)
def test_what_may_as_well_be_a_claim_is_one(answer: str) -> None:
    """A name right behind "that", or before the cue: no word in between tells of what else it is told."""
    assert judge_by_rubric(answer, _PORTRAIT).score == 5


@pytest.mark.parametrize(
    "answer",
    [
        *("Gefunden habe ich Odro Venable.", "Известно, что его написал Odro Venable.", "Nur Odro Venable."),
        *("Genannt wird Hulda Marchpenny.", "画家はHulda Marchpennyです。", "Rosalba."),
    ],
)
def test_it_claims(answer: str) -> None:
    assert judge_by_rubric(answer, _PORTRAIT).score == 1
