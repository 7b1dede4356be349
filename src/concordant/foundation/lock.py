"""Objects that several threads may change and read: one thread at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Self, TypeVar, cast

Method = TypeVar("Method", bound=Callable[..., Any])


class Guarded:
    """Has a lock for its methods that are ``one_at_a_time``; copies and pickled objects have their own."""

    _lock: Any

    def __new__(cls, *_: Any, **__: Any) -> Self:
        guarded = super().__new__(cls)
        object.__setattr__(guarded, "_lock", RLock())
        return guarded

    @property
    def lock(self) -> Any:
        """Hold it to make several calls as one."""
        return self._lock

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {name: value for name, value in vars(self).items() if name != "_lock"}


def one_at_a_time(method: Method) -> Method:
    """A method that waits until no other thread is in one of the methods of this object."""

    @wraps(method)
    def waiting(self: Guarded, *arguments: Any, **options: Any) -> Any:
        with self._lock:
            return method(self, *arguments, **options)

    return cast("Method", waiting)
