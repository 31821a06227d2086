"""What a run file keeps of how it was made."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version

import pytest

from niah import __version__
from niah.runs.provenance import Setting, as_stored, versions


def test_settings_as_stored() -> None:
    settings = {"limit": Setting(5, "environment", "NIAH_RUN_LIMIT"), "judge": Setting("rubric", "default")}
    assert as_stored(settings) == {
        "limit": {"value": 5, "source": "environment", "variable": "NIAH_RUN_LIMIT"},
        "judge": {"value": "rubric", "source": "default"},
    }


def test_no_secret_enters_however_deep_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_GATEWAY_TOKEN", "planted-0123456789")
    value = {"a": ["http://h/planted-0123456789/v1"], "planted-0123456789": 1}
    stored = as_stored({"api_base": Setting(value, "file")})
    assert stored["api_base"]["value"] == {"a": ["http://h/***/v1"], "***": 1}


def test_versions_of_what_is_installed() -> None:
    found = versions()
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["niah"] == __version__
    assert {name: found[name] for name in ("openai", "numpy")} == {
        name: version(name) for name in ("openai", "numpy")
    }
    assert all(found.values())


def test_nothing_is_imported_for_its_version() -> None:
    script = (
        "import sys; from niah.runs.provenance import versions; versions();"
        "assert not {'openai', 'litellm', 'numpy', 'torch', 'tiktoken'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
