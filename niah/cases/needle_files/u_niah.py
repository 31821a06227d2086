"""U-NIAH's needle sets (config/needle_cases.yaml of Tongji-KGLLM/U-NIAH) as needle sets of niah.

A mapping of names to ``needles``, ``question`` and ``true_answer``. Which part of the answer a needle carries
is not written there: it is taken to be the names and phrases that needle and answer share. Long needles over
which the names that an answer lists are spread unevenly are passages, and the sentences with the names nested
needles. Each set is called u-niah-NAME, since niah ships sets of its own under the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from niah.cases.needle_files.drafts import NeedleSetDraft, WrittenNeedleSets, write_those_that_hold
from niah.cases.needle_files.shared_phrases import shared_phrases
from niah.errors import ConfigError
from niah.file_mistakes import first_mistake
from niah.files import NonEmptyText
from niah.needles.element_finder import ElementFinder
from niah.needles.kinds import content_words
from niah.needles.needle_set import Element
from niah.text.mentions import mentions
from niah.text.sentences import split_sentences
from niah.yaml_file import parse_yaml

_ANSWER_TOKENS = 256


class _NeedleCase(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True, frozen=True)

    needles: Annotated[list[NonEmptyText], Field(min_length=1)]
    question: NonEmptyText
    true_answer: NonEmptyText


def import_u_niah(paths: Sequence[Path], folder: Path, called: Path) -> WrittenNeedleSets:
    """Write a needle set for each case of the files. Raises ConfigError about ``called``, and UserError."""
    cases = dict[str, Any]()
    for path in paths:
        data = parse_yaml(path)
        if isinstance(data, Mapping):
            cases |= {str(name): value for name, value in data.items() if isinstance(value, Mapping)}
    if not cases:
        problem = "holds no case with needles, question and true_answer."
        raise ConfigError(called, "", problem, "Name U-NIAH's needle_cases.yaml.")
    return write_those_that_hold(_drafts(cases, called), folder, called)


def _drafts(cases: Mapping[str, Any], called: Path) -> Iterator[NeedleSetDraft]:
    for name, value in cases.items():
        try:
            case = _NeedleCase.model_validate(value)
        except ValidationError as error:
            mistake = first_mistake(_NeedleCase, value, error.errors())
            raise ConfigError(called, f"{name}.{mistake.key}", mistake.problem, mistake.remedy) from None
        yield needle_set_draft(
            f"u-niah-{name}", case.needles, case.question, case.true_answer, _ANSWER_TOKENS
        )


def needle_set_draft(
    name: str, needles: list[str], question: str, answer: str, answer_tokens: int
) -> NeedleSetDraft:
    """A draft whose elements are what needles and answer share; a needle without any is supporting text."""
    names = _names(answer, question)
    texts = [_parted(" ".join(needle.split()), names) for needle in needles]
    losses = []
    if mended := [
        place for place, text in enumerate(texts, 1) if text != " ".join(needles[place - 1].split())
    ]:
        losses.append(f"spaces are put between names and words that touch them, in needles {mended}")
    nested = _lists_alone(names, question, answer) and any(
        len(split_sentences(text)) > 1 and sum(mentions(text, [each]) for each in names) != 1
        for text in texts
    )
    shared = [] if nested else _phrases(texts, question, answer, names)
    named = [name for name in names if any(mentions(text, [name]) for text in texts)]
    named = [name for name in named if not any(mentions(each, [name]) for each in shared)]
    elements = _elements(
        sorted([*named, *shared], key=lambda each: answer.casefold().find(each.casefold())), question
    )
    finder = ElementFinder(elements)
    listed = [
        _Needle(text, f"passage-{place}" if nested else "", finder(text))
        for place, text in enumerate(texts, 1)
    ]
    passages = [{"id": each.inside, "text": each.text} for each in listed if nested]
    if nested:
        listed = [
            _Needle(sentence, each.inside, finder(sentence))
            for each in listed
            for sentence in split_sentences(each.text)
            if finder(sentence)
        ]
        losses.append(
            f"{len(texts)} needles are passages, and {len(listed)} sentences of them nested needles"
        )
    else:
        supporting = [place for place, each in enumerate(listed, 1) if not each.elements]
        if supporting:
            losses.append(f"needles that share nothing with the answer are supporting text: {supporting}")
    if elements:
        losses.append(f"elements are guessed from the answer: {', '.join(each.name for each in elements)}")
    data: dict[str, object] = {
        "kind": "single" if len(texts) == 1 else "multi-needle",
        "question": question,
        "answer": answer,
        "answer_tokens": answer_tokens,
        "elements": [
            {"name": each.name} | ({"aliases": list(each.aliases)} if each.aliases else {})
            for each in elements
        ],
        "needles": [
            {"text": each.text, "elements": list(each.elements)} | ({"inside": each.inside} if nested else {})
            for each in listed
        ],
    }
    return NeedleSetDraft(_as_name(name), data | ({"passages": passages} if nested else {}), tuple(losses))


class _Needle(NamedTuple):
    text: str
    inside: str
    elements: tuple[str, ...]


_NAME = re.compile(r"[A-Z][\w’'-]*(?:(?:\s+&)?\s+[A-Z][\w’'-]*)+")
_ARTICLE = re.compile(r"(?:The|A|An)\s+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)\]]*\Z")


def _names(answer: str, question: str) -> list[str]:
    """Names of several words in an answer ("Magical History & Theory"), but for those in the question."""
    found = dict.fromkeys(_ARTICLE.sub("", name, count=1) for name in _NAME.findall(answer))
    asked = question.replace("'s", "")
    return [name for name in found if " " in name and not mentions(asked, [name.removesuffix("'s")])]


def _parted(text: str, names: Sequence[str]) -> str:
    """The text with spaces where names touch words ("Runes Translationis"); sentences end in a stop."""
    for name in names:
        text = re.sub(rf"(?<=[\w.!?,;:)])(?={re.escape(name)})|(?<={re.escape(name)})(?=[^\W_])", " ", text)
    return text if _SENTENCE_END.search(text) or not split_sentences(text)[1:] else f"{text}."


def _lists_alone(names: Sequence[str], question: str, answer: str) -> bool:
    """Whether an answer says nothing but names, three or more, and words of the question."""
    rest = re.sub("|".join(map(re.escape, names)) or "(?!)", " ", answer)
    return len(names) > 2 and set(content_words(rest)) <= set(content_words(question))


def _phrases(texts: Sequence[str], question: str, answer: str, names: Sequence[str]) -> list[str]:
    """The phrase that each needle shares with the answer; of a long needle none of a single word."""
    asked, found = set(content_words(question)), list[str]()
    for text, phrase in zip(texts, shared_phrases(texts, question, answer), strict=True):
        is_short = not split_sentences(text)[1:]
        in_name = phrase and any(mentions(name, [phrase]) and mentions(text, [name]) for name in names)
        if phrase and not in_name and (is_short or len(set(content_words(phrase)) - asked) > 1):
            found.append(phrase)
    return found


def _elements(names: Iterable[str], question: str) -> list[Element]:
    """Elements of these names; one that ends in words of the question ("Trial") goes without them too."""
    asked, elements = set(content_words(question)), list[Element]()
    for name in names:
        words = name.split()
        while len(words) > 1 and asked.issuperset(content_words(words[-1])):
            words.pop()
        short = " ".join(words)
        elements.append(Element(name, () if short == name else (short,)))
    return elements


def _as_name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "needles"
