"""Where a sentence-transformers model is: a folder, the Hugging Face cache, or fetched into it once."""

from __future__ import annotations

import json
from difflib import get_close_matches
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import NamedTuple

from niah.errors import StrategyError
from niah.retrieval.names import PROVIDERS
from niah.weights import ReportProgress

_PATIENCE_S = 10.0
# Other frameworks' copies of the same weights, and pictures.
_UNUSED_FOLDERS = frozenset({"onnx", "openvino", "coreml", "gguf", "imgs", "images", "assets"})
_USED_ENDINGS = (".json", ".txt", ".model", ".safetensors", ".bin", ".jinja")
_MODULES, _CONFIG = "modules.json", "config.json"


class ModelFolder(NamedTuple):
    """A model on this machine: the hub's commit, or a digest of what is in the folder, identifies it."""

    path: Path
    identity: str


def model_folder(model: str, say: ReportProgress) -> ModelFolder:
    """The model of that hub id ("owner/name") or folder; ``say`` gets a line when it has to be fetched.

    Raises StrategyError where there is no such folder, or the hub cannot be reached or has no such model.
    """
    if _is_folder(model):
        check_model_folder(model)
        path = Path(model).expanduser()
        return ModelFolder(path, f"folder {_digest(path)}")
    import httpx
    from huggingface_hub import HfApi, constants, errors, snapshot_download, try_to_load_from_cache
    from huggingface_hub.utils.tqdm import disable_progress_bars

    try:
        modules, config = (
            try_to_load_from_cache(model, name, cache_dir=constants.HF_HUB_CACHE)
            for name in (_MODULES, _CONFIG)
        )
        found = next((Path(file).parent for file in (modules, config) if isinstance(file, str)), None)
        # A program that needed the weights alone leaves out modules.json, which says how to pool them. That
        # a repository has none is known where the hub said so, or where all of it was fetched: nothing else
        # asks for its .gitattributes.
        knows_modules = modules is not None or (found is not None and (found / ".gitattributes").exists())
        if found and knows_modules and _is_whole(found):
            return ModelFolder(found, f"hub {model} {found.name}")
        # Asked once: the download's own client would try for half a minute where there is no network.
        info = HfApi(endpoint=constants.ENDPOINT).model_info(model, timeout=_PATIENCE_S)
        used = [file.rfilename for file in info.siblings or [] if _is_used(file.rfilename)]
        if any(name.endswith(".safetensors") for name in used):  # no pickled weights then
            used = [name for name in used if not name.endswith(".bin")]
        say(f"Fetching {model} from the Hugging Face hub, once ...")
        disable_progress_bars()  # they would draw over niah's own
        used.append(".gitattributes")
        path = Path(snapshot_download(model, allow_patterns=used, cache_dir=constants.HF_HUB_CACHE))
    except (httpx.HTTPError, OSError, errors.HFValidationError) as error:
        said = (str(error).splitlines() or [""])[0].strip() or type(error).__name__
        owner, _, name = model.partition("/")
        remedy = "Go online once, or give a folder that has the model (./FOLDER), or retrieve with minilm."
        if isinstance(error, errors.GatedRepoError):
            remedy = "Ask for access on its page, and run `hf auth login`."
        elif near := get_close_matches(owner, PROVIDERS, n=1, cutoff=0.8):
            remedy = f"Did you mean litellm's '{near[0]}/{name}'?"
        problem = f"model {model!r} cannot be fetched from the Hugging Face hub: {said}."
        raise StrategyError(problem, remedy) from None
    if not _is_whole(path):
        raise StrategyError(
            f"the Hugging Face hub's {model!r} is no model that sentence-transformers can load.",
            f"It needs {_CONFIG} or {_MODULES}, and weights in .safetensors or .bin.",
        )
    return ModelFolder(path, f"hub {model} {path.name}")


def check_model_folder(model: str) -> None:
    """Raise StrategyError where ``model`` is a folder that holds none; the hub is not asked."""
    path = Path(model).expanduser()
    if _is_folder(model) and not _is_whole(path):
        what = "holds no sentence-transformers model" if path.is_dir() else "is no folder"
        raise StrategyError(
            f"{path} {what}: it needs {_CONFIG} or {_MODULES}, and weights.",
            "Save one with SentenceTransformer(...).save(FOLDER).",
        )


def _is_folder(model: str) -> bool:
    return model.startswith((".", "/", "~")) or "\\" in model or model.count("/") > 1


def _is_used(name: str) -> bool:
    return name.endswith(_USED_ENDINGS) and not _UNUSED_FOLDERS.intersection(name.split("/")[:-1])


def _is_whole(path: Path) -> bool:
    """Whether configuration, weights and, where they are listed, the pooling's settings are there."""
    modules = path / _MODULES
    try:
        listed = json.loads(modules.read_bytes()) if modules.is_file() else []
        pooling = [path / module["path"] for module in listed if module["type"].endswith("Pooling")]
    except (ValueError, TypeError, KeyError):
        raise StrategyError(f"{modules} is no list of modules.", "Fetch the model anew.") from None
    has_config = modules.is_file() or (path / _CONFIG).is_file()
    has_weights = any(file.suffix in {".safetensors", ".bin"} for file in _files(path))
    return has_config and has_weights and all((folder / _CONFIG).is_file() for folder in pooling)


def _files(path: Path) -> list[Path]:
    """The used files, by name."""
    found = (file for file in path.rglob("*") if _is_used(file.relative_to(path).as_posix()))
    return sorted(file for file in found if file.is_file())


def _digest(path: Path) -> str:
    hasher = blake2b(digest_size=16)
    for file in _files(path):
        hasher.update(f"{file.relative_to(path).as_posix()}\0".encode())
        with file.open("rb") as stream:
            hasher.update(file_digest(stream, blake2b).digest())
    return hasher.hexdigest()
