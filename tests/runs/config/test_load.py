"""Run configs from YAML: what is taken, what is refused, and with which line."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.runs.config import Instead, RunConfig, identity
from niah.runs.cost.prices import Rates, prices_of
from niah.runs.load_config import config_folders, load_config
from niah.runs.plan import plan_trials, run_facts
from niah.runs.seeds import Seeds

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512]
depths: [0, 100]
seeds: [5, 6]
"""
GATEWAY = "{model: qwen, api_base: 'https://gateway.example/v1'}"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.setenv(variable, "")
        monkeypatch.delenv(variable)
    Path("suite.yaml").write_text(SUITE)


def loaded(*lines: str, instead: Instead | None = None, readers: str = "[smollm2]") -> RunConfig:
    text = "\n".join(["suite: suite.yaml", "strategies: [lc]", f"readers: {readers}", *lines])
    Path("mine.yaml").write_text(text)
    return load_config("mine.yaml", instead)


def seeds(config: RunConfig) -> list[int]:
    return list(dict.fromkeys(case.seed for case in config.cases))


def test_readers_as_names_and_as_mappings() -> None:
    config = loaded(
        readers=f"[smollm2, {{model: m, api_base: 'http://h/v1', concurrency: 3, name: fast}}, {GATEWAY}]"
    )
    assert [(reader.name, reader.concurrency) for reader in config.readers] == [
        ("smollm2", 1), ("fast", 3), ("qwen", 8)
    ]  # fmt: skip
    assert config.readers[1].settings["model"] == "m"
    assert "model" not in config.readers[2].settings


def test_another_model_under_the_same_name_is_another_run() -> None:
    one, other = (
        loaded(readers=f"[{{model: {model}, name: fast, api_base: 'http://h/v1'}}]") for model in ("a", "b")
    )
    assert run_facts(one, plan_trials(one).trials)["readers"] == ["fast = a"]
    assert run_facts(one, ()) != run_facts(other, ())
    assert identity(loaded().readers[0]) == "smollm2"


@pytest.mark.parametrize(
    ("line", "flag", "expected"),
    [("", None, 8), ("concurrency: 5", None, 5), ("concurrency: 5", 2, 2)],
)
def test_concurrency_of_readers_over_http(line: str, flag: int | None, expected: int) -> None:
    config = loaded(line, readers=f"[smollm2, {GATEWAY}]", instead=Instead(concurrency=flag))
    assert [reader.concurrency for reader in config.readers] == [1, expected]


def test_anchor_and_rotating_seeds() -> None:
    config = loaded("seeds: {anchor: [1, 2], rotating: 2}", instead=Instead(date=date(2026, 11, 22)))
    assert seeds(config) == [1, 2, 2026112201, 2026112202]
    assert len(config.cases) == 4 * 2
    assert config.date == date(2026, 11, 22)
    assert config.seeds == Seeds((1, 2), (2026112201, 2026112202))


def test_spread_seeds_are_enough_for_every_needle_set() -> None:
    Path("suite.yaml").write_text(SUITE.replace("[ferry-lanterns]", "[ferry-lanterns, three-gates]"))
    config = loaded("seeds: {anchor: [1, 2, 3], spread: true}")
    assert [(case.seed, case.needle_set) for case in config.cases if case.depth == 0] == [
        (1, "ferry-lanterns"), (2, "three-gates"), (3, "ferry-lanterns")
    ]  # fmt: skip
    with pytest.raises(ConfigError, match="seeds: anchor: 1 cannot be spread over 2 needle sets") as caught:
        loaded("seeds: {anchor: [1], spread: true}")
    assert str(caught.value).startswith("mine.yaml: ")


def test_own_prices_come_first() -> None:
    config = loaded(
        "prices: {qwen: {input: 0.15, output: 2, cached_input: 0.05}, smollm2: {input: 1, output: 2}}",
        readers=f"[smollm2, {GATEWAY}]",
    )
    prices = prices_of(config.readers, config.prices)
    # 0.15 USD for a million tokens.
    assert prices["qwen"] is not None
    assert prices["qwen"].rates == (Rates(0, Decimal("1.5e-7"), Decimal("5e-8"), Decimal("2e-6")),)
    # Without a price of its own, cached input costs what other input does.
    assert prices["smollm2"] is not None
    assert prices["smollm2"].rates[0].cached_input == Decimal("1e-6")
    assert not prices["smollm2"].free
    assert prices_of(config.readers)["qwen"] is None


def test_room_for_the_reply_of_a_judge() -> None:
    judged = "judge: {model: %s, api_base: 'http://127.0.0.1:8000/v1', max_tokens: 9000}"
    for name in ("qwen", "rubric+qwen"):
        assert loaded(judged % name).judge.settings["max_tokens"] == 9000
    with pytest.raises(ConfigError, match=r"judge.*max_tokens"):
        loaded("judge: {model: smollm2, max_tokens: 1}")


def test_keys_that_the_file_names() -> None:
    assert "judge" in loaded("judge: rubric").keys
    config = loaded(readers="[{model: m, api_base: 'http://me:secret@h/v1?key=secret'}]")
    assert {"api_base", "readers"} <= config.keys
    assert not {"judge", "seeds", "concurrency"} & config.keys
    assert config.api_bases == {"m": "http://h/v1"}


@pytest.mark.parametrize(
    ("readers", "line", "says"),
    [
        ("[smollm2, smollm2]", "", "readers.1: there are two readers called 'smollm2'"),
        ("[smollm2, {model: m, api_base: 'http://h', name: smollm2}]", "", "readers.1: there are two"),
        ("[{model: smollm2, concurrency: 2}]", "", "readers.0: smollm2 is embedded .* must be 1, not 2"),
        ("[{modell: smollm2}]", "", "readers.0.modell: unknown key. Did you mean 'model'?"),
        ("[{model: m, concurency: 2}]", "", "Did you mean 'concurrency'?"),
        ("[{name: m}]", "", "readers.0.model: is missing"),
        ("[3]", "", "readers.0: 3 names no model"),
        ("[{model: m, api_base: localhost}]", "", "readers.0: the API base 'localhost'"),
        ("[openai/gpt-4o]", "", "readers.0: .* OPENAI_API_KEY"),
        ("[smollm2]", "concurrency: 0", "concurrency: should be at least 1"),
        ("[smollm2]", "concurency: 2", "concurency: unknown key. Did you mean 'concurrency'?"),
        ("[smollm2]", "seeds: {anchors: [1]}", "seeds.anchors: unknown key. Did you mean 'anchor'?"),
        ("[smollm2]", "seeds: {}", "seeds: holds no seed"),
        (
            "[{model: m, api_base: 'http://h', api_key: sk-1}]",
            "",
            "readers.0: keys have no place in a config",
        ),
        ("[smollm2]", "seeds: {anchor: [1, 1]}", "1 stands twice"),
        ("[smollm2]", "seeds: {anchor: [-1]}", "seeds.anchor.0"),
        ("[smollm2]", "seeds: {anchor: [2026112201]}", "seeds.anchor.0: should be less than 2,000,000,000"),
        ("[smollm2]", "seeds: {rotating: 100}", "seeds.rotating"),
        (
            "[smollm2]",
            "prices: {smollm2: {input: -1, output: 1}}",
            "prices.smollm2.input: should be at least 0",
        ),
        ("[smollm2]", "prices: {smollm2: {input: .inf, output: 1}}", "prices.smollm2.input"),
        ("[smollm2]", "prices: {smollm2: {input: 1}}", "prices.smollm2.output: is missing"),
        ("[smollm2]", "prices: {smollm2: {input: 1, output: 1, cached: 1}}", "Did you mean 'cached_input'?"),
        ("[smollm2]", "prices: {smolm2: {input: 1, output: 1}}", "prices.smolm2: .* mean 'smollm2'?"),
    ],
)
def test_what_is_refused(readers: str, line: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says) as caught:
        loaded(line, readers=readers)
    assert str(caught.value).startswith("mine.yaml: ")
    assert "\n" not in str(caught.value)


def test_every_shipped_config_loads_without_a_key() -> None:
    shipped = config_folders()[-1]
    names = {path.stem for path in shipped.glob("*.yaml")}
    assert {"quick", "tonight"} <= names
    own_copies = {"dos-rag-quality", "dos-rag-infinitebench", "lc-vs-rag"}  # see test_published_runs.py
    for name in names - own_copies:
        config = load_config(str(shipped / f"{name}.yaml"))
        assert config.cases or config.question_sets.paths
