"""``niah judge metrics``: the usual scores of question answering, over a run's answers."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from niah.api.run_files import run_path
from niah.errors import UserError


@click.command()
@click.argument("name", metavar="RUN")
@click.option(
    "--metrics",
    "names",
    metavar="A,B",
    default="exact-match,token-f1,squad-f1,rouge-l,bleu-1,bleu-4,meteor",
    show_default=True,
    help="Which; docs/metrics.md defines them.",
)
@click.option("--jsonl", is_flag=True, help="Write one line of JSON per scored trial in place of the means.")
def metrics(name: str, names: str, jsonl: bool) -> None:
    """Score the answers of RUN (a name or a run file) by metrics, 0 to 1, against the reference answers.

    The best over the references counts: the reference answer, and its elements alone.
    """
    from niah.judges.metrics.metric import find_metric
    from niah.runs.file.read_model import read_run
    from niah.runs.measure import measured

    chosen = [find_metric(each.strip()) for each in names.split(",") if each.strip()]
    if not chosen:
        raise UserError("--metrics names no metric.", "See: niah list metrics.")
    path = run_path(name)
    rows = measured(read_run(path), chosen)
    if not rows:
        raise UserError(f"{path} holds no scored trial: there is nothing to measure.", "Run it first.")
    if absent := [name for name in rows[0] if all(row[name] is None for row in rows)]:
        raise UserError(
            f"{path} has no question that {absent[0]} can compare: it is for questions with options.",
            "Take another metric: niah list metrics.",
        )
    if jsonl:
        _write(rows)
    else:
        _print(rows)


def _write(rows: Sequence[dict[str, object]]) -> None:
    import orjson

    for row in rows:
        sys.stdout.buffer.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))


def _print(rows: Sequence[dict[str, object]]) -> None:
    from rich.console import Console

    from niah.analysis.tables.judge_tables import metric_means
    from niah.plots.table_files import print_table

    print_table(metric_means(rows), Console())
