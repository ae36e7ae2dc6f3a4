"""Several flows at once: what they ask for goes out together, as one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from irag.actions import Action, Flow, Remark, Together
from irag.errors import IragError

__all__ = ["side_by_side"]

R = TypeVar("R")


@dataclass
class _Running(Generic[R]):
    """One flow: the action it waits for, or what it returned."""

    flow: Flow[R]
    pending: Action[Any] | None = None
    returned: R | None = None

    def go(self, advance: Callable[[], Action[Any]]) -> Flow[None]:
        """Let it run until it asks for work; its remarks are passed on at once."""
        try:
            wanted = advance()
            while isinstance(wanted, Remark):
                yield from wanted
                wanted = next(self.flow)
            self.pending = wanted
        except StopIteration as stop:
            self.pending, self.returned = None, stop.value

    def resume(self, result: Any) -> Flow[None]:
        if isinstance(result, IragError):
            return self.go(lambda: self.flow.throw(result))
        return self.go(lambda: self.flow.send(result))


def side_by_side(flows: Sequence[Flow[R]]) -> Flow[list[R]]:
    """Run independent flows in step and return what each returns, in order.

    A flow that yields Together itself has its requests put among the others'. An error is thrown
    into the flow that asked; one that it does not catch ends all of them.
    """
    if len(flows) == 1:
        return [(yield from flows[0])]
    running = [_Running(flow) for flow in flows]
    for one in running:
        yield from one.go(lambda flow=one.flow: next(flow))  # type: ignore[misc]
    while waiting := [one for one in running if one.pending is not None]:
        asked = [_requests(one.pending) for one in waiting]
        results = yield from Together(*(request for some in asked for request in some))
        at = 0
        for one, some in zip(waiting, asked, strict=True):
            mine, at = results[at : at + len(some)], at + len(some)
            yield from one.resume(mine if isinstance(one.pending, Together) else mine[0])
    return [one.returned for one in running]  # type: ignore[misc]


def _requests(action: Action[Any] | None) -> tuple[Action[Any], ...]:
    if isinstance(action, Together):
        return action.requests
    return (action,) if action is not None else ()
