"""tf.strings.regex_full_match and regex_replace: RE2's language by way of Python's `re`.

A pattern of RE2 is written as one of `re`, over characters. What RE2 refuses (looking around,
references back) is refused. `re` tries paths one after another, which may take for ever; where a
pattern and the length of a text allow too many, RE2 itself (the extra `tapeflow[re2]`) or
`linear_regex.py` matches instead, in linear time. May be imported by other modules of `ops`.
"""

from __future__ import annotations

import math
import re
import re._constants as _tokens  # type: ignore[import-not-found]
import re._parser as _parser  # type: ignore[import-not-found]
import warnings
from functools import lru_cache
from typing import Any

import numpy as np

from tapeflow.base import errors
from tapeflow.base.attributes import attributes, flag, text_bytes
from tapeflow.base.exception_origin import unsignalled
from tapeflow.base.exports import export
from tapeflow.core.record.families import operand
from tapeflow.core.record.samples import Case
from tapeflow.core.values.tensor import Tensor
from tapeflow.core.values.variable import Variable
from tapeflow.ops.strings import linear_regex
from tapeflow.ops.strings.text import WORDS, on_each, string_operand

_POSIX = {"alnum": "0-9A-Za-z", "alpha": "A-Za-z", "ascii": r"\x00-\x7f", "blank": r"\t ",
          "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": "!-~", "lower": "a-z",
          "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r"\t\n\x0b\x0c\r ", "upper": "A-Z",
          "word": "0-9A-Za-z_", "xdigit": "0-9A-Fa-f"}
_PERL = {"d": "0-9", "w": "0-9A-Za-z_", "s": r"\t\n\x0c\r "}
_LETTERS = {"a": r"\x07", "f": r"\x0c", "t": r"\t", "n": r"\n", "r": r"\r", "v": r"\x0b"}
MOST_PATHS = math.log(1e7)  # that `re` may try: a tenth of a second
MOST_REPEATS = 1000  # of repeats in repeats, as in RE2
_REPEAT = re.compile(r"(?:[*+?]|\{\d+(?:,\d*)?\})\??")


class _Refused(Exception):
    """RE2 does not take a pattern, with its words."""


class _Translator:
    """Reads one pattern from left to right."""

    def __init__(self, pattern: str):
        self.pattern, self.at = pattern, 0
        self.out: list[str] = []
        # For each open group: the flags in force, and the flag groups opened inside it.
        self.groups: list[list] = [["", []]]

    def translate(self) -> str:
        while self.at < len(self.pattern):
            self._piece()
        if len(self.groups) > 1:
            raise _Refused(f"missing ): {self.pattern}")
        self._close_flags()
        return "".join(self.out)

    def _piece(self) -> None:
        c = self.pattern[self.at]
        if c == "\\":
            self._escape()
        elif c == "[":
            self._set()
        elif c == "(":
            self._open()
        elif c == ")":
            self.at += 1
            if len(self.groups) == 1:
                raise _Refused(f"unexpected ): {self.pattern}")
            self._close_flags()
            self.groups.pop()
            self.out.append(")")
        elif c == "|":
            self.at += 1
            opened = self.groups[-1][1]
            self._close_flags()
            self.out.append("|")
            for flags in opened:
                self.out.append(f"(?{flags}:")
            self.groups[-1][1] = opened
        elif _REPEAT.match(self.pattern, self.at):
            self._repeat()
        elif c == "$":
            self.at += 1
            self.out.append("$" if "m" in self._flags() else r"\Z")
        else:
            self.at += 1
            self.out.append(c)

    def _repeat(self) -> None:
        found = _REPEAT.match(self.pattern, self.at)
        assert found is not None
        if any(int(n) > 1000 for n in re.findall(r"\d+", found[0])):
            raise _Refused(f"invalid repetition size: {found[0]}")
        again = _REPEAT.match(self.pattern, found.end())
        if again:
            raise _Refused(f"bad repetition operator: {found[0]}{again[0]}")
        self.at = found.end()
        self.out.append(found[0])

    def _flags(self) -> str:
        return "".join(flags for flags, _ in self.groups) + "".join(
            flag for _, opened in self.groups for flag in opened)

    def _close_flags(self) -> None:
        self.out.append(")" * len(self.groups[-1][1]))
        self.groups[-1][1] = []

    # -- groups ------------------------------------------------------------------------------------
    def _open(self) -> None:
        rest = self.pattern[self.at:]
        if not rest.startswith("(?"):
            self.at += 1
            self._push("(", "")
            return
        name = re.match(r"\(\?P?<(\w+)>", rest)
        if name:
            self.at += name.end()
            self._push(f"(?P<{name[1]}>", "")
            return
        flags = re.match(r"\(\?([imsU]*)(-[imsU]+)?([:)])", rest)
        if not flags:
            raise _Refused(f"invalid perl operator: {rest[:3]}")
        if "U" in flags[1] or flags[2] and "U" in flags[2]:
            raise _Refused(f"the flag U is not known here: {flags[0]}")
        self.at += flags.end()
        word = flags[1] + (flags[2] or "")
        if flags[3] == ":":
            self._push(f"(?{word}:", flags[1])
        elif word:
            self.groups[-1][1] = [*self.groups[-1][1], word]
            self.out.append(f"(?{word}:")

    def _push(self, text: str, flags: str) -> None:
        self.out.append(text)
        self.groups.append([flags, []])

    # -- escapes -----------------------------------------------------------------------------------
    def _escape(self) -> None:
        rest = self.pattern[self.at + 1:]
        if not rest:
            raise _Refused("trailing \\")
        c = rest[0]
        if c == "Q":
            end = rest.find("\\E")
            text = rest[1:] if end < 0 else rest[1:end]
            self.at += 2 + len(text) + (2 if end >= 0 else 0)
            self.out.append(re.escape(text))
            return
        if c in "bB":
            self.out.append(rf"(?a:\{c})")
        elif c in "Az":
            self.out.append(r"\A" if c == "A" else r"\Z")
        elif c.lower() in _PERL:
            self.out.append(f"[{'^' if c.isupper() else ''}{_PERL[c.lower()]}]")
        elif c in "pP":
            self.at += 1
            negated, ranges = self._property()
            self.out.append(f"[{'^' if negated else ''}{ranges}]")
            return
        else:
            self.out.append(self._character())
            return
        self.at += 2

    def _character(self) -> str:
        """An escaped character, which the position is at, as `re` writes it."""
        rest = self.pattern[self.at + 1:]
        c = rest[0]
        code = re.match(r"x\{([0-9A-Fa-f]+)\}|x([0-9A-Fa-f]{2})|(0[0-7]{0,2}|[1-7][0-7]{1,2})",
                        rest)
        if code:
            self.at += 1 + code.end()
            code_point = int(code[1] or code[2], 16) if code[1] or code[2] else int(code[3], 8)
            if code_point > 0x10FFFF:
                raise _Refused(f"invalid escape sequence: \\{code[0]}")
            return re.escape(chr(code_point))
        if c in _LETTERS:
            self.at += 2
            return _LETTERS[c]
        if c.isalnum() or c == "_":
            raise _Refused(f"invalid escape sequence: \\{c}")
        self.at += 2
        return re.escape(c)

    def _property(self) -> tuple[bool, str]:
        """\\pN, \\p{Greek}, \\P{^Lu}: whether it is negated, and its ranges."""
        found = re.match(r"([pP])(?:\{(\^?)(\w+)\}|(\w))", self.pattern[self.at:])
        if not found:
            raise _Refused(f"invalid character class range: {self.pattern[self.at - 1:]}")
        self.at += found.end()
        name = found[3] or found[4]
        ranges = _of_property(name)
        if ranges is None:
            raise _Refused(f"invalid character class range: \\{found[0]}")
        return (found[1] == "P") != bool(found[2]), ranges

    # -- sets --------------------------------------------------------------------------------------
    def _set(self) -> None:
        start = self.at
        self.at += 1
        negated = self.pattern.startswith("^", self.at)
        self.at += negated
        parts: list[str] = []
        first = True
        while True:
            if self.at >= len(self.pattern):
                raise _Refused(f"missing ]: {self.pattern[start:]}")
            if self.pattern[self.at] == "]" and not first:
                self.at += 1
                break
            parts.append(self._member())
            first = False
        self.out.append(f"[{'^' if negated else ''}{''.join(parts)}]")

    def _member(self) -> str:
        rest = self.pattern[self.at:]
        named = re.match(r"\[:(\^?)(\w+):\]", rest)
        if named:
            if named[2] not in _POSIX:
                raise _Refused(f"invalid character class range: {named[0]}")
            self.at += named.end()
            return _complement(_POSIX[named[2]]) if named[1] else _POSIX[named[2]]
        if rest[0] == "\\" and len(rest) > 1 and rest[1].lower() in _PERL:
            self.at += 2
            ranges = _PERL[rest[1].lower()]
            return _complement(ranges) if rest[1].isupper() else ranges
        if rest[0] == "\\" and len(rest) > 1 and rest[1] in "pP":
            self.at += 1
            negated, ranges = self._property()
            return _complement(ranges) if negated else ranges
        low = self._single()
        rest = self.pattern[self.at:]
        if rest.startswith("-") and len(rest) > 1 and rest[1] != "]":
            self.at += 1
            return f"{low}-{self._single()}"
        return low

    def _single(self) -> str:
        if self.pattern[self.at] == "\\":
            return self._character()
        self.at += 1
        return re.escape(self.pattern[self.at - 1])


@lru_cache(maxsize=64)
def _complement(ranges: str) -> str:
    inside = re.compile(f"[{ranges}]")
    return _as_ranges([code for code in range(0x110000) if not inside.match(chr(code))])


def _as_ranges(codes: list[int]) -> str:
    found, start = [], 0
    for i in range(1, len(codes) + 1):
        if i == len(codes) or codes[i] != codes[i - 1] + 1:
            first, last = codes[start], codes[i - 1]
            found.append(f"\\U{first:08x}" + (f"-\\U{last:08x}" if last > first else ""))
            start = i
    return "".join(found)


@lru_cache(maxsize=64)
def _of_property(name: str) -> str | None:
    """The characters of a general category (L, Lu …) or of a script, as ranges."""
    if name == "Any":
        return r"\U00000000-\U0010ffff"
    import unicodedata

    from tapeflow.ops.strings import scripts
    if name in scripts.NAMES:
        wanted = scripts.NAMES[name]
        return _as_ranges(np.flatnonzero(scripts.table() == wanted).tolist())
    codes = [code for code in range(0x110000) if unicodedata.category(chr(code)).startswith(name)]
    return _as_ranges(codes) if codes else None


def _repeats(tree: Any) -> int:
    """How often the innermost part of a pattern is repeated at most, by counted repeats."""
    most = 1
    for op, about in tree:
        if op in (_tokens.MAX_REPEAT, _tokens.MIN_REPEAT):
            least, many, inner = about
            counted = least if many is _tokens.MAXREPEAT else many
            most = max(most, (counted if counted > 1 else 1) * _repeats(inner))
        elif op is _tokens.SUBPATTERN:
            most = max(most, _repeats(about[3]))
        elif op is _tokens.BRANCH:
            most = max(most, *[_repeats(one) for one in about[1]])
    return most


class Pattern:
    """A pattern of RE2, ready for text."""

    def __init__(self, text: str):
        self._text = text
        quick = _Translator(text).translate()
        self._tree = _parser.parse(quick)
        if _repeats(self._tree) > MOST_REPEATS:
            raise _Refused("bad repetition operator: repeats in repeats are too many")
        self.quick = re.compile(quick)
        self.groups = self.quick.groups
        # Every match has a character: then the `sub` of `re` does what RE2 does.
        self.never_empty = self._tree.getwidth()[0] > 0
        self._longest = [self._safe_length(whole) for whole in (False, True)]
        self._linear: Any = None

    def _safe_length(self, whole: bool) -> int:
        """How long a text may be so that `re` matches it in good time, about."""
        size = 1
        while size < 1 << 40 and linear_regex.paths(self._tree, size, whole) <= MOST_PATHS:
            size *= 2
        return size // 2

    def matcher(self, text: str, whole: bool) -> Any:
        """What matches a text in good time: `fullmatch(text)` if `whole`, else `search(text)`."""
        if len(text) <= self._longest[whole]:
            return self.quick
        if self._linear is None:
            self._linear = _re2(self._text) or linear_regex.Linear(self._tree)
        if not text.isascii() and any(0xD800 <= ord(char) < 0xE000 for char in text):
            return linear_regex.Linear(self._tree)  # bytes that are no UTF-8
        return self._linear


def _re2(text: str) -> Any:
    """The pattern by RE2, if that is installed."""
    try:
        from re2 import Options, compile, error  # type: ignore[import-not-found]
    except ImportError:
        return None
    options = Options()
    options.log_errors = False
    try:
        return compile(text, options)
    except (error, UnicodeEncodeError):
        return None


@lru_cache(maxsize=512)
def compiled(pattern: bytes, op: str) -> Pattern:
    """A pattern of RE2, ready for text; InvalidArgumentError if it is none."""
    text = pattern.decode("utf-8", "surrogateescape")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Pattern(text)
    except unsignalled(_Refused, re.error, linear_regex.TooLarge, OverflowError) as error:
        raise errors.invalid(op, f"Invalid pattern: {text}, error: {error}") from None
    except RecursionError:
        raise errors.invalid(op, f"Invalid pattern: {text}, error: groups in groups are too many"
                             ) from None


def _decoded(one: bytes) -> str:
    return one.decode("utf-8", "surrogateescape")


# -- ops -------------------------------------------------------------------------------------------
def _full_match(one: bytes, pattern: bytes) -> bool:
    text = _decoded(one)
    found = compiled(pattern, "RegexFullMatch").matcher(text, True).fullmatch(text)
    return found is not None


_regex_full_match = on_each("regex_full_match", _full_match, np.bool_,
                            check=[Case(WORDS, pattern=b"H.*d")])


@lru_cache(maxsize=512)
def _rewrite(rewrite: str) -> tuple | None:
    """The parts of a rewrite: texts and indices of groups; None if it is none."""
    parts: list[Any] = []
    for found in re.finditer(r"\\(.?)|[^\\]+", rewrite, re.DOTALL):
        if found[0][0] != "\\":
            parts.append(found[0])
        elif found[1].isdigit() and found[1].isascii():
            parts.append(int(found[1]))
        elif found[1] == "\\":
            parts.append("\\")
        else:
            return None
    return tuple(parts)


@lru_cache(maxsize=512)
def _template(rewrite: bytes) -> str:
    """A rewrite as `re` writes it."""
    parts = _rewrite(_decoded(rewrite)) or ()
    return "".join([part.replace("\\", "\\\\") if isinstance(part, str) else rf"\g<{part}>"
                    for part in parts])


def _replace(one: bytes, pattern: bytes, rewrite: bytes, everywhere: bool) -> bytes:
    """As RE2's Replace and GlobalReplace: no empty match directly behind a match."""
    known = compiled(pattern, "RegexReplace")
    parts = _rewrite(_decoded(rewrite))
    if parts is None or any(type(part) is int and part > known.groups for part in parts):
        return one
    text = _decoded(one)
    search = known.matcher(text, False)
    if known.never_empty and search is known.quick:
        replaced = search.sub(_template(rewrite), text, 0 if everywhere else 1)
        return replaced.encode("utf-8", "surrogateescape")
    out: list[str] = []
    at, end = 0, -1
    while at <= len(text):
        found = search.search(text, at)
        if found is None:
            break
        start = found.start()
        if start == found.end() == end:  # an empty match behind a match: on by one character
            out.append(text[at:at + 1])
            at, end = at + 1, -1
            continue
        out.append(text[at:start])
        out.extend(part if isinstance(part, str) else found[part] or "" for part in parts)
        at = end = found.end()
        if not everywhere:
            break
    out.append(text[at:])
    return "".join(out).encode("utf-8", "surrogateescape")


_regex_replace = on_each("regex_replace", _replace,
                         check=[Case(WORDS, pattern=b"l+", rewrite=b"L", everywhere=True)])


def _fixed(value: Any, name: str) -> bytes:
    """A pattern or rewrite: text, or a scalar whose value is known."""
    if isinstance(value, str):
        return text_bytes(value)
    if isinstance(value, bytes):
        return value
    tensor = operand(value)
    if isinstance(value, (Tensor, Variable)) and tensor._interpreter is not None:
        raise ValueError(f"tf.strings.regex: `{name}` must be known while tracing.")
    array = np.asarray(tensor._value)
    if array.ndim or not isinstance(array[()], bytes):
        raise errors.invalid("RegexReplace", f"{name.capitalize()} must be scalar, but received "
                                             f"{list(array.shape)}")
    return array[()]


@export("strings.regex_full_match")
def regex_full_match(input: Any, pattern: Any, name: str | None = None) -> Tensor:
    """Whether each string as a whole matches an RE2 pattern."""
    given = _fixed(pattern, "pattern")
    compiled(given, "RegexFullMatch")
    return _regex_full_match(string_operand(input), pattern=given)


@export("strings.regex_replace")
@attributes(replace_global=flag)
def regex_replace(input: Any, pattern: Any, rewrite: Any, replace_global: bool = True,
                  name: str | None = None) -> Tensor:
    r"""What matches an RE2 pattern replaced; `\1` in the rewrite is the first group.

    >>> tf.strings.regex_replace("John Smith", r"(\w+) (\w+)", r"\2, \1").numpy()
    b'Smith, John'
    """
    given = _fixed(pattern, "pattern")
    compiled(given, "RegexReplace")
    return _regex_replace(string_operand(input), pattern=given, rewrite=_fixed(rewrite, "rewrite"),
                          everywhere=bool(replace_global))
