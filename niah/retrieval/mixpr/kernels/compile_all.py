"""Compiles every loop and keeps it: ``python -m niah.retrieval.mixpr.kernels.compile_all``."""

from __future__ import annotations

import os

from niah.text.scanning.compiling import WHEN, note_all_compiled

_TEXT = "A fox saw the hen. The café was “open” at 3.14 p.m. Dr. Hale hid the ring.\n\nA hen saw it all."
_FOREIGN = "Лиса видела курицу. Она ушла."
_QUESTIONS = ("Who hid the ring?", "Summarise the whole text.")


def compile_all() -> None:
    """Run each loop once on each kind of text."""
    from niah.retrieval.mixpr.mixpr import MixPR
    from niah.retrieval.mixpr.term_stream import Chunked, term_stream
    from niah.text.scanning.short_spans import short_byte_spans
    from niah.text.scanning.utf8 import Utf8

    for text in (_TEXT, _TEXT.encode("ascii", "ignore").decode(), f"{_TEXT}\n\n{_FOREIGN}"):
        for question in _QUESTIONS:
            for retriever in (MixPR(), MixPR(threshold=0.27)):
                retriever.best_spans(question, text)
                retriever.score(question, [text, "A fox saw the hen. The hen saw it all.", "hen fox", "..."])
    encoded = Utf8.of(_TEXT)
    term_stream(Chunked(encoded, *short_byte_spans(encoded)), threads=2)
    Utf8.of("é" * 200_000)


if __name__ == "__main__":
    os.environ[WHEN] = "now"
    if hasattr(os, "nice"):
        os.nice(10)
    compile_all()
    note_all_compiled()
