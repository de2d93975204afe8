"""Compression of every kind that is read, for tests of what is unpacked."""

from __future__ import annotations

import bz2
import gzip
import lzma
import sys
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

zstd = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(gzip.compress, mtime=0),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": partial(zstd.compress, options={zstd.CompressionParameter.checksum_flag: 1}),
}
"""Each makes one whole member, with a checksum."""
