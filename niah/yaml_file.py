"""YAML as it stands in a file, read within bounds: what strangers wrote costs little time and memory.

Depth and number of values are counted while the file is read; what aliases make of it is weighed after
(``niah.file_mistakes``), since a file of a few lines may unfold to millions of values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError
from niah.file_mistakes import as_yaml

LARGEST = 16_000_000
"""Bytes of a YAML file."""
_USUAL = 65_536
"""Most have fewer: room for the largest takes longer to get than they to be read."""

MOST_VALUES = 400_000
"""Values in a file, its keys, lists and mappings among them: a needle set of 20,000 needles has as many."""

_DEEPEST = 200
"""Where reading stops. What nests less and still too much is told by its key (``niah.file_mistakes``)."""

_DATABASE = b"SQLite format 3\0"
_OF_RUN_FILES = "niah show says what a run file holds, niah report makes its page."

_LONGEST_NUMBER = 400
"""Characters; Python takes quadratic time to read a number."""


def parse_yaml(path: Path) -> Any:
    """What the file holds. Raises ConfigError that names the file and, where it is known, the line."""
    return _read(path, lambda loader: loader.get_single_data())


def line_of_key(path: Path, keys: Sequence[str]) -> int:
    """The line, from 1, where the value of that key begins, or of the last of ``keys`` that is there.

    Args:
        path: a file that ``parse_yaml`` reads.
        keys: from the outside in; places in lists as figures.
    """
    import yaml

    node = _read(path, lambda loader: loader.get_single_node())
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            node = next((value for name, value in node.value if name.value == key), node)
        elif isinstance(node, yaml.SequenceNode):
            node = node.value[int(key)]
    return int(node.start_mark.line) + 1


def _read(path: Path, take: Callable[[Any], Any]) -> Any:
    import yaml

    try:
        loader = _loader()(_text(path))
        try:
            return take(loader)
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line = f" (line {mark.line + 1})" if mark else ""
        problem = str(error.problem).removeprefix("but ")
        raise ConfigError(path, "", f"is not valid YAML{line}: {problem}.") from None
    except yaml.YAMLError:
        raise ConfigError(path, "", "holds letters that no text has.", "Is it a YAML file?") from None


def _text(path: Path) -> str:
    try:
        with path.open("rb") as file:
            raw = file.read(_USUAL)
            if len(raw) == _USUAL:
                raw += file.read(LARGEST + 1 - _USUAL)
        if len(raw) > LARGEST:
            problem = f"is larger than {LARGEST // 10**6} MB, the most that a YAML file may have."
            raise ConfigError(path, "", problem, "Long texts belong in .txt, .md or .jsonl files.")
        if raw.startswith(_DATABASE):
            raise ConfigError(path, "", "is a database, such as a run file, and no YAML.", _OF_RUN_FILES)
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.") from None


@cache
def _loader() -> type[Any]:
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc, valid-type]
        """Plain data within bounds, and no key twice: YAML lets a later one silently replace an earlier."""

        depth, values = 0, 0

        # Called before and after each node is read, the only calls back from the C code.
        def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
            self.depth += 1
            self.values += 1
            if self.depth > _DEEPEST:
                raise _mistake(f"nested more than {_DEEPEST} deep", parent)
            if self.values > MOST_VALUES:
                raise _mistake(f"more than {MOST_VALUES:,} values", parent)

        def ascend_resolver(self) -> None:
            self.depth -= 1

        def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[Hashable, Any]:
            if not isinstance(node, yaml.MappingNode):
                raise _mistake("expected a mapping", node)
            seen = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if isinstance(key, list | dict | set):
                    raise _mistake(f"{as_yaml(key)} is no key", key_node)
                if key in seen:
                    raise _mistake(f"key {as_yaml(key)} stands twice", key_node)
                seen.add(key)
            mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
            return mapping

        def construct_plain(self, node: yaml.Node) -> Any:
            """A number, date, or true and false: PyYAML's own constructors fail for what is none."""
            kind = node.tag.rpartition(":")[2]
            try:
                if len(node.value) <= _LONGEST_NUMBER:
                    return base.yaml_constructors[node.tag](self, node)
            except (ValueError, KeyError, OverflowError, AttributeError, yaml.constructor.ConstructorError):
                pass
            raise _mistake(f"{as_yaml(node.value)} cannot be read as {kind}", node)

    for kind in ("int", "float", "bool", "timestamp"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", Loader.construct_plain)
    return Loader


def _mistake(problem: str, node: Any) -> Exception:
    import yaml

    mark = node.start_mark if node is not None else None
    return yaml.constructor.ConstructorError(None, None, problem, mark)
