"""Leases stay alive for as long as this process does: renewed from a thread of its own, a third of their life apart."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager


@contextmanager
def beating(
    tokens: Callable[[], Mapping[str, int]], renew: Callable[[Mapping[str, int]], object], every: float
) -> Iterator[None]:
    """While the block runs, `renew` what `tokens` names (host -> token), each `every` seconds.

    A renewal that fails is no reason to stop: the guard of the host says so to the next step that needs the lease.
    """
    over = threading.Event()

    def beat() -> None:
        while not over.wait(every):
            held = dict(tokens())
            if held:
                try:
                    renew(held)
                except Exception:  # noqa: S112 - whatever it was, the next beat tries again
                    continue

    thread = threading.Thread(target=beat, name="lease-heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
