"""Numbers are read as Python's float and C's strtod and strtol read them, to the last bit."""

from __future__ import annotations

import ctypes
import math
import random
import struct
import sys
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest

from irevalcli.reading.numbers import (
    parse_decimals,
    parse_integers,
    strict_grade,
    strict_score,
    strtod_prefix,
    strtol_prefix,
)
from irevalcli.reading.words import PAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from irevalcli.reading.arrays import Bytes, Positions

ROWS = 60_000
SINGLE = 20_000

# Blanks separate the spellings.
SINGLE_DECIMALS = (
    "0 -0 +0 0. .0 -.0 00 0e0 0e999999999 -0e-999999999 0.000e-400 1e308 1.7976931348623157e308"
    " 1.7976931348623159e308 -1e309 1e999999999999999999999 1e-400 -1e-99999999999999999999 4.9e-324"
    " 2.4703282292062327e-324 2.4703282292062328e-324 2.2250738585072011e-308 2.2250738585072014e-308"
    " 9007199254740992 9007199254740993 9007199254740993.0 9007199254740993.000000000000000000001"
    " 9007199254740994 9007199254740995 18446744073709551615 18446744073709551616 9999999999999999999"
    " 10000000000000000000 1e23 8.5e22 1e22 123456789012345678e-18 5e-1 1E5 1e+5 1e05 1e-0000005"
    " 0.00000000000000000000000000000000000000001 100000000000000000000000000000000000000000000.5"
)
NO_DECIMALS = (
    "- + . -. +. e e5 .e5 1e 1e+ 1e- -e5 +-1 --1 -+1 1-1 1+1 1..0 1.0.0 .1. 1e5.0 1e5e5 1.0e1-1 inf -inf"
    " infinity nan NaN 0x10 0x1p4 1_0 1_0.5 1,5 1.5abc abc \x7f1 1\x00 \x0e5 1\x0e5 1\x105 1/5 1:5 1.:5 1e:5"
    " 1E1E1 1d5 1f ١ 1.٣ １ ²"
)
NO_NATIVE_NUMBERS = "nan -nan NaN 1e309 -1e999 0x10 0x1p4 1_0 1,5 infin infinit - + . e5 1e 1e+ 1.5abc high ١"
PIECES = (
    "0x 0X x p P e E + - . inf INF infinity iNfInItY infinit nan NaN nan( nan(12) ( ) _ , 0 00 1 9 f F a d 8"
    " 123456789 fffffffffffff8 0000000000001 p-1074 p1023 e308 e-324 e-400 e999 p99999999999999999999 1e"
    " 9223372036854775807 9223372036854775808 \xe9"
)


def buffer_of(tokens: list[bytes]) -> tuple[Bytes, Positions, Positions]:
    """The tokens between bytes that would change their values if they were read with them."""
    between = b"8.77777777e-5"
    raw = b"9" * PAD + b"".join(token + between for token in tokens) + b"9" * PAD
    size = np.fromiter(map(len, tokens), np.int64, len(tokens))
    end = np.cumsum(size + len(between)) - len(between) + PAD
    return np.frombuffer(raw, np.uint8), end - size, end


def assert_read_as_float_does(tokens: list[bytes]) -> None:
    values, odd = parse_decimals(*buffer_of(tokens))
    expected = np.fromiter(map(float, tokens), np.float64, len(tokens))
    wrong = np.flatnonzero((values.view(np.int64) != expected.view(np.int64)) | odd)
    assert [(tokens[row], values[row], odd[row]) for row in wrong[:5].tolist()] == []


def written(form: str, values: Iterable[float]) -> list[bytes]:
    return [(form % value).encode() for value in values]


def scores(seed: int, low: float = -30.0, high: float = 30.0) -> list[float]:
    values: list[float] = np.random.default_rng(seed).uniform(low, high, ROWS).tolist()
    return values


def magnitudes(seed: int, lowest: float, highest: float) -> list[float]:
    """Values of either sign whose exponents of ten are uniform."""
    numbers = np.random.default_rng(seed)
    values: list[float] = (numbers.uniform(-10, 10, ROWS) * 10 ** numbers.uniform(lowest, highest, ROWS)).tolist()
    return values


def any_bits(seed: int, count: int = ROWS) -> list[float]:
    bits = np.random.default_rng(seed).integers(0, 1 << 64, count, dtype=np.uint64)
    values: list[float] = bits.view(np.float64).tolist()
    return [value for value in values if math.isfinite(value)]


def digit_strings(seed: int, longest: int) -> list[bytes]:
    """Signs, leading zeros, points anywhere or nowhere, exponents of both cases, any number of digits."""
    pick = random.Random(seed)
    tokens = []
    for _ in range(ROWS):
        count = pick.randint(1, longest)
        digits = str(pick.randrange(10**count)).zfill(count)
        point = pick.randint(0, count)
        body = digits if pick.random() < 0.2 else digits[:point] + "." + digits[point:]
        power = pick.choice(["", "", f"e{pick.randint(-30, 30)}", f"E{pick.randint(-350, 350):+04d}"])
        tokens.append((pick.choice(["", "", "-", "+", "0", "-000"]) + body + power).encode())
    return tokens


def exact(value: Fraction, digits: int) -> Decimal:
    """A fraction whose denominator is a power of two, as a decimal of at most ``digits`` digits, cut off."""
    from decimal import ROUND_DOWN, Context  # noqa: PLC0415  (names that only this needs)

    context = Context(prec=digits, rounding=ROUND_DOWN, Emax=10_000, Emin=-10_000)
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))


def near_halfway(seed: int, count: int) -> list[bytes]:
    """The middle between neighbouring doubles in full, cut off at 15 to 40 digits, and one digit more."""
    tokens = []
    pick = random.Random(seed)
    for value in any_bits(seed, count):
        below = abs(value)
        middle = (Fraction(below) + Fraction(math.nextafter(below, 0.0))) / 2
        tokens.append(f"{exact(middle, 1_100):e}".encode())
        cut = exact(middle, pick.randint(15, 40))
        tokens += [f"{cut:e}".encode(), f"{cut.next_plus():e}".encode()]
    return tokens


def convergents(value: Fraction) -> Iterable[Fraction]:
    """The best approximations of a number by fractions, from its continued fraction."""
    above, below, last_above, last_below = 1, 0, 0, 1
    while True:
        whole = value.numerator // value.denominator
        above, last_above = whole * above + last_above, above
        below, last_below = whole * below + last_below, below
        yield Fraction(above, below)
        if value == whole:
            return
        value = 1 / (value - whole)


def short_and_hardly_off_halfway() -> list[bytes]:
    """Decimals of at most 19 digits that lie as near to the middle between two doubles as such numbers can."""
    tokens = []
    for power in range(-300, 301, 3):
        tens = Fraction(10) ** power
        size = tens.numerator.bit_length() - tens.denominator.bit_length()
        for smaller in (3, 6, 9):
            # mantissa · ratio ≈ an odd integer of 54 bits, which is such a middle, up to a power of two.
            ratio = tens * Fraction(2) ** (-size - smaller)
            for middle in convergents(ratio):
                if middle.denominator >= 10**19:
                    break
                if middle.numerator % 2 and middle.numerator.bit_length() == 54:
                    tokens.append(b"%de%d" % (middle.denominator, power))
    return tokens


def integers_beyond_53_bits(seed: int) -> list[bytes]:
    pick = random.Random(seed)
    tokens = []
    for _ in range(ROWS // 3):
        bits = pick.randint(53, 63)
        # Odd multiples of half a unit in the last place lie exactly between two doubles.
        number = (1 << bits) + (2 * pick.randrange(1 << 51) + 1 << bits - 53 >> 1) + pick.choice([-1, 0, 0, 1])
        tokens += [b"%d" % number, b"%d." % number, b"-%d00e-2" % number]
    return tokens


FAMILIES: dict[str, Callable[[], list[bytes]]] = {
    "%.6f": lambda: written("%.6f", scores(1)),
    "%.6f of cosines": lambda: written("%.6f", scores(2, 0, 1)),
    "%.6f of many magnitudes": lambda: written("%.6f", magnitudes(3, -6, 9)),
    "%.4f": lambda: written("%.4f", scores(4, 0, 1000)),
    "%.1f": lambda: written("%.1f", scores(5)),
    "%.0f with a point": lambda: written("%.0f.", scores(6, -1e6, 1e6)),
    "%.7f": lambda: written("%.7f", scores(7)),
    "%.8f": lambda: written("%.8f", scores(8)),
    "%.15f": lambda: written("%.15f", scores(9)),
    "%.17f": lambda: written("%.17f", magnitudes(10, -6, 2)),
    "%.20f": lambda: written("%.20f", magnitudes(11, -6, 2)),
    "%+.3f": lambda: written("%+.3f", scores(12)),
    "leading zeros": lambda: written("%017.5f", scores(13)),
    "many leading zeros": lambda: written("%033.5f", scores(14)),
    "no digit before the point": lambda: [
        token.replace(b"0.", b".", 1) for token in written("%.6f", scores(15, -1, 1))
    ],
    "integers with many leading zeros": lambda: written("%033d", scores(37, -1e9, 1e9)),
    "integers": lambda: written("%d", scores(16, -1e5, 1e5)),
    "integers of many lengths": lambda: written("%d", magnitudes(17, 0, 17)),
    "%g": lambda: written("%g", scores(18)),
    "%g of many magnitudes": lambda: written("%g", magnitudes(19, -12, 12)),
    "%e": lambda: written("%e", magnitudes(20, -12, 12)),
    "%E of all magnitudes": lambda: written("%E", magnitudes(21, -305, 305)),
    "repr": lambda: [repr(value).encode() for value in scores(22)],
    "repr of probabilities": lambda: [repr(value).encode() for value in magnitudes(23, -9, -1)],
    "repr of float32": lambda: [repr(value).encode() for value in np.array(scores(24), np.float32).tolist()],
    "str of float32": lambda: [str(value).encode() for value in np.array(scores(25), np.float32)],
    "repr of any double": lambda: [repr(value).encode() for value in any_bits(26)],
    "%.17g": lambda: written("%.17g", magnitudes(27, -30, 30)),
    "%.16e of any double": lambda: written("%.16e", any_bits(28)),
    "%.18e": lambda: written("%.18e", magnitudes(29, -200, 200)),
    "%.30e": lambda: written("%.30e", magnitudes(30, -200, 200))[: ROWS // 2],
    "subnormals": lambda: [repr(value).encode() for value in magnitudes(31, -324, -306)][: ROWS // 2],
    "up to 8 digits": lambda: digit_strings(32, 8),
    "up to 20 digits": lambda: digit_strings(33, 20),
    "up to 40 digits": lambda: digit_strings(34, 40),
    "halfway": lambda: near_halfway(35, 3_000),
    "short and hardly off halfway": short_and_hardly_off_halfway,
    "integers beyond 53 bits": lambda: integers_beyond_53_bits(36),
    "powers of ten": lambda: [b"%de%d" % (digit, power) for digit in range(100) for power in range(-400, 400)],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_a_column_of_one_kind_is_read_as_float_reads_it(family: str) -> None:
    assert_read_as_float_does(FAMILIES[family]())


def test_a_column_of_all_kinds_is_read_as_float_reads_it() -> None:
    tokens = [token for make in FAMILIES.values() for token in make()[:5_000]]
    random.Random(1).shuffle(tokens)
    assert_read_as_float_does(tokens)


@pytest.mark.parametrize(
    "text",
    SINGLE_DECIMALS.split(),
)
def test_a_single_decimal_is_read_as_float_reads_it(text: str) -> None:
    assert_read_as_float_does([text.encode()])
    assert_read_as_float_does([b"1.5", text.encode(), b"12"])


def test_a_huge_decimal_is_read() -> None:
    assert_read_as_float_does([b"1.25", b"0." + b"0" * 99_000 + b"1e99001", b"3" * 300, b"7.50"])


@pytest.mark.parametrize("first", ["1.000001", "12", "1.5e3", "0.12345678901", "x"])
@pytest.mark.parametrize(
    "text",
    NO_DECIMALS.split(),
)
def test_what_is_no_decimal_is_odd_and_leaves_its_neighbours_alone(first: str, text: str) -> None:
    tokens = [first.encode(), text.encode(), b"2.250000", b"-3"]
    values, odd = parse_decimals(*buffer_of(tokens))
    assert odd.tolist() == [first == "x", True, False, False]
    assert values[2:].tolist() == [2.25, -3.0]


def is_decimal(token: bytes) -> bool:
    try:
        float(token)
    except ValueError:
        return False
    return b"_" not in token and not set(token.lower()) & set(b"naifty")


@pytest.mark.parametrize("alphabet", ["0123456789+-.eE", "019.e-_nafix,/:", "5.", "7e+"])
def test_random_spellings_are_odd_exactly_when_they_are_no_decimals(alphabet: str) -> None:
    pick = random.Random(alphabet)
    tokens = ["".join(pick.choices(alphabet, k=pick.randint(1, 12))).encode() for _ in range(ROWS)]
    values, odd = parse_decimals(*buffer_of(tokens))
    assert odd.tolist() == [not is_decimal(token) for token in tokens]
    fine = np.flatnonzero(~odd)
    assert values[fine].tolist() == [float(tokens[row]) for row in fine.tolist()]


def test_every_byte_that_is_no_digit_makes_a_number_odd() -> None:
    others = [byte for byte in range(256) if byte not in b"0123456789"]
    for place in range(8):
        digits = b"12345678"
        tokens = [digits[:place] + bytes([byte]) + digits[place + 1 :] for byte in others]
        allowed = b"." + (b"+-" if place == 0 else b"eE" if place < 7 else b"")
        assert parse_decimals(*buffer_of(tokens))[1].tolist() == [byte not in allowed for byte in others]
        signs = b"+-" if place == 0 else b""
        assert parse_integers(*buffer_of(tokens))[1].tolist() == [byte not in signs for byte in others]


def test_empty_columns_give_empty_columns() -> None:
    for parse in (parse_decimals, parse_integers):
        values, odd = parse(*buffer_of([]))
        assert (values.size, odd.size) == (0, 0)


@pytest.mark.parametrize("longest", [1, 2, 8, 18])
def test_integers_up_to_18_digits_are_exact(longest: int) -> None:
    pick = random.Random(longest)
    tokens = []
    for _ in range(ROWS):
        count = pick.randint(1, longest)
        sign = pick.choice(["", "-", "+"]) if longest > 1 else ""
        tokens.append((sign + str(pick.randrange(10**count)).zfill(count)).encode())
    values, odd = parse_integers(*buffer_of(tokens))
    assert not odd.any()
    assert values.tolist() == [int(token) for token in tokens]


@pytest.mark.parametrize(
    "text",
    ["-", "+", "x", "1.0", "1e3", "1_0", "0x5", "--1", "1-", "1234567890123456789", "0000000000000000001", "9" * 999],
)
def test_what_is_no_integer_of_18_digits_is_odd(text: str) -> None:
    values, odd = parse_integers(*buffer_of([b"12", text.encode(), b"-999999999999999999"]))
    assert odd.tolist() == [False, True, False]
    assert values[[0, 2]].tolist() == [12, -999_999_999_999_999_999]


def test_single_characters_that_are_no_digits_are_odd_integers() -> None:
    values, odd = parse_integers(*buffer_of([b"0", b"/", b":", b"9", b"-", b"\xff"]))
    assert odd.tolist() == [False, True, True, False, True, True]
    assert values[[0, 3]].tolist() == [0, 9]


@pytest.mark.parametrize("text", ["1", "-1.5", "+.5", "5.", "1e3", "-2E-05", "1e-999", "0" * 5000 + "1"])
def test_native_mode_reads_decimals_as_scores_and_grades(text: str) -> None:
    assert strict_score(text.encode()) == strict_grade(text.encode()) == float(text)


@pytest.mark.parametrize("text", ["inf", "-inf", "+Infinity", "INF", "-iNfInItY"])
def test_native_mode_reads_infinities_as_scores_but_not_as_grades(text: str) -> None:
    assert strict_score(text.encode()) == float(text)
    assert strict_grade(text.encode()) is None


@pytest.mark.parametrize(
    "text",
    NO_NATIVE_NUMBERS.split(),
)
def test_native_mode_refuses_everything_else(text: str) -> None:
    assert strict_score(text.encode()) is None
    assert strict_grade(text.encode()) is None


def same_double(left: float, right: float) -> bool:
    return struct.pack("<d", left) == struct.pack("<d", right) or (math.isnan(left) and math.isnan(right))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,9", 1.0), ("1_9", 1.0), ("1e", 1.0), ("1e+", 1.0), ("1.5abc", 1.5), ("5.", 5.0), ("-.5.5", -0.5),
        ("high", 0.0), ("-", 0.0), ("", 0.0), (".", 0.0), ("-x", 0.0), ("e5", 0.0), ("1e999", math.inf),
        ("-1e999x", -math.inf), ("1e-400", 0.0), ("-1e-400", -0.0), ("-0x", -0.0), ("inf", math.inf),
        ("-INFINITY", -math.inf), ("infinit", math.inf), ("in", 0.0), ("nan", math.nan), ("-NaN(12)", math.nan),
        ("nan(", math.nan), ("na", 0.0), ("0x1p4", 16.0), ("0x.8", 0.5), ("0xg", 0.0), ("0x", 0.0), ("0x.", 0.0),
        ("0x.p1", 0.0), ("-0XAp-1z", -5.0), ("0x1p", 1.0), ("0x1p+", 1.0), ("0x1.8.8", 1.5), ("0x1e5", 485.0),
        ("0x1p1024", math.inf), ("-0x1p99999999999999999999", -math.inf), ("0x1p-1075", 0.0),
        ("0x1.8p-1075", 5e-324), ("0x0p99999999999999999999", 0.0), ("0x1p-99999999999999999999", 0.0),
        ("0x1.00000000000008", 1.0), ("0x1.00000000000008000000000000000001", 1.0000000000000002),
        ("0x1.fffffffffffff8p1023", math.inf), ("0x1.fffffffffffff7ffp1023", sys.float_info.max),
    ],
)  # fmt: skip
def test_a_real_is_the_longest_prefix_that_c_would_read(text: str, value: float) -> None:
    assert same_double(strtod_prefix(text.encode()), value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.9", 1), ("1e3", 1), ("+2", 2), ("007", 7), ("0x5", 0), ("yes", 0), ("2x", 2), ("-", 0), ("", 0),
        ("--1", 0), ("-0", 0), ("-12-", -12), ("9223372036854775807", 2**63 - 1), ("1_0", 1),
        ("9223372036854775808", 2**63 - 1), ("-9223372036854775808", -(2**63)), ("-9223372036854775809", -(2**63)),
        ("9" * 10_000, 2**63 - 1), ("-" + "9" * 10_000, -(2**63)), ("0" * 10_000 + "5", 5),
    ],
)  # fmt: skip
def test_an_integer_is_the_longest_prefix_that_c_would_read(text: str, value: int) -> None:
    assert strtol_prefix(text.encode()) == value


def c_spellings(seed: int) -> Iterable[bytes]:
    """Numbers, hexadecimal numbers and what nearly is one."""
    pick = random.Random(seed)
    for _ in range(SINGLE // 2):
        yield "".join(pick.choices(PIECES.split(), k=pick.randint(1, 6))).encode()
        whole = "".join(pick.choices("0123456789abcdefABCDEF000000", k=pick.randint(0, 30)))
        part = "".join(pick.choices("0123456789abcdef080000000000", k=pick.randint(0, 30)))
        power = pick.choice(["", f"p{pick.randint(-1200, 1200)}", f"P{pick.randint(-1100, -1000)}"])
        yield f"{pick.choice(['', '-', '+'])}0x{whole}{pick.choice(['', '.'])}{part}{power}".encode()


if sys.platform == "linux":

    def test_random_spellings_are_read_as_the_c_library_reads_them() -> None:
        # glibc before 2.41 rounds some hexadecimal subnormal numbers wrongly (its bug 30220); the seed meets none.
        library = ctypes.CDLL(None)
        library.strtod.restype = ctypes.c_double
        library.strtod.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
        library.strtoll.restype = ctypes.c_longlong
        library.strtoll.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_int]
        for token in c_spellings(40):
            assert same_double(strtod_prefix(token), library.strtod(token, None)), token
            assert strtol_prefix(token) == library.strtoll(token, None, 10), token
