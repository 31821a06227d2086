"""Files that people write: strict YAML, checked by pydantic, with one clear line per mistake."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EACCES, EDQUOT, EFBIG, ENOSPC, ENOTDIR
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from niah.errors import ConfigError, UnknownName, UserError, printable, shortened
from niah.file_mistakes import file_keys, first_mistake, unfit_value
from niah.yaml_file import parse_yaml

YAML = (".yaml", ".yml")
NonEmptyText = Annotated[str, Field(min_length=1)]


class FileModel(BaseModel):
    """Base of everything read from YAML: no unknown keys, no silent conversions, no later changes."""

    # Validators are built when the first file is read: most commands read few kinds of files.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


_Model = TypeVar("_Model", bound=FileModel)


def load_yaml(path: Path, model: type[_Model]) -> _Model:
    """Read one YAML file into ``model``. Raises ConfigError that names file, key and remedy."""
    return checked_model(path, load_mapping(path, model), model)


def load_mapping(path: Path, model: type[_Model]) -> dict[Any, Any]:
    """What one YAML file holds, unchecked but for being a mapping. Raises ConfigError."""
    data = parse_yaml(path)
    if not isinstance(data, dict):
        problem = "is empty." if data is None else "should be a mapping of keys to values."
        raise ConfigError(path, "", problem, f"Keys: {', '.join(file_keys(model))}.")
    return data


def checked_model(path: Path, data: Mapping[Any, Any], model: type[_Model]) -> _Model:
    """What ``path`` holds as a ``model``. Raises ConfigError that names file, key and remedy."""
    import orjson

    if mistake := unfit_value(data):
        raise ConfigError(path, *mistake)
    # Through JSON, because strict mode there reads a list as a tuple and still no "3" as 3.
    as_json = orjson.dumps(data, option=orjson.OPT_NON_STR_KEYS)
    try:
        return model.model_validate_json(as_json)
    except ValidationError as error:
        mistake = first_mistake(model, orjson.loads(as_json), error.errors())
        raise ConfigError(path, *mistake) from None


def check_each_once(values: Sequence[object]) -> None:
    """Raise ValueError for the first value of a list that is in it twice."""
    seen = set[object]()
    for value in values:
        if value in seen:
            raise ValueError(f"{value!r} stands twice. Take one out.")
        seen.add(value)


def find(kind: str, name: str, folders: list[Path], suffixes: Sequence[str] = YAML) -> Path:
    """The file that ``name`` means: a path, or a bare name in one of ``folders``.

    "cases/quick.yaml" also finds the shipped file where the working folder has none of that name.
    Raises UnknownName, also for a folder.
    """
    path = Path(name)
    if path.is_file():
        return path
    stem = path.stem if path.suffix in suffixes else name
    if path.parent == Path() or path.parent.name in {folder.name for folder in folders}:
        for candidate in (folder / f"{stem}{suffix}" for folder in folders for suffix in suffixes):
            if candidate.is_file():
                return candidate
    raise unknown_file(kind, name, yaml_names(folders, suffixes), suffixes)


def unknown_file(kind: str, name: str, known: Iterable[str], suffixes: Sequence[str] = YAML) -> UnknownName:
    """The error of a name without a file: it is a folder, or another name is near."""
    error = UnknownName(kind, name, known)
    if name and Path(name).is_dir():
        inside = sorted(path for suffix in suffixes for path in Path(name).glob(f"*{suffix}"))
        error.message = f"{name} is a folder, not a {kind}."
        error.remedy = f"Name a file in it{f', such as {inside[0]}' if inside else ''}."
    elif near := [
        other for suffix in suffixes if name and (other := Path(name).with_suffix(suffix)).is_file()
    ]:
        error.remedy = f"Did you mean {str(near[0])!r}?"
    return error


def yaml_names(folders: list[Path], suffixes: Sequence[str] = YAML) -> list[str]:
    """Names of the files in ``folders`` that end so, each once, sorted."""
    found = (path for folder in folders for suffix in suffixes for path in folder.glob(f"*{suffix}"))
    return sorted({path.stem for path in found if path.is_file()})


def is_yaml_name(name: str, folders: list[Path]) -> bool:
    """Whether it is one of ``yaml_names``, without a look at the others."""
    bare = name != "" and Path(name).name == name
    return bare and any((folder / f"{name}{suffix}").is_file() for folder in folders for suffix in YAML)


@contextmanager
def atomic_write(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name only when the block ends well.

    A device or pipe (/dev/stdout) is written to as it is. Raises OSError that names ``path``.
    """
    if path.exists() and not path.is_file():
        with naming_what_is_full(str(path)), path.open("wb") as file:
            yield file
        return
    whole = Path(os.path.realpath(path))  # what a link leads to
    # Its name stays one that file systems take, where the file's is long.
    draft = whole.with_name(f".{whole.name[:50]}.{os.getpid()}.draft")
    try:
        with _named(path):
            whole.parent.mkdir(parents=True, exist_ok=True)
            opened = draft.open("wb")
        with naming_what_is_full(str(path)), opened as file:
            yield file
        with _named(path):
            draft.replace(whole)
    finally:
        with suppress(OSError):
            draft.unlink()


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Raise an OSError again, with the path that the user knows in place of the draft's."""
    try:
        yield
    except FileExistsError:  # a file in a folder's place
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(path)) from None
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def is_out_of_space(error: OSError) -> bool:
    """Whether no more can be written: the disk is full, or one's share of it, or the file has its limit."""
    return error.errno in (ENOSPC, EDQUOT, EFBIG)


@contextmanager
def naming_what_is_full(name: str) -> Iterator[None]:
    """Raise OSError for a lack of room with the name of what is written, where it has none yet."""
    try:
        yield
    except OSError as error:
        if is_out_of_space(error) and error.filename is None:
            raise OSError(error.errno, error.strerror, name) from None
        raise


def as_user_error(error: OSError | UnicodeEncodeError) -> UserError | None:
    """The user's error of a file or folder that cannot be used; None where none is named."""
    if isinstance(error, UnicodeEncodeError):
        line = error.object[error.object.rfind("\n", 0, error.start) + 1 :].partition("\n")[0]
        return not_utf8(line) if printable(line) != line else None
    name = "" if error.filename is None else f"{shortened(str(error.filename))}: "
    if is_out_of_space(error):
        remedy = "Make room, and run the same command again; a run goes on from its finished trials."
        return UserError(f"{name}no space left on the disk.", remedy)
    return UserError(f"{name}{error.strerror}.", "Name another file or folder.") if name else None


def not_utf8(name: str) -> UserError:
    """The user's error of a name or text that is not UTF-8."""
    return UserError(f"{shortened(printable(name))} is not UTF-8.", "Rename the file, or write it in UTF-8.")


@contextmanager
def telling_of_files() -> Iterator[None]:
    """Raise UserError in place of the error of a file or folder that cannot be used."""
    try:
        yield
    except (OSError, UnicodeEncodeError) as error:
        if told := as_user_error(error):
            raise told from error
        raise


def check_folder(folder: Path) -> None:
    """Whether files may be made in ``folder``, which need not be there yet. Raises OSError that names it.

    To be asked before anything is paid for that is to be written there.
    """
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(there))
    if not os.access(there, os.W_OK | os.X_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(there))


def without_formula(value: object) -> object:
    """A field of a CSV file that no spreadsheet takes for a formula: an apostrophe is put before such a text.

    Numbers stay, and texts that are numbers.
    """
    if not isinstance(value, str) or not value.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r")):
        return value
    with suppress(ValueError):
        float(value)
        return value
    return f"'{value}"
