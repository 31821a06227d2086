import random

import pytest

from niah.text.mentions import NameIndex, mention_spans, mention_starts, mentions


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("With Goat  Cheese.", "goat cheese", True),
        ("with goat-cheese", "goat cheese", True),
        ("a figment", "fig", False),
        ("one fig.", "fig", True),
        ("code 48213.", "48213", True),
        ("code 148213", "48213", False),
        ("a+b", "a+b", True),
        ("éfig", "fig", False),
        ("他把紫色鸽子藏在灯塔里。", "紫色鸽子", True),
        ("代码48213号在9号站台", "48213", True),
        ("代码148213号", "48213", False),
        ("我爱Rust语言", "rust", True),
        ("我爱Trusty语言", "rust", False),
        ("鳩のﾏｰ ゴールデンミストを飲む", "ゴールデンミスト", True),
        ("パンダを見た", "パン", False),
        ("焼きたてのパンを", "パン", True),
        ("คนเฝ้าซ่อนนกพิราบไว้", "นกพิราบ", True),
        ("ฝากล่อง", "ฝา", True),
        ("ฝ้าเพดาน", "ฝ", False),  # the mark belongs to the letter
        ("ที่Marloweเกิด", "Marlowe", True),
        ("암호는 비둘기이다.", "비둘기", True),
        ("비둘기에게서는", "비둘기", True),
        ("산비둘기가", "비둘기", False),
        ("비둘기장수가", "비둘기", False),
        ("Marlowe는 왔다", "Marlowe", True),
        ("राम आया", "राम", True),
        ("रामा आया", "राम", False),
        ("अमीराम आया", "राम", False),
        ("Кот спит", "кот", True),
        ("Которы", "кот", False),
        ("ΟΔΥΣΣΕΑΣ", "οδυσσεας", True),
        ("الكتاب", "كتاب", False),
        ("cafe\u0301 noir", "café", True),
        ("café noir", "cafe\u0301", True),
        ("cafe\u0301 noir", "cafe", False),
    ],
)
def test_whole_words_of_any_script_and_case_hyphens_as_spaces(text: str, name: str, expected: bool) -> None:
    assert mentions(text, [name]) is expected
    assert bool(mention_starts(text, text.casefold(), [name])) is expected
    many = [name, *(f"name {number}" for number in range(60))]
    assert bool(mention_starts(text, text.casefold(), many)) is expected


_PIECES = (
    "copper gate Mill mill O'Dell ß straße 7 17 x-1 門 銅の門 é _ +5"
    " golden mist Mist AX 4821 bowls éclair e\u0301clair 紫色 鸽子 の ミスト ー 비둘기 는 राम \u093e \u0301"
)
PIECES = _PIECES.split()


def text_of(rng: random.Random, words: int) -> str:
    return "".join(rng.choice(PIECES) + rng.choice([" ", "-", ", ", "", "_", " \n"]) for _ in range(words))


@pytest.mark.parametrize("number", [3, 60])
@pytest.mark.parametrize("seed", range(20))
def test_the_quick_search_finds_what_the_expressions_find(number: int, seed: int) -> None:
    rng = random.Random(seed)
    names = [text_of(rng, rng.randint(1, 3)).strip(" ,\n-_") or "gate" for _ in range(number)]
    text = text_of(rng, 120)
    one_by_one = {start for name in names for start, _ in mention_spans(text, [name])}
    assert mention_starts(text, text.casefold(), names) == sorted(one_by_one)
    assert NameIndex(names).names_in(text.casefold()) >= {name for name in names if mentions(text, [name])}
