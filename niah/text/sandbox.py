"""Jinja2 within bounds: a hostile template ends soon and stays small, or is refused in one line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from typing import Any

from jinja2 import StrictUndefined, TemplateError, TemplateRuntimeError, TemplateSyntaxError, nodes
from jinja2.filters import FILTERS
from jinja2.sandbox import ImmutableSandboxedEnvironment

LONGEST_TEXT = 4_000_000  # characters of a template, and of any text that it makes
_WORK, _STEP = 20_000_000, 1_000
"""Characters that filters may make while a template is filled in; and what a step of a loop counts as."""
_LONGEST_CODE = 60_000
_CODE = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
_KNOWN = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If, nodes.CondExpr, nodes.Name),
    *(nodes.Const, nodes.Filter, nodes.Test, nodes.Getattr, nodes.Getitem, nodes.Compare, nodes.Operand),
    *(nodes.And, nodes.Or, nodes.Not),
)
# Spelled with a vowel and spoken with a consonant, and the other way round.
_CONSONANT_SOUND = ("uni", "use", "usu", "eu", "ewe", "one", "once")
_SILENT_H = ("hour", "honest", "honour", "heir")

_FILTERS = (  # of Jinja2, those whose result is no longer than what they get
    "abs capitalize count d default first float int last length list lower reverse sort string title trim "
    "unique upper wordcount"
)


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Slots, filters, conditions, tests, subscripts and loops over given lists; by one thread at a time.

    What may run or grow without end is refused: calls, arithmetic, ``set``, macros, blocks, includes.
    """

    def __init__(self) -> None:
        super().__init__(
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            optimized=False,  # it takes time that grows with the cube of how deep an expression is
        )
        filters = {name: FILTERS[name] for name in _FILTERS.split()}
        filters |= {"join": _joined, "a": _with_article, "capital": lambda text: text[:1].upper() + text[1:]}
        self.filters = {name: self._counted(each) for name, each in filters.items()}
        self.filters["_steps"] = self._steps
        self.globals = {}
        self.concat = _joined  # type: ignore[method-assign]
        self._template = lru_cache(maxsize=1024)(self.from_string)

    def render(self, source: str, values: Mapping[str, Any]) -> str:
        """The template with its slots filled in. Raises jinja2.TemplateError, also beyond the bounds."""
        self._left = _WORK
        try:
            return self._template(source).render(values)
        except TemplateError:
            raise
        except Exception as error:  # an expression of a template's may raise what Python raises
            raise TemplateRuntimeError(str(error) or type(error).__name__) from None

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LONGEST_TEXT or sum(map(len, _CODE.findall(source))) > _LONGEST_CODE:
            raise TemplateSyntaxError("is too long", 1)
        try:
            template = super()._parse(source, name, filename)
            for node in list(template.find_all(nodes.Node)):
                if not isinstance(node, _KNOWN) or (isinstance(node, nodes.For) and node.recursive):
                    kind = type(node).__name__.lower().replace("assign", "set")
                    raise TemplateSyntaxError(f"{kind!r} is nothing for a template here", node.lineno)
                if isinstance(node, nodes.For):
                    node.iter = nodes.Filter(node.iter, "_steps", [], [], None, None, lineno=node.lineno)
        except (RecursionError, ValueError) as error:  # Python reads no number of 4,300 digits
            raise TemplateSyntaxError(f"cannot be read ({error})", 1) from None
        return template

    def _spend(self, work: int) -> None:
        self._left -= work
        if self._left < 0:
            raise ValueError("its loops and filters do too much")

    def _steps(self, values: Iterable[Any]) -> Iterator[Any]:
        """The values, each counted as a step of a loop."""
        for value in values:
            self._spend(_STEP)
            yield value

    def _counted(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, the size of its results counted. What Jinja2 marked it with stays."""

        @wraps(function)
        def counted(*args: Any, **kwargs: Any) -> Any:
            made = function(*args, **kwargs)
            self._spend(len(made) * (1 if isinstance(made, str) else 8) if hasattr(made, "__len__") else 0)
            return made

        return counted


def _joined(parts: Iterable[Any], between: str = "") -> str:
    """The parts as one text; stops at the first that makes it too long."""
    texts, length = list[str](), 0
    for part in parts:
        texts.append(str(part))
        length += len(texts[-1]) + len(between)
        if length > LONGEST_TEXT + len(between):
            raise ValueError(f"makes a text of more than {LONGEST_TEXT:,} letters")
    return between.join(texts)


def _with_article(name: str) -> str:
    """``name`` after "a" or "an": "an opal ring", "a unicorn horn"."""
    word = name.casefold()
    vowel = word.startswith((*"aeiou", *_SILENT_H)) and not word.startswith(_CONSONANT_SOUND)
    return f"{'an' if vowel else 'a'} {name}"
