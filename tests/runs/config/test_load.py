"""Run configs from YAML: what is taken, what is refused, and with which line."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from niah.errors import ConfigError
from niah.readers.reader import ReaderTraits
from niah.runs.config import Instead, RunConfig, identity
from niah.runs.cost.prices import Rates, price_of, prices_of
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


def test_a_reader_may_say_how_large_it_is_and_that_it_thinks() -> None:
    model = "smollm2, {model: o3-mini, api_base: 'http://h/v1', name: thinker"
    config = loaded(readers=f"[{model}, size: 0.5, reasoning: true}}]")
    assert config.traits == {"smollm2": ReaderTraits(), "thinker": ReaderTraits(0.5, reasoning=True)}
    plain = loaded(readers=f"[{model}}}]")
    planned = [[trial.trial_id for trial in plan_trials(each).trials] for each in (config, plain)]
    assert planned[0] == planned[1]


@pytest.mark.parametrize("size", ["0", "-7", ".inf", "7b"])
def test_a_size_is_a_number_above_0(size: str) -> None:
    with pytest.raises(ConfigError, match=r"readers\.0\.size"):
        loaded(readers=f"[{{model: smollm2, size: {size}}}]")


def test_every_kind_of_reader_takes_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, "sk-planted-0123456789")
    models = ("smollm2", "openai/gpt-4o-mini", "anthropic/claude-sonnet-4-5")
    for model in models:
        (reader,) = loaded(readers=f"[{{model: {model}, name: mine}}]").readers
        assert reader.name == "mine"
        assert str(reader.settings["model"]) == model.removeprefix("openai/")
        # Its price is the model's, not the name's.
        (plain,) = loaded(readers=f"[{model}]").readers
        assert price_of("mine", reader.settings) == price_of(model, plain.settings) is not None


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


def test_a_readers_own_concurrency_comes_before_the_files_and_after_the_flag() -> None:
    readers = "[{model: m, api_base: 'http://h/v1', concurrency: 3}]"
    assert loaded("concurrency: 5", readers=readers).readers[0].concurrency == 3
    (reader,) = loaded("concurrency: 5", readers=readers, instead=Instead(concurrency=7)).readers
    assert reader.concurrency == 7


def test_the_suites_seeds_stay_where_the_file_has_none() -> None:
    config = loaded()
    assert (seeds(config), config.seeds, config.date) == ([5, 6], Seeds((5, 6)), None)


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


def test_tonight_is_utcs() -> None:
    before = datetime.now(UTC).date()
    config = loaded("seeds: {rotating: 1}")
    assert config.date in (before, datetime.now(UTC).date())


def test_anchors_alone_have_no_date() -> None:
    assert loaded("seeds: {anchor: [3]}").date is None


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


def test_a_price_of_the_reader_on_the_command_line() -> None:
    instead = Instead(model="m", api_base="https://gateway.example/v1")
    assert "m" in loaded("prices: {m: {input: 1, output: 2}}", instead=instead).prices


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


def test_what_the_tonight_config_has_as_comments_is_right_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(variable, "sk-planted-0123456789")
    lines = (config_folders()[-1] / "tonight.yaml").read_text().splitlines()
    keys = ("  # ", "# repeats:", "# concurrency:", "# budget:", "# prices:", "#   qwen3-8b:")
    Path("all.yaml").write_text(
        "\n".join(line.replace("# ", "", 1) if line.startswith(keys) else line for line in lines)
    )
    config = load_config("all.yaml")
    assert [(reader.name, reader.concurrency) for reader in config.readers] == [
        ("smollm2", 1), ("openai/gpt-4o-mini", 16), ("anthropic/claude-sonnet-4-5", 16), ("qwen3-8b", 32)
    ]  # fmt: skip
    assert config.repeats == 3
    assert str(config.budget) == "5.00 USD"
    assert list(config.prices) == ["qwen3-8b"]
