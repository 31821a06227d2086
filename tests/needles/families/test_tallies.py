from __future__ import annotations

from collections import Counter

import pytest

from niah.needles.families.tallies import common_counts, zipf_counts
from niah.needles.load import load_needle_set
from niah.text.mentions import mention_spans


@pytest.mark.parametrize("k", range(1, 61))
def test_the_three_asked_for_stand_out(k: int) -> None:
    common, zipf = common_counts(k), zipf_counts(k)
    assert min(common[:3]) >= 3 * max(common[3:])
    assert list(zipf) == sorted(zipf, reverse=True)
    assert len(set(zipf[:4])) == 4


def test_zipf_frequencies_fall_by_the_square_of_the_rank() -> None:
    # 60 entries of 8 words, 480 in all; 1/r^2 over ranks 1 to 15 sums to 1.5804, and 480/1.5804 is 303.7.
    assert zipf_counts(60)[:4] == (304, 76, 34, 19)


@pytest.mark.parametrize("family", ["common-words", "frequent-words", "common-list", "frequent-list"])
@pytest.mark.parametrize("k", [1, 2, 7, 40])
def test_counting_the_entries_gives_the_elements(family: str, k: int) -> None:
    needle_set = load_needle_set(f"{family}@{k}", 5)
    text = "\n".join(needle.text for needle in needle_set.needles)
    words = (*needle_set.elements, *needle_set.traps)
    counts = Counter({word.name: len(mention_spans(text, word.names)) for word in words})
    assert {name for name, _ in counts.most_common(3)} == {element.name for element in needle_set.elements}
    ranked = [count for _, count in counts.most_common()]
    assert ranked[2] > ranked[3]
