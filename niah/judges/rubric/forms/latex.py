"""LaTeX of an answer as plain text: "\\boxed{2.4~\\mathrm{km}}" is "2.4 km", "18{,}460" is "18,460".

Only what sets text is read: boxes, fonts, spaces and escaped signs. A formula keeps its commands, since
"\\frac{3}{4}" without them would be 34.
"""

from __future__ import annotations

import re

from niah.judges.rubric.lazy_pattern import lazy_pattern

_DEEPEST = 8
"""Groups within each other that are opened; nobody writes more."""
_THIN = "\u2009"
"""Parts the thousands of a number as a comma does."""
_GROUP = lazy_pattern(
    r"\\(?:boxed|fbox|mbox|hbox|emph|underline|operatorname|bm|boldsymbol|ensuremath"
    r"|text(?:bf|it|rm|sf|tt|sc|sl|up|md|normal)?|math(?:bf|it|rm|sf|tt|normal))\s?\{([^{}]*)\}"
)
_STRUCK_OUT = lazy_pattern(r"\\(?:[bx]?cancel|sout)\{[^{}]*\}")
_SIGN_IN_BRACES = re.compile(r"(?<=\d)\{([,.:])\}(?=\d)")
_ESCAPED = re.compile(r"(?<!\\)\\(?:([%_$&#{}])|(?<=\w\\)([.-])(?=\w)|(?<=\d\\)(:)(?=\d\d(?!\d)))")
_DEGREES = lazy_pattern(r"\^\{?\s?\\circ\s?\}?|\\degree(?:\{\}|\b)")
_NO_SPACE = lazy_pattern(r"(?<!\\)\\!(?=\d)|\\[()]|\\\[(?=\s)|(?<=\s)\\\]")
_THIN_SPACE = re.compile(r"(?<!\\)\\[,;:]|(?<=[\w{}])~(?=[\w\\])|\\thinspace(?:\{\}|\b)\s?")
_SPACE = re.compile(r"(?<!\\)\\ |\\q?quad\b")


def without_latex(text: str) -> str:
    """``text`` with plain signs and spaces for LaTeX's; without its boxes and fonts, which hold text."""
    if "{" in text:
        text = _SIGN_IN_BRACES.sub(r"\1", text)
    if "\\" not in text:
        return text
    text = _SPACE.sub(" ", _THIN_SPACE.sub(_THIN, _NO_SPACE.sub("", _DEGREES.sub("°", text))))
    text = _ESCAPED.sub(lambda match: match[1] or match[2] or match[3], text)
    for _ in range(_DEEPEST):
        plain = _GROUP.sub(r"\1", _STRUCK_OUT.sub(" ", text))
        if plain == text:
            break
        text = plain
    return text
