"""What a user brings: a retriever or a whole application, as a Python function or an HTTP service.

A retriever gets a question and the chunks, an application a question and the document: by position as a
function, which may be async, and as one JSON object as a service.

A retriever returns one of

* a list of numbers, or ``{"scores": [...]}``: one for each chunk, the higher the better
* ``{"order": [...]}``: chunks' numbers from 0, the best first
* a list of chunks, or ``{"chunks": [...]}``, the best first: texts, or what holds one: a mapping with
  ``text``, ``page_content``, ``content`` or ``index``; LangChain's documents; LlamaIndex's nodes, with scores
  or without; pairs of such a chunk and its score

Chunks that it does not return are not sent. A returned text is matched to the chunk that equals it, or the
first that contains it; white space does not count. What matches none is counted as foreign, and not sent.

An application returns its answer as text, or a mapping with ``answer``, and maybe ``chunks`` (LangChain's
``context`` or ``source_documents``) that it was found in, and ``usage``: ``prompt_tokens``,
``completion_tokens``, ``cost`` in US dollars. LlamaIndex's responses have ``response`` and ``source_nodes``,
LangChain's messages ``content``.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import importlib.util
import inspect
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import isfinite
from numbers import Real
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from niah.errors import OutsideError, StrategyError
from niah.file_mistakes import counted
from niah.readers.fatal import FaultStreak, StoppedReader
from niah.readers.outcomes import Fault, fault_in_reply, one_line, usage_in
from niah.readers.patience import Patience, asked_with
from niah.readers.preflight import is_loopback, why_nothing_listens
from niah.readers.reader import Failure, Lasting, Response, Usage
from niah.readers.retry import Endpoint, retry_after_s
from niah.retrieval.retriever import Offer
from niah.text.embedding import embedding_watch, run_watched

if TYPE_CHECKING:
    from numpy.typing import NDArray

_T = TypeVar("_T")

PYTHON = "py:"
_LIMIT_S, _SYSTEM_LIMIT_S = 60.0, 600.0
"""How long one question to a retriever and to an application may take, all attempts together."""
_PATIENCE = Patience(attempts=3, first_wait_s=0.5, longest_wait_s=20.0, limited_s=20.0)
# Between two looks at whether the run was broken off.
_TICK_S = 0.2

_FORMS = ("scores", "order", "chunks")
_TEXTS = ("text", "page_content", "content")
_SYSTEM_CHUNKS = ("chunks", "context", "source_documents")


def failed(reference: str, problem: str, remedy: str = "", *, meets_all: bool = False) -> OutsideError:
    """What is reported of one that failed; ``meets_all``: it would fail for every question."""
    message = f"{reference} failed: {one_line(problem).rstrip('.')}."
    return OutsideError(message, remedy or "Mend it, and run again.", meets_all=meets_all)


# Asking


def ask_of(reference: str, limit_s: float = _LIMIT_S) -> Callable[..., object]:
    """What asks a function, which is imported, or a service, which must listen. Raises StrategyError.

    It takes named fields and returns what came back; it raises OutsideError.
    """
    if reference.startswith(PYTHON):
        function = load_function(reference.removeprefix(PYTHON))
        return lambda **fields: _call(reference, function, limit_s, fields)
    if why := why_nothing_listens(reference):
        problem = f"nothing answers at {reference}: {why}."
        raise StrategyError(problem, "Start the service, or correct the address.")
    return lambda **fields: run_watched(_post(reference, limit_s, fields))


def check_importable(reference: str) -> None:
    """Import a function; a service, which may not be up yet, is not asked. Raises StrategyError."""
    if reference.startswith(PYTHON):
        load_function(reference.removeprefix(PYTHON))


def load_function(reference: str) -> Callable[..., Any]:
    """The callable that MODULE:FUNCTION or FILE.py:FUNCTION names. Raises StrategyError.

    Modules are found in the working folder as well.
    """
    module, _, name = reference.rpartition(":")
    try:
        found = attrgetter(name)(_module(module))
    except Exception as error:  # whatever a user's module does when it is imported
        problem = one_line(f"{type(error).__name__}: {error}").rstrip(".")
        raise StrategyError(
            f"py:{reference} cannot be loaded: {problem}.", "Mend it, or its name."
        ) from error
    if not callable(found):
        problem = f"py:{reference} is no function: its type is {type(found).__name__}."
        raise StrategyError(problem, "Name a function, or a method as py:MODULE:OBJECT.METHOD.")
    with suppress(ValueError):  # some that are written in C have no signature
        signature = inspect.signature(found)
        try:
            signature.bind("", [])
        except TypeError:
            raise StrategyError(
                f"py:{reference} takes {signature}, and is called with two arguments by their places.",
                "A retriever gets question and chunks, an application question and document; of a class name "
                "an object's method: py:MODULE:OBJECT.METHOD.",
            ) from None
    return found  # type: ignore[no-any-return]


def _find_modules_in(folder: Path) -> None:
    """Have Python look for modules in a folder too, after all others."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _module(name: str) -> ModuleType:
    path = Path(name).expanduser()
    if not name.endswith(".py"):
        _find_modules_in(Path.cwd())
        return importlib.import_module(name)
    _find_modules_in(path.parent.resolve())
    if not path.is_file():
        raise FileNotFoundError(f"no file {name}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    known = sys.modules.setdefault(path.stem, module)  # its classes look for their module by name
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if known is module:
            del sys.modules[path.stem]
        raise
    return module


def _call(reference: str, function: Callable[..., Any], limit_s: float, fields: dict[str, Any]) -> object:
    """What the function returns. Raises OutsideError."""
    outcome: Future[object] = Future()

    async def awaited(result: Any) -> object:
        return await result

    # A thread of its own: nothing else ends a wait for a function that hangs.
    def call() -> None:
        try:
            result = function(*fields.values())
            outcome.set_result(asyncio.run(awaited(result)) if inspect.isawaitable(result) else result)
        except BaseException as error:  # sys.exit() too is no more than its failure
            outcome.set_exception(failed(reference, f"{type(error).__name__}: {error}"))

    threading.Thread(target=call, name=reference, daemon=True).start()
    watch, waited = embedding_watch(), 0.0
    while waited < limit_s:
        with suppress(TimeoutError):
            return outcome.result(min(_TICK_S, limit_s - waited))
        waited += _TICK_S
        if watch:
            watch.check()
    raise failed(reference, f"nothing came back within {limit_s:g} s")


async def _post(address: str, limit_s: float, fields: dict[str, Any]) -> object:
    """The decoded reply of a service, with retries. Raises OutsideError."""
    wait_s, faults = asked_with.get().wait_s, list[Fault]()

    async def attempt() -> tuple[object] | Fault:
        reply = await _attempt(address, fields)
        if not isinstance(reply, Fault):
            return (reply,)
        faults.append(reply)
        return reply

    patience = replace(_PATIENCE, limited_s=wait_s or _PATIENCE.limited_s)
    limit_s += wait_s or 0.0
    try:
        async with asyncio.timeout(limit_s):
            reply = await Endpoint("", patience, 1).ask(attempt)
    except TimeoutError:
        raise failed(address, f"no complete reply within {limit_s:g} s") from None
    if not isinstance(reply, Failure):
        return reply[0]
    status = faults[-1].status or 0
    is_address = status in (404, 405, 410, 501) or 300 <= status < 400
    remedy = "Correct its address; a run with another one takes another run file (--out)."
    meets_all = is_address or status in (401, 402, 403, 407)
    raise failed(address, reply.reason, remedy if is_address else "", meets_all=meets_all)


async def _attempt(address: str, fields: dict[str, Any]) -> object:
    """The decoded reply, or the fault that came in its place."""
    import httpx
    import orjson

    from niah.readers.body_limit import ACCEPTED, limit_body

    started = time.perf_counter()
    try:
        async with httpx.AsyncClient(
            timeout=None,  # the limit is for all of it; httpx's are per read
            follow_redirects=False,  # contexts are for this address
            headers={"Accept-Encoding": ACCEPTED, "Content-Type": "application/json"},
            trust_env=not is_loopback(address),  # no proxy comes between us and this very machine
            event_hooks={"response": [limit_body]},
        ) as client:
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
    wait_s = retry_after_s(reply.headers, time.time())
    return fault_in_reply(reply.status_code, body, time.perf_counter() - started, wait_s)


def code_of(reference: str) -> str:
    """Digest of the file that holds a function, without importing it; "" of a service and of no such file.

    Another file that it imports may change unseen.
    """
    if not reference.startswith(PYTHON):
        return ""
    module = reference.removeprefix(PYTHON).rpartition(":")[0]
    try:
        if module.endswith(".py"):
            path = Path(module).expanduser()
        else:
            _find_modules_in(Path.cwd())
            found = importlib.util.find_spec(module)
            path = Path((found.origin if found else "") or "")
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except (OSError, ValueError, ImportError):
        return ""


# Retrievers


@dataclass(frozen=True)
class UserRetriever:
    """A function of question and chunks, or a service that gets both.

    Attributes:
        name: its reference.
        ask: of ``ask_of``.
    """

    name: str
    ask: Callable[..., object]

    def offer(self, query: str, texts: Sequence[str]) -> Offer:
        """What it returns of the chunks. Raises OutsideError."""
        return _read(self.name, self.ask(question=query, chunks=list(texts)), lambda r: read_offer(r, texts))

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Shape (len(texts),): 0 for what it does not return, where it gives an order."""
        return self.offer(query, texts).scores


def _read(reference: str, reply: object, read: Callable[[object], _T]) -> _T:
    try:
        return read(reply)
    except Exception as error:  # what it returned may run code of its own when it is read
        problem = str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
        raise failed(reference, problem) from error


def read_offer(reply: object, texts: Sequence[str]) -> Offer:
    """What a retriever returned of the chunks ``texts``. Raises ValueError, with what is wrong."""
    form, given = "", reply
    if isinstance(reply, Mapping):
        forms = [form for form in _FORMS if reply.get(form) is not None]
        if len(forms) != 1:
            keys = ", ".join(map(str, list(reply)[:5])) or "no key"
            raise ValueError(f"it returned a mapping with {keys}, and not one of scores, order and chunks")
        form, given = forms[0], reply[forms[0]]
    values = _list(given, f"its {form or 'reply'} is")
    if form == "scores" or (not form and values and all(map(_is_number, values))):
        if len(values) != len(texts):
            raise ValueError(f"it gave {counted(len(values), 'score')} for {counted(len(texts), 'chunk')}")
        if not all(_is_number(value) and isfinite(value) for value in values):
            raise ValueError("it gave a score that is not a finite number")
        return Offer(np.array(values, dtype=np.float64), len(texts))
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
    return Offer(scores, len(known), len(places) - len(inside))


def _list(given: object, what: str) -> list[Any]:
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise ValueError(f"{what} {kind_in_words(given)}, not a list")
    return list(given)


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_)


def _chunk_number(value: object) -> int:
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise ValueError(f"its order holds {kind_in_words(value)}, not a chunk's number")
    return int(value)


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


def kind_in_words(value: object) -> str:
    """What a value is, for people who may not write Python: "nothing", "true", "a number", "a list"."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    kinds: dict[type[Any], str] = {Real: "number", str: "text", Mapping: "mapping"}
    named = (words for kind, words in kinds.items() if isinstance(value, kind))
    return f"a {next(named, type(value).__name__)}"


def _text_of(chunk: Any) -> str:
    """The text of a chunk as libraries hold it. Raises ValueError where it has none."""
    if isinstance(chunk, str):
        return chunk
    if isinstance(chunk, Mapping):
        found = next((chunk[key] for key in _TEXTS if isinstance(chunk.get(key), str)), None)
    else:
        node = getattr(chunk, "node", chunk)
        values = (getattr(node, key, None) for key in _TEXTS)
        found = next((value for value in values if isinstance(value, str)), None)
        if found is None and callable(content := getattr(node, "get_content", None)):
            found = content()
    if not isinstance(found, str):
        raise ValueError(f"a chunk that it returned is {kind_in_words(chunk)}, and holds no text")
    return found


# Applications


@dataclass(frozen=True)
class SystemReply:
    """What an application returned for one question.

    Attributes:
        answer: its answer.
        chunks: texts that it was found in, the best first; None where it does not say.
        usage: tokens, as it reports them.
        cost: US dollars, as it reports them; None where it does not.
    """

    answer: str
    chunks: tuple[str, ...] | None = None
    usage: Usage = Usage()  # noqa: RUF009 (it is frozen)
    cost: Decimal | None = None


@dataclass(frozen=True)
class UserSystem:
    """A function of question and document, or a service that gets both.

    Attributes:
        reference: as users call it.
        ask: of ``ask_of``.
    """

    reference: str
    ask: Callable[..., object]

    def answer(self, question: str, document: str) -> tuple[SystemReply, float]:
        """What it returned, and after how many seconds. Raises OutsideError."""
        begun = time.perf_counter()
        reply = self.ask(question=question, document=document)
        seconds = time.perf_counter() - begun
        return _read(self.reference, reply, read_system_reply), seconds


def read_system_reply(reply: object) -> SystemReply:
    """What an application returned. Raises ValueError, with what is wrong."""
    if isinstance(reply, Mapping):
        if "answer" not in reply:
            keys = ", ".join(map(str, reply)) or "none"
            raise ValueError(f"there is no answer in its reply: it has no key answer; its keys: {keys}")
        chunks = next((reply[key] for key in _SYSTEM_CHUNKS if reply.get(key) is not None), None)
        usage = reply.get("usage")
        counts: Mapping[str, Any] = usage if isinstance(usage, Mapping) else {}
        cost = counts.get("cost")
        known = isinstance(cost, int | float) and not isinstance(cost, bool) and isfinite(cost) and cost >= 0
        return SystemReply(
            _answer(reply["answer"], "its answer is"),
            _chunk_texts(chunks),
            usage_in({"usage": counts}),
            Decimal(str(cost)) if known else None,
        )
    if isinstance(reply, str):
        return SystemReply(_answer(reply, "its reply is"))
    said: Any = getattr(reply, "response", None) or getattr(reply, "content", None)
    if said is None:
        raise ValueError(f"it returned {kind_in_words(reply)}, and neither a text nor a mapping with answer")
    return SystemReply(_answer(said, "its response is"), _chunk_texts(getattr(reply, "source_nodes", None)))


def _answer(said: object, where: str) -> str:
    if not isinstance(said, str):
        raise ValueError(f"there is no answer in its reply: {where} {kind_in_words(said)}, not a text")
    # JSON can hold half a character, no file can.
    return said.encode(errors="replace").decode()


def _chunk_texts(chunks: object) -> tuple[str, ...] | None:
    return None if chunks is None else tuple(map(_text_of, _list(chunks, "its chunks are")))


_LOADED_CODE: dict[str, str] = {}


def system_code(reference: str) -> str:
    """Digest of the code behind an application, as it was loaded or as the file has it; "" where unknown."""
    return _LOADED_CODE[reference] if reference in _LOADED_CODE else code_of(reference)


@lru_cache
def get_system(reference: str) -> UserSystem:
    """The application of that reference, loaded at the first call. Raises StrategyError."""
    _LOADED_CODE[reference] = code_of(reference)
    return UserSystem(reference, ask_of(reference, _SYSTEM_LIMIT_S))


# Failures


def failure_of(error: OutsideError) -> Failure:
    """The outcome of a trial whose retriever or application failed.

    Three in a row stop the strategy where the address or the key is wrong, else ten in the same words: the
    next question may still be another.
    """
    return Failure("reader_error", error.message, lasting=Lasting(3 if error.meets_all else 10, error.remedy))


class StrategyFaults:
    """Counts failures of each strategy that come one after another, over all readers."""

    def __init__(self) -> None:
        self._streaks: defaultdict[str, FaultStreak] = defaultdict(FaultStreak)

    def note(self, strategy: str, response: Response | None) -> bool:
        """Take in what came of a trial; whether it says nothing more, the strategy having been stopped.

        ``response`` is an application's, or a failure; None where a retriever did its work.
        """
        if strategy not in self._streaks and not isinstance(response, Failure):
            return False
        streak = self._streaks[strategy]
        if response is None:
            streak.clear()
            return False
        return streak.note(response)

    def why_stopped(self, strategy: str) -> StoppedReader | None:
        """Why it is asked no further; None as long as it is."""
        return self._streaks[strategy].stopped if strategy in self._streaks else None

    @property
    def stopped(self) -> dict[str, StoppedReader]:
        """Why strategies are asked no further, by name."""
        return {name: each.stopped for name, each in self._streaks.items() if each.stopped}
