"""What niah makes of fixed inputs, as tests/golden.json.gz has it: parts, each rewritten alone.

    python -m tests.golden                      # what differs from the file
    python -m tests.golden --write              # all parts anew
    python -m tests.golden --write cases nights # these two anew

A part that changes on purpose is rewritten, and CHANGELOG.md says why. Inputs are in tests/data/golden.yaml.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice, takewhile
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import yaml

from tests.contract.conftest import Endpoint, Result, run_niah, write
from tests.golden_values import values
from tests.loopback import Post, Reply, completion, replying
from tests.shown import imported, pages, retrieved, shown

ROOT = Path(__file__).parents[1]
FILE = ROOT / "tests" / "golden.json.gz"
INPUTS: dict[str, Any] = yaml.safe_load((ROOT / "tests/data/golden.yaml").read_text(encoding="utf-8"))
Part = dict[str, Any]


def read_golden() -> dict[str, Part]:
    """The parts as they were written, by name."""
    return dict(json.loads(gzip.decompress(FILE.read_bytes()))) if FILE.exists() else {}


def make(name: str) -> Part:
    """A part as it is now, as JSON gives it back."""
    with tempfile.TemporaryDirectory() as folder:
        made = PARTS[name](Path(folder))
    return dict(json.loads(json.dumps(made)))


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """A line for every key whose value is not the same, in order."""
    found = []
    for key in sorted({*before, *now}):
        if before.get(key) != now.get(key):
            texts = [str(before.get(key)), str(now.get(key))]
            same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))])
            start = max(0, same - 100)  # long texts from a little before where they differ
            found.append(f"{key}: {' -> '.join(text[start:][:300] for text in texts)}")
    return found


def cases(folder: Path, rows: str = "cases") -> Part:
    """Of some 400 cases length, tokens, the context's digest, and where needles and distractors are."""
    made: Part = {}
    for row in INPUTS[rows]:
        grid = yaml.safe_load((ROOT / "cases" / f"{row['suite']}.yaml").read_text(encoding="utf-8"))
        grid.pop("prompt", None)  # the golden file has the contexts of one prompt
        grid |= {key: row[key] for key in ("lengths", "depths", "seeds")} | {"skip": "impossible"}
        grid["mode"] = row.get("mode", "exact")
        grid.pop("shortest", None)
        for name in row["tokenizers"]:
            tokenizer = _bytes_tokenizer(folder) if name == "bytes" else name
            for case in _generated(folder, grid | {"tokenizer": tokenizer}):
                plain = re.sub("_t-.*", "", case["case_id"])
                made[f"{name} {grid['mode']} {plain}"] = _where(case)
    return made


def entries(folder: Path) -> Part:
    """The same of some 100 cases of lists, graphs and conversations."""
    return cases(folder, "entries")


def _generated(folder: Path, suite: Mapping[str, Any]) -> list[Any]:
    _yaml(folder / "generated.yaml", suite)
    _niah(folder, "generate", "generated.yaml", "--out", "cases.jsonl")
    return [json.loads(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]


def _bytes_tokenizer(folder: Path) -> str:
    """The path of a tokenizer.json whose tokens are single bytes."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({sign: number for number, sign in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.save(str(folder / "bytes.json"))
    return "./bytes.json"


def _where(case: Mapping[str, Any]) -> list[Any]:
    needles = [[needle[key] for key in ("asked_token", "token_start", "start")] for needle in case["needles"]]
    distractors = [[each["token_start"], each["start"]] for each in case["distractors"]]
    whole = [case[key] for key in ("context_length", "tokens", "prompt_tokens", "sha256")]
    return [*whole, needles, distractors]


def families(folder: Path) -> Part:
    """Question, answer, elements, needles and distractors of every family at three seeds."""
    listed = json.loads(_niah(folder, "list", "needle-sets", "--json").out)["needle-sets"]
    names = [row["name"].removesuffix("@K") for row in listed if row["name"].endswith("@K")]
    made: Part = {}
    for row in INPUTS["families"]:  # the last takes what no other names
        rest = {name: 4 for name in names if not any(name in other["k"] for other in INPUTS["families"])}
        sets = [f"{name}@{k}" for name, k in (row["k"] or rest).items()]
        suite: Part = {"haystacks": [row["haystack"]], "needle_sets": sets, "lengths": [row["length"]]}
        suite |= {"depths": [0], "seeds": [1, 2, 3], "distractors": 4, "mode": "contiguous"}
        for case in _generated(folder, suite):
            needles = [[needle["text"], needle["elements"]] for needle in case["needles"]]
            texts: Part = {key: case[key] for key in ("question", "answer", "elements")}
            texts |= {"needles": needles, "distractors": [each["text"] for each in case["distractors"]]}
            made[f"{case['needle_set']} {case['seed']}"] = texts
    return made


def ranks(folder: Path) -> Part:
    """The 100 best sentences by MixPR and by BM25, equal ones in order, with scores of 9 digits."""
    from niah.retrieval.mixpr import MixPR

    made: Part = {}
    for row in INPUTS["sentences"]:
        paths = sorted((ROOT / "haystacks" / row["haystack"]).glob("*.md"))
        text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
        sentences = re.split(r"(?<=[.?!])\s+", text)[: row["count"]]
        scores = [round(float(score), 9) for score in MixPR(top=100).score(row["question"], sentences)]
        best = sorted(range(len(scores)), key=lambda place: (-scores[place], place))[:100]
        made[f"mixpr {row['haystack']} {row['count']}"] = [[place, scores[place]] for place in best]
    for case in INPUTS["retrieved"]:
        strategy = "bm25/top-100/norm@sentences"
        found = _niah(folder, "retrieve", case, "--strategies", strategy, "--json")
        chunks = json.loads(found.out)["chunks"]
        rows = [[-round(chunk["score"], 9), chunk["start"], _sha(chunk["text"])[:12]] for chunk in chunks]
        made[f"bm25 {case}"] = sorted(rows)
    return made


def strategies(folder: Path) -> Part:
    """For 300 names the canonical text, and for 80 others why they are refused."""
    axes = [INPUTS[key] for key in ("retrievers", "scopes", "orders", "chunks", "noise")]
    made = ["{}/{}/{}{}{}".format(*turn) for turn in islice(zip(*map(cycle, axes), strict=False), 280)]
    return {name: canonical(name) for name in [*INPUTS["names"], *made, *INPUTS["refused"]]}


def canonical(name: str) -> str:
    """A strategy's canonical text, or what is said of one that is none. What to change for another parser."""
    from niah import UserError
    from niah.strategies.strategy import parse

    try:
        return parse(name).definition
    except UserError as error:
        return f"! {error}"


def requests(folder: Path) -> Part:
    """Path and body of every request to thirteen models, in order; digests in the place of long texts."""
    posts: Part = {name: [] for name in INPUTS["dialects"]}

    def reply(post: Post) -> Reply:
        short = re.sub(
            r'"([^"\\]|\\.){100,}"',
            lambda text: f'"sha256 {_sha(json.loads(text[0]))}"',
            json.dumps(post.body),
        )
        posts[post.body["model"]].append([post.path, json.loads(short)])
        field, words = INPUTS["complaints"].get(post.body["model"], ("", ""))
        if field in post.body or (field == "system" and post.body["messages"][0]["role"] == "system"):
            return Reply({"error": {"message": words, "type": "invalid_request_error"}}, 400)
        made = completion("347")
        made["choices"][0]["text"] = "347"
        return Reply(made)

    with replying(reply) as address:
        common = {"api_base": f"{address}/v1", "concurrency": 1}
        readers = [{"model": name} | common | options for name, options in INPUTS["dialects"].items()]
        _run(folder, "one", {"readers": readers})
        _run(folder, "turns", {"readers": readers[-1:]})
    return posts


def outcomes(folder: Path) -> Part:
    """Outcome, score and answer of 80 replies: a model each, in one run."""
    replies = {str(name): _reply(row) for name, row in INPUTS["replies"].items()}
    with replying(lambda post: replies[post.body["model"]]) as address:
        readers = [{"model": name, "api_base": f"{address}/v1"} for name in replies]
        rows = _run(folder, "one", {"readers": readers, "concurrency": 80})
    return {row["reader"]: [row["outcome"], row["score"], row["answer"]] for row in rows}


def _reply(row: Mapping[str, Any] | None) -> Reply | None:
    if row is None:
        return None
    made = completion("")
    message = row.get("message", {"role": "assistant", "content": row.get("text")})
    made["choices"][0] |= {"message": message, "finish_reason": row.get("finish", "stop")}
    body: object = row["raw"].encode() if "raw" in row else row.get("body", made)
    if "error" in row:
        body = {"error": {"message": row["error"], "code": row.get("code"), "type": "error"}}
    return Reply(body, row.get("status", 200), row.get("headers", {}))


def frame(folder: Path) -> Part:
    """Of 5,040 trials a digest of every column, and the first 50 rows; seconds are left out."""
    readers = {name: _simulated(name, chances, 0.04) for name, chances in INPUTS["readers"].items()}
    server = Endpoint(models=readers)
    with replying(server.reply) as server.address:
        asked = [{"model": name, "api_base": server.base} for name in readers]
        rows = _run(folder, "frame", INPUTS["frame"] | {"readers": asked})
    rows.sort(key=lambda row: [row[key] for key in ("case_id", "strategy", "reader", "repeat")])
    nine = json.loads(json.dumps(rows), parse_float=lambda number: round(float(number), 9))
    values = {name: [row[name] for row in nine] for name in INPUTS["columns"]}
    made: Part = {f"column {name}": _sha(json.dumps(column)) for name, column in values.items()}
    made |= {f"row {place:02}": [values[name][place] for name in INPUTS["columns"]] for place in range(50)}
    return made | {"trials": len(rows)}


def _simulated(name: str, chances: Sequence[float], faults: float) -> Callable[[str], str | Reply]:
    """A model that quotes each telling sentence with a chance that goes by the prompt's length."""
    telling = re.compile(r"[^.?!\n]*(?:access code|lanterns|perfect pizza)[^.?!\n]*[.?!]")

    def say(prompt: str) -> str | Reply:
        luck, chance = _luck(name, prompt), chances[len(prompt) > 2600]
        if luck < faults:
            return Reply({"error": {"message": "Bad request"}}, 400)
        if luck < 2 * faults:
            return Reply(completion("Well, let me", len(prompt) // 4, 5, finish_reason="length"))
        found = [match[0].strip() for match in telling.finditer(prompt.rpartition("Question:")[0])]
        said = [each for each in found if _luck(name, prompt, each) < chance]
        return " ".join(said) or "The text does not say."

    return say


def nights(folder: Path) -> Part:
    """Exit code, verdict and named rows of two weeks of nights, and of some pairs of them."""
    _yaml(folder / "suite.yaml", INPUTS["suites"]["nights"])
    made: Part = {}
    server, no_page = Endpoint(), SimpleNamespace(page="", problems=())  # verdicts alone are compared
    page_drawn = mock.patch("niah.plots.report.write_report", return_value=no_page)
    with replying(server.reply) as server.address, page_drawn:
        asked = {"readers": [{"model": "m", "api_base": server.base}], "suite": "suite.yaml"}
        _yaml(folder / "night.yaml", INPUTS["night"] | asked)
        for number, night in enumerate(INPUTS["nights"], 1):
            server.models["m"] = _simulated(f"night {number}", night["chances"], night.get("faults", 0))
            day, options = f"2026-11-{number:02}", night.get("options", ())
            ran = run_niah("nightly", "night.yaml", "--date", day, "--out", day, *options, cwd=folder)
            said = json.loads((folder / day / "verdict.json").read_text(encoding="utf-8"))
            verdicts = {name: _verdict(each) for name, each in said["comparisons"].items()}
            made[day] = {"exit code": ran.code, "kind": said["kind"], "verdicts": verdicts}
            if night.get("accept"):
                _niah(folder, "nightly", "accept", f"night-{day}")
    for pair in INPUTS["compared"]:
        before, after = (f"night-2026-11-{number:02}" for number in pair)
        ran = run_niah("compare", before, after, "--format", "json", "--common", cwd=folder)
        made[f"{before} {after}"] = {"exit code": ran.code} | _verdict(json.loads(ran.out))
    return made


def _verdict(said: Mapping[str, Any]) -> Part:
    rows = said["verdict"]["regressions"]
    named = [[row["measure"], row["parts"], row["n"], round(row["difference"], 6)] for row in rows]
    return {"kind": said["verdict"]["kind"], "regressions": named}


def _run(folder: Path, suite: str, config: Part) -> list[Part]:
    """The exported rows of a run; in Python, since the command draws heatmaps."""
    import niah

    _yaml(folder / f"{suite}.yaml", INPUTS["suites"][suite])
    defaults = {"suite": f"{suite}.yaml", "strategies": ["lc"], "attempts": 1, "wait": "1s"}
    _yaml(folder / "run.yaml", defaults | config)
    with contextlib.chdir(folder):
        niah.run("run.yaml", out=f"{suite}.sqlite", progress=False)
    return _niah(folder, "export", f"{suite}.sqlite").rows


def _yaml(path: Path, value: object) -> Path:
    return write(path, json.dumps(value))  # JSON is YAML


def _niah(folder: Path, *args: str) -> Result:
    result = run_niah(*args, cwd=folder)
    if result.code:
        raise RuntimeError(f"niah {' '.join(args)}: exit code {result.code}: {result.err[-2000:]}")
    return result


def _sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _luck(*parts: str) -> float:
    """A number from 0 to 1, the same for the same parts."""
    return int(_sha("\n".join(parts))[:8], 16) / 2**32


_OWN = (cases, entries, families, ranks, strategies, requests, outcomes, frame, nights)
_MAKERS = (*_OWN, values, imported, shown, pages, retrieved)
PARTS: Mapping[str, Callable[[Path], Part]] = {each.__name__: each for each in _MAKERS}
SLOW = ("cases", "entries", "families", "frame", "nights", "outcomes", "shown")


def main(args: Sequence[str]) -> None:
    """Print what differs, in the parts named or in all; with --write, write it."""
    for name in [each for each in args if each != "--write"] or PARTS:
        now = make(name)
        golden = read_golden()
        found = differences(golden.get(name, {}), now)
        print(f"{name}: {len(found)} of {len(now)} differ", *found[:5], sep="\n  ", flush=True)
        if "--write" in args:
            text = json.dumps(golden | {name: now}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main(sys.argv[1:])
