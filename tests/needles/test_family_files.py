"""Family files: names, languages, sizes, computed answers, and one clear message for each mistake."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from niah.errors import ConfigError, NeedleError, UnknownName, UserError
from niah.needles.families.computed import common_counts, zipf_counts
from niah.needles.families.load import family_names, load_family
from niah.needles.load import load_needle_set
from niah.needles.needle_set import NeedleSet

MINE = """\
kind: multi-needle
set: {town: town}
each:
  herb: plant
element: herb
question: Which herbs grow at {{ town }}?
answer: At {{ town }} grow {{ elements }}.
needles:
  - At {{ town }} there grows {{ herb }}.
  - "{{ herb | capital }} grows at {{ town }}."
change: [town]
medium:
  - At {{ town }} {{ herb }} is eaten, not grown.
easy:
  - At {{ town }} it rains.
"""
TOLLS = """\
kind: aggregation
set: {road: town, year: {number: [1702, 1789]}}
each:
  town: town
  pence: {number: [100, 999]}
  load: {one_of: [salt, wool, tin]}
element: town
compute: {answer: greatest, of: pence}
question: Which town paid most on the road to {{ road }} in {{ year }}?
answer: "{{ elements }} did, with {{ value }} pence."
needles:
  - In {{ year }} {{ town }} paid {{ pence }} pence on the road to {{ road }} for a load of {{ load }}.
change: [year]
"""
COUNTED = (
    TOLLS.replace("answer: greatest, of: pence", "answer: count, of: load")
    .replace("Which town paid most on", "How many towns carried {{ counted }} on")
    .replace('"{{ elements }} did, with {{ value }} pence."', '"{{ elements }} carried {{ counted }}."')
)
INNS = """\
kind: multi-key
element: code
key: inn
each: {code: {number: [1000, 9999]}}
across: en
languages:
  en:
    each: {inn: {one_of: [Ox, Bell, Star, Swan]}}
    question: Which code has the {{ keys }}?
    answer: The {{ keys }} has {{ elements }}.
    needles: ["The {{ inn }} has the code {{ code }}."]
  de:
    each: {inn: {one_of: [Ochse, Glocke, Stern, Schwan]}}
    question: Welche Zahl hat „{{ keys }}“?
    answer: „{{ keys }}“ hat {{ elements }}.
    needles: ["„{{ inn }}“ hat die Zahl {{ code }}."]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "needles" / "families" / "mine.yaml"
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return str(path)


def test_one_file_in_several_languages(in_folder: Path) -> None:
    write(in_folder, INNS)
    names = ["mine-de", "mine-de-asked-in-en", "mine-en", "mine-en-asked-in-de"]
    assert [name for name in family_names() if name.startswith("mine")] == names
    german, asked = (load_needle_set(f"mine-de{how}@3", 1) for how in ("", "-asked-in-en"))
    assert german.question.startswith("Welche Zahl hat „")
    assert asked.question.startswith("Which code has the ")
    assert all("hat die Zahl" in each.needles[0].text for each in (german, asked))
    with pytest.raises(ConfigError, match=r"languages: .*Ask for one by its name: mine-en, mine-de"):
        load_needle_set("mine@3", 1)
    with pytest.raises(UnknownName, match="Did you mean 'mine-de@3'"):
        load_needle_set("mine-du@3", 1)
    write(in_folder, INNS.replace("„{{ inn }}“ hat", "„{{ in }}“ hat"))
    with pytest.raises(ConfigError, match=r"languages\.de\.needles\.0: unknown slot 'in'"):
        load_needle_set("mine-de@3", 1)


@pytest.mark.parametrize("language", ["de", "fr", "es", "ru", "zh", "ja", "ar", "hi"])
def test_the_same_facts_are_told_in_one_language_and_asked_for_in_another(language: str) -> None:
    own, asked = (load_family(f"boats-{language}{how}")[1] for how in ("", "-asked-in-en"))
    english, across = (load_family(f"boats-en{how}")[1] for how in ("", f"-asked-in-{language}"))
    assert (asked.question, asked.answer) == (english.question, english.answer)
    assert (across.question, across.answer) == (own.question, own.answer)
    assert (asked.needles, across.needles) == (own.needles, english.needles)


@pytest.mark.parametrize(
    ("text", "old", "new", "key", "says"),
    [
        (MINE, "there grows {{ herb }}", "there grows {{ herbs }}", "needles.0", r"unknown slot"),
        (MINE, "herb: plant", "herb: plants", "each.herb", r"no lexicon is called 'plants'"),
        (MINE, "change: [town]", "change: [herb]", "change.0", "no slot under `set` is called 'herb'"),
        (MINE, "grows at {{ town }}", "grows", "needles.1", "does not use the slot 'town'"),
        (MINE, "{town: town}", "{town: {one_of: [Wick, Wick]}}", "set.town.one_of", "one choice only"),
        (
            MINE,
            "grows {{ herb }}",
            "grows {{ herb }} {{ herb.__class__.__mro__ }}",
            "",
            "cannot be filled in",
        ),
        (TOLLS, "of: pence", "of: load", "each.load", r".*is no number.*number: \[100, 999\]"),
        (TOLLS, "greatest", "count", "each.pence", r".*has not two.*one_of"),
        (TOLLS, "element: town", "element: town\nmost: 1", "", "`answer: greatest` needs 2"),
        (COUNTED, "element: town", "element: load", "element", r"is the slot that `compute`"),
    ],
)
def test_one_clear_message(tmp_path: Path, text: str, old: str, new: str, key: str, says: str) -> None:
    assert load_needle_set(f"{write(tmp_path, text)}@5", 1).question
    assert old in text
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(f"{write(tmp_path, text.replace(old, new, 1))}@5", 1)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("starlight-short", NeedleError, "is a family.*how many needles.*starlight-short@7"),
        ("starlight-shrot@12", UnknownName, "Did you mean 'starlight-short@12'"),
        ("chain@9", NeedleError, "1 to 8.*Ask for chain@8"),
        ("greatest@1", NeedleError, r"sets of 2 to .*Ask for greatest@2\."),
    ],
)
def test_names_and_sizes_that_are_not_there(name: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error, match=says):
        load_needle_set(name, 1)


LINE = re.compile(r"In (\d+) (.+) paid (\d+) pence on the road to (.+) for a load of (\w+)\.")


def lines(needle_set: NeedleSet) -> list[tuple[str, int, str]]:
    """Town, pence and load of every needle."""
    matches = [LINE.fullmatch(needle.text) for needle in needle_set.needles]
    return [(match[2], int(match[3]), match[5]) for match in matches if match]


@pytest.mark.parametrize("answer", ["greatest", "least", "ascending", "descending"])
def test_compared_answers_follow_from_the_needles_text(tmp_path: Path, answer: str) -> None:
    path = write(tmp_path, TOLLS.replace("greatest", answer))
    for k, seed in ((2, 1), (8, 2), (40, 3)):
        needle_set = load_needle_set(f"{path}@{k}", seed)
        falls = answer in ("greatest", "descending")
        ranked = [town for town, *_ in sorted(lines(needle_set), key=lambda line: line[1], reverse=falls)]
        assert needle_set.ordered == (answer in ("ascending", "descending"))
        asked = k if needle_set.ordered else 1
        assert len({pence for _, pence, _ in lines(needle_set)}) == k
        assert [element.name for element in needle_set.elements] == ranked[:asked]
        assert {trap.name for trap in needle_set.traps} == set(ranked[asked:])
        assert sum(bool(needle.elements) for needle in needle_set.needles) == asked
        assert needle_set.form == "name"


def test_needles_are_counted(tmp_path: Path) -> None:
    path, counts = write(tmp_path, COUNTED), Counter[int]()
    for seed in range(1, 31):
        needle_set = load_needle_set(f"{path}@6", seed)
        match = re.match(r"How many towns carried (\w+) ", needle_set.question)
        assert match
        having = [load == match[1] for _, _, load in lines(needle_set)]
        (element,) = needle_set.elements
        assert (element.name, element.derived, needle_set.form) == (str(sum(having)), True, "number")
        assert [bool(needle.elements) for needle in needle_set.needles] == having
        counts[sum(having)] += 1
    assert set(counts) == {2, 3, 4, 5}


@pytest.mark.parametrize("k", [1, 2, 7, 60])
def test_words_asked_for_in_a_tally_stand_out(k: int) -> None:
    common, zipf = common_counts(k), zipf_counts(k)
    assert min(common[:3]) >= 3 * max(common[3:])
    assert list(zipf) == sorted(zipf, reverse=True)
    assert len(set(zipf[:4])) == 4
    # 60 entries of 8 words, 480 in all; 1/r^2 over ranks 1 to 15 sums to 1.5804, and 480/1.5804 is 303.7.
    assert k != 60 or zipf[:4] == (304, 76, 34, 19)
