"""YAML files, read within bounds: a hostile file costs little time and memory.

Depth and number of values are counted while the file is read; ``niah.file_mistakes.unfit_value`` weighs what
its aliases unfold to.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any

from niah.errors import ConfigError
from niah.file_mistakes import as_yaml

LARGEST = 16_000_000
"""Bytes of a YAML file."""
MOST_VALUES = 400_000
"""Values in a file, keys, lists and mappings among them: a needle set of 20,000 needles has as many."""
_DEEPEST = 200
_LONGEST_NUMBER = 400  # characters; Python takes quadratic time to read a number


def parse_yaml(path: Path) -> Any:
    """What the file holds. Raises ConfigError that names the file and, where it is known, the line."""
    import yaml

    try:
        with path.open("rb") as file:
            raw = file.read(LARGEST + 1) if path.stat().st_size else file.read(65_536)  # a pipe has no size
        if len(raw) > LARGEST:
            raise ConfigError(path, "", f"is larger than {LARGEST // 10**6} MB.", "Is it a YAML file?")
        if raw.startswith(b"SQLite format 3\0"):
            raise ConfigError(path, "", "is a run file, and no YAML.", "See niah show and niah report.")
        return yaml.load(raw.decode("utf-8"), _loader())
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    except yaml.MarkedYAMLError as error:
        line = f" (line {error.problem_mark.line + 1})" if error.problem_mark else ""
        problem = str(error.problem).removeprefix("but ")
        raise ConfigError(path, "", f"is not valid YAML{line}: {problem}.") from None
    except yaml.YAMLError:
        raise ConfigError(path, "", "holds letters that no text has.", "Is it a YAML file?") from None


@cache
def _loader() -> type[Any]:
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    def mistake(problem: str, node: Any) -> Exception:
        return yaml.constructor.ConstructorError(None, None, problem, node.start_mark if node else None)

    class Loader(base):  # type: ignore[misc, valid-type]
        """Plain data within bounds, and no key twice: YAML lets a later one silently replace an earlier."""

        depth, values = 0, 0

        # Called before and after each node is read, the only calls back from the C code.
        def descend_resolver(self, parent: yaml.Node | None, index: object) -> None:
            self.depth += 1
            self.values += 1
            if self.depth > _DEEPEST:
                raise mistake(f"nested more than {_DEEPEST} deep", parent)
            if self.values > MOST_VALUES:
                raise mistake(f"more than {MOST_VALUES:,} values", parent)

        def ascend_resolver(self) -> None:
            self.depth -= 1

        def construct_mapping(self, node: yaml.Node, deep: bool = False) -> dict[Hashable, Any]:
            if not isinstance(node, yaml.MappingNode):
                raise mistake("expected a mapping", node)
            seen = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if isinstance(key, list | dict | set):
                    raise mistake(f"{as_yaml(key)} is no key", key_node)
                if key in seen:
                    raise mistake(f"key {as_yaml(key)} stands twice", key_node)
                seen.add(key)
            mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
            return mapping

        def construct_plain(self, node: yaml.Node) -> Any:
            """A number, date, or true and false: PyYAML's own constructors fail for what is none."""
            try:
                if len(node.value) <= _LONGEST_NUMBER:
                    return base.yaml_constructors[node.tag](self, node)
            except (ValueError, KeyError, OverflowError, AttributeError, yaml.constructor.ConstructorError):
                pass
            raise mistake(f"{as_yaml(node.value)} cannot be read as {node.tag.rpartition(':')[2]}", node)

    for kind in ("int", "float", "bool", "timestamp"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", Loader.construct_plain)
    return Loader
