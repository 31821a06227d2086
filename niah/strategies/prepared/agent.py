"""Searching in place of reading or retrieving: the model that is tested looks for the answer itself.

``agent``: in each turn the model calls tools, by the endpoint's API or, where it has none, by a JSON object a
line. Then the sentences that were shown are sent by the prompt of all strategies: an answer is asked for.

``grep``: the model writes up to four patterns once, as in "Is Grep All You Need?" (arXiv 2605.15184).

Tools see the context alone. Patterns are matched by Rust's ``regex``, which pydantic brings: in linear time,
without look-around and back references.
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError
from pydantic_core import SchemaError

from niah.errors import OutsideError
from niah.readers.outcomes import one_line
from niah.strategies.facts import ToolUse, join_neighbours
from niah.strategies.prepared import steps
from niah.text.chunks import Chunk, sentences

TURNS, TOKENS = 8, 4_000  # by default
_TURN_ROOM, _PATTERNS_ROOM = 300, 200
_PATTERNS, _CALLS, _MATCHES, _NEIGHBOURS = 4, 4, 20, 5  # of one reply, and of one call, at most
_WORDS, _SENTENCE = 128, 128  # of a sentence: words, behind which it is cut; tokens, for the bound of grep
_BEFORE, _REPEATS = "this was asked before", 2  # so many turns in a row that say nothing else end a search
_SLACK = 16  # tokens of joints in a prompt
_DECODER = json.JSONDecoder(strict=False, parse_constant=str)
_LONGEST_REPLY = 20_000  # characters that are read of it
_LONGEST_S = 10  # of one pattern in all sentences
_THOUGHTS = re.compile(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL)
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")


class ToolMistake(Exception):
    """What the model is told of a call that cannot be done."""


class Words(BaseModel, defer_build=True):
    """Search the text: the sentences that fit these words best, with their numbers."""

    pattern: str = Field(min_length=1, max_length=300, description="words to look for")
    limit: int = Field(10, ge=1, description=f"sentences, {_MATCHES} at most")
    neighbours: int = Field(0, ge=0, description=f"{_NEIGHBOURS} at most to either side are shown too")


class Pattern(Words):
    """Search the text: the first sentences that hold these words, with their numbers."""

    pattern: str = Field(min_length=1, max_length=300, description="words, or a regular expression")
    ignore_case: bool = True


class Read(BaseModel, defer_build=True):
    """Read sentences by their numbers."""

    first: int = Field(alias="from", ge=1)
    count: int = Field(5, ge=1, description=f"{_MATCHES} at most")


@dataclass(frozen=True, kw_only=True)
class Agent(steps.PreparedStrategy):
    """``agent-T@N``, or ``agent-T@N+RETRIEVER``, which searches by the retriever in place of patterns."""

    templates = ("agent",)
    turns: int
    budget: int  # tokens of its calls and of what they return, in all

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """What it may be shown; expected is half of it."""
        most = min(room, self.budget)
        return min(context_tokens, most // 2), most

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The sentences that the tools returned."""
        document = question.document
        units = sentences(document.text, document.starts, _WORDS)
        search = _Search(self, question, units)
        while search.goes_on:
            search.turns_left -= 1
            yield [
                steps.ModelCall(
                    "turn",
                    search.prompt(),
                    _TURN_ROOM,
                    is_understood=lambda reply: True,
                    by_reader=True,
                    is_answer=True,
                    turn=self.turns - search.turns_left,
                    tools=search.tools,
                    messages=[*search.messages],
                    uses=cache(search.run),  # what the tools make of the reply, once
                )
            ]
        return _chosen(document, units, list(search.shown))

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """All turns, each with all that may be shown."""
        search, calls = _Search(self, question, ()), self.turns
        prompt = question.document.count(search.prompt()) + search.tokens + _SLACK
        return [steps.CallBound(calls, calls * prompt, calls * _TURN_ROOM, by_reader=True, is_answer=True)]


@dataclass(frozen=True, kw_only=True)
class Grep(steps.PreparedStrategy):
    """``grep/top-K/document``: K sentences, those with the rarest of the model's patterns."""

    templates = ("grep",)
    size: int

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """K sentences."""
        most = min(room, self.size * _SENTENCE)
        return min(context_tokens, most // 4), most

    def question(self, question: steps.AskedQuestion, material: Any) -> steps.Steps[steps.Chosen]:
        """The sentences that match."""
        run = cache(lambda reply: self._matched(question.document, reply, question.room))
        call = steps.ModelCall(
            "patterns",
            steps.render("grep", question=question.with_options),
            _PATTERNS_ROOM,
            by_reader=True,
            is_answer=True,
            turn=1,
            uses=lambda reply: run(reply)[1],
        )
        (reply,) = yield [call]
        return run(reply)[0]

    def _matched(
        self, document: steps.PreparedDocument, reply: str, room: int
    ) -> tuple[steps.Chosen, list[ToolUse]]:
        """The best sentences by inverse document frequency, and what each pattern found."""
        units = sentences(document.text, document.starts, _WORDS)
        texts, weights = _texts(document, units), defaultdict[int, float](float)
        found = dict[str, list[int] | ToolMistake]()
        lines = _THOUGHTS.sub("", reply).splitlines()
        patterns = (_LIST_MARK.sub("", line).strip().strip("`\"'") for line in lines)
        for pattern in [*dict.fromkeys(filter(None, patterns))][:_PATTERNS]:
            try:
                found[pattern] = matching = _matching(texts, pattern)
            except ToolMistake as mistake:
                found[pattern] = mistake
                continue
            for i in matching:
                weights[i] += log((len(units) + 1) / len(matching))
        ranking, left = list[int](), self.tokens_read(len(document.starts), room)[1]
        for i in sorted(weights, key=lambda i: (-weights[i], i))[: self.size]:
            left -= document.count(texts[i]) + 2
            ranking += [i] if left >= 0 else []
        uses = [
            ToolUse(one_line(pattern), str(result))
            if isinstance(result, ToolMistake)
            else _use(pattern, units, result, [i for i in result if i in ranking])
            for pattern, result in found.items()
        ]
        return _chosen(document, units, ranking), uses

    def bounds(self, question: steps.AskedQuestion) -> Sequence[steps.CallBound]:
        """The patterns."""
        document = question.document
        prompt = document.template_tokens("grep") + document.count(question.with_options) + _SLACK
        return [steps.CallBound(1, prompt, _PATTERNS_ROOM, by_reader=True, is_answer=True)]


# What a model may do with a text


class _Search:
    """The search of one model for one answer, so far."""

    def __init__(self, agent: Agent, question: steps.AskedQuestion, units: Sequence[Chunk]) -> None:
        self._agent, self._question, self._document, self._units = agent, question, question.document, units
        self._retriever = self._document.retriever if agent.scored else None
        self.tokens, self.turns_left, self.goes_on = min(agent.budget, question.room), agent.turns, True
        search = Words if self._retriever else Pattern
        self._models: dict[str, type[BaseModel]] = {"search": search, "read": Read}
        self.tools = [_as_tool(name, model) for name, model in self._models.items()]
        self.shown = dict[int, None]()  # places of sentences, in the order they were shown
        self._texts, self._asked = _texts(self._document, units), set[str]()
        self._left, self._repeats, self._transcript = self.tokens, 0, ""
        # The same as the prompt in OpenAI's form.
        self.messages: list[dict[str, Any]] = [{"role": "user", "content": self.prompt(by_tools=True)}]

    def prompt(self, *, by_tools: bool = False) -> str:
        """The next turn's, where tools are called by lines of JSON; or the first, without tools."""
        return steps.render(
            "agent",
            sentences=len(self._units),
            turns=self._agent.turns,
            tokens=self.tokens,
            question=self._question.with_options,
            tools="" if by_tools else "\n".join(json.dumps(each["function"]) for each in self.tools),
            transcript=self._transcript,
        )

    def run(self, reply: str) -> tuple[ToolUse, ...]:
        """What the tools make of the calls in a reply, all but those behind the fourth."""
        calls = _calls(reply)[:_CALLS]
        if not calls:
            self.goes_on = False
            return (ToolUse(one_line(reply), "no call: the search is over"),)
        lines = (json.dumps({"name": name, "arguments": it}, ensure_ascii=False) for name, it in calls)
        texts = [line.encode(errors="replace").decode() for line in lines]  # JSON can hold half a character
        self._left -= self._document.count("\n".join(texts)) + _SLACK
        done = [self._do(*call, text) for call, text in zip(calls, texts, strict=True)]
        uses, replies = tuple(use for use, _ in done), [text for _, text in done]
        left = f"{self.turns_left} turns and {max(0, self._left)} tokens left"
        replies[-1] += f"\n({left}; write DONE once you have seen all that is needed, or searched in vain)"
        self._transcript += "\n\n" + "\n".join(map("\n".join, zip(texts, replies, strict=True)))
        self._left = self.tokens - self._document.count(self._transcript)
        self._repeats = self._repeats + 1 if all(use.problem == _BEFORE for use in uses) else 0
        self.goes_on = self.turns_left > 0 and self._left > 0 and self._repeats < _REPEATS
        made, returned = list[dict[str, Any]](), list[dict[str, Any]]()
        for at, ((name, given), text) in enumerate(zip(calls, replies, strict=True)):
            id = f"call{self.turns_left:04}{at}"  # Mistral's have nine characters
            function = {"name": name, "arguments": json.dumps(given)}
            made.append({"id": id, "type": "function", "function": function})
            returned.append({"role": "tool", "tool_call_id": id, "content": text})
        self.messages += [{"role": "assistant", "content": None, "tool_calls": made}, *returned]
        return uses

    def _do(self, name: str, given: dict[str, Any], text: str) -> tuple[ToolUse, str]:
        """What one call comes to, and what the model is told of it."""
        try:
            if text in self._asked:
                raise ToolMistake(_BEFORE)
            self._asked.add(text)
            if (model := self._models.get(name)) is None:
                raise ToolMistake(f"there is no tool {name!r}: call {' or '.join(self._models)}")
            matching, wanted = self._wanted(model.model_validate(given))
        except (ToolMistake, ValidationError) as wrong:
            problem = str(wrong)
            if isinstance(wrong, ValidationError):
                first = wrong.errors()[0]
                problem = f"{'.'.join(map(str, first['loc'])) or 'arguments'}: {first['msg']}"
            self._left -= self._document.count(problem)
            return ToolUse(one_line(text), one_line(problem)), f"mistake: {one_line(problem)}"
        before = ", ".join(str(i + 1) for i in wanted if i in self.shown)
        lines = [] if matching is None else [f"sentences that match: {len(matching)}"]
        lines += [f"shown before: {before}"] if before else []
        self._left -= self._document.count("\n".join(lines))
        for i in wanted:
            line = f"[{i + 1}] {self._texts[i]}"
            if i in self.shown:
                continue
            if (cost := self._document.count(line) + 1) > self._left:
                lines.append("The rest is longer than what may still be shown.")
                break
            self._left -= cost
            self.shown[i] = None
            lines.append(line)
        shown = [i for i in wanted if i in self.shown]
        return _use(text, self._units, matching, shown), "\n".join(lines)

    def _wanted(self, asked: BaseModel) -> tuple[list[int] | None, list[int]]:
        """Places of the sentences that match a search, None of a read; and of those to be shown."""
        total = len(self._units)
        if isinstance(asked, Read):
            if asked.first > total:
                raise ToolMistake(f"there are {total} sentences")
            return None, list(range(asked.first - 1, total))[: min(asked.count, _MATCHES)]
        assert isinstance(asked, Words)
        limit, around = min(asked.limit, _MATCHES), min(asked.neighbours, _NEIGHBOURS)
        if isinstance(asked, Pattern):
            matching = _matching(self._texts, asked.pattern, ignore_case=asked.ignore_case)
        else:
            assert self._retriever
            try:
                scores = self._retriever().score(asked.pattern, self._texts)
            except OutsideError as error:
                raise steps.PreparationFailed(error.message, "reader_error") from None
            best = (-scores).argsort(kind="stable")[:limit].tolist()
            matching = [i for i in best if scores[i] > scores.min()]
        near = (range(max(0, i - around), min(total, i + around + 1)) for i in matching[:limit])
        return matching, list(dict.fromkeys(i for each in near for i in each))


def _calls(reply: str) -> list[tuple[str, dict[str, Any]]]:
    """Names and arguments of the calls in a reply; one without a name where there are only broken ones."""
    text, calls = _THOUGHTS.sub("", reply)[:_LONGEST_REPLY], list[tuple[str, dict[str, Any]]]()
    at = first = text.find("{")
    while at >= 0:
        try:
            read, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            read, end = {}, at + 1
        if name := read.get("name"):
            given = read.get("arguments", read.get("parameters", {}))
            with suppress(TypeError, ValueError, RecursionError):  # OpenAI's own form is a text
                given = given if isinstance(given, dict) else json.loads(given)
            name = re.sub(r"[^\w-]", "_", str(name))[:64]  # what endpoints take for a name
            calls.append((name, given if isinstance(given, dict) else {}))
        at = text.find("{", end)
    return calls or ([("unreadable", {})] if first >= 0 else [])


def _as_tool(name: str, model: type[BaseModel]) -> Mapping[str, Any]:
    """A tool in OpenAI's form."""
    schema = model.model_json_schema()
    for each in schema["properties"].values():
        del each["title"]
    parameters = {key: schema[key] for key in ("type", "properties", "required")}
    function = {"name": name, "description": model.__doc__, "parameters": parameters}
    return {"type": "function", "function": function}


def _texts(document: steps.PreparedDocument, units: Sequence[Chunk]) -> list[str]:
    """The sentences as they are shown and searched: on one line."""
    return [" ".join(document.text[unit.start : unit.end].split()) for unit in units]


def _matching(texts: Sequence[str], pattern: str, *, ignore_case: bool = True) -> list[int]:
    """Places of the sentences that hold words or a regular expression. Raises ToolMistake."""
    form: Any = Annotated[str, StringConstraints(pattern=f"(?i){pattern}" if ignore_case else pattern)]
    try:
        holds = TypeAdapter(form, config=ConfigDict(regex_engine="rust-regex")).validator.isinstance_python
    except SchemaError as error:
        raise ToolMistake(f"no regular expression: {str(error).splitlines()[-1].strip()}") from None
    until, found = time.monotonic() + _LONGEST_S, list[int]()
    for i, text in enumerate(texts):
        if time.monotonic() > until:
            raise ToolMistake(f"the pattern takes over {_LONGEST_S} s: make it simpler")
        found += [i] if holds(text) else []
    return found


def _use(asked: str, units: Sequence[Chunk], found: Sequence[int] | None, shown: Sequence[int]) -> ToolUse:
    """A call with where the sentences are that it matched, and that were shown."""
    spans = [tuple(join_neighbours([units[i] for i in sorted(each)])) for each in (found or (), shown)]
    return ToolUse(one_line(asked), "", None if found is None else len(found), *spans)


def _chosen(document: steps.PreparedDocument, units: Sequence[Chunk], ranking: Sequence[int]) -> steps.Chosen:
    """These sentences in the order of the text, neighbours as one part; ``ranking`` has their places."""
    spans = join_neighbours([units[i] for i in sorted(ranking)])
    parts = [steps.Part(document.text[start:end], (start, end)) for start, end in spans]
    places = [units[i].start for i in ranking]
    firsts = [next(at for at, place in enumerate(places) if a <= place < b) for a, b in spans]
    return steps.Chosen(parts, sorted(range(len(parts)), key=firsts.__getitem__), len(units))
