"""``niah plan`` and ``niah run --budget``, as a user meets them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from niah.cli.main import main

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [512, 1024]
depths: [0, 50, 100]
"""
CONFIG = "suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc]\n"
GATEWAY = ["--model", "m", "--api-base", "https://gateway.example/v1"]
# Three prompts of 512 tokens and three of 1024.
PROMPT_TOKENS = 3 * 512 + 3 * 1024


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NIAH_BUDGET", raising=False)
    Path("mine.yaml").write_text(SUITE)
    Path("small.yaml").write_text(CONFIG)


def present() -> list[str]:
    return sorted(path.name for path in Path().iterdir())


def plan(*arguments: str) -> int:
    return main(["plan", "small.yaml", *arguments])


def planned(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert plan(*arguments, "--json") == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def run(server: Any, *arguments: str) -> int:
    return main(["run", "small.yaml", "--model", "simulated", "--api-base", server.base_url, *arguments])


def exported() -> list[dict[str, Any]]:
    assert main(["export", "small--simulated", "--out", "export.jsonl"]) == 0
    return [json.loads(line) for line in Path("export.jsonl").read_text().splitlines()]


def test_the_table_of_a_free_reader(capsys: pytest.CaptureFixture[str]) -> None:
    assert plan() == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("smollm2"))
    assert row.split()[:3] == ["smollm2", "6", "4.6k"]
    assert row.split()[-4:] == ["free", "unknown", "5.1k", "free"]
    assert "Prompts of smollm2 are counted by cl100k" in out
    assert "judge (rubric) is free" in out
    assert present() == ["mine.yaml", "small.yaml"]


def test_a_server_of_ones_own_has_no_price_rather_than_none_to_pay(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert plan("--model", "m", "--api-base", "http://127.0.0.1:9/v1") == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if line.startswith("m "))
    assert row.split()[-4:] == ["–", "unknown", "5.1k", "–"]
    assert out.count("No price is set for m, on a server of your own: counted as 0.") == 1
    Path("small.yaml").write_text(CONFIG + "prices: {m: {input: 1, output: 2}}\n")
    assert plan("--model", "m", "--api-base", "http://127.0.0.1:9/v1") == 0
    assert "No price" not in capsys.readouterr().out


def test_how_long_embedding_takes_here_is_told_where_it_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    Path("small.yaml").write_text(CONFIG.replace("[lc", "[minilm/top-2/norm, lc"))
    assert plan() == 0
    assert "tokens on this machine (" in capsys.readouterr().out


def test_a_haystack_of_further_entries_stands_beside_texts(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(
        "haystacks: [essays, entries]\nneedle_sets: [ferry-lanterns, common-list@6]\n"
        "lengths: [1024]\ndepths: [0]\n"
    )
    assert planned(capsys)["readers"][0]["calls"] == 2


def test_what_a_chat_template_takes_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(SUITE.replace("1024", "8192") + "tokenizer: smollm2\n")
    assert plan() == 0
    said = capsys.readouterr().out
    assert "smollm2 puts 30 tokens around each prompt: --reserve 30 makes room." in said
    assert planned(capsys, "--reserve", "template")["chat_templates"] == {"smollm2": 30}
    assert plan("--reserve", "some") == 2
    assert "'some' is no number of tokens" in capsys.readouterr().err


def test_a_price_that_is_not_known_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert plan(*GATEWAY) == 0
    assert "The price of m is unknown" in capsys.readouterr().out
    total = planned(capsys, *GATEWAY)["total"]
    assert (total["usd"], total["budget_usd"]) == (None, None)


def test_a_plan_needs_no_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    assert plan("--model", "openai/gpt-4o-mini-2024-07-18") == 0
    out = capsys.readouterr().out
    assert "openai/gpt-4o-mini-2024-07-18 needs OPENAI_API_KEY, which is not set: a plan goes without" in out
    assert max(map(len, out.splitlines()[:3])) <= 80
    before = {path.name for path in Path().iterdir()}
    assert main(["run", "small.yaml", "--model", "openai/gpt-4o"]) == 2
    assert (
        "openai/gpt-4o needs OPENAI_API_KEY, which is not set. Set OPENAI_API_KEY" in capsys.readouterr().err
    )
    assert {path.name for path in Path().iterdir()} == before


def test_money_by_hand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    document = planned(capsys, "--model", "openai/gpt-4o")
    (reader,) = document["readers"]
    assert (reader["calls"], reader["prompt_tokens"]) == (6, PROMPT_TOKENS)
    assert reader["prompt_tokens_at_most"] == PROMPT_TOKENS + 6 * 32
    # gpt-4o: 2.50 USD and 10 USD for a million tokens.
    expected = reader["prompt_tokens"] * 2.5e-6 + reader["answer_tokens"] * 10e-6
    at_most = reader["prompt_tokens_at_most"] * 2.5e-6 + reader["answer_tokens_at_most"] * 10e-6
    assert reader["usd"] == pytest.approx(expected)
    assert document["total"]["budget_usd"] == pytest.approx(at_most)
    assert reader["answer_tokens"] <= reader["answer_tokens_at_most"]
    assert plan("--model", "openai/gpt-4o") == 0
    out, err = capsys.readouterr()
    assert "sk-planted" not in out + err + json.dumps(document)


def test_finished_trials_are_subtracted(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--model", "simulated", "--api-base", simulated_server.base_url]
    run(simulated_server, "--limit", "4")
    before = Path("runs/small--simulated.sqlite").read_bytes()
    (reader,) = planned(capsys, *where)["readers"]
    assert (reader["trials"], reader["calls"]) == (6, 2)
    # Four were quick, so the pace of the other two is known now; answers of the server have 3 tokens.
    assert 0 < reader["seconds"] < 60
    assert reader["answer_tokens"] == 2 * 3
    assert plan(*where) == 0
    assert "4 of 6 trials are finished" in capsys.readouterr().out
    # Another run file is another run.
    assert planned(capsys, *where, "--out", "other.sqlite")["total"]["calls"] == 6
    assert Path("runs/small--simulated.sqlite").read_bytes() == before
    assert not Path("other.sqlite").exists()
    assert len(simulated_server.prompts) == 4


def test_a_run_file_of_another_config_is_refused(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run(simulated_server, "--limit", "1")
    assert plan("--out", "runs/small--simulated.sqlite") == 2
    assert "differs in: readers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["plan", "smal"], "no run config called"),
        (["plan", "small.yaml", "--model", "smolm2"], "Did you mean 'smollm2'"),
        (["plan", "small.yaml", "--api-base", "http://127.0.0.1:1/v1"], "--api-base needs --model"),
        (
            ["run", "small.yaml", "--budget", "0.5"],
            "niah: --budget: '0.5' is no budget. Write 0.5usd or 0.5Mtok.",
        ),
        (["run", "small.yaml", "--budget", "25eur"], "'25eur' is no budget"),
        (["run", "small.yaml", "--budget", "4ktok"], "may take 5,"),
    ],
)
def test_wrong_input_is_one_line(arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert present() == ["mine.yaml", "small.yaml"]


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("readers: [nowhere.gguf]", "there is no model file nowhere.gguf. Give the path of a GGUF file."),
        ("readers: [nobody/model]", "litellm knows no provider called 'nobody'."),
        ("judge: nowhere.gguf", "there is no model file nowhere.gguf. Give the path of a GGUF file."),
        ("strategies: ['litellm:nobody/embed/top-3/norm']", "litellm knows no provider called 'nobody'."),
    ],
)
def test_a_model_that_is_not_there_is_told_as_in_a_run(
    lines: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    key = lines.partition(":")[0]
    kept = [line for line in CONFIG.splitlines() if not line.startswith(f"{key}:")]
    Path("small.yaml").write_text("\n".join([*kept, lines]))
    told = []
    for command in ("plan", "run"):
        assert main([command, "small.yaml"]) == 2
        told.append(capsys.readouterr().err)
    assert told[0] == told[1]
    assert says in told[0]
    assert told[0].count("\n") == 1
    assert present() == ["mine.yaml", "small.yaml"]


def test_a_plan_asks_no_endpoint(simulated_server: Any) -> None:
    # Port 9 of this machine: nobody listens, and a run says so.
    assert plan("--model", "m", "--api-base", "http://127.0.0.1:9/v1") == 0
    assert run(simulated_server, "--api-base", "http://127.0.0.1:9/v1") == 2


def test_a_budget_in_the_config(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small.yaml").write_text(CONFIG + "budget: a lot\n")
    assert main(["run", "small.yaml"]) == 2
    assert "small.yaml: budget: 'a lot' is no budget" in capsys.readouterr().err
    Path("small.yaml").write_text(CONFIG + "budget: 4ktok\n")
    assert main(["run", "small.yaml"]) == 2
    assert "its budget is 4,000 tokens" in capsys.readouterr().err
    assert present() == ["mine.yaml", "small.yaml"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("5", "'5' is no budget. Write 5usd or 5Mtok."),
        ("0.25", "'0.25' is no budget. Write 0.25usd or 0.25Mtok."),
        ("-5", "'-5' is no budget. Write 25usd, 40Mtok or 500ktok."),
        ("true", "should be text (given: true). Put it in quotes."),
    ],
)
def test_a_bare_number_is_asked_for_its_unit(
    said: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(f"{CONFIG}budget: {said}\n")
    assert main(["plan", "small.yaml"]) == 2
    assert capsys.readouterr().err == f"niah: small.yaml: budget: {told}\n"


def test_flag_before_environment_before_config(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("small.yaml").write_text(CONFIG + "budget: 1tok\n")
    monkeypatch.setenv("NIAH_BUDGET", "2tok")
    assert run(simulated_server, "--budget", "3tok") == 2
    assert "its budget is 3 tokens" in capsys.readouterr().err
    assert run(simulated_server) == 2
    assert "its budget is 2 tokens" in capsys.readouterr().err
    monkeypatch.delenv("NIAH_BUDGET")
    assert run(simulated_server) == 2
    assert "its budget is 1 tokens" in capsys.readouterr().err
    assert simulated_server.prompts == []


def test_no_money_is_no_obstacle_where_nothing_is_paid(simulated_server: Any) -> None:
    assert run(simulated_server, "--budget", "0usd") == 0
    rows = exported()
    assert {row["outcome"] for row in rows} == {"scored"}
    assert {row["cost"] for row in rows} == {0.0}


def test_money_needs_a_price(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # As if it were a gateway far away.
    monkeypatch.setattr("niah.runs.cost.prices.is_own_host", lambda host: False)
    assert run(simulated_server, "--budget", "1000usd") == 2
    error = capsys.readouterr().err
    assert "the price of simulated is unknown" in error
    assert error.count("\n") == 1
    assert present() == ["mine.yaml", "small.yaml"]
    # Without a budget it runs, and says nothing of costs.
    assert run(simulated_server) == 0
    assert {row["cost"] for row in exported()} == {None}


def test_a_budget_is_the_runs_not_the_commands(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(simulated_server, "--limit", "4", "--budget", "6ktok") == 0
    # Four calls, of 7 + 3 tokens each as the server says, which cannot be: they count as what they are.
    assert "simulated reported no usage of 4 answers, or less than half" in capsys.readouterr().err
    assert run(simulated_server, "--budget", "30tok") == 2
    assert "took 2,656 tokens before" in capsys.readouterr().err
    assert len(simulated_server.prompts) == 4
    assert run(simulated_server, "--budget", "6ktok") == 0
    assert len(simulated_server.prompts) == 6


def test_a_run_stops_in_time(
    simulated_server: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The plan would refuse this budget; here it is let through, as if more had been taken than planned.
    monkeypatch.setattr("niah.runs.cost.budget.check_budget", lambda *_: None)
    simulated_server.delay_s = 0.2
    # At most 512 + 32 + 48 = 592 for each of the short ones, of which two fit at once; 1024 never fit.
    assert run(simulated_server, "--budget", "1900tok") == 3
    assert len(simulated_server.prompts) == 3
    error = capsys.readouterr().err
    assert "stopped by its budget of 1,900 tokens: 1,608 tokens spent, 3 of 6 trials not run" in error
    assert [row["outcome"] for row in exported()].count("not_run") == 3
    assert run(simulated_server, "--budget", "10ktok") == 0
    assert len(simulated_server.prompts) == 6


def test_another_count_than_ours_is_said(simulated_server: Any, capsys: pytest.CaptureFixture[str]) -> None:
    # The server says 7 tokens, whatever it gets; and gpt-4o counts in o200k, as these cases do.
    Path("mine.yaml").write_text(SUITE + "tokenizer: o200k\n")
    arguments = ["run", "small.yaml", "--model", "openai/gpt-4o", "--api-base", simulated_server.base_url]
    assert main(arguments) == 0
    # 42 of 4608: 99.1 % fewer.
    assert "openai/gpt-4o reports 99.1% fewer prompt tokens than niah counts" in capsys.readouterr().err


def test_the_count_of_another_tokenizer_is_no_news(
    simulated_server: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(simulated_server) == 0
    assert "prompt tokens than niah" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("strategy", "says"),
    [
        ('{name: own, retrieve: "nosuch_rag:retrieve"}', "py:nosuch_rag:retrieve cannot be loaded: "),
        ('{name: own, retrieve: "./gone.py:retrieve"}', "py:./gone.py:retrieve cannot be loaded: "),
        ('{name: own, retrieve: "./torn.py:retrieve", rerank: "./x"}', "py:./torn.py:retrieve cannot be"),
        ('{name: app, system: "./torn.py:answer"}', "py:./torn.py:answer cannot be loaded: ModuleNotFound"),
        ('{name: app, system: "./whole.py:question"}', "py:./whole.py:question is no function"),
        ("./gone/top-3/norm", "gone is no folder"),
        ("bm25+./gone/top-3/norm", "gone is no folder"),
        ("hybrid:./empty/top-3/norm", "empty holds no sentence-transformers model"),
    ],
)
def test_what_no_run_could_load_has_no_plan(
    strategy: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("torn.py").write_text("import nothing_of_that_name\n")
    Path("whole.py").write_text("question = 1\n")
    Path("empty").mkdir()
    Path("small.yaml").write_text(f"suite: mine.yaml\nreaders: [smollm2]\nstrategies: [lc, {strategy}]\n")
    told = []
    for command in ("plan", "run"):
        assert main([command, "small.yaml"]) == 2
        told.append(capsys.readouterr().err)
    assert told[0] == told[1]
    assert told[0].startswith(f"niah: {says}")
    assert told[0].count("\n") == 1


def test_what_can_be_loaded_is_planned(capsys: pytest.CaptureFixture[str]) -> None:
    Path("rag.py").write_text("def retrieve(question, chunks):\n    raise AssertionError('asked')\n")
    strategies = '{name: own, retrieve: "./rag.py:retrieve"}, {name: far, retrieve: "http://127.0.0.1:9/x"}'
    Path("small.yaml").write_text(f"suite: mine.yaml\nreaders: [smollm2]\nstrategies: [{strategies}]\n")
    assert planned(capsys)["total"]["calls"] == 12
