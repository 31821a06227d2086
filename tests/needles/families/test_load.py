"""Family names and files: one clear message for each mistake."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from niah.errors import ConfigError, NeedleError, UnknownName, UserError
from niah.needles.load import load_needle_set
from niah.text.templates import capital, join_names, with_article

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


def write(folder: Path, text: str) -> str:
    path = folder / "families" / "mine.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return str(path)


def test_a_family_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, MINE)
    assert len(load_needle_set(f"{path}@4", 1).needles) == 4
    (tmp_path / "needles").mkdir()
    shutil.move(tmp_path / "families", tmp_path / "needles" / "families")
    monkeypatch.chdir(tmp_path)
    assert load_needle_set("mine@4", 1).name == "mine@4"


def test_a_family_in_another_folder_is_told_where_families_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(MINE)
    says = r"mine\.yaml is in no folder called families.* needles/families/, and say mine@4\."
    with pytest.raises(NeedleError, match=says):
        load_needle_set("mine.yaml@4", 1)


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        (
            ("there grows {{ herb }}", "there grows {{ herbs }}"),
            "needles.0",
            r"\(line 9\) unknown slot 'herbs'.*'herb'",
        ),
        (("it rains", "{{ it }} rains"), "easy.0", r"\(line 15\) unknown slot 'it'"),
        (("herb: plant", "herb: plants"), "each.herb", r"\(line 4\) no lexicon is called 'plants'.*'plant'"),
        (("element: herb", "element: herbs"), "element", r"\(line 5\) no slot called 'herbs'"),
        (("change: [town]", "change: [herb]"), "change.0", r"\(line 11\) no slot called 'herb' under `set`"),
        (("rains", "rains {{ town"), "easy.0", r"\(line 15\) is no template: [^.]+\. Slots look"),
        (("grows at {{ town }}", "grows"), "needles.1", r"\(line 10\) does not use the slot 'town'"),
        (("kind: multi-needle", "kind: multi-key"), "", "asks by key"),
        (
            ("{town: town}", "{town: {one_of: [Wick, Wick]}}"),
            "set.town.one_of",
            r"\(line 2\) `change` draws 'town' anew, and it has one choice only",
        ),
        (
            ("plant\nelement: herb", "plant\n  inn: inn\nelement: herb\nkey: inn"),
            "needles.0",
            r"\(line 11\) does not use the slot 'inn', which is the key",
        ),
        (("herb: plant", "herb: {number: [9, 3]}"), "each.herb", "the least, then the greatest"),
        (("question: Which herbs grow at {{ town }}?\n", ""), "", "needs `question` and `answer`"),
        (("medium:", "mediums:"), "mediums", "Did you mean 'medium'"),
    ],
)
def test_one_clear_message(tmp_path: Path, change: tuple[str, str], key: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, MINE.replace(*change)) + "@3", 1)
    assert caught.value.key.startswith(key)


@pytest.mark.parametrize("filter_", ["| plural", "| upper.lower", ".missing", "+ 1"])
def test_a_template_that_cannot_be_filled_in(tmp_path: Path, filter_: str) -> None:
    text = MINE.replace("grows {{ herb }}", "grows {{ herb }} {{ herb " + filter_ + " }}")
    with pytest.raises(UserError, match="template"):
        load_needle_set(write(tmp_path, text) + "@3", 1)


def test_a_lexicon_that_is_used_up(tmp_path: Path) -> None:
    with pytest.raises(
        NeedleError, match=r"mine.yaml: mine@90: the slot 'herb': .*'plant' is used up.*fewer"
    ):
        load_needle_set(write(tmp_path, MINE) + "@90", 1)


def test_a_range_of_numbers_that_is_used_up(tmp_path: Path) -> None:
    text = MINE.replace("herb: plant", "herb: {number: [10, 19]}")
    with pytest.raises(NeedleError, match=r"mine@11: nothing is left to draw for the slot 'herb'.*hex"):
        load_needle_set(write(tmp_path, text) + "@11", 1)


def test_a_template_is_sandboxed(tmp_path: Path) -> None:
    text = MINE.replace("grows {{ herb }}", "grows {{ herb }} {{ herb.__class__.__mro__ }}")
    with pytest.raises(ConfigError, match="template cannot be filled in"):
        load_needle_set(write(tmp_path, text) + "@3", 1)


@pytest.mark.parametrize(
    ("name", "error", "says"),
    [
        ("starlight-short", NeedleError, "is a family.*how many needles.*starlight-short@7"),
        ("starlight-short@0", NeedleError, "from 1 to 100,000"),
        ("starlight-short@100001", NeedleError, "from 1 to 100,000"),
        ("starlight-short@few", NeedleError, "from 1 to 100,000"),
        ("starlight-short@", NeedleError, "from 1 to 100,000"),
        ("starlight-shrot@12", UnknownName, "Did you mean 'starlight-short@12'"),
        ("starlight-shor", UnknownName, "Did you mean 'starlight-short@K'"),
    ],
)
def test_names_of_families(name: str, error: type[UserError], says: str) -> None:
    with pytest.raises(error, match=says):
        load_needle_set(name, 1)


def test_a_size_that_the_family_does_not_have() -> None:
    with pytest.raises(NeedleError, match=r"chain@9.*1 to 8.*Ask for chain@8"):
        load_needle_set("chain@9", 1)
    with pytest.raises(NeedleError, match=r"starlight-short@61.*1 to 60.*Ask for starlight-short@60"):
        load_needle_set("starlight-short@61", 1)
    with pytest.raises(NeedleError, match=r"only one size, 1.*latent@1"):
        load_needle_set("latent@2", 1)


@pytest.mark.parametrize("name", ["pizza-ingredients", "needles/pizza-ingredients.yaml", "chain@3"])
def test_names_that_are_there(name: str) -> None:
    assert load_needle_set(name, 1).needles


def test_articles_follow_the_sound() -> None:
    names = ["opal ring", "unicorn horn", "glass anvil", "umbrella", "ewer", "one-eyed doll", "Hour of Salt"]
    assert [with_article(name).partition(" ")[0] for name in names] == ["an", "a", "a", "an", "a", "a", "an"]


def test_lists_and_capitals() -> None:
    assert [join_names(names) for names in ((), ("A",), ("A", "B"), ("A", "B", "C"))] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]
    assert capital("glass anvil") == "Glass anvil"
