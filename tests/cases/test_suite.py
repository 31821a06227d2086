"""Cases' ids, and suites: what ships, grids, and one clear message for each mistake."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.cases.assembly.render import build_context
from niah.cases.case import Case, parse_case_id
from niah.cases.export import export_cases, write_records
from niah.cases.suite import case_of_id, load_suite
from niah.cli.main import main
from niah.errors import CaseError, ConfigError, Defect, UserError
from niah.files import places, yaml_names
from tests.examples import mistake_rows

NAMES = st.lists(st.text("abcxyz0189", min_size=1, max_size=5), min_size=1, max_size=3).map("-".join)


@given(
    st.builds(
        Case,
        needle_set=NAMES,
        haystack=NAMES,
        context_length=st.integers(1, 10**8),
        depth=st.integers(0, 1000).map(lambda tenths: tenths / 10),
        seed=st.integers(0, 10**6),
        tokenizer=st.sampled_from(["cl100k", "o200k"]),
        mode=st.sampled_from(["auto", "contiguous"]),
        order=st.sampled_from(["listed", "shuffled"]),
        distractors=st.integers(0, 99),
        prompt=st.sampled_from(["u-niah", "dos-rag-qa"]),
        repeat=st.booleans(),
        accidents=st.sampled_from(["stop", "avoid"]),
        reserve=st.integers(0, 500),
        haystack_order=st.sampled_from(["original", "shuffled"]),
    )
)
def test_an_id_says_everything_about_its_case(case: Case) -> None:
    assert parse_case_id(case.case_id) == case


def test_an_id_finds_files_here_and_one_folder_deeper_and_takes_no_other_of_the_same_name(
    in_folder: Path,
) -> None:
    (in_folder / "texts").mkdir()
    for name in ("texts/logbook.txt", "texts/own.yaml"):
        (in_folder / name).touch()
    case = case_of_id("own_logbook_900_d50_s1")
    assert case == Case("texts/own.yaml", "texts/logbook.txt", 900, 50)
    (in_folder / "logbook.md").touch()
    with pytest.raises(UserError, match=r"may be logbook.md or texts/logbook.txt"):
        case_of_id("own_logbook_900_d50_s1")


GOOD = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 1024]
depths: [0, 50, 100]
seeds: [1, 2]
"""


def write(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text)
    return str(path)


def test_a_needle_set_may_begin_later_and_end_earlier(tmp_path: Path) -> None:
    two = GOOD.replace("[ferry-lanterns]", "[ferry-lanterns, three-gates]").replace("1024]", "1024, 2048]")
    bounds = "shortest: {three-gates: 513}\nlongest: {three-gates: 2047}\n"
    cases = load_suite(write(tmp_path, two + bounds)).cases
    lengths = {
        name: {case.context_length for case in cases if case.needle_set == name}
        for name in ("ferry-lanterns", "three-gates")
    }
    assert lengths == {"ferry-lanterns": {512, 1024, 2048}, "three-gates": {1024}}


def test_tokens_are_kept_of_every_length(tmp_path: Path) -> None:
    cases = load_suite(write(tmp_path, GOOD.replace("[0, 50", "[-0.0, 50") + "reserve: 40\n")).cases
    assert {case.prompt_length for case in cases} == {472, 984}
    assert cases[0].case_id.endswith("_d0_s1_r40")


def test_distractors_orders_and_haystacks_may_be_axes_of_one_needle_set(tmp_path: Path) -> None:
    own = "{haystack: [essays, noise], distractors: [0, 1, 4], haystack_order: [original, shuffled]}"
    text = GOOD.replace("[ferry-lanterns]", "[ferry-lanterns, three-gates]").replace("[1, 2]", "[1]")
    cases = load_suite(write(tmp_path, f"{text}exceptions: {{three-gates: {own}}}\n")).cases
    usual = [case for case in cases if case.needle_set == "ferry-lanterns"]
    conditions = {(case.haystack, case.distractors, case.haystack_order) for case in usual}
    assert conditions == {("essays", 0, "original")}
    assert len(usual) == 6
    assert len(cases) - len(usual) == 6 * 2 * 3 * 2
    assert len({case.case_id for case in cases}) == len(cases)


def test_an_export_names_what_cannot_be_built_and_writes_nothing_where_all_is(tmp_path: Path) -> None:
    text = f"{GOOD}skip: impossible\n"
    exported = export_cases(write(tmp_path, text.replace("512, 1024", "16, 512")), "jsonl", tmp_path / "all")
    assert (exported.cases, {case.context_length for case in exported.left_out}) == (6, {16})
    with pytest.raises(CaseError, match=r"none of the 6 cases can be built\. The first, ferry-.*_d0_s1: "):
        export_cases(write(tmp_path, text.replace("512, 1024", "16")), "jsonl", tmp_path / "none")
    assert not (tmp_path / "none").exists()
    text = text.replace("[ferry-lanterns]", "[ferry-lanterns, stairs-portrait]").replace("512, 1024", "512")
    task = export_cases(write(tmp_path, text), "inspect", tmp_path / "task")
    assert (task.cases, task.unscored) == (6, 6)  # of those without an answer nothing can be named


def test_an_audit_is_of_the_contexts_that_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = load_suite(write(tmp_path, GOOD))
    monkeypatch.setattr(
        "niah.cases.export.build_context", lambda case: replace(build_context(case), tokens=1)
    )
    with pytest.raises(Defect, match="tokens: recorded 1"):
        write_records(grid, lambda line: None, with_context=False, audited=True)


def test_a_schema_refers_to_what_it_defines(in_folder: Path) -> None:
    assert main(["schema", "--out", "schemas"]) == 0
    for file in Path("schemas").iterdir():
        text = file.read_text()
        assert {*re.findall(r'"#/\$defs/(\w+)"', text)} <= json.loads(text).get("$defs", {}).keys(), file


@pytest.mark.parametrize("name", yaml_names(places("cases")))
def test_what_ships_loads(name: str) -> None:
    if name == "lc-vs-rag":  # of the user's own copies
        with pytest.raises(ConfigError, match=r"no question set called .* niah import makes one"):
            load_suite(name)
        return
    suite = load_suite(name)
    assert suite.cases or list(suite.question_sets.samples())


@pytest.mark.parametrize(("old", "new", "key", "says"), mistake_rows("suites"))
def test_one_clear_message_with_file_key_and_remedy(
    tmp_path: Path, old: str, new: str, key: str, says: str
) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        load_suite(write(tmp_path, GOOD.replace(old, new)))
    assert caught.value.key == key
    assert "mine.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_lists_go_into_entries_and_other_sets_into_the_other_haystacks(tmp_path: Path) -> None:
    path = tmp_path / "both.yaml"
    path.write_text(
        "haystacks: [essays, entries]\nneedle_sets: [chain@2, common-list@20]\nlengths: [4000]\ndepths: [0]\n"
    )
    pairs = [(case.needle_set, case.haystack) for case in load_suite(str(path)).cases]
    assert pairs == [("chain@2", "essays"), ("common-list@20", "entries")]
