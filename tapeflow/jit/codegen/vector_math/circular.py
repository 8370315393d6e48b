"""Sine, cosine and tangent, with the reduction of their arguments, and the inverse functions."""

from __future__ import annotations

from typing import Any

from tapeflow.jit.codegen.llvm_text import Code
from tapeflow.jit.codegen.vector_math.maths import FORMATS, Maths, Num, function, in_double

TWO_OVER_PI = 0.6366197723675814
# pi / 2 in parts whose products with n are exact, and what is left.
HALF_PI = {"float32": [1.5703125, 0.0004837512969970703, 7.549533620476723e-08,
                       2.563344151594519e-12],
           "float64": [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21,
                       8.478427660348229e-32]}
# pi / 2 in parts of full length, for machines that round a product and a sum once.
WHOLE_HALF_PI = {"float32": [1.5707963705062866, -4.371138828673793e-08, -1.7151245100058819e-15],
                 "float64": [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33]}
# Beyond these the products are no longer exact, or the parts too short.
HUGE = {"float32": 1.2e4, "float64": 1.6e6}
# (sin(r) - r) / r³ and (cos(r) - 1 + r²/2) / r⁴ of r², for |r| <= pi / 4
SIN = {"float32": [-0.000195166562, 0.00833217334, -0.166666552],
       "float64": [1.589650430348274e-10, -2.505075325423021e-08, 2.755731366200148e-06,
                   -0.00019841269829725097, 0.008333333333322316, -0.16666666666666632]}
COS = {"float32": [2.44377497e-05, -0.00138873619, 0.0416666456],
       "float64": [-1.1359448538089819e-11, 2.0875719556290545e-09, -2.755731432601625e-07,
                   2.4801587289394892e-05, -0.001388888888887399, 0.0416666666666666]}


# -- reduction -------------------------------------------------------------------------------------
def reduced(m: Maths, x: Num) -> tuple[Any, Any, Any]:
    """r + low = x - n pi/2 with |r| <= pi/4, and n in the lowest two bits of an int.

    Cody and Waite's way for all lanes; if one is huge, Payne and Hanek's for those.
    """
    near = _near(m, x)
    huge = m.compare("uge", abs(x), m.const(HUGE[x.dtype], x))
    r, low, n = m.rarely(huge, lambda: _far(m, x), *near)
    return r, low, n


def _near(m: Maths, x: Num) -> tuple[Any, Any, Any]:
    n, whole = m.nearest(x, TWO_OVER_PI)
    if m.code.module.target.fma:
        first, second, third = WHOLE_HALF_PI[x.dtype]
        t = m.fma(n, -first, x)  # exact: what is left has no more digits than x
        r = m.fma(n, -second, t)
        return r, m.fma(n, -third, m.fma(n, -second, t - r)), whole
    first, second, third, last = HALF_PI[x.dtype]
    t = x - n * first  # exact
    w = n * second
    r = t - w
    low = (t - r) - w
    w = n * third
    s, lost = m.two_sum(r, low - w)
    low = lost + ((low - (low - w)) - w)
    r, low = m.quick_sum(s, low - n * last)
    return r, low, whole


def _far(m: Maths, x: Num) -> tuple[Any, Any, Any]:
    """The reduction of each lane by itself: a function of its own, off the usual way."""
    kinds = (x.dtype, x.dtype, FORMATS[x.dtype].whole)
    module, types = m.code.module, [m.type(kind) for kind in kinds]
    returns = f"{{{', '.join(types)}}}"
    name = module.once(f"reduce.far.{m.suffix(x.dtype)}",
                       lambda: _write_far(m, x.dtype, returns))
    three = m.code.let(f"call {returns} {name}({types[0]} {x.text})")
    r, low, n = (m.num(m.code.let(f"extractvalue {returns} {three}, {i}"), kind)
                 for i, kind in enumerate(kinds))
    return r, low, n


def _write_far(builder: Maths, dtype: str, returns: str) -> Code:
    module, whole = builder.code.module, FORMATS[dtype].whole
    code = Code(module, f"reduce.far.{builder.suffix(dtype)}", [(builder.type(dtype), "%x")],
                returns, module.target.attributes + " noinline", "private")
    m = Maths(code, builder.lanes)
    name = module.once("reduce.huge", lambda: _write_huge(module))
    x = m.cast(m.num("%x", dtype), "float64")
    given = code.room("double", m.lanes)
    m.store(x, given)
    kinds = ("double", "double", "i64")
    rooms = [code.room(kind, m.lanes) for kind in kinds]
    with code.loop(0, m.lanes) as lane:
        one = code.let(f"load double, ptr {code.at(given, lane.index, 'double')}")
        three = code.let(f"call {{double, double, i64}} {name}(double {one})")
        for i, (kind, room) in enumerate(zip(kinds, rooms, strict=True)):
            part = code.let(f"extractvalue {{double, double, i64}} {three}, {i}")
            code.do(f"store {kind} {part}, ptr {code.at(room, lane.index, kind)}")
    wide, low, n = (m.num(m.load(room, kind).text, kind) for room, kind in zip(
        rooms, ("float64", "float64", "int64"), strict=True))
    r = m.cast(wide, dtype)
    if dtype == "float32":
        low = (wide - m.cast(r, "float64")) + low
    infinite = m.compare("ueq", abs(x), m.const(float("inf"), x))
    results = (m.choose(infinite, float("nan"), r), m.cast(low, dtype), m.cast(n, whole))
    made = "poison"
    for i, part_ in enumerate(results):
        made = code.let(f"insertvalue {returns} {made}, {m.type(part_.dtype)} {part_.text}, {i}")
    code.do(f"ret {returns} {made}")
    return code


def _digits_of_two_over_pi(words: int) -> list[int]:
    """64 zeros and then the binary digits of 2/pi, in words of 64.

    pi by Machin's formula in whole numbers.
    """
    bits = 64 * words + 64
    one = 1 << bits

    def arctan_of_inverse(k: int) -> int:
        total, term, n, sign = 0, one // k, 1, 1
        while term:
            total += sign * (term // n)
            term //= k * k
            n, sign = n + 2, -sign
        return total

    pi = 4 * (4 * arctan_of_inverse(5) - arctan_of_inverse(239))
    digits = (2 << (2 * bits)) // pi >> (bits - 64 * (words - 1))
    return [0] + [(digits >> (64 * (words - 2 - i))) & (2 ** 64 - 1) for i in range(words - 1)]


def _write_huge(module: Any) -> Code:
    """r + low = x - n pi/2 for a float64 of any size: x's digits times the digits of 2/pi that
    matter (those before give multiples of 4, those after nothing)."""
    code = Code(module, "reduce.huge", [("double", "%x")], "{double, double, i64}",
                module.target.attributes + " noinline", "private")
    m = Maths(code, 1)
    p = code.pure
    bits = m.raw(abs(m.num("%x", "float64")))
    e = (bits >> 52) - 1075  # x = d 2^e with a whole number d
    d = (bits & ((1 << 52) - 1)) | (1 << 52)
    # Lanes that are not huge, infinity and NaN come too: any number, but within the table.
    e = m.choose((e > 971) | (e < -60), 0, e)
    first = e + 62  # the first digit that matters: its product with x counts twos
    table = _digits_of_two_over_pi(22)
    signed = [w - (1 << 64) if w >> 63 else w for w in table]
    name = module.constant(f"[{len(table)} x i64] [{', '.join(f'i64 {w}' for w in signed)}]")
    at, shift = first >> 6, first & 63
    words = [code.let("load i64, ptr " + p(
        f"getelementptr i64, ptr {name}, i64 {(at + i).text}")) for i in range(4)]
    fshl = module.declare("llvm.fshl.i64", "i64", "i64", "i64", "i64")
    w = [p(f"call i64 {fshl}(i64 {words[i]}, i64 {words[i + 1]}, i64 {shift.text})")
         for i in range(3)]
    wide = p(f"zext i64 {d.text} to i128")
    product = [p(f"mul i128 {wide}, " + p(f"zext i64 {one} to i128")) for one in w]
    middle = p(f"add i128 {product[1]}, " + p(f"lshr i128 {product[2]}, 64"))
    carry = p("trunc i128 " + p(f"lshr i128 {middle}, 64") + " to i64")
    top = p("add i64 " + p(f"trunc i128 {product[0]} to i64") + f", {carry}")
    center, bottom = p(f"trunc i128 {middle} to i64"), p(f"trunc i128 {product[2]} to i64")
    # top.center.bottom is x 2/pi mod 4, with two digits before the point.
    high = p(f"call i64 {fshl}(i64 {top}, i64 {center}, i64 2)")
    low = p(f"call i64 {fshl}(i64 {center}, i64 {bottom}, i64 2)")
    fraction = p("or i128 " + p("shl i128 " + p(f"zext i64 {high} to i128") + ", 64") + ", "
                 + p(f"zext i64 {low} to i128"))
    above = p(f"icmp slt i64 {high}, 0")  # from 1/2 on: one less, counted in n
    size = p(f"select i1 {above}, i128 " + p(f"sub i128 0, {fraction}") + f", i128 {fraction}")
    n = p(f"add i64 {p(f'lshr i64 {top}, 62')}, {p(f'zext i1 {above} to i64')}")
    part = []
    for shift_by, width, weight in ((85, 43, -43), (42, 43, -86), (0, 42, -128)):
        chunk = p("trunc i128 " + p(f"lshr i128 {size}, {shift_by}") + " to i64")
        whole = m.num(chunk, "int64") & ((1 << width) - 1)
        part.append(m.cast(whole, "float64") * 2.0 ** weight)
    f, f_low = m.quick_sum(part[0], part[1] + part[2])
    r, r_low = m.product(f, m.const(1.5707963267948966, f))
    r_low = r_low + (f * 6.123233995736766e-17 + f_low * 1.5707963267948966)
    r, r_low = m.quick_sum(r, r_low)
    minus = m.num(p(f"xor i1 {above}, {p('fcmp olt double %x, 0.0')}"), "bool")
    negative = m.num(p("fcmp olt double %x, 0.0"), "bool")
    whole = m.choose(negative, -m.num(n, "int64"), m.num(n, "int64"))
    result = "poison"
    for i, (kind, one) in enumerate((("double", m.choose(minus, -r, r)),
                                     ("double", m.choose(minus, -r_low, r_low)),
                                     ("i64", whole))):
        result = code.let(f"insertvalue {{double, double, i64}} {result}, {kind} {one.text}, {i}")
    code.do(f"ret {{double, double, i64}} {result}")
    return code


# -- functions -------------------------------------------------------------------------------------
def _both(m: Maths, r: Num, low: Num) -> tuple[Any, Any]:
    """sin and cos of r + low, |r| <= pi/4."""
    z = r * r
    cube = r * z
    s = r + m.fma(cube, m.poly(z, SIN[r.dtype]), m.fma(z * -0.5, low, low))
    half = z * 0.5
    c = 1.0 - half
    lost = (1.0 - c) - half
    c = c + (lost + m.fma(z * z, m.poly(z, COS[r.dtype]), -(r * low)))
    return s, c


@function("sincos", results=2)
def sincos(m: Maths, x: Num) -> tuple[Any, Any]:
    r, low, n = reduced(m, x)
    s, c = _both(m, r, low)
    odd = (n & 1).differs(0)
    last = 8 * (4 if FORMATS[x.dtype].single else 8) - 2
    sine, cosine = m.choose(odd, c, s), m.choose(odd, s, c)
    sine = m.bitcast(m.raw(sine) ^ ((n & 2) << last), x.dtype)
    cosine = m.bitcast(m.raw(cosine) ^ (((n + 1) & 2) << last), x.dtype)
    return m.choose(x.equals(0.0), x, sine), cosine


@function("tan")
@in_double
def tan(m: Maths, x: Num) -> Any:
    r, low, n = reduced(m, x)
    s, c = _both(m, r, low)
    odd = (n & 1).differs(0)
    y = m.choose(odd, -c, s) / m.choose(odd, s, c)
    return m.choose(x.equals(0.0), x, y)
