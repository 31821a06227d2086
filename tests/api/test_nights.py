"""Night after night before a real loopback endpoint, and which are what later ones are compared with."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, chdir, closing, contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from niah.analysis.compare import Limits
from niah.analysis.nights import NightVerdict, open_regression
from niah.api.nightly import run_night
from niah.api.request import request_of, resolve
from niah.cli.main import main
from niah.errors import UserError
from niah.plots.verdicts import night_lines
from niah.runs.file.nights import NightRecord, accept_night, read_night_record
from tests.conftest import SimulatedServer, simulating

FIRST, SECOND, THIRD, FOURTH, FIFTH = (f"2026-11-{day}" for day in range(20, 25))
SUITE = """
haystacks: [essays]
needle_sets: [three-gates, ferry-lanterns]
lengths: [512]
depths: [0, 100]
seeds: [1, 2, 3, 4, 5, 6, 7, 8]
"""
CONFIG = """
suite: grid.yaml
readers: [{{model: simulated, api_base: {base}}}]
strategies: [lc, closed-book]
{more}
"""
PLANNED = 2 * 2 * 8 * 2


@dataclass
class Nights:
    """Run files of nights in runs/ of the folder of the test.

    Attributes:
        server: the readers'.
        said: the lines that the nights said, in order.
    """

    server: SimulatedServer
    said: list[str] = field(default_factory=list)

    def write_config(self, more: str = "", suite: str = SUITE) -> None:
        """night.yaml and grid.yaml in the folder of the test."""
        Path("grid.yaml").write_text(suite)
        Path("night.yaml").write_text(CONFIG.format(base=self.server.base_url, more=more))

    def run(self, day: str, **options: Any) -> NightVerdict:
        """Run a night, and return its verdict."""
        tonight = date.fromisoformat(day)
        asked = {"config": "night.yaml", "out": self.path(day), "progress": False}
        options = {"baseline": None, "limits": Limits(), "common": False} | options
        _, verdict = run_night(resolve(request_of(asked, {}), tonight), tonight, self.said.append, **options)
        assert verdict
        return verdict

    def record(self) -> NightRecord:
        """Which nights are accepted."""
        return read_night_record(Path("runs"), "night")

    def path(self, name: str) -> Path:
        """runs/night-NAME.sqlite"""
        return Path(f"runs/night-{name}.sqlite")

    def handicapped(self) -> AbstractContextManager[None]:
        """As if the reader saw but the first third of a long context."""
        whole = self.server.answer
        return self.answering(lambda prompt: whole(prompt[: len(prompt) // 3] + "Question:"))

    @contextmanager
    def answering(self, answer: Any) -> Iterator[None]:
        """The server answers otherwise."""
        self.server.answer = answer  # type: ignore[method-assign]
        try:
            yield
        finally:
            del self.server.answer


ACCEPTED = "the last accepted night"


@pytest.fixture(scope="module")
def _server() -> Iterator[SimulatedServer]:
    with simulating() as server:
        yield server


@pytest.fixture(scope="module")
def _first_night(_server: SimulatedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run file of a night that nothing is compared with."""
    folder, nights = tmp_path_factory.mktemp("first-night"), Nights(_server)
    with chdir(folder):
        nights.write_config()
        verdict = nights.run(FIRST)
    assert (verdict.kind, verdict.comparisons, verdict.scored) == ("no regression", {}, PLANNED)
    return folder / nights.path(FIRST)


@pytest.fixture
def nights(_server: SimulatedServer, _first_night: Path, in_folder: Path) -> Nights:
    """A folder with the first night's run file."""
    _server.prompts.clear()
    _server.broken = False
    nights = Nights(_server)
    nights.write_config()
    Path("runs").mkdir()
    shutil.copy(_first_night, nights.path(FIRST))
    return nights


def entries(nights: Nights) -> dict[str, tuple[str | None, str | None]]:
    """What the record says of each night: its verdict, and who accepted it."""
    return {str(day): (entry.verdict, entry.accepted) for day, entry in nights.record().nights.items()}


def test_a_regression_is_one_every_night_until_it_is_mended(nights: Nights) -> None:
    assert nights.run(SECOND).kind == "no regression"
    with nights.handicapped():
        third, fourth = nights.run(THIRD), nights.run(FOURTH)
    fifth = nights.run(FIFTH)
    assert [third.kind, fourth.kind, fifth.kind] == ["regression", "regression", "no regression"]
    (found,) = third.comparisons.values()
    assert {row.parts["strategy"] for row in found.verdict.regressions} == {"lc"}  # closed-book is as blind
    assert next(iter(fourth.comparisons.values())).baseline == str(nights.path(SECOND))
    assert fourth.standing
    assert fourth.standing.since == date.fromisoformat(THIRD)
    assert fourth.standing.next_reference == nights.path(SECOND).stem
    assert entries(nights) == {
        SECOND: ("no regression", "by itself"),
        THIRD: ("regression", None),
        FOURTH: ("regression", None),
        FIFTH: ("no regression", "by itself"),
    }


def test_the_page_of_the_history_says_what_is_open_and_what_is_left_out(
    nights: Nights, capsys: pytest.CaptureFixture[str]
) -> None:
    with nights.handicapped():
        nights.run(SECOND)
    nights.path(THIRD).write_text("no run file")
    with pd.option_context("mode.string_storage", "python"):  # as without pyarrow
        assert main(["history"]) == 0
    page = Path("plots/history/index.html").read_text()
    still = f"night: regression since {SECOND}, worse than night-{FIRST}; neither mended nor accepted"
    left_out = f"left out: {nights.path(THIRD)}: is not a run file of niah"
    assert f"<p>{still}</p>" in page.replace(' class="quiet"', "")
    assert left_out in page
    assert left_out in capsys.readouterr().err


def test_what_a_person_accepted_stays_accepted_where_the_same_night_is_run_once_more(nights: Nights) -> None:
    with nights.handicapped():
        assert nights.run(SECOND).kind == "regression"
        assert accept_night(SECOND).path == nights.path(SECOND)
        assert nights.run(SECOND).kind == "regression"
    assert entries(nights)[SECOND] == ("regression", "by hand")


def test_a_first_night_that_is_worse_than_a_baseline_is_mended(nights: Nights) -> None:
    release = nights.path(FIRST).rename("release.sqlite")
    with nights.handicapped():
        assert nights.run(SECOND, baseline=release).kind == "regression"
    assert nights.run(THIRD, baseline=release).kind == "no regression"
    assert entries(nights) == {SECOND: ("regression", None), THIRD: ("no regression", "by itself")}


def test_a_baseline_that_is_the_last_accepted_night_is_compared_with_once(nights: Nights) -> None:
    """Twice would halve the level: six seeds could say nothing."""
    same = nights.run(SECOND, baseline=nights.path(FIRST))
    assert (same.kind, list(same.comparisons)) == ("no regression", ["the baseline"])
    assert same.comparisons["the baseline"].limits.alpha == Limits().alpha
    assert entries(nights)[SECOND] == ("no regression", "by itself")


def test_a_last_night_that_was_not_run_to_its_end_is_compared_with(nights: Nights) -> None:
    with sqlite3.connect(nights.path(FIRST)) as db:
        db.execute("UPDATE trials SET outcome = 'not_run' WHERE place < 20")
    with nights.handicapped():
        second = nights.run(SECOND)
    assert (second.kind, list(second.comparisons)) == ("regression", ["last night"])


@pytest.mark.parametrize("judge", ["judge: contained-match", ""])  # another one, or another version
def test_another_judge_begins_a_new_level_where_only_gaps_are_in_common(nights: Nights, judge: str) -> None:
    with sqlite3.connect(nights.path(FIRST)) as db:
        db.execute("UPDATE verdicts SET version = 'old'")
        db.execute("UPDATE trials SET outcome = 'reader_error' WHERE place < 3")
    nights.write_config(judge)
    second = nights.run(SECOND, common=True)
    assert "have nothing in common: judge: rubric" in second.hindrances[ACCEPTED]
    assert entries(nights)[SECOND] == ("incomplete", "by itself")


def test_a_night_that_cannot_say_enough_is_not_accepted_by_itself(nights: Nights) -> None:
    told = nights.server.answer
    with nights.answering(lambda prompt: told(prompt) if "lanterns" in prompt else ""):
        second = nights.run(SECOND, limits=Limits(missing=0.01))
    assert second.kind != "no regression"
    assert entries(nights)[SECOND][1] is None
    assert nights.run(THIRD).comparisons[ACCEPTED].baseline == str(nights.path(FIRST))


def test_a_night_of_another_suite_begins_anew(nights: Nights) -> None:
    nights.run(SECOND)
    nights.write_config(suite=SUITE.replace("[essays]", "[essays-de]"))
    third = nights.run(THIRD)
    assert (third.kind, third.comparisons) == ("incomplete", {})
    assert "have no trial in common" in third.hindrances[ACCEPTED]
    assert entries(nights)[THIRD] == ("incomplete", "by itself")
    fourth = nights.run(FOURTH)
    assert fourth.kind == "no regression"
    # And back: the nights before it are the ones that were asked alike.
    nights.write_config()
    with nights.handicapped():
        fifth = nights.run(FIFTH)
    assert fifth.kind == "regression"
    assert {each.baseline for each in fifth.comparisons.values()} == {str(nights.path(SECOND))}


def test_a_night_that_asks_otherwise_says_what_differs(nights: Nights) -> None:
    config = Path("night.yaml")
    config.write_text(config.read_text().replace("{model: simulated", "{temperature: 0.5, model: simulated"))
    second = nights.run(SECOND)
    why = f"how simulated is asked: temperature - / 0.5 ({PLANNED} of {PLANNED} pairs)"
    assert why in second.hindrances[ACCEPTED]
    assert entries(nights)[SECOND] == ("incomplete", "by itself")
    assert "accepted as a new level: later nights are compared with this one" in night_lines(second)
    nights.record().path.write_text(f"nights: {{{FIRST}: {{}}, {SECOND}: {{}}}}")
    nights.write_config()
    assert [*nights.run(THIRD).hindrances] == ["last night"]  # none is accepted, and no other is looked for


def test_what_both_asked_tells_whether_a_regression_is_mended(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
    nights.write_config(suite=SUITE.replace("depths: [0, 100]", "depths: [100]"))
    assert nights.run(FOURTH, common=True).kind == "no regression"
    open_till = [open_regression(nights.record(), date.fromisoformat(day)) for day in (FOURTH, FIFTH)]
    assert [red is not None for red in open_till] == [True, False]


def test_where_the_accepted_nights_are_gone_a_person_decides(nights: Nights) -> None:
    nights.run(SECOND)
    with nights.handicapped():
        nights.run(THIRD)
        nights.path(FIRST).unlink()
        nights.path(SECOND).unlink()
        fourth = nights.run(FOURTH)
    assert f"the regression since {THIRD} is still open" in "".join(night_lines(fourth))
    said = "the run file of no accepted night is left in runs: no night is accepted by itself."
    assert said in nights.said
    assert entries(nights)[FOURTH] == ("no regression", None)  # than a bad one
    nights.path(THIRD).unlink()
    nights.path(FOURTH).unlink()
    nights.run(FIFTH)
    assert nights.said[-1] == said
    assert entries(nights)[FIFTH][1] is None


def test_an_older_night_is_accepted(nights: Nights) -> None:
    nights.run(SECOND)
    shutil.copy(nights.path(FIRST), f"runs/other-{FIRST}.sqlite")
    with pytest.raises(UserError, match=f"runs holds 2 nights of {FIRST}"):
        accept_night(FIRST)
    accept_night(nights.path(FIRST).stem)
    assert entries(nights) == {FIRST: (None, "by hand"), SECOND: ("no regression", "by itself")}


def test_the_same_night_goes_on(nights: Nights) -> None:
    shutil.copy(nights.path(FIRST), nights.path(SECOND))
    assert nights.run(SECOND).kind == "no regression"
    Path("plots").write_text("in the way")
    with pytest.raises(NotADirectoryError):
        nights.run(THIRD)
    nights.record().path.write_text("nights: [")
    with pytest.raises(UserError, match="is not valid YAML"):
        nights.run(THIRD)
    assert nights.server.prompts == []


def test_a_baseline_beside_last_night(nights: Nights) -> None:
    with nights.answering(lambda prompt: "The text does not say."):
        assert nights.run(SECOND).kind == "regression"
        accept_night(SECOND)
        # As bad as the accepted night, and worse than the baseline.
        third = nights.run(THIRD, baseline=nights.path(FIRST))
    assert third.kind == third.comparisons["the baseline"].verdict.kind == "regression"
    assert third.comparisons[ACCEPTED].verdict.kind != "regression"
    assert nights.run(FOURTH, baseline=nights.path(FIRST)).kind == "no regression"
    # A level begins where a person said so.
    level = nights.record().accepted_before(date.fromisoformat(FIFTH), 9)
    assert [run.path for run in level] == [nights.path(FOURTH), nights.path(SECOND)]


def test_a_damaged_night_does_not_stop_those_after_it(nights: Nights) -> None:
    (path := nights.path(SECOND)).write_bytes(nights.path(FIRST).read_bytes())
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        ((size,),) = db.execute("PRAGMA page_size")
        ((page,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'trials'")
    with path.open("r+b") as file:  # the first page of the trials; the file still opens
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    third = nights.run(THIRD)
    assert third.kind == "no regression"
    assert any(f"{path} is damaged" in line for line in nights.said)
    assert third.comparisons[ACCEPTED].baseline == str(nights.path(FIRST))
