"""Ctrl-C and what means the same: the first ends a command in order, the second at once."""

from __future__ import annotations

import os
import signal
import sys
import time

# A terminal that goes away, or a supervisor, may say it twice in a row.
_SAME_S = 0.3
_STOPPED = 130
_SHOW_CURSOR = b"\x1b[?25h"


def handle_interrupts() -> None:
    """Handle SIGINT, and SIGTERM and SIGHUP like it; what is ignored, as under nohup, stays ignored."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _Interrupts.handle)


class _Interrupts:
    """A command is told once to end, and may take as long as cleaning up does."""

    heard_at: float | None = None

    @classmethod
    def handle(cls, *_: object) -> None:
        """The first cancels what an event loop runs, or raises KeyboardInterrupt; the next ends all."""
        now = time.monotonic()
        if cls.heard_at is not None:
            if now - cls.heard_at < _SAME_S:
                return
            # Nothing that locks, and no stream: this may have come in the middle of anything.
            os.write(2, (_SHOW_CURSOR if os.isatty(2) else b"") + b"\nniah: stopped at once.\n")
            os._exit(_STOPPED)
        cls.heard_at = now
        event_loop = sys.modules.get("niah.event_loop")  # where it is not imported, nothing runs in one
        if event_loop is None or not event_loop.interrupt_current():
            raise KeyboardInterrupt
