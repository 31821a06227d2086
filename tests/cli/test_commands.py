"""What is installed and listening here, retrieval alone, and the forms of others, by their commands."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from statistics import mean

import pytest
import yaml
from huggingface_hub import parse_eval_result_entries

from niah.cli.main import main
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
    assert len(capsys.readouterr().out.splitlines()) <= 3
    assert main(["doctor", "--json"]) == 0
    said = capsys.readouterr().out
    assert "ANTHROPIC_API_KEY set" in said
    assert "7316" not in said


def test_an_endpoint_that_listens_and_one_that_does_not(
    capsys: pytest.CaptureFixture[str], simulated_server: SimulatedServer
) -> None:
    code, found = findings(capsys, "--model", "qwen3", "--api-base", simulated_server.base_url)
    assert (code, found["qwen3"]["state"]) == (0, "ok")
    assert main(["doctor", "--model", "qwen3", "--api-base", simulated_server.base_url]) == 0
    assert capsys.readouterr().out == "qwen3: a run could begin (the model was not asked).\n"
    assert simulated_server.prompts == []
    code, found = findings(capsys, "--model", "qwen3", "--api-base", "http://127.0.0.1:9/v1")
    assert (code, found["qwen3"]["state"]) == (2, "wrong")
    assert "nothing answers at http://127.0.0.1:9/v1" in found["qwen3"]["detail"]


RUN = """
haystacks: [essays]
needle_sets: [multi-key@1]
lengths: [600]
depths: [0, 100]
seeds: [1, 2, 3, 4, 5, 6]
questions: plug.jsonl
readers: [{{model: lab/gate, api_base: "{address}"}}, {{model: plain, api_base: "{address}"}}]
strategies: [lc, oracle]
"""
PLUG = {"id": "plug", "document": "The plug is tightened to 11 Nm.", "question": "How?", "answers": ["11 Nm"]}


def test_leaderboards_get_means_with_intervals_and_the_trials_behind_them(
    in_folder: Path,
    without_figures: None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("NIAH_CACHE", str(in_folder / "cache"))
    keys = {load_needle_set("multi-key@1", seed).question: seed for seed in range(1, 7)}

    def reply(post: Post) -> Reply:
        """Seed 1 is right, seed 6 cut off, all others wrong; of the plug one word of two is right."""
        text = post.body["messages"][-1]["content"]
        seed = next((seed for question, seed in keys.items() if question in text), 0)
        said = {0: "11 bar", 1: load_needle_set("multi-key@1", 1).answer}.get(seed, "I do not know.")
        return Reply(completion(said, finish_reason="length" if seed == 6 else "stop"))

    Path("plug.jsonl").write_text(json.dumps(PLUG))
    with replying(reply) as address:
        Path("r.yaml").write_text(RUN.format(address=address))
        assert main(["run", "r.yaml", "--out", "r.sqlite"]) == 0

    for _ in range(2):  # an export again replaces the one before
        assert main(["export", "r.sqlite", "--to", "every-eval-ever", "--out", "shared"]) == 0
    logs = sorted(Path("shared").rglob("*.json"))
    assert [path.parent.as_posix() for path in logs] == [
        f"shared/data/niah-r/{model}" for model in ("lab/gate", "local/plain")
    ]
    for path in logs:
        log, raw = json.loads(path.read_text()), path.with_name(f"{path.stem}_samples.jsonl").read_bytes()
        rows, file = [json.loads(line) for line in raw.splitlines()], log["detailed_evaluation_results"]
        assert Path("shared", file["file_path"]).read_bytes() == raw
        assert (file["checksum"], file["total_rows"]) == (hashlib.sha256(raw).hexdigest(), len(rows))
        assert {(row["evaluation_id"], row["model_id"]) for row in rows} == {
            (log["evaluation_id"], log["model_info"]["id"])
        }
        assert b"127.0.0.1" not in raw + path.read_bytes()
        results = {each["evaluation_result_id"]: each for each in log["evaluation_results"]}
        assert sorted(results) == [
            f"niah.{name}" for name in ("multi-key@1.lc.600", "multi-key@1.oracle.600", "plug.lc.64")
        ]
        for name, each in results.items():
            scores = [row["evaluation"]["score"] for row in rows if row["evaluation_result_id"] == name]
            assert each["score_details"]["score"] == pytest.approx(mean(scores))
            assert each["score_details"]["uncertainty"]["num_samples"] == len(scores)
        names = ("multi-key@1.lc.600", "plug.lc.64")
        found, plug = (results[f"niah.{name}"]["score_details"] for name in names)
        assert (found["score"], found["details"]) == (0.2, {"clusters": "5", "not_scored": "2"})
        # One of five clusters is right: a standard error of 0.2, times Student's t of 2.776.
        limits = found["uncertainty"]["confidence_interval"]
        assert (limits["lower"], limits["upper"]) == (0, pytest.approx(0.7553, abs=1e-4))
        assert (plug["score"], plug["uncertainty"]) == (0.5, {"num_samples": 1})

    command = ["export", "r.sqlite", "--to", "eval-results", "--dataset", "lab/gates", "--out", "shared"]
    assert main(command) == 0
    for model in ("lab/gate", "local/plain"):
        text = Path(f"shared/{model}/.eval_results/niah-r.yaml").read_text()
        entries = parse_eval_result_entries(yaml.safe_load(text))
        tasks = [(each.dataset_id, each.task_id, each.value) for each in entries]
        assert tasks == [("lab/gates", "multi-key@1", 0.2), ("lab/gates", "plug", 0.5)]  # none of the ceiling
        assert str(entries[0].notes).startswith("lc; accuracy, n = 10, 95 % interval 0.000 to 0.755; niah ")

    before = sorted(Path().rglob("*"))
    for options, says in (
        ("--to eval-results --out new", "--to eval-results and --dataset go together."),
        ("--to eval-results --dataset ../b --out new", "--to eval-results and --dataset go together."),
        ("--to csv --dataset a/b", "--to eval-results and --dataset go together."),
        ("--to every-eval-ever", "--to every-eval-ever writes into a folder."),
        ("--to every-eval-ever --out r.yaml", "--to every-eval-ever writes into a folder."),
    ):
        capsys.readouterr()
        assert main(["export", "r.sqlite", *options.split()]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith(f"niah: {says}")
    assert sorted(Path().rglob("*")) == before


def test_a_variable_holds_a_value_a_line(in_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NIAH_PLAN_NEEDLE", "The code of the vault is 55112.\nThe vault is blue.")
    monkeypatch.setenv("NIAH_PLAN_READER_OPTION", "temperature=0.5\nsystem=Be brief")
    fact = ["--question", "What is the code?", "--expect", "55112", "--expect", "blue", "--seeds", "1"]
    assert main(["plan", *fact, "--lengths", "512", "--depths", "0"]) == 0


def test_a_list_that_names_nothing_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["retrieve", "single", "--strategies", ","]) == 2
    assert "--strategies: ',' names nothing." in capsys.readouterr().err
