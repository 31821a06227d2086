import tracemalloc

from niah.text.costs import Costs
from niah.text.tokenizer import get_tokenizer


def test_an_endless_word_takes_its_own_room_only_and_is_nowhere_neutral() -> None:
    costs = Costs(get_tokenizer("cl100k"))
    texts = ["x" * 100_000 + ".", *(f"Line {number} ends." for number in range(2000))]
    tracemalloc.start()
    starts = costs.start_neutral(texts)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not starts[0]
    assert starts[1:].all()
    assert peak < 20e6  # as an array of equal words: 800 MB
