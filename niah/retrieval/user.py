"""What a user brings: a retriever or a whole application, as a Python function or an HTTP service.

A retriever gets a question and the chunks, an application a question and the document: by position as a
function, which may be async, and as one JSON object as a service. What they may return: docs/strategies.md.
"""

from __future__ import annotations

import asyncio
import hashlib
import inspect
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from math import isfinite
from numbers import Real
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from niah.errors import OutsideError, UserError
from niah.event_loop import in_thread
from niah.readers.openai_compatible import check_listening, client_options
from niah.readers.outcomes import FEW, MANY, Fault, fault_in_reply, one_line, usage_in
from niah.readers.reader import Answer, Failure, Lasting, Patience, asked_with
from niah.readers.retry import Endpoint
from niah.registry import error_line
from niah.retrieval.retriever import Ranking
from niah.text.embedding import check_wanted, run_watched

_T = TypeVar("_T")

_PYTHON = "py:"
_LIMIT_S, _SYSTEM_LIMIT_S = 60.0, 600.0  # for a question to a retriever and an application, with attempts
_PATIENCE = Patience(attempts=3, first_wait_s=0.5, limited_s=20.0)
_TICK_S = 0.2  # between two looks at whether the run was broken off


def ask_of(reference: str, limit_s: float = _LIMIT_S) -> Callable[..., object]:
    """What asks a function, which is imported, or a service, which must listen. Raises UserError.
    It takes named fields and returns what came back; it raises OutsideError."""
    if function := check_importable(reference):
        return lambda **fields: _call(reference, function, limit_s, fields)
    check_listening(reference)
    return lambda **fields: run_watched(_post(reference, limit_s, fields))


def check_importable(reference: str) -> Callable[..., Any] | None:
    """The function py:MODULE:FUNCTION or py:FILE.py:FUNCTION; None for a service. Raises UserError."""
    if not reference.startswith(_PYTHON):
        return None
    module, _, name = reference.removeprefix(_PYTHON).rpartition(":")
    try:
        _find_modules_near(module)
        path, is_file = Path(module).expanduser(), module.endswith(".py")
        if is_file and (spec := spec_from_file_location(path.stem, path)) and spec.loader:
            loaded = module_from_spec(spec)
            sys.modules.setdefault(spec.name, loaded)  # its classes look for their module by name
            spec.loader.exec_module(loaded)
        else:
            loaded = import_module(module)
        found = attrgetter(name)(loaded)
    except (Exception, SystemExit) as error:  # whatever a user's module does when it is imported
        problem = f"{reference} cannot be loaded: {one_line(error_line(error))}."
        raise UserError(problem, "Mend it, or its name.") from error
    try:
        with suppress(ValueError):  # some that are written in C have no signature
            inspect.signature(found).bind("", [])
    except TypeError as error:
        problem = f"{reference} cannot be called with two arguments by their places: {error}."
        remedy = "It gets the question and the chunks or document; of a class name py:MODULE:OBJECT.METHOD."
        raise UserError(problem, remedy) from None
    return found  # type: ignore[no-any-return]


def _find_modules_near(module: str) -> None:
    """Let Python look for modules, after all other folders, in the file's, or else in the working folder."""
    folder = Path(module).expanduser().parent.resolve() if module.endswith(".py") else Path.cwd()
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _call(reference: str, function: Callable[..., Any], limit_s: float, fields: dict[str, Any]) -> object:
    """What the function returns. Raises OutsideError."""

    async def awaited(result: Any) -> object:
        return await result

    def call() -> object:
        result = function(*fields.values())
        return asyncio.run(awaited(result)) if inspect.isawaitable(result) else result

    outcome = in_thread(call, reference)  # nothing else ends a wait for a function that hangs
    until = time.monotonic() + limit_s
    while not wait([outcome], min(_TICK_S, max(0.0, until - time.monotonic()))).done:
        if time.monotonic() >= until:
            raise _failed(reference, f"nothing came back within {limit_s:g} s")
        check_wanted()
    if error := outcome.exception():
        raise _failed(reference, error_line(error))
    return outcome.result()


async def _post(address: str, limit_s: float, fields: dict[str, Any]) -> object:
    """The decoded reply of a service, with retries. Raises OutsideError."""
    import httpx
    import orjson

    async def attempt() -> object:
        try:
            options = client_options(address, {"Content-Type": "application/json"})
            async with httpx.AsyncClient(**options) as client:
                reply = await client.post(address, content=orjson.dumps(fields))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Fault(str(error) or type(error).__name__)
        try:
            body = orjson.loads(reply.content)
        except orjson.JSONDecodeError as error:
            if reply.is_success:
                return Fault(f"the reply is no JSON: {error.msg}", reply.status_code)
            body = reply.text
        if reply.is_success:
            return body
        return fault_in_reply(reply.status_code, body, reply.headers)

    wait_s = asked_with.get().get("limited_s")
    limit_s += wait_s or 0.0
    endpoint = Endpoint("", replace(_PATIENCE, limited_s=wait_s or _PATIENCE.limited_s), 1)
    try:
        async with asyncio.timeout(limit_s):
            reply = await endpoint.ask(attempt)
    except TimeoutError:
        raise _failed(address, f"no complete reply within {limit_s:g} s") from None
    if not isinstance(reply, Failure):
        return reply
    status = endpoint.last_fault.status or 0
    if status in (404, 405, 410, 501) or 300 <= status < 400:
        remedy = "Correct its address; a run with another one takes another run file (--out)."
        raise _failed(address, reply.reason, remedy, meets_all=True)
    raise _failed(address, reply.reason, meets_all=status in (401, 402, 403, 407))


def _failed(reference: str, problem: str, remedy: str = "", *, meets_all: bool = False) -> OutsideError:
    """What is reported of one that failed; ``meets_all``: it would fail for every question."""
    message = f"{reference} failed: {one_line(problem).rstrip('.')}."
    return OutsideError(message, remedy or "Mend it, and run again.", meets_all=meets_all)


def _read(reference: str, reply: object, read: Callable[[object], _T]) -> _T:
    try:
        return read(reply)
    except Exception as error:  # what it returned may run code of its own when it is read
        problem = str(error) if isinstance(error, ValueError) else error_line(error)
        raise _failed(reference, problem) from error


@dataclass(frozen=True)
class UserRetriever:
    """A function or service of the user's; ``ask`` is that of ``ask_of``."""

    name: str
    ask: Callable[..., object]

    def ranking(self, query: str, texts: Sequence[str]) -> Ranking:
        """What it returns of the chunks. Raises OutsideError."""
        reply = self.ask(question=query, chunks=list(texts))
        return _read(self.name, reply, lambda said: read_ranking(said, texts))

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 0 for what it does not return, where it gives an order."""
        return self.ranking(query, texts).scores


def read_ranking(reply: object, texts: Sequence[str]) -> Ranking:
    """What a retriever returned of the chunks ``texts``. Raises ValueError, with what is wrong."""
    form, given = "", reply
    if isinstance(reply, Mapping):
        forms = [form for form in ("scores", "order", "chunks") if reply.get(form) is not None]
        if len(forms) != 1:
            keys = ", ".join(map(str, list(reply)[:5])) or "no key"
            raise ValueError(f"it returned a mapping with {keys}, and not one of scores, order and chunks")
        form, given = forms[0], reply[forms[0]]
    values = _list(given, f"its {form or 'reply'} is")
    if form == "scores" or (not form and values and all(map(_is_number, values))):
        if len(values) != len(texts):
            raise ValueError(f"it gave {len(values)} scores for {len(texts)} chunks")
        if not all(_is_number(value) and isfinite(value) for value in values):
            raise ValueError("it gave a score that is not a finite number")
        return Ranking(np.array(values, dtype=np.float64), len(texts))
    if form == "order":
        places: list[int | None] = [_chunk_number(value) for value in values]
    else:
        plain = [" ".join(text.split()) for text in texts]
        whole = {text: place for place, text in reversed(list(enumerate(plain)))}
        places = [_place_of(value, plain, whole) for value in values]
    # Chunks by their places, the best first; places outside of the text are foreign.
    inside = [place for place in places if place is not None and 0 <= place < len(texts)]
    known = list(dict.fromkeys(inside))
    scores = np.zeros(len(texts))
    scores[known] = np.arange(len(known), 0, -1)
    return Ranking(scores, len(known), len(places) - len(inside))


def _place_of(chunk: object, plain: Sequence[str], whole: Mapping[str, int]) -> int | None:
    """The place of what was returned; None for what is none of the chunks."""
    if isinstance(chunk, tuple | list) and len(chunk) == 2 and _is_number(chunk[1]):
        chunk = chunk[0]
    if isinstance(chunk, Mapping) and chunk.get("index") is not None:
        return _chunk_number(chunk["index"])
    text = " ".join(_text_of(chunk).split())
    if not text or text in whole:
        return whole.get(text)
    return next((place for place, other in enumerate(plain) if text in other), None)


def _text_of(chunk: Any) -> str:
    """The text of a chunk as libraries hold it. Raises ValueError where it has none."""
    held = getattr(chunk, "node", chunk)
    get: Callable[[str], Any] = (
        held.get if isinstance(held, Mapping) else lambda key: getattr(held, key, None)
    )
    for text in (chunk, *map(get, ("text", "page_content", "content"))):
        if isinstance(text, str):
            return text
    if callable(content := get("get_content")) and isinstance(text := content(), str):
        return text
    raise ValueError(f"a chunk that it returned is {_kind(chunk)}, and holds no text")


def _list(given: object, what: str) -> list[Any]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ValueError(f"{what} {_kind(given)}, not a list")
    return list(given)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _chunk_number(value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise ValueError(f"its order holds {_kind(value)}, not a chunk's number")
    return int(value)


def _kind(value: object) -> str:
    """What a value is, for people who may not write Python: "nothing", "a number", "a list"."""
    kinds: dict[type[Any], str] = {bool: "truth value", Real: "number", str: "text", Mapping: "mapping"}
    named = (words for kind, words in kinds.items() if isinstance(value, kind))
    return "nothing" if value is None else f"a {next(named, type(value).__name__)}"


@lru_cache
def get_system(reference: str) -> Callable[[str, str], Answer]:
    """What asks an application about a document, and raises OutsideError. Raises UserError."""
    ask = ask_of(reference, _SYSTEM_LIMIT_S)
    system_code(reference)  # noted now: the file may be edited while what was loaded answers
    if not reference.startswith(_PYTHON):
        client_options(reference, {})  # the first call's time is not that of loading certificates

    def answer(question: str, document: str) -> Answer:
        begun, reply = time.perf_counter(), ask(question=question, document=document)
        seconds = time.perf_counter() - begun
        return replace(_read(reference, reply, read_system_reply), latency_s=seconds)

    return answer


def read_system_reply(reply: object) -> Answer:
    """What an application returned. Raises ValueError, with what is wrong."""
    fields: Mapping[str, Any] = reply if isinstance(reply, Mapping) else {}
    if fields and "answer" not in fields:
        keys = ", ".join(map(str, fields))
        raise ValueError(f"there is no answer in its reply: it has no key answer; its keys: {keys}")
    if fields:
        said, where = fields["answer"], "its answer is"
        names = ("chunks", "context", "source_documents")
        chunks = next((fields[name] for name in names if fields.get(name) is not None), None)
    else:
        said = getattr(reply, "response", None) or getattr(reply, "content", None) or reply
        where, chunks = "its reply is", getattr(reply, "source_nodes", None)
    if not isinstance(said, str):
        raise ValueError(f"there is no answer in its reply: {where} {_kind(said)}, not a text")
    usage = fields.get("usage")
    counts: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
    cost: Any = counts.get("cost")
    return Answer(
        said.encode(errors="replace").decode(),  # JSON can hold half a character, no file can
        usage_in({"usage": counts}),
        latency_s=0.0,
        sources=None if chunks is None else tuple(map(_text_of, _list(chunks, "its chunks are"))),
        cost=Decimal(str(cost)) if _is_number(cost) and isfinite(cost) and cost >= 0 else None,
    )


@lru_cache
def system_code(reference: str) -> str:
    """Digest of the file of an application's function, as it is at the first call, which is when the function
    is loaded; "" of a service, or where unknown."""
    module = reference.removeprefix(_PYTHON).rpartition(":")[0]
    with suppress(OSError, ValueError, ImportError):
        if reference.startswith(_PYTHON):
            _find_modules_near(module)
            spec = None if module.endswith(".py") else find_spec(module)
            code = Path((spec and spec.origin) or module).expanduser().read_bytes()
            return hashlib.sha256(code).hexdigest()[:16]
    return ""


def failure_of(error: OutsideError) -> Failure:
    """The outcome of a trial whose retriever or application failed; three or ten alike stop the strategy."""
    lasting = Lasting(FEW if error.meets_all else MANY, error.remedy)
    return Failure("reader_error", error.message, lasting=lasting)
