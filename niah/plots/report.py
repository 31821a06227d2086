"""A whole report in one folder: the page, every figure, every table."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pandas import DataFrame

from niah import __version__
from niah.analysis.causes import CAUSES, with_causes
from niah.analysis.frame import ERROR_WORDS, trial_frame
from niah.analysis.stats import ENDS
from niah.analysis.summary import left_out_table, summary
from niah.analysis.tables import TABLES, Table, report_tables
from niah.cases.samples import contiguous_notes
from niah.errors import counted
from niah.files import atomic_write
from niah.judges.verdict import LOWEST
from niah.plots.drawing import Drawn, draw_figures
from niah.plots.figures import ADDED, FIGURES
from niah.plots.labels import amount_label, mean_label, money_label, value_words
from niah.plots.page_data import answer_limit, blocks, packed, page_index, run_names
from niah.plots.tables import shown_table, write_tables
from niah.plots.terminal import bounds
from niah.plots.theme import PAGE, themed, write_drawing
from niah.plots.words import findings, paid_for, reused_words
from niah.readers.reader import ReaderTraits
from niah.runs.file.read import RunContents
from niah.strategies.strategy import display_name

_PAGE = Path(__file__).resolve().parent / "page"
_MOST_FIGURES, _MOST_TABLES, _MOST_ASKED = 6, 8, 4
_OF_PAPERS = {name for rows in (FIGURES, TABLES) for name, row in rows.items() if row.paper}
_LONG = ["answer", "verdicts", "search", "best"]  # columns that none of our figures draws


@dataclass(frozen=True)
class ReportFiles:
    """What a report consists of."""

    page: Path  # index.html
    figures: tuple[str, ...]  # names of those in ``figures/``, each as SVG, PNG and CSV
    tables: tuple[Table, ...]  # those in ``tables/``, as CSV and Markdown
    summary: DataFrame  # of the trials it shows, several runs' readers told apart
    problems: tuple[str, ...] = ()  # figures and tables of installed packages that failed, a line each


def write_report(
    runs: Sequence[RunContents],
    folder: Path,
    reference: str | None = None,
    banner: Mapping[str, Any] | None = None,
    first: Callable[[], Drawn | None] = lambda: None,
    *,
    latex: bool = False,
    brief: bool = False,
    aside: Executor | None = None,
) -> ReportFiles:
    """Write the report of runs side by side, with the figures, tables and numbers of a paper, ``reference``.

    Of a night the page says ``banner`` first, and shows what ``first`` draws. ``brief`` is the page with its
    first picture alone, in two seconds; ``aside``, a process, draws figures meanwhile.
    """
    frame = report_frame(runs)
    problems: list[str] = []
    # The picture of the first screen: score by tokens where one retriever ran at several budgets.
    families = frame[frame["budget"].notna()].drop_duplicates("strategy")["family"]
    lead = "score-by-tokens" if families.duplicated().any() else "score-by-length"
    asked = [lead] if brief else None, reference, folder
    light = frame if ADDED else frame.drop(columns=_LONG)  # what another process does not need
    drawing = aside.submit(_write_figures, light, *asked) if aside else None
    tables = list(report_tables(frame, reference, problems.append))
    tables += [left_out_table(run.left_out) for run in runs if run.left_out]
    if not brief:
        write_tables(tables, folder / "tables", latex=latex)
    with themed():
        changed = first()
        opening = [saved_figure(changed, folder)] if changed else []
    rows = summary(frame)
    values = _page_values(runs, frame, rows, tables) | {"first": opening, "banner": banner}
    if drawing:  # the page's trials are packed meanwhile
        values["blocks"] = [*values["blocks"]]
    shown, failed = drawing.result() if drawing else _write_figures(frame, *asked)
    picture = shown.get(lead) if frame["reader"].nunique() == 1 else None
    # The page has heatmaps as tables to click.
    rest = {name: each for name, each in shown.items() if each is not picture and name != "heatmaps"}
    figures, more_figures = _on_page(rest, _MOST_FIGURES)
    values |= {"picture": picture, "figures": figures, "more_figures": more_figures}
    values["more_tables"] = [] if brief else values["more_tables"]  # which are not written
    page, names = folder / "index.html", (*(each["name"] for each in opening), *shown)
    write_page(page, values)
    return ReportFiles(page, names, tuple(tables), rows, (*problems, *failed))


def _on_page(named: Mapping[str, Any], most: int) -> tuple[list[Any], list[str]]:
    """What the page has, all that is a paper's and so many others, and the names of the rest."""
    of_paper, others = ([name for name in named if (name in _OF_PAPERS) == own] for own in (True, False))
    return [named[name] for name in (*of_paper, *others[:most])], others[most:]


def _write_figures(
    frame: DataFrame, wanted: Sequence[str] | None, reference: str | None, folder: Path
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Write figures, all that fit or those wanted: what the page has of each, and what could not be drawn."""
    problems: list[str] = []
    with themed():
        drawn = draw_figures(frame, wanted, reference, say=problems.append)
        return {each.name: saved_figure(each, folder) for each in drawn}, problems


def report_frame(runs: Sequence[RunContents]) -> DataFrame:
    """All trials of the runs, one run after the other, with causes and the place of their run.

    A reader that is in several runs is called "READER (RUN)".
    """
    trials = pd.concat([run.trials.assign(run=at) for at, run in enumerate(runs)], ignore_index=True)
    names = run_names(runs)
    own = trials["reader"] + " (" + trials["run"].map(dict(enumerate(names))) + ")"
    is_shared = trials.groupby("reader")["run"].transform("nunique") > 1
    trials["reader"] = trials["reader"].mask(is_shared, own)
    traits: dict[str, ReaderTraits] = {}
    for name, run in zip(names, runs, strict=True):
        traits |= run.traits
        traits |= {f"{reader} ({name})": each for reader, each in run.traits.items()}
    samples = {id: sample for run in runs for id, sample in run.samples.items()}
    return with_causes(trial_frame(trials, samples, traits), samples)


def _page_values(
    runs: Sequence[RunContents], frame: DataFrame, rows: DataFrame, tables: Sequence[Table]
) -> dict[str, Any]:
    """What the template is filled with, but for figures."""
    # The trials of a heatmap's cell, and of a case, come together.
    by = ["run", "length", "depth", "case_id", "reader", "strategy", "repeat"]
    order = frame[by].reset_index(drop=True).sort_values(by, na_position="first").index
    trials = pd.concat([run.trials.assign(run=at) for at, run in enumerate(runs)]).iloc[order]
    samples = {id: sample for run in runs for id, sample in run.samples.items()}
    keys = {sample.key.question: sample.key for sample in samples.values()}
    asked = [*keys.values()][: _MOST_ASKED if len(keys) <= _MOST_ASKED else 1]
    parts = [(run, frame[frame["run"] == at]) for at, run in enumerate(runs)]
    names = run_names(runs)
    known = {each.name: each for each in tables if len(each.rows) > 1 or each.name in _OF_PAPERS}
    shown, more_tables = _on_page(known, _MOST_TABLES)
    contiguous = contiguous_notes((each.case, each) for each in samples.values() if each.case)
    return {
        "title": " · ".join(names),
        "version": __version__,
        "facts": [*(_facts(run, own) for run, own in parts), *contiguous],
        "asked": [(key.question, key.references[:1] or [one.name for one in key.elements]) for key in asked],
        "kinds": len(keys),
        "runs": [_run(name, own, rows) for name, (_, own) in zip(names, parts, strict=True)],
        "tables": [shown_table(table) for table in shown],
        "more_tables": more_tables,
        "notes": [_note(run) | {"name": name} for name, run in zip(names, runs, strict=True)],
        "cut": answer_limit(trials),
        "index": packed(page_index(runs, frame.iloc[order])),
        "blocks": blocks(runs, trials),
    }


def _facts(run: RunContents, frame: DataFrame) -> str:
    """ "mymodel · 900 trials · 2026-11-28 09:08 UTC · judged by rubric (4 unsure) · 4.0M tokens"."""
    done = int((frame["outcome"] != "not_run").sum())
    latest = run.invocations[-1].started_at[:16].replace("T", " ") if run.invocations else ""
    judge, unsure, paid = run.judge, int(frame["unsure"].sum()), frame[~frame["from_cache"]]
    tokens, cost = paid_for(run.preparations)
    tokens += paid[["prompt_tokens", "completion_tokens"]].sum().sum()
    cost += paid["cost"].sum()
    spent = [f"{amount_label(tokens)} tokens"] * bool(tokens) + [f"{money_label(cost)} USD"] * bool(cost)
    parts = (
        ", ".join(map(str, frame["reader"].unique())),
        f"{'' if done == len(frame) else f'{done:,} of '}{counted(len(frame), 'trial')}",
        f"{latest} UTC" if latest else "",
        f"judged by {judge}{f' ({unsure:,} unsure)' if unsure else ''}" if judge else "",
        ", ".join(spent),
        reused_words(frame),
    )
    return " · ".join(filter(None, parts))


def _run(name: str, frame: DataFrame, rows: DataFrame) -> dict[str, Any]:
    """What the first screen says of a run: sentences, and a table for each model."""
    readers = []
    designed = {*frame.loc[frame["is_oracle"] | frame["is_closed_book"], "strategy"]}
    for reader, best, lines in findings(frame):
        own: list[Any] = rows[rows["reader"] == reader].to_dict("records")
        for row in own:
            kind = row["fault"].rpartition(" ")[0]
            where = [("run", name), ("reader", reader), ("strategy", row["strategy"])]
            where += [("cause", kind if kind in CAUSES else "unexplained")] if kind else []
            where += [("error", name) for name, words in ERROR_WORDS.items() if words == kind]
            row["address"] = "#" + urlencode(where, quote_via=quote)
            row["by_design"] = row["strategy"] in designed
            row["strategy"], row["interval"] = display_name(row["strategy"]), bounds(row["low"], row["high"])
        own.sort(key=lambda row: (row["by_design"], -(row["mean"] if row["n"] else 0)))
        entry = {"name": reader, "best": best, "lines": lines}
        ends = [end for end in ENDS if any(row[end] > LOWEST for row in own)]
        readers.append(entry | {"rows": own, "ends": ends, "priced": any(row["cost"] > 0 for row in own)})
    return {"name": name, "readers": readers}


def saved_figure(drawn: Drawn, folder: Path) -> dict[str, Any]:
    """Write a figure as SVG, PNG and, of known numbers, CSV; what the page has of it, with its size, so that
    the page does not jump. Call it inside ``themed``."""
    svg, png, csv = (folder / "figures" / f"{drawn.name}.{ending}" for ending in ("svg", "png", "csv"))
    for path in (svg, png):
        write_drawing(drawn.drawing, path, PAGE)
    if not drawn.numbers.empty:
        with atomic_write(csv) as file:
            file.write(drawn.numbers.to_csv(index=False, float_format="%.10g").encode())
    width, height = (round(inches * 96) for inches in drawn.drawing.get_size_inches())
    caption = {"title": drawn.title, "caption": drawn.caption, "name": drawn.name}
    return caption | {"width": width, "height": height, "svg": packed(svg.read_bytes())}


def _note(run: RunContents) -> dict[str, Any]:
    """How a run was made: versions, judges, settings with their sources."""
    judges = sorted({f"{each.judge} {each.version}" for own in run.trials["verdicts"] for each in own})
    latest = run.invocations[-1] if run.invocations else None
    settings = latest.settings.items() if latest else ()
    return {
        "judges": ", ".join(judges),
        "versions": ", ".join(map(" ".join, latest.versions.items())) if latest else "",
        "settings": [(name, value_words(each["value"]), each["source"]) for name, each in settings],
    }


def write_page(path: Path, values: Mapping[str, Any]) -> None:
    """Write a page of the template's ``values``, each escaped; its own script and style, no other code."""
    style, script = ((_PAGE / f"page.{ending}").read_text(encoding="utf-8") for ending in ("css", "js"))
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    policy = (
        f"default-src 'none'; img-src data:; script-src 'sha256-{digests[0]}'; "
        f"style-src 'sha256-{digests[1]}'; base-uri 'none'; connect-src 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    trimmed: dict[str, Any] = dict.fromkeys(("autoescape", "trim_blocks", "lstrip_blocks"), True)
    environment = Environment(loader=FileSystemLoader(_PAGE), undefined=StrictUndefined, **trimmed)
    environment.filters.update(mean=mean_label, amount=amount_label, money=money_label)
    values = {"banner": None, "runs": None, "style": style, "script": script, "policy": policy, **values}
    with atomic_write(path) as file:
        for piece in environment.get_template("page.html.jinja").generate(values):
            file.write(piece.encode())
