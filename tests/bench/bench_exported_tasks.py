"""Whether exported suites load and run in Inspect and lm-eval as they are, each with a mock model of theirs.

    python -m tests.bench.bench_exported_tasks FOLDER

Installs both, some gigabytes, into a scratch environment in FOLDER, exports `quick` for each,
and prints how many cases each asked and what it scored: Inspect's mock once with the reference answers and
once with its own line; lm-eval's dummy model, which answers "lol".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from importlib.util import find_spec
from pathlib import Path

import niah
from niah.api.exchange.export_cases import export_cases

PACKAGES = ("torch==2.13.0", "inspect-ai==0.3.285", "lm-eval==0.4.13")

_WITH_INSPECT = """
import json, sys
from pathlib import Path
from inspect_ai import eval
from inspect_ai.model import ModelOutput, get_model

rows = [json.loads(line) for line in Path("cases.jsonl").read_text().splitlines()]
said = {row["input"]: row["target"] for row in rows}
def by_heart(messages, *_):
    return ModelOutput.from_content("mockllm", said[messages[-1].text])

for name, outputs in ("the reference answers", {"custom_outputs": by_heart}), ("its own line", {}):
    model = get_model("mockllm/model", **outputs)
    (log,) = eval(sys.argv[1], model=model, display="none", log_dir="logs")
    share = log.results.scores[0].metrics["all"].value
    print(f"Inspect, {name}: {log.status}, {log.results.completed_samples} cases, share {share}")
"""


def run(words: list[str], folder: Path) -> str:
    """What a command prints; raises CalledProcessError with it where the command fails."""
    tokenizers = Path(find_spec("litellm").origin).parent / "litellm_core_utils/tokenizers"  # type: ignore[union-attr, arg-type]
    environ = {**os.environ, "TIKTOKEN_CACHE_DIR": str(tokenizers), "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""}
    done = subprocess.run(words, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def main(folder: Path) -> None:
    """Install, export, run."""
    scratch = folder / "scratch"
    if not scratch.is_dir():
        venv.create(scratch, with_pip=True)
        for package in PACKAGES:  # torch alone and first, or another build of it comes
            run([str(scratch / "bin/pip"), "install", "--quiet", package], folder)
    for form in ("inspect", "lm-eval"):
        export_cases("quick", form, folder / form)
    (folder / "with_inspect.py").write_text(_WITH_INSPECT)
    print(f"niah {niah.__version__}; {', '.join(PACKAGES[1:])}")
    python = str(scratch / "bin/python")
    print(run([python, str(folder / "with_inspect.py"), "niah_quick.py"], folder / "inspect"), end="")
    words = [str(scratch / "bin/lm_eval"), "--model", "dummy", "--tasks", "niah_quick"]
    run([*words, "--include_path", "lm-eval", "--output_path", "results", "--log_samples"], folder)
    (results,) = folder.glob("results/**/results_*.json")
    found = json.loads(results.read_text())
    samples = found["n-samples"]["niah_quick"]["effective"]
    print(
        f"lm-eval, dummy model: {samples} cases, share {found['results']['niah_quick']['share_named,none']}"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]).resolve())
    else:
        print("skipped: needs a folder to install into: python -m tests.bench.bench_exported_tasks FOLDER")
