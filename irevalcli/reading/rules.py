"""The catalogue of rules: every fault and oddity of input files that is reported, in messages and by ``validate``."""

from __future__ import annotations

from irevalcli.reading import rules_input, rules_qrels, rules_run_judged, rules_run_lines
from irevalcli.reading.rule import Rule, Severity
from irevalcli.reading.rules_input import (
    ARCHIVE,
    BINARY,
    BYTE_ORDER_MARK,
    CANNOT_OPEN,
    CRLF,
    DAMAGED,
    IS_DIRECTORY,
    NO_DATA,
    NO_FINAL_NEWLINE,
    NON_ASCII,
    NOT_JSON,
    NOT_UTF8,
    UNKNOWN_FORMAT,
)
from irevalcli.reading.rules_qrels import (
    POPULARITY_COUNT,
    POPULARITY_DUPLICATE,
    POPULARITY_FIELDS,
    PREFERENCE_CYCLE,
    PREFERENCE_NAN,
    PREFERENCE_TWO_LEVELS,
    PREFERENCE_ZERO_AND_MORE,
    QRELS_CONFLICT,
    QRELS_DECIMALS,
    QRELS_FIELDS,
    QRELS_GRADE,
    QRELS_INTERLEAVED,
    QRELS_NEGATIVE,
    QRELS_NO_RELEVANT,
    QRELS_ODD_GRADE,
    QRELS_REPEATED,
    QRELS_SUBTOPICS,
)
from irevalcli.reading.rules_run_judged import (
    RUN_FEW_JUDGED,
    RUN_LIKE_IDS,
    RUN_MISSING_QUERIES,
    RUN_NO_COMMON,
    RUN_NONE_JUDGED,
    RUN_SWAPPED_COLUMNS,
    RUN_TAG,
    RUN_TIES_AT_CUTOFF,
    RUN_TOO_LONG,
    RUN_UNJUDGED_QUERIES,
)
from irevalcli.reading.rules_run_lines import (
    RUN_ASCENDING,
    RUN_DUPLICATE,
    RUN_EQUAL_SCORES,
    RUN_EXTRA,
    RUN_FIELDS,
    RUN_FIRST_RANK,
    RUN_HEADER,
    RUN_INFINITE,
    RUN_INTERLEAVED,
    RUN_RANK_ORDER,
    RUN_RANKS,
    RUN_SCORE,
    RUN_SINGLE_PRECISION,
    RUN_TAGS,
    RUN_TIES,
    RUN_UNSORTED,
)

RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in sorted(
        rule
        for module in (rules_input, rules_run_lines, rules_run_judged, rules_qrels)
        for rule in vars(module).values()
        if isinstance(rule, Rule)
    )
}
"""Every rule by its code, in the order of the codes."""

__all__ = [
    "ARCHIVE",
    "BINARY",
    "BYTE_ORDER_MARK",
    "CANNOT_OPEN",
    "CRLF",
    "DAMAGED",
    "IS_DIRECTORY",
    "NON_ASCII",
    "NOT_JSON",
    "NOT_UTF8",
    "NO_DATA",
    "NO_FINAL_NEWLINE",
    "POPULARITY_COUNT",
    "POPULARITY_DUPLICATE",
    "POPULARITY_FIELDS",
    "PREFERENCE_CYCLE",
    "PREFERENCE_NAN",
    "PREFERENCE_TWO_LEVELS",
    "PREFERENCE_ZERO_AND_MORE",
    "QRELS_CONFLICT",
    "QRELS_DECIMALS",
    "QRELS_FIELDS",
    "QRELS_GRADE",
    "QRELS_INTERLEAVED",
    "QRELS_NEGATIVE",
    "QRELS_NO_RELEVANT",
    "QRELS_ODD_GRADE",
    "QRELS_REPEATED",
    "QRELS_SUBTOPICS",
    "RULES",
    "RUN_ASCENDING",
    "RUN_DUPLICATE",
    "RUN_EQUAL_SCORES",
    "RUN_EXTRA",
    "RUN_FEW_JUDGED",
    "RUN_FIELDS",
    "RUN_FIRST_RANK",
    "RUN_HEADER",
    "RUN_INFINITE",
    "RUN_INTERLEAVED",
    "RUN_LIKE_IDS",
    "RUN_MISSING_QUERIES",
    "RUN_NONE_JUDGED",
    "RUN_NO_COMMON",
    "RUN_RANKS",
    "RUN_RANK_ORDER",
    "RUN_SCORE",
    "RUN_SINGLE_PRECISION",
    "RUN_SWAPPED_COLUMNS",
    "RUN_TAG",
    "RUN_TAGS",
    "RUN_TIES",
    "RUN_TIES_AT_CUTOFF",
    "RUN_TOO_LONG",
    "RUN_UNJUDGED_QUERIES",
    "RUN_UNSORTED",
    "UNKNOWN_FORMAT",
    "Rule",
    "Severity",
]
