"""How a strategy asks a model: it yields calls, and is sent the replies. It asks no model itself.

    gists = yield [ModelCall("gist", prompt, room) for prompt in prompts]

All calls of one list may be asked at once. A plan runs no steps: the bounds say what they take at most.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from niah.cases.prompts import PromptTemplate, parse_template
from niah.readers.reader import FailureOutcome
from niah.retrieval.retriever import Retriever
from niah.strategies.parts import RetrievalPlan, SentPlan
from niah.text.tokenizer import Tokenizer, count

if TYPE_CHECKING:
    from niah.strategies.facts import Selection, ToolUse

_Value = TypeVar("_Value")

# Yields calls, is sent their replies in the same order, and returns what came of them.
Steps = Generator[Sequence["ModelCall"], Sequence[str], _Value]


class PreparationFailed(Exception):
    """Ends the steps of one document or question, with a line for people and the outcome of its trials."""

    def __init__(self, reason: str, outcome: FailureOutcome = "preparation_error") -> None:
        self.reason, self.outcome = reason, outcome


@dataclass(frozen=True)
class ModelCall:
    """What a model is asked on the way to a prompt, for a ``step`` ("gist")."""

    step: str
    prompt: str
    max_tokens: int  # a reply that fills it ends there
    is_understood: Callable[[str], bool] = lambda reply: bool(reply.strip())
    by_reader: bool = False  # also where another model prepares
    is_answer: bool = False  # the reply may be the reader's answer; what goes wrong is the reader's outcome
    turn: int = 0  # from 1, of a search for the answer: asked as for the answer itself, and may be cut
    tools: Sequence[Mapping[str, Any]] = ()  # in OpenAI's form, where an endpoint takes it
    messages: Sequence[Mapping[str, Any]] = ()  # what is then sent in the prompt's place
    uses: Callable[[str], Sequence[ToolUse]] = lambda reply: ()  # what the tools make of the reply


@dataclass(frozen=True)
class CallBound:
    """The most tokens that some calls of one step take together."""

    calls: int
    prompt_tokens: int
    reply_tokens: int
    by_reader: bool = False
    is_answer: bool = False
    of_document: bool = False  # the same for all questions on it


@dataclass(frozen=True)
class PreparedDocument:
    """A context, as it is prepared: nothing is known of a question."""

    text: str
    tokenizer: Tokenizer
    retriever: Callable[[], Retriever] | None = None  # that of the strategy; a plan has none

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return count(self.tokenizer, text)

    def template_tokens(self, name: str) -> int:
        """Tokens of a template without what is filled in, at most."""
        return count(self.tokenizer, template_of(name).source)

    @cached_property
    def starts(self) -> Any:
        """Shape (tokens,): where each token starts."""
        return self.tokenizer.starts(self.text)


@dataclass(frozen=True)
class AskedQuestion:
    """What is asked of a document: a question's text, and options of multiple choice."""

    document: PreparedDocument
    text: str
    room: int  # tokens that may stand in the context's place
    prompt: Callable[[str], str]  # the reader's whole prompt around a text
    answer_tokens: int
    # What a strategy that asks no model, by its definition, makes of the document; in a plan without text,
    # and with the most tokens that it may have.
    selected: Callable[[str], Selection]
    options: tuple[str, ...] = ()

    @property
    def with_options(self) -> str:
        """The question, and under it its options by letter: for a model that chooses what to read."""
        letters = zip(ascii_uppercase, self.options, strict=False)
        return "\n".join([self.text, *(f"{letter}. {option}" for letter, option in letters)])


@dataclass(frozen=True)
class Part:
    """Some of what the reader gets, and its (start, end) in the context; None of a model's own words."""

    text: str
    place: tuple[int, int] | None = None


@dataclass(frozen=True)
class Node(Part):
    """Of a tree: a part of the document, or a summary of children, by their numbers in the layer below."""

    children: tuple[int, ...] = ()
    first_leaf: int = 0


@dataclass(frozen=True)
class Chosen:
    """What stands in the context's place: parts in prompt order, or what another strategy selected."""

    parts: Sequence[Part] = ()
    ranking: Sequence[int] = ()  # numbers of the parts, best first; where it is empty, as they stand
    available: int = 0  # parts to choose from
    answer: str | None = None  # of the reader, where it has answered already and need not be asked
    selection: Selection | None = None
    seconds: float = 0.0  # that the call with the answer took


@dataclass(frozen=True)
class PreparedStrategy:
    """A strategy for which a model is asked before the reader, with ``templates``."""

    templates: ClassVar[tuple[str, ...]]
    definition: str
    scored: RetrievalPlan | None = None  # the retriever that it asks, and the chunks that are scored
    sources: tuple[SentPlan, ...] = ()  # the strategies whose texts it goes on from
    order: str = "document"
    budget: int | None = None
    reads: str | None = None  # the strategy whose text the reader gets; None where a model made it
    packages: tuple[str, ...] = ()  # what else it goes by, with versions

    def __str__(self) -> str:
        return self.definition

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """Tokens that the reader gets, expected and at most; not asked where ``reads`` names a strategy."""
        return context_tokens, context_tokens

    def document(self, document: PreparedDocument) -> Steps[Any]:
        """Everything that is the same for all questions on a document: nothing by default."""
        yield from ()

    def question(self, question: AskedQuestion, material: Any) -> Steps[Chosen]:
        """What one question gets of what ``document`` returned."""
        raise NotImplementedError

    def bounds(self, question: AskedQuestion) -> Sequence[CallBound]:
        """The most that ``document`` and ``question`` ask."""
        raise NotImplementedError


def summaries(
    template: str, nodes: Sequence[Node], groups: Sequence[tuple[int, ...]], room: int
) -> Steps[list[Node]]:
    """A layer's nodes from the layer below: a summary of each group."""
    texts = ["\n\n".join(nodes[child].text for child in group) for group in groups]
    replies = yield [ModelCall("summary", render(template, text=text), room) for text in texts]
    made = zip(said(replies, "summaries"), groups, strict=True)
    return [Node(text, None, group, min(nodes[child].first_leaf for child in group)) for text, group in made]


def said(replies: Sequence[str], what: str) -> list[str]:
    """The replies without white space at their ends. Raises PreparationFailed where any is empty."""
    stripped = [reply.strip() for reply in replies]
    if empty := stripped.count(""):
        raise PreparationFailed(f"{empty} of {len(replies)} {what} are empty")
    return stripped


def render(name: str, **fields: Any) -> str:
    """The prompt that a template of ours makes of its fields; these are never read as a template."""
    from jinja2 import Environment, StrictUndefined

    return Environment(undefined=StrictUndefined).from_string(template_of(name).source).render(fields)


@cache
def template_of(name: str) -> PromptTemplate:
    """A template of ours."""
    path = Path(__file__).with_name("templates") / f"{name}.jinja"
    return parse_template(name, path.read_text(encoding="utf-8"))
