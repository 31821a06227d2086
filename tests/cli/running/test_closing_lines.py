"""What a run says when it has come to its end: of answers that are no use, and what to do about them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.readers.openai_compatible import OpenAICompatibleReader
from tests.loopback import Post, Reply, completion, replying

pytestmark = pytest.mark.usefixtures("without_figures")

SUITE = "{haystacks: [essays], needle_sets: [ferry-lanterns], lengths: [512], depths: [0, 50, 100]}"
CONFIG = """
suite: mine.yaml
strategies: [lc]
readers: [{{model: crude, api_base: "{address}/v1"}}]
{more}
"""


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.yaml").write_text(SUITE)


def said_by_a_run(
    capsys: pytest.CaptureFixture[str],
    reply: Callable[[Post], Reply | None],
    *more: str,
    release: Callable[[], None] | None = None,
    more_config: str = "",
) -> tuple[int, str]:
    """The exit code, and all that is said on standard error, of a run before an endpoint."""
    with replying(reply) as address:
        Path("mine-run.yaml").write_text(CONFIG.format(address=address, more=more_config))
        code = main(["run", "mine-run.yaml", "--out", "run.sqlite", *more])
        if release:
            release()
    return code, capsys.readouterr().err


def test_a_command_to_be_copied_is_one_that_a_shell_takes(capsys: pytest.CaptureFixture[str]) -> None:
    with replying(lambda post: Reply(completion("347"))) as address:
        Path("mine-run.yaml").write_text(CONFIG.format(address=address, more="metrics: [squad-f1]"))
        assert main(["run", "mine-run.yaml", "--out", "mein lauf.sqlite"]) == 0
    told = capsys.readouterr()
    assert "next: niah report 'mein lauf.sqlite'\n" in told.out
    assert "niah judge metrics 'mein lauf.sqlite' --metrics" in told.err


def test_of_answers_with_words_nothing_is_said_to_be_empty(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_by_a_run(capsys, lambda post: Reply(completion("Three lanterns.")))
    assert code == 0
    assert "empty" not in said


def test_a_server_that_talks_garbage_is_said_to_run(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_by_a_run(capsys, lambda post: Reply(b"{garbage"), "--wait", "0.1s")
    assert code == 4
    assert "The server runs, and what it sends is no JSON: look at such a reply" in said
    assert "See whether the server runs" not in said


def test_replies_that_come_too_late_are_told_with_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    over = threading.Event()

    def hang(post: Post) -> None:
        over.wait(60)

    suite = Path("mine.yaml")
    suite.write_text(SUITE.replace("[0, 50, 100]", "[0]"))
    try:
        code, said = said_by_a_run(capsys, hang, "--timeout", "0.2s", "--wait", "0.1s", release=over.set)
    finally:
        over.set()
    assert code == 4
    assert "A longer --timeout (timeout: in a run config) gives replies more time" in said
    assert "not run" not in said
    assert "The same command with --retry reader_error asks again what failed." in said
    assert "1 reader error; --retry reader_error asks again, and a longer --timeout gives replies" in said


def test_a_server_that_goes_away_is_told_in_the_words_of_the_start(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpenAICompatibleReader, "check", lambda reader: None)
    address = "http://127.0.0.1:9/v1"
    Path("mine-run.yaml").write_text(CONFIG.format(address="http://127.0.0.1:9", more=""))
    assert main(["run", "mine-run.yaml", "--out", "run.sqlite", "--wait", "0.1s"]) == 4
    said = capsys.readouterr().err
    assert f"no reply: nothing answers at {address}: Connection refused" in said
    assert "ssl:default" not in said


def test_values_of_metrics_are_told_and_a_run_at_work(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.yaml").write_text(SUITE + "\n")
    at_work: list[str] = []

    def reply(post: Post) -> Reply:
        main(["show", "run.sqlite"])
        at_work.append(capsys.readouterr().out)
        return Reply(completion("Three lanterns."))

    code, said = said_by_a_run(capsys, reply, "--concurrency", "1", more_config="metrics: [squad-f1]")
    assert code == 0
    assert "values of squad-f1: niah judge metrics run.sqlite --metrics squad-f1; niah report" in said
    assert "run.sqlite: 3 trials, which a niah run is at work on now" in at_work[0]
    assert main(["show", "run.sqlite"]) == 0
    assert "at work" not in capsys.readouterr().out
