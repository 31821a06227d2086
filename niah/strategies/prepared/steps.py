"""How a strategy asks a model: it yields calls, and is sent the replies. It asks nobody itself.

    def document(self, document):
        gists = yield [ModelCall("gist", prompt, room) for prompt in prompts]
        ...
        return material

All calls of one list may be asked at once. Who runs the steps decides who answers: a model in a run, what a
plan expects, a script in a test.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from niah.retrieval.retriever import Retriever
from niah.strategies.prepared.templates import template_identity
from niah.text.tokenizer import Tokenizer, count

if TYPE_CHECKING:
    from niah.strategies.axes.retrieval_plan import RetrievalPlan
    from niah.strategies.facts import Selection

_Value = TypeVar("_Value")

_WORDS = (
    *("time", "year", "people", "way", "day", "man", "thing", "life"),
    *("child", "world", "school", "state", "family", "group", "country", "problem"),
)
"""One for each hexadecimal digit; with a space before it, each is one token of most tokenizers."""

FailedOutcome = Literal["preparation_error", "overflow", "truncated", "refused", "reader_error"]


@dataclass(frozen=True)
class ModelCall:
    """What a model is asked on the way to a prompt.

    Attributes:
        step: what it is for, in a word or two: "gist".
        prompt: the whole of it.
        max_tokens: room for the reply. A reply that fills it ends there.
        expected: a reply such as a plan expects.
        is_understood: whether a reply says what was asked for.
        by_reader: whether the reader itself is asked, also where another model prepares.
        is_answer: whether the reply may be the reader's answer: then it is asked as for one, and what goes
            wrong is the reader's outcome.
    """

    step: str
    prompt: str
    max_tokens: int
    expected: str
    is_understood: Callable[[str], bool] = lambda reply: bool(reply.strip())
    by_reader: bool = False
    is_answer: bool = False


GetRetriever = Callable[[], Retriever]
"""Gives a retriever when it is wanted."""

Steps = Generator[Sequence[ModelCall], Sequence[str], _Value]
"""Yields calls, is sent their replies in the same order, and returns what came of them."""


class PreparationFailed(Exception):
    """Ends the steps of one document or question.

    Args:
        reason: one line for people.
        outcome: of the trials.
    """

    def __init__(
        self,
        reason: str,
        outcome: FailedOutcome = "preparation_error",
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.outcome = outcome


@dataclass(frozen=True)
class PreparedDocument:
    """A context, as it is prepared: nothing is known of a question."""

    text: str
    tokenizer: Tokenizer

    def count(self, text: str) -> int:
        """Tokens of a text."""
        return count(self.tokenizer, text)

    @cached_property
    def starts(self) -> Any:
        """Shape (tokens,): where each token starts."""
        return self.tokenizer.starts(self.text)


@dataclass(frozen=True)
class AskedQuestion:
    """What is asked of a document.

    Attributes:
        text: the question, without its options.
        room: tokens that may stand in the context's place.
        prompt: the reader's whole prompt around a text.
        answer_tokens: room for the reader's answer.
        selected: what a strategy that asks nobody, by its definition, makes of the document; in a plan, a
            text of the length that is expected.
        options: of multiple choice.
    """

    text: str
    room: int
    prompt: Callable[[str], str]
    answer_tokens: int
    selected: Callable[[str], Selection]
    options: tuple[str, ...] = ()

    @property
    def with_options(self) -> str:
        """The question, and under it its options by letter: for a model that chooses what to read."""
        lettered = (
            f"{letter}. {option}" for letter, option in zip(ascii_uppercase, self.options, strict=False)
        )
        return "\n".join([self.text, *lettered])


class SendingStrategy(Protocol):
    """A strategy that asks nobody, as one that does sees it (``niah.strategies.strategy.Strategy``)."""

    @property
    def name(self) -> str:
        """What the user wrote."""
        ...

    @property
    def definition(self) -> str:
        """The canonical text."""
        ...

    @property
    def packages(self) -> tuple[str, ...]:
        """What it goes by, with versions."""
        ...

    @property
    def retrieval(self) -> RetrievalPlan | None:
        """Its axes."""
        ...

    @property
    def order(self) -> str | None:
        """How chunks stand in the prompt."""
        ...

    @property
    def noise(self) -> float | None:
        """The share of noise that it asks for."""
        ...

    @property
    def needs_evidence(self) -> bool:
        """Whether it is told where the needles are."""
        ...

    @property
    def is_floor(self) -> bool:
        """Whether it sends nothing."""
        ...


@dataclass(frozen=True)
class Part:
    """Some of what the reader gets.

    Attributes:
        text: as it is sent.
        place: (start, end) in the context; None of a model's own words.
        score: of whoever ranked it; 0 where nobody did.
    """

    text: str
    place: tuple[int, int] | None = None
    score: float = 0.0


@dataclass(frozen=True)
class Chosen:
    """What stands in the context's place.

    Attributes:
        parts: in prompt order.
        ranking: numbers of the parts, best first; empty where nobody ranked them: then as they stand.
        available: how many parts there were to choose from.
        answer: of the reader, where it has answered already and need not be asked.
        selection: what stands in the context's place and its facts, where another strategy made them; there
            are no parts then.
        seconds: that choosing took.
    """

    parts: Sequence[Part] = ()
    ranking: Sequence[int] = ()
    available: int = 0
    answer: str | None = None
    selection: Selection | None = None
    seconds: float = 0.0


class PreparedStrategy(ABC):
    """A strategy for which a model is asked before the reader. Its text is its canonical name."""

    templates: tuple[str, ...]
    """What the model is asked with."""

    @property
    @abstractmethod
    def description(self) -> str:
        """One line for people."""

    @property
    def scored(self) -> RetrievalPlan | None:
        """The retriever that it asks, and the chunks that are scored; None where it asks none."""
        return None

    @property
    def order(self) -> str:
        """How what it chooses stands in the prompt."""
        return "document"

    @property
    def budget(self) -> int | None:
        """Tokens that it says it sends at most; None where it says none."""
        return None

    @property
    def reads(self) -> str | None:
        """The definition of the strategy whose text the reader gets; None where a model made it."""
        return None

    @property
    def may_answer(self) -> bool:
        """Whether a reader may answer on the way, and then reads nothing more."""
        return False

    @property
    def goes_by(self) -> tuple[str, ...]:
        """What changes its answers beside its name: its templates with versions and digests."""
        return tuple(map(template_identity, self.templates))

    def tokens_read(self, context_tokens: int, room: int) -> tuple[int, int]:
        """What the reader is expected to get in place of a context of so many tokens, and at most.

        Not asked where ``reads`` names a strategy.
        """
        return context_tokens, context_tokens

    def document(self, document: PreparedDocument, retriever: GetRetriever | None) -> Steps[Any]:
        """Everything that is the same for all questions on a document: nothing, where nobody says otherwise.

        Args:
            document: to be prepared.
            retriever: gives the one that ``retriever`` names; None in a plan that
                embeds nothing.
        """
        yield from ()

    @abstractmethod
    def question(
        self,
        document: PreparedDocument,
        material: Any,
        question: AskedQuestion,
        retriever: GetRetriever | None,
    ) -> Steps[Chosen]:
        """What one question gets of what ``document`` returned."""


def run_steps(steps: Steps[_Value], answer: Callable[[ModelCall], str]) -> _Value:
    """Run them to their end, one call after another."""
    try:
        calls = next(steps)
        while True:
            calls = steps.send([answer(call) for call in calls])
    except StopIteration as end:
        value: _Value = end.value
        return value


def expected_text(tokens: int, of: str = "") -> str:
    """A text of about so many tokens, for plans.

    Args:
        tokens: at least 1.
        of: what it stands for: texts of different ones differ from the second word on, so that prompts
            which hold them are told apart as in a run.
    """
    digest = sha256(of.encode("utf-8", "surrogatepass")).hexdigest()[: tokens - 1]
    told_apart = "".join(f" {_WORDS[int(digit, 16)]}" for digit in digest)
    return "word" + told_apart + " word" * (tokens - 1 - len(digest))
