"""Prompt templates: Jinja2 files with a version, the context before the question.

One that loops over ``options``, which is there only where the question has some, is for multiple choice; with
``{% if options is defined %}`` it is for every question.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache

from niah.errors import CaseError, ConfigError
from niah.files import find, shipped
from niah.text.tokenizer import count, get_tokenizer

_VERSION = re.compile(r"\A\{#\s*version:\s*(\S+)\s*#\}\n")
_CONTEXT, _QUESTION = "\x00context\x00", "\x00question\x00"


@dataclass(frozen=True)
class PromptTemplate:
    """A prompt template, and whether it can ask questions with options."""

    name: str  # "u-niah"
    version: str  # its file's first line
    source: str  # without that line
    shows_options: bool = False

    @property
    def identity(self) -> str:
        """Name, version and digest: what makes two prompts the same."""
        return f"{self.name}@{self.version}#{hashlib.sha256(self.source.encode()).hexdigest()[:12]}"

    def frame(self, question: str, options: tuple[str, ...] = ()) -> tuple[str, str]:
        """Text before and after the context. Raises CaseError where the template cannot ask this question."""
        from jinja2 import TemplateError

        if options and not self.shows_options:
            problem = f"prompt {self.name!r} does not show the options of a question, and this one has some."
            raise CaseError(problem, "Take a prompt that does, such as dos-rag-mcq or lc-vs-rag.")
        try:
            before, _, after = _render(self.source, question, options).partition(_CONTEXT)
        except TemplateError as error:
            problem = f"prompt {self.name!r} cannot ask {question[:60]!r}: {str(error).rstrip('.')}."
            raise CaseError(problem, "Mend the template, or take another.") from None
        return before, after

    def render(self, context: str, question: str, options: tuple[str, ...] = ()) -> str:
        """The whole prompt text."""
        before, after = self.frame(question, options)
        return before + context + after


@lru_cache(maxsize=16)
def load_prompt(name: str) -> PromptTemplate:
    """A shipped template by name, or the user's own by path. Raises UnknownName or ConfigError."""
    path = find("prompt template", name, [shipped("cases") / "prompts"], [".jinja"])
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    from jinja2 import TemplateError

    from niah.text.templates import slots_in

    template = parse_template(path.stem, text)
    source = template.source
    try:
        shows_options = "options" in slots_in(source)
        whole = _render(source, _QUESTION, ("one", "two") if shows_options else ())
    except TemplateError as error:
        problem = f"is not a valid template: {str(error).rstrip('.')}."
        raise ConfigError(path, "", problem, "It may use context, question and options.") from None
    if whole.count(_CONTEXT) != 1 or _QUESTION not in whole:
        problem = "must hold {{ context }} once and {{ question }}."
        raise ConfigError(path, "", problem, "Add what is missing.")
    return replace(template, shows_options=shows_options)


def parse_template(name: str, text: str) -> PromptTemplate:
    """The template that a file holds, of version 0 where its first line says none."""
    version = _VERSION.match(text)
    source = (text[version.end() :] if version else text).rstrip("\n")
    return PromptTemplate(name, version[1] if version else "0", source)


@lru_cache(maxsize=256)
def _render(source: str, question: str, options: tuple[str, ...] = ()) -> str:
    from niah.text.templates import fill_slots

    values = {"options": options} if options else {}
    return fill_slots(source, {"context": _CONTEXT, "question": question, **values})


@lru_cache(maxsize=16_384)
def prompt_tokens(
    prompt: str, tokenizer: str, question: str, head: str, tail: str, options: tuple[str, ...] = ()
) -> int:
    """P: tokens that instructions, question and options add to a context from ``head`` to ``tail``."""
    counter = get_tokenizer(tokenizer)
    before, after = load_prompt(prompt).frame(question, options)
    added = ((before + head, head), (tail + after, tail))
    return sum(count(counter, text) - count(counter, context) for text, context in added)
