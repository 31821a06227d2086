"""Gates: green, red by a threshold, red by a regression, each with a message that names cell and numbers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loopback import Reply, completion, replying

pytest_plugins = ["pytester"]

PLUGIN = "niah.api.python.pytest_plugin"


@pytest.fixture(scope="session")
def forgetful() -> Iterator[str]:
    """The address of a model that has read nothing."""
    with replying(lambda post: Reply(completion("I do not know."))) as address:
        yield f"{address}/v1"


@pytest.fixture
def gate(pytester: pytest.Pytester, _asked: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    shutil.copytree(_asked, pytester.path, dirs_exist_ok=True)
    return pytester


def results(gate: pytest.Pytester, test: str, *options: str) -> pytest.RunResult:
    gate.makepyfile(f"def test_gate(niah_gate):\n    {test}\n")
    return gate.runpytest("-p", PLUGIN, "-p", "no:cacheprovider", *options)


def test_gates_are_skipped_unless_they_are_asked_for(gate: pytest.Pytester) -> None:
    skipped = results(gate, "niah_gate.load('small-run').at_least(11)", "-rs")
    skipped.assert_outcomes(skipped=1)
    skipped.stdout.fnmatch_lines(["*asks models: pytest --niah runs it*"])


def test_green(gate: pytest.Pytester) -> None:
    test = "run = niah_gate.run('small-run')\n    run.at_least(8, lower=6, length=1024)\n    "
    results(gate, test + "run.at_least(9, strategy='lc', depth=100)", "--niah").assert_outcomes(passed=1)


def test_red_by_a_threshold(gate: pytest.Pytester, forgetful: str) -> None:
    reader = f"{{'model': 'simulated', 'api_base': {forgetful!r}}}"
    run = f"niah_gate.run('small-run', readers={reader}, out='runs/worse.sqlite')"
    red = results(gate, f"{run}.at_least(8.0, lower=7.5, length=1024, strategy='lc')", "--niah")
    red.assert_outcomes(failed=1)
    red.stdout.fnmatch_lines(["simulated · lc · 1k: mean 1.00 [[]1.00, *[]] of 16 trials: below 8"])


def test_red_by_a_regression(gate: pytest.Pytester, forgetful: str) -> None:
    reader = f"{{'model': 'simulated', 'api_base': {forgetful!r}}}"
    run = f"niah_gate.run('small-run', readers={reader}, out='runs/worse.sqlite')"
    red = results(gate, f"{run}.no_worse_than()", "--niah", "--niah-accepted", "small-run")
    red.assert_outcomes(failed=1)
    red.stdout.fnmatch_lines(
        ["*worse.sqlite got worse than *small-run.sqlite:", "worse: *10.00 -> 1.00, -9.00*"]
    )


def test_green_beside_an_accepted_run(gate: pytest.Pytester) -> None:
    shutil.copy(gate.path / "runs/small-run.sqlite", gate.path / "runs/accepted.sqlite")
    green = results(gate, "niah_gate.load('small-run').no_worse_than('accepted')", "--niah")
    green.assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("test", "line"),
    [
        ("niah_gate.load('smal-run')", "niah: no run file called 'smal-run'. Did you mean 'small-run'[?]"),
        ("niah_gate.load('small-run').at_least(8, length=777)", "niah: no context length in *called '777'.*"),
        (
            "niah_gate.load('small-run').no_worse_than()",
            "no accepted run: name one, or give --niah*",
        ),
        ("niah_gate.load('small-run').at_least('8')", "niah: the argument mean is '8'. Give a number."),
    ],
)
def test_mistakes_are_one_line(gate: pytest.Pytester, test: str, line: str) -> None:
    red = results(gate, test, "--niah")
    red.assert_outcomes(failed=1)
    red.stdout.fnmatch_lines([line])
