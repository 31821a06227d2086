"""Run configs: those that ship, seeds, grids that are too large, and the settings that are stored."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from niah.errors import ConfigError
from niah.files import places
from niah.runs.config import MOST_ROTATING, RunConfig
from niah.runs.execution.run import as_stored
from niah.runs.load_config import load_config, rotating_seeds
from niah.runs.plan import plan_trials
from niah.runs.trial import FIRST_ROTATING

SUITE = "haystacks: [essays]\nneedle_sets: [ferry-lanterns]\nlengths: [512]\n"


def loaded(folder: Path, *lines: str, suite: str = "depths: [0, 100]") -> RunConfig:
    (folder / "suite.yaml").write_text(SUITE + suite)
    text = [f"suite: {folder / 'suite.yaml'}", "strategies: [lc]", "readers: [smollm2]", *lines]
    (folder / "mine.yaml").write_text("\n".join(text))
    return load_config(str(folder / "mine.yaml"))


def test_every_shipped_config_loads_without_a_key(monkeypatch: pytest.MonkeyPatch, in_folder: Path) -> None:
    for variable in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(variable, raising=False)
    shipped = places("runs")[-1]
    names = {path.stem for path in shipped.glob("*.yaml")}
    assert {"quick", "tonight"} <= names
    own_copies = {"dos-rag-quality", "dos-rag-infinitebench", "lc-vs-rag"}  # of files that users fetch
    for name in names - own_copies:
        config = load_config(str(shipped / f"{name}.yaml"))
        assert config.suite.cases or config.suite.question_sets.paths


@pytest.mark.parametrize(
    ("suite", "line", "says"),
    [
        (
            f"depths: {list(range(91))}\nseeds: {list(range(1_100))}\n",
            "",
            "suite.yaml: makes 100,100 cases; at most",
        ),
        (
            f"depths: {list(range(100))}",
            f"seeds: {{anchor: {list(range(1_200))}}}",
            "seeds: makes 120,000 cases; at",
        ),
        (
            f"depths: [50]\nseeds: {list(range(1_500))}\n",
            "repeats: 1000",
            "mine.yaml: asks 1,500,000 trials; at most 1,000,000",
        ),
    ],
    ids=["seeds", "seeds of the run", "repeats"],
)
def test_a_grid_that_is_too_large_is_refused(tmp_path: Path, suite: str, line: str, says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        plan_trials(loaded(tmp_path, line, suite=suite))
    assert says in str(caught.value)


def test_what_is_said_of_a_model_has_no_place_with_a_judge_by_rules(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"mine\.yaml: judge\.votes: the judge rubric asks no model"):
        loaded(tmp_path, "judge: {model: rubric, votes: 3}")


# Seeds


@given(st.dates(date(2000, 1, 1), date(2147, 12, 30)))
def test_neighbouring_nights_share_no_seed_and_no_anchor_is_one(night: date) -> None:
    tonight = rotating_seeds(night, MOST_ROTATING)
    tomorrow = rotating_seeds(night + timedelta(days=1), MOST_ROTATING)
    assert len({*tonight, *tomorrow}) == 2 * MOST_ROTATING
    assert all(FIRST_ROTATING <= seed < 2**31 for seed in (*tonight, *tomorrow))


def test_no_secret_enters_what_is_stored_however_deep_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_GATEWAY_TOKEN", "planted-0123456789")
    value = {"a": ["http://h/planted-0123456789/v1"], "planted-0123456789": 1}
    stored = as_stored({"api_base": value}, {})
    assert stored["api_base"]["value"] == {"a": ["http://h/***/v1"], "***": 1}
