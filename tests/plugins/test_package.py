"""The package of docs/python-and-plugins.md, and one whose parts fail, both installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest

from niah.registry import registries
from tests.plugins.one_process import Done, in_one_process

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "python-and-plugins.md").read_text(encoding="utf-8")
MODULE = "\n\n".join(
    re.findall(r"```python\n(.*?)```", PAGE.partition("## A package of your own")[2], re.DOTALL)
)
(PROJECT,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
POINTS: dict[str, dict[str, str]] = tomllib.loads(PROJECT)["project"]["entry-points"]

FAILING = """
from niah.plugins import ChunkerKind, ChunkOrder, Preset

ITSELF = Preset("itself", "a name in place of a definition")
TYPO = Preset("bm25/topp-2/document", "a slip")

class Moody:
    def score(self, query, texts):
        raise RuntimeError("not today")

class Broken:
    def __init__(self, *wanted):
        raise RuntimeError("no index here")

class Parrot:
    async def read(self, request):
        raise OSError("the parrot has flown")

def make_parrot(wanted):
    return Parrot()

def spill(ranking):
    raise RuntimeError("all on the floor")

SPILT, TWICE = ChunkOrder("falls", spill), ChunkOrder("once more", lambda ranking: [*ranking, *ranking])
def burn(*given):
    raise RuntimeError("all burnt")

WHOLE = lambda text, starts, size, overlap: [(0, len(text))]
EXPANDS, READS = ChunkerKind("", WHOLE, 2048, expand=burn), ChunkerKind("", WHOLE, 2048, read=burn)
BOASTFUL = ChunkerKind("all in one chunk", lambda text, starts, size, overlap: [(0, len(text))], size=5)

def draw_torn(trials):
    raise ZeroDivisionError("paper torn")

def draw_nothing(trials):
    return None

def draw_axes(trials):
    from matplotlib.figure import Figure
    return Figure().subplots()

def cursed(trials):
    raise KeyError("no such column")

def scribble(trials):
    assert "scribbled" not in trials
    trials["scribbled"] = trials.pop("score")

def draw_scribble(trials):
    scribble(trials)

def write_scribble(trials):
    scribble(trials)
    return trials.head(0)
"""
FAILING_POINTS = {
    "niah.retrievers": {"moody": "failing:Moody", "broken": "failing:Broken"},
    "niah.rerankers": {"broken": "failing:Broken"},
    "niah.readers": dict.fromkeys(("parrot", "openai"), "failing:make_parrot") | {"broken": "failing:Broken"},
    "niah.chunkers": {name: f"failing:{name.upper()}" for name in ("boastful", "expands", "reads")},
    "niah.orders": {"spilt": "failing:SPILT", "twice": "failing:TWICE"},
    "niah.strategies": {"lc": "failing:BOASTFUL", "itself": "failing:ITSELF", "typo": "failing:TYPO"},
    "niah.retreivers": {"lost": "failing:Moody"},
    "niah.judges": {"gone": "failing.no_such_module:GONE"},
    "niah.figures": {
        "torn": "failing:draw_torn",
        "nothing": "failing:draw_nothing",
        "bare": "failing:draw_axes",
    }
    | dict.fromkeys(("scribble", "scribble-again"), "failing:draw_scribble"),
    "niah.tables": {"cursed": "failing:cursed"}
    | dict.fromkeys(("scribble", "scribble-again"), "failing:write_scribble"),
}
REASONS = {
    "moody/top-3/norm@100": "the retriever moody failed: RuntimeError: not today.",
    "bm25/top-3/norm@boastful": "the chunker boastful failed: it gave a chunk of ",
    "bm25/top-3/spilt@100": "the order spilt failed: RuntimeError: all on the floor.",
    "bm25/top-3/twice@100": "the order twice failed: it gave other chunks than it got.",
    "raptor-pca:minilm/top-3/spilt": "the order spilt failed: RuntimeError: all on the floor.",
}

GRID = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [1024]\ndepths: [0, 100]\n"
HARBOUR = "The pilot boat is called Marigold. It leaves at six.\tWhat is the pilot boat called?\tMarigold\n"
STRATEGIES = (
    *("lc", "overlap/top-5/norm", "bm25+longest/top-5/norm@steps-300"),
    *("bm25/half/outwards@100", "quick"),
)
RUN = "suite: mixed\nreaders: [{}]\nstrategies: [{}]\njudge: {}\n"
REFUSED = {
    "retrieve mixed --strategies broken/top-3/norm": "the retriever broken",
    "retrieve mixed --strategies bm25+broken/top-3/norm": "the reranker broken",
    "run broken": "the reader broken",
    "retrieve mixed --strategies typo": "the strategy 'typo' of failing 0.1 is 'bm25/topp-2/document'",
    "retrieve mixed --strategies bm25/top-3/norm@expands": "the chunker expands failed: RuntimeError",
    "retrieve mixed --strategies bm25/top-3/norm@reads": "the chunker reads failed: RuntimeError",
    "retrieve mixed --strategies bm25/top-3/spilt@100": "the order spilt failed: RuntimeError",
}
COMMANDS = (
    *("list plugins", "list strategies", "plan extra", "run extra"),
    *("judge extra --judge all-named", "export extra", "show extra"),
    *("report extra --out report", "run moody", "export moody", "run flown", "export flown", "run gone"),
    *("report extra --figure torn", "report extra --figure nothing", *REFUSED),
)
# Reports are asked for; a run draws none.
WITHOUT_PAGES = """
from pathlib import Path
from types import SimpleNamespace
from niah.plots import report
real, none = report.write_report, SimpleNamespace(page=Path("index.html"))
report.write_report = lambda *of, **more: none if more.get("brief") else real(*of, **more)
"""


def install(site: Path, name: str, module: str, points: dict[str, dict[str, str]]) -> None:
    """As pip leaves a package of one module."""
    info = site / f"{name}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    named = {group: "".join(f"{k} = {v}\n" for k, v in each.items()) for group, each in points.items()}
    (info / "entry_points.txt").write_text("".join(f"[{group}]\n{each}" for group, each in named.items()))
    (site / f"{name.replace('-', '_')}.py").write_text(module)


def ask(site: Path, folder: Path, *commands: str) -> Done:
    """What becomes of commands where the packages are installed."""
    paths = os.pathsep.join([str(site), str(ROOT)])
    return in_one_process(WITHOUT_PAGES, folder, commands, PYTHONPATH=paths, COLUMNS="200")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    install(folder, "my-package", MODULE, POINTS)
    install(folder, "failing", FAILING, FAILING_POINTS)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("work")
    several = ", ".join(["lc", *REASONS])
    for path, text in {
        "cases/mixed.yaml": GRID + "questions: [harbour.tsv]\n",
        "harbour.tsv": HARBOUR,
        "runs/extra.yaml": RUN.format("echo/grey", ", ".join(STRATEGIES), "same-length"),
        "runs/moody.yaml": RUN.format("echo", several, "same-length"),
        "runs/flown.yaml": RUN.format("parrot", "lc", "same-length"),
        "runs/gone.yaml": RUN.format("echo", "lc", "gone"),
        "runs/broken.yaml": RUN.format("broken/small", "lc", "rubric"),
    }.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text)
    return folder


@pytest.fixture(scope="module")
def done(site: Path, folder: Path) -> Done:
    return ask(site, folder, *COMMANDS)


def exported(done: Done, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done[f"export {name}"][1].splitlines()]


def test_what_it_adds_is_listed_with_where_it_comes_from(done: Done) -> None:
    assert set(POINTS) == {registry.group for registry in registries()}
    assert set(re.findall(r"^\| `(niah\.\w+)` \|", PAGE, re.MULTILINE)) == set(POINTS)
    rows = {tuple(line.split()[:2]): line for line in done["list plugins"][1].splitlines()}
    for group, names in POINTS.items():
        assert {tuple(rows[group, name].split()[2:]) for name in names} == {("my-package", "0.1")}
    assert "cannot be used: ModuleNotFoundError" in rows["niah.judges", "gone"]
    assert "'itself' is no RETRIEVER/SCOPE/ORDER" in rows["niah.strategies", "itself"]
    assert "cannot be used: no scope called 'topp-2'" in rows["niah.strategies", "typo"]
    assert rows["niah.retreivers", "lost"].endswith("no such group. Did you mean 'niah.retrievers'?")
    for ours in (("niah.strategies", "lc"), ("niah.readers", "openai")):
        assert rows[ours].endswith("cannot be used: another one has its name")
    listed = [" ".join(line.split()) for line in done["list strategies"][1].splitlines()]
    assert "RETRIEVER overlap Words that question and chunk share." in listed


def test_all_of_it_runs_and_is_reported(done: Done, folder: Path) -> None:
    assert {done[each][0] for each in ("plan extra", "run extra", "report extra --out report")} == {0}
    trials = exported(done, "extra")
    assert {trial["strategy"] for trial in trials} == set(STRATEGIES)
    assert len(trials) == 3 * len(STRATEGIES)
    assert {trial["outcome"] for trial in trials} == {"scored"}
    assert {name for trial in trials for name in trial["judge_scores"]} >= {"all-named", "same-length"}
    assert "my-package 0.1" in done["show extra"][1]
    assert (folder / "report/figures/score-counts.png").stat().st_size > 20
    assert len((folder / "report/tables/longest-answers.csv").read_text().splitlines()) == 1 + len(STRATEGIES)
    said = done["report extra --out report"][2]
    assert "the figure torn of failing 0.1 cannot be made: ZeroDivisionError: paper torn." in said
    assert "the figure bare of failing 0.1 cannot be made: TypeError: it returned Axes, not" in said
    assert "the table cursed of failing 0.1 cannot be made: KeyError: 'no such column'." in said
    assert "scribble" not in said  # each gets the trials as they are


def test_what_fails_of_one_question_is_an_outcome_with_its_reason(done: Done) -> None:
    trials = exported(done, "moody")
    for strategy in REASONS:
        own = {(trial["outcome"], trial["score"]) for trial in trials if trial["strategy"] == strategy}
        assert own == {("reader_error", None)}
        assert REASONS[strategy] in done["run moody"][2]
    assert {trial["outcome"] for trial in trials if trial["strategy"] == "lc"} == {"scored"}
    flown = {(trial["outcome"], trial["score"]) for trial in exported(done, "flown")}
    assert flown == {("reader_error", None)}
    assert "raised OSError: the parrot has flown" in done["run flown"][2]


def test_what_cannot_be_used_is_a_line_and_nothing_is_written(done: Done, folder: Path) -> None:
    for command, reason in {
        "run gone": "the judge 'gone' of failing 0.1 cannot be used: ModuleNotFoundError",
        "report extra --figure torn": "the figure torn of failing 0.1 cannot be made: ZeroDivisionError",
        "report extra --figure nothing": "has no trials for the figure nothing.",
        **REFUSED,
    }.items():
        code, _, said = done[command]
        assert (code, said.count("\n")) == (2, 1), said
        assert reason in said
    assert "cannot be made: RuntimeError: no index here" in done["run broken"][2]
    assert not [*folder.glob("runs/gone*.sqlite"), *folder.glob("runs/broken*.sqlite"), *folder.glob("torn*")]


@pytest.mark.usefixtures("done")
def test_a_newer_package_may_answer_otherwise(site: Path, folder: Path, tmp_path: Path) -> None:
    newer = tmp_path / "site"
    shutil.copytree(site, newer)
    metadata = newer / "my-package-0.1.dist-info" / "METADATA"
    metadata.write_text(metadata.read_text().replace("Version: 0.1", "Version: 0.2"))
    code, _, said = ask(newer, folder, "run extra")["run extra"]
    assert (code, said.count("\n")) == (2, 1)
    assert "(it differs in: packages)" in said
