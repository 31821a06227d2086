"""``niah schema``: JSON Schemas, so that editors complete and check the YAML."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from niah.files import FileModel

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _needle_set() -> type[FileModel]:
    from niah.needles.schema import NeedleSetFile

    return NeedleSetFile


def _family() -> type[FileModel]:
    from niah.needles.families.schema import FamilyFile

    return FamilyFile


def _suite() -> type[FileModel]:
    from niah.cases.suite import SuiteFile

    return SuiteFile


def _run() -> type[FileModel]:
    from niah.runs.config_file import RunFile

    return RunFile


SCHEMAS: dict[str, tuple[str, Callable[[], type[FileModel]]]] = {
    "needle-set": ("A needle set of niah (needles/*.yaml)", _needle_set),
    "family": ("A family of needle sets of niah (needles/families/*.yaml)", _family),
    "suite": ("A suite of niah (cases/*.yaml)", _suite),
    "run": ("A run config of niah (runs/*.yaml)", _run),
}


@click.command()
@click.argument("name", type=click.Choice(list(SCHEMAS)), required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write into this folder, one file a schema.",
)
def schema_command(name: str | None, out: Path | None) -> None:
    """Print the JSON Schema NAME, or write it (without NAME, all of them) to a folder.

    After `niah schema --out schemas`, an editor with the YAML language server completes and checks a file
    whose first line points to its schema:

    \b
      # yaml-language-server: $schema=../schemas/needle-set.schema.json
    """
    from niah.errors import UserError

    if out is None:
        if name is None:
            known = ", ".join(SCHEMAS)
            raise UserError("which schema?", f"Name one of {known}, or write them all with --out FOLDER.")
        click.echo(_text(name), nl=False)
        return
    for each in [name] if name else SCHEMAS:
        click.echo(_written(out, each))


def _written(out: Path, name: str) -> Path:
    from niah.files import atomic_write

    path = out / f"{name}.schema.json"
    with atomic_write(path) as file:
        file.write(_text(name).encode())
    return path


def _text(name: str) -> str:
    import json

    title, model = SCHEMAS[name]
    schema: dict[str, Any] = model().model_json_schema(by_alias=True)
    return json.dumps({"$schema": _DIALECT, **schema, "title": title}, indent=2) + "\n"
