"""Writes tapeflow/api/public_names.py: which module of ops has which public names.

    python tools/public_names.py [--check]

Modules that `api/lazy_modules.py` names, and those below them, are left out. `--check` only tells
whether the file is as it should be (status 1 if not).
"""

import argparse
import importlib
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tapeflow.base import exports  # noqa: E402

TARGET = ROOT / "tapeflow" / "api" / "public_names.py"
HEAD = '''"""The public names of each module of ops. Written by tools/public_names.py.

`import tapeflow` loads few of the ops; a name that is missed is looked up here, and its module is
imported. Read by `lazy_modules.py`.
"""

NAMES = """
'''


def modules() -> list[str]:
    """The modules of ops that are not put off by hand."""
    by_hand = {one for name, found in exports.LATER.items() for one in found} - exports.PROMISED
    found = []
    for path in sorted((ROOT / "tapeflow" / "ops").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        above = {".".join(parts[:n]) for n in range(1, len(parts) + 1)}
        if not above & by_hand:
            found.append(name)
    return found


def table() -> str:
    """The text of the file."""
    listed = modules()
    for name in listed:
        importlib.import_module(name)
    names: dict[str, list[str]] = {}
    for name, owner in exports.OWNERS.items():
        if owner["__name__"] in listed:
            found = names.setdefault(owner["__name__"], [])
            if name in exports.PUBLIC:  # not an op
                found.append(name)
    entries = [textwrap.fill(f"{module}: {' '.join(sorted(names[module]))}", 98,
                             subsequent_indent="  ", break_long_words=False,
                             break_on_hyphens=False) for module in sorted(names)]
    return HEAD + "\n".join(entries) + '\n"""\n'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text = table()
    if options.check:
        return int(TARGET.read_text() != text)
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
