"""A label in another form of a key's word is that key's: "Founded: 1788" gives the founding year."""

import pytest

from niah.cases.sample import AnswerKey
from niah.judges import judge_by_rubric
from niah.needles.needle_set import Distractor, Element, Needle

KEY = AnswerKey(
    "works",
    "How many looms has the Tamsin works, and what are its founding year and its closing year?",
    references=("It has 3180 looms; the founding year is 1788, the closing year 1931.",),
    elements=(
        Element("3180", key="number of looms"),
        Element("1788", key="founding year"),
        Element("1931", key="closing year"),
    ),
    needles=(Needle("n", "The founding year is 1788, the closing year 1931.", ("3180", "1788", "1931")),),
    distractors=(Distractor("d", "The Orrel works were rebuilt in 1846.", (Element("1846"),)),),
)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ("- Number of looms: 3180\n- Founded: 1788\n- Closed: 1931", 10),
        ("| Closed | 1931 |\n|---|---|\n| Founded | 1788 |\n| Number of looms | 3180 |", 10),
        ("Number of looms 3180. Founded 1788. Closed 1931.", 10),
        ("Number of looms: 3180\nFounded: 1931\nClosed: 1788", 3),
        ("Number of looms: 3180\nFounded: 1788\nClosed: 1846", 5),
        ("Number of looms: 3180\nRebuilt: 1788", 3),
    ],
)
def test_a_value_has_the_key_of_its_own_label(answer: str, score: int) -> None:
    verdict = judge_by_rubric(answer, KEY)
    assert verdict.score == score, verdict.reason


def test_a_name_that_begins_like_a_key_is_none() -> None:
    bags = AnswerKey(
        "bags",
        "Which seal numbers had the bags for Corrow and Skelmar?",
        references=("Corrow 71940, Skelmar 26583.",),
        elements=(Element("71940", key="Corrow"), Element("26583", key="Skelmar")),
        needles=(Needle("n", "The bag for Corrow had the seal 71940, the one for Skelmar 26583.", ()),),
    )
    assert judge_by_rubric("Corrow: 71940\nSkelmarsh: 26583", bags).score == 5


API = AnswerKey(
    "api",
    "In the Halyard API, what are the rate limit, the default page size and the maximum upload size?",
    references=("The rate limit is 240, the default page size 25 and the maximum upload size 15 MB.",),
    elements=(
        Element("240", key="rate limit"),
        Element("25", key="default page size"),
        Element("15 MB", key="maximum upload size"),
    ),
    needles=(Needle("n", "The rate limit is 240, a page has 25 by default, an upload at most 15 MB.", ()),),
)


@pytest.mark.parametrize(
    ("heads", "row", "score"),
    [
        ("Rate limit | Page size | Max upload", "240 | 25 | 15 MB", 10),
        ("Page size | Upload | Rate (a minute)", "25 | 15 MB | 240", 10),
        ("Max upload | Rate limit | Page size", "15 MB | 240 | 25", 10),
        ("Rate limit | Page size | Max upload", "25 | 240 | 15 MB", 3),
        ("Page size | Upload | Rate (a minute)", "240 | 15 MB | 25", 3),
    ],
)
@pytest.mark.parametrize("bars", ["{}", "| {} |"])
def test_a_column_is_headed_by_a_word_that_one_key_has(heads: str, row: str, score: int, bars: str) -> None:
    verdict = judge_by_rubric("\n".join(map(bars.format, (heads, "---|---|---", row))), API)
    assert verdict.score == score, verdict.reason


def test_a_mill_below_a_number_is_no_million() -> None:
    village = AnswerKey(
        "village",
        "When were the chapel, the mill and the school of Dunmarrow built?",
        references=("The chapel in 1702, the mill in 1768 and the school in 1851.",),
        elements=(Element("1702", key="chapel"), Element("1768", key="mill"), Element("1851", key="school")),
        needles=(Needle("n", "The chapel was built in 1702, the mill in 1768, the school in 1851.", ()),),
    )
    assert judge_by_rubric("Chapel \u2192 1702\nMill \u2192 1768\nSchool \u2192 1851", village).score == 10
