"""What a reply means: a completion becomes an Answer or a Failure, anything else a Fault. Pure; no I/O.

A fault is transient, and may be tried again, or final, and becomes a failure. An empty answer that the
endpoint calls complete is an ``Answer``, scored like any other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from niah.readers.reader import Answer, Failure, FailureOutcome, Response, Usage, sum_if_known

_REASON_LENGTH = 240
_MOST_TOKENS = 10**12

# Also where the text was cut before they ended.
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
MORE_ROOM = "the reader's thinking_tokens gives it more room"
"""The remedy for an answer that was cut before it had begun."""

# What the messages of such faults begin with.
LATE = "no complete reply within"
GARBLED = "the reply is no "

_COMPLETE = frozenset({"stop", "end_turn", "stop_sequence", "eos", "eos_token"})
_CUT = frozenset({"length", "max_tokens", "model_length", "model_context_window_exceeded"})
_BLOCKED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii"}
)

_UNNAMED = frozenset({"", "none", "null"})
"""Some servers give no finish reason with a whole reply."""

_OVERFLOW_CODES = frozenset(
    {
        *("context_length_exceeded", "exceed_context_size_error", "model_max_prompt_tokens_exceeded"),
        *("string_above_max_length", "tokens_limit_reached"),
    }
)
_OVERFLOW_WORDS = re.compile(
    r"context (length|window|size)|maximum prompt length|(prompt|input) (is )?too (long|large)"
    r"|input token count .*exceeds|too many tokens",
    re.IGNORECASE,
)
# No two servers say it alike. What is meant is a prompt's length, a bound, and a number.
_PROMPT_WORDS = r"\b(prompt|input|context|sequence|conversation|message|text|token)s?\b|输入|上下文|提示"
_LENGTH_WORDS = r"\btokens?\b|length|\blong|size|window|limit|_len\b|长度"
_BOUND_WORDS = (
    r"exceed|too (long|large|big|many)|(long|larg|great|bigg|high|mor)er? than|over the|above|beyond|at most"
    r"|(must|should|can|may)(not| not)? (be|have|hold|contain)|less than|fewer than|supports?|up to|limit"
    r"|\bmax|allowed|but the|over budget|reduce|shorten|\bfits?\b|[<>]|超"
)
_LONG_NUMBER = r"\d{2,}"
_SAY_OVERFLOW = [
    re.compile(words, re.I) for words in (_PROMPT_WORDS, _LENGTH_WORDS, _BOUND_WORDS, _LONG_NUMBER)
]
# The room for an answer is no prompt, nor is what an account may use in a time.
_ROOM = re.compile(r"max_(\w+_)?tokens|max(new|completion|output)tokens|(new|completion|output) tokens", re.I)
_OTHER_LIMIT = re.compile(
    r"rate.?limit|per (second|minute|hour|day|month)|quota|\bTPM\b|\bauth|api.?key|time.?out|out of memory"
    r"|queue|temperature|top_[pk]|penalty",
    re.I,
)
_REFUSAL_CODES = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "invalid_prompt"}
)
_REJECTED = (400, 413, 422, 500, 502)
_TRANSIENT_STATUS = frozenset({408, 409, 429})
# 529 is Anthropic's overload.
_LESS_STATUS = frozenset({503, 529})
_LATER_STATUS = frozenset({429, 529})
# An exhausted account answers 429 like a rate limit does, and no wait helps.
EXHAUSTED_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
# "Request too large for gpt-4o: limit 30000, requested 50000" comes as a rate limit, and never passes.
_TOO_LARGE = re.compile(r"request too large", re.IGNORECASE)
_FINAL_CODES = _OVERFLOW_CODES | _REFUSAL_CODES | EXHAUSTED_CODES


@dataclass(frozen=True)
class Fault:
    """What came in place of a completion.

    Attributes:
        message: from the endpoint, or the network.
        status: HTTP status; None where no whole reply came (refused, dropped, timed out, cut short).
        codes: machine-readable names of the fault, in lower case (OpenAI's ``code`` and ``type``).
        retry_after_s: how long the endpoint asks to wait.
        latency_s: wall seconds that the attempt took.
        key_variables: environment variables of the key; () where no key was sent, None where unknown.
    """

    message: str
    status: int | None = None
    codes: frozenset[str] = frozenset()
    retry_after_s: float | None = None
    latency_s: float = 0.0
    key_variables: tuple[str, ...] | None = None

    @property
    def is_late(self) -> bool:
        """Whether the time for one attempt ran out."""
        return self.status is None and self.message.startswith(LATE)

    @property
    def is_garbled(self) -> bool:
        """Whether something came that is no reply of an endpoint."""
        return self.status is None and self.message.startswith(GARBLED)

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed a moment later."""
        if self.status is None:
            return True
        if self.codes & _FINAL_CODES or _TOO_LARGE.search(self.message) or self.outcome == "overflow":
            return False
        return self.status in _TRANSIENT_STATUS or self.status >= 500

    @property
    def asks_for_less(self) -> bool:
        """Whether fewer requests at once may help: an overload."""
        return self.status in _LESS_STATUS and self.transient

    @property
    def limited(self) -> bool:
        """Whether the endpoint asks to wait: nothing is wrong, and no attempt is used up."""
        later = self.status in _LATER_STATUS or (self.status == 503 and self.retry_after_s is not None)
        return later and self.transient

    @property
    def outcome(self) -> FailureOutcome:
        """The outcome of the trial, should it end with this fault."""
        if self.codes & _OVERFLOW_CODES or (self.status in _REJECTED and _says_overflow(self.message)):
            return "overflow"
        if self.codes & _REFUSAL_CODES:
            return "refused"
        return "reader_error"


def _says_overflow(message: str) -> bool:
    """Whether these are words for a prompt that is longer than the model's window."""
    if _OVERFLOW_WORDS.search(message):
        return True
    prompt = _ROOM.sub("", message)
    return not _OTHER_LIMIT.search(prompt) and all(words.search(prompt) for words in _SAY_OVERFLOW)


def failure(fault: Fault, attempts: int = 1) -> Failure:
    """The failure that a fault becomes when it is not tried again, after so many attempts."""
    said = [
        f"after {attempts} attempts" if attempts > 1 else "",
        f"asked to wait {fault.retry_after_s:g} s" if fault.retry_after_s else "",
        f"HTTP {fault.status}" if fault.status else "",
        fault.message,
    ]
    return Failure(fault.outcome, one_line(": ".join(filter(None, said))), latency_s=fault.latency_s)


def fault_in_reply(
    status: int, body: object, latency_s: float = 0.0, retry_after_s: float | None = None
) -> Fault:
    """The fault of an HTTP error reply; ``body`` is decoded JSON (OpenAI's, FastAPI's ``detail``) or text."""
    error = body.get("error", body) if isinstance(body, Mapping) else body
    message, parameter = _message(error), _mapping(error).get("param")
    if isinstance(parameter, str) and parameter not in message:
        message = f"{message} ({parameter})"
    return Fault(message, status, _codes(error), retry_after_s, latency_s)


def read_completion(
    body: object, max_tokens: int, latency_s: float, *, thinks: bool = True
) -> Response | Fault:
    """The reading of a reply that came with a success status; the Fault of a gateway that wraps one into it.

    Args:
        body: decoded JSON of a chat completion; anything else is a reader_error.
        max_tokens: the room that the answer had.
        latency_s: wall seconds from sending to the last byte.
        thinks: False where it was asked not to think: then what comes as thoughts alone is the answer.
    """
    if not isinstance(body, Mapping):
        return Failure("reader_error", "the reply is no JSON object", latency_s=latency_s)
    if body.get("error") and not body.get("choices"):
        return fault_in_reply(_wrapped_status(body["error"]), body, latency_s)
    usage = usage_in(body)
    try:
        text, thoughts, reason, refusal = _choice(body, usage)
    except ValueError as error:
        return Failure("reader_error", str(error), usage=usage, latency_s=latency_s)
    if not (thinks or text.strip()):
        text, thoughts = thoughts, ""
    usage = _with_thoughts(usage, text, thoughts)
    outcome, why = _judge_ending(text, reason, refusal, usage, max_tokens)
    if outcome is None:
        return Answer(text, usage, latency_s)
    return Failure(outcome, one_line(why), text, usage, latency_s)


def usage_in(body: Mapping[str, Any]) -> Usage:
    """The token counts of a reply: OpenAI's ``usage``, then llama.cpp's ``timings``."""
    usage, timings = _mapping(body.get("usage")), _mapping(body.get("timings"))
    details, written_details = (
        _mapping(usage.get(f"{part}_tokens_details")) for part in ("prompt", "completion")
    )
    read, cached = _first_count(timings.get("prompt_n")), _first_count(timings.get("cache_n"))
    prompt = _first_count(usage.get("prompt_tokens"), sum_if_known(read, cached))
    written = _first_count(usage.get("completion_tokens"), timings.get("predicted_n"))
    thinking, total = (
        _first_count(written_details.get("reasoning_tokens")),
        _first_count(usage.get("total_tokens")),
    )
    if thinking and total is not None and total == sum_if_known(prompt, sum_if_known(written, thinking)):
        written = sum_if_known(written, thinking)
    if thinking is not None and written is not None:
        thinking = min(thinking, written)
    return Usage(prompt, written, _first_count(details.get("cached_tokens"), cached), thinking)


def _with_thoughts(usage: Usage, text: str, thoughts: str) -> Usage:
    """The usage, with thoughts by their share of the letters where the endpoint does not count them."""
    between = None if thoughts else _THOUGHTS.search(text)
    if between:
        thoughts, text = between[0], text[between.end() :]
    if usage.thinking_tokens or not thoughts or usage.completion_tokens is None:
        return usage
    share = len(thoughts) / (len(thoughts) + len(text))
    return replace(usage, thinking_tokens=round(share * usage.completion_tokens))


def one_line(text: str) -> str:
    """Fit for a table cell: one line, no control characters, at most 240 characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _REASON_LENGTH else line[: _REASON_LENGTH - 1] + "…"


def _choice(body: Mapping[str, Any], usage: Usage) -> tuple[str, str, str, str]:
    """Text, thoughts, finish reason and refusal of the first choice. Raises ValueError."""
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise ValueError("the reply has no choices")
    choice = _mapping(choices[0])
    reason = str(choice.get("finish_reason") or "")
    if isinstance(choice.get("text"), str):  # of a plain completion
        return _whole(choice["text"]), "", reason, ""
    message = choice.get("message")
    if not isinstance(message, Mapping):
        raise ValueError("the reply's first choice has no message")
    text, refusal = message.get("content"), message.get("refusal")
    thoughts = message.get("reasoning_content") or message.get("reasoning")
    if isinstance(text, list):
        parts: list[Any] = text
        text, thoughts = _parts(parts, "text"), _parts(parts, "thinking")
    # Null content is how an empty answer is sent beside a refusal or a chain of thought; alone, and where not
    # a token was written, it is no answer.
    if text is None and not (refusal or thoughts or usage.completion_tokens) and reason in _COMPLETE | {""}:
        raise ValueError("the reply is called complete, and has neither content nor tokens")
    if not isinstance(text, str | None):
        raise ValueError(f"the reply's content is a {type(text).__name__}, not text")
    thoughts, refusal = (each if isinstance(each, str) else "" for each in (thoughts, refusal))
    return _whole(text or ""), thoughts, reason, refusal


def _parts(content: list[Any], kind: str) -> str:
    """The text of a message's parts of one kind, "text" (also "output_text") or "thinking" (Mistral)."""
    if not all(isinstance(part, Mapping) and isinstance(part.get("type"), str) for part in content):
        raise ValueError("the reply's content is a list, and no list of parts")
    if content and all(part["type"] not in ("text", "output_text", "thinking") for part in content):
        raise ValueError(f"the reply's content has parts of type {content[0]['type']!r} alone")
    held = [part.get(kind) for part in content if part["type"] in (kind, f"output_{kind}")]
    return "".join(_parts(each, "text") if isinstance(each, list) else str(each or "") for each in held)


def _judge_ending(
    text: str, reason: str, refusal: str, usage: Usage, max_tokens: int
) -> tuple[FailureOutcome | None, str]:
    """The outcome and why, or None for a complete answer."""
    ending = reason.casefold()
    if refusal:
        return "refused", refusal
    if ending in _BLOCKED:
        return "refused", f"finish_reason {reason}"
    if ending in _CUT:
        cut = f"finish_reason {reason} after {usage.completion_tokens} tokens"
        thinks = f", {usage.thinking_tokens} of them thoughts: {MORE_ROOM}" if usage.thinking_tokens else ""
        return "truncated", cut + thinks
    full = (usage.completion_tokens or 0) >= max_tokens
    if ending in _UNNAMED and text.strip():
        return (
            ("truncated", f"no finish_reason, and all {max_tokens} tokens are full") if full else (None, "")
        )
    if ending not in _COMPLETE:
        return "reader_error", f"finish_reason {reason or 'missing, and no text'}"
    if not text.strip() and full:
        return "truncated", f"all {max_tokens} tokens went into thinking, none into an answer: {MORE_ROOM}"
    return None, ""


def _message(error: object) -> str:
    """What an error body says to people."""
    if not isinstance(error, Mapping):
        return str(error).strip() or "no message"
    said = (error[key] for key in ("message", "detail", "error", "msg") if error.get(key))
    return str(next(said, dict(error) or "no message"))


def _codes(error: object) -> frozenset[str]:
    """The machine-readable names in an error body; Azure nests one in ``innererror``."""
    body = _mapping(error)
    named = (body.get("code"), body.get("type"), _mapping(body.get("innererror")).get("code"))
    return frozenset(name.casefold() for name in named if isinstance(name, str))


def _wrapped_status(error: object) -> int:
    """The HTTP status inside an error that came with status 200; 502 where it says none."""
    code = _mapping(error).get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else 502


def _whole(text: str) -> str:
    """Without halves of characters: JSON can hold one (an answer cut midway), no file can."""
    return text.encode(errors="replace").decode()


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _first_count(*values: object) -> int | None:
    """The first that is a count; endpoints also send null, floats, text, and what no prompt can have."""
    counts = (v for v in values if isinstance(v, int) and not isinstance(v, bool) and 0 <= v <= _MOST_TOKENS)
    return next(counts, None)
