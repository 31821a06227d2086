"""Letters that are laid out once: a report's four thousand texts are four hundred, each in two formats.

As a backend of matplotlib's (``module://niah.plots.kit.letters``) it writes PNG files. What is overridden
keeps results that follow from text and font alone. Where a version of matplotlib does not call it, it does
the work again and draws the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Literal

import matplotlib.text
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.textpath import TextToPath
from PIL import Image

_KEPT = 4096
_Extent = tuple[float, float, float]
_Glyphs = tuple[list[Any], Mapping[str, Any], list[Any]]

_PATHS = TextToPath()


class _LetterPaths(TextToPath):
    """What texts of SVG files are made of."""

    def get_text_width_height_descent(
        self, s: str, prop: FontProperties, ismath: bool | Literal["TeX"]
    ) -> _Extent:
        if ismath:
            width, height, descent = super().get_text_width_height_descent(s, prop, ismath)
            return width, height, descent
        return _extent(s, prop.copy())

    def get_glyphs_with_font(
        self,
        font: FT2Font,
        s: str,
        glyph_map: dict[str, Any] | None = None,
        return_new_glyphs_only: bool = False,
        **look: Any,
    ) -> tuple[Any, ...]:
        if any(look.values()):
            found: tuple[Any, ...] = super().get_glyphs_with_font(
                font, s, glyph_map, return_new_glyphs_only, **look
            )
            return found
        known = {} if glyph_map is None else glyph_map
        places, paths, boxes = _glyphs(font, s)
        new = {name: path for name, path in paths.items() if name not in known}
        if return_new_glyphs_only:
            return places, new, boxes
        known.update(new)
        return places, known, boxes


@lru_cache(maxsize=_KEPT)
def _extent(text: str, font: FontProperties) -> _Extent:
    """Width, height and descent, in points."""
    width, height, descent = _PATHS.get_text_width_height_descent(text, font, ismath=False)
    return width, height, descent


@lru_cache(maxsize=_KEPT)
def _glyphs(font: FT2Font, text: str) -> _Glyphs:
    """Where each letter stands, and how each is drawn, by its name."""
    places, paths, boxes = _PATHS.get_glyphs_with_font(font, text)
    return places, paths, boxes


@contextmanager
def known_letters() -> Iterator[None]:
    """SVG files that are written inside take letters' places from those before."""
    before = matplotlib.text.TextToPath
    matplotlib.text.TextToPath = _LetterPaths  # type: ignore[misc]
    try:
        yield
    finally:
        matplotlib.text.TextToPath = before  # type: ignore[misc]


class _Renderer(RendererAgg):  # type: ignore[misc]
    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: bool) -> _Extent:
        if ismath:
            found: _Extent = super().get_text_width_height_descent(s, prop, ismath)
            return found
        return _extent_in_dots(s, prop.copy(), self.dpi)


@lru_cache(maxsize=_KEPT)
def _extent_in_dots(text: str, font: FontProperties, dpi: float) -> _Extent:
    width, height, descent = RendererAgg(1, 1, dpi).get_text_width_height_descent(text, font, ismath=False)
    return width, height, descent


class FigureCanvas(FigureCanvasAgg):  # type: ignore[misc]
    """matplotlib's, with letters that are laid out once."""

    def get_renderer(self) -> _Renderer:
        """One for the figure as large as it is now."""
        width, height = self.get_width_height(physical=True)
        size = (width, height, self.figure.dpi)
        known = getattr(self, "renderer", None)
        if known is None or (known.width, known.height, known.dpi) != size:
            self.renderer = _Renderer(*size)
        return self.renderer

    def print_png(
        self, filename_or_obj: Path | BinaryIO, *, pil_kwargs: Mapping[str, Any] | None = None, **_: Any
    ) -> None:
        """Without opacity, since paper lets nothing through: a tenth smaller, and sooner written."""
        self.draw()
        pixels = self.buffer_rgba()
        picture = Image.frombuffer("RGBA", self.get_width_height(physical=True), pixels).convert("RGB")
        dots = self.figure.dpi
        picture.save(filename_or_obj, "png", dpi=(dots, dots), **(pil_kwargs or {}))
