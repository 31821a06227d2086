"""The command line's names are a contract; so are the packages of the house."""

from pathlib import Path

import niah
import niah.plugins
from niah.cli.main import COMMANDS


def test_what_python_gets() -> None:
    assert set(niah.__all__) == {
        *("run", "plan", "cases", "load_run", "compare", "judge", "report", "Run"),
        *("NiahError", "UserError", "__version__"),
    }
    assert all(getattr(niah, name) is not None for name in niah.__all__)


def test_what_packages_that_add_to_niah_get() -> None:
    found = {name: thing for name, thing in vars(niah.plugins).items() if isinstance(thing, type)}
    assert set(found) == {
        *("ChunkOrder", "ChunkerKind", "Preset"),
        *("ReaderSpec", "Request", "Answer", "Usage", "Failure", "QuestionSetFormat"),
        *("AnswerKey", "RuleJudge", "Verdict", "Metric"),
    }
    assert all(thing.__name__ == name for name, thing in found.items())


def test_commands() -> None:
    shown = "run plan init nightly report compare history judge export list generate retrieve questions"
    more = "show check import merge doctor model schema completion"
    assert list(COMMANDS) == [*shown.split(), *more.split()]


def test_packages() -> None:
    packages = {path.parent.name for path in Path(niah.__file__).parent.glob("*/__init__.py")}
    data = "text haystacks needles cases retrieval strategies readers judges"
    house = f"{data} runs analysis plots api cli"
    assert packages == set(house.split())
