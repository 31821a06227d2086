import pytest

from niah.haystacks.documents import Document
from niah.haystacks.stats import (
    EXCERPT,
    distinct_share,
    duplicate_share,
    measure_haystack,
    near_duplicate_share,
    words_in,
    zlib_ratio,
)


def test_words_are_lower_case_with_apostrophes_inside() -> None:
    assert words_in('The cat\'s "own" 7 lives--it’s_so!') == [
        "the",
        "cat's",
        "own",
        "7",
        "lives",
        "it’s",
        "so",
    ]


def test_distinct_by_hand() -> None:
    # ab ba ab bc: 3 of 4 differ
    assert distinct_share(list("ababc"), 2) == 3 / 4
    assert distinct_share("abc", 4) == 1


def test_duplicates_by_hand() -> None:
    assert duplicate_share(["a", "b", "a", "a"]) == 2 / 4
    assert duplicate_share([]) == 0


def test_zlib_ratio_tells_repetition() -> None:
    assert zlib_ratio("one two three. " * 500) < 0.02
    assert zlib_ratio("") == 0


@pytest.mark.parametrize(("changed", "share"), [(0, 1 / 2), (1, 1 / 2), (3, 0)])
def test_near_duplicates_by_hand(changed: int, share: float) -> None:
    # 24 words have 20 five-grams. With the last word changed 19 are shared of 21 in all: 0.90.
    # With the last three changed 17 are shared of 23 in all: 0.74.
    first = [f"w{number}" for number in range(24)]
    second = first[: 24 - changed] + ["other"] * changed
    assert near_duplicate_share([" ".join(first), " ".join(second)]) == share


def test_the_threshold_itself_counts() -> None:
    # 13 words have 9 five-grams; 12 of them have 8: 8 of 9. 10 words of 12: 6 of 8 = 0.75; 11 of 13: 7 of 9.
    full = [f"w{number}" for number in range(14)]
    assert near_duplicate_share([" ".join(full), " ".join(full[:12])]) == 1 / 2  # 8 of 10 = 0.8
    assert near_duplicate_share([" ".join(full), " ".join(full[:11])]) == 0  # 7 of 10


def test_short_paragraphs_have_only_exact_duplicates() -> None:
    assert near_duplicate_share(["Notes", "Thanks to all", "notes.", "Thanks to some"]) == 1 / 4


def test_everything_at_once() -> None:
    stats = measure_haystack([Document("a", ("One two. Three four.", "One two.")), Document("b", ("Five.",))])
    assert (stats.documents, stats.sentences, stats.words, stats.vocabulary) == (2, 4, 7, 5)
    assert stats.duplicate_sentences == 1 / 4
    assert stats.near_duplicate_paragraphs == 0
    # One two. Three four.|2|One two.|2|Five. = 20 + 2 + 8 + 2 + 5
    assert stats.excerpt == 37


def test_a_long_text_is_measured_in_its_beginning() -> None:
    stats = measure_haystack([Document("a", ("word " * EXCERPT,))])
    assert stats.excerpt == EXCERPT
    assert stats.words == EXCERPT
