"""A machine with AVX-512, emulated by Debian's Bochs: Linux and a Python in memory, one command.

QEMU has no AVX-512; Bochs has (the model `corei7_skylake_x`). It is a whole computer, at some tens
of millions of instructions a second: it boots a kernel of Debian from a CD image, whose first
memory disk holds Python, the wheels and the project, and whose serial port is a file here. Used by
`emulated.py`.
"""

from __future__ import annotations

import contextlib
import os
import pty
import re
import shlex
import shutil
import stat
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import sysroot

PACKAGES = ["bochs", "bochs-term", "isolinux", "syslinux-common", "xorriso",
            "linux-image-cloud-amd64"]
GUEST = ["python3.11", "libstdc++6", "busybox-static"]
LIBRARIES = "lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"
LEFT_OUT = ("tests", "doc", "man", "locale")  # folders of no use there
SETTINGS = """\
megs: 2048
cpu: model=corei7_skylake_x, count=1, ips=50000000, reset_on_triple_fault=0
romimage: file={emulator}/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file={emulator}/usr/share/bochs/VGABIOS-lgpl-latest
ata0: enabled=1, ioaddr1=0x1f0, ioaddr2=0x3f0, irq=14
ata0-master: type=cdrom, path={work}/boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev={work}/serial
log: {work}/log
error: action=ignore
info: action=ignore
panic: action=fatal
clock: sync=none, time0=utc
display_library: term
"""
BOOT = """\
DEFAULT guest
PROMPT 0
LABEL guest
KERNEL /kernel
INITRD /memory
APPEND console=ttyS0 quiet panic=-1 mitigations=off nokaslr lpj=200000 tsc=reliable
"""
INIT = """\
#!/bin/busybox sh
b=/bin/busybox
$b mount -t proc none /proc; $b mount -t sysfs none /sys; $b mount -t devtmpfs none /dev
$b mount -t tmpfs none /tmp; $b mkdir /dev/shm; $b mount -t tmpfs none /dev/shm
export PYTHONPATH=/project:/wheels PATH=/bin:/usr/bin HOME=/tmp
cd /project
$b grep -o -m 1 "avx512.*" /proc/cpuinfo
{command}
echo "status $?"
$b poweroff -f
"""


def run(folder: Path, project: Path, wheels: Path, words: list[str], seconds: float) -> int:
    """Run a command of the project in the guest and print what it prints; its status."""
    emulator = sysroot.packages(folder / "bochs", "x86_64", PACKAGES)
    guest = sysroot.packages(folder / "guest", "x86_64", GUEST)
    work = folder / "bochs-run"
    shutil.rmtree(work, ignore_errors=True)
    (work / "cd" / "isolinux").mkdir(parents=True)
    with (work / "cd" / "memory").open("wb") as file:
        write_memory_disk(file, {"": guest, "wheels": wheels, "project": project},
                          INIT.format(command=shlex.join(words)))
    shutil.copy(next((emulator / "boot").glob("vmlinuz*")), work / "cd" / "kernel")
    for name in ("usr/lib/ISOLINUX/isolinux.bin", "usr/lib/syslinux/modules/bios/ldlinux.c32"):
        shutil.copy(emulator / name, work / "cd" / "isolinux")
    (work / "cd" / "isolinux" / "isolinux.cfg").write_text(BOOT)
    sysroot.run([*program(emulator, "usr/bin/xorriso"), "-as", "mkisofs", "-quiet",
                 "-o", str(work / "boot.iso"), "-b", "isolinux/isolinux.bin",
                 "-c", "isolinux/boot.cat", "-no-emul-boot", "-boot-load-size", "4",
                 "-boot-info-table", str(work / "cd")])
    (work / "settings").write_text(SETTINGS.format(emulator=emulator, work=work))
    (work / "commands").write_text("continue\nquit\n")  # Debian's Bochs begins in its debugger
    return emulate(emulator, work, seconds)


def program(root: Path, name: str) -> list[str]:
    """A program of unpacked packages, with their libraries and their loader."""
    folders = [str(root / one) for one in (*LIBRARIES, LIBRARIES[1] + "/bochs/plugins")]
    loader = root / LIBRARIES[0] / "ld-linux-x86-64.so.2"
    return [str(loader), "--library-path", ":".join(folders), str(root / name)]


def emulate(emulator: Path, work: Path, seconds: float) -> int:
    """Run Bochs until the guest ends, or for so long; show its serial port."""
    variables = {**os.environ, "TERM": "xterm", "BXSHARE": str(emulator / "usr/share/bochs"),
                 "LTDL_LIBRARY_PATH": str(emulator / LIBRARIES[1] / "bochs/plugins")}
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*program(emulator, "usr/bin/bochs-bin"), "-q", "-f", str(work / "settings"),
         "-rc", str(work / "commands")], stdin=theirs, stdout=theirs, stderr=theirs, env=variables)
    os.close(theirs)
    threading.Thread(target=drain, args=(ours,), daemon=True).start()
    status = None
    try:
        for line in serial_lines(work / "serial", process, time.monotonic() + seconds):
            found = re.fullmatch(r"status (\d+)", line)
            if found:
                status = int(found[1])
                break
            print(line, flush=True)
    finally:
        process.kill()
        process.wait()
    if status is None:
        print(f"the guest did not end within {seconds:.0f} s, or died; see {work}")
    return 1 if status is None else status


def drain(terminal: int) -> None:
    """Read what Bochs writes; its screen is a terminal of its own, whose name it tells.

    Nobody looks at either, but a full terminal would make it wait.
    """
    with contextlib.suppress(OSError):  # the end
        while words := os.read(terminal, 65536):
            screen = re.search(rb'connected to screen "([^"]+)"', words)
            if screen:
                file = os.open(screen[1], os.O_RDONLY | os.O_NOCTTY)
                threading.Thread(target=drain, args=(file,), daemon=True).start()


def serial_lines(path: Path, process: subprocess.Popen, end: float) -> Iterator[str]:
    """Lines that the guest writes, as they come."""
    place, rest = 0, b""
    while True:
        alive = process.poll() is None
        if path.exists():
            with path.open("rb") as file:
                file.seek(place)
                new = file.read()
            place += len(new)
            *lines, rest = (rest + new).split(b"\n")
            yield from [line.decode(errors="replace").rstrip("\r") for line in lines]
        if not alive or time.monotonic() > end:
            return
        time.sleep(0.5)


# -- the guest's memory disk -----------------------------------------------------------------------
def write_memory_disk(file, folders: dict[str, Path], init: str) -> None:
    """The guest's files as Linux takes them (cpio, `newc`): folders by their names there, /init."""
    number = 0

    def entry(name: str, mode: int, data: bytes = b"", device: tuple[int, int] = (0, 0)) -> None:
        nonlocal number
        number += 1
        named = name.encode() + b"\0"
        fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(named), 0)
        head = b"070701" + "".join([f"{field:08X}" for field in fields]).encode() + named
        file.write(head + b"\0" * (-len(head) % 4))
        file.write(data + b"\0" * (-len(data) % 4))

    for name in ("proc", "sys", "dev", "tmp", *filter(None, folders)):
        entry(name, stat.S_IFDIR | 0o755)
    for above, folder in folders.items():
        for path in found(folder, () if above == "project" else LEFT_OUT):
            mode = path.lstat().st_mode
            name = str(Path(above) / path.relative_to(folder))
            if stat.S_ISLNK(mode):
                entry(name, mode, os.readlink(path).encode())
            elif stat.S_ISDIR(mode) or stat.S_ISREG(mode):
                entry(name, mode, b"" if stat.S_ISDIR(mode) else path.read_bytes())
    entry("dev/console", stat.S_IFCHR | 0o600, device=(5, 1))
    entry("init", stat.S_IFREG | 0o755, init.encode())
    entry("TRAILER!!!", 0)


def found(folder: Path, without: tuple[str, ...]) -> Iterator[Path]:
    """What is below a folder, without folders of some names; folders before their contents."""
    for path in sorted(folder.iterdir()):
        if not path.is_dir() or path.is_symlink():
            yield path
        elif path.name not in without:
            yield path
            yield from found(path, without)
