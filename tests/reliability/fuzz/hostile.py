"""Values that nobody sends who means well."""

from __future__ import annotations

from typing import Final

NUMBERS: Final = (
    0, 1, -1, 2, 3, 7, 16, 19, 20, 21, 127, 128, 255, 256, 1000, 4000, 4014, 65_535, 65_536, 2**31 - 1,
    2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), -(2**31), 10**30, 10**400,
    0.0, -0.0, 0.5, 1e-9, 1e18, 1e308, float("inf"), float("-inf"), float("nan"),
)  # fmt: skip
TEXTS: Final = (
    "", " ", "\n", "\r\n", "\0", "a\0b", "null", "true", "-1", "1e999", "NaN", "²", "٣", "0" * 25,
    "9" * 400, "x" * 300, "x" * 70_000, "\ud800", "\udfff\ud800", "\u202e" + "gpj.exe", "\u2066a\u2069",
    "\u200b\u200d\ufeff", "e" + "\u0301" * 200, "👨‍👩‍👧‍👦" * 20, "\u2028\u2029\x85", "\x1b[2J\x1b]0;x\x07",
    "{}", "{0.__class__}", "%s%n", "[red]", "<@1>@everyone", "```", "../../etc/passwd", "'; --", "<b>",
    "a.b:c-d_e", "Clankie", "stop", "response.done", "error", "..." * 50, "a " * 2_000, "(" * 500,
    "１２", "K", "ﬃ", "İ", "ß" * 50,
)  # fmt: skip
BYTES: Final = (
    b"\0", b"\xff", b"\xff" * 4, b"\0" * 8, b"\xfa\xfa", b"\xf8\xff\xfe", b"\n", b"\r\n", b"\r\n\r\n",
    b'"', b"{", b"[", b"}", b"\\", b"\\ud800", b"\xed\xa0\x80", b"\xc0\x80", b"\xef\xbb\xbf", b"\x80",
    b"RIFF", b"data", b"e9999", b"1" * 5_000, b"[" * 3_000, b'{"a":' * 1_500, b"\t", b"=", b"#", b":",
)  # fmt: skip
WORDS: Final = (0, 1, 2, 3, 4, 7, 8, 12, 16, 20, 127, 128, 254, 255, 256, 1500, 32_767, 32_768, 65_535)
