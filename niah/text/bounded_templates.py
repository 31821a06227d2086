"""Jinja2 within bounds: a hostile template ends soon and stays small, or is refused in one line.

Slots, conditions, loops, sums, joined texts, a few filters and the methods of texts work. What could run or
grow without end does not: ``set``, macros, blocks, includes, powers, formats. Steps of loops are counted, and
so are the characters of every text that is made on the way.

Imported only where a template is read: Jinja2 takes 50 ms.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache, wraps
from types import CodeType
from typing import Any

from jinja2 import StrictUndefined, TemplateRuntimeError, TemplateSyntaxError, Undefined, nodes
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

LONGEST_TEXT = 4_000_000
"""Characters of a template, and of any text that it makes."""
MOST_LETTERS = 20_000_000
"""Characters of all texts together that are made while a template is filled in."""
MOST_STEPS = 20_000
"""Steps of all loops of a template together."""

_LONGEST_CODE = 400_000
_CODE = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
_KNOWN = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.For, nodes.If),
    *(nodes.Name, nodes.Const, nodes.Tuple, nodes.List, nodes.CondExpr, nodes.Filter, nodes.Test, nodes.Call),
    *(nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Concat, nodes.Compare, nodes.Operand, nodes.Keyword),
    *(nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod),
)
_METHODS = frozenset(
    {
        "capitalize",
        "casefold",
        "count",
        "endswith",
        "find",
        "isalpha",
        "isdigit",
        "islower",
        "isupper",
        "lower",
    }
    | {"lstrip", "removeprefix", "removesuffix", "replace", "rstrip", "split", "startswith", "strip"}
    | {"swapcase", "title", "upper"}
)
_RAISED = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)
"""What a template's own expressions may raise, besides what Jinja2 does: ``{{ 1 / 0 }}``."""
_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


@dataclass
class _Budget:
    """What filling in one template may still take."""

    steps: int = MOST_STEPS
    letters: int = MOST_LETTERS


_budget: ContextVar[_Budget] = ContextVar("budget")


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """An environment whose templates are bounded.

    Args:
        filters: the filters that templates may use; none may make much more of a text than it was.
        keep_trailing_newline: of a template's source.
    """

    intercepted_binops = frozenset(_OPERATORS)

    def __init__(self, filters: dict[str, Callable[..., Any]], keep_trailing_newline: bool = False) -> None:
        super().__init__(
            undefined=StrictUndefined,
            autoescape=False,
            finalize=_printed,
            keep_trailing_newline=keep_trailing_newline,
        )
        self.filters = {name: _counted(function) for name, function in filters.items()}
        self.filters |= {"_spent": _spent, "_steps": _steps, "_together": _together}
        self.globals = {"range": self.globals["range"]}
        self._template = lru_cache(maxsize=1024)(self.from_string)

    @staticmethod
    def concat(parts: Iterable[Any]) -> str:
        """The template's whole text out of its parts."""
        return _together(parts)

    def render(self, source: str, values: Mapping[str, Any]) -> str:
        """The template filled in. Raises jinja2.TemplateError, also where it goes beyond bounds."""
        _budget.set(_Budget())
        try:
            return self._template(source).render(values)
        except _RAISED as error:
            raise TemplateRuntimeError(str(error) or type(error).__name__) from None

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        if len(source) > LONGEST_TEXT or sum(len(code[0]) for code in _CODE.finditer(source)) > _LONGEST_CODE:
            raise TemplateSyntaxError("is too long", 1)
        try:
            template = super()._parse(source, name, filename)
            _check(template)
        except RecursionError:
            raise TemplateSyntaxError("is nested too deep", 1) from None
        except ValueError:  # Python makes no number of more than 4,300 digits out of text
            raise TemplateSyntaxError("has a number of too many digits", 1) from None
        return template

    def _generate(
        self, source: nodes.Template, name: str | None, filename: str | None, defer_init: bool = False
    ) -> str:
        return super()._generate(_Bounds().visit(source), name, filename, defer_init)

    def _compile(self, source: str, filename: str) -> CodeType:
        try:
            return super()._compile(source, filename)
        except (SyntaxError, RecursionError, MemoryError):
            raise TemplateSyntaxError("is nested too deep", 1) from None

    def call_binop(self, context: Context, sign: str, left: Any, right: Any) -> Any:
        """Sums of texts or lists; everything else of numbers alone."""
        if sign == "+" and isinstance(left, str | list | tuple) and type(left) is type(right):
            return _spent(operator.add(left, right))
        for number in (left, right):
            if isinstance(number, Undefined):
                str(number)  # raises: names what is not known
            if not isinstance(number, int | float):
                raise TypeError(f"{sign} is for two numbers, and here is a {type(number).__name__}")
        return _OPERATORS[sign](left, right)

    def call(self, context: Context, called: Any, *args: Any, **kwargs: Any) -> Any:
        """A method of ``_METHODS``, or ``range``."""
        if getattr(called, "__name__", "") == "replace":
            return _spent(replace_all(str(called.__self__), *args))
        return _spent(super().call(context, called, *args, **kwargs))


def replace_all(text: str, old: str, new: str, count: int = -1) -> str:
    """``str.replace`` that raises ValueError for what would be too long."""
    times = text.count(old) if count < 0 else min(count, text.count(old))
    _check_length(len(text) + times * len(new))
    return text.replace(old, new, count)


def join_all(values: Iterable[Any], between: str = "") -> str:
    """``str.join`` of anything that can be printed; raises ValueError for what would be too long."""
    texts = [str(_printed(value)) for value in _steps(values)]
    _check_length(sum(map(len, texts)) + len(between) * len(texts))
    return between.join(texts)


def _check(template: nodes.Template) -> None:
    """Raise TemplateSyntaxError at a node that templates may not have."""
    for node in template.find_all(nodes.Node):
        line = node.lineno or 1
        if not isinstance(node, _KNOWN) or (isinstance(node, nodes.For) and node.recursive):
            kind = {"assign": "set", "callblock": "call", "filterblock": "filter"}
            name = type(node).__name__.lower()
            raise TemplateSyntaxError(f"{kind.get(name, name)!r} is nothing for a template here", line)
        if isinstance(node, nodes.Call) and not _is_known_call(node.node):
            methods = ", ".join(sorted(_METHODS))
            raise TemplateSyntaxError(f"calls something else than range and these methods: {methods}", line)


def _is_known_call(called: nodes.Expr) -> bool:
    if isinstance(called, nodes.Getattr):
        return called.attr in _METHODS
    return isinstance(called, nodes.Name) and called.name == "range"


class _Bounds(NodeTransformer):
    """Puts a bound around loops, slices and joined texts."""

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - named for the class, as Jinja2 does
        self.generic_visit(node)
        node.iter = nodes.Filter(node.iter, "_steps", [], [], None, None, lineno=node.lineno)
        return node

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return nodes.Filter(node, "_spent", [], [], None, None, lineno=node.lineno)

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        parts = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(parts, "_together", [], [], None, None, lineno=node.lineno)


def _steps(values: Iterable[Any]) -> Iterator[Any]:
    """The values, each counted as a step of a loop."""
    budget = _budget.get()
    for value in values:
        budget.steps -= 1
        if budget.steps < 0:
            raise ValueError(f"its loops go round more than {MOST_STEPS:,} times")
        yield value


def _counted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, its results taken from the budget. What Jinja2 marked it with stays."""

    @wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        return _spent(function(*args, **kwargs))

    return counted


def _spent(value: Any) -> Any:
    """The value, taken from the budget."""
    if isinstance(value, str | list | tuple | range):
        budget = _budget.get()
        budget.letters -= len(value) * (1 if isinstance(value, str | range) else 8)
        if budget.letters < 0:
            raise ValueError(f"makes more than {MOST_LETTERS:,} letters on the way")
    return value


def _printed(value: Any) -> Any:
    """The value as text, if it may be printed."""
    if value is None or isinstance(value, str | int | float | Undefined):
        return value
    if isinstance(value, list | tuple):
        return _spent(str(value))
    raise TypeError(f"a {type(value).__name__} is no text")


def _together(parts: Iterable[Any]) -> str:
    """The parts as one text; stops at the first that makes it too long."""
    texts: list[str] = []
    length = 0
    for part in parts:
        texts.append(str(_printed(part)))
        length += len(texts[-1])
        _check_length(length)
    text: str = _spent("".join(texts))
    return text


def _check_length(letters: int) -> None:
    if letters > LONGEST_TEXT:
        raise ValueError(f"makes a text of more than {LONGEST_TEXT:,} letters")
