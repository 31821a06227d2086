"""What users see and get, a key a line: parts of golden.json.gz. Inputs are in tests/data/shown.yaml."""

from __future__ import annotations

import base64
import csv
import json
import re
import shlex
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import matplotlib
import yaml

from niah.plots.drawing import draw_figures
from niah.plots.theme import write_drawing
from tests.cases.questions.test_datasets import DOCUMENTS, ROWS
from tests.contract.conftest import run_niah, write
from tests.faults.test_imports import U_NIAH
from tests.plots.simulated_run import Size, write_run
from tests.runs.test_run_file import write_night

ROOT = Path(__file__).parents[1]
INPUTS: dict[str, Any] = yaml.safe_load((ROOT / "tests/data/shown.yaml").read_text(encoding="utf-8"))
Part = dict[str, Any]
_PLOTS = "niah.plots"
_MOST = 400  # lines of a file that are compared
_PLAIN_TERMINAL = {"COLUMNS": "100", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def plain(text: str, folder: Path) -> str:
    """The text without what differs between machines, days and versions; numbers with six digits."""
    from niah import __version__
    from niah.files import cache_folder

    for path, name in ((folder, "FOLDER"), (cache_folder(), "CACHE"), (ROOT, "NIAH")):
        text = text.replace(str(path), name)
    text = re.sub(rf"(?<![\d.]){re.escape(__version__)}(?![\d.]*\d)", "VERSION", text)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?[\d.+:Z]*", "TIME", text)
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b1[789]\d{8}\b", "UUID", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "SHA256", text)
    text = re.sub(r"127\.0\.0\.1:\d{4,}", "HOST", text)
    return re.sub(r"-?\d+\.\d{6,}(e-?\d+)?", lambda number: f"{float(number[0]):.5g}", text)


def _lines(name: str, text: str, folder: Path) -> Part:
    lines = plain(text, folder).splitlines()
    made: Part = {f"{plain(name, folder)} | {at:03}": line for at, line in enumerate(lines[:_MOST], 1)}
    return made | {f"{plain(name, folder)} | lines": len(lines)}


def _said(command: str, folder: Path, **env: str) -> Part:
    done = run_niah(*shlex.split(command), cwd=folder, env=_PLAIN_TERMINAL | env)
    name = " ".join([command, *env.values()])
    return (
        {f"{name} | code": done.code} | _lines(name, done.out, folder) | _lines(f"{name} !", done.err, folder)
    )


def imported(folder: Path) -> Part:
    """Every line that each format of questions and of needles becomes, and what the import says."""
    archive = folder / "extracted_text/AA-LCR_extracted-text.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as file:
        for name, text in DOCUMENTS.items():
            file.writestr(f"lcr/Legal/legal_boats/{name}", text)
    made: Part = {}
    for name, rows in ROWS.items():
        write(folder / f"{name}.json", json.dumps(rows))
        where = "nolima" if name == "nolima" else f"{name}.jsonl"
        made |= _said(f"import {name} {name}.json --out {where}", folder)
    write(folder / "needle_cases.yaml", U_NIAH)
    made |= _said("import u-niah needle_cases.yaml --out u-niah", folder)
    for path in sorted(folder.glob("*.jsonl")):
        for at, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            made |= {f"{path.stem} {at} {key}": value for key, value in json.loads(line).items()}
    for path in sorted(folder.glob("*/*.yaml")):
        made |= {f"{path.stem} {key}": value for key, value in yaml.safe_load(path.read_text()).items()}
    return made


def shown(folder: Path) -> Part:
    """What commands print and write of two simulated runs, of nights, suites and questions."""
    return _world()[0]


def pages(folder: Path) -> Part:
    """The text of their pages, tables and figures."""
    return _world()[1]


@cache
def _world() -> tuple[Part, Part]:
    """Both parts, which are of the same commands."""
    with TemporaryDirectory() as name:
        folder = Path(name).resolve()
        for path, text in INPUTS["files"].items():
            write(folder / path, text)
        for run, of in INPUTS["runs"].items():
            size = Size(seeds=of["seeds"], strategies=of["strategies"], answer=40)
            write_run(folder / f"runs/{run}.sqlite", size, of["answers"])
        for day, scores in INPUTS["nights"].items():
            write_night(folder / "runs", day, scores)
        said: Part = {}
        for command in INPUTS["commands"]:
            if "--labels" in command:
                _label(folder / "runs/one.labels.csv")
            drawn = (
                draw_figures if command.endswith("plots/one") else lambda *_, **__: iter(())
            )  # once is enough
            with (
                patch("niah.plots.report.draw_figures", drawn),
                patch("niah.plots.drawing.write_drawing", _quickly),
            ):
                said |= _said(command, folder)
        for command in INPUTS["terminal"]:
            for width in ("50", "120"):
                said |= _said(command, folder, COLUMNS=width, FORCE_COLOR="1")
        seen: Part = {}
        for path in sorted(each for each in folder.rglob("*.*") if each.is_file()):
            to = seen if path.is_relative_to(folder / "plots") else said
            to |= _file(path, folder)
        return said, seen


def _no_figures(*_: object, **__: object) -> Iterator[Any]:
    """Drawn once they are enough."""
    return iter(())


def _quickly(drawing: Any, path: Path, kind: str, look: Any) -> None:
    """A third of what a report takes."""
    if kind != "png":
        drawing.set_layout_engine("none")
        with matplotlib.rc_context({"svg.fonttype": "none"}):
            write_drawing(drawing, path, kind, look)


def _label(sheet: Path) -> None:
    """Fill in a sheet, as two people would who seldom differ."""
    rows = list(csv.DictReader(sheet.read_text(encoding="utf-8").splitlines()))
    for at, row in enumerate(rows):
        row |= {"label_1": [1, 3, 5, 7, 10][at % 5], "label_2": [1, 3, 5, 7, 10][(at + at % 3 // 2) % 5]}
    with sheet.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)


def _file(path: Path, folder: Path) -> Part:
    name = path.relative_to(folder).as_posix()
    if path.suffix in (".sqlite", ".png") or name in INPUTS["files"]:
        return {f"{name} | is there": True}
    if name.startswith("plots/both/tables/") and path.suffix == ".md":
        return {}
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        texts = re.findall(r"<text[^>]*>(.*?)</text>", text)
        styles = Counter(re.findall(r'style="([^"]*)"', text))
        return {f"{name} texts": texts} | {
            f"{name} style {plain(style, folder)}": n for style, n in styles.items()
        }
    return _lines(name, _html(text) if path.suffix == ".html" else text, folder)


class _Reader(HTMLParser):
    """The text of a page, a line a text, with tags, links and what a script's data are."""

    def __init__(self) -> None:
        super().__init__()
        self.lines, self.tag, self.at = list[str](), "", dict[str, str | None]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tag, self.at = tag, dict(attrs)
        told = {key: value for key, value in attrs if key not in ("content", "width", "height")}
        self.lines += [f"<{tag} {told}"] if told else []

    def handle_data(self, data: str) -> None:
        if not data.strip():
            return
        if self.tag == "script" and (self.at.get("id") == "index" or self.at.get("class") == "block"):
            packed = zlib.decompress(base64.b64decode(data), -zlib.MAX_WBITS)
            self.lines += _flat(json.loads(packed), "")
        elif self.tag not in ("script", "style"):
            self.lines.append(f"{self.tag}: {' '.join(data.split())}")


def _html(text: str) -> str:
    reader = _Reader()
    reader.feed(text)
    return "\n".join(reader.lines)


def _flat(value: object, name: str, depth: int = 3) -> Iterator[str]:
    """A line for each part of a page's data, of long lists for the first twelve."""
    parts = dict(enumerate(value[:12])) if isinstance(value, list) else value
    if not parts or not depth or not isinstance(parts, dict):
        yield f"{name}: {json.dumps(value, ensure_ascii=False)}"
        return
    for key, part in parts.items():
        yield from _flat(part, f"{name} {key}", depth - 1)
