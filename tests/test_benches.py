"""All benches in turn: none stops another, and the end says what was measured and what failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.goals import GOALS, Goal, beside_goal, figure_in
from tests.bench.run_all import main, run_bench


def write_benches(folder: Path) -> None:
    """One that fails before one that prints figures and one that lacks something."""
    (folder / "bench_a_broken.py").write_text("print('begun', flush=True)\nraise SystemExit(3)\n")
    (folder / "bench_b_sound.py").write_text(
        "from tests.bench.goals import beside_goal\n"
        "print('a line of its own')\n"
        "print(beside_goal('niah list', 0.75))\n"
        "print(beside_goal('audit of 650 cases', 7.5))\n"
    )
    (folder / "bench_c_poor.py").write_text("print('skipped: needs a folder of books')\n")


def test_all_run_and_the_end_says_which_goals_are_met_and_what_failed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write_benches(tmp_path)
    assert main(tmp_path, []) == 1
    printed = capfd.readouterr().out
    assert "a line of its own" in printed
    words = [line.split() for line in printed.splitlines()]
    assert ["niah", "list", "0.75", "s", "0.5", "s", "0.06", "s", "no"] in words
    assert ["audit", "of", "650", "cases", "7.5", "Mtok/s", "5", "Mtok/s", "yes"] in words
    *benches, count = printed.splitlines()[-4:]
    assert [line.lstrip(" 0123456789") for line in benches] == [
        "b_sound: done",
        "c_poor: skipped: needs a folder of books",
        "a_broken: FAILED, exit code 3",
    ]
    assert count.startswith("3 benches in ")
    assert count.endswith(", 1 skipped, 1 failed")


def test_words_choose_benches(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write_benches(tmp_path)
    assert main(tmp_path, ["sound", "poor"]) == 0
    assert "broken" not in capfd.readouterr().out


def test_a_bench_that_hangs_is_stopped(tmp_path: Path) -> None:
    path = tmp_path / "bench_hang.py"
    path.write_text("import time\ntime.sleep(600)\n")
    assert run_bench(path, limit_s=0.2).code < 0


@pytest.mark.parametrize("name", GOALS)
def test_a_line_of_a_figure_can_be_read_again(name: str) -> None:
    assert figure_in(beside_goal(name, 0.125)) == (name, 0.125)


def test_less_is_better_unless_it_is_said() -> None:
    assert Goal("s", 2).met_by(1.5)
    assert not Goal("s", 2).met_by(2.5)
    assert Goal("Mtok/s", 2, more=True).met_by(2.5)
    assert not Goal("Mtok/s", 2, more=True).met_by(1.5)
