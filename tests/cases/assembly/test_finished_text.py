"""Whether contiguous mode keeps its promises, asked of texts with nothing between their sentences."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from niah.cases.assembly.render import build_context
from niah.cases.audit import audit_context
from niah.cases.case import Case

LONGEST_WORD = 12
"""Characters of a word that the tokenizer reads letter by letter; a longer one is a single token."""

WORDS = (
    "river",
    "lamp",
    "nets",
    "rope",
    "ferryman",
    "quietly",
    "gravel",
    "moorings",
    "weather",
    "old",
    "grey",
)


@pytest.fixture(scope="module")
def spelling(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tokenizer that spells every word out, but for those that are too long."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    letters = [chr(code) for code in range(33, 127)]
    vocabulary = {
        piece: number for number, piece in enumerate(["[UNK]", *letters, *(f"##{c}" for c in letters)])
    }
    model = models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=LONGEST_WORD)
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    path = tmp_path_factory.mktemp("spelling") / "tokenizer.json"
    tokenizer.save(str(path))
    return str(path)


@pytest.mark.parametrize("depth", [0, 60, 100])
def test_a_sentence_behind_a_needle_is_asked_about_with_the_space_that_it_would_have(
    depth: int, spelling: str, tmp_path: Path
) -> None:
    """Without it both are one long word of one token, as if there were room where there is none."""
    random = Random(1)
    sentences = [
        f"{' '.join(random.choices(WORDS, k=random.randint(1, 3))).capitalize()}。" for _ in range(400)
    ]
    text = tmp_path / "harbour.txt"
    paragraphs = ("".join(sentences[first : first + 8]) for first in range(0, len(sentences), 8))
    text.write_text("\n\n".join(paragraphs), encoding="utf-8")
    for length in range(900, 1000, 7):
        case = Case(
            "three-gates", str(text), length, depth, tokenizer=spelling, mode="contiguous", repeat=True
        )
        audit_context(case, build_context(case))
