"""A Python function of the user's own, plain or async, in a module or a file."""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import inspect
import sys
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Any

from niah.errors import StrategyError
from niah.readers.http.outcomes import one_line
from niah.retrieval.brought.outside import LIMIT_S, failed
from niah.text.embedding.watch import embedding_watch

# Between two looks at whether the run was broken off.
_TICK_S = 0.2


def load_function(reference: str) -> Callable[..., Any]:
    """The callable that MODULE:FUNCTION or FILE.py:FUNCTION names. Raises StrategyError.

    Modules are found in the working folder as well.
    """
    module, _, name = reference.rpartition(":")
    try:
        found = attrgetter(name)(_module(module))
    except Exception as error:  # whatever a stranger's module does when it is imported
        problem = one_line(f"{type(error).__name__}: {error}").rstrip(".")
        raise StrategyError(
            f"py:{reference} cannot be loaded: {problem}.", "Mend it, or its name."
        ) from error
    if not callable(found):
        problem = f"py:{reference} is no function: its type is {type(found).__name__}."
        raise StrategyError(problem, "Name a function, or a method as py:MODULE:OBJECT.METHOD.")
    _check_arguments(reference, found)
    return found  # type: ignore[no-any-return]


def _check_arguments(reference: str, function: Callable[..., Any]) -> None:
    """Raise StrategyError for one that cannot be called with a question and its chunks or document."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # of some that are written in C there is none
        return
    try:
        signature.bind("", [])
    except TypeError:
        problem = f"py:{reference} takes {signature}, and is called with two arguments by their places."
        remedy = "A retriever gets question and chunks, an application question and document."
        if inspect.isclass(function) or "." in reference.partition(":")[2]:
            remedy += " Of a class make an object in that file, and name it, or its method: OBJECT.METHOD."
        raise StrategyError(problem, remedy) from None


@dataclass(frozen=True)
class UserFunction:
    """Calls it by position, with the fields in their order.

    Attributes:
        reference: as users call it.
        function: may be async.
        limit_s: how long one call may take.
    """

    reference: str
    function: Callable[..., Any]
    limit_s: float = LIMIT_S

    def ask(self, **fields: Any) -> object:
        """What it returns. Raises OutsideError."""
        outcome: Future[object] = Future()

        # A thread of its own: nothing else ends a wait for a function that hangs.
        def call() -> None:
            try:
                outcome.set_result(_result(self.function, fields))
            except BaseException as error:  # sys.exit() too is no more than its failure
                outcome.set_exception(failed(self.reference, f"{type(error).__name__}: {error}"))

        threading.Thread(target=call, name=self.reference, daemon=True).start()
        watch, waited = embedding_watch(), 0.0
        while waited < self.limit_s:
            try:
                return outcome.result(min(_TICK_S, self.limit_s - waited))
            except TimeoutError:
                waited += _TICK_S
            if watch:
                watch.check()
        raise failed(self.reference, f"nothing came back within {self.limit_s:g} s")


def _result(function: Callable[..., Any], fields: dict[str, Any]) -> object:
    result = function(*fields.values())
    return asyncio.run(_awaited(result)) if inspect.isawaitable(result) else result


async def _awaited(awaitable: Awaitable[object]) -> object:
    return await awaitable


def find_modules_in(folder: Path) -> None:
    """Have Python look for modules in a folder too, after all others."""
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _module(name: str) -> ModuleType:
    path = Path(name).expanduser()
    find_modules_in(path.parent.resolve() if name.endswith(".py") else Path.cwd())
    if not name.endswith(".py"):
        return importlib.import_module(name)
    if not path.is_file():
        raise FileNotFoundError(f"no file {name}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Its classes look for their module by name.
    known = sys.modules.setdefault(path.stem, module)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        if known is module:
            del sys.modules[path.stem]
        raise
    return module
