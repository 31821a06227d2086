"""``niah retrieve`` in-process: one case, a suite, wrong input, a stop half-way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import niah.api.retrieve
from niah.cases.assembly.render import build_context
from niah.cases.case import Case
from niah.cases.suite import load_grid
from niah.cli.main import main
from niah.runs.retrieval import RetrievalRecord, evaluate

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512]
depths: [50]
"""
STRATEGIES = "tfidf/budget-150/document@100,mixpr/budget-150/document@100"
CASE = Case("three-gates", "essays", 700, 50, distractors=1)


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def look(strategy: str, case: Case = CASE) -> None:
    assert main(["retrieve", case.case_id, "--strategy", strategy]) == 0


def test_one_case(capsys: pytest.CaptureFixture[str]) -> None:
    look("tfidf/top-2/document@100")
    out = capsys.readouterr().out
    assert "Which numbers open the copper gate" in out
    ranks = re.findall(r"^ +([12]) +[\d.e-]+ +(\d+)-(\d+) +(\d+)-(\d+)  \S", out, re.MULTILINE)
    assert [rank for rank, *_ in ranks] == ["1", "2"]
    context = build_context(CASE)
    for _, start, end, token_start, token_end in ranks:
        assert 0 <= int(start) < int(end) <= len(context.text)
        assert 0 <= int(token_start) < int(token_end) <= context.tokens
    held = {
        needle.id
        for needle in context.needles
        for _, start, end, *_ in ranks
        if int(start) <= needle.start + 1 and needle.end <= int(end)
    }
    assert held
    assert set(re.findall(r"\[\[([\w-]+)\]\]", out.partition("in prompt order")[0])) >= held
    assert f"{len(held)} of 3 needles whole" in out
    assert all(f"needle {needle.id} at token {needle.token_start}" in out for needle in context.needles)
    assert re.search(r"tokens [\d,]+ of the context's", out)


def test_json_says_what_the_text_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", CASE.case_id, "--strategy", "tfidf/top-4/reverse@60", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [chunk["rank"] for chunk in found["chunks"]] == [4, 3, 2, 1]
    text = build_context(CASE).text
    assert all(chunk["text"] == text[chunk["start"] : chunk["end"]] for chunk in found["chunks"])
    ids = [needle.id for needle in build_context(CASE).needles]
    ranks = dict(zip(ids, found["needle_ranks"], strict=True))
    for chunk in found["chunks"]:
        assert set(chunk["needles"]) >= {id for id, rank in ranks.items() if rank == chunk["rank"]}
    assert main(["retrieve", "mine.yaml", "--strategies", "lc,tfidf/top-1/norm@60", "--json"]) == 0
    tables = json.loads(capsys.readouterr().out)
    assert [row["strategy"] for row in tables["by_context_length"]] == ["lc", "tfidf/top-1/norm@60"]
    assert [row["needles"] for row in tables["by_number_of_needles"]] == [1, 1, 3, 3]
    assert tables["by_context_length"][0]["completeness"] == 1


def test_the_prompt_order_is_the_strategys(capsys: pytest.CaptureFixture[str]) -> None:
    def order(name: str) -> list[int]:
        look(f"tfidf/top-4/{name}@60")
        shown = capsys.readouterr().out.partition("in prompt order, by rank:\n")[2].partition("\n\n")[0]
        return [int(rank) for rank in re.findall(r"\d+", shown)]

    assert order("norm") == [1, 2, 3, 4]
    assert order("reverse") == [4, 3, 2, 1]
    assert order("sides") == [1, 3, 4, 2]


def test_distractors_are_marked(capsys: pytest.CaptureFixture[str]) -> None:
    look("tfidf/full/document@100")
    assert f"(({build_context(CASE).distractors[0].id}))" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ("lc", ["the whole context", "3 of 3 needles whole", "in the context"]),
        ("oracle", ["3 of 3 needles whole", "noise ratio 0.00", "rank 3"]),
        ("closed-book", ["no context at all", "0 of 3 needles whole", "tokens 0 of", "not retrieved"]),
    ],
)
def test_whole_context_strategies(strategy: str, says: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    look(strategy)
    out = capsys.readouterr().out
    assert all(words in out for words in says)


def test_a_needle_across_chunks_and_one_cut_in_part(capsys: pytest.CaptureFixture[str]) -> None:
    # Passages of 8 tokens cut every needle; all of them together hold it whole, five of them only a part.
    look("tfidf/full/document@8")
    out = capsys.readouterr().out
    assert "whole, but across chunks, cut by a chunk border" in out
    look("tfidf/top-1/document@8")
    out = capsys.readouterr().out
    assert " in part]]" in out
    assert "1 in part" in out


def test_a_case_without_needles(capsys: pytest.CaptureFixture[str]) -> None:
    look("tfidf/top-2/norm@100", Case("unanswerable@3", "essays", 1000, 50))
    assert "the case has no needles" in capsys.readouterr().out


def test_a_suite_end_to_end(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["mine.yaml", "--strategies", STRATEGIES, "--out", "new/out.jsonl", "--plots", "figures"]
    assert main(["retrieve", *arguments]) == 0
    rows = [json.loads(line) for line in Path("new/out.jsonl").read_text().splitlines()]
    ids = [case.case_id for case in load_grid("mine.yaml").cases]
    names = STRATEGIES.split(",")
    assert [(row["case_id"], row["strategy"]) for row in rows] == [(i, name) for i in ids for name in names]
    wanted = (
        "case_id needle_set haystack context_length depth seed strategy needles completeness in_part "
        "element_recall noise_ratio needle_ranks needle_split context_tokens retrieved available seconds "
        "question_set document_id noise_added foreign"
    )
    assert all(list(row) == wanted.split() for row in rows)
    for row in rows:
        assert 0 < row["context_tokens"] <= 150
        assert 0 < row["retrieved"] < row["available"]
        assert len(row["needle_ranks"]) == len(row["needle_split"]) == row["needles"]
        # 100-token passages keep these needles whole, so the ranks tell the completeness.
        ranked = [rank for rank in row["needle_ranks"] if rank is not None]
        assert row["completeness"] == len(ranked) / row["needles"]
    assert {"retrieval.png", "retrieval.svg"} <= {path.name for path in Path("figures").iterdir()}
    captured = capsys.readouterr()
    assert "by context length" in captured.out
    assert "by number of needles" in captured.out
    assert f"4 of 4: {ids[1]} {names[1]}" in captured.err
    assert "4 lines: new/out.jsonl" in captured.err


def test_only_what_is_asked_for_is_written() -> None:
    assert main(["retrieve", "mine.yaml", "--strategies", "tfidf/top-2/norm@100"]) == 0
    assert present() == ["mine.yaml"]


def test_limit_takes_the_first_cases() -> None:
    assert main(["retrieve", "mine.yaml", "--strategies", "lc", "--limit", "1", "--out", "out.jsonl"]) == 0
    (line,) = Path("out.jsonl").read_text().splitlines()
    assert json.loads(line)["case_id"] == load_grid("mine.yaml").cases[0].case_id


def test_another_haystack() -> None:
    arguments = ["--strategies", "lc", "--haystack", "starlight", "--out", "out.jsonl"]
    assert main(["retrieve", "mine.yaml", *arguments]) == 0
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert {row["haystack"] for row in rows} == {"starlight"}


def test_cases_without_needles_are_counted_apart(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(SUITE.replace("[ferry-lanterns, three-gates]", "[unanswerable@3]"))
    arguments = ["--strategies", "lc,tfidf/top-2/norm@100", "--out", "out.jsonl", "--plots", "figures"]
    assert main(["retrieve", "mine.yaml", *arguments]) == 0
    assert "1 case without needles not in the tables." in capsys.readouterr().out
    assert json.loads(Path("out.jsonl").read_text().splitlines()[0])["completeness"] is None
    assert present() == ["mine.yaml", "out.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["three-gate_essays_700_d50_s1", "--strategy", "lc"], "Did you mean 'three-gates'"),
        (["three-gates_essays_70_d50_s1", "--strategy", "lc"], "at least"),
        (["three-gates_essays_700_50_s1", "--strategy", "lc"], "ferry-lanterns_essays_2048_d25_s1"),
        (["my_valley-0", "--strategy", "lc"], "a question of a question set goes by its suite"),
        (["qick", "--strategies", "lc"], "Did you mean 'quick'"),
        (["nowhere/mine.yaml", "--strategies", "lc"], "no suite or case called 'nowhere/mine.yaml'"),
        ([".", "--strategies", "lc"], ". is a folder, not a suite. Name a file in it, such as mine.yaml."),
        ([CASE.case_id, "--strategy", "mixpt"], "Did you mean 'mixpr'"),
        ([CASE.case_id], "needs a --strategy"),
        ([CASE.case_id, "--strategies", "lc"], "--strategies is for suites"),
        ([CASE.case_id, "--strategy", "lc", "--out", "out.jsonl"], "--out is for suites"),
        (["mine.yaml", "--strategy", "lc"], "Use --strategies"),
        (["mine.yaml"], "needs --strategies"),
        (["mine.yaml", "--strategies", " , "], "needs --strategies"),
        (["mine.yaml", "--strategies", "lc,mixpt"], "Did you mean 'mixpr'"),
        (["mine.yaml", "--strategies", "lc, lc"], "twice"),
        (["mine.yaml", "--strategies", "lc", "--limit", "0"], "--limit: 0 is not in the range x>=1"),
        (["mine.yaml", "--strategies", "lc", "--limit", "-3"], "--limit: -3 is not in the range x>=1"),
        (["mine.yaml", "--strategies", "lc", "--haystack", "esays"], "Did you mean 'essays'"),
    ],
)
def test_wrong_input_is_one_line_and_writes_nothing(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for_suites = ["--out", "out.jsonl", "--plots", "figures"] if "--strategies" in arguments else []
    extra = for_suites if CASE.case_id not in arguments else []
    assert main(["retrieve", *arguments, *extra]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err
    assert present() == ["mine.yaml"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("lengths: [512", "lengths: [64"), "at least"),
        (("lengths: [512]", "lengths: [512, 9000000]"), "longer haystack"),
        (("depths:", "depth:"), "Did you mean 'depths'"),
        (("depths: [50]", "depths: [[50]"), "not valid YAML"),
    ],
)
def test_a_suite_that_cannot_be_used_writes_nothing(
    change: tuple[str, str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.yaml").write_text(SUITE.replace(*change))
    assert main(["retrieve", "mine.yaml", "--strategies", "lc", "--out", "new/out.jsonl"]) == 2
    captured = capsys.readouterr()
    assert (captured.out, len(captured.err.splitlines())) == ("", 1)
    assert says in captured.err
    assert present() == ["mine.yaml"]


def test_a_suite_that_is_not_utf_8(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_bytes(b"description: \xff\xfe\n")
    assert main(["retrieve", "mine.yaml", "--strategies", "lc"]) == 2
    assert "UTF-8" in capsys.readouterr().err


def test_a_stop_leaves_no_half_written_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: Any) -> Iterator[RetrievalRecord]:
        yield next(evaluate(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(niah.api.retrieve, "evaluate", stopped)
    Path("out.jsonl").write_text("of an earlier evaluation\n")
    assert main(["retrieve", "mine.yaml", "--strategies", "lc", "--out", "out.jsonl"]) == 130
    assert Path("out.jsonl").read_text() == "of an earlier evaluation\n"
    assert present() == ["mine.yaml", "out.jsonl"]
    assert capsys.readouterr().out == ""


def test_more_chunks_than_the_context_has(capsys: pytest.CaptureFixture[str]) -> None:
    case = "ferry-lanterns_essays_1024_d25_s1"
    assert main(["retrieve", case, "--strategy", "tfidf/top-500/norm@100"]) == 0
    assert "chunks 13 of 13" in capsys.readouterr().out


FIGURED = """
haystacks: [essays, entries]
needle_sets: [multi-key@4, common-list@20]
lengths: [4000]
depths: [25]
"""


@pytest.mark.parametrize(
    ("figure", "stem"), [("alpha", "mixpr-alpha"), ("k", "mixpr-k"), ("time", "retrieval-time")]
)
def test_a_figure_of_mixpr_is_drawn_from_retrievals(figure: str, stem: str) -> None:
    Path("figured.yaml").write_text(FIGURED)
    assert main(["retrieve", "figured.yaml", "--figure", figure, "--out", "all.jsonl"]) == 0
    drawn = Path("plots", "mixpr")
    assert sorted(path.name for path in drawn.iterdir()) == [
        f"{stem}.{kind}" for kind in ("csv", "png", "svg")
    ]
    assert Path("all.jsonl").read_text().count("\n") % 2 == 0


def test_the_router_s_figure_needs_no_suite(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "--figure", "router", "--plots", "here"]) == 0
    rows = [line.rsplit(",", 3) for line in Path("here/mixpr-router.csv").read_text().splitlines()[1:]]
    assert len(rows) == 16
    assert all(int(right) >= 0.7 * int(asked) for _, _, right, asked in rows)
    assert main(["retrieve", "mine.yaml", "--figure", "router"]) == 2
    assert "--figure router takes no CASE_ID|SUITE: its questions ship" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ([], "there is nothing to retrieve from"),
        (
            ["mine.yaml", "--figure", "alpha", "--strategies", "mixpr"],
            "drawn over alpha, and mixpr has none of its own",
        ),
        (["mine.yaml", "--figure", "k", "--strategies", "lc"], "over sentences retrieved, and lc has none"),
        (
            ["mine.yaml", "--figure", "k", "--reader", "smollm2"],
            "--reader and --api-base are for --figure router",
        ),
        (["--figure", "router", "--api-base", "http://127.0.0.1:1"], "--api-base needs a --reader"),
        (["mine.yaml", "--strategies", "mixpr-alpha-2/top-5/norm"], "is no alpha from 0 to 1"),
    ],
)
def test_mistakes_about_figures(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["retrieve", *arguments]) == 2
    assert problem in capsys.readouterr().err
    assert present() == ["mine.yaml"]
