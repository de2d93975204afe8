"""Names for the array types that pass between the parts; imported for type checking only."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Positions = NDArray[np.int64]
Words = NDArray[np.uint64]
