"""A cache in memory of what was used last."""

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
        self._room, self._size, self._taken = room, size, 0
        self._values = OrderedDict[_Key, _Value]()
        self._lock = Lock()

    def get(self, key: _Key) -> _Value | None:
        """The value of that key, or None."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def put(self, key: _Key, value: _Value) -> None:
        """Keep a value, and let go of those that no longer fit."""
        with self._lock:
            if key in self._values:
                self._taken -= self._size(self._values.pop(key))
            self._values[key] = value
            self._taken += self._size(value)
            while self._taken > self._room and len(self._values) > 1:
                self._taken -= self._size(self._values.popitem(last=False)[1])
