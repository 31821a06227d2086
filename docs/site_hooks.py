"""What mkdocs does not do by itself: the page of YAML keys, links to files off the site, and whole options."""

from __future__ import annotations

import json
import re
from typing import Any

from click.testing import CliRunner
from mkdocs.structure.files import File

from niah.cli.materials.schema import SCHEMAS, schema_command

_INTO_THE_SOURCE = re.compile(r"\[([^\]]+)\]\(\.\./[^)]+\)")
_COMMANDS = re.compile(r'<div class="language-sh.*?</div>', re.DOTALL)
_OPTION = re.compile(r"<[^>]*>|(?<![\w-])--?[A-Za-z][\w-]*")
"""An option; or a tag, in which there is none."""


def on_files(files: Any, config: Any) -> Any:
    """Add the page of keys, which is generated from the schemas that check the files."""
    files.append(File.generated(config, "config-keys.md", content=keys_page()))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The name alone of a file of the source tree, which the site has not."""
    return _INTO_THE_SOURCE.sub(r"\1", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """The page with each option of a command marked, so that no line breaks within it (extra.css)."""
    return _COMMANDS.sub(lambda block: _OPTION.sub(_marked, block[0]), html)


def _marked(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith("<") else f'<span class="option">{found[0]}</span>'


def keys_page() -> str:
    """Markdown: each kind of YAML file with its keys, their types and what stands where they are left out."""
    parts = [
        "# Keys of YAML files",
        "From the schemas that check the files; `niah schema --out schemas` writes them for an editor to complete by.",
    ]
    for name in SCHEMAS:
        schema = json.loads(CliRunner().invoke(schema_command, [name]).stdout)
        parts += [f"## {schema['title']}", *_object(schema)]
        for inner, definition in schema.get("$defs", {}).items():
            if "properties" in definition:
                parts += [f"### {inner} {{ #{name}-{inner.lower()} }}", *_object(definition)]
        parts = [part.replace("](#SCHEMA-", f"](#{name}-") for part in parts]
    return "\n\n".join(parts) + "\n"


def _object(schema: dict[str, Any]) -> list[str]:
    required = set(schema.get("required", ()))
    rows = ["| key | type | where it is left out |", "| --- | --- | --- |"]
    for key, value in schema.get("properties", {}).items():
        left_out = "**must stand**" if key in required else _shown(value.get("default"))
        rows.append(f"| `{key}` | {_type(value)} | {left_out} |")
    return [schema.get("description", "").replace("``", "`"), "\n".join(rows)]


def _shown(default: Any) -> str:
    return "" if default in (None, [], {}, "") else f"`{json.dumps(default)}`"


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        inner = value["$ref"].rpartition("/")[2]
        return f"[{inner}](#SCHEMA-{inner.lower()})"
    for several in ("anyOf", "oneOf", "allOf"):
        if several in value:
            kinds = dict.fromkeys(_type(each) for each in value[several] if each.get("type") != "null")
            return " or ".join(kinds)
    if "enum" in value:
        return ", ".join(f"`{each}`" for each in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    kind = value.get("type", "any")
    if kind == "array":
        return f"list of {_type(value.get('items', {}))}"
    return f"{kind}{_bounds(value)}"


def _bounds(value: dict[str, Any]) -> str:
    signs = {"minimum": "at least", "exclusiveMinimum": "over", "maximum": "at most", "exclusiveMaximum": "under"}
    said = [f"{words} {value[key]}" for key, words in signs.items() if key in value]
    return f", {' and '.join(said)}" if said else ""
