"""Files that people write: strict YAML, checked by pydantic, with one clear line per mistake."""

from __future__ import annotations

import os
import types
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError

from niah.errors import ConfigError, UnknownName, did_you_mean

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class FileModel(BaseModel):
    """Base of everything read from YAML: no unknown keys, no silent conversions, no later changes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


M = TypeVar("M", bound=FileModel)


def load_yaml(path: Path, model: type[M]) -> M:
    """Read one YAML file into ``model``. Raises ConfigError that names file, key and remedy."""
    import orjson

    data = _parse(path)
    if not isinstance(data, dict):
        raise ConfigError(path, "", "should be a mapping of keys to values.", _keys_of(model))
    try:
        # Through JSON, because strict mode there reads a list as a tuple and still no "3" as 3.
        return model.model_validate_json(orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS))
    except ValidationError as error:
        # A misspelt key is also a missing one; the misspelling is the cause.
        problems = sorted(error.errors(), key=lambda problem: problem["type"] != "extra_forbidden")
        raise _problem(path, model, problems[0]) from None


def find(kind: str, name: str, folders: list[Path]) -> Path:
    """The YAML file that ``name`` stands for: a path, or a bare name in one of ``folders``.

    "cases/quick.yaml" also finds the shipped file where the working folder has none of that name.
    Raises UnknownName.
    """
    as_path = Path(name)
    if as_path.is_file():
        return as_path
    stem = as_path.stem if as_path.suffix in {".yaml", ".yml"} else name
    is_bare = as_path.parent == Path() or any(as_path.parent.name == folder.name for folder in folders)
    if is_bare:
        for folder in folders:
            for candidate in (folder / f"{stem}.yaml", folder / f"{stem}.yml"):
                if candidate.is_file():
                    return candidate
    raise UnknownName(kind, name, names_in(folders))


def names_in(folders: list[Path]) -> list[str]:
    """Names of the YAML files in ``folders``, each once, sorted."""
    return sorted({path.stem for folder in folders for path in _yaml_files(folder)})


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _yaml_files(folder: Path) -> list[Path]:
    return [path for pattern in ("*.yaml", "*.yml") for path in folder.glob(pattern)]


def _parse(path: Path) -> Any:
    import yaml

    try:
        with path.open(encoding="utf-8") as file:
            return yaml.load(file, _unique_key_loader())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" (line {mark.line + 1})" if mark else ""
        raise ConfigError(path, "", f"is not valid YAML{line}: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise ConfigError(path, "", f"is not valid YAML: {error}.") from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.") from None


def _unique_key_loader() -> type[Any]:
    import yaml

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """YAML lets a later key silently replace an earlier one; we do not."""

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
            seen = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if key in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"key {key!r} stands twice", key_node.start_mark
                    )
                seen.add(key)
            mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
            return mapping

    return Loader


def _problem(path: Path, model: type[BaseModel], error: ErrorDetails) -> ConfigError:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        parent = _model_at(model, error["loc"][:-1])
        remedy = did_you_mean(str(error["loc"][-1]), _keys(parent)) if parent else ""
        return ConfigError(path, key, "unknown key.", remedy)
    if error["type"] == "missing":
        return ConfigError(path, key, "is missing.", "Add it.")
    if error["type"] == "value_error":
        problem = error["ctx"]["error"]
        return ConfigError(path, key, str(problem))
    given = f" (given: {error['input']!r})" if not isinstance(error["input"], dict | list) else ""
    return ConfigError(path, key, f"{error['msg'][0].lower()}{error['msg'][1:]}{given}.")


def _keys_of(model: type[BaseModel]) -> str:
    return f"Keys: {', '.join(_keys(model))}."


def _keys(model: type[BaseModel]) -> list[str]:
    """The keys that a file may use, as people write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_at(model: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """Follow an error's location down to the model whose key was unknown."""
    here: type[BaseModel] | None = model
    for part in loc:
        if here is None or isinstance(part, int):
            continue
        field = here.model_fields.get(part)
        here = _model_in(field.annotation) if field else here
    return here


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return annotation if issubclass(annotation, BaseModel) else None
    if get_origin(annotation) in (Union, types.UnionType, list, tuple, dict, Annotated):
        return next((found for inner in get_args(annotation) if (found := _model_in(inner))), None)
    return None
