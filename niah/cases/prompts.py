"""Prompt templates: Jinja2 files with a version, the context before the question."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from niah.errors import ConfigError, UnknownName
from niah.paths import shipped
from niah.text.templates import EXPRESSIONS_RAISE
from niah.text.tokenizer import Tokenizer, count, get_tokenizer

_VERSION = re.compile(r"\A\{#\s*version:\s*(\S+)\s*#\}\n")
_MARK = "\x00context\x00"


@dataclass(frozen=True)
class PromptTemplate:
    """A template split where the context goes.

    Attributes:
        name: as users call it ("u-niah").
        version: from the file's first line.
        source: the template's text, its version line taken off.
    """

    name: str
    version: str
    source: str

    @property
    def identity(self) -> str:
        """Name, version and digest: what makes two prompts the same."""
        return f"{self.name}@{self.version}#{hashlib.sha256(self.source.encode()).hexdigest()[:12]}"

    def frame(self, question: str) -> tuple[str, str]:
        """Text before and after the context."""
        before, _, after = _render(self.source, question).partition(_MARK)
        return before, after

    def render(self, context: str, question: str) -> str:
        """The whole prompt text."""
        before, after = self.frame(question)
        return before + context + after


def prompt_names() -> list[str]:
    """The templates that ship."""
    return sorted(path.stem for path in _folder().glob("*.jinja"))


@lru_cache(maxsize=16)
def load_prompt(name: str) -> PromptTemplate:
    """A shipped template by name, or the user's own by path. Raises UnknownName or ConfigError."""
    path = Path(name) if Path(name).is_file() else _folder() / f"{name}.jinja"
    if not path.is_file():
        raise UnknownName("prompt template", name, prompt_names())
    text = _text(path)
    version = _VERSION.match(text)
    source = text[version.end() :] if version else text
    template = PromptTemplate(path.stem, version[1] if version else "0", source.rstrip("\n"))
    _check(path, template)
    return template


def prompt_tokens(template: PromptTemplate, question: str, head: str, tail: str, tokenizer: Tokenizer) -> int:
    """P: tokens that instructions and question add to a context from ``head`` to ``tail``.

    Tokens may merge across the two joints, so each joint is counted with its neighbour.
    """
    return _prompt_tokens(template, question, head, tail, tokenizer.name)


@lru_cache(maxsize=4096)
def _prompt_tokens(template: PromptTemplate, question: str, head: str, tail: str, tokenizer_name: str) -> int:
    tokenizer = get_tokenizer(tokenizer_name)
    before, after = template.frame(question)
    opening = count(tokenizer, before + head) - count(tokenizer, head)
    closing = count(tokenizer, tail + after) - count(tokenizer, tail)
    return opening + closing


def _folder() -> Path:
    return shipped("cases") / "prompts"


@lru_cache(maxsize=256)
def _render(source: str, question: str) -> str:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.from_string(source).render(context=_MARK, question=question)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(path, "", "is not UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise ConfigError(path, "", f"cannot be read: {error.strerror}.") from None


def _check(path: Path, template: PromptTemplate) -> None:
    from jinja2 import TemplateError

    probe = "\x00question\x00"
    try:
        text = _render(template.source, probe)
    except (TemplateError, *EXPRESSIONS_RAISE) as error:
        problem = f"is not a valid template: {str(error).rstrip('.')}."
        raise ConfigError(path, "", problem, "It may use context and question.") from None
    if text.count(_MARK) != 1 or text.count(probe) < 1:
        raise ConfigError(
            path, "", "must hold {{ context }} once and {{ question }}.", "Add what is missing."
        )
