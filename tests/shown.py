"""What users see and get, a key a line: parts of golden.json.gz. Inputs are in tests/data/shown.yaml."""

from __future__ import annotations

import base64
import contextlib
import csv
import hashlib
import json
import re
import shlex
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

import matplotlib
import numpy as np
import yaml
from rich.console import Console

import niah
from niah.plots.drawing import draw_figures
from niah.plots.terminal import print_heatmaps
from niah.plots.theme import write_drawing
from tests.cases.questions.test_datasets import DOCUMENTS, ROWS
from tests.contract.conftest import Endpoint, run_niah, write
from tests.faults.test_imports import U_NIAH
from tests.loopback import replying
from tests.plots.simulated_run import Size, write_run
from tests.runs.test_run_file import write_night

ROOT = Path(__file__).parents[1]
INPUTS: dict[str, Any] = yaml.safe_load((ROOT / "tests/data/shown.yaml").read_text(encoding="utf-8"))
Part = dict[str, Any]
# Lines of a file that are compared; of nights, whose seconds differ, what comes before them.
_MOST = {"plots/one/index.html": 4000, "plots/night-": 300, "": 400}
_PLAIN_TERMINAL = {"COLUMNS": "100", "TERM": "xterm-256color", "COLORTERM": "truecolor"}


def plain(text: str, folder: Path) -> str:
    """The text without what differs between machines, days and versions; numbers with six digits."""
    from niah import __version__
    from niah.files import cache_folder

    for path, name in ((folder, "FOLDER"), (cache_folder(), "CACHE"), (ROOT, "NIAH")):
        text = text.replace(str(path), name)
    text = re.sub(rf"(?<![\d.]){re.escape(__version__)}(?![\d.]*\d)", "VERSION", text)
    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?[\d.+:Z]*|(?<=date: ')[\d-]+", "TIME", text)
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b1[789]\d{8}\b", "UUID", text)
    text = re.sub(r"\b[0-9a-f]{64}\b", "SHA256", text)
    text = re.sub(r"(?m)^\d+ of \d+ trials,.*\n", "", text)
    text = re.sub(r'"seconds":[\d.]+', '"seconds":0', text)
    text = re.sub(r"127\.0\.0\.1:\d{4,}", "HOST", text)
    return re.sub(r"-?\d+\.\d{6,}(e-?\d+)?", lambda number: f"{float(number[0]):.5g}", text)


def _lines(name: str, text: str, folder: Path) -> Part:
    lines, name = plain(text, folder).splitlines(), plain(name, folder)
    most = next(count for start, count in _MOST.items() if name.startswith(start))
    made: Part = {f"{name} | {at:03}": line for at, line in enumerate(lines[:most], 1)}
    return made | {f"{name} | lines": len(lines)}


def _said(command: str, folder: Path, **env: str) -> Part:
    done = run_niah(*shlex.split(command), cwd=folder, env=_PLAIN_TERMINAL | env)
    name = " ".join([command, *env.values()])
    out = re.sub(r" +(time|[\d.]+ s)(?=  )", "", done.out) if command == "run own.yaml" else done.out
    return {f"{name} | code": done.code} | _lines(name, out, folder) | _lines(f"{name} !", done.err, folder)


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
        made |= _lines(path.stem, path.read_text(encoding="utf-8"), folder)
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
    endpoint, said, seen = Endpoint(), Part(), Part()
    quickly = patch("niah.plots.report.write_drawing", _quickly)
    with TemporaryDirectory() as name, replying(endpoint.reply) as endpoint.address, quickly:
        folder = Path(name).resolve()
        for path, text in INPUTS["files"].items():
            write(folder / path, text.replace("ADDRESS", endpoint.base))
        for run, of in INPUTS["runs"].items():
            size = Size(seeds=of["seeds"], strategies=of["strategies"], answer=40)
            write_run(folder / f"runs/{run}.sqlite", size, of["answers"])
        for day, scores in INPUTS["nights"].items():
            write_night(folder / "runs", day, scores)
        for command in INPUTS["commands"]:
            if "--labels" in command:
                _label(folder / "runs/one.labels.csv")
            if "2026-12-02" in command:
                endpoint.models["m"] = lambda prompt: "No."
            drawn = draw_figures if command.endswith("plots/one") else _no_figures
            with patch("niah.plots.report.draw_figures", drawn):
                said |= _said(command, folder)
        run = niah.load_run(str(folder / "runs/one.sqlite"))
        odd = replace(run.contents, path=Path("[b]one[/b] " * 9))
        said |= _lines("repr", repr(replace(run, contents=odd, notes=("[b]of a run[/b] " * 9,))), folder)
        frame = run.trials()
        for width in ("50", "120"):
            for command in INPUTS["terminal"]:
                said |= _said(command, folder, COLUMNS=width, FORCE_COLOR="1")
            console = Console(force_terminal=True, color_system="truecolor", width=int(width))
            with console.capture() as printed:
                print_heatmaps(frame, console)
            said |= _lines(f"heatmaps {width}", printed.get(), folder)
        for path in sorted(each for each in folder.rglob("*.*") if each.is_file()):
            to = seen if path.is_relative_to(folder / "plots") else said
            to |= _file(path, folder)
    return said, seen


def _no_figures(*_: object, **__: object) -> Iterator[Any]:
    """Drawn once they are enough."""
    return iter(())


def _quickly(drawing: Any, path: Path, look: Any) -> None:
    """A third of what a report takes; beside it a line for each part of it, from the back to the front."""
    if path.suffix != ".png":
        drawing.set_layout_engine("none")
        with matplotlib.rc_context({"svg.fonttype": "none"}):
            write_drawing(drawing, path, look)
        told = [f"{drawing.get_size_inches().round(2)}"]
        for axes in drawing.axes:
            ends = np.round([*axes.get_position().bounds, *axes.get_xlim(), *axes.get_ylim()], 2)
            parts = sorted(axes.get_children(), key=lambda part: part.zorder)
            told += [f"{ends}", " ".join(f"{type(part).__name__}{part.zorder:g}" for part in parts)]
        write(path.with_suffix(".axes"), "\n".join(told))


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
    if re.match(r"plots/((night-|both).*/tables/resources|both/.*\.md|night-2026-12-03/(?!index)|own)", name):
        return {}
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        texts = re.findall(r"<text[^>]*>(.*?)</text>", text)
        styles = Counter(re.findall(r'style="([^"]*)"', text))
        drawn = text.partition('<g id="legend')[0].split('<g id="')[1:]  # what fonts do not move
        return {f"{name} texts": texts, f"{name} shapes": [*filter(None, map(_shape, drawn))]} | {
            f"{name} style {plain(style, folder)}": n for style, n in styles.items()
        }
    return _lines(name, _html(text) if path.suffix == ".html" else text, folder)


def _shape(part: str) -> str:
    """Where a part of a figure lies, in points; "" of a text. Of long paths the beginning, and a digest."""
    places = " ".join(re.findall(r'\b(?:d|x|y)="([^"]*)"', part * (not part.startswith("text"))))
    told = re.sub(r"-?\d+(\.\d+)?", lambda number: f"{round(float(number[0]) + 1e-4, 1) + 0.0:g}", places)
    return f"{told[:60]} {hashlib.sha256(told.encode()).hexdigest()[:8]}" if told[60:] else told


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


def retrieved(folder: Path) -> Part:
    """Which chunks strategies send of two cases; what those that ask a model ask it, and send."""
    of, made = INPUTS["retrieved"], Part()
    for case, name in product(of["cases"], of["strategies"]):
        found = json.loads(run_niah("retrieve", case, "--strategies", name, "--json", cwd=folder).out)
        chunks = [[chunk[key] for key in _PLACED] for chunk in found.pop("chunks")]
        made[f"{case} {name}"] = found | {"seconds": None, "chunks": chunks}
    write(folder / "suite.yaml", json.dumps(of["suite"]))
    endpoint = Endpoint(models={"m": _follow})
    with replying(endpoint.reply) as endpoint.address, contextlib.chdir(folder):
        reader = {"model": "m", "api_base": endpoint.base, "concurrency": 1}
        niah.run("suite.yaml", strategies=of["asking"], readers=[reader], out="asked.sqlite", progress=False)
    rows = run_niah("export", "asked.sqlite", cwd=folder).rows
    told = ("outcome", "answer", "context_tokens", "retrieval_completeness", "needle_ranks", "noise_ratio")
    made |= {f"asking {row['strategy']}": [row[key] for key in told] for row in rows}
    bodies = (json.dumps(post.body, sort_keys=True, ensure_ascii=False) for post in endpoint.posts)
    return made | Counter(f"asked {_LONG.sub(_shortened, body)}" for body in bodies)


_PLACED = ("rank", "start", "end", "needles", "distractors")
_LONG = re.compile(r'"((?:[^"\\]|\\.){160})(?:[^"\\]|\\.){40,}"')


def _shortened(text: re.Match[str]) -> str:
    return f'"{text[1]} ... {hashlib.sha256(text[0].encode()).hexdigest()[:8]}"'


def _follow(prompt: str) -> str:
    """A model that looks up what it can, and says how long its prompt was."""
    search = '{"name": "search", "arguments": {"pattern": "gate"}}'
    return (
        search if '"pattern"' in prompt and len(prompt) % 3 else f"[1, 2]: the gate, {len(prompt)} letters."
    )
