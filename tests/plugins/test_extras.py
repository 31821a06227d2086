"""A package of somebody else's, built and installed: what it adds is listed, run, judged and drawn."""

from __future__ import annotations

import csv
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest

from niah.runs.file.read import read_run

EXTRAS = Path(__file__).parent / "extras"

COMMANDS = """
import sys
from contextlib import redirect_stdout, redirect_stderr
from io import StringIO, TextIOWrapper, BytesIO
from pathlib import Path
from niah.cli.main import main

for number, line in enumerate(Path("commands").read_text().splitlines()):
    out, said = TextIOWrapper(BytesIO(), write_through=True), StringIO()
    with redirect_stdout(out), redirect_stderr(said):
        code = main(line.split())
    Path(f"{number}.out").write_bytes(out.buffer.getvalue())
    Path(f"{number}.err").write_text(said.getvalue())
    Path(f"{number}.code").write_text(str(code))
"""

SUITE = """\
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [1024, 2048]
depths: [0, 100]
questions: [cases/questions/harbour.qa]
"""
HARBOUR = """\
The pilot boat is called Marigold. It leaves at six and comes home when the last ship is in.
What is the pilot boat called?
Marigold

The screech of the crane wakes the whole street on Mondays.
When does the crane wake the street?
On Mondays
"""
STRATEGIES = (
    *("lc", "overlap/top-3/norm@100", "overlap/top-3/zigzag@100", "bm25/top-3/zigzag@100"),
    *("overlap/third/norm@100", "overlap/best/zigzag@100"),
    *("overlap+longest/top-3/norm@paragraphs", "bm25/half/norm@paragraphs-60", "quick-bm25", "last-half"),
)
RUN = f"""\
suite: mixed
readers: [parrot/grey]
strategies: [{", ".join(STRATEGIES)}]
judge: first-word
"""
FAILING = {
    "moody/top-3/norm@100": "the retriever moody failed: RuntimeError: not today.",
    "bm25/top-3/norm@boastful": "the chunker boastful failed: it gave a chunk of ",
    "wordy": "the strategy wordy failed: it gave ",
}
LISTED = (*("plugins", "strategies", "readers", "judges", "metrics", "question-sets", "figures", "tables"),)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which pip has installed the wheel."""
    folder = tmp_path_factory.mktemp("extras")
    python = [sys.executable, "-m"]
    build = [*python, "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(EXTRAS)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    site = folder / "site"
    install = [*python, "pip", "install", "--no-deps", "--no-index", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return site


class Asked:
    """What a row of commands printed, in one process and one folder."""

    def __init__(self, site: Path, folder: Path, commands: Sequence[str]) -> None:
        self.folder = folder
        self._commands = list(commands)
        (folder / "commands").write_text("\n".join(commands))
        root = Path(__file__).parents[2]
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(site), str(root)]),
            "COLUMNS": "200",
        }
        command = [sys.executable, "-c", COMMANDS]
        subprocess.run(command, cwd=folder, env=environment, check=True, timeout=300)

    def _file(self, command: str, ending: str) -> str:
        return (self.folder / f"{self._commands.index(command)}.{ending}").read_text()

    def out(self, command: str) -> str:
        return self._file(command, "out")

    def said(self, command: str) -> str:
        return self._file(command, "err")

    def code(self, command: str) -> int:
        return int(self._file(command, "code"))


@pytest.fixture(scope="module")
def asked(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("work")
    for path, text in (
        ("cases/mixed.yaml", SUITE),
        ("cases/questions/harbour.qa", HARBOUR),
        ("runs/extra.yaml", RUN),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "runs/moody.yaml").write_text(RUN.replace(", ".join(STRATEGIES), ", ".join(["lc", *FAILING])))
    (folder / "runs/gone.yaml").write_text(RUN.replace("first-word", "gone"))
    return Asked(
        installed,
        folder,
        [
            *(f"list {kind}" for kind in LISTED),
            *("plan extra", "run extra", "judge extra --judge strict", "export extra"),
            *("judge extra --judge first-word", "report extra --out report", "show extra"),
            *("run moody", "run gone"),
            *(f"report extra --figure {name}" for name in ("torn", "nothing", "score-histogram")),
        ],
    )


def test_what_it_adds_is_listed_with_where_it_comes_from(asked: Asked) -> None:
    rows = {tuple(line.split()[:2]): line for line in asked.out("list plugins").splitlines()}
    for group, name in (
        *(("niah.retrievers", "overlap"), ("niah.orders", "zigzag"), ("niah.scopes", "third")),
        *(("niah.rerankers", "longest"), ("niah.chunkers", "paragraphs"), ("niah.strategies", "last-half")),
        *(("niah.readers", "parrot"), ("niah.judges", "strict"), ("niah.metrics", "first-word")),
        *(("niah.question_sets", "plain"), ("niah.figures", "score-histogram")),
        ("niah.tables", "longest-answers"),
    ):
        assert rows[group, name].split()[2:] == ["niah-extras", "0.3"]
    gone = "cannot be used: ModuleNotFoundError: No module named 'niah_extras.no_such_module'"
    assert rows["niah.judges", "gone"].endswith(gone)
    assert rows["niah.orders", "norm"].endswith("cannot be used: another one has its name")
    assert rows["niah.strategies", "lc"].endswith("cannot be used: another one has its name")


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("strategies", "RETRIEVER overlap  Words that question and chunk share."),
        ("strategies", "ORDER zigzag  best in the middle, worst at both ends"),
        ("strategies", "SCOPE third  a third of the room"),
        ("strategies", "RETRIEVER RETRIEVER+longest  The longer the better."),
        ("strategies", "@CHUNKS paragraphs-N  paragraphs of at most N tokens"),
        ("strategies", "quick-bm25  three passages by words: bm25/top-3/document@100"),
        ("strategies", "last-half  The second half of the text."),
        ("readers", "parrot/NAME  Repeats what it has read."),
        ("judges", "strict  all elements word for word, or nothing"),
        ("judges", "first-word  Whether answer and reference begin alike."),
        ("metrics", "first-word  Whether answer and reference begin alike."),
        ("figures", "score-histogram  How many trials have which score."),
        ("tables", "longest-answers  One row per strategy: the most tokens that an answer took."),
    ],
)
def test_each_is_listed_beside_ours(asked: Asked, kind: str, line: str) -> None:
    listed = [" ".join(each.split()) for each in asked.out(f"list {kind}").splitlines()]
    assert " ".join(line.split()) in listed


def test_all_of_it_runs(asked: Asked) -> None:
    assert (asked.code("plan extra"), asked.code("run extra")) == (0, 0)
    assert "parrot/grey" in asked.out("plan extra")
    trials = [orjson.loads(line) for line in asked.out("export extra").splitlines()]
    assert {trial["strategy"] for trial in trials} == set(STRATEGIES)
    assert {trial["reader"] for trial in trials} == {"parrot/grey"}
    assert len(trials) == (8 + 2) * len(STRATEGIES)
    assert "niah-extras 0.3" in asked.out("show extra")


def test_what_a_reader_raises_is_an_outcome_and_no_score(asked: Asked) -> None:
    trials = [orjson.loads(line) for line in asked.out("export extra").splitlines()]
    flown = [trial for trial in trials if trial["case_id"].startswith("harbour_q2")]
    assert {(trial["outcome"], trial["score"]) for trial in flown} == {("reader_error", None)}
    assert {trial["outcome"] for trial in trials if trial not in flown} == {"scored"}
    assert "parrot/grey raised OSError: the parrot has flown" in asked.said("run extra")


def test_its_judge_and_its_metric_judge(asked: Asked) -> None:
    trials = [orjson.loads(line) for line in asked.out("export extra").splitlines()]
    scored = [trial["judge_scores"] for trial in trials if trial["outcome"] == "scored"]
    assert {name for scores in scored for name in scores} == {"first-word", "rubric", "squad-f1", "strict"}
    assert {scores["strict"] for scores in scored} == {1, 10}
    assert asked.code("judge extra --judge first-word") == 0


def test_its_figure_and_table_are_in_the_report(asked: Asked) -> None:
    assert asked.code("report extra --out report") == 0
    report = asked.folder / "report"
    for file in ("score-histogram.png", "score-histogram.svg"):
        assert (report / "figures" / file).stat().st_size > 20
    assert len(_rows(report / "tables" / "longest-answers.csv")) == len(STRATEGIES)


def test_what_fails_is_a_line_and_harms_nothing_else(asked: Asked) -> None:
    said = asked.said("report extra --out report").splitlines()
    assert "the figure torn of niah-extras 0.3 cannot be drawn: ZeroDivisionError: paper torn." in said
    assert "the table cursed of niah-extras 0.3 cannot be made: KeyError: 'no such column'." in said
    assert len(list((asked.folder / "report" / "figures").glob("*.png"))) > 5
    assert asked.code("run gone") == 2
    (line,) = asked.said("run gone").splitlines()
    assert "the judge 'gone' of niah-extras 0.3 cannot be used: ModuleNotFoundError" in line
    assert not (asked.folder / "runs" / "gone.sqlite").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("torn", "the figure torn of niah-extras 0.3 cannot be drawn: ZeroDivisionError: paper torn."),
        ("nothing", "has no trials for the figure nothing."),
    ],
)
def test_a_figure_that_fails_alone_says_why(asked: Asked, name: str, reason: str) -> None:
    assert asked.code(f"report extra --figure {name}") == 2
    (line,) = asked.said(f"report extra --figure {name}").splitlines()
    assert reason in line
    assert not list(asked.folder.glob(f"{name}*"))
    assert asked.code("report extra --figure score-histogram") == 0


def test_what_fails_of_one_question_is_an_outcome_with_its_reason(asked: Asked) -> None:
    trials = read_run(asked.folder / "runs" / "moody.sqlite").records
    assert {trial.outcome for trial in trials if trial.strategy == "lc"} >= {"scored"}
    for strategy, reason in FAILING.items():
        own = [trial for trial in trials if trial.strategy == strategy]
        assert {(trial.outcome, trial.score, trial.cost) for trial in own} == {("reader_error", None, 0)}
        assert all(trial.reason.startswith(reason) for trial in own)


def test_a_newer_package_may_answer_otherwise(asked: Asked, installed: Path, tmp_path: Path) -> None:
    assert "answers go by: niah-extras 0.3" in asked.out("show extra")
    newer = tmp_path / "site"
    shutil.copytree(installed, newer)
    (metadata,) = newer.glob("*.dist-info/METADATA")
    metadata.write_text(metadata.read_text().replace("Version: 0.3", "Version: 0.4"))
    again = Asked(newer, asked.folder, ["run extra"])
    assert again.code("run extra") == 2
    (line,) = again.said("run extra").splitlines()
    assert "(it differs in: packages)" in line


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
