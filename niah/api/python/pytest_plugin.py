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

    from niah.api.gate import Gate
    from niah.api.result import Run


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--niah`` and ``--niah-accepted``."""
    group = parser.getgroup("niah", "stress tests of language models on long contexts")
    group.addoption("--niah", action="store_true", help="Run tests that ask models: those with niah_gate.")
    group.addoption(
        "--niah-accepted",
        metavar="RUN",
        help="The accepted run that no_worse_than() compares with.",
    )


@pytest.fixture
def niah_gate(request: pytest.FixtureRequest) -> GateFixture:
    """Runs and run files that a test holds against thresholds and an accepted run."""
    if not request.config.getoption("--niah"):
        pytest.skip("asks models: pytest --niah runs it")
    return GateFixture(request.config.getoption("--niah-accepted"))


class GateFixture:
    """What a test gets by the name ``niah_gate``.

    Args:
        accepted: the run that ``no_worse_than`` compares with where it is given none.
    """

    def __init__(self, accepted: str | None) -> None:
        self._accepted = accepted

    def run(self, config: str | Path, **arguments: Any) -> GatedRun:
        """Ask what is left of a run: the arguments are those of ``niah.run``."""
        import niah

        return self._gated(lambda: niah.run(config, **arguments))

    def load(self, run: str | Path) -> GatedRun:
        """A run that was asked before: a run file, or its name in ``runs/``."""
        import niah

        return self._gated(lambda: niah.load_run(run))

    def _gated(self, open_run: Callable[[], Run]) -> GatedRun:
        __tracebackhide__ = True
        from niah.api.gate import Gate
        from niah.errors import UserError

        try:
            return GatedRun(Gate(open_run()), self._accepted)
        except UserError as error:
            pytest.fail(f"niah: {error}", pytrace=False)


class GatedRun:
    """A run held against thresholds; the message of what fails names each part with its numbers.

    Attributes:
        gate: the run, and what was found wrong with it.
    """

    def __init__(self, gate: Gate, accepted: str | None) -> None:
        self.gate = gate
        self._accepted = accepted

    def at_least(
        self,
        mean: float,
        *,
        lower: float | None = None,
        reader: str | None = None,
        strategy: str | None = None,
        length: int | None = None,
        depth: float | None = None,
        needle_set: str | None = None,
        missing: float = 0.1,
    ) -> None:
        """Fail unless each reader and strategy has this mean score in the part that is named.

        Args:
            mean: 1 to 10.
            lower: the least that the lower end of the 95 % interval may be.
            reader, strategy: this one alone; each for itself without it.
            length, depth, needle_set: of the trials; all without it.
            missing: the greatest share of trials that may have no score.
        """
        __tracebackhide__ = True
        part = {"length": length, "depth": depth, "needle_set": needle_set}
        named = {"reader": reader, "strategy": strategy, **part}
        facets = {name: value for name, value in named.items() if value is not None}
        self._fail_for(lambda: self.gate.below(mean, lower, missing, facets))

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
        other = accepted or self._accepted
        if other is None:
            pytest.fail("no accepted run: name one, or give --niah-accepted RUN", pytrace=False)
        self._fail_for(lambda: self.gate.behind(other, allow_incomplete, arguments))

    def _fail_for(self, problems: Callable[[], Iterator[str]]) -> None:
        __tracebackhide__ = True
        from niah.errors import UserError

        try:
            found = list(problems())
        except UserError as error:
            pytest.fail(f"niah: {error}", pytrace=False)
        if found:
            pytest.fail("\n".join(found), pytrace=False)
