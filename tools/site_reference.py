"""Pages of the API reference: one for each public namespace, from the docstrings of its names.

Called by the hooks of the site (`site_pages.py`). Functions have Args, Returns, Gradient and an
example from `tapeflow/documentation`; classes their own words, an example, and their methods.
"""

from __future__ import annotations

import inspect
import re
import types
from typing import Any

SKIPPED = ("__internal__", "__operators__", "raw_ops", "compat.v1", "errors")
OWN = ("insight", "gradients", "compiler")  # modules of tapeflow's own, beside the register
SECTIONS = re.compile(r"^(Args|Returns|Raises|Example):\n", re.MULTILINE)


def pages() -> dict[str, str]:
    """Markdown by the path of the page."""
    spaces = names_by_space()
    made = {page_of(space): page(space, names) for space, names in spaces.items()}
    rows = [f"| [{title(space)}]({page_of(space).removeprefix('reference/')}) | {len(names)} |"
            for space, names in sorted(spaces.items())]
    made["reference/index.md"] = "\n".join([
        "# API reference", "",
        "Every public name, by namespace, as `help` shows it. `tf.keras` is Keras and has its own",
        "documentation; functions of `tf.raw_ops` and `tf.compat.v1` have TensorFlow's names and",
        "arguments.", "", "| namespace | names |", "| --- | --- |", *rows, ""])
    return made


def page_of(space: str) -> str:
    return f"reference/{space.replace('.', '_') or 'tf'}.md"


def title(space: str) -> str:
    return f"tf.{space}" if space else "tf"


def names_by_space() -> dict[str, dict[str, Any]]:
    """Public functions and classes of each namespace."""
    import importlib

    import tapeflow  # noqa: F401
    from tapeflow.base import exports
    exports.load_all()
    found: dict[str, dict[str, Any]] = {}
    for path, value in exports.PUBLIC.items():
        if not path.startswith(SKIPPED) and isinstance(value, (types.FunctionType, type)):
            space, _, name = path.rpartition(".")
            found.setdefault(space, {})[name] = value
    for space in OWN:
        module = importlib.import_module(f"tapeflow.{space}")
        names = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
        found[space] = {name: getattr(module, name) for name in names
                        if isinstance(getattr(module, name), (types.FunctionType, type))
                        and (getattr(module, name).__module__ or "").startswith("tapeflow")}
    return found


def page(space: str, names: dict[str, Any]) -> str:
    parts = [f"# {title(space)}"]
    for name, value in sorted(names.items(), key=lambda pair: pair[0].lower()):
        parts.append(entry(f"{title(space)}.{name}", value, "##"))
        if isinstance(value, type) and not issubclass(value, BaseException):
            parts += [entry(f"{name}.{method}", function, "###")
                      for method, function in methods(value)]
    return "\n\n".join(parts) + "\n"


def methods(kind: type) -> list[tuple[str, Any]]:
    """Methods that a class of ours defines, with words of their own."""
    found = []
    for name, value in inspect.getmembers(kind):
        function = getattr(value, "__func__", value)
        if name[0] != "_" and isinstance(function, types.FunctionType) and function.__doc__ and (
                function.__module__ or "").startswith("tapeflow"):
            found.append((name, function))
    return found


def entry(name: str, value: Any, level: str) -> str:
    try:
        words = str(inspect.signature(value)).replace("'", "")
    except (TypeError, ValueError):
        words = "(…)"
    text = inspect.getdoc(value) or ""
    short = name.rpartition(".")[2]
    head = f"{level} `{name}`\n\n```python\n{short}{_brief(words)}\n```"
    return f"{head}\n\n{markdown(text)}".rstrip()


def _brief(signature: str) -> str:
    """A signature without annotations that say nothing."""
    return re.sub(r" at 0x\w+", "", re.sub(r": Any\b|: str \| None(?= = None)", "", signature))


def markdown(text: str) -> str:
    """A docstring as Markdown: sections, lists of arguments, examples as code."""
    pieces = SECTIONS.split(text)
    made = [_prose(pieces[0])]
    for head, body in zip(pieces[1::2], pieces[2::2]):
        body, _, rest = body.partition("\n\n") if head != "Example" else (body, "", "")
        lines = inspect.cleandoc(body)
        if head == "Args":
            items = re.sub(r"^(\S[^:\n]*): ", r"- `\1`: ", lines, flags=re.MULTILINE)
            made.append(f"**{head}**\n\n{items}")
        elif head == "Example":
            made.append(f"```pycon\n{lines}\n```")
        else:
            made.append(f"**{head}**: {' '.join(lines.split())}")
        if rest:
            made.append(_prose(re.sub(r"^Gradient:", "**Gradient**:", rest)))
    return "\n\n".join(one for one in made if one)


def _prose(text: str) -> str:
    """Words, with their examples fenced."""
    blocks, inside = [], False
    for block in text.strip().split("\n\n"):
        inside = block.lstrip().startswith(">>> ")
        if inside:
            blocks.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        else:
            blocks.append(block.replace("<", "&lt;").replace("*", "\\*").replace("_[", "\\_["))
    return "\n\n".join(blocks)
