"""ssh's way into a fleet's network: `ProxyCommand python connect.py PID NETWORK HOST PORT` with `ProxyUseFdpass yes`.

Connects inside the network namespace of the fleet's daemon PID and hands the socket to ssh over standard output.
NETWORK (`net:[NUMBER]`) proves that PID is still that daemon: no packet for a lab host may leave by the machine's own
network. Imports nothing but the standard library: it runs once a connection, with `python -I -S`.
"""

import contextlib
import ctypes
import os
import socket
import sys

_NEWUSER, _NEWNET = 0x10000000, 0x40000000
_LIMIT_S = 5


def _join(pid: str, kind: str, flag: int) -> None:
    handle = os.open(f"/proc/{pid}/ns/{kind}", os.O_RDONLY)
    if ctypes.CDLL(None, use_errno=True).setns(handle, flag) != 0:
        raise OSError(ctypes.get_errno(), f"cannot join the lab's {kind} namespace")
    os.close(handle)


def main() -> None:
    """Connect and pass the socket on."""
    pid, network, host, port = sys.argv[1:]
    try:
        if os.readlink(f"/proc/{pid}/ns/net") != network:  # noqa: PTH115  # one import less at every connection
            raise ConnectionRefusedError("the lab fleet is not up any more")
        with contextlib.suppress(OSError):  # a root's lab has no user namespace of its own: nothing to join
            _join(pid, "user", _NEWUSER)
        _join(pid, "net", _NEWNET)
        connected = socket.create_connection((host, int(port)), _LIMIT_S)
    except TimeoutError:
        sys.exit(f"ssh: connect to host {host} port {port}: Connection timed out")
    except OSError as problem:
        sys.exit(f"ssh: connect to host {host} port {port}: {problem.strerror or problem}")
    connected.setblocking(True)
    with socket.socket(fileno=os.dup(1)) as ssh:
        socket.send_fds(ssh, [b"\0"], [connected.fileno()])


if __name__ == "__main__":
    main()
