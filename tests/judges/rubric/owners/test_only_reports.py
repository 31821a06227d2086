"""What a refusal says that the text only tells is no claim, in any of the languages; a guess is."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric

PORTRAIT = key_of("stairs-portrait", 1)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "Le texte ne précise pas qui l'a peint. Il indique seulement que le cadre est d'Odro Venable.",
            10,
        ),
        (
            "Das geht aus dem Text nicht hervor. Erwähnt wird nur, von wem der Rahmen stammt (Odro Venable).",
            10,
        ),
        ("El texto no dice quién pintó el retrato; solo menciona que el marco es de Odro Venable.", 10),
        ("Il testo non dice chi ha dipinto il ritratto: dice solo che la cornice è di Odro Venable.", 10),
        ("The text does not say; it only says that Odro Venable made the frame.", 10),
        ("The text does not say. It only says that Odro Venable painted the portrait.", 5),
        ("Das geht aus dem Text nicht hervor. Es war vermutlich Odro Venable.", 5),
        ("El texto no lo dice. Solo Odro Venable pudo pintarlo.", 5),
    ],
)
def test_only_reports(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, PORTRAIT).score == score
