"""``niah schema``: JSON Schemas, so that editors complete and check the YAML."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import click

from niah.cli.option_types import FilePath
from niah.errors import UserError
from niah.files import atomic_write

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


# The title of each schema, and the class of a file, which is imported when it is asked for.
SCHEMAS = {
    "needle-set": ("A needle set of niah (needles/*.yaml)", "niah.needles.needle_set", "NeedleSet"),
    "family": (
        "A family of needle sets of niah (needles/families/*.yaml)",
        "niah.needles.families.schema",
        "Family",
    ),
    "haystack": (
        "A haystack's structure (haystack.yaml beside its texts)",
        "niah.haystacks.structure",
        "HaystackFile",
    ),
    "suite": ("A suite of niah (cases/*.yaml)", "niah.cases.suite", "SuiteFile"),
    "run": ("A run config of niah (runs/*.yaml)", "niah.runs.config.file", "RunFile"),
}


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)), required=False)
@click.option(
    "--out",
    type=FilePath(file_okay=False, path_type=Path),
    help="Write into this folder, one file a schema.",
)
def schema_command(name: str | None, out: Path | None) -> None:
    """Print the JSON Schema NAME, or write it (without NAME, all of them) to a folder.

    After `niah schema --out schemas`, an editor with the YAML language server completes and checks a file
    whose first line points to its schema:

    \b
      # yaml-language-server: $schema=../schemas/needle-set.schema.json
    """
    if out is None:
        if name is None:
            known = ", ".join(SCHEMAS)
            raise UserError("which schema?", f"Name one of {known}, or write them all with --out FOLDER.")
        click.echo(_text(name), nl=False)
        return
    for each in [name] if name else SCHEMAS:
        path = out / f"{each}.schema.json"
        with atomic_write(path) as file:
            file.write(_text(each).encode())
        click.echo(path)


def _text(name: str) -> str:
    title, module, model = SCHEMAS[name]
    schema = getattr(import_module(module), model).model_json_schema(by_alias=True)
    if name == "run":  # it may hold its suite
        from niah.cases.suite import SuiteFile

        suite = SuiteFile.model_json_schema(by_alias=True)
        seeds = {"anyOf": [part["properties"]["seeds"] for part in (suite, schema)]}
        schema["properties"] = suite["properties"] | schema["properties"] | {"seeds": seeds}
        schema["$defs"] |= suite["$defs"]
        schema["required"].remove("suite")
    return json.dumps({"$schema": _DIALECT, **schema, "title": title}, indent=2) + "\n"
