"""A headless Chromium, driven over a pipe by its DevTools protocol, in a few lines."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")


class Browser:
    """One page of a browser without a network: `evaluate`, `mouse`, `screenshot`."""

    def __init__(self, width: int = 1100, height: int = 800):
        found = next((path for name in NAMES if (path := shutil.which(name))), None)
        if found is None:
            raise SystemExit(f"make browser needs one of {', '.join(NAMES)} (apt install chromium)")
        self.folder = tempfile.mkdtemp(prefix="browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        high = [fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (to_read, to_write)]

        def ends() -> None:
            os.dup2(high[0], 3)  # the numbers that Chromium expects
            os.dup2(high[1], 4)

        self._process = subprocess.Popen(
            [found, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", f"--window-size={width},{height}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"],
            preexec_fn=ends, pass_fds=(3, 4), stderr=subprocess.DEVNULL)
        for one in (to_read, to_write, *high):
            os.close(one)
        self._ids = itertools.count(1)
        self._held, self.events = b"", []
        targets = self.send("Target.getTargets")["targetInfos"]
        page = next(one for one in targets if one["type"] == "page")
        self._session = self.send("Target.attachToTarget", targetId=page["targetId"],
                                  flatten=True)["sessionId"]
        for name in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{name}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command; what it gives. Events that come meanwhile are in `events`."""
        number = next(self._ids)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if getattr(self, "_session", None):
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next(60)
            if found.get("id") == number:
                if "error" in found:
                    raise RuntimeError(f"{method}: {found['error']}")
                return found["result"]
            self.events.append(found)

    def _next(self, seconds: float) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while b"\0" not in self._held:
            ready, _, _ = select.select([self._read], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            self._held += os.read(self._read, 1 << 20)
        text, _, self._held = self._held.partition(b"\0")
        return json.loads(text)

    def open(self, path: Path, tab: str = "") -> None:
        """Open a file and wait until it is loaded."""
        self.send("Page.navigate", url="about:blank")
        self.send("Page.navigate", url=path.resolve().as_uri() + (f"#{tab}" if tab else ""))
        for _ in range(200):
            if self.evaluate("document.readyState === 'complete' && location.protocol"
                             " === 'file:'"):
                return
            time.sleep(0.05)
        raise TimeoutError(f"{path} does not load")

    def evaluate(self, source: str) -> Any:
        """The value of a JavaScript expression in the page."""
        found = self.send("Runtime.evaluate", expression=source, returnByValue=True)
        if "exceptionDetails" in found:
            raise AssertionError(found["exceptionDetails"]["exception"].get("description"))
        return found["result"].get("value")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """A mouse event: mouseMoved, mousePressed, mouseReleased, mouseWheel."""
        self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def screenshot(self, path: Path) -> None:
        """A WebP of what is seen."""
        held = self.send("Page.captureScreenshot", format="webp", quality=70)["data"]
        path.write_bytes(base64.b64decode(held))

    def complaints(self) -> list[str]:
        """Errors of scripts, and requests for anything but the file itself."""
        found = []
        for one in self.events:
            about = one.get("params", {})
            if one.get("method") == "Runtime.exceptionThrown":
                found.append(str(about["exceptionDetails"].get("text")))
            elif one.get("method") == "Log.entryAdded" and about["entry"]["level"] == "error":
                found.append(about["entry"]["text"])
            elif one.get("method") == "Network.requestWillBeSent" and not (
                    about["request"]["url"].startswith(("file:", "data:", "about:"))):
                found.append(f"asks for {about['request']['url']}")
        return found

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(20)
        for one in (self._read, self._write):
            os.close(one)
        shutil.rmtree(self.folder, ignore_errors=True)
