from niah.analysis.compare.compatibility import _fields


def test_what_differs_is_told_in_words_with_the_side_that_has_it() -> None:
    ours = [{"context_length": 1024, "depth": None, "tokenizer": "cl100k"}]
    theirs = [{"context_length": 1000, "depth": 50.0, "needle_set": "pizza", "tokenizer": "cl100k"}]
    assert _fields(ours, [*theirs, *ours]) == (
        "context length 1000 in the candidate alone, depth 50.0 in the candidate alone, "
        "needle set pizza in the candidate alone"
    )
    assert _fields(ours, theirs).startswith("context length 1024 against 1000, depth ")
