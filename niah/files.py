"""Where files are, strict YAML with a clear line per mistake, and files that appear whole or not at all.

A hostile file costs little: depth, values and what aliases unfold to are counted while it is read.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date
from errno import EACCES, EDQUOT, EFBIG, ENOSPC, ENOTDIR
from functools import lru_cache
from math import nan
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar, get_args

import orjson
import platformdirs
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from niah.errors import ConfigError, UnknownName, UserError, as_yaml, did_you_mean, printable

YAML = (".yaml", ".yml")
LARGEST = 16_000_000  # bytes of a YAML file
MOST_VALUES = 400_000  # in a file, keys, lists and mappings among them: 20,000 needles have as many
_DEEPEST = 50
_HEAVIEST = 32_000_000  # characters, once aliases are unfolded; a value counts 40 besides its own

_FORMULA = re.compile(r" *(?:[=@\t\r]|[+-](?!(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$))", re.IGNORECASE)  # no number
NonEmptyText = Annotated[str, Field(min_length=1)]
WrittenText = Annotated[str, Field(pattern=r"\S")]
"""Text that is more than white space."""


class FileModel(BaseModel):
    """Base of everything read from YAML: no unknown keys, no silent conversions, no later changes."""

    # Validators are built when the first file is read: most commands read few kinds of files.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


_Model = TypeVar("_Model", bound=FileModel)
_Values = TypeVar("_Values", bound=Sequence[Any])


def load_yaml(path: Path, model: type[_Model]) -> _Model:
    """Read one YAML file into ``model``. Raises ConfigError that names file, key and remedy."""
    return checked_model(path, load_mapping(path, model), model)


def load_mapping(path: Path, model: type[_Model]) -> dict[Any, Any]:
    """What one YAML file holds, unchecked but for being a mapping. Raises ConfigError."""
    data = parse_yaml(path)
    if not isinstance(data, dict):
        keys = ", ".join(_file_keys(model))
        raise ConfigError(path, "", "should be a mapping of keys to values.", f"Keys: {keys}.")
    return data


def checked_model(path: Path, data: Mapping[Any, Any], model: type[_Model]) -> _Model:
    """What ``path`` holds as a ``model``. Raises ConfigError that names file, key and remedy."""
    try:
        # Through JSON, because strict mode there reads a list as a tuple and still no "3" as 3.
        as_json = orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)
        return model.model_validate_json(as_json)
    except orjson.JSONEncodeError as error:  # Python's caller gave a function, a set ...
        raise ConfigError(path, "", f"holds what no YAML has: {error}.") from None
    except ValidationError as error:
        found = mistakes(model, orjson.loads(as_json), error.errors())
        raise ConfigError.of_all(ConfigError(path, *each) for each in found) from None


def check_each_once(values: _Values) -> _Values:
    """The values. Raises ValueError for the first that is there twice."""
    if twice := [value for value, count in Counter(values).items() if count > 1]:
        raise ValueError(f"{twice[0]!r} appears twice. Take one out.")
    return values


_EXPECTED = {  # by pydantic's name of an error, or a name's pattern: what should be there
    **dict.fromkeys(("model_type", "dict_type"), "a mapping of keys to values"),
    **dict.fromkeys(("tuple_type", "list_type"), "a list"),
    **dict.fromkeys(("int_type", "int_parsing"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing"), "a number"),
    "string_type": "text",
    "bool_type": "true or false",
    "greater_than_equal": "at least {ge:,.12g}",
    "greater_than": "more than {gt:,.12g}",
    "less_than_equal": "at most {le:,.12g}",
    "less_than": "less than {lt:,.12g}",
    "literal_error": "{expected}",
    "string_too_short": "text that is not empty",
    "too_short": "a list of {min_length} or more",
    "too_long": "a list of {max_length} or fewer",
    r"^[a-z][a-z0-9_]*$": "a lower-case word, such as head_of_school",
    r"^[a-z0-9]+(-[a-z0-9]+)*$": "lower-case words joined by hyphens, such as east-gate",
    r"\w": "text with a letter or digit",
    r"\S": "text that is not empty",
}


def mistakes(
    model: type[BaseModel], data: object, errors: list[ErrorDetails]
) -> Iterator[tuple[str, str, str]]:
    """Everything to mend of pydantic's ``errors`` about ``data``, the first of ``first_mistake`` first."""
    yield (first := first_mistake(model, data, errors))
    misspelt = {one["loc"][:-1] for one in errors if one["type"] == "extra_forbidden"}
    by_key: dict[object, list[ErrorDetails]] = {}
    for one in errors:
        is_missing = one["type"] == "missing"
        if not (is_missing and one["loc"][:-1] in misspelt):  # misspelt, it is said already
            key = one["loc"] if is_missing else _written(one["loc"], data)
            by_key.setdefault(key, []).append(one)
    yield from (each for own in by_key.values() if (each := first_mistake(model, data, own)) != first)


def first_mistake(model: type[BaseModel], data: object, errors: list[ErrorDetails]) -> tuple[str, str, str]:
    """The first thing to mend of pydantic's ``errors`` about ``data``, as JSON has it: the dotted key ("" is
    the whole file), what is wrong there, as a sentence, and what to do."""
    # A misspelt key is also a missing one; the misspelling is the cause.
    error = min(errors, key=lambda one: one["type"] != "extra_forbidden")
    loc, key = error["loc"], _written(error["loc"], data)
    if error["type"] == "extra_forbidden":
        known = _file_keys(_model_at(model, loc[:-1]))
        return key, "unknown key.", did_you_mean(str(loc[-1]), known)
    if error["type"] == "missing":
        return f"{key}.{loc[-1]}".removeprefix("."), "is missing.", "Add it."
    if error["type"].startswith("date_"):
        return key, f"{as_yaml(error['input'])} is no date.", "Write YYYY-MM-DD."
    if error["type"] == "value_error":
        return key, str(error["ctx"]["error"]), ""
    # pydantic names each alternative of a place behind the place.
    here = [one for one in errors if _written(one["loc"], data) == key]
    about = ((one.get("ctx", {}), one["type"]) for one in here)
    words = (_EXPECTED.get(ctx.get("pattern", kind), "").format(**ctx) for ctx, kind in about)
    expected = " or ".join(dict.fromkeys(word.replace("'", "") for word in words if word))
    said = f"should be {expected}" if expected else f"{error['msg'][0].lower()}{error['msg'][1:]}"
    quotable = expected == "text" and isinstance(error["input"], bool | int | float)
    # Of a list that is too short or too long its length.
    given = error.get("ctx", {}).get("actual_length") or as_yaml(error["input"])
    return key, f"{said} (given: {given}).", "Put it in quotes." * quotable


def _written(at: Sequence[Any], data: Any) -> str:
    """The parts of a location that are in the file, dotted: pydantic adds the names of alternatives."""
    parts = []
    for part in at:
        if isinstance(data, list | dict):
            with suppress(LookupError, TypeError):
                data = data[part]
                parts.append(" ".join(str(part).split()))
    return ".".join(parts)


def _file_keys(model: type[BaseModel]) -> list[str]:
    """The keys that a file may use, as people write them."""
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_at(model: type[BaseModel], loc: Sequence[int | str]) -> type[BaseModel]:
    """The innermost model on the way to an error's place."""
    for part in loc:
        field = model.model_fields.get(str(part))
        annotations = [field.annotation] if field else []
        for annotation in annotations:  # which grows: what is in a list or union, breadth first
            annotations += get_args(annotation)
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                model = annotation
                break
    return model


_RANGE = "between -1e18 and 1e18"
_KINDS = {"int": f"a whole number {_RANGE}", "float": f"a number {_RANGE}", "timestamp": "a date"}


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Plain data, and no key twice: YAML lets a later one silently replace an earlier."""

    depth = values = weight = 0

    # Called before and after each node is read, the only calls back from the C code.
    def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
        self.depth, self.values = self.depth + 1, self.values + 1
        if self.depth > _DEEPEST or self.values > MOST_VALUES:
            raise _at(parent, f"more than {MOST_VALUES:,} values, or nested more than {_DEEPEST} deep")

    def ascend_resolver(self) -> None:
        self.depth -= 1

    def read(self, node: yaml.Node, depth: int = 0) -> Any:
        """What a node holds, its aliases unfolded. Raises YAMLError."""
        self.weight += 40 + len(node.value)
        if depth > _DEEPEST or self.weight > _HEAVIEST:
            raise _at(node, "too much, or nested too deep, once its aliases (*) are unfolded")
        if isinstance(node, yaml.SequenceNode):
            return [self.read(each, depth + 1) for each in node.value]
        if isinstance(node, yaml.ScalarNode):
            kind = node.tag.rpartition(":")[2]
            # PyYAML fails in many ways for what is no number or date, in quadratic time for a long one.
            with suppress(ValueError, KeyError, OverflowError, AttributeError, yaml.YAMLError):
                read = self.construct_object(node) if kind == "str" or len(node.value) < 400 else nan
                is_number = isinstance(read, int | float) and abs(read) < 2**63
                if is_number or isinstance(read, str | date | None):
                    return read
            raise _at(node, f"{as_yaml(node.value)} cannot be read as {_KINDS.get(kind, kind)}")
        found: dict[Any, Any] = {}
        for key_node, value in node.value:
            key = self.read(key_node, depth + 1)
            if isinstance(key, list | dict):
                raise _at(key_node, f"{as_yaml(key)} is no key")
            if key in found:
                raise _at(key_node, f"key {as_yaml(key)} appears twice")
            found[key] = self.read(value, depth + 1)
        return found


def _at(node: yaml.Node | None, problem: str) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark if node else None)


def parse_yaml(path: Path) -> Any:
    """What the file holds. Raises ConfigError that names the file and, where it is known, the line."""
    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1) if path.stat().st_size else file.read(65_536)  # a pipe has no size
        if len(raw) <= LARGEST:
            loader = _Loader(raw.decode("utf-8"))
            node = loader.get_single_node()
            return None if node is None else loader.read(node)
        problem = f"is larger than {LARGEST // 10**6} MB. Is it a YAML file?"
    except OSError as error:
        problem = f"cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        problem = "is not UTF-8 text. Is it a YAML file?"
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
        begun = ""
        if str(error.context).startswith("while") and error.context_mark:
            begun = f" {error.context} of line {error.context_mark.line + 1}"
        problem = f"is not valid YAML{line}: {str(error.problem).removeprefix('but ')}{begun}."
    except yaml.YAMLError:
        problem = "holds letters that no text has. Is it a YAML file?"
    raise ConfigError(path, "", problem)


@lru_cache(maxsize=16)
def shipped(folder: str) -> Path:
    """The shipped data folder of that name: in a wheel's package, or at the top of a source tree."""
    package = Path(__file__).resolve().parent
    packaged = package / "data" / folder
    return packaged if packaged.is_dir() else package.parent / folder


def places(folder: str) -> list[Path]:
    """Where files of that folder are looked for by name: in the working folder's own, then in the shipped."""
    return [Path(folder), shipped(folder)]


def cache_folder() -> Path:
    """The user's cache folder, created on demand. ``NIAH_CACHE`` overrides it. Raises UserError."""
    folder = Path(os.environ.get("NIAH_CACHE") or platformdirs.user_cache_dir("niah"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the cache folder {folder} cannot be made: {error.strerror}."
        raise UserError(problem, "Set NIAH_CACHE to a folder that is writable.") from None
    return folder


def find(kind: str, name: str, folders: Sequence[Path], suffixes: Sequence[str] = YAML) -> Path:
    """The file that ``name`` means. Raises UnknownName where ``locate`` has none, also for a folder."""
    if found := locate(name, folders, suffixes):
        return found
    error = UnknownName(kind, name, yaml_names(folders, suffixes))
    path, is_folder = Path(name), Path(name).is_dir()
    if is_folder or path.suffix in suffixes or path.name != name:  # a path: a list of names helps little
        error.message = f"{name} is a folder." if is_folder else f"there is no file {name}."
        error.remedy = error.remedy if error.remedy.startswith("Did") else "Check the path."
    raise error


def locate(name: str, folders: Sequence[Path], suffixes: Sequence[str] = YAML) -> Path | None:
    """The file of a path, or of a bare name in one of ``folders``."""
    stem = next((name.removesuffix(each) for each in suffixes if name.endswith(each)), name)
    is_bare = os.sep not in name
    named = (f"{folder}/{stem}{suffix}" for folder in folders if is_bare for suffix in suffixes)
    return next((path for each in (name, *named) if (path := Path(each)).is_file()), None)


def yaml_names(folders: Sequence[Path], suffixes: Sequence[str] = YAML) -> list[str]:
    """Names of the files in ``folders`` that end so, each once, sorted; not of a question set's documents."""
    found = (path for folder in folders for suffix in suffixes for path in folder.glob(f"*{suffix}"))
    return sorted({path.stem for path in found if path.is_file() and path.suffixes[:-1] != [".documents"]})


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends well; a device is written to as it is.
    Raises OSError that names ``path``."""
    if path.exists() and not path.is_file():
        with naming_what_is_full(str(path)), path.open("wb") as file:
            yield file
        return
    whole = Path(os.path.realpath(path))  # what a link leads to
    # Its name stays one that file systems take, where the file's is long.
    draft = whole.with_name(f".{whole.name[:50]}.{os.getpid()}.draft")
    check_folder(path.parent)
    try:
        with naming_what_is_full(str(path), draft=str(draft)):
            whole.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("wb") as file:
                yield file
            draft.replace(whole)
    finally:
        with suppress(OSError):
            draft.unlink()


def check_free(path: Path) -> None:
    """Raise UserError where a file that is to be written is there already."""
    if path.exists():
        raise UserError(f"{path} is there already, and stays as it is.", "Name another, or move it away.")


def check_folder(folder: Path) -> None:
    """Raise OSError that names what is in the way where no file can be made in a folder, there or not yet."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(there))
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(there))


def is_out_of_space(error: OSError) -> bool:
    """Whether no more can be written: the disk is full, or one's share of it, or the file has its limit."""
    return error.errno in (ENOSPC, EDQUOT, EFBIG)


@contextmanager
def naming_what_is_full(name: str, draft: str = "") -> Iterator[None]:
    """Give ``name`` to the OSError of a full disk, which names nothing, and to one that names ``draft``."""
    try:
        yield
    except OSError as error:
        if error.filename == draft or (error.filename is None and is_out_of_space(error)):
            raise OSError(error.errno, error.strerror, name) from None
        raise


@contextmanager
def telling_of_files() -> Iterator[None]:
    """Raise UserError in place of the error of a file, folder or name that cannot be used."""
    try:
        yield
    except UnicodeEncodeError as error:
        line = next((line for line in error.object.splitlines() if printable(line) != line), None)
        if line is None:
            raise
        remedy = "Rename the file, or write it in UTF-8."
        raise UserError(f"{line} is not UTF-8.", remedy) from error
    except OSError as error:
        problem, remedy = error.strerror, "Name another file or folder."
        if is_out_of_space(error):
            problem = "no space left on the disk"
            remedy = "Make room, and run the same command again; a run goes on from its finished trials."
        elif error.filename is None:
            raise
        name = "" if error.filename is None else f"{error.filename}: "
        raise UserError(f"{name}{problem}.", remedy) from error


def without_formula(value: object) -> object:
    """A field of a CSV file; an apostrophe is before a text that a spreadsheet would take for a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value
