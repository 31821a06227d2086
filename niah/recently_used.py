"""What was used last, kept in memory."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

_Key = TypeVar("_Key", bound=Hashable)
_Value = TypeVar("_Value")


class RecentlyUsed(Generic[_Key, _Value]):
    """Values by key, those used last while there is room; the very last one in any case. Safe for threads.

    Args:
        room: what the sizes of all values may come to.
        size: of a value.
    """

    def __init__(self, room: int, size: Callable[[_Value], int]) -> None:
        self._room = room
        self._size = size
        self._taken = 0
        self._kept = OrderedDict[_Key, _Value]()
        self._lock = Lock()

    def get(self, key: _Key) -> _Value | None:
        """The value of that key, where it is kept; None is never one."""
        with self._lock:
            value = self._kept.get(key)
            if value is not None:
                self._kept.move_to_end(key)
            return value

    def put(self, key: _Key, value: _Value) -> None:
        """Keep a value, and let go of those that no longer fit."""
        with self._lock:
            self._let_go(key)
            self._kept[key] = value
            self._taken += self._size(value)
            while self._taken > self._room and len(self._kept) > 1:
                self._let_go(next(iter(self._kept)))

    def _let_go(self, key: _Key) -> None:
        if key in self._kept:
            self._taken -= self._size(self._kept.pop(key))
