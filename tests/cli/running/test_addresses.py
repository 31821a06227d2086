"""The same model at another address: whose answers the run file has is said; pictures go by the file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from niah.cli.main import main
from tests.conftest import SimulatedServer
from tests.loopback import Reply, replying

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 50, 100]}"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def run(api_base: str, *more: str) -> int:
    return main(["run", "--suite", "mine.yaml", "--model", "m", "--api-base", api_base, *more])


def said(capsys: pytest.CaptureFixture[str], api_base: str, *more: str) -> str:
    capsys.readouterr()
    assert run(api_base, *more) == 0
    return capsys.readouterr().err


@pytest.mark.usefixtures("without_figures")
def test_where_finished_trials_come_from_is_said(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = simulated_server.base_url, simulated_server.base_url.replace("127.0.0.1", "localhost")
    assert "finished at" not in said(capsys, first, "--limit", "1")
    line = f"1 trial of m was finished at {first}; to ask {second} instead: --out FILE"
    assert line in said(capsys, second, "--limit", "1")
    assert "finished at" not in said(capsys, second + "/", "--out", "other.sqlite")
    told = said(capsys, first)
    assert f"1 trial of m was finished at {second}; to ask {first} instead" in told
    assert len(simulated_server.prompts) == 6
    shown(capsys, f"trials of m were asked at {first} (2), {second} (1)")


def shown(capsys: pytest.CaptureFixture[str], line: str) -> None:
    capsys.readouterr()
    assert main(["show", "mine--m"]) == 0
    assert line in capsys.readouterr().out


@pytest.mark.usefixtures("without_figures")
def test_niah_show_says_so_where_nothing_was_left_to_ask(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = simulated_server.base_url, simulated_server.base_url.replace("127.0.0.1", "localhost")
    said(capsys, first)
    assert main(["show", "mine--m"]) == 0
    assert "were asked at" not in capsys.readouterr().out
    assert f"3 trials of m were finished at {first}; to ask {second} instead" in said(capsys, second)
    shown(capsys, f"trials of m were asked at {first} (3)")
    assert main(["show", "mine--m", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["asked_at"] == {"m": {first: 3}}


@pytest.mark.usefixtures("without_figures")
def test_failed_trials_of_another_address_are_asked_again_by_retry(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    with replying(lambda post: Reply({"error": {"message": "Incorrect API key"}}, 401)) as address:
        wrong, right = f"{address}/v1", simulated_server.base_url
        assert run(wrong) == 4
    capsys.readouterr()
    assert run(right) == 4
    told = capsys.readouterr().err
    assert f"3 trials of m ended as reader_error at {wrong}; --retry reader_error asks {right}." in told
    assert "ended as reader_error" not in said(capsys, right, "--retry", "reader_error")


def test_pictures_go_by_the_name_of_the_run_file(simulated_server: SimulatedServer) -> None:
    assert run(simulated_server.base_url) == 0
    assert sorted(path.name for path in Path("plots").iterdir()) == ["mine--m"]
    shutil.rmtree("plots")
    assert run(simulated_server.base_url, "--out", "runs/second.sqlite") == 0
    assert sorted(path.name for path in Path("plots").iterdir()) == ["second"]


@pytest.mark.usefixtures("without_figures")
def test_no_run_config_is_named_where_none_was_used(
    simulated_server: SimulatedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    said(capsys, simulated_server.base_url)
    assert main(["show", "mine--m", "--json"]) == 0
    settings = json.loads(capsys.readouterr().out)["invocations"][-1]["settings"]
    assert (settings["strategies"]["source"], settings["suite"]["source"]) == ("default", "flag")
    assert "file" not in {setting["source"] for setting in settings.values()}
