"""Good files of every kind that niah reads, and the commands that read them."""

from __future__ import annotations

import random
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import IO

_SUITE = """\
description: A small one.
haystacks: [essays]
needle_sets: [ferry-lanterns, three-gates]
lengths: [512, 700]
depths: [0, 50, 100]
seeds: [1]
tokenizer: cl100k
mode: exact
distractors: 1
skip: nothing
"""
_PLAIN_SUITE = """\
haystacks: [{haystack}]
needle_sets: [{needle_set}]
lengths: [600]
depths: [50]
tokenizer: {tokenizer}
prompt: {prompt}
"""
_NEEDLES = """\
kind: multi-needle
question: What did the two boatmen of Elder Quay sell on Friday?
answer: Aune sold a grey heron of tin, and Tove sold nine coils of tarred rope.
answer_tokens: 64
elements:
  - {name: grey heron, aliases: [tin heron, heron of tin]}
  - {name: tarred rope, aliases: ["nine coils of rope"]}
needles:
  - {id: aune, text: "On Friday Aune sold a grey heron of tin at Elder Quay.", elements: [grey heron]}
  - {id: tove, text: "Tove, too, sold nine coils of tarred rope on Friday.", elements: [tarred rope]}
distractors:
  - {id: monday, from: aune, change: {Friday: Monday, grey heron: brass owl}, elements: [{name: brass owl}]}
  - {id: other, hardness: easy, text: "Nobody sold a lamp at Low Quay that week."}
"""
_FAMILY = """\
kind: multi-needle
description: Which town keeps which dish.
set: {inn: inn, court: {one_of: [the harbour court, the river court]}}
each: {town: town, dish: dish, number: {number: [2, 90]}}
element: dish
key: town
question: "Which dish does each of these towns serve at {{ court }}: {{ keys }}?"
answer: "They serve {{ elements }}."
needles:
  - "At {{ court }} the people of {{ town }} serve {{ dish | a }}, on {{ number }} plates."
  - "{{ town | capital }} is known at {{ court }} for {{ dish }}."
aliases: ["the {{ dish }}"]
change: [court]
medium: ["{{ town }} has no kitchen at all."]
"""
_RUN = """\
description: Two readers that are never asked.
suite: suite.yaml
readers: [smollm2, {model: mine, api_base: http://127.0.0.1:9/v1, name: fast, concurrency: 4}]
strategies: [lc, topk@4, bm25/budget-300/document, random/top-2/norm@60-10+noise-0.4]
judge: rubric
repeats: 1
budget: 25usd
prices: {fast: {input: 0.15, output: 0.6}}
seeds: {anchor: [1], rotating: 1}
"""
_PROMPT = """\
{# version: 3 #}
Read this.
{{ context }}
{%- if options is defined %}
{%- for option in options %}
{{ "ABCDEFGH"[loop.index0] }}. {{ option | trim }}
{%- endfor %}
{%- endif %}
{% set asked = question ~ "" %}{{ asked }}
"""
_QUESTIONS = """\
{"id": "q1", "document_id": "d1", "question": "Who mended it?", "answers": ["Ilse"], "evidence": ["June"]}
{"id": "q2", "document_id": "d1", "question": "When?", "options": ["In May", "In June"], "answer_index": 1}
{"id": "q3", "document": "A page. It says little.", "question": "What?", "answers": ["Little", "Not much"]}
{"id": "q4", "document_id": "essays/brine", "question": "Is it salt?", "kind": "unanswerable"}
"""
_DOCUMENTS = """\
{"id": "d1", "title": "The sluice", "text": "# The sluice\\n\\nIt broke. Ilse mended it. That was in June."}
{"id": "d2", "text": "| a | b |\\n|---|---|\\n| 1 | 2 |\\n\\n```\\ncode stays\\n```\\n"}
"""
_WORLD = """\
description: A landing stage.
slots:
  keeper: {kind: person, note: "she; tall"}
  stage: {kind: inn, first: The Long Landing}
  built: {kind: year, low: 180, high: 260}
  burnt: {kind: year, after: built, low: 12, high: 30}
  planks: {kind: number, low: 14, high: 38}
"""
_LETTER = """\
---
title: A letter
---
{{ keeper }} kept {{ stage }} from {{ built }} on. It burnt in {{ burnt }}, with {{ planks }} planks.

Nobody calls her {{ keeper.given }}; to the ferrymen she was {{ keeper.family | capital }}.
"""


@dataclass(frozen=True)
class SeedFile:
    """A good file, and what reads it.

    Attributes:
        kind: begins with "yaml" or "json" where its values can be mutated.
        content: of the file.
        place: its path, with {} for a name.
        commands: of which one reads it; {} stands for its path, {suite} for a suite that names it.
        suite: the text of that suite, with {} for the path.
        beside: writes what must lie beside the file, given its path.
    """

    kind: str
    content: bytes
    place: str
    commands: tuple[str, ...]
    suite: str = ""
    beside: Callable[[Path], None] | None = None

    def write(self, name: str, content: bytes, draw: random.Random) -> tuple[Path, list[str]]:
        """Write the file with another content under that name; its path, and a command line that reads it."""
        path = Path(self.place.format(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if self.beside:
            self.beside(path)
        suite = Path(f"suite-{name}.yaml")
        if self.suite:
            suite.write_text(self.suite.replace("{}", str(path)))
        words = draw.choice(self.commands).split()
        named = {"suite": suite, "out": f"out-{name}", "folder": path.parent}
        return path, [word.format(path, **named) for word in words]


def write_world(base_url: str) -> list[SeedFile]:
    """Fill the working folder with good files that commands go by, and give those to be mutated.

    Makes one small run, of the reader at ``base_url`` on this machine, which later runs ask too.
    """
    Path("suite.yaml").write_text(_SUITE)
    Path("runs").mkdir()
    Path("runs/config.yaml").write_text(_RUN)
    Path("small.yaml").write_text(_suite())
    run = _run_file(base_url)
    seeds = _files(run)
    draw = random.Random(0)
    for seed in seeds:
        for position, _ in enumerate(seed.commands):
            path, arguments = SeedFile(
                seed.kind,
                seed.content,
                seed.place,
                seed.commands[position : position + 1],
                seed.suite,
                seed.beside,
            ).write(f"good{position}", seed.content, draw)
            _check_good(seed.kind, arguments)
            path.unlink()
    return seeds


def command_lines() -> list[list[str]]:
    """Good command lines, none of which asks a model or the network beyond this machine."""
    lines = """
    run good.yaml --out new.sqlite --limit 1
    run good.yaml --repeats 2 --budget 1usd --skip impossible --concurrency 2
    nightly good.yaml --date 2026-11-03 --out plots --missing-limit 20
    generate suite.yaml --out out.jsonl --with-context --audit
    generate small.yaml --tokenizer o200k --haystack essays
    generate small.yaml --skip impossible --accidents avoid
    plan runs/config.yaml --json
    plan runs/config.yaml --model smollm2 --shard 1/2 --date 2026-11-01
    show three-gates_essays_700_d50_s1
    show good.sqlite
    export good.sqlite --format csv --out out.csv
    compare good.sqlite runs/good-2026-11-01.sqlite --by strategy --correction bh --alpha 0.05 --format json
    merge good.sqlite --out merged.sqlite
    history runs --json --name good
    judge run good.sqlite --judge rubric
    judge metrics good.sqlite
    haystack stats starlight --seed 3
    haystack documents essays
    haystack read essays --document brine
    needles check ferry-lanterns chain@3
    retrieve three-gates_essays_700_d50_s1 --strategy topk@4
    retrieve three-gates_essays_700_d50_s1 --strategy first/top-3/sides@60-10+noise-0.4
    schema needle-set
    list strategies
    list suites
    """
    return [line.split() for line in lines.split("\n") if line.strip()]


def _check_good(kind: str, arguments: list[str]) -> None:
    from niah.cli.main import main

    with silent() as said:
        code, words = main(arguments), _text(said)
    if code not in (0, 1):
        raise AssertionError(f"a good {kind} ends with {code}: {' '.join(arguments)}: {words}")


@contextmanager
def silent() -> Iterator[IO[bytes]]:
    """What a command says goes nowhere but into this file."""
    kept = sys.stdout, sys.stderr, sys.stdin
    with tempfile.TemporaryFile() as said:
        sys.stdout = sys.stderr = TextIOWrapper(said, encoding="utf-8", errors="replace", write_through=True)
        sys.stdin = TextIOWrapper(BytesIO(), encoding="utf-8")
        try:
            yield said
        finally:
            sys.stdout.detach()
            sys.stdout, sys.stderr, sys.stdin = kept


def _text(said: IO[bytes]) -> str:
    said.seek(0)
    return said.read().decode("utf-8", "replace")


def _suite(**given: str) -> str:
    values = {"haystack": "essays", "needle_set": "ferry-lanterns", "tokenizer": "cl100k", "prompt": "u-niah"}
    return _PLAIN_SUITE.format(**(values | given))


def _files(run: bytes) -> list[SeedFile]:
    generate = ("generate {suite}",)
    world, plan, read = ("haystack stats {folder}",), ("plan {suite}",), ("haystack stats {}", *generate)
    needles, haystack, tokenizer = _suite(needle_set="{}"), _suite(haystack="{}"), _suite(tokenizer="{}")
    run_file = (
        *("show {}", "export {}", "compare good.sqlite {}", "report {} --out {out}", "judge metrics {}"),
        *("merge {} --out {out}.sqlite", "judge run {} --judge rubric", "history runs --json --out {out}"),
    )
    questions, documents = "cases/questions/{}.jsonl", "cases/questions/{}.documents.jsonl"
    markdown = _haystack() + _DOCUMENTS.encode()
    return [
        SeedFile(
            "yaml needles", _NEEDLES.encode(), "needles/{}.yaml", ("needles check {}", *generate), needles
        ),
        SeedFile("yaml family", _FAMILY.encode(), "needles/families/{}.yaml", ("needles check {}@3",)),
        SeedFile("yaml suite", _SUITE.encode(), "cases/{}.yaml", ("generate {}", "list suites")),
        SeedFile("yaml run config", _RUN.encode(), "runs/{}.yaml", ("plan {}", "list runs")),
        SeedFile("yaml world", _WORLD.encode(), "{}/world.yaml", world, beside=_letter),
        SeedFile("letter", _LETTER.encode(), "{}/letter.md", world, beside=_world),
        SeedFile("prompt", _PROMPT.encode(), "{}.jinja", generate, _suite(prompt="{}")),
        SeedFile("json questions", _QUESTIONS.encode(), questions, plan, _QUESTION_RUN, _documents),
        SeedFile("json documents", _DOCUMENTS.encode(), documents, plan, _QUESTION_RUN, _questions),
        SeedFile("haystack", _haystack(), "{}.txt", read, haystack),
        SeedFile("markdown", markdown, "{}.md", read, haystack),
        SeedFile("json haystack", _json_haystack(), "{}.jsonl", read, haystack),
        SeedFile("json tokenizer", _tokenizer(), "{}.json", generate, tokenizer),
        SeedFile("gguf", _gguf(), "{}.gguf", (*generate, "plan runs/config.yaml --model {}"), tokenizer),
        SeedFile("run file", run, "runs/{}.sqlite", run_file),
    ]


# A run config, for `niah plan`, whose suite stands in it by its path.
_QUESTION_RUN = """\
suite: {}.suite.yaml
readers: [{model: mine, api_base: "http://127.0.0.1:9"}]
strategies: [lc, closed-book]
"""


def _documents(path: Path) -> None:
    path.with_name(f"{path.stem}.documents.jsonl").write_text(_DOCUMENTS)
    Path(f"{path}.suite.yaml").write_text(f"questions: {path}\n")


def _questions(path: Path) -> None:
    questions = path.with_name(path.name.replace(".documents", ""))
    questions.write_text(_QUESTIONS)
    Path(f"{path}.suite.yaml").write_text(f"questions: {questions}\n")


def _letter(path: Path) -> None:
    path.with_name("letter.md").write_text(_LETTER)


def _world(path: Path) -> None:
    path.with_name("world.yaml").write_text(_WORLD)


def _haystack() -> bytes:
    """Prose of a few thousand words, no two sentences alike."""
    draw = random.Random(8)
    who = (
        "The ferryman",
        "A clerk",
        "Old Marit",
        "The miller's son",
        "Nobody",
        "My aunt",
        "The watch",
        "A dog",
    )
    did = ("counted", "mended", "forgot", "sold", "carried home", "painted", "asked for", "hid")
    what = (
        "the lanterns",
        "two oars",
        "a sack of rye",
        "the east gate",
        "nine letters",
        "his hat",
        "the bell rope",
    )
    when = (
        "before dawn",
        "on market day",
        "in the rain",
        "after the thaw",
        "at noon",
        "that winter",
        "by mistake",
    )
    sentences = [
        f"{draw.choice(who)} {draw.choice(did)} {draw.choice(what)} {draw.choice(when)}, says page {number}."
        for number in range(400)
    ]
    return "\n\n".join(" ".join(sentences[i : i + 7]) for i in range(0, 400, 7)).encode()


def _json_haystack() -> bytes:
    import json

    paragraphs = _haystack().decode().split("\n\n")
    return "\n".join(
        json.dumps({"text": "\n\n".join(paragraphs[i : i + 10])}) for i in range(0, 58, 10)
    ).encode()


def _tokenizer() -> bytes:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        [_haystack().decode()],
        trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False),
    )
    return tokenizer.to_str().encode()


def _gguf() -> bytes:
    """A GGUF file with the vocabulary of ``_tokenizer`` and no weights."""
    import json

    model = json.loads(_tokenizer())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
    merges = [" ".join(merge) if isinstance(merge, list) else merge for merge in model["merges"]]

    def text(value: str) -> bytes:
        raw = value.encode()
        return struct.pack("<Q", len(raw)) + raw

    def texts(values: list[str]) -> bytes:
        return struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(text, values))

    def one(value: str) -> bytes:
        return struct.pack("<I", 8) + text(value)

    fields = {
        "general.architecture": one("llama"),
        "tokenizer.ggml.model": one("gpt2"),
        "tokenizer.ggml.pre": one("smollm"),
        "tokenizer.ggml.tokens": texts(tokens),
        "tokenizer.ggml.token_type": struct.pack("<IIQ", 9, 5, len(tokens))
        + struct.pack("<i", 1) * len(tokens),
        "tokenizer.ggml.merges": texts(merges),
    }
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, len(fields))
    return head + b"".join(text(key) + value for key, value in fields.items())


def _run_file(base_url: str) -> bytes:
    """A finished run of a few trials, also kept as good.sqlite."""
    from niah.cli.main import main

    config = (
        f"suite: small.yaml\nreaders: [{{model: small, api_base: {base_url}}}]\nstrategies: [lc, topk@4]\n"
    )
    with silent() as said:
        Path("good.yaml").write_text(config)
        code = main(["run", "good.yaml", "--out", "good.sqlite", "--plots", "plots"])
        words = _text(said)
    if code:
        raise AssertionError(f"the run ended with {code}: {words}")
    for night in ("good-2026-11-01", "good-2026-11-02"):
        shutil.copy("good.sqlite", f"runs/{night}.sqlite")
    return Path("good.sqlite").read_bytes()
