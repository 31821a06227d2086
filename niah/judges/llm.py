"""Any model as a judge, by the rubric of the u-niah paper (section 3.1.3), alone or behind the rules.

What comes from a model or a data set is one JSON object with every sign escaped that JSON, fences and chat
templates are built of: some endpoints make control tokens of an answer's ``<|im_end|>``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ValidationError

from niah.cases.sample import AnswerKey
from niah.judges.normalise import strip_reasoning
from niah.judges.rubric import refusal_score, rubric_score, wrong_elements
from niah.judges.verdict import RuleJudge, Score, Verdict, with_elements
from niah.readers.outcomes import one_line
from niah.readers.reader import PLAIN, Answer, Failure, ReaderOptions, Usage
from niah.readers.retry import Reader

VERSION = "u-niah-2"  # A changed prompt or another way to compute the score is a new version

_ATTEMPTS = 3
_MAX_TOKENS = 2048
_RETRY_TEMPERATURE = 0.5  # at 0 a reply that was of no use would come again
_MORE_ROOM = "; the judge's max_tokens or thinking_tokens give it more room"
_FINAL = ("reader_error", "overflow")  # the reader has tried, or the request is too long
ASKS = "asks"  # the setting that names the model behind the rules
THINKING_ROOM = "thinking_room"  # the setting that says how many tokens a judge may think before a verdict

INSTRUCTIONS = Path(__file__).with_name("judge-prompt.md").read_text(encoding="utf-8").rstrip("\n")
_IN_ORDER = "\n(The order is part of the answer. An element out of its place is a wrong one.)"
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_STRUCTURAL = re.compile(r"[<>\[\]{}|`&]")


def data(answer: str, key: AnswerKey, refused: str = "") -> str:
    """The JSON object to judge by, in printable ASCII; the answer is last, so that answers share a prefix.

    ``refused`` says why the judge's last reply was not accepted; "" the first time.
    """
    key = with_elements(key)
    options = "".join(
        f"\n{ascii_uppercase[n]} or [[{n + 1}]]: {option}" for n, option in enumerate(key.options)
    )
    fields: dict[str, object] = {
        "question": key.question + options + (_IN_ORDER if key.ordered else ""),
        "reference_answer": key.answer,
        "elements": [
            {"name": element.name, "aliases": element.aliases} | ({"key": element.key} if element.key else {})
            for element in key.elements
        ],
        "wrong_elements": list(dict.fromkeys(element.name for element in wrong_elements(key))),
        "answer": strip_reasoning(answer),
    }
    text = json.dumps(fields | ({"refused": refused} if refused else {}), ensure_ascii=True)
    return _STRING.sub(lambda string: _STRUCTURAL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", string[0]), text)


class NoVerdict(Exception):
    """A reply that is none; the message says why."""


class Evidence(BaseModel, extra="forbid", strict=True, frozen=True):
    """An element that an answer holds, and the words of the answer that say so."""

    element: str
    quotation: str


class Reply(BaseModel, extra="forbid", strict=True, frozen=True):
    """A model's verdict on a student's answer."""

    evidence: tuple[Evidence, ...]
    reason: str
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    refused: bool
    self_doubt: bool
    score: Score


# The same for every needle set: a provider compiles a schema, which takes seconds.
SCHEMA: dict[str, Any] = Reply.model_json_schema()


def read_reply(text: str, answer: str, key: AnswerKey) -> Reply:
    """The verdict in a model's reply, its names as the needle set spells them and in its order.

    Raises NoVerdict for an element in both lists or none, a quotation that the answer has not, an object
    broken off, and two verdicts that differ; objects that the answer has too do not count.
    """
    said, own, replies, end = strip_reasoning(text), _squeezed(answer), list[Reply](), 0
    while (start := said.find("{", end)) >= 0:
        try:
            _, end = json.JSONDecoder().raw_decode(said, start)
            if _squeezed(said[start:end]) not in own:
                replies.append(_checked(Reply.model_validate_json(said[start:end]), answer, key))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the JSON object"
            raise NoVerdict(f"{where}: {first['msg']}") from None
        except (ValueError, RecursionError):
            raise NoVerdict("a JSON object is broken or incomplete") from None
    if not replies:
        raise NoVerdict("the reply has no verdict of its own")
    if any(one.model_copy(update={"reason": replies[-1].reason}) != replies[-1] for one in replies):
        raise NoVerdict("the reply has two different verdicts")
    return replies[-1]


def _squeezed(text: str) -> str:
    return re.sub(r"[\s\\]+", "", text)


def _checked(reply: Reply, answer: str, key: AnswerKey) -> Reply:
    names, said = [element.name for element in key.elements], _letters(strip_reasoning(answer))
    meant = {name: _element(name, key) for name in (*(one.element for one in reply.evidence), *reply.missing)}
    quoted = {meant[one.element]: one.quotation for one in reply.evidence}
    missing, unknown = {meant[name] for name in reply.missing}, [name for name in meant if not meant[name]]
    wrong = tuple(dict.fromkeys(filter(None, map(one_line, reply.wrong))))
    strange = [one.quotation for one in reply.evidence if (_letters(one.quotation) or "\0") not in said]
    unclear = [name for name in names if (name in quoted) == (name in missing)]
    right = [name for name in wrong if _element(name, key)]
    faults: dict[str, object] = {
        f"evidence or missing: {unknown} is no element": unknown,
        f"evidence: {strange} is not in the answer": strange,
        f"{unclear} is in both of evidence and missing, or in neither": unclear,
        f"wrong: {right} is an element of the reference answer": right,
    }
    for why in (why for why, holds in faults.items() if holds):
        raise NoVerdict(why)
    found = tuple(Evidence(element=name, quotation=quoted[name]) for name in names if name in quoted)
    lists = {"evidence": found, "missing": tuple(name for name in names if name in missing), "wrong": wrong}
    return reply.model_copy(update=lists | {"reason": one_line(reply.reason)})


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _element(name: str, key: AnswerKey) -> str:
    """The one element that a name means; "" for none."""
    meant = {each.name for each in key.elements if each.name == name}
    meant = meant or {each.name for each in key.elements if _letters(name) in map(_letters, each.names)}
    return meant.pop() if len(meant) == 1 else ""


class LLMJudge:
    """Asks a reader for verdicts, about all answers or those that ``rules``, judging first, are unsure of.

    A reply that is no verdict is asked for again, twice at most. Where the model fails behind rules, their
    verdict counts and remains ``unsure``. Of several ``votes`` each element goes by the majority.
    """

    needs_model: ClassVar[bool] = True

    def __init__(
        self, reader: Reader, options: ReaderOptions = PLAIN, votes: int = 1, rules: RuleJudge | None = None
    ) -> None:
        self.reader, self._options, self._votes, self._rules = reader, options, votes, rules
        self._max_tokens = options.max_tokens or _MAX_TOKENS
        self.name = f"{rules.name}+{reader.name}" if rules else reader.name
        self.version = f"{rules.version}+{VERSION}" if rules else VERSION
        # Of stored answers of real models the rubric was unsure of 11 to 43 % (docs/judges.md).
        self.share_asked = 0.35 if rules and rules.name == "rubric" else 1.0
        self.concurrency = reader.concurrency  # how many answers may be judged at once
        # Why the rules cannot judge answers to a question; a model can compare with any reference.
        self.unsuited: Callable[[AnswerKey], str] = rules.unsuited if rules else lambda key: ""

    @property
    def settings(self) -> dict[str, str | int]:
        """What the run file records of how it judged; no secrets."""
        room = self._options.thinking_room
        return self.reader.settings | {
            "prompt": VERSION,
            "max_tokens": self._max_tokens,
            **({"votes": self._votes} if self._votes > 1 else {}),
            **({THINKING_ROOM: room} if room else {}),
            **({ASKS: self.reader.name, "rules": self._rules.version} if self._rules else {}),
        }

    def check(self) -> None:
        """Raise UserError where the model cannot be reached as configured."""
        self.reader.check()

    async def __aenter__(self) -> Self:
        await self.reader.__aenter__()
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.reader.__aexit__(*exc)

    async def judge(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The verdict of rules or model, or why there is none; usage and latency are of all attempts."""
        if not self._rules:
            return await self._asked(answer, key)
        ruled = await self._rules.judge(answer, key)
        if isinstance(ruled, Failure):
            return ruled
        ruled = replace(ruled, judge=self.name, version=self.version)
        if ruled.unsure is None and (ruled.value in (None, 1) or key.options):
            return ruled  # a metric below 1 cannot tell a wrong answer from other words
        asked = await self._asked(answer, key)
        if isinstance(asked, Failure):
            reason = f"{ruled.reason}; {self.reader.name} gave no verdict: {asked.reason}"
            return replace(ruled, reason=reason, usage=asked.usage, latency_s=asked.latency_s, cost=None)
        return replace(asked, reason=f"{self.reader.name}: {asked.reason}", unsure=ruled.unsure)

    async def _asked(self, answer: str, key: AnswerKey) -> Verdict | Failure:
        """The model's verdict, or why there is none."""
        key, votes = with_elements(key), list[Reply]()
        usage, latency_s, why = Usage(0, 0, 0), 0.0, ""
        room = self._max_tokens + self._options.thinking_room
        while len(votes) < self._votes and not why:
            refused = ""
            for attempt in range(_ATTEMPTS):
                turn = len(votes) * _ATTEMPTS + attempt
                asked = self._options.request(data(answer, key, refused), room)
                asked = replace(asked, system=INSTRUCTIONS, schema=SCHEMA, seed=turn)
                asked = replace(asked, temperature=_RETRY_TEMPERATURE if turn else 0.0)
                reply = await self.reader.read(asked)
                usage, latency_s = usage + reply.usage, latency_s + reply.latency_s
                if isinstance(reply, Answer):
                    try:
                        votes.append(read_reply(reply.text, answer, key))
                        break
                    except NoVerdict as error:
                        refused = one_line(f"{error}")
                elif reply.outcome in _FINAL:
                    why = f"{reply.outcome}: {reply.reason}"
                    break
                else:  # cut short it has no verdict, whatever it has
                    more = _MORE_ROOM if reply.outcome == "truncated" else ""
                    refused = one_line(f"the reply was {reply.outcome}: {reply.reason}{more}")
            else:
                why = f"no verdict in {_ATTEMPTS} replies: {refused}"
        if why:
            return Failure("judge_error", one_line(why), usage=usage, latency_s=latency_s)
        return replace(_verdict(votes, key, self.name, self.version), usage=usage, latency_s=latency_s)


def _verdict(votes: Sequence[Reply], key: AnswerKey, judge: str, version: str) -> Verdict:
    """The verdict of most votes on each element, wrong thing and refusal; its score is computed."""
    half = len(votes) / 2
    holding = Counter(one.element for vote in votes for one in vote.evidence)
    found = tuple(element.name for element in key.elements if holding[element.name] > half)
    missing = tuple(element.name for element in key.elements if element.name not in found)
    naming = Counter(name for vote in votes for name in {_letters(one) for one in vote.wrong})
    wrong = {_letters(one): one for vote in votes for one in vote.wrong if naming[_letters(one)] > half}
    refused = sum(vote.refused for vote in votes) > half
    score = rubric_score(len(found), len(missing), len(wrong))
    doubt = sum(vote.self_doubt for vote in votes) > half or (refused and bool(missing))
    return Verdict(
        score if key.elements else refusal_score(len(wrong), refused=refused),
        *(found, missing, tuple(wrong.values()), doubt, judge, version, votes[0].reason),
        own_score=sorted(vote.score for vote in votes)[len(votes) // 2],
    )
