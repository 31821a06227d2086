"""The command line's names are a contract; so are the packages of the house."""

import re
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
    assert set(niah.plugins.__all__) == {
        *("ChunkOrder", "ChunkerKind", "Preset"),
        *("ReaderSpec", "Request", "Answer", "Usage", "Failure", "QuestionSetFormat"),
        *("AnswerKey", "RuleJudge", "Verdict", "Metric"),
    }
    assert all(getattr(niah.plugins, name).__name__ == name for name in niah.plugins.__all__)
    stub = (Path(niah.__file__).parent / "plugins" / "__init__.pyi").read_text()
    assert set(re.findall(r" as (\w+)$", stub, re.MULTILINE)) == set(niah.plugins.__all__)


def test_commands() -> None:
    shown = "run plan init nightly report compare history judge export list generate retrieve questions"
    more = "show check import merge doctor model schema completion"
    assert list(COMMANDS) == [*shown.split(), *more.split()]


def test_packages() -> None:
    packages = {path.parent.name for path in Path(niah.__file__).parent.glob("*/__init__.py")}
    data = "text haystacks needles cases retrieval strategies readers judges"
    house = f"plugins {data} runs reference analysis plots api cli"
    assert packages == set(house.split())
