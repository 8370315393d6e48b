"""The meeting point of a job's ranks beside MPI: who has gone, and who is doing what.

Each rank holds a TCP connection to the hub. The operating system closes it when the process dies,
however it dies: the hub says which rank went, and tells the others. It is a thread of `tapeflow
launch`, or, where something else has launched the ranks, a process that rank 0 starts: launchers
kill the ranks that are left at once, and the hub outlives them to say why.

A message is a line of JSON. From a rank: hello, bye, failed, ask, answer; to the ranks: gone,
ended, ask, answer. Run as a program this file needs nothing but Python's own library.
"""

from __future__ import annotations

import json
import selectors
import socket
import sys
from collections.abc import Callable
from hmac import compare_digest
from typing import Any

PATIENCE = 600.0  # seconds without any rank after which a hub of its own process ends
LONGEST = 1 << 20  # bytes of a message


def keep_alive(connection: socket.socket) -> None:
    """Let the system find out within seconds that the other host is gone."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for name, seconds in (("TCP_KEEPIDLE", 2), ("TCP_KEEPINTVL", 1), ("TCP_KEEPCNT", 4)):
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), seconds)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # milliseconds, for what has been sent in vain
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 6000)


class Lines:
    """The messages of a connection, as far as they have arrived."""

    def __init__(self, connection: socket.socket):
        self.connection = connection
        self._rest = b""

    def read(self) -> list[dict] | None:
        """What has arrived; None when the other side is gone."""
        try:
            data = self.connection.recv(1 << 16)
        except OSError:
            return None
        if not data:
            return None
        *whole, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > LONGEST:
            raise ValueError("a message that does not end")
        messages = [json.loads(line) for line in whole]
        if not all(isinstance(one, dict) for one in messages):
            raise ValueError("a message that is none")
        return messages

    def send(self, message: dict) -> None:
        """Send a message; a peer that is gone is found out by reading."""
        try:
            self.connection.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            pass


class Member(Lines):
    """A rank, from its hello on."""

    rank = -1
    name = ""
    left = False  # it has said goodbye, or its failure is known


class Hub:
    """Serves the ranks of one job; `say` prints a line for the user."""

    def __init__(self, token: str, say: Callable[[str], None]):
        self._token, self._say = token, say
        self._server = socket.create_server(("", 0), backlog=1024)
        self.port = self._server.getsockname()[1]
        self._selector = selectors.DefaultSelector()  # epoll: events in the order they happened
        self._selector.register(self._server, selectors.EVENT_READ, None)
        self._ranks: dict[int, Member] = {}
        self._stop, self._wake = socket.socketpair()
        self._selector.register(self._stop, selectors.EVENT_READ, None)
        self.first_gone: int | None = None  # the rank whose end has ended the job
        self.came = False  # whether a rank has ever connected
        self.on_loss: Callable[[], None] = lambda: None

    def serve(self) -> None:
        """Serve until every rank that came has gone, or `close`."""
        while True:
            ready = self._selector.select(None if self._ranks else PATIENCE)
            if not ready:
                return
            for key, _ in ready:
                if key.fileobj is self._stop:
                    return
                if key.data is None:
                    self._accept()
                else:
                    self._read(key.data)
            if self.came and not self._ranks:
                return

    def close(self) -> None:
        """End `serve`, from another thread."""
        self._wake.send(b"x")

    def release(self) -> None:
        """Close every socket, when nobody serves any more."""
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()
        self._wake.close()

    def _accept(self) -> None:
        try:
            connection, _ = self._server.accept()
            keep_alive(connection)
        except OSError:  # it has hung up, or there are too many
            return
        self._selector.register(connection, selectors.EVENT_READ, Member(connection))

    def _read(self, member: Member) -> None:
        try:
            messages = member.read()
            for message in messages or ():
                self._take(member, message)
        except (ValueError, LookupError, TypeError, RecursionError):  # no rank of ours
            messages = None
        if messages is None:
            self._drop(member)

    def _take(self, member: Member, message: dict) -> None:
        kind = message.get("kind")
        if kind == "hello" and compare_digest(str(message.get("token")).encode(),
                                              self._token.encode()):
            member.rank, self.came = int(message["rank"]), True
            member.name = f"process {message['pid']} on {message['host']}"
            self._ranks[member.rank] = member
        elif member.rank < 0:
            raise ValueError("a stranger")
        elif kind == "bye":
            member.left = True
            self._tell(member, {"kind": "ended", "rank": member.rank, "count": message["count"]})
        elif kind == "failed":
            member.left = True
            self._lost(member, f"ended with {message['text']}", failed=True)
        elif kind in ("ask", "answer"):
            self._tell(member, {**message, "from": member.rank}, message.get("to"))

    def _drop(self, member: Member) -> None:
        self._selector.unregister(member.connection)
        member.connection.close()
        if self._ranks.get(member.rank) is member:
            del self._ranks[member.rank]
            if not member.left:
                self._lost(member, "is gone: it was killed, or its host failed")

    def _lost(self, member: Member, why: str, failed: bool = False) -> None:
        if self.first_gone is None:
            self.first_gone = member.rank
            self._say(f"tapeflow: rank {member.rank} ({member.name}) {why}. The job cannot go on "
                      "without it.")
            self._tell(member, {"kind": "gone", "rank": member.rank, "why": why,
                                "failed": failed})
            self.on_loss()

    def _tell(self, sender: Member, message: dict, to: int | None = None) -> None:
        for rank, member in list(self._ranks.items()):
            if member is not sender and (to is None or rank == to):
                member.send(message)


def connect(hosts: list[str], port: int, hello: dict[str, Any]) -> Lines | None:
    """A rank's connection to the hub, by the first of its names that serves; None if none does."""
    for host in hosts:
        try:
            connection = socket.create_connection((host, port), timeout=10)
        except OSError:
            continue
        connection.settimeout(None)
        keep_alive(connection)
        lines = Lines(connection)
        lines.send({"kind": "hello", **hello})
        return lines
    return None


def main() -> None:
    """Serve as a process of its own: the port goes to standard output, the token comes in."""
    def say(text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

    hub = Hub(sys.stdin.readline().strip(), say)
    print(hub.port, flush=True)
    sys.stdout.close()
    hub.serve()


if __name__ == "__main__":
    main()
