"""The one loop that asks endpoints again: how patiently, within which limits, and a log of all requests."""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Any, Self, TypeVar

import orjson

from niah.errors import RunFileError
from niah.readers import credentials
from niah.readers.dialect import rejected_parameter
from niah.readers.limits import Share, heard, now_s
from niah.readers.outcomes import FEW, MANY, Fault, as_count, failure, one_line
from niah.readers.reader import PATIENT, Answer, Failure, Lasting, Patience, Request, Response, Traffic, Usage

_T = TypeVar("_T")
Attempt = Callable[[], Awaitable[_T | Fault]]

_LONGEST_UNASKED_S, _LONGEST_BETWEEN_S, _PROBE_LIMIT_S = 30.0, 15.0, 10.0
_FIRST_GAP_S, _LONGEST_GAP_S = 0.02, 2.0  # between two requests, after the first limit and at most
_SEVERAL = 3  # faults in a row, with no reply between them, that are no accident
_SILENT = Lasting(1, "See whether the server runs and sends JSON; --wait 10m and --timeout 20m wait longer.")
PROBE = Request("Say OK.", max_tokens=16)
_MALFORMED = Lasting(MANY, "See whether the address is an OpenAI-compatible endpoint's, with its /v1.")


request_log: ContextVar[Path | None] = ContextVar("request_log", default=None)
"""The file that requests are added to, a line of JSON each, without prompts, answers and keys."""
asked_for: ContextVar[str] = ContextVar("asked_for", default="")  # the id of the trial of this task


# Asking


class FaultStreak:
    """Counts lasting failures of one reader in a row; ``stopped`` says why it is asked no more. Of a wrong
    name or address fewer will do, where no more than so many ``trials`` are asked."""

    def __init__(self, trials: float = inf) -> None:
        self.stopped: Lasting | None = None
        self._trials = trials
        self._row: list[tuple[str, str]] = []

    def note(self, response: Response | None) -> bool:
        """Count a response, None for another good end; whether it adds nothing to what stopped the reader."""
        if not isinstance(response, Failure) or (lasting := response.lasting) is None:
            if not getattr(response, "cached", False):  # the cache says nothing of the reader
                self._row = []
            return False
        if self.stopped:
            return True
        kind = lasting.remedy, "" if lasting.in_a_row <= FEW else re.sub(r"\d+", "#", response.reason)
        self._row = [each for each in self._row if each == kind] + [kind]
        if len(self._row) >= min(lasting.in_a_row, self._trials if lasting.is_mistake else inf):
            self.stopped = replace(lasting, reason=response.reason, in_a_row=len(self._row))
        return False


class Endpoint:
    """The requests of one reader; ``probe`` is a short question that a healthy endpoint answers at once."""

    def __init__(
        self, name: str, patience: Patience, concurrency: int, probe: Attempt[object] | None = None
    ) -> None:
        self.name, self.patience, self.concurrency, self._probe = name, patience, concurrency, probe
        self._share: Share | None = None  # in the rate limits of its key
        self._loop: asyncio.AbstractEventLoop | None = None
        self._running = self._readings = self._retries = self._faults_in_row = 0
        self._gap_s, self._next_send, self._slowed_at = 0.0, -inf, -inf
        self._gone_until = self._back_at = -inf
        self.last_fault = Fault("no reply")

    @property
    def traffic(self) -> Traffic:
        """Requests running, waiting and retried, for progress displays."""
        return Traffic(self._running, self._readings - self._running, self._retries)

    async def ask(self, attempt: Attempt[_T], characters: int = 0, room: int = 0) -> _T | Failure:
        """What an attempt gives in the end; a Failure once no attempt or time is left.
        ``characters`` of its prompt and ``room`` in tokens for its answer count against rate limits."""
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._loop, self._probing = loop, asyncio.Lock()
            self._lanes = asyncio.Semaphore(self.concurrency)
        self._readings += 1
        try:
            return await self._ask(attempt, characters, room)
        finally:
            self._readings -= 1

    async def _ask(self, attempt: Attempt[_T], characters: int, room: int) -> _T | Failure:
        tried, limits, limited_s, was_forgiven = 0, 0, 0.0, False
        while True:
            async with self._lanes:
                if self._faults_in_row >= _SEVERAL and not await self._is_up():
                    return self._gone()
                while (early_s := self._next_send - now_s()) > 0:
                    await asyncio.sleep(early_s)
                self._next_send = now_s() + self._gap_s
                heard.set({})
                longest_s, share = self.patience.limited_s, self._share
                sent = await share.enter(characters, room, longest_s) if share else None
                result: _T | Fault | None = None
                sent_at = now_s()
                try:
                    result = await self._timed(attempt, self.patience.timeout_s)
                finally:
                    if share and sent:
                        share.leave(sent, result)
            if not isinstance(result, Fault):
                self._faults_in_row = 0
                self._gap_s = self._gap_s * 0.98 if self._gap_s > _FIRST_GAP_S / 4 else 0.0
                self._log(result, tried + limits + 1)
                if isinstance(result, Failure) and result.outcome == "reader_error" and not result.lasting:
                    return replace(result, lasting=_MALFORMED)  # no completion: others would meet that too
                return result
            self.last_fault = result
            tried, limits = tried + (not result.limited), limits + result.limited
            wait = _wait_after(result, self.patience, tried, limits, limited_s)
            self._log(result, tried + limits, wait)
            if (result.limited or result.status == 503) and sent_at > self._slowed_at:
                # Send further apart, after the wait asked for. What was sent before says nothing of it.
                self._slowed_at = now_s()
                self._gap_s = min(_LONGEST_GAP_S, max(_FIRST_GAP_S, self._gap_s * 1.5))
                asked_s = wait if result.retry_after_s and wait else 0.0
                self._next_send = now_s() + max(self._gap_s, asked_s)
            seems_gone = result.transient and not result.limited
            self._faults_in_row = self._faults_in_row + 1 if seems_gone else 0
            if wait is None and seems_gone:
                if not await self._is_up():
                    return self._gone()
                if self._back_at > sent_at and not was_forgiven:  # it was gone: no fault of this request
                    was_forgiven, wait = True, 0.0
            if wait is None:
                failed = failure(result, tried + result.limited)
                waited = f"limited for {limited_s:.0f} s: " if result.limited and limited_s else ""
                return replace(failed, reason=waited + failed.reason)
            limited_s += wait if result.limited else 0.0
            self._retries += 1
            await asyncio.sleep(wait)

    async def _timed(self, attempt: Attempt[_T], limit_s: float) -> _T | Fault:
        """One attempt, broken off after ``limit_s``."""
        self._running += 1
        try:
            async with asyncio.timeout(limit_s):
                return await attempt()
        except TimeoutError:
            return Fault(f"no complete reply within {round(limit_s, 2):g} s", latency_s=limit_s)
        finally:
            self._running -= 1

    async def _is_up(self) -> bool:
        """Whether the endpoint answers a short question, now or within patience; one asks it for all."""
        if self._probe is None or not self.patience.gone_s:
            return True
        async with self._probing:
            pause_s, until, was_gone = self.patience.first_wait_s / 2, now_s() + self.patience.gone_s, False
            while self._faults_in_row and now_s() >= self._gone_until:
                reply = await self._timed(self._probe, _PROBE_LIMIT_S)
                self._log(reply, 0)
                if not isinstance(reply, Fault) or (reply.status or 500) < 500:
                    self._faults_in_row, self._back_at = 0, now_s() if was_gone else self._back_at
                elif (left_s := until - now_s()) <= 0:
                    self._gone_until = now_s() + _LONGEST_BETWEEN_S
                else:
                    await asyncio.sleep(min(pause_s, left_s))
                    pause_s, was_gone = min(2 * pause_s, _LONGEST_BETWEEN_S), True
            return not self._faults_in_row

    def _gone(self) -> Failure:
        last = failure(self.last_fault)
        reason = f"the endpoint answers no short question either: {last.reason}"
        return replace(last, outcome="reader_error", reason=reason, lasting=_SILENT)

    def _log(self, result: object, attempt: int, retry_in_s: float | None = None) -> None:
        """Write what became of one request; attempt 0 is a short question, or had a field too many."""
        path = request_log.get()
        if path is None or not self.name or not isinstance(result, Fault | Answer | Failure):
            return
        line: dict[str, object] = {"at": datetime.now(UTC).isoformat(timespec="milliseconds")}
        line |= {"reader": self.name, "trial_id": asked_for.get(), "attempt": attempt}
        line |= {"latency_s": round(result.latency_s, 3), "retry_in_s": retry_in_s and round(retry_in_s, 3)}
        if isinstance(result, Fault):
            line |= {"outcome": "fault", "status": result.status, "reason": one_line(result.message)}
        else:
            line |= {"outcome": getattr(result, "outcome", "answer"), "reason": getattr(result, "reason", "")}
            line |= {key: getattr(result.usage, key) for key in ("prompt_tokens", "completion_tokens")}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab", buffering=0) as file:  # each line is written at once, and whole
                file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
        except OSError as error:
            problem = f"the log {path} cannot be written: {error.strerror}."
            raise RunFileError(problem, "Name another file, or leave out --log.") from None


def _wait_after(fault: Fault, patience: Patience, tried: int, limits: int, limited_s: float) -> float | None:
    """Seconds from an attempt that met a fault to the next one, growing; None where there is none."""
    first, asked = patience.first_wait_s, fault.retry_after_s
    if fault.limited:
        doubled = 2.0 ** min(limits - 1, 10)
        if asked is None:
            wait = min(first / 2 * doubled, _LONGEST_UNASKED_S) * random.uniform(1, 1.5)
        else:  # it grows after "Retry-After: 0", or a date that has passed, too
            wait = max(asked, min(first / 40 * doubled, first)) * random.uniform(1, 1.1)
        return wait if limited_s + wait <= patience.limited_s else None
    if not fault.transient or tried >= patience.attempts or (asked or 0) > patience.limited_s:
        return None
    growing = first * 2.0 ** (tried - 1) * random.uniform(1, 1.5)
    return max(asked or 0.0, min(growing, patience.limited_s))


class Reader(Endpoint):
    """A model that answers, by ``_attempt``. Opened with ``async with``; ``read`` may be called concurrently.
    ``name`` is part of every trial's identity ("smollm2", "openai/gpt-4o-mini")."""

    _mode = ""  # for its settings, where it is not chat

    def __init__(
        self, model: str, *, name: str = "", concurrency: int = 8, patience: Patience = PATIENT
    ) -> None:
        super().__init__(name or model, patience, concurrency, lambda: self._negotiated(PROBE))
        self._model, self._provider = model, model.partition("/")[0]
        self._rejected, self._secrets = frozenset[str](), frozenset[str]()
        self._facts: dict[str, str | int] = {}

    def check(self) -> None:
        """Raise UserError for what is known to be wrong before any work. Starts nothing."""

    def check_model(self, *, by_asking: bool = False) -> str:
        """A line where an endpoint does not list the model; raises UserError where it also refuses it."""
        return ""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None: ...

    async def read(self, request: Request) -> Response:
        """Ask, with retries. What the endpoint does wrong comes back as a Failure."""
        asked = str(request.messages) if request.tools else request.text
        return await self.ask(lambda: self._negotiated(request), len(asked), request.max_tokens)

    @property
    def settings(self) -> dict[str, str | int]:
        """Facts to be recorded with a run, no secrets; ``not_sent`` names what the endpoint rejected."""
        model = "" if self.name in (self._model, f"openai/{self._model}") else self._model
        more = {"model": model, "mode": self._mode, "not_sent": ", ".join(sorted(self._rejected))}
        return self._facts | {name: fact for name, fact in more.items() if fact}

    async def _negotiated(self, request: Request) -> Response | Fault:
        """One attempt, repeated at once while the endpoint rejects one more field; what helped stays out."""
        sent = self._rejected
        while True:
            started = time.perf_counter()
            result = await self._attempt(request, sent)
            result = replace(result, latency_s=time.perf_counter() - started)
            parameter = rejected_parameter(result, request, sent) if isinstance(result, Fault) else None
            if parameter is None:
                break
            self._log(result, 0)
            sent |= {parameter} | self._rejected  # others that ask at the same time may have learnt more
        if not isinstance(result, Fault) or result.outcome == "overflow":
            self._rejected |= sent
        return result

    def _said(self, content: bytes, errors: str = "replace") -> Any:
        """What a reply says, without secrets: JSON, or text where it is none, in UTF-8 whatever it claims."""
        with suppress(ValueError, RecursionError):
            return credentials.redact_all(json.loads(content.decode(errors=errors)), self._secrets)
        return credentials.redact(content.decode(errors="replace"), self._secrets)

    async def _attempt(self, request: Request, rejected: frozenset[str]) -> Response | Fault:
        """One request, without what the endpoint has rejected; its latency is the caller's to note."""
        raise NotImplementedError


class ReaderOfPackage(Reader):
    """A reader of another package: what it raises, or returns that is no response, is a failure. Counts that
    cannot be are unknown, as a server's are, and such a latency is measured."""

    def __init__(self, model: str, name: str, package: str, made: Any, concurrency: int) -> None:
        super().__init__(model, name=name, concurrency=int(getattr(made, "concurrency", concurrency)))
        self._made, self._facts = made, {"provider": "added", "model": model, "package": package}

    async def read(self, request: Request) -> Response:
        """Ask."""
        began = time.perf_counter()
        try:
            response: object = await self._made.read(request)
        except Exception as error:
            return Failure("reader_error", one_line(f"{self.name} raised {type(error).__name__}: {error}"))
        measured = time.perf_counter() - began
        if not isinstance(response, Response):
            return Failure("reader_error", f"{self.name} gave a {type(response).__name__}, not an Answer")
        text, latency = response.text, response.latency_s
        if not isinstance(text, str):
            return Failure("reader_error", f"{self.name} gave a {type(text).__name__} as text")
        counts = {name: as_count(getattr(response.usage, name, None)) for name in vars(Usage())}
        is_time = isinstance(latency, int | float) and 0 <= latency < inf
        return replace(
            response,
            text=text.encode(errors="replace").decode(),
            usage=Usage(**counts),
            latency_s=latency if is_time else measured,
        )
