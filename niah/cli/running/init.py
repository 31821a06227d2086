"""``niah init``: an example project to start from, and to be changed into one's own."""

from __future__ import annotations

from pathlib import Path

import click

from niah.cli.option_types import FilePath
from niah.errors import UserError
from niah.files import atomic_write, check_folder

_NEEDLES = """\
# A needle set: what is hidden, asked, and has to be named. See the docs' page Needles and haystacks.
#
#   niah needles check needles/market-bell.yaml      says whether it holds
#
# An editor completes and checks these files with the JSON Schemas of: niah schema --out schemas
question: How many times does the market bell of Orlstead ring on the eve of the fair?

# The reference answer, in full. A judge that is a model reads it; the rubric counts the elements.
answer: On the eve of the fair the market bell of Orlstead rings 23 times.

# What a complete answer names, as the needles have it. Aliases count as well.
elements:
  - name: "23"
    aliases: [twenty-three]

# Where it stands. Several needles may carry an element each. They are put whole into the haystack.
needles:
  - text: On the eve of the fair the market bell of Orlstead rings 23 times, once for every stall by the wall.

# Texts that look like a needle and answer another question; a suite says how many of them it takes.
distractors:
  - id: other-town
    text: In Harrowby it is the chapel bell, and it rings 9 times before anyone sells as much as an onion.
    elements: [{name: "9"}]
"""

_SUITE = """\
# A suite: every combination of its lists is one case. See the docs' page Suites and questions.
#
#   niah generate mine --with-context --out cases.jsonl     writes the contexts
description: The market bell, whole and by retrieval, 1k to 4k tokens.
haystacks: [essays]            # niah list haystacks; or a folder of your own texts: [./documents]
needle_sets: [market-bell]     # needles/market-bell.yaml; niah list needle-sets has more
lengths: [1024, 2048, 4096]    # tokens of the whole prompt
depths: [0, 50, 100]           # where the needle stands, in percent
distractors: 1                 # of those that the needle set has
seeds: [1]                     # each draws another piece of the haystack: more seeds, surer figures
"""

_RUN = """\
# A run config: suite + readers + strategies + judge. All keys: the docs' page Running.
#
#   niah plan mine       calls, tokens, money and time, before anything is asked
#   niah run mine        asks; stop it at any time, the same command goes on
#   niah report mine     a page with every figure and table, in plots/mine
suite: mine                    # cases/mine.yaml

readers:
  - smollm2                    # a small model on this CPU; needs no key
  # - openai/gpt-4o-mini       # OPENAI_API_KEY in the environment, or in a file .env in this folder
  # - {model: Qwen/Qwen3-8B, api_base: "http://127.0.0.1:8000/v1", thinking_tokens: 4096}   # vLLM, Ollama

strategies:                    # niah list strategies
  - lc                         # the whole context
  - bm25/top-5/norm@100        # five passages of 100 tokens, best first
  - closed-book                # no context: what the model answers without it

judge: rubric                  # counts elements, needs no model
# judge: openai/gpt-4o-mini    # or a model
# budget: 2usd                 # the most that the run may take
"""

EXAMPLE_FILES = {
    Path("needles/market-bell.yaml"): _NEEDLES,
    Path("cases/mine.yaml"): _SUITE,
    Path("runs/mine.yaml"): _RUN,
}
"""Text by path, relative to the project's folder."""


def write_example_project(folder: Path) -> list[Path]:
    """Write the example's files into ``folder``; their paths.

    Raises UserError, with nothing written, where one of them is there already.
    """
    paths = [folder / name for name in EXAMPLE_FILES]
    for path in paths:
        if path.exists():
            raise UserError(
                f"{path} is there already, and stays as it is.", "Name another folder: niah init FOLDER."
            )
        check_folder(path.parent)
    for path, text in zip(paths, EXAMPLE_FILES.values(), strict=True):
        with atomic_write(path) as file:
            file.write(text.encode())
    return paths


@click.command()
@click.argument("folder", type=FilePath(path_type=Path, file_okay=False), default=".")
def init_command(folder: Path) -> None:
    """Write a commented example into FOLDER (this one without it): a needle set, a suite and a run config."""
    for path in write_example_project(folder):
        click.echo(path)
    go = "" if folder == Path() else f"cd {folder}; "
    click.echo(f"next: {go}niah plan mine; niah run mine", err=True)
