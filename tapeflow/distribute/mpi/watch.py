"""This rank's side of the hub: ends the process when another rank is gone, and answers questions.

A thread waits for the hub's messages. It costs nothing while nothing happens.
"""

from __future__ import annotations

import atexit
import os
import secrets
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from tapeflow.base.frames.user_lines import line_of_frame
from tapeflow.distribute.mpi import hub, job

GRACE = 0.5  # seconds for a rank's own traceback, when another has failed first


class Watch:
    """The connection of a rank to the hub, and what the hub has told."""

    def __init__(self, rank: int, lines: hub.Lines | None):
        self.rank, self._lines = rank, lines
        self.ended: dict[int, int] = {}  # ranks that have ended, and after how many collectives
        self.count = 0  # collectives that this rank has begun
        self.doing = "nothing yet"  # the last of them
        self._answers: dict[int, dict] = {}
        self._leaving = False
        if lines is not None:
            self._main = threading.main_thread().ident
            threading.Thread(target=self._listen, name="tapeflow-watch", daemon=True).start()
            atexit.register(self.leave)
            self._hook = sys.excepthook
            sys.excepthook = self._failed

    def leave(self) -> None:
        """This rank ends as it should."""
        if self._lines is not None and not self._leaving:
            self._leaving = True
            self._lines.send({"kind": "bye", "count": self.count})

    def ask(self, patience: float = 2.0) -> dict[int, dict]:
        """What every other rank is doing, as far as they answer."""
        if self._lines is None:
            return {}
        self._answers = {}
        self._lines.send({"kind": "ask"})
        time.sleep(patience)
        return self._answers

    # -- the thread --------------------------------------------------------------------------------
    def _listen(self) -> None:
        assert self._lines is not None
        while True:
            messages = self._lines.read()
            if messages is None:
                if not self._leaving:
                    self._end("the hub of the job is gone, with the host that it was on")
                return
            for message in messages:
                self._take(message)

    def _take(self, message: dict) -> None:
        assert self._lines is not None
        kind = message["kind"]
        if kind == "gone":
            if message["failed"]:
                time.sleep(GRACE)
            self._end(f"rank {message['rank']} {message['why']}")
        elif kind == "ended":
            self.ended[message["rank"]] = message["count"]
        elif kind == "ask":
            frame = sys._current_frames().get(self._main or 0)
            self._lines.send({"kind": "answer", "to": message["from"], "count": self.count,
                              "doing": self.doing, "at": line_of_frame(frame)})
        elif kind == "answer":
            self._answers[message["from"]] = message

    def _end(self, why: str) -> None:
        if not self._leaving:
            self._leaving = True
            sys.stderr.write(f"tapeflow: rank {self.rank} ends: {why}.\n")
            _flush()
            os._exit(1)

    # -- exceptions --------------------------------------------------------------------------------
    def _failed(self, kind: type[BaseException], error: BaseException, traceback: Any) -> None:
        """An exception ends this rank: print it, and end the job."""
        self._hook(kind, error, traceback)
        _flush()
        if self._lines is not None and not self._leaving:
            self._leaving = True
            text = str(error).strip().partition("\n")[0].rstrip(".")[:300]
            self._lines.send({"kind": "failed",
                              "text": f"{kind.__name__}: {text}" if text else kind.__name__})
            time.sleep(GRACE)
            _abort()


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass


def _abort() -> None:
    """End all ranks: MPI knows how; at exit it would wait for the others."""
    module = sys.modules.get("mpi4py.MPI")
    if module is not None:
        module.COMM_WORLD.Abort(1)
    os._exit(1)


def own_hub() -> str:
    """Start a hub as a process that outlives the ranks; host:port:token."""
    token = secrets.token_hex(16)
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", hub.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        start_new_session=True, env=job.bare_environment(), text=True)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(token + "\n")
    process.stdin.close()
    port = process.stdout.readline().strip()
    process.stdout.close()
    process.returncode = 0  # nobody waits for it
    return f"{socket.gethostname()}:{port}:{token}"


def watch(rank: int, address: str) -> Watch:
    """Connect this rank to the hub at host,other,names:port:token."""
    hosts, port, token = address.rsplit(":", 2)
    own = socket.gethostname()
    hello = {"rank": rank, "pid": os.getpid(), "host": own, "token": token}
    names = ["127.0.0.1" if one == own else one for one in hosts.split(",")]
    lines = hub.connect(names, int(port), hello)
    if lines is None:
        sys.stderr.write(f"tapeflow: rank {rank} cannot reach {hosts}:{port}, where ranks tell "
                         "each other that they end. If one dies, its launcher must end the "
                         "others.\n")
    return Watch(rank, lines)
