"""What a run says when it has come to its end: of answers that are no use, and what to do about them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from niah.analysis.causes.causes import causes
from niah.analysis.frame import trial_frame
from niah.api.python.run import load_run
from niah.cli.main import main
from niah.plots.headlines.headline import headlines
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
    capsys: pytest.CaptureFixture[str], reply: Callable[[Post], Reply | None], *more: str, config: str = ""
) -> tuple[int, str]:
    """The exit code, and all that is said on standard error, of a run before an endpoint."""
    with replying(reply) as address:
        Path("mine-run.yaml").write_text(CONFIG.format(address=address, more=config))
        code = main(["run", "mine-run.yaml", "--out", "run.sqlite", "--no-cache", *more])
    return code, capsys.readouterr().err


def test_empty_answers_are_told_and_are_an_error_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_by_a_run(capsys, lambda post: Reply(completion("")))
    assert code == 0
    assert "crude: 3 of 3 answers are empty, which the endpoint calls complete" in said
    run = load_run("run.sqlite").contents
    assert [(each.outcome, each.score, each.error_type) for each in run.records] == [
        ("scored", 1, "empty")
    ] * 3
    frame = trial_frame(run.records, run.samples)
    assert {cause.kind for cause in causes(frame, run.samples).values()} == {"empty"}
    (line,) = headlines(frame)
    assert line.empty == "3 of 3 answers are empty, which the endpoint calls complete"


def test_of_answers_with_words_nothing_is_said_to_be_empty(capsys: pytest.CaptureFixture[str]) -> None:
    code, said = said_by_a_run(capsys, lambda post: Reply(completion("Three lanterns.")))
    assert code == 0
    assert "empty" not in said


def test_cut_answers_are_told_with_what_gives_them_room(capsys: pytest.CaptureFixture[str]) -> None:
    cut = Reply(completion("Well, let me", 7, 256, finish_reason="length"))
    whole = Reply(completion("Three lanterns."))
    answers = iter([cut, whole, whole])
    code, said = said_by_a_run(capsys, lambda post: next(answers))
    assert code == 0
    assert "crude: 1 of 3 answers were cut" in said
    assert "--retry truncated asks with the same room again" in said
    assert "--reader-option max_tokens=512 with another --out, or max_tokens: 512 of the reader" in said
    run = load_run("run.sqlite").contents
    (line,) = headlines(trial_frame(run.records, run.samples))
    told = "; means are of the other trials alone: that of full context of 2 of 3"
    assert line.not_scored == f"Not scored: 1 truncated, of 3 (33 %){told}"
