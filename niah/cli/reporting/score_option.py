"""The option that names whose verdicts are the scores, of the commands that draw them."""

from __future__ import annotations

import click

score_option = click.option(
    "--score",
    metavar="JUDGE",
    help="Scores of this judge, whose verdicts the run holds (niah judge RUN --judge token-f1 adds them)."
    " Figures show a metric on its own scale.",
)
