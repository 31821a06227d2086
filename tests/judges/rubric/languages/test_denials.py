from __future__ import annotations

import pytest

from niah.judges.rubric.elements.mention import Mention
from niah.judges.rubric.languages.cues import foreign_cues
from niah.judges.rubric.languages.denials import denied_mentions
from niah.judges.rubric.negation import mask_mentions
from niah.judges.rubric.normalise import tidy


def denied(text: str) -> list[str]:
    """Of the names Adu, Bel and Cor in ``text``, those that it denies."""
    tidied = tidy(text)
    mentions = sorted(
        (
            Mention(name, True, at, at + 3)
            for name in ("adu", "bel", "cor")
            for at in range(len(tidied))
            if tidied.startswith(name, at)
        ),
        key=lambda mention: mention.start,
    )
    cues = foreign_cues(tidied)
    assert cues
    return sorted(
        mention.name for mention in denied_mentions(mask_mentions(tidied, mentions), mentions, cues)
    )


@pytest.mark.parametrize(
    "text",
    [
        "Das Schiff ist nicht die Adu, sondern die Bel.",
        "Ce n'est pas Adu mais Bel qui est le bateau.",
        "El barco no es Adu, sino Bel.",
        "O navio não é Adu, mas sim Bel.",
        "La nave non è Adu, bensì Bel.",
        "Это не Adu, а Bel.",
        "不是Adu，而是Bel。",
        "船はAduではなくBelです。",
        "배는 Adu가 아니라 Bel입니다.",
        "Alle Schiffe sind da ausser Adu; die Bel ist auch da.",
        "Tous les bateaux sont là sauf Adu : Bel est dans le port.",
        "除了Adu，Bel也在。",
    ],
)
def test_what_is_denied_and_what_stands_instead(text: str) -> None:
    assert denied(text) == ["adu"]


@pytest.mark.parametrize(
    "text",
    [
        "Es ist nicht nur Adu, sondern auch Bel.",
        "Es sind die Adu und die Bel, und das ist nicht alles.",
        "Ce sont Adu et Bel, je ne sais pas pourquoi.",
        "No, el barco es Adu y Bel en el texto.",
        "不仅Adu，而且Bel。",
    ],
)
def test_what_is_not_denied(text: str) -> None:
    assert denied(text) == []


def test_an_exception_spreads_over_its_list() -> None:
    assert denied("Alle Schiffe sind es ausser Adu und Bel, also die Cor.") == ["adu", "bel"]
