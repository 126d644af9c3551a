"""How a run is asked to stop, in two stages."""

from __future__ import annotations

import threading


class Stop(threading.Event):
    """Set: start no other host, finish those in hand. `now` set too: let hosts in hand end after their current step."""

    def __init__(self) -> None:
        super().__init__()
        self.now = threading.Event()
