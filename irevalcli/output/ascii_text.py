"""Signs in text, for terminals and logs that show ASCII alone. Every command imports this."""

from __future__ import annotations

IN_ASCII = str.maketrans({
    "≥": ">=", "≤": "<=", "−": "-", "≈": "about ", "Δ": "diff", "α": "alpha", "…": "...", "→": "->", "·": "-", "–": "-",
    "±": "+-", "×": "x",
})  # fmt: skip
"""What stands for the signs that messages and reports use; for `str.translate`."""
