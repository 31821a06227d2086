from niah.cases.needle_detectability import needle_detectability
from niah.haystacks.load import load_corpus
from niah.text.tokenizer import get_tokenizer


def test_sentences_of_the_haystack_itself_do_not_stick_out_and_foreign_ones_do() -> None:
    corpus, tokenizer = load_corpus("essays", "cl100k"), get_tokenizer("cl100k")
    own = [corpus.slice(piece, piece + 1).strip() for piece in range(5, 5000, 131)]
    blended = needle_detectability(own[:19], own[19:], corpus, tokenizer)
    codes = [f"ZX{n} QF{n + 7} answers to KV{n * 31} and never to KV{n * 17} at all" for n in range(40)]
    foreign = needle_detectability(codes[:20], codes[20:], corpus, tokenizer)
    assert blended < 0.7
    assert foreign > 0.95
