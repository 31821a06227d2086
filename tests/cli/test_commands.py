"""What is installed and listening here, retrieval alone, and the forms of others, by their commands."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from statistics import mean

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from niah.cli.main import main
from niah.files import cache_folder
from niah.needles.load import load_needle_set
from tests.conftest import SimulatedServer
from tests.loopback import Post, Reply, completion, replying


def findings(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, dict[str, str]]]:
    code = main(["doctor", "--json", *arguments])
    return code, {each["what"]: each for each in json.loads(capsys.readouterr().out)}


@pytest.fixture(autouse=True)
def empty_folder(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(variable, "")  # so that what a .env sets is taken back, too
        monkeypatch.delenv(variable)
    return in_folder


def test_a_key_is_named_and_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    Path(".env").write_text("ANTHROPIC_API_KEY=sk-secret-7316\n")
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert (len(out.splitlines()) <= 3, "openai/gpt-4o-mini" in out) == (True, True)
    assert main(["doctor", "--json"]) == 0
    said = capsys.readouterr().out
    assert "ANTHROPIC_API_KEY set" in said
    assert "7316" not in said


def test_an_endpoint_that_listens_and_one_that_does_not(
    capsys: pytest.CaptureFixture[str], simulated_server: SimulatedServer
) -> None:
    code, found = findings(capsys, "--model", "qwen3", "--api-base", simulated_server.base_url)
    assert (code, found["qwen3"]["state"]) == (0, "ok")
    megabytes = int(found["cache"]["detail"].partition(" MB free")[0].split()[-1].replace(",", ""))
    assert megabytes == pytest.approx(shutil.disk_usage(cache_folder()).free / 1e6, rel=0.1)
    assert main(["doctor", "--model", "qwen3", "--api-base", simulated_server.base_url]) == 0
    assert capsys.readouterr().out == "qwen3: a run could begin (the model was not asked).\n"
    assert simulated_server.prompts == []
    code, found = findings(capsys, "--model", "qwen3", "--api-base", "http://127.0.0.1:9/v1")
    assert (code, found["qwen3"]["state"]) == (2, "wrong")
    assert "nothing answers at http://127.0.0.1:9/v1" in found["qwen3"]["detail"]
    assert findings(capsys, "--model", "gemini/gemini-2.5-flash")[0] == 2  # without a key


RUN = """
haystacks: [essays]
needle_sets: [multi-key@1]
lengths: [600]
depths: [0, 100]
seeds: [1, 2, 3]
questions: plug.jsonl
readers: [{{model: lab/gate, api_base: "{address}"}}, {{model: plain, api_base: "{address}"}}]
strategies: [lc, oracle]
"""
PLUG = {"id": "plug", "document": "The plug is tightened to 11 Nm.", "question": "How?", "answers": ["11 Nm"]}


def test_leaderboards_get_means_and_the_trials_behind_them(
    own_cache: Path, without_figures: None, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = {load_needle_set("multi-key@1", seed).question: seed for seed in range(1, 4)}

    def reply(post: Post) -> Reply:
        """Seed 1 is right, seed 3 cut off, seed 2 wrong; of the plug one word of two is right."""
        text = post.body["messages"][-1]["content"]
        seed = next((seed for question, seed in keys.items() if question in text), 0)
        said = {0: "11 bar", 1: load_needle_set("multi-key@1", 1).answer}.get(seed, "I do not know.")
        return Reply(completion(said, finish_reason="length" if seed == 3 else "stop"))

    Path("plug.jsonl").write_text(json.dumps(PLUG))
    with replying(reply) as address:
        Path("r.yaml").write_text(RUN.format(address=address))
        assert main(["run", "r.yaml", "--out", "r.sqlite"]) == 0

    for _ in range(2):  # an export again replaces the one before
        assert main(["export", "r.sqlite", "--to", "every-eval-ever", "--out", "shared"]) == 0
    logs = sorted(Path("shared").rglob("*.json"))
    assert [str(path.parent) for path in logs] == [
        f"shared/data/niah-r/{of}" for of in ("lab/gate", "local/plain")
    ]
    for path in logs:
        log, raw = json.loads(path.read_text()), path.with_name(f"{path.stem}_samples.jsonl").read_bytes()
        rows = [json.loads(line) for line in raw.splitlines()]
        assert log["detailed_evaluation_results"]["checksum"] == hashlib.sha256(raw).hexdigest()
        assert b"127.0.0.1" not in raw + path.read_bytes()
        means = {}
        for each in log["evaluation_results"]:
            name = each["evaluation_result_id"]
            scores = [row["evaluation"]["score"] for row in rows if row["evaluation_result_id"] == name]
            means[name] = each["score_details"]["score"]
            assert means[name] == pytest.approx(mean(scores))
        assert means == {
            "niah.multi-key@1.lc.600": 0.5,
            "niah.multi-key@1.oracle.600": 0.5,
            "niah.plug.lc.64": 0.5,
        }

    asked = ("--to", "eval-results", "--dataset", "lab/gates")
    assert main(["export", "r.sqlite", *asked, "--out", "shared"]) == 0
    for model in ("lab/gate", "local/plain"):
        text = Path(f"shared/{model}/.eval_results/niah-r.yaml").read_text()
        entries = parse_eval_result_entries(yaml.safe_load(text))
        tasks = [(each.dataset_id, each.task_id, each.value) for each in entries]
        assert tasks == [("lab/gates", "multi-key@1", 0.5), ("lab/gates", "plug", 0.5)]  # none of the ceiling

    before = sorted(Path().rglob("*"))
    together, folder = "eval-results and --dataset go together.", "every-eval-ever writes into a folder."
    for options, says in {
        "eval-results --out new": together,
        "eval-results --dataset ../b --out new": together,
        "csv --dataset a/b": together,
        "every-eval-ever": folder,
        "every-eval-ever --out r.yaml": folder,
    }.items():
        capsys.readouterr()
        assert main(["export", "r.sqlite", "--to", *options.split()]) == 2
        assert capsys.readouterr().err.startswith(f"niah: --to {says}")
    assert sorted(Path().rglob("*")) == before


def test_a_variable_holds_a_value_a_line(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_PLAN_NEEDLE", "The code of the vault is 55112.\nThe vault is blue.")
    monkeypatch.setenv("NIAH_PLAN_READER_OPTION", "temperature=0.5\nsystem=Be brief")
    fact = ["--question", "What is the code?", "--expect", "55112", "--expect", "blue", "--seeds", "1"]
    assert main(["plan", *fact, "--lengths", "512", "--depths", "0"]) == 0


@pytest.mark.parametrize("wrong", ["raptor", "py:./mine.py:none/top-1/norm"])
def test_no_retrieval_begins_before_every_strategy_can(
    wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.py").write_text("def rank(question, passages):\n    open('called', 'w')\n    return [1]\n")
    assert (
        main(["retrieve", "single", "--limit", "1", "--strategies", f"py:./mine.py:rank/top-1/norm,{wrong}"])
        == 2
    )
    assert capsys.readouterr().err.startswith("niah: ")
    assert not Path("called").exists()


@pytest.mark.parametrize("option", ["--style=paper", "--no-title", "--reader=any"])
def test_options_of_one_figure_are_refused_without_it(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("any.sqlite").touch()
    assert main(["report", "any.sqlite", option]) == 2
    assert f"{option.partition('=')[0]} goes with --figure" in capsys.readouterr().err


def test_entries_are_listed_as_a_haystack_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "haystacks", "--json"]) == 0
    assert "entries" in capsys.readouterr().out
    assert main(["list", "suites", "--json"]) == 0
    assert '"entries"' not in capsys.readouterr().out
