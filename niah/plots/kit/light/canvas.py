"""A canvas that draws the same dots as matplotlib's in less time: a report's words are mostly the same few.

What is overridden saves work whose result is known, as in ``axes``. It is made for the matplotlib that
it names; ``png_backend`` says whether that is here, and with any other version matplotlib's own canvas draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from threading import get_ident
from typing import Any, NamedTuple

import matplotlib
import numpy as np
from matplotlib.backend_bases import GraphicsContextBase
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg, get_hinting_flag
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import RenderMode
from matplotlib.text import Text

_KNOWN = (3, 11)
_MOST_KEPT = 20_000


def png_backend() -> str | None:
    """What ``Figure.savefig`` takes as its backend for PNG files; None is matplotlib's own."""
    return f"module://{__name__}" if matplotlib.__version_info__[:2] == _KNOWN else None


class _Glyph(NamedTuple):
    """Of a text that is laid out: a letter's font, its number there, and where it stands, in dots."""

    font: Any
    number: int
    x: float
    y: float


_Key = tuple[int, str, float, int]
"""A font's properties, a text, dots per inch, and the thread: matplotlib gives each fonts of its own."""
_sizes: dict[_Key, tuple[float, float, float]] = {}
_laid_out: dict[_Key, tuple[_Glyph, ...]] = {}


class _LightRenderer(RendererAgg):  # type: ignore[misc]
    """Measures each text once, lays it out once, and turns all its letters alike."""

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | str
    ) -> tuple[float, float, float]:
        """In dots."""
        if ismath:
            return super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-any-return]
        key = hash(prop), s, self.dpi, get_ident()
        if key not in _sizes:
            _make_room(_sizes)
            _sizes[key] = super().get_text_width_height_descent(s, prop, ismath)
        return _sizes[key]

    def draw_text(
        self,
        gc: GraphicsContextBase,
        x: float,
        y: float,
        s: str,
        prop: FontProperties,
        angle: float,
        ismath: bool | str = False,
        mtext: Text | None = None,
    ) -> None:
        """As matplotlib's."""
        is_plain = mtext is None or not (mtext.get_fontfeatures() or mtext.get_language())
        if ismath or not is_plain or not gc.get_antialiased():
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
            return
        self._draw_glyphs(gc, x, y, angle, self._layout(s, prop), prop.get_size_in_points())

    def _layout(self, s: str, prop: FontProperties) -> tuple[_Glyph, ...]:
        key = hash(prop), s, self.dpi, get_ident()
        if key not in _laid_out:
            _make_room(_laid_out)
            items = self._prepare_font(prop)._layout(s, flags=get_hinting_flag())
            _laid_out[key] = tuple(_Glyph(item.ft_object, item.glyph_index, item.x, item.y) for item in items)
        return _laid_out[key]

    def _draw_glyphs(
        self, gc: GraphicsContextBase, x: float, y: float, angle: float, glyphs: Iterable[_Glyph], size: float
    ) -> None:
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        turn = (0x10000 * np.array([[cos, -sin], [sin, cos]])).round().astype(int)
        flags, height, font = get_hinting_flag(), int(self.height), None
        for glyph in glyphs:
            if glyph.font is not font:
                font = glyph.font
                font.set_size(size, self.dpi)
            across = round(0x40 * (x + glyph.x * cos - glyph.y * sin))
            up = round(0x40 * (self.height - y + glyph.x * sin + glyph.y * cos))
            font._set_transform(turn, [across, up])
            bitmap = font._render_glyph(glyph.number, flags, RenderMode.NORMAL)
            buffer = bitmap.buffer
            bottom = height - bitmap.top + buffer.shape[0]
            self._renderer.draw_text_image(buffer, bitmap.left, bottom, 0, gc)


def _make_room(kept: dict[_Key, Any]) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """What ``Figure.savefig`` asks of a backend."""

    _made_for: tuple[float, float, float] | None = None

    def get_renderer(self) -> RendererAgg:
        """The light one."""
        width, height = self.get_width_height(physical=True)
        key = width, height, self.figure.dpi
        if self._made_for != key:
            self.renderer = _LightRenderer(width, height, self.figure.dpi)
            self._made_for = key
        return self.renderer
