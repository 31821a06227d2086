"""How wide text is, and how to make it fit."""

from __future__ import annotations

from functools import lru_cache

from niah.plots.kit.theme import POINTS_PER_INCH

_LEAST = 6.5
_BREAKS = "/-_.:"
# A last line that is less wide than this share of the others is an orphan; how narrow these may become.
_ORPHAN, _NARROWER = 0.4, (0.9, 0.8, 0.7, 0.6)
_ELLIPSIS = "…"


def width_of(text: str, points: float, *, bold: bool = False) -> float:
    """Inches of one line in the figures' font: that of ``themed``, or DejaVu Sans outside of it."""
    return _points_at_size_ten(text, bold) * points / 10 / POINTS_PER_INCH


@lru_cache(maxsize=4096)
def _points_at_size_ten(text: str, bold: bool) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=10, weight="bold" if bold else "normal")
    width, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(width)


def wrapped(
    text: str, points: float, inches: float, *, bold: bool = False, orphans: bool = False
) -> list[str]:
    """``text`` in lines no wider than ``inches``: broken at ·, at spaces, after / - _ . : or anywhere.

    The last line has more than a word or two, where the others can do with less; with ``orphans`` it may be
    short, and all others are as wide as can be: so that paragraphs below one another have one width.
    """
    lines = _broken(text, points, inches, bold)
    for share in _NARROWER if len(lines) > 1 and not orphans else ():
        if width_of(lines[-1], points, bold=bold) >= _ORPHAN * inches:
            break
        narrower = _broken(text, points, share * inches, bold)
        if len(narrower) > len(lines) or _words(" ".join(narrower)) != _words(text):
            break
        lines = narrower
    return lines


def _words(text: str) -> list[str]:
    return [word for word in text.split() if word != "·"]


def _broken(text: str, points: float, inches: float, bold: bool) -> list[str]:
    lines: list[str] = []
    while text:
        end = _fitting_end(text, points, inches, bold)
        line, text = text[:end].strip(), text[end:].strip().removeprefix("· ")
        lines.append(line.removesuffix(" ·") if text else line)
    return lines


def _fitting_end(text: str, points: float, inches: float, bold: bool) -> int:
    if width_of(text, points, bold=bold) <= inches:
        return len(text)
    end = max(1, int(len(text) * inches / width_of(text, points, bold=bold)))
    while end > 1 and width_of(text[:end], points, bold=bold) > inches:
        end -= 1
    while width_of(text[: end + 1], points, bold=bold) <= inches:
        end += 1
    for breaks in ("·", " ", _BREAKS):
        at = max(text.rfind(mark, 0, end) for mark in breaks)
        if at >= end // 2:
            return at + 1
    return end


def fitted(
    text: str, points: float, inches: float, lines: int = 1, *, bold: bool = False
) -> tuple[str, float]:
    """``text`` in at most so many lines, and the type size at which it fits.

    It is set smaller, down to 6.5 points, before a word is torn or its middle is left out.
    """
    size = points
    while len(found := wrapped(text, size, inches, bold=bold)) > lines or _is_torn(text, found):
        if size <= _LEAST:
            return "\n".join(found) if len(found) <= lines else _shortened(
                text, size, inches, lines, bold
            ), size
        size = max(_LEAST, size - 0.5)
    return "\n".join(found), size


def _is_torn(text: str, lines: list[str]) -> bool:
    """Whether a line ends within a word, where there is neither a space nor a sign to break at."""
    end = 0
    for line in lines:
        end = text.find(line, end) + len(line)
        if end < len(text) and not text[end].isspace() and line[-1:] not in _BREAKS:
            return True
    return False


def _shortened(text: str, points: float, inches: float, lines: int, bold: bool) -> str:
    """Without as much of the middle as does not fit."""
    for kept in range(len(text) - 1, 1, -1):
        short = text[: (kept + 1) // 2] + _ELLIPSIS + text[len(text) - kept // 2 :]
        if len(found := wrapped(short, points, inches, bold=bold)) <= lines:
            return "\n".join(found)
    return _ELLIPSIS
