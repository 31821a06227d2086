"""How much the riddles of `latent` have in common with their questions, in words and in stems."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import mean

from niah.needles.families.load import load_family
from niah.needles.kinds import content_words

_SLOT = re.compile(r"\{\{.*?\}\}")


def overlaps(question: str, needle: str) -> tuple[float, float, int]:
    """Shares of the question's words, and of its pairs of words, in the needle; and shared content stems.

    The first two are the precision of ROUGE-1 and ROUGE-2 of the question for the needle, as NoLiMa has them.
    """
    # A slot is no word: "{{ who }}" is filled in with a name.
    asked, said = (re.findall(r"\w+", _SLOT.sub("", text).lower()) for text in (question, needle))
    pairs = [set(pairwise(words)) for words in (asked, said)]
    shared = len(content_words(question).keys() & content_words(needle).keys())
    words = len(set(asked) & set(said)) / len(set(asked))
    return words, len(pairs[0] & pairs[1]) / len(pairs[0]), shared


def main() -> None:
    riddles = load_family("latent")[1].riddles
    found = [overlaps(riddle.question, riddle.needle) for riddle in riddles]
    ones, twos, stems = zip(*found, strict=True)
    print(
        f"latent: {len(riddles)} riddles; ROUGE-1 precision of question for needle {mean(ones):.3f} on"
        f" average, {max(ones):.2f} at most; ROUGE-2 {mean(twos):.3f}, {max(twos):.2f}; content stems in"
        f" common {sum(stems)}"
    )


if __name__ == "__main__":
    main()
