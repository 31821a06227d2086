from __future__ import annotations

import subprocess
import sys


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = {
        "scipy",
        "sklearn",
        "torch",
        "transformers",
        "sentence_transformers",
        "bm25s",
        "numba",
        "litellm",
        "huggingface_hub",
    }
    script = f"import sys, niah.retrieval.registry; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
