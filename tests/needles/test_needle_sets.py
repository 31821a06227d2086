"""Written needle sets and families: defaults, one clear message for each mistake, and what ships."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import niah
from niah.api.check import check_needle_sets, misjudged_texts
from niah.cases.case import Case
from niah.cases.samples import fingerprint_of, key_of
from niah.cli.main import main
from niah.errors import ConfigError, NeedleError, UnknownName, UserError
from niah.needles.families.load import family_names
from niah.needles.load import load_needle_set, needle_set_names, write_own_facts
from niah.needles.needle_set import NeedleSet
from niah.text.tokenizer import get_tokenizer
from tests.examples import mistake_rows

DATA = Path(__file__).parents[1] / "data"
GOOD, KEYED, NESTED, FERRY = (
    (DATA / "needle_sets" / f"{name}.yaml").read_text() for name in ("good", "keyed", "nested", "ferry")
)


def write(folder: Path, text: str) -> str:
    """A file of a needle set or a family."""
    path = folder / "needles" / "families" / "mine.yaml" if "each:" in text else folder / "mine.yaml"
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(text)
    return str(path)


def test_distractors_made_of_needles_and_nested_needles(tmp_path: Path) -> None:
    (made,) = load_needle_set(write(tmp_path, KEYED), 1).distractors
    assert (made.text, made.hardness) == ("The code of the oak gate is 63529.", "hard")
    at_once = '{code: gate, ash gate: code, "50317": "1"}'
    text = KEYED.replace('{ash gate: oak gate, "50317": "63529"}', at_once)
    assert load_needle_set(write(tmp_path, text), 1).distractors[0].text == "The gate of the code is 1."
    nested = load_needle_set(write(tmp_path, NESTED), 1)
    assert [needle.elements for needle in nested.needles] == [("red moss",), ("blue sand",)]
    assert [trap.name for trap in nested.traps] == ["green slate"]
    assert all(needle.text in nested.passages[0].text for needle in nested.needles)


def test_what_a_file_leaves_out_follows_from_the_rest(tmp_path: Path) -> None:
    fact = 'question: Which code?\nanswer: "7316."\nneedles: [{text: "The code is 7316."}]\n'
    found = load_needle_set(write(tmp_path, fact), 1)
    assert [(needle.id, needle.elements) for needle in found.needles] == [("needle-1", ("7316",))]
    assert ([each.name for each in found.elements], found.kind) == (["7316"], "single")
    assert niah.judge("It is 7316.", tmp_path / "mine.yaml").score == 10
    bare = GOOD.replace("    elements: [red moss]\n", "").replace("    elements: [blue sand]\n", "")
    found = load_needle_set(write(tmp_path, bare), 1)
    assert [needle.elements for needle in found.needles] == [("red moss",), ("blue sand",)]


def test_options_follow_a_question_that_does_not_name_them(tmp_path: Path) -> None:
    asked = load_needle_set(write(tmp_path, FERRY), 1).question
    assert asked.endswith("day of the fair? Answer with one of these: yes, no.")
    named = FERRY.replace("of the fair?", "of the fair, yes or no?")
    assert load_needle_set(write(tmp_path, named), 1).question.endswith("of the fair, yes or no?")


@pytest.mark.parametrize(("file", "old", "new", "key", "says"), mistake_rows("needle sets"))
def test_one_clear_message(tmp_path: Path, file: str, old: str, new: str, key: str, says: str) -> None:
    text = (DATA / "needle_sets" / f"{file}.yaml").read_text()
    load_needle_set(write(tmp_path, text), 1)
    assert old in text
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(write(tmp_path, text.replace(old, new, 1)), 1)
    assert caught.value.key == key


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        (
            GOOD.replace("id: far\n", "ir: 1\n").replace("name: blue sand", "name: 1"),
            "distractors.0.ir elements.1.name",
        ),
        (GOOD.replace("id: far\n    text: ", "id: far\n    form: "), "distractors.0.form"),
        (GOOD.replace("[red moss]", "[x]"), "needles.0.elements elements.0"),
        (NESTED.replace("inside: ", "inside: x"), "needles.0.inside needles.1.inside passages.0.text"),
    ],
)
def test_every_mistake_of_a_file_is_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, keys: str
) -> None:
    path = write(tmp_path, text)
    assert main(["check", path]) == 2
    said = [
        line.removeprefix(f"niah: {path}: ").split(": ")[0] for line in capsys.readouterr().err.splitlines()
    ]
    assert [*dict.fromkeys(said)] == [*dict.fromkeys(keys.split())]


def test_an_edited_file_and_another_folder_are_read_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("mine.yaml", "text", 512, 50)
    for number, folder in enumerate([tmp_path / "one", tmp_path / "two"]):
        (folder / "text").mkdir(parents=True)
        monkeypatch.chdir(folder)
        write(folder, GOOD)
        rain = Path("text/rain.txt")
        rain.write_text("Rain fell. " * (200 + number))
        assert key_of("mine.yaml", 1).question == "Which two?"
        prints = [fingerprint_of(case)]
        write(folder, GOOD.replace("Which two?", "Which ones?"))
        assert key_of("mine.yaml", 1).question == "Which ones?"
        prints.append(fingerprint_of(case))
        rain.write_text("Rain feel. " * (200 + number))
        os.utime(rain, ns=(1, 1))  # of the same size
        prints.append(fingerprint_of(case))
        assert len({*prints, fingerprint_of(case)}) == 3


def test_facts_of_a_command_line_are_a_file_for_people(tmp_path: Path) -> None:
    path = write_own_facts(tmp_path, ["Zoë has 17."], "What number does Zoë have now?", ["17"])
    assert re.fullmatch("what-number-does-zo-have-[0-9a-f]{6}", path.stem)
    _, *lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["question: What number does Zoë have now?", "answer: '17'"]


SHORT = {"pizza-ingredients": 3, "rainbow-potion": 7, "academy-courses": 15, "needle-in-needle": 15}
LONG = {"teaching-methods": 3, "graduation-trials": 7, "library-revolution": 15}
KINDS = {
    "ferry-lanterns": "single",
    "lock-house-cat": "multi-value",
    "skerry-steps": "multi-key",
    "mailbag-seals": "multi-query",
    "three-gates": "multi-query",
    "school-bell": "multi-hop",
    "tern-lane-boarder": "latent",
    "stairs-portrait": "unanswerable",
    "coach-timetable": "conflicting",
}


@pytest.mark.parametrize("name", needle_set_names())
def test_kind_size_length_distractors_and_judgements(name: str) -> None:
    needle_set = load_needle_set(name, 1)
    assert len(needle_set.distractors) >= min(8, len(needle_set.needles))
    assert {"hard", "easy"} <= {distractor.hardness for distractor in needle_set.distractors}
    told = [needle.text for needle in needle_set.needles] + [each.text for each in needle_set.distractors]
    lengths = get_tokenizer("cl100k").counts(told).tolist()
    if name in LONG:
        assert all(400 <= length <= 500 for length in lengths)
    elif name in SHORT:
        assert all(50 <= length <= 100 for length in lengths)
    else:
        assert max(lengths[: len(needle_set.needles)], default=0) <= 100
    if size := (SHORT | LONG).get(name):
        assert len(needle_set.needles) == size
    assert needle_set.kind == KINDS.get(name, "multi-needle")
    assert list(misjudged_texts(key_of(name, 1))) == []


MINE, TOLLS, INNS, FLAGS = (
    (DATA / "families" / f"{name}.yaml").read_text(encoding="utf-8")
    for name in ("mine", "tolls", "inns", "flags")
)
COUNTED = (
    TOLLS.replace("answer: greatest, of: pence", "answer: count, of: load")
    .replace("Which town paid most on", "How many towns carried {{ counted }} on")
    .replace('"{{ elements }} did, with {{ value }} pence."', '"{{ elements }} carried {{ counted }}."')
)


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
    write(in_folder, INNS.replace("languages:\n", "languages:\n  fr: 3\n"))
    assert "mine-fr" in family_names()  # a mistake in one family hides no other
    with pytest.raises(ConfigError, match=r"by its name: (mine-[a-z-]+, ){4}mine-[a-z-]+\."):
        load_needle_set("mine@3", 1)
    with pytest.raises(ConfigError, match=r"languages\.fr: should be a mapping"):
        load_needle_set("mine-fr@3", 1)
    write(in_folder, f"{MINE}passages_of: mine\n")
    with pytest.raises(ConfigError, match="passages_of: that family has no passages"):
        load_needle_set("mine@3", 1)


@pytest.mark.parametrize(("file", "old", "new", "key", "says"), mistake_rows("families"))
def test_a_family_has_one_clear_message(
    tmp_path: Path, file: str, old: str, new: str, key: str, says: str
) -> None:
    text = {"counted": COUNTED, "mine": MINE, "tolls": TOLLS}.get(file) or family_names()[file].read_text()
    assert load_needle_set(f"{write(tmp_path, text)}@7", 1).question
    assert old in text
    with pytest.raises(ConfigError, match=says) as caught:
        load_needle_set(f"{write(tmp_path, text.replace(old, new, 1))}@7", 1)
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


POTION = """\
question: What goes into the draught for coughs?
answer: The draught takes {answer}.
elements: [{{name: figs}}, {{name: goat cheese}}]
needles:
  - {{id: figs, text: "For coughs, {first}.", elements: [{carried}]}}
  - {{id: cheese, text: Stir goat cheese into the draught for coughs., elements: [goat cheese]}}
"""


def mistakes(name: str) -> list[tuple[str, str]]:
    """Key and line of each mistake, once."""
    found = [error for _, mistakes in check_needle_sets(name) for error in mistakes]
    return list(dict.fromkeys((error.key, str(error)) for error in found))


def potion(answer: str, first: str = "take figs", carried: str = "figs") -> str:
    return POTION.format(answer=answer, first=first, carried=carried)


def test_a_reference_answer_in_other_words(tmp_path: Path) -> None:
    ((key, line),) = mistakes(write(tmp_path, potion("figs and goat brie")))
    assert key == "answer"
    assert "the rubric scores the reference answer 5: 1 of 2 found; missing: goat cheese." in line


def test_a_needle_that_answers_for_all(tmp_path: Path) -> None:
    text = potion("figs and goat cheese", "take figs and goat cheese", "figs, goat cheese")
    ((key, line),) = mistakes(write(tmp_path, text))
    assert key == "needles.0.text"
    assert "alone it answers the whole question, and 2 needles carry the answer" in line


def test_an_answer_that_no_seed_changes(tmp_path: Path) -> None:
    ((key, line),) = mistakes(path := write(tmp_path, FLAGS))
    assert key == "element"
    assert "mine@3" not in line
    assert f"20 seeds draws the same answer, {load_needle_set(f'{path}@3', 1).answer!r}." in line
