"""Debian packages and Python wheels for any architecture, unpacked into a folder.

`packages` asks apt-get, with lists and a state of its own, for packages and all that they depend
on, by the sources that this machine has; `wheels` asks pip. Nothing is installed here, no
administrator is needed, and what was unpacked before is not fetched again. Used by `emulated.py`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

DEBIAN = {"aarch64": "arm64", "x86_64": "amd64"}
# The oldest C libraries that wheels are made for; pip takes what is named, and nothing between.
MANYLINUX = ("manylinux2014", "manylinux_2_17", "manylinux_2_27", "manylinux_2_28")


def packages(folder: Path, arch: str, names: list[str]) -> Path:
    """A folder with these packages of Debian and those that they need."""
    done = folder / ".packages"
    if done.exists() and done.read_text() == " ".join(names):
        return folder
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        raise SystemExit("packages of Debian are fetched by apt-get and dpkg-deb: not found here")
    state = folder.with_name(folder.name + "-apt")
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True, exist_ok=True)
    (state / "status").write_text("")  # as if nothing was installed: dependencies come too
    apt = ["apt-get", "-q", "-o", f"APT::Architecture={DEBIAN[arch]}",
           "-o", f"APT::Architectures={DEBIAN[arch]}", "-o", f"Dir::State::Lists={state}/lists",
           "-o", f"Dir::State::status={state}/status", "-o", f"Dir::Cache={state}/cache",
           "-o", "Debug::NoLocking=1"]
    if os.geteuid() == 0:
        apt += ["-o", "APT::Sandbox::User=root"]
    run([*apt, "update"])
    run([*apt, "install", "--yes", "--download-only", "--no-install-recommends", *names])
    folder.mkdir(parents=True, exist_ok=True)
    for package in sorted((state / "cache" / "archives").glob("*.deb")):
        run(["dpkg-deb", "--extract", str(package), str(folder)])
    shutil.rmtree(state)
    done.write_text(" ".join(names))
    return folder


def wheels(folder: Path, arch: str, version: str, names: list[str]) -> Path:
    """A folder with these packages of Python, and those that they need, for its `version`."""
    done = folder / ".wheels"
    if done.exists() and done.read_text() == " ".join(names):
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    platforms = [word for one in MANYLINUX for word in ("--platform", f"{one}_{arch}")]
    run([sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet",
         "--target", str(folder), *platforms, "--python-version", version,
         "--implementation", "cp", "--only-binary=:all:", *names])
    done.write_text(" ".join(names))
    return folder


def run(words: list[str]) -> None:
    """Run a command; what it says is shown only if it fails."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
