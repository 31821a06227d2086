"""The embedded reader: llama.cpp in this process, on the CPU, with no key and no network."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import threading
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import httpx

from niah import weights
from niah.errors import UserError
from niah.event_loop import in_thread
from niah.readers.dialect import request_body
from niah.readers.outcomes import Fault, one_line, read_completion
from niah.readers.reader import EMBEDDED_WINDOWS, ONCE, Failure, Request, Response
from niah.readers.retry import Reader
from niah.registry import require
from niah.text.gguf import CONTROL, gguf_fields, gguf_vocabulary

# A prompt is read in one batch: were it split, a last piece under 64 tokens would round otherwise, and where
# the split falls depends on what the cache holds.
_BATCH = 8192
# Flash attention reads fewer than 64 tokens by another kernel; so many characters are 64 tokens or more.
_SAFE = 1000
_THREAD = "llama.cpp"


class EmbeddedReader(Reader):
    """A GGUF model that llama.cpp reads in this process, one request at a time. At temperature 0 a prompt
    has one answer: the cache is used where it leaves enough to read."""

    def __init__(self, model: str, *, name: str = "") -> None:
        super().__init__(Path(model).name, name=name, concurrency=1, patience=ONCE)
        self._file = model
        self._facts = {"provider": "embedded"}
        self._server: Any = None
        self._key = secrets.token_hex(16)  # with it, no other program of the machine can take the one slot
        self._controls, self._cached = list[str](), ""

    def check(self) -> None:
        """Raise UserError where llama.cpp is not installed, or there is no GGUF file of that name."""
        require("xllamacpp", self._file, extra="local", instead="name a model at an address or a provider's")
        if self._file not in EMBEDDED_WINDOWS:
            _file_and_window(self._file)

    async def __aenter__(self) -> Self:
        """Fetch the weights at first use, and load them. Raises UserError."""
        if self._server is None:
            self._server, self._cached = await asyncio.wrap_future(in_thread(self._load, _THREAD)), ""
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._server = None

    def _load(self) -> Any:
        file, context = _file_and_window(self._file)
        server = load_server(file, context, self._key)
        self._facts |= {"xllamacpp": version("xllamacpp"), "context": context}
        self._facts |= {"model_file": file.name, "model_sha256": weights.sha256_of(file)}
        self._controls = [token for _, token in gguf_vocabulary(file).of_kind(CONTROL) if token]
        return server

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        assert self._server is not None, "a reader is opened with `async with`"
        # What a prompt that is refused leaves in the cache is unknown.
        server, cached, self._cached = self._server, self._cached, ""
        texts = (request.text, *request.turns)
        is_text = not any(token in text for token in self._controls for text in texts)
        may_cache = is_text and not request.turns
        begun = replace(request, prompt=request.prompt[:-_SAFE], max_tokens=1, schema=None)
        is_again = may_cache and len(begun.prompt) > _SAFE and cached.startswith(begun.text)

        reuses = may_cache and (is_again or may_reuse(cached, request.text))

        def send(asked: Request, reuses: bool) -> Any:
            # Tools change llama.cpp's template and grammar: a JSON object a line does as well.
            body = request_body(self.name, asked, rejected | {"tools"}, "template") | {"cache_prompt": reuses}
            body = body if is_text else self._in_tokens(body)
            return (server.handle_completions if "prompt" in body else server.handle_chat_completions)(body)

        def ask() -> Any:
            if is_again:  # the cache is cut to what both share, less enough to read
                send(begun, True)
            return send(request, reuses)

        try:
            reply = await asyncio.wrap_future(in_thread(ask, _THREAD))  # cancelled, it is left to itself
        except (httpx.HTTPError, OSError, RuntimeError, TypeError, ValueError) as error:
            return Failure("reader_error", one_line(f"llama.cpp: {error}"))
        result = read_completion(reply, request)
        if may_cache and not isinstance(result, Fault):
            self._cached = request.text
        return result

    def _in_tokens(self, body: dict[str, Any]) -> dict[str, Any]:
        """The body with its prompt as token ids: the template's with control tokens, the messages' without,
        where llama.cpp would read "<|im_end|>" as the end of the user's turn."""
        if "prompt" in body:
            texts, parts = {"": body["prompt"]}, [""]
        else:
            texts = {f"niah-message-{at}-text": one["content"] for at, one in enumerate(body["messages"])}
            marked = [{**one, "content": place} for one, place in zip(body["messages"], texts, strict=True)]
            switch = {key: body[key] for key in body.keys() & {"chat_template_kwargs"}}
            whole = self._post("/apply-template", {"messages": marked, **switch})["prompt"]
            parts = [part for part in re.split(f"({'|'.join(texts)})", whole) if part]
        ids: list[int] = []
        for part in parts:
            asked = {"content": texts.get(part, part), "parse_special": part not in texts}
            ids += self._post("/tokenize", {**asked, "add_special": not ids})["tokens"]
        of_chats = {"messages", "response_format", "chat_template_kwargs"}
        return {key: value for key, value in body.items() if key not in of_chats} | {"prompt": ids}

    def _post(self, path: str, asked: dict[str, Any]) -> Any:
        """The reply of what only the server's own address offers: its template and its tokenizer."""
        address, key = self._server.listening_address + path, {"Authorization": f"Bearer {self._key}"}
        reply = httpx.post(address, json=asked, headers=key, timeout=60.0, trust_env=False)
        return reply.raise_for_status().json()


def is_working() -> bool:
    """Whether llama.cpp is at work, which nothing breaks off: leaving the process must not wait for it."""
    return any(thread.name == _THREAD for thread in threading.enumerate())


def may_reuse(cached: str, prompt: str) -> bool:
    """Whether a prompt gets the same answer after the cached one as it gets in a fresh server."""
    # The prefix they share must have been read 64 tokens or more at a time, and so must the rest be.
    return len(cached) > _SAFE and not cached.startswith(prompt[:-_SAFE])


def load_server(file: Path, context: int, api_key: str = "") -> Any:
    """llama.cpp's server with the model loaded, threads and slots pinned. Raises UserError."""
    # Read when OpenMP loads. Spinning threads make speed collapse once a neighbour takes a core.
    os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    try:
        import xllamacpp

        params = xllamacpp.CommonParams()
        params.model.path = str(file)
        params.api_keys = [api_key] if api_key else []
        params.n_ctx = context
        params.fit_params = False  # would shrink the window to the memory that happens to be free
        params.n_parallel = 1
        params.n_batch = params.n_ubatch = _BATCH
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
        params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F16
        params.cache_ram_mib = 0  # the last prompt alone is reused: the reader must know what can be
        params.cpuparams.n_threads = 1
        params.cpuparams_batch.n_threads = 2
        params.verbosity = 0
        params.ui = params.endpoint_slots = False
        return xllamacpp.Server(params)
    except (ImportError, RuntimeError) as error:  # a system library that is missing, too: libgomp
        problem = f"{file} cannot be loaded by llama.cpp: {str(error).rstrip('.')}."
        remedy = "Install the library that is missing, or give a GGUF file that fits into memory."
        raise UserError(problem, remedy) from None


def _file_and_window(model: str) -> tuple[Path, int]:
    """The GGUF file, and its window, at most 32,768 tokens. Raises UserError."""
    if model in EMBEDDED_WINDOWS:
        return weights.ensure_weights(model), EMBEDDED_WINDOWS[model]
    path = Path(model).expanduser()
    try:
        architecture = gguf_fields(path, "general.architecture").get("general.architecture")
        key = f"{architecture}.context_length"
        return path, min(int(gguf_fields(path, key)[key]), 32768)
    except (OSError, ValueError, KeyError) as error:
        problem = f"the model {model} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise UserError(problem, "Give the path of a GGUF file, instruction-tuned.") from None
