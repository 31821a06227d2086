"""Gates for pytest: a test that fails where a run falls below a threshold, or behind an accepted run.

    def test_long_contexts(niah_gate):
        run = niah_gate.run("nightly")
        run.at_least(8.0, lower=7.5, strategy="lc", length=16_000)
        run.no_worse_than("accepted")

Such tests ask models, so they are skipped without ``pytest --niah``. Light to import, since pytest imports it
wherever niah is installed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from niah.api.result import Run


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--niah`` and ``--niah-accepted``."""
    group = parser.getgroup("niah", "stress tests of language models on long contexts")
    group.addoption("--niah", action="store_true", help="Run tests that ask models: those with niah_gate.")
    group.addoption("--niah-accepted", metavar="RUN", help="What no_worse_than() compares with.")


@pytest.fixture
def niah_gate(request: pytest.FixtureRequest) -> Gate:
    """Runs and run files that a test holds against thresholds and an accepted run."""
    if not request.config.getoption("--niah"):
        pytest.skip("asks models: pytest --niah runs it")
    return Gate(request.config.getoption("--niah-accepted"))


class Gate:
    """What a test gets by the name ``niah_gate``; ``accepted`` is what runs are compared with."""

    def __init__(self, accepted: str | None) -> None:
        self._accepted = accepted

    def run(self, config: str | Path, **arguments: Any) -> GatedRun:
        """Ask what is left of a run: the arguments are those of ``niah.run``."""
        import niah

        return GatedRun(_or_fail(lambda: niah.run(config, **arguments)), self._accepted)

    def load(self, run: str | Path) -> GatedRun:
        """A run that was asked before: a run file, or its name in ``runs/``."""
        import niah

        return GatedRun(_or_fail(lambda: niah.load_run(run)), self._accepted)


class GatedRun:
    """A run held against thresholds; the message of what fails names each part with its numbers."""

    def __init__(self, run: Run, accepted: str | None) -> None:
        self._run, self._accepted = run, accepted

    def at_least(
        self, mean: float, *, lower: float | None = None, missing: float = 0.1, **facets: Any
    ) -> None:
        """Fail unless each model and strategy has this mean score in the part that is named.

        Args:
            mean: 1 to 10.
            lower: the least that the lower end of the 95 % interval may be.
            missing: the greatest share of trials that may have no score.
            facets: reader, strategy, length, depth, needle_set: of the trials; all without them.
        """
        __tracebackhide__ = True
        from niah.api.gate import below

        _fail_for(below(self._run, mean, lower, missing, facets))

    def no_worse_than(
        self, accepted: str | Path | None = None, *, allow_incomplete: bool = False, **arguments: Any
    ) -> None:
        """Fail where the run got significantly worse than an accepted one.

        Args:
            accepted: a run file or its name in ``runs/``; that of ``--niah-accepted`` without it.
            allow_incomplete: pass where there is too little to say.
            arguments: of ``niah.compare``.
        """
        __tracebackhide__ = True
        from niah.api.gate import behind

        if (other := accepted or self._accepted) is None:
            pytest.fail("no accepted run: name one, or give --niah-accepted RUN", pytrace=False)
        _fail_for(behind(self._run, other, allow_incomplete, arguments))


def _fail_for(problems: Iterator[str]) -> None:
    __tracebackhide__ = True
    if found := _or_fail(lambda: list(problems)):
        pytest.fail("\n".join(found), pytrace=False)


def _or_fail(call: Callable[[], Any]) -> Any:
    """What the call gives; a user's mistake fails the test with its one line."""
    __tracebackhide__ = True
    from niah.errors import UserError

    try:
        return call()
    except UserError as error:
        pytest.fail(f"niah: {error}", pytrace=False)
