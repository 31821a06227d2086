"""From names to judges."""

from __future__ import annotations

import subprocess
import sys

import pytest

from niah.errors import ReaderConfigError, UnknownName
from niah.judges.judge import Judge
from niah.judges.llm.llm import LLMJudge
from niah.judges.resolve import judge_names, resolve_judge
from niah.judges.rubric.deterministic import Deterministic


def test_the_rubric() -> None:
    judge = resolve_judge("rubric")
    assert isinstance(judge, Deterministic)
    assert judge.name == "rubric"


@pytest.mark.parametrize(
    ("name", "api_base", "provider"),
    [
        ("smollm2", None, "embedded"),
        ("openai/gpt-4o-mini", None, "openai-compatible"),
        ("anthropic/claude-3-5-haiku-latest", None, "anthropic"),
        ("qwen3", "http://127.0.0.1:8000/v1", "openai-compatible"),
    ],
)
def test_any_reader_is_a_judge(
    name: str, api_base: str | None, provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    judge: Judge = resolve_judge(name, api_base)
    assert isinstance(judge, LLMJudge)
    assert (judge.name, judge.version, judge.settings["provider"]) == (name, "u-niah-1", provider)


@pytest.mark.parametrize("name", ["rubrik", "gpt-4o-mini", "", "openai/"])
def test_unknown_names_get_one_clear_line(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        resolve_judge(name)
    said = str(caught.value)
    assert said.startswith(f"no judge called {name!r}. ")
    assert "\n" not in said
    assert "reader" not in said
    assert ("Did you mean 'rubric'?" in said) == (name == "rubrik")
    assert "rubric (" in said


def test_a_missing_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ReaderConfigError, match="openai/gpt-4o-mini needs OPENAI_API_KEY"):
        resolve_judge("openai/gpt-4o-mini")


def test_the_names() -> None:
    assert [name for name, _ in judge_names()][:2] == ["rubric", "smollm2"]


def test_listing_the_names_loads_nothing_heavy() -> None:
    code = (
        "import sys; from niah.judges.resolve import judge_names; judge_names();"
        "print({'openai', 'litellm', 'httpx', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
