"""Any LLM as a judge, by the rubric of the u-niah paper (section 3.1.3)."""

from __future__ import annotations

from typing import Self

from niah.cases.sample import AnswerKey
from niah.judges.llm import llm_prompt
from niah.judges.llm.llm_reply import SCHEMA, NoVerdict, read_verdict
from niah.judges.references import with_elements
from niah.judges.verdict import Verdict
from niah.readers.http.outcomes import one_line
from niah.readers.options import PLAIN, ReaderOptions
from niah.readers.reader import Answer, Failure, Reader, Request, Response, Usage

_ATTEMPTS = 3
# A verdict takes some 200; the rest is for models that think first, and nobody knows it.
_MAX_TOKENS = 2048
# At 0 a reply that was of no use would come again.
_RETRY_TEMPERATURE = 0.5
# Asking again does not help: the reader has tried, or the request is too long.
_FINAL = ("reader_error", "overflow")


THINKING_ROOM = "thinking_room"
"""The setting that says how many tokens a judge may think before a verdict."""


class LLMJudge:
    """Asks a reader for verdicts. A reply that is no verdict is asked for again, twice at most.

    Args:
        reader: the model that judges; opened and closed with the judge.
        options: room for a verdict and for thoughts on top, and what else is said of how it is asked; never
            the temperature, nor a seed.
    """

    version = llm_prompt.VERSION
    description = "a model that compares the answer with the reference"
    needs_model = True
    share_asked = 1.0

    def __init__(self, reader: Reader, options: ReaderOptions = PLAIN) -> None:
        self._reader = reader
        self._options = options
        self._max_tokens = options.max_tokens or _MAX_TOKENS

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._reader!r})"

    @property
    def name(self) -> str:
        """The reader's name."""
        return self._reader.name

    @property
    def concurrency(self) -> int:
        """How many answers may be judged at once."""
        return self._reader.concurrency

    @property
    def settings(self) -> dict[str, str | int]:
        """The reader's facts and the judge's own; no secrets."""
        return self._reader.settings | {
            "prompt": llm_prompt.VERSION,
            "prompt_sha256": llm_prompt.digest(),
            "attempts": _ATTEMPTS,
            "max_tokens": self._max_tokens,
            **({THINKING_ROOM: self._options.thinking_room} if self._options.thinking_room else {}),
        }

    def check(self) -> None:
        """Raise ReaderConfigError where the model cannot be reached as configured."""
        self._reader.check()

    def unsuited(self, key: AnswerKey) -> str:
        """Nothing: a model can compare an answer with any reference, and with none a refusal is right."""
        return ""

    async def __aenter__(self) -> Self:
        """Open the reader; raises what it raises."""
        await self._reader.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._reader.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The model's verdict, or why there is none; usage and latency are of all attempts together."""
        key = with_elements(key)
        usage, latency_s, refused = Usage(0, 0, 0), 0.0, ""
        for attempt in range(_ATTEMPTS):
            reply = await self._reader.read(self._request(answer, key, attempt, refused))
            usage, latency_s = usage + reply.usage, latency_s + reply.latency_s
            if not isinstance(reply, Answer) and reply.outcome in _FINAL:
                refused = f"{reply.outcome}: {reply.reason}"
                break
            try:
                verdict = read_verdict(_text_of(reply), answer, key)
            except NoVerdict as error:
                refused = f"{error}"
            else:
                fields = verdict.model_dump()
                return Verdict(
                    **fields, judge=self.name, version=self.version, usage=usage, latency_s=latency_s
                )
        else:
            refused = f"no verdict in {_ATTEMPTS} replies: {refused}"
        return Failure("judge_error", one_line(refused), usage=usage, latency_s=latency_s)

    def _request(self, answer: str, key: AnswerKey, attempt: int, refused: str) -> Request:
        return Request(
            prompt=llm_prompt.data(answer, key, refused),
            max_tokens=self._max_tokens + self._options.thinking_room,
            thinking_tokens=self._options.thinking_tokens,
            reasoning_effort=self._options.reasoning_effort or "",
            top_p=self._options.top_p,
            extra_body=self._options.extra_body,
            temperature=_RETRY_TEMPERATURE if attempt else 0.0,
            seed=attempt,
            system=llm_prompt.instructions(),
            schema=SCHEMA,
        )


def _text_of(reply: Response) -> str:
    """The text of a complete reply. Raises NoVerdict: one cut short holds no verdict, whatever it holds."""
    if isinstance(reply, Answer):
        return reply.text
    room = (
        "; the judge's max_tokens or thinking_tokens give it more room"
        if reply.outcome == "truncated"
        else ""
    )
    raise NoVerdict(one_line(f"the reply was {reply.outcome}: {reply.reason}{room}"))
