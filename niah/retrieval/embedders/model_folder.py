"""Where a sentence-transformers model lies: a folder, the Hugging Face cache, or fetched into it once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from hashlib import blake2b
from pathlib import Path
from typing import Any

from niah.errors import StrategyError
from niah.retrieval.known_names import PROVIDERS
from niah.weights import ReportProgress

_PATIENCE_S = 10.0

# Other frameworks' copies of the same weights, and pictures.
_UNUSED_FOLDERS = frozenset({"onnx", "openvino", "coreml", "gguf", "imgs", "images", "assets"})
_USED_ENDINGS = (".json", ".txt", ".model", ".safetensors", ".bin", ".jinja")
_WEIGHTS = (".safetensors", ".bin")
_MODULES = "modules.json"
_CONFIG = "config.json"


@dataclass(frozen=True)
class ModelFolder:
    """A model on this machine.

    Attributes:
        path: the folder that sentence-transformers opens.
        identity: of its files: the hub's commit, or a digest of what is in the folder.
    """

    path: Path
    identity: str


def model_folder(model: str, say: ReportProgress) -> ModelFolder:
    """The model of that hub id ("owner/name") or folder.

    What the Hugging Face cache has whole is not asked for again. Otherwise the hub is asked once, so that a
    machine without network hears so at once.

    Args:
        model: as in ``RetrieverName.model``.
        say: gets a line when weights have to be fetched.

    Raises:
        StrategyError: there is no such folder, or the hub cannot be reached or has no such model.
    """
    if _is_folder(model):
        return _local(Path(model).expanduser())
    import httpx
    from huggingface_hub.errors import HFValidationError

    try:
        return _cached(model) or _fetched(model, say)
    except (httpx.HTTPError, OSError, HFValidationError) as error:
        raise _refused(model, error) from None


def check_model_folder(model: str) -> None:
    """Raise StrategyError where ``model`` is a folder that holds none; the hub is not asked."""
    if _is_folder(model):
        _check_local(Path(model).expanduser())


def _is_folder(model: str) -> bool:
    return model.startswith((".", "/", "~")) or "\\" in model or model.count("/") > 1


def _local(path: Path) -> ModelFolder:
    _check_local(path)
    return ModelFolder(path, f"folder {_digest(path)}")


def _check_local(path: Path) -> None:
    if not path.is_dir():
        raise StrategyError(
            f"there is no folder {path}.", "Give the folder of a sentence-transformers model."
        )
    if not _is_whole(path):
        raise StrategyError(
            f"{path} holds no sentence-transformers model: it needs {_CONFIG} or {_MODULES}, and weights.",
            "Save one with SentenceTransformer(...).save(FOLDER).",
        )


def _cached(model: str) -> ModelFolder | None:
    """The model of the Hugging Face cache, where it is whole."""
    from huggingface_hub import constants, try_to_load_from_cache

    modules, config = (
        try_to_load_from_cache(model, name, cache_dir=constants.HF_HUB_CACHE) for name in (_MODULES, _CONFIG)
    )
    found = next((file for file in (modules, config) if isinstance(file, str)), None)
    if found is None:
        return None
    path = Path(found).parent
    # A program that needed the weights alone leaves out modules.json, which says how to pool them. It is
    # known that there is none where the hub said so, or where the whole repository was fetched: every
    # repository has a .gitattributes, and nothing else asks for it.
    knows_modules = modules is not None or (path / ".gitattributes").exists()
    if not (knows_modules and _is_whole(path)):
        return None
    return ModelFolder(path, f"hub {model} {path.name}")


def _fetched(model: str, say: ReportProgress) -> ModelFolder:
    from huggingface_hub import HfApi, constants, snapshot_download

    # Once, since the download's own client would try for half a minute.
    info = HfApi(endpoint=constants.ENDPOINT).model_info(model, timeout=_PATIENCE_S)
    files = _used(file.rfilename for file in info.siblings or [])
    say(f"Fetching {model} from the Hugging Face hub, once ...")
    with _without_bars():
        path = Path(snapshot_download(model, allow_patterns=files, cache_dir=constants.HF_HUB_CACHE))
    if not _is_whole(path):
        raise StrategyError(
            f"the Hugging Face hub's {model!r} is no model that sentence-transformers can load.",
            f"It needs {_CONFIG} or {_MODULES}, and weights in .safetensors or .bin.",
        )
    return ModelFolder(path, f"hub {model} {path.name}")


@contextmanager
def _without_bars() -> Iterator[None]:
    """Progress bars of the hub's client would draw over niah's own."""
    from huggingface_hub.utils.tqdm import (
        are_progress_bars_disabled,
        disable_progress_bars,
        enable_progress_bars,
    )

    before = are_progress_bars_disabled()
    disable_progress_bars()
    try:
        yield
    finally:
        if not before:
            enable_progress_bars()


def _used(files: Iterable[str]) -> list[str]:
    """Those of a repository's files that are needed; where there are safetensors, no pickled weights."""
    used = [name for name in files if _is_used(name)]
    if any(name.endswith(".safetensors") for name in used):
        used = [name for name in used if not name.endswith(".bin")]
    return [".gitattributes", *used]


def _is_used(name: str) -> bool:
    return name.endswith(_USED_ENDINGS) and not _UNUSED_FOLDERS.intersection(name.split("/")[:-1])


def _is_whole(path: Path) -> bool:
    """Whether configuration, weights and, where they are listed, the pooling's settings are there."""
    if not any((path / name).is_file() for name in (_MODULES, _CONFIG)):
        return False
    return any(file.suffix in _WEIGHTS for file in _files(path)) and all(
        (path / module["path"] / _CONFIG).is_file()
        for module in _modules(path)
        if module["type"].endswith("Pooling")
    )


def _modules(path: Path) -> list[dict[str, Any]]:
    try:
        modules: list[dict[str, Any]] = json.loads((path / _MODULES).read_bytes())
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise StrategyError(f"{path / _MODULES} is no JSON: {error}.", "Fetch the model anew.") from None
    return modules


def _files(path: Path) -> list[Path]:
    """The used files, by name."""
    found = (file for file in path.rglob("*") if _is_used(file.relative_to(path).as_posix()))
    return sorted(file for file in found if file.is_file())


def _digest(path: Path) -> str:
    hasher = blake2b(digest_size=16)
    for file in _files(path):
        hasher.update(f"{file.relative_to(path).as_posix()}\0{file.stat().st_size}\0".encode())
        with file.open("rb") as stream:
            while block := stream.read(2**20):
                hasher.update(block)
    return hasher.hexdigest()


def _refused(model: str, error: Exception) -> StrategyError:
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        RepositoryNotFoundError,
    )

    if isinstance(error, GatedRepoError):
        problem, remedy = "is gated", "Ask for access on its page, and run `hf auth login`."
    elif isinstance(error, RepositoryNotFoundError):
        problem, remedy = "is not there, or private", _other_meaning(model)
    elif isinstance(error, HfHubHTTPError):
        problem, remedy = f"cannot be fetched ({_first_line(error)})", "Try again later."
    elif isinstance(error, HFValidationError):
        problem, remedy = f"cannot be ({_first_line(error)})", "Write OWNER/NAME."
    else:
        return StrategyError(
            f"model {model!r} is not whole in Hugging Face's cache, and its hub cannot be reached "
            f"({_first_line(error)}).",
            "Go online once, or give a folder that has the model (./FOLDER), or retrieve with minilm.",
        )
    return StrategyError(f"the Hugging Face hub's model {model!r} {problem}.", remedy)


def _other_meaning(model: str) -> str:
    """What else the user may have meant."""
    owner, _, name = model.partition("/")
    near = get_close_matches(owner, PROVIDERS, n=1, cutoff=0.8)
    if near:
        return f"Did you mean litellm's '{near[0]}/{name}'?"
    if Path(model).is_dir():
        return f"Did you mean the folder './{model}'?"
    return "Check the name; for a private one run `hf auth login`."


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [""])[0].strip() or type(error).__name__
