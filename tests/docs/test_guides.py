"""The page of each kind of user, followed line by line in an empty folder against a real endpoint."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from niah.cli.main import main
from niah.paths import shipped
from tests.conftest import SimulatedServer

DOCS = Path(__file__).parents[2] / "docs"
ADDRESS = "http://127.0.0.1:8000/v1"


@pytest.mark.parametrize("page", ["index.md", "model-teams.md", "rag-teams.md", "researchers.md"])
@pytest.mark.slow
def test_every_line_works(
    page: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    simulated_server: SimulatedServer,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "docs"  # documents of the reader's own
    own.mkdir()
    for essay in sorted(shipped("haystacks/essays").glob("a-*.md")):
        shutil.copy(essay, own)
    text = (DOCS / page).read_text().replace(ADDRESS, simulated_server.base_url)
    for name, content in re.findall(r"```yaml\n# (\S+\.yaml)\n(.+?)```", text, re.DOTALL):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
        for line in block.splitlines()
        if line.startswith("niah ")
    ]
    assert lines
    for line in lines:
        code = main(shlex.split(line)[1:])
        assert code == 0, f"{line}: {code}\n{capsys.readouterr().err}"
