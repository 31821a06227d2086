"""Servers of models that can be installed from PyPI, started in an environment of their own.

The environment sees what niah has installed (torch, transformers, litellm), and adds what serving takes.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from niah.readers.embedded import embedded_server
from niah.weights import ensure_weights

PACKAGES = ("litellm[proxy]", "transformers[serving]")
KEY = f"sk-{secrets.token_hex(32)}"
_START_LIMIT_S = 900.0
"""Importing a server takes minutes where other work keeps the machine busy."""
_ALIVE = "/health/liveliness"


@dataclass(frozen=True)
class Served:
    """A model that is served.

    Attributes:
        model: as the server knows it.
        api_base: its address; "" of one that litellm finds in ``variables``.
        key: what it asks for.
        variables: of the environment, that whoever asks it needs.
    """

    model: str
    api_base: str = ""
    key: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)


def make_environment(folder: Path) -> Path:
    """The Python of an environment with servers, made in ``folder`` unless it is there."""
    python = folder / "servers" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "servers", with_pip=True)
        script = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
        inside = subprocess.run([python, "-c", script], check=True, capture_output=True, text=True).stdout
        Path(inside.strip(), "project.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
        subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


@contextmanager
def llama_cpp(python: Path, folder: Path) -> Iterator[Served]:
    """llama.cpp's own server, out of xllamacpp, with SmolLM2-135M in a window of 2,048."""
    model = ensure_weights("smollm2")
    command = [sys.executable, "-P", embedded_server.__file__, "--model", str(model), "--alias", "smollm2"]
    with subprocess.Popen(
        [*command, "--ctx", "2048"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ready = json.loads(process.stdout.readline())
        try:
            yield Served("smollm2", ready["base_url"], ready["api_key"])
        finally:
            process.stdin.close()


@contextmanager
def litellm_proxy(python: Path, folder: Path) -> Iterator[Served]:
    """litellm's proxy in front of llama.cpp's server."""
    with llama_cpp(python, folder) as behind:
        own = {"model": f"openai/{behind.model}", "api_base": behind.api_base, "api_key": behind.key}
        config = {
            "model_list": [{"model_name": "small", "litellm_params": own}],
            "general_settings": {"master_key": KEY},
        }
        (folder / "proxy.yaml").write_text(yaml.safe_dump(config))
        program = "from litellm import run_server; run_server()"
        with _started([python, "-c", program, "--config", folder / "proxy.yaml"], _ALIVE) as address:
            yield Served("small", f"{address}/v1", KEY)


@contextmanager
def transformers_serve(python: Path, folder: Path) -> Iterator[Served]:
    """``transformers serve`` with a Llama of two layers, drawn by lot."""
    subprocess.run([python, "-c", _TINY, str(ensure_weights("smollm2")), folder / "tiny"], check=True)
    program = "from transformers.cli.transformers import main; main()"
    with _started([python, "-c", program, "serve", folder / "tiny", "--device", "cpu"], "/health") as address:
        yield Served(str(folder / "tiny"), f"{address}/v1")


_TINY = """
import sys
import torch
from pathlib import Path
from transformers import AutoTokenizer, LlamaConfig, LlamaForCausalLM
weights, folder = map(Path, sys.argv[1:])
tokenizer = AutoTokenizer.from_pretrained(str(weights.parent), gguf_file=weights.name)
torch.manual_seed(0)
config = LlamaConfig(
    vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
    num_attention_heads=4, max_position_embeddings=2048,
    eos_token_id=tokenizer.eos_token_id, bos_token_id=tokenizer.bos_token_id,
)
LlamaForCausalLM(config).save_pretrained(folder)
tokenizer.save_pretrained(folder)
"""


@contextmanager
def _started(command: list[object], health: str) -> Iterator[str]:
    """A server on a free port, until the block ends; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = os.environ | {"HF_HUB_OFFLINE": "1"}
    process = subprocess.Popen(
        [*map(str, command), "--port", str(port)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(address + health, process)
        yield address
    finally:
        process.terminate()
        process.wait()


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _START_LIMIT_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with code {process.returncode}: {process.args!r}")
        try:
            urllib.request.urlopen(address, timeout=2).close()
            return
        except OSError:
            time.sleep(0.5)
    raise RuntimeError(f"nothing answers at {address} after {_START_LIMIT_S:g} s")


SERVERS = {
    "llama.cpp's server (xllamacpp)": llama_cpp,
    "litellm's proxy before it": litellm_proxy,
    "`transformers serve`": transformers_serve,
}
