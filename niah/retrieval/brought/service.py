"""An HTTP service of the user's own: a question in as JSON, JSON out."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, replace
from typing import Any

from niah.errors import OutsideError, StrategyError
from niah.event_loop import run_to_end
from niah.readers.endpoint.address import is_loopback, why_nothing_listens
from niah.readers.http.outcomes import Fault, fault_in_reply
from niah.readers.http.retries.patience import Patience, Waits
from niah.readers.http.retries.retry_after import retry_after_s
from niah.readers.reader import Failure
from niah.readers.transport import asked_with
from niah.retrieval.brought.outside import LIMIT_S, failed
from niah.text.embedding.watch import embedding_watch

_PATIENCE = Patience(attempts=3, first_wait_s=0.5, longest_wait_s=20.0, limited_s=20.0)
_TICK_S = 0.2
_OF_THE_ADDRESS = frozenset({404, 405, 410, 501})
_ADDRESS = "Correct its address; a run with another one takes another run file (--out)."
_OF_THE_SERVICE = frozenset({401, 402, 403, 407})


@dataclass(frozen=True)
class UserService:
    """Posts the fields as one JSON object; asks again where the same request may succeed later.

    Attributes:
        reference: its address.
        limit_s: how long one question may take, all attempts together, and as much on top as the run waits.
        patience: of its attempts.
    """

    reference: str
    limit_s: float = LIMIT_S
    patience: Patience = _PATIENCE

    def check(self) -> None:
        """Raise StrategyError where nothing listens at the address."""
        if why := why_nothing_listens(self.reference):
            problem = f"nothing answers at {self.reference}: {why}."
            raise StrategyError(problem, "Start the service, or correct the address.")

    def ask(self, **fields: Any) -> object:
        """The decoded reply. Raises OutsideError."""
        return run_to_end(self._watched(fields))

    async def _watched(self, fields: dict[str, Any]) -> object:
        """Until there is a reply, or the run is broken off."""
        watch = embedding_watch()
        asking = asyncio.ensure_future(self._in_time(fields))
        try:
            while not (await asyncio.wait({asking}, timeout=_TICK_S))[0]:
                if watch:
                    watch.check()
            return asking.result()
        finally:
            asking.cancel()
            await asyncio.gather(asking, return_exceptions=True)

    async def _in_time(self, fields: dict[str, Any]) -> object:
        limit_s = self.limit_s + (asked_with.get().wait_s or 0.0)
        try:
            async with asyncio.timeout(limit_s):
                return await self._asked(fields)
        except TimeoutError:
            raise failed(self.reference, f"no complete reply within {limit_s:g} s") from None

    async def _asked(self, fields: dict[str, Any]) -> object:
        waits = Waits(replace(self.patience, limited_s=asked_with.get().wait_s or self.patience.limited_s))
        while isinstance(reply := await self._attempt(fields), Fault):
            wait_s = waits.after(reply)
            if wait_s is None:
                raise _refused(self.reference, waits.failure(reply), reply.status)
            await asyncio.sleep(wait_s)
        return reply

    async def _attempt(self, fields: dict[str, Any]) -> object:
        """The decoded reply, or what came in its place."""
        import httpx
        import orjson

        from niah.readers.http.body_limit import ACCEPTED, limit_body

        started = time.perf_counter()
        try:
            async with httpx.AsyncClient(
                timeout=None,  # the limit is for all of it; httpx's are per read
                follow_redirects=False,  # contexts are for this address
                headers={"Accept-Encoding": ACCEPTED, "Content-Type": "application/json"},
                # A proxy from the environment must not stand between us and this very machine.
                trust_env=not is_loopback(self.reference),
                event_hooks={"response": [limit_body]},
            ) as client:
                reply = await client.post(self.reference, content=orjson.dumps(fields))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Fault(str(error) or type(error).__name__)
        try:
            body = orjson.loads(reply.content)
        except orjson.JSONDecodeError as error:
            if reply.is_success:
                kind = reply.headers.get("Content-Type", "").partition(";")[0].strip()
                return Fault(f"the reply is no JSON{_in_its_place(kind, error.msg)}", reply.status_code)
            body = reply.text
        if reply.is_success:
            return body
        wait_s = retry_after_s(reply.headers, time.time())
        return fault_in_reply(reply.status_code, body, time.perf_counter() - started, wait_s)


def _in_its_place(kind: str, wrong: str) -> str:
    """What came in place of JSON, by its content type; what is ``wrong`` with it where it calls itself JSON.

    Where in the reply is left out: failures in the same words are taken for the same.
    """
    if kind == "text/event-stream":
        return " but a stream of events, which is not read: reply with one JSON object"
    return f": {wrong}" if "json" in kind or not kind else f" but {kind}"


def _refused(reference: str, failure: Failure, status: int | None) -> OutsideError:
    """What is said of a fault that is not tried again."""
    is_address = status in _OF_THE_ADDRESS or (status is not None and 300 <= status < 400)
    meets_all = is_address or status in _OF_THE_SERVICE
    return failed(reference, failure.reason, _ADDRESS if is_address else "", meets_all=meets_all)
