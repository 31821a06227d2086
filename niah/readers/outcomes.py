"""What a reply means: a completion becomes an Answer or a Failure, anything else a Fault. Pure; no I/O."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from math import inf
from typing import Any

from niah.readers.reader import Answer, Failure, FailureOutcome, Lasting, Request, Response, Usage


def _table(*rows: tuple[str, FailureOutcome | None]) -> dict[str, FailureOutcome | None]:
    return {word: outcome for words, outcome in rows for word in words.split()}


_ENDINGS = _table(
    ("stop end_turn stop_sequence eos eos_token", None),
    ("length max_tokens model_length model_context_window_exceeded", "truncated"),
    ("content_filter refusal safety recitation blocklist prohibited_content spii", "refused"),
)
"""Outcomes by finish reason; None for a complete answer."""
# An exhausted account answers 429 like a rate limit does, and no wait helps.
_EXHAUSTED = {"insufficient_quota", "billing_hard_limit_reached"}
_CODES = _table(
    ("context_length_exceeded exceed_context_size_error model_max_prompt_tokens_exceeded", "overflow"),
    ("string_above_max_length tokens_limit_reached contextwindowexceedederror", "overflow"),
    ("content_filter content_policy_violation contentpolicyviolationerror invalid_prompt", "refused"),
    (" ".join(_EXHAUSTED), "reader_error"),
)
"""Outcomes by what an error body calls its fault; none of these is tried again."""

_OVERFLOW = re.compile(
    r"(?i)context (length|window|size)|maximum prompt length|(prompt|input) (is )?too (long|large)"
    r"|input token count .*exceeds|too many tokens"
)
# No two servers say it alike. What is meant is a prompt's length, a bound, and a number.
_ALL_OF = (
    r"\b(prompt|input|context|sequence|conversation|message|text|token)s?\b|输入|上下文|提示",
    r"\btokens?\b|length|\blong|size|window|limit|_len\b|长度",
    r"exceed|too (long|large|big|many)|(long|larg|great|bigg|high|mor)er? than|over the|above|beyond"
    r"|(must|should|can|may)(not| not)? (be|have|hold|contain)|less than|fewer than|supports?|up to"
    r"|at most|limit|\bmax|allowed|but the|over budget|reduce|shorten|\bfits?\b|[<>]|超",
    r"\d{2,}",
)
# The room for an answer is no prompt, nor is what an account may use in a time.
_ROOM = re.compile(r"max_(\w+_)?tokens|max(new|completion|output)tokens|(new|completion|output) tokens", re.I)
_OTHER_LIMIT = re.compile(
    r"(?i)rate.?limit|per (second|minute|hour|day|month)|quota|\bTPM\b|\bauth|api.?key|time.?out"
    r"|out of memory|queue|temperature|top_[pk]|penalty"
)

_NO_MODEL = re.compile(
    r"(?is)\bmodel\b.*(not found|not exist|not available|unknown|invalid)"
    r"|(unknown|invalid|no such|not a valid) model\b"
)
_CORRECT = "Correct the model's name, or the endpoint's address: most end in /v1."
FEW, MANY = 3, 10  # faults of the account, the key or the address; faults of requests, by their words


@dataclass(frozen=True)
class Fault:
    """What came in place of a completion."""

    message: str
    status: int | None = None  # of HTTP; None where no whole reply came (refused, dropped, late, cut short)
    codes: frozenset[str] = frozenset()  # names of the fault, in lower case (OpenAI's ``code`` and ``type``)
    retry_after_s: float | None = None
    latency_s: float = 0.0

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed a moment later."""
        if self.status is None:
            return True
        # "Request too large for gpt-4o: limit 30000" comes as a rate limit, and never passes.
        is_large = "request too large" in self.message.lower()
        if is_large or self.codes & _CODES.keys() or self.outcome == "overflow":
            return False
        return self.status in (408, 409, 429) or self.status >= 500

    @property
    def limited(self) -> bool:
        """Whether the endpoint asks to wait: no attempt is used up. 529 is Anthropic's overload."""
        later = self.status in (429, 529) or (self.status == 503 and self.retry_after_s is not None)
        return later and self.transient

    @property
    def outcome(self) -> FailureOutcome:
        """The outcome of the trial, should it end with this fault."""
        named = {_CODES[code] for code in self.codes & _CODES.keys()}
        if self.status in (400, 413, 422, 500, 502) and "overflow" not in named:
            prompt = _ROOM.sub("", self.message)
            meant = not _OTHER_LIMIT.search(prompt) and all(re.search(each, prompt, re.I) for each in _ALL_OF)
            named |= {"overflow"} if meant or _OVERFLOW.search(self.message) else set()
        return "overflow" if "overflow" in named else "refused" if "refused" in named else "reader_error"

    @property
    def lasting(self) -> Lasting | None:
        """What it says of all other requests, where it is not tried again; None for this one's own fault."""
        if (status := self.status) is None or self.outcome != "reader_error":
            return None
        names_model = status < 500 and _NO_MODEL.search(self.message)
        for is_so, in_a_row, remedy in (
            (self.codes & _EXHAUSTED or status == 402, FEW, "Fill up the account, or raise its limit."),
            (self.limited, FEW, "Come back when the limit is over, or wait longer: --wait 30m."),
            (status in (401, 403, 407), FEW, "Set a key for this model; a reader's key_variable names it."),
            (status == 404 or names_model, FEW, _CORRECT),
            (300 <= status < 400, FEW, "Give the address that it points to: keys follow no redirect."),
            (status < 500, MANY, "Look what the endpoint dislikes in these requests."),
        ):
            if is_so:
                return Lasting(in_a_row, remedy, is_mistake=remedy is _CORRECT)
        return None


def failure(fault: Fault, attempts: int = 1) -> Failure:
    """The failure that a fault becomes when it is not tried again, after so many attempts."""
    said = f"after {attempts} attempts: " if attempts > 1 else ""
    said += f"asked to wait {fault.retry_after_s:g} s: " if fault.retry_after_s else ""
    said += f"HTTP {fault.status}: " if fault.status else ""
    reason = one_line(said + fault.message)
    return Failure(fault.outcome, reason, latency_s=fault.latency_s, lasting=fault.lasting)


def fault_in_reply(status: int, body: object, headers: Mapping[str, str] | None = None) -> Fault:
    """The fault of an HTTP error reply; ``body`` is decoded JSON (OpenAI's, FastAPI's ``detail``) or text."""
    error = body.get("error", body) if isinstance(body, Mapping) else body
    named = mapping(error)
    said = [named[key] for key in ("message", "detail", "error", "msg") if named.get(key)]
    message = str(said[0] if said else error or "").strip() or "no message"
    if isinstance(parameter := named.get("param"), str) and parameter not in message:
        message = f"{message} ({parameter})"
    codes = (code for code in (named.get("code"), named.get("type")) if isinstance(code, str))
    wait_s = retry_after_s(headers or {}, time.time())
    return Fault(message, status, frozenset(map(str.casefold, codes)), wait_s)


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that a reply's headers ask to wait, None for none; ``now`` is in seconds since the epoch."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        with suppress(ValueError):
            if 0 <= (asked := float(headers.get(name, "")) / unit) < inf:
                return asked
    with suppress(ValueError, OverflowError):  # a year may have any number of digits
        return max(0.0, parsedate_to_datetime(headers.get("retry-after") or "").timestamp() - now)
    return None


def read_completion(body: object, request: Request) -> Response | Fault:
    """The reading of a reply that came with a success status; the Fault of a gateway that wraps one into it.
    Thoughts alone are the answer of a model that was asked not to think, calls of tools where it has some."""
    if not isinstance(body, Mapping):
        return Failure("reader_error", "the reply is no JSON object")
    if (error := body.get("error")) and not body.get("choices"):
        code = mapping(error).get("code")
        return fault_in_reply(code if isinstance(code, int) and 400 <= code < 600 else 502, body)
    usage = usage_in(body)
    if usage.prompt_tokens == 0:  # no prompt is empty: the server counts nothing
        usage = replace(usage, prompt_tokens=None, completion_tokens=None)
    choices = body.get("choices")
    choice = mapping(choices[0] if isinstance(choices, list) and choices else None)
    if calls := request.tools and _tool_calls(mapping(choice.get("message"))):
        return Answer(calls.encode(errors="replace").decode(), usage, 0.0, by_tools=True)
    try:
        text, thoughts, reason, refusal = _said_in(choice, usage)
    except ValueError as wrong:
        return Failure("reader_error", str(wrong), usage=usage)
    if not (request.thinks or text.strip()):
        text, thoughts = thoughts, ""
    # JSON can hold half a character (an answer cut midway), no file can.
    text, full = text.encode(errors="replace").decode(), (usage.completion_tokens or 0) >= request.max_tokens
    outcome, why = _ENDINGS.get(reason.casefold(), "reader_error"), f"finish_reason {reason or 'missing'}"
    if refusal:
        outcome, why = "refused", refusal
    elif reason.casefold() in ("", "none", "null") and text.strip():
        outcome = "truncated" if full else None  # some servers give none with a whole reply
    elif outcome is None and full and not text.strip():
        outcome = "truncated"  # a model that spends all its room on thoughts may call that complete
    if outcome == "truncated":
        why += f" after {usage.completion_tokens} tokens" if usage.completion_tokens else ""
        thinks = thoughts or usage.thinking_tokens or not text or text.lstrip().startswith("<think")
        why += ", thoughts among them: the reader's thinking_tokens gives it more room" if thinks else ""
    return Answer(text, usage, 0.0) if outcome is None else Failure(outcome, one_line(why), text, usage)


def usage_in(body: Mapping[str, Any]) -> Usage:
    """The token counts of a reply."""
    usage = mapping(body.get("usage"))
    prompt, written = as_count(usage.get("prompt_tokens")), as_count(usage.get("completion_tokens"))
    thinking = as_count(mapping(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    details = mapping(usage.get("prompt_tokens_details"))
    stored = as_count(details.get("cache_creation_tokens"), usage.get("cache_creation_input_tokens"), 0)
    if thinking is not None and written is not None:
        if prompt is not None and as_count(usage.get("total_tokens")) == prompt + written + thinking:
            written += thinking  # thoughts next to the completion, in the total alone (xAI)
        thinking = min(thinking, written)
    return Usage(prompt, written, as_count(details.get("cached_tokens")), thinking, stored)


def _tool_calls(message: Mapping[str, Any]) -> str:
    """The calls of tools in a message, a JSON object a line; "" where there are none."""
    calls, lines = message.get("tool_calls"), list[str]()
    for call in calls if isinstance(calls, list) else ():
        function = mapping(mapping(call).get("function"))
        arguments = function.get("arguments")
        with suppress(ValueError, TypeError, RecursionError):  # text, or read already
            arguments = json.loads(arguments or "{}")
        lines.append(json.dumps({"name": str(function.get("name")), "arguments": arguments}))
    return "\n".join(lines)


def one_line(text: str) -> str:
    """Fit for a table cell: one line, no control characters, at most 240 characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= 240 else line[:239] + "…"


def _said_in(choice: Mapping[str, Any], usage: Usage) -> tuple[str, str, str, str]:
    """Text, thoughts, finish reason and refusal. Raises ValueError."""
    reason, message = str(choice.get("finish_reason") or ""), choice.get("message")
    if isinstance(choice.get("text"), str):  # of a plain completion
        return choice["text"], "", reason, ""
    if not isinstance(message, Mapping):
        raise ValueError("the reply has no choice with a message")
    text: Any = message.get("content")
    thoughts, refusal = message.get("reasoning_content") or message.get("reasoning"), message.get("refusal")
    if isinstance(text, list):
        text, thoughts = _parts(text, "text"), _parts(text, "thinking")
    # Null content is how an empty answer is sent with a refusal or a chain of thought; alone, and where not
    # a token was written, it is no answer.
    is_complete = not reason or _ENDINGS.get(reason, "") is None
    if text is None and is_complete and not (refusal or thoughts or usage.completion_tokens):
        raise ValueError("the reply is called complete, and has neither content nor tokens")
    if not isinstance(text, str | None):
        raise ValueError(f"the reply's content is a {type(text).__name__}, not text")
    thoughts, refusal = (each if isinstance(each, str) else "" for each in (thoughts, refusal))
    return text or "", thoughts, reason, refusal


def _parts(content: list[Any], kind: str) -> str:
    """The text of a message's parts of one kind, "text" (also "output_text") or "thinking" (Mistral)."""
    if not all(isinstance(part, Mapping) and isinstance(part.get("type"), str) for part in content):
        raise ValueError("the reply's content is a list, and no list of parts")
    if content and all(part["type"] not in ("text", "output_text", "thinking") for part in content):
        raise ValueError(f"the reply's content has parts of type {content[0]['type']!r} alone")
    held = [part.get(kind) for part in content if part["type"] in (kind, f"output_{kind}")]
    return "".join(_parts(each, "text") if isinstance(each, list) else str(each or "") for each in held)


def mapping(value: object) -> Mapping[str, Any]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_count(*values: object) -> int | None:
    """The first that is a count; endpoints also send null, floats, text, and what no prompt can have."""
    counts = (v for v in values if isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= 10**12)
    return next(counts, None)
