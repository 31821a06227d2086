"""Beside a refusal: what alone is known, another thing of the kind that was asked about, numbered steps."""

from __future__ import annotations

import pytest

from niah.cases.samples import key_of
from niah.judges import judge_by_rubric


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "Step 1: Find mentions of the portrait. The frame is by Odro Venable. Step 2: Who "
            "painted it? Sephany Crewle painted one, but at Lunaris Academy. Step 3: Conclusion: the "
            "painter of the Starlight portrait is not named.",
            10,
        ),
        ("Step 1: Who painted it? Step 2: The painter is not named.", 10),
        (
            "Step 1: Look for the portrait.\nStep 2: Who painted it? Nobody says.\nStep 3: So the "
            "painter is not mentioned.",
            10,
        ),
        ("**Step 1:** Who painted it?\n**Step 2:** The painter is not named in the text.", 10),
        ("Schritt 1: Wer hat es gemalt? Schritt 2: Der Maler wird nicht genannt.", 10),
        ("Part 1: Who painted it? Part 2: The text does not say.", 10),
        ("1. Who painted it?\n2. The text does not say.", 10),
        ("Étape 1 : qui l'a peint ? Étape 2 : le texte ne le dit pas.", 10),
        (
            "Wer das Porträt der Schulleiterin gemalt hat, wird nicht erwähnt. Bekannt ist nur, dass "
            "der Rahmen von Odro Venable stammt.",
            10,
        ),
        (
            "Wer das Porträt gemalt hat, wird nicht erwähnt. Man erfährt nur, dass der Rahmen von "
            "Odro Venable stammt.",
            10,
        ),
        (
            "Wer das Porträt gemalt hat, steht nicht im Text. Man weiß lediglich, dass der Rahmen "
            "von Odro Venable stammt.",
            10,
        ),
        (
            "Wer das Porträt gemalt hat, steht nicht im Text. Fest steht nur, dass der Rahmen von "
            "Odro Venable ist.",
            10,
        ),
        ("No se dice quién pintó el retrato. Solo se sabe que el marco es de Odro Venable.", 10),
        (
            "No se menciona quién pintó el retrato. Lo único que se sabe es que el marco es obra de "
            "Odro Venable.",
            10,
        ),
        (
            "Le texte ne dit pas qui a peint le portrait. On sait seulement que le cadre est d'Odro Venable.",
            10,
        ),
        (
            "Le texte ne dit pas qui a peint le portrait. On apprend seulement que le cadre est "
            "d'Odro Venable.",
            10,
        ),
        ("Il testo non dice chi ha dipinto il ritratto. Si sa solo che la cornice è di Odro Venable.", 10),
        ("O texto não diz quem pintou o retrato. Só se sabe que a moldura é de Odro Venable.", 10),
        ("O texto não diz quem pintou o retrato. Sabe-se apenas que a moldura é de Odro Venable.", 10),
        (
            "De tekst zegt niet wie het portret schilderde. Bekend is alleen dat de lijst van Odro "
            "Venable is.",
            10,
        ),
        ("В тексте не сказано, кто написал портрет. Известно лишь, что рама сделана Odro Venable.", 10),
        ("The painter is not named. All we know is that the frame is by Odro Venable.", 10),
        ("The painter is not named. All we know is that Odro Venable painted it.", 5),
        (
            "Wer es gemalt hat, steht nicht im Text. Bekannt ist nur, dass Odro Venable das Porträt "
            "gemalt hat.",
            5,
        ),
        ("On ne sait pas qui. On sait seulement que Odro Venable a peint le portrait.", 5),
        ("Wer es gemalt hat, steht nicht im Text. Es war wohl Odro Venable.", 5),
        ("Step 1: Who painted it? Step 2: Odro Venable.", 1),
        ("Step 1: look for the painter. Step 2: Odro Venable painted it.", 1),
    ],
)
def test_who_painted_it_is_not_told(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of("stairs-portrait", 0)).score == score


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (
            "That information isn't given. We learn the roof cost 9923 crowns, the upper floor was "
            "let for 3770 crowns a year, and that a different house (on Undertakers' Lane) cost 6411 "
            "crowns.",
            10,
        ),
        ("Not stated. A different house, on Undertakers' Lane, cost 6411 crowns.", 10),
        ("Not stated. Another house (on Undertakers' Lane) was bought for 6411 crowns.", 10),
        ("Not stated. The 6411 crowns are for a different house.", 10),
        ("Not stated; 6411 crowns was the price of another house.", 10),
        ("Not stated, but it cost 6411 crowns, like a different house.", 5),
        ("Not stated. It cost 6411 crowns, more than any other house.", 5),
        ("Not stated. He bought the house on the hill for 6411 crowns, not a different house.", 5),
    ],
)
def test_the_price_of_another_house_is_none_of_this(answer: str, score: int) -> None:
    assert judge_by_rubric(answer, key_of("unanswerable@4", 2)).score == score
