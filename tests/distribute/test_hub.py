"""The hub of a job listens on the network: strangers must not end it or make it grow."""

import socket
import threading

import pytest

from tapeflow.distribute.mpi.hub import LONGEST, Hub, connect

STRANGERS = {
    "no message": b"GET / HTTP/1.0\r\n\r\n",
    "a number": b"1\n",
    "a list": b'["hello"]\n',
    "too deep": b"[" * 100_000 + b"\n",
    "no bytes of text": b"\xff\xfe\n",
    "another token": b'{"kind": "hello", "token": "0000", "rank": 0, "pid": 1, "host": "h"}\n',
    "no token": b'{"kind": "hello", "rank": 0, "pid": 1, "host": "h"}\n',
    "a token of another kind": b'{"kind": "hello", "token": ["secret"], "rank": 0}\n',
    "half a character": b'{"kind": "hello", "token": "\\ud800", "rank": 0}\n',
    "a goodbye of nobody": b'{"kind": "bye", "count": 3}\n',
    "no end": b"x" * (LONGEST + (1 << 17)),
}


@pytest.fixture
def hub():
    said = []
    hub = Hub("secret", said.append)
    hub.said = said
    thread = threading.Thread(target=hub.serve)
    thread.start()
    yield hub
    hub.close()
    thread.join()
    hub.release()


@pytest.mark.parametrize("name", STRANGERS)
def test_strangers_are_sent_away(hub, name):
    with socket.create_connection(("localhost", hub.port), timeout=60) as stranger:
        try:
            stranger.sendall(STRANGERS[name])
            answer = stranger.recv(1)
        except OSError:  # the hub has closed it before all was sent
            answer = b""
    assert answer == b""
    ranks = [connect(["localhost"], hub.port, {"token": "secret", "rank": i, "pid": i, "host": "h"})
             for i in range(2)]
    ranks[0].connection.settimeout(60)
    ranks[1].send({"kind": "ask"})
    assert ranks[0].read() == [{"kind": "ask", "from": 1}]
    assert hub.said == []
    for rank in ranks:
        rank.send({"kind": "bye", "count": 0})
        rank.connection.close()
