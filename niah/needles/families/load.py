"""Family files by name, read again when they have changed, and checked before anything is drawn."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError, UnknownName
from niah.files import checked_model, find, load_mapping, shipped, yaml_names
from niah.haystacks.structure import FileState, state_of
from niah.needles.families.check import check_family
from niah.needles.families.schema import Family

_ASKED_IN = "-asked-in-"

_FAMILIES: dict[tuple[str, tuple[FileState, ...]], Family] = {}
"""By name and the states of the files that make it."""


def family_folders() -> list[Path]:
    """Where families are looked for: the working folder's ``needles/families/``, then what ships."""
    return [Path("needles") / "families", shipped("needles") / "families"]


def family_names() -> list[str]:
    """The families that a bare name can mean."""
    names = list[str]()
    for name in yaml_names(family_folders()):
        languages = languages_of(find("needle family", name, family_folders()))
        names += [f"{name}-{one}" for one in languages] or [name]
    return sorted(names)


def find_family(name: str) -> tuple[Path, str]:
    """The file of a family by name or path, and its language where it has several. Raises UnknownName."""
    folders, parts = family_folders(), name.split("-")
    known = yaml_names(folders)
    for count in range(1, 0 if name in known else len(parts)):
        stem, language = "-".join(parts[:count]), "-".join(parts[count:])
        if stem in known:
            path = find("needle family", stem, folders)
            if language in languages_of(path):
                return path, language
    try:
        return find("needle family", name, folders), ""
    except UnknownName:
        raise UnknownName("needle family", name, family_names()) from None


def languages_of(path: Path) -> list[str]:
    """What a family's file is drawn in: "de", "de-asked-in-en"; none where it has no languages."""
    if b"\nlanguages:" not in b"\n" + path.read_bytes():
        return []
    data = _mapping(path, state_of(path))
    languages, across = data.get("languages"), data.get("across")
    if not isinstance(languages, dict):
        return []
    others = [name for name in languages if name != across] if across in languages else []
    pairs = [pair for one in others for pair in (f"{one}{_ASKED_IN}{across}", f"{across}{_ASKED_IN}{one}")]
    return [*languages, *pairs]


@lru_cache(maxsize=256)
def _mapping(path: Path, state: FileState) -> dict[Any, Any]:
    return load_mapping(path, Family)


def load_family(name: str) -> tuple[Path, Family]:
    """A family by name or path, and its file. Raises UnknownName or ConfigError."""
    path, language = find_family(name)
    data, states, passages = _of_language(path, language), [state_of(path)], None
    pools_of = data.get("passages_of")
    if isinstance(pools_of, str) and pools_of:
        try:
            found, other = load_family(pools_of)
        except UnknownName as error:
            raise ConfigError(path, "passages_of", error.message, error.remedy) from None
        passages, states = other.passages, [*states, state_of(found)]
    key = (f"{path.stem}-{language}" if language else path.stem, tuple(states))
    if key not in _FAMILIES:
        try:
            family = checked_model(path, data, Family)
        except ConfigError as error:
            problem = error.message.removeprefix(f"{path}: {error.key}: ")
            raise ConfigError(path, _where(path, language, error.key), problem, error.remedy) from None
        if pools_of:
            family = family.model_copy(update={"passages": passages})
        for fault, problem in check_family(family):
            raise ConfigError(path, _where(path, language, fault), problem)
        _FAMILIES[key] = family.named(key[0])
    return path, _FAMILIES[key]


def _of_language(path: Path, language: str) -> dict[Any, Any]:
    """What a family's file says, in one language where it has several. Raises ConfigError."""
    data = dict(_mapping(path, state_of(path)))
    languages, across = data.pop("languages", None), data.pop("across", None)
    if languages is None:
        return data
    known = languages_of(path)
    if not language or (across is not None and across not in languages):
        names = ", ".join(f"{path.stem}-{one}" for one in known[:3])
        problem = f"should be a mapping of languages, with {across or 'one'} among them."
        raise ConfigError(path, "languages", problem, f"Ask for one by its name: {names}." if names else "")
    told, _, asked = language.partition(_ASKED_IN)
    for one in filter(None, (told, asked)):
        if not isinstance(languages[one], dict):
            raise ConfigError(path, f"languages.{one}", "should be a mapping of keys to values.")
    data |= {
        key: {**data[key], **value} if isinstance(value, dict) and isinstance(data.get(key), dict) else value
        for key, value in languages[told].items()
    }
    if asked:
        data |= {key: languages[asked][key] for key in ("question", "answer") if key in languages[asked]}
        data["description"] = f"{path.stem}-{told}, with the question of {path.stem}-{asked}."
    return data


def _where(path: Path, language: str, key: str) -> str:
    """A key of a family as the file has it: in the block of the language, where it is written there."""
    languages = _mapping(path, state_of(path)).get("languages", {}) if language else {}
    told = language.partition(_ASKED_IN)[0]
    return f"languages.{told}.{key}" if key.partition(".")[0] in languages.get(told, {}) else key
