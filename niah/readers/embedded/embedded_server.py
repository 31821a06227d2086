"""The child process of the embedded reader: llama.cpp's own HTTP server on a free port of 127.0.0.1.

    python -m niah.readers.embedded.embedded_server --model FILE.gguf --alias NAME [--ctx N]

Prints one line of JSON when it is ready: ``base_url``, ``api_key`` (drawn for this process, so that no
other program of the machine can take the slot), and ``context``, the window in tokens. It ends when its
stdin closes: the pipe closes with the parent, however the parent ends, so no orphan stays.

The settings are pinned, since thread counts and parallel slots change what the model answers.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

GENERATION_THREADS = 1
PROMPT_THREADS = 2
LARGEST_CONTEXT = 32768

# A prompt is read in one batch: were it split, a last piece under 64 tokens would round otherwise (see
# embedded.py), and where the split falls depends on what the cache holds.
_BATCH = 8192
_LOG_ERRORS_ONLY = 1


def serve(arguments: Sequence[str] | None = None) -> None:
    """Serve until stdin closes.

    Raises:
        SystemExit: the model cannot be loaded; the last lines on stderr say why.
    """
    asked = _parse(arguments)
    # Started first, since loading a large model takes long enough for a parent to die in.
    watch = threading.Thread(target=_end_with_stdin, daemon=True)
    watch.start()
    try:
        context = asked.ctx or min(_trained_context(asked.model), LARGEST_CONTEXT)
        api_key = secrets.token_hex(16)
        server = _start(asked.model, asked.alias, context, api_key)
    except (RuntimeError, ValueError, OSError) as error:
        sys.exit(str(error))
    ready = {"base_url": f"{server.listening_address}/v1", "api_key": api_key, "context": context}
    print(json.dumps(ready), flush=True)
    watch.join()


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m niah.readers.embedded.embedded_server")
    parser.add_argument("--model", required=True, type=Path, help="a GGUF file")
    parser.add_argument("--alias", required=True, help="the model name that replies carry")
    parser.add_argument("--ctx", type=int, help="window in tokens (default: the model's own, up to 32768)")
    return parser.parse_args(arguments)


def _end_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    # The server's destructor would wait for the prompt under way, which nobody waits for any more.
    os._exit(0)


def _trained_context(model: Path) -> int:
    """The window a model was trained for, by its metadata. Raises ValueError where it does not tell."""
    from niah.text.tokenizers.gguf.gguf_fields import gguf_fields

    key = f"{gguf_fields(model, 'general.architecture').get('general.architecture')}.context_length"
    if (window := gguf_fields(model, key).get(key)) is None:
        raise ValueError(f"{model} does not tell its context length ({key}).")
    return int(window)


def _start(model: Path, alias: str, context: int, api_key: str) -> Any:
    """A server that listens; the model is loaded. Raises RuntimeError when it cannot be."""
    # Read when OpenMP loads. Spinning threads make speed collapse once a neighbour takes a core.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    import xllamacpp

    return xllamacpp.Server(_parameters(model, alias, context, api_key))


def _parameters(model: Path, alias: str, context: int, api_key: str) -> Any:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {alias}
    params.api_keys = [api_key]
    params.n_ctx = context
    params.fit_params = False  # would shrink the window to the memory that happens to be free
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F16
    params.cache_prompt = True
    params.cache_ram_mib = 0  # the last prompt alone is reused: the reader must know what can be
    params.cpuparams.n_threads = GENERATION_THREADS
    params.cpuparams_batch.n_threads = PROMPT_THREADS
    params.verbosity = _LOG_ERRORS_ONLY
    params.ui = params.endpoint_slots = False
    return params


if __name__ == "__main__":
    serve()
