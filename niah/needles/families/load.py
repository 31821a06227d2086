"""Family files by name, and families, read again when their files have changed."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from niah.errors import ConfigError, UnknownName, did_you_mean
from niah.files import checked_model, find, locate, parse_yaml, places, yaml_names
from niah.haystacks.structure import FileState, state_of

if TYPE_CHECKING:
    from niah.needles.families.schema import Family

_ASKED_IN = "-asked-in-"


def family_names() -> dict[str, Path]:
    """The families that a bare name can mean, with their files."""
    files = dict[str, Path]()
    for name in yaml_names(folders := places("needles/families")):
        path = find("needle family", name, folders)
        files |= dict.fromkeys([f"{name}-{one}" for one in languages_of(path)] or [name], path)
    return dict(sorted(files.items()))


def find_family(name: str) -> tuple[Path, str]:
    """The file of a family by name or path, and its language where it has several. Raises UnknownName."""
    folders, parts = places("needles/families"), name.split("-")
    if path := locate(name, folders):
        return path, ""
    for count in range(1, len(parts)):
        stem, language = "-".join(parts[:count]), "-".join(parts[count:])
        if (path := locate(stem, folders)) and language in languages_of(path):
            return path, language
    raise UnknownName("needle family", name, family_names())


def languages_of(path: Path) -> list[str]:
    """What a family's file is drawn in: "de", "de-asked-in-en", or its wordings; none without either."""
    if not re.search(rb"^(languages|wordings):", path.read_bytes(), re.MULTILINE):
        return []
    return [language for language in _by_language(path, state_of(path)) if language]


@lru_cache(maxsize=256)
def _by_language(path: Path, state: FileState) -> dict[str, dict[Any, Any]]:
    """What a family's file says, by language or wording; by "" all of it. Raises ConfigError."""
    data = parse_yaml(path)
    if not isinstance(data, dict):
        raise ConfigError(path, "", "should be a mapping of keys to values.")
    said, languages, across = {"": data}, data.get("languages"), data.get("across")
    if isinstance(wordings := data.get("wordings"), dict):
        return said | {str(name): data | {"question": question} for name, question in wordings.items()}
    if not isinstance(languages, dict):
        return said
    shared = {key: value for key, value in data.items() if key not in ("languages", "across")}
    # A mistake in one language is no hindrance to a list of names: ``_family`` finds it.
    known = {name: own if isinstance(own, dict) else {} for name, own in languages.items()}
    for name, own in known.items():
        both = [key for key in own if isinstance(own[key], dict) and isinstance(shared.get(key), dict)]
        said[name] = shared | own | {key: {**shared[key], **own[key]} for key in both}
    if not isinstance(across, str) or across not in known:
        return said
    for pair in ((name, across) for name in known if name != across):
        for hidden, asked in (pair, pair[::-1]):
            description = f"{path.stem}-{hidden}, with the question of {path.stem}-{asked}."
            own = {key: known[asked][key] for key in ("question", "answer") if key in known[asked]}
            said[f"{hidden}{_ASKED_IN}{asked}"] = said[hidden] | own | {"description": description}
    return said


def load_family(name: str) -> tuple[Path, Family]:
    """A family by name or path, and its file. Raises UnknownName or ConfigError."""
    path, language = find_family(name)
    pools_of, lender = _by_language(path, state_of(path))[language].get("passages_of"), None
    if isinstance(pools_of, str) and pools_of:
        try:
            own, languages = find_family(pools_of)
            lender = _family(own, languages, state_of(own), None)  # who borrows itself lends none
        except UnknownName as error:
            raise ConfigError(path, "passages_of", error.message, error.remedy) from None
    return path, _family(path, language, state_of(path), lender)


@lru_cache(maxsize=256)
def _family(path: Path, language: str, state: FileState, lender: Family | None) -> Family:
    """The family of a file in one language, checked, with the passages that another lends it."""
    from niah.needles.families.checks import faults_of  # whoever only lists names goes without
    from niah.needles.families.schema import Family

    said = _by_language(path, state)
    languages, across = said[""].get("languages"), said[""].get("across")
    if isinstance(languages, dict):
        if across not in (None, *languages):
            problem = f"no language is called {across!r}. {did_you_mean(str(across), languages)}"
            raise ConfigError(path, "across", problem)
        for name in filter(None, language.split(_ASKED_IN)):
            if not isinstance(languages[name], dict):
                raise ConfigError(path, f"languages.{name}", "should be a mapping of keys to values.")
    if not language and len(said) > 1:
        names = ", ".join(f"{path.stem}-{one}" for one in [*said][1:6])
        key = "languages" if "languages" in said[""] else "wordings"
        raise ConfigError(path, key, "holds several families.", f"Ask for one by its name: {names}.")
    try:
        family = checked_model(path, said[language], Family)
    except ConfigError as error:
        where = _where(path, language, error.key)
        raise ConfigError(path, where, error.problem, error.remedy) from None
    if lender:
        family = family.model_copy(update={"passages": lender.passages})
    for fault, problem in faults_of(family):
        raise ConfigError(path, _where(path, language, fault), problem)
    name = f"{path.stem}-{language}" if language else path.stem
    return family.named(name, path.stem if family.wordings else name)


def _where(path: Path, language: str, key: str) -> str:
    """A key of a family as the file has it: in the block of the language, where it is written there."""
    languages = _by_language(path, state_of(path))[""].get("languages", {}) if language else {}
    hidden = language.partition(_ASKED_IN)[0]
    return f"languages.{hidden}.{key}" if key.partition(".")[0] in languages.get(hidden, {}) else key
