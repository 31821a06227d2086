"""Any LLM as a judge, by the rubric of the u-niah paper (section 3.1.3)."""

from __future__ import annotations

from typing import Self

from niah.cases.sample import AnswerKey
from niah.judges.judge import JudgeFailure, Judgement
from niah.judges.llm import llm_prompt
from niah.judges.llm.llm_reply import SCHEMA, LLMVerdict, NoVerdict, read_verdict
from niah.judges.verdict import Verdict
from niah.readers.http.outcomes import one_line
from niah.readers.reader import Answer, Reader, Reading, Request, Usage

_ATTEMPTS = 3
# A verdict takes some 200; the rest is for models that think first.
_MAX_TOKENS = 2048
# At 0 a reply that was of no use would come again.
_RETRY_TEMPERATURE = 0.5
# Asking again does not help: the reader has tried, or the request is too long.
_FINAL = ("reader_error", "overflow")


class LLMJudge:
    """Asks a reader for verdicts. A reply that is no verdict is asked for again, twice at most.

    Args:
        reader: the model that judges; opened and closed with the judge.
        max_tokens: room for a reply, thoughts included.
    """

    version = llm_prompt.VERSION

    def __init__(self, reader: Reader, *, max_tokens: int = _MAX_TOKENS) -> None:
        self._reader = reader
        self._max_tokens = max_tokens

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
        }

    def check(self) -> None:
        """Raise ReaderConfigError where the model cannot be reached as configured."""
        self._reader.check()

    async def __aenter__(self) -> Self:
        """Open the reader; raises what it raises."""
        await self._reader.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self._reader.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Judgement | JudgeFailure:
        """The model's judgement, or why there is none."""
        usage, latency_s, refused = Usage(0, 0, 0), 0.0, ""
        for attempt in range(_ATTEMPTS):
            reading = await self._reader.read(self._request(answer, key, attempt, refused))
            usage, latency_s = usage + reading.usage, latency_s + reading.latency_s
            if not isinstance(reading, Answer) and reading.outcome in _FINAL:
                return JudgeFailure(one_line(f"{reading.outcome}: {reading.reason}"), usage, latency_s)
            try:
                verdict = read_verdict(_reply(reading), answer, key)
            except NoVerdict as error:
                refused = str(error)
            else:
                return Judgement(self._signed(verdict), usage, latency_s)
        return JudgeFailure(one_line(f"no verdict in {_ATTEMPTS} replies: {refused}"), usage, latency_s)

    def _request(self, answer: str, key: AnswerKey, attempt: int, refused: str) -> Request:
        return Request(
            prompt=llm_prompt.data(answer, key, refused),
            max_tokens=self._max_tokens,
            temperature=_RETRY_TEMPERATURE if attempt else 0.0,
            seed=attempt,
            system=llm_prompt.instructions(),
            schema=SCHEMA,
        )

    def _signed(self, verdict: LLMVerdict) -> Verdict:
        return Verdict(**verdict.model_dump(), judge=self.name, version=self.version)


def _reply(reading: Reading) -> str:
    """The text of a complete reply. Raises NoVerdict: one cut short holds no verdict, whatever it holds."""
    if isinstance(reading, Answer):
        return reading.text
    raise NoVerdict(one_line(f"the reply was {reading.outcome}: {reading.reason}"))
